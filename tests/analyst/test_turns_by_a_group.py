"""``by airport`` in a thread is by what it is at the start of one, and ``split by`` is of the rows that were shown."""

from __future__ import annotations

import pytest
import worlds
from asking import ask
from test_demo_questions import MONTH, plain, same
from test_what_people_go_on_with import sql

NAMED = "FROM flights f JOIN airports o ON f.origin = o.airport"


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (["flights per month", "split by airport"], f"SELECT {MONTH}, o.name, count(*) {NAMED} GROUP BY 1, 2"),
        (["flights per month", "break that down by airport"], f"SELECT {MONTH}, o.name, count(*) {NAMED} GROUP BY 1, 2"),
        (["flights in may", "per airport please"], f"SELECT o.name, count(*) {NAMED} WHERE month(scheduled_departure) = 5 GROUP BY 1"),
        (
            ["average departure delay of delta", "vs american", "by airport"],
            ("SELECT a.name, o.name, avg(departure_delay) FROM flights f JOIN airlines a USING (carrier) "
            "JOIN airports o ON f.origin = o.airport WHERE carrier IN ('DL', 'AA') GROUP BY 1, 2"),
        ),
        (
            ["how many flights were cancelled from 8 to 9 february", "Split by day and airport."],
            (f"SELECT date_trunc('day', scheduled_departure), o.name, count(*) {NAMED} WHERE departure_delay IS NULL "
            "AND scheduled_departure BETWEEN '2013-02-08' AND '2013-02-10' GROUP BY 1, 2"),
        ),
    ],
)  # fmt: skip
def test_a_group_is_what_it_is_at_first(turns: list[str], wanted: str) -> None:
    asked = ask(worlds.flights(), *turns)
    assert same(asked.rows(), plain(wanted)), asked.tool["input"]["sqlQuery"]


def test_other_rows_are_split_as_they_were_chosen() -> None:
    said = sql("crossings in 2024", "split by month and deck")
    assert '"deck"' in said and "'month'" in said and "2024-01-01" in said
