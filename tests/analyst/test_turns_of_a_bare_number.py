"""A turn that names a number and nothing else: of the rows that were chosen before, told apart as they were."""

from __future__ import annotations

import pytest
import worlds
from asking import ask
from test_demo_questions import plain, same
from test_what_people_go_on_with import sql

EARLY = "dayofweek(scheduled_departure) IN (0, 6) AND origin = 'EWR' AND hour(scheduled_departure) < 10"
JULY = "month(scheduled_departure) = 7"


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (["weekend flights ewr", "only before 10am", "avg dep delay?"], f"SELECT avg(departure_delay) FROM flights WHERE {EARLY}"),
        (["flights in july", "only from JFK", "mean air time?"], f"SELECT avg(air_time) FROM flights WHERE origin = 'JFK' AND {JULY}"),
        (
            ["flights by airline", "only to LAX", "average air time"],
            "SELECT a.name, avg(air_time) FROM flights JOIN airlines a USING (carrier) WHERE destination = 'LAX' GROUP BY 1",
        ),
        (["how many airbus planes are there", "what about boeing", "average seats"], "SELECT avg(seats) FROM planes WHERE manufacturer = 'BOEING'"),
        (["average delay of united in august", "and in july", "number of flights"], f"SELECT count(*) FROM flights WHERE carrier = 'UA' AND {JULY}"),
        (
            ["top 10 destinations by flights", "only the top 3", "average air time"],
            "SELECT destination, avg(air_time) FROM flights WHERE destination IN ('ORD', 'ATL', 'LAX') GROUP BY 1",
        ),
    ],
)  # fmt: skip
def test_a_bare_number_is_of_the_rows_before(turns: list[str], wanted: str) -> None:
    asked = ask(worlds.flights(), *turns)
    assert same(asked.rows(), plain(wanted)), asked.tool["input"]["sqlQuery"]


def test_it_keeps_what_other_tables_were_chosen_and_told_apart_by() -> None:
    said = sql("crossings by deck", "only in 2024", "average fuel cost")
    assert "2024-01-01" in said and '"deck"' in said and 'MEASURE("avg_fuel_cost")' in said


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (
            ["how many flights does united have to denver", "what about southwest", "avg air time of both?"],
            (
                "SELECT a.name, avg(air_time) FROM flights JOIN airlines a USING (carrier) "
                "WHERE destination = 'DEN' AND carrier IN ('UA', 'WN') GROUP BY 1"
            ),
        ),
        (
            ["flights of Delta in July", "and in August", "average distance for both"],
            (
                "SELECT date_trunc('month', scheduled_departure), avg(distance) FROM flights "
                "WHERE carrier = 'DL' AND month(scheduled_departure) IN (7, 8) GROUP BY 1"
            ),
        ),
    ],
)
def test_a_number_of_both_is_of_the_last_two(turns: list[str], wanted: str) -> None:
    asked = ask(worlds.flights(), *turns)
    assert same(asked.rows(), plain(wanted)), asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (
            ["list airlines going to LAX", "with number of flights"],
            "SELECT a.name, count(*) FROM flights JOIN airlines a USING (carrier) WHERE destination = 'LAX' GROUP BY 1",
        ),
        (
            ["average air time by airline", "with number of flights"],
            "SELECT a.name, avg(air_time), count(*) FROM flights JOIN airlines a USING (carrier) GROUP BY 1",
        ),
    ],
)
def test_with_a_number_is_a_column_more(turns: list[str], wanted: str) -> None:
    asked = ask(worlds.flights(), *turns)
    assert same(asked.rows(), plain(wanted)), asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize("turn", ["average air time overall", "what is the average air time of all flights"])
def test_a_number_of_all_is_none(turn: str) -> None:
    asked = ask(worlds.flights(), "flights to LAX by airline", turn)
    assert len(asked.rows()) == 1


@pytest.mark.parametrize(
    "before", ["flights in july from JFK", "flights to LAX by airline", "top 3 destinations by flights"]
)
def test_after_a_question_of_its_own_it_is_one_as_well(before: str) -> None:
    assert same(ask(worlds.flights(), before, "average air time").rows(), plain("SELECT avg(air_time) FROM flights"))
