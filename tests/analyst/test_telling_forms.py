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
