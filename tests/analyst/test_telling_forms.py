"""A form tells itself: every figure of its sentences is in its rows."""

from __future__ import annotations

import pytest
import worlds
from asking import ask

from svc_notebook.analyst.offline.forms import Form, from_sql
from svc_notebook.analyst.offline.telling import Formed
from svc_notebook.semantic.context import SecurityContext

BY_ORIGIN = "SELECT origin, QUANTILE_CONT(departure_delay, 0.9) AS q FROM flights GROUP BY 1 ORDER BY 1"
TWO = "SELECT origin, AVG(departure_delay) AS d FROM flights WHERE origin IN ('JFK', 'EWR') GROUP BY 1 ORDER BY 1"


def told(sql: str) -> tuple[Formed, list[str], list[list[object]]]:
    world = worlds.flights()
    form = from_sql(sql, world.metadata.catalog)
    assert isinstance(form, Form)
    formed = Formed(form, world.metadata.catalog)
    table = world.layer.query(SecurityContext.operator(), formed.sql).table
    return formed, formed.told(table).sentences, [list(row.values()) for row in table.to_pylist()]


def test_groups_are_told_by_their_ends() -> None:
    formed, sentences, rows = told(BY_ORIGIN)
    numbers = {row[0]: float(str(row[1])) for row in rows}
    best, worst = max(numbers, key=numbers.__getitem__), min(numbers, key=numbers.__getitem__)
    assert f"**{best}** has the highest" in sentences[0] and f"; {worst} the lowest" in sentences[0]
    assert formed.title.startswith("90 % quantile of departure delay by origin")


def test_two_groups_are_told_with_their_difference() -> None:
    _, sentences, _ = told(TWO)
    assert "**EWR**" in sentences[0] and "**JFK**" in sentences[0] and sentences[1].startswith("The difference is ")


def test_a_figure_is_told_with_its_conditions() -> None:
    _, sentences, rows = told("SELECT COUNT(*) AS n FROM flights WHERE origin = 'JFK'")
    assert sentences == [f"**{rows[0][0]:,} flights**, where origin is JFK."]


@pytest.mark.parametrize("sql", ["SELECT origin FROM flights WHERE origin = 'nowhere'"])
def test_no_rows_are_said_to_be_none(sql: str) -> None:
    assert told(sql)[1] == ["There are no rows for this question."]


@pytest.mark.parametrize(
    "question",
    [
        "number of flights on weekdays and weekends", "weekday vs weekend flights",
        "average arrival delay on weekdays versus weekends",
    ],
)  # fmt: skip
def test_weekdays_against_weekends_are_two_groups(question: str) -> None:
    asked = ask(worlds.flights(), question)
    assert {row[0] for row in asked.rows()} == {"weekday", "weekend"}
    assert "by weekday or weekend of scheduled departure" in str(asked.tool["input"]["queryTitle"])
    assert "**weekday**" in asked.answer.text and "**weekend**" in asked.answer.text


def test_one_half_of_the_week_is_never_the_answer_to_both() -> None:
    asked = ask(worlds.flights(), "compare weekday vs weekend delays of cancelled flights by plane")
    assert asked.table is None or {"weekday", "weekend"} <= {str(value) for row in asked.rows() for value in row}


def test_averages_of_periods_are_not_added_up() -> None:
    form = (
        "SELECT DATE_TRUNC('month', scheduled_departure) AS m, origin, MEASURE(avg_departure_delay) AS d FROM flights"
    )
    _, sentences, rows = told(f"{form} WHERE NOT (airline = 'Envoy Air') GROUP BY 1, 2")
    highest = max(rows, key=lambda row: float(str(row[2])))
    assert sentences[0].startswith(f"**{highest[1]}** reached the highest average departure delay")
    assert [row[:2] for row in rows] == sorted(row[:2] for row in rows)


def test_months_of_two_years_are_told_by_year() -> None:
    asked = ask(worlds.shop(), "number of orders by month in 2024", "compare that with last year")
    sums = {year: sum(n for _, at, n in asked.rows() if at.year == year) for year in (2023, 2024)}
    best = max(sums, key=sums.__getitem__)
    assert asked.answer.text.startswith(f"**{best}** has the most orders in all: **{sums[best]:,}**")


def test_a_period_that_is_left_out_and_days_are_called_by_name() -> None:
    out = "scheduled_departure >= DATE '2013-12-01' AND scheduled_departure < DATE '2014-01-01'"
    formed, _, _ = told(f"SELECT origin, COUNT(*) AS n FROM flights WHERE NOT ({out}) GROUP BY 1")
    assert formed.words.endswith("where scheduled departure not in December 2013")
    formed, _, _ = told("SELECT COUNT(*) AS n FROM flights WHERE EXTRACT(ISODOW FROM scheduled_departure) IN (6, 7)")
    assert "is Saturday or Sunday" in formed.words


def test_a_title_names_no_more_columns_than_are_read_through() -> None:
    asked = ask(worlds.flights(), "list all flights from LGA on 4 july 2013")
    title = str(asked.tool["input"]["queryTitle"])
    assert " more columns" in title and len(title) < 160
    assert len(asked.rows()[0]) > 6
