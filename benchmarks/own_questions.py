"""Our own questions (``tests/analyst``), labelled by the answers that are written down for them.

The rules were written beside them, so that nobody's weights should be learned from them; but they are asked as people
ask, and what is answered with which probability is fitted to them as well. The likeliest readings are judged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import yaml

from svc_notebook.analyst.evaluation import compare_rows
from svc_notebook.analyst.offline.asking import asked_or_none
from svc_notebook.analyst.offline.forms import Form, to_sql
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.reader import is_writable
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.layer import SemanticLayer

from .reader_labels import Row, is_read, read_row

__all__ = ["OWN", "Case", "IsRight", "labelled", "own_rows"]

OWN = "own"
_TESTS = Path(__file__).resolve().parents[1] / "tests" / "analyst"
_NOW = "2024-11-20"

IsRight = Callable[[pa.Table], bool]
Case = tuple[str, IsRight | None, str]
"""A question, what its answer must be (None: no table answers it), and the clock."""


def own_rows(weights: Mapping[str, float]) -> Iterator[Row]:
    """The rows of all of them, those that no table answers among them."""
    sys.path[:0] = [str(_TESTS)]
    try:
        for database, layer, cases in (*_written(), *_of_trades(), *_of_tables()):
            yield from labelled(OWN, database, layer, cases, weights)
    finally:
        sys.path.remove(str(_TESTS))


def labelled(
    name: str, database: str, layer: SemanticLayer, cases: Sequence[Case], weights: Mapping[str, float]
) -> Iterator[Row]:
    """The rows of questions to one layer, as a set of this name."""
    toolbox = Toolbox(layer, SecurityContext.operator())
    metadata = load_metadata(toolbox)
    for place, (question, is_right, now) in enumerate(cases):
        kind = "about" if is_right is None else "people"
        case = {"set": name, "id": f"{database}-{place}", "model": database, "kind": kind, "utterance": question}
        if not is_read({**case, "as_of": now}, metadata):
            continue
        row, _, plan = read_row({**case, "as_of": now}, metadata, toolbox, weights)
        if is_right is not None:
            rules = write_sql(plan, metadata).sql if plan is not None else None
            sql = [rules if s.by_rules else to_sql(s.form) if _is_sayable(s.form) else None for s in row.found]
            judged = [at in row.given and _judged(toolbox, each, is_right) for at, each in enumerate(sql)]
            row.right = row.told = judged
            row.rules_right = any(right for s, right in zip(row.found, row.right, strict=True) if s.by_rules)
        yield row


def _is_sayable(form: Any) -> bool:
    return isinstance(form, Form) and is_writable(form)


def _judged(toolbox: Toolbox, sql: str | None, is_right: IsRight) -> bool:
    table = asked_or_none(toolbox, sql) if sql is not None else None
    return table is not None and is_right(table)


def _written() -> Iterator[tuple[str, SemanticLayer, list[Case]]]:
    """Questions with the SQL over the model that answers each."""
    worlds, trades = import_module("worlds"), import_module("trades")
    for name, world in (("flights", worlds.flights), ("retail", trades.retail), ("school", trades.school)):
        layer = world().layer
        told = yaml.safe_load((_TESTS / "questions" / f"{name}.yml").read_text("utf8"))
        cases = [case for case in told if "after" not in case and ("sql" in case or "refuse" in case)]
        yield name, layer, [(case["q"], _by_sql(layer, case) if "sql" in case else None, _NOW) for case in cases]


def _by_sql(layer: SemanticLayer, case: Mapping[str, Any]) -> IsRight:
    golds = [
        _rows_of(layer.query(SecurityContext.operator(), case[k]).table) for k in ("sql", "or", "or2") if k in case
    ]
    return lambda table: any(_holds(table, gold) for gold in golds)


_BY_PANDAS = (
    ("test_questions_of_trades", "small_trades", "trade"),
    ("test_tables_of_strangers", "strangers", "stranger"),
    ("test_tables_of_workplaces", "workplaces", "workplace"),
)


def _of_trades() -> Iterator[tuple[str, SemanticLayer, list[Case]]]:
    """Questions with what pandas makes of the tables."""
    judged = import_module("outcomes").gives

    def gives(wanted: Any) -> IsRight:
        return lambda table: bool(judged(_shown(table), wanted))

    for written, kept, opened in _BY_PANDAS:
        for name, questions in import_module(written).QUESTIONS.items():
            tables, world = getattr(import_module(kept), opened)(name)
            pairs = questions.items() if isinstance(questions, dict) else questions
            yield name, world.layer, [(question, gives(wanted(tables)), _NOW) for question, wanted in pairs]


def _shown(table: pa.Table) -> SimpleNamespace:
    """A table as an answer that says nothing."""
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return SimpleNamespace(table=table, rows=lambda: rows, answer=SimpleNamespace(text=""), tool={}, spec=None)


def _of_tables() -> Iterator[tuple[str, SemanticLayer, list[Case]]]:
    """Questions with the SQL over the tables that answers each."""
    for name in ("university", "logistics", "clinic"):
        world = import_module("multitable_worlds").table_world(name)
        cases = [(told["q"], _by_rows(world.expected(told["sql"])), "2025-06-18") for told in world.told["questions"]]
        yield name, world.layer, cases


def _by_rows(gold: Sequence[Sequence[Any]]) -> IsRight:
    return lambda table: _holds(table, gold)


def _rows_of(table: pa.Table) -> list[list[Any]]:
    return [list(row.values()) for row in table.to_pylist()]


def _holds(table: pa.Table, gold: Sequence[Sequence[Any]]) -> bool:
    return compare_rows(_rows_of(table), gold)
