"""Questions of ordinary people over three models give the rows their askers expect, or are refused with the words not understood."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import trades
import worlds
import yaml
from asking import Asked, ask

from svc_notebook.analyst.evaluation import compare_rows
from svc_notebook.semantic.context import SecurityContext

FOLDER = Path(__file__).parent / "questions"
MODELS = {"flights": worlds.flights, "retail": trades.retail, "school": trades.school}
# Answered otherwise today, each a known limit.
OPEN = frozenset(yaml.safe_load((FOLDER / "open.yml").read_text(encoding="utf8")))


@cache
def cases(model: str) -> list[dict[str, Any]]:
    return yaml.safe_load((FOLDER / f"{model}.yml").read_text(encoding="utf8"))


def verdict(model: str, case: dict[str, Any]) -> str:
    """What is wrong with the answer to a case; empty when its asker would be content."""
    asked = ask(MODELS[model](), *case.get("after", ()), case["q"])
    text = asked.answer.text
    if "refuse" in case:
        missing = [word for word in case["refuse"] if word not in text]
        return "answered" if asked.table is not None else f"does not name {missing}" if missing else ""
    if "says" in case and not all(word in text.lower() for word in case["says"]):
        return f"says {text!r}"
    if "sql" in case:
        if asked.table is None:
            return f"refused: {text[:90]}"
        got = [list(row) for row in asked.rows()]
        expected = [wanted(model, case[key]) for key in ("sql", "or", "or2") if key in case]
        if not any(compare_rows(got, rows) for rows in expected):
            return f"other rows: {asked.tool['input']['sqlQuery']}"
    return drawn(asked, case["chart"]) if "chart" in case else ""


def wanted(model: str, sql: str) -> list[list[Any]]:
    table = MODELS[model]().layer.query(SecurityContext.operator(), sql).table
    return [list(row.values()) for row in table.to_pylist()]


def drawn(asked: Asked, mark: str) -> str:
    spec = asked.spec or {}
    drawn = spec.get("mark", (spec.get("layer") or [{}])[0].get("mark", {}))
    kind = drawn.get("type") if isinstance(drawn, dict) else drawn
    return "" if kind == mark else f"draws {kind}"


@pytest.mark.parametrize("model", MODELS)
def test_askers_get_what_they_expect(model: str) -> None:
    wrong = {" | ".join((*case.get("after", ()), case["q"])): verdict(model, case) for case in cases(model)}
    assert {question: why for question, why in wrong.items() if why and question not in OPEN} == {}


def test_there_are_many_of_them() -> None:
    assert sum(len(cases(model)) for model in MODELS) >= 190
