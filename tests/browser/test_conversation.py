"""A conversation of thirty turns in the widget: edits by words, by chips and by buttons, and undo, mixed.

After every turn the query is the one that the forms say; what was refused or told without a query changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.dialogue.thread import unsorted
from svc_notebook.analyst.offline.forms import Form, from_sql
from svc_notebook.demo import model_folder
from svc_notebook.semantic.catalog import Catalog

from .accessibility import violations
from .conftest import settled, shot
from .stage import Stage

DELAY = "SELECT airline, MEASURE(avg_departure_delay) AS d FROM flights"
JULY = "scheduled_departure >= '2013-07-01' AND scheduled_departure < '2013-08-01'"
COUNT = "MEASURE(count) AS n FROM flights"
BUTTON, CHIP = "button", "chip"

TURNS: list[tuple[str, str, str | None]] = [
    ("", "average delay by airline", f"{DELAY} GROUP BY 1"),
    (BUTTON, "Average arrival delay by airline", "SELECT airline, MEASURE(avg_arrival_delay) AS d FROM flights GROUP BY 1"),
    ("", "no, I meant departure delay", f"{DELAY} GROUP BY 1"),
    ("", "only from JFK", f"{DELAY} WHERE origin = 'JFK' GROUP BY 1"),
    ("", "and in July", f"{DELAY} WHERE origin = 'JFK' AND {JULY} GROUP BY 1"),
    ("", "as a percentage", None),
    ("", "top 3 of those", f"{DELAY} WHERE origin = 'JFK' AND {JULY} GROUP BY 1 ORDER BY 2 DESC LIMIT 3"),
    (CHIP, "Remove the first 3", f"{DELAY} WHERE origin = 'JFK' AND {JULY} GROUP BY 1 ORDER BY 2 DESC"),
    (BUTTON, "Undo the change", f"{DELAY} WHERE origin = 'JFK' AND {JULY} GROUP BY 1 ORDER BY 2 DESC LIMIT 3"),
    ("", "show all", f"{DELAY} WHERE origin = 'JFK' AND {JULY} GROUP BY 1 ORDER BY 2 DESC"),
    ("", "thanks", None),
    ("", "what about EWR?", f"{DELAY} WHERE origin = 'EWR' AND {JULY} GROUP BY 1 ORDER BY 2 DESC"),
    ("", "undo", f"{DELAY} WHERE origin = 'JFK' AND {JULY} GROUP BY 1 ORDER BY 2 DESC"),
    ("", "remove the filters", f"{DELAY} GROUP BY 1 ORDER BY 2 DESC"),
    ("", "which months do we have?", None),
    ("", "number of flights by origin", f"SELECT origin, {COUNT} GROUP BY 1"),
    ("", "as a percentage", f"SELECT origin, count / SUM(count) OVER () AS s FROM (SELECT origin, {COUNT} GROUP BY 1)"),
    ("", "undo", f"SELECT origin, {COUNT} GROUP BY 1"),
    ("", "and by month", f"SELECT origin, DATE_TRUNC('month', scheduled_departure), {COUNT} GROUP BY 1, 2"),
    ("", "without the origin", f"SELECT DATE_TRUNC('month', scheduled_departure), {COUNT} GROUP BY 1"),
    ("", "now by quarter", f"SELECT DATE_TRUNC('quarter', scheduled_departure), {COUNT} GROUP BY 1"),
    ("", "as a table", f"SELECT DATE_TRUNC('quarter', scheduled_departure), {COUNT} GROUP BY 1"),
    ("", "only Delta", f"SELECT DATE_TRUNC('quarter', scheduled_departure), {COUNT} WHERE airline = 'Delta Air Lines Inc.' GROUP BY 1"),
    ("", "florbs by zork", None),
    ("", "what about JetBlue?", f"SELECT DATE_TRUNC('quarter', scheduled_departure), {COUNT} WHERE airline = 'JetBlue Airways' GROUP BY 1"),
    (CHIP, "Remove where airline", f"SELECT DATE_TRUNC('quarter', scheduled_departure), {COUNT} GROUP BY 1"),
    ("", "overall", f"SELECT {COUNT}"),
    ("", "explain the SQL", None),
    ("", "by weekday", f"SELECT weekday, {COUNT} GROUP BY 1"),
    ("", "which one has the most?", f"SELECT weekday, {COUNT} GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
]  # fmt: skip


@pytest.fixture(scope="module")
def flights() -> Iterator[Any]:
    with svc.demo() as client:
        yield client


def asked(flights: Any, sql: str, catalog: Catalog) -> Form | None:
    form = from_sql(sql, catalog)
    return unsorted(form) if isinstance(form, Form) else None


def test_thirty_turns_end_in_the_state_the_forms_say(page: Any, flights: Any) -> None:
    assert len(TURNS) == 30
    chat = flights.chat()
    catalog = flights_catalog()
    stage = Stage(page, chat)
    for number, (how, what, sql) in enumerate(TURNS, 1):
        last = page.locator(".svc-turn").last
        act: Callable[[], Any] = {
            "": lambda: stage.ask(what),  # noqa: B023  called at once
            BUTTON: lambda: page.locator(".svc-turn").last.get_by_role("button", name=what).click(),  # noqa: B023
            CHIP: lambda: last.get_by_role("button", name=what).first.click(),  # noqa: B023
        }[how]
        act()
        done = f'.svc-turn[data-status="complete"] >> nth={number - 1}'
        stage.until(lambda: stage.count(done), what=f"turn {number}: {what}")  # noqa: B023
        answer = stage.conversation.chat.history()[-1]
        if sql is None:
            assert answer.sql is None, what
        elif "OVER ()" in sql:
            title = answer.tool_calls[-1].input["queryTitle"]
            assert title == "Share of flights by origin"
            assert '"EWR has 35.9 % of flights"' in answer.tool_calls[-1].input["vegaSpec"]
        else:
            assert answer.sql is not None, f"{what}: {answer.text}"
            assert asked(flights, answer.sql, catalog) == asked(flights, sql, catalog), f"{what}: {answer.sql}"
        if number in (2, 7, 17):
            settled(page)
            shot(page, f"conversation-{number:02d}")
    assert "kept" in " ".join(page.locator(".svc-turn .svc-reading").last.locator(".svc-chip").all_inner_texts())
    assert violations(page, ".svc-chat") == []
    settled(page)
    shot(page, "conversation-end")
    page.emulate_media(color_scheme="dark")
    stage.until(lambda: stage.count(".svc-chat.svc-dark") == 1, what="the dark look")
    assert violations(page, ".svc-chat") == []
    settled(page)
    shot(page, "conversation-end-dark")


def flights_catalog() -> Catalog:
    from svc_notebook.analyst.toolbox import Toolbox
    from svc_notebook.demo import data_files
    from svc_notebook.semantic.context import SecurityContext
    from svc_notebook.semantic.engine import DuckDBEngine
    from svc_notebook.semantic.layer import SemanticLayer
    from svc_notebook.semantic.loader import load_model

    layer = SemanticLayer(load_model(model_folder()), DuckDBEngine.open(None, data=data_files()))
    return Toolbox(layer, SecurityContext.operator()).catalog
