"""``as % of flights`` after a count of some of them: the share that they are of what is named, group by group."""

from __future__ import annotations

import pytest
import worlds
from asking import ask
from test_demo_questions import plain, same

RATE = "avg(CASE WHEN departure_delay IS NULL THEN {one} ELSE 0.0 END)"
AIRLINES = "FROM flights JOIN airlines a USING (carrier)"
TOTAL = f"SELECT a.name, count(*) / sum(count(*)) OVER () {AIRLINES} WHERE departure_delay IS NULL GROUP BY 1"


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (["cancelled flights per origin", "as % of flights"], f"SELECT origin, {RATE.format(one=1.0)} FROM flights GROUP BY 1"),
        (
            ["cancelled flights per origin", "as a percentage of all flights", "only february"],
            f"SELECT origin, {RATE.format(one=1.0)} FROM flights WHERE month(scheduled_departure) = 2 GROUP BY 1",
        ),
        (
            ["how many flights were cancelled in may", "as a share of flights"],
            f"SELECT {RATE.format(one=100.0)} FROM flights WHERE month(scheduled_departure) = 5",
        ),
        (
            ["late flights by hour", "as share of departed"],
            ("SELECT hour(scheduled_departure), 100.0 * count(*) FILTER (WHERE departure_delay > 15) / nullif(count(departure_delay), 0) "
            "FROM flights GROUP BY 1"),
        ),
        (
            ["flights to LAX per airline", "as % of flights"],
            f"SELECT a.name, avg(CASE WHEN destination = 'LAX' THEN 100.0 ELSE 0.0 END) {AIRLINES} GROUP BY 1",
        ),
        (["flights per airline", "as % of flights"], f"SELECT a.name, count(*) / sum(count(*)) OVER () {AIRLINES} GROUP BY 1"),
    ],
)  # fmt: skip
def test_some_rows_are_a_share_of_those_that_are_named(turns: list[str], wanted: str) -> None:
    asked = ask(worlds.flights(), *turns)
    assert same(asked.rows(), plain(wanted)), asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize("turn", ["as a percentage of all cancellations", "as a percentage of the total", "in percent"])
def test_a_share_of_the_same_rows_is_one_of_the_total(turn: str) -> None:
    asked = ask(worlds.flights(), "cancelled flights per airline", turn)
    assert same(asked.rows(), [*list(plain(TOTAL)), ("Hawaiian Airlines Inc.", 0.0)])


def test_a_share_of_what_is_not_known_is_refused() -> None:
    asked = ask(worlds.flights(), "late flights by hour", "as share of gloomy")
    assert not asked.tool and "gloomy" in asked.answer.text


@pytest.mark.parametrize("share", ["share", "percentage", "percent", "pct", "proportion", "fraction", "portion"])
def test_a_share_of_them_is_of_the_rows_that_were_counted(share: str) -> None:
    for turn, so in (
        (f"what {share} of them were from JFK", "origin = 'JFK'"),
        (f"and what {share} of those in February?", "month(scheduled_departure) = 2"),
        (f"of them, what {share} left from JFK", "origin = 'JFK'"),
    ):
        asked = ask(worlds.flights(), "how many flights were cancelled?", turn)
        ((found,),) = asked.rows()
        ((wanted,),) = plain(
            f"SELECT avg(CASE WHEN {so} THEN 1.0 ELSE 0 END) FROM flights WHERE departure_delay IS NULL"
        )
        assert (found / 100 if found > 1 else found) == pytest.approx(wanted), (turn, asked.tool)


@pytest.mark.parametrize("before", ["cancelled flights by airline", "flights by airline"])
def test_a_share_of_them_where_groups_were_shown_is_named_and_not_guessed(before: str) -> None:
    asked = ask(worlds.flights(), before, "what share of them were from JFK")
    assert not asked.tool and "of them" in asked.answer.text
