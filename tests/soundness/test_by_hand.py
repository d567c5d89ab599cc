"""Questions with the plain SQL that a reader would write for them, over models of several trades (``by_hand``)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

FOLDER = Path(__file__).parent / "by_hand"
OPTION = re.compile(r"@(\w+)(?:=(\S+))?")


@dataclass(frozen=True)
class Triple:
    """A question, the plain SQL for it, and the lesson; ``options``: ordered, zone, user (attributes as JSON)."""

    trade: str
    lesson: str
    question: str
    plain: str
    options: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.trade}: {self.lesson}"


def triples() -> Iterator[Triple]:
    for path in sorted(FOLDER.glob("*/questions.sql")):
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
            lesson, _, body = block.removeprefix("-- ").partition("\n")
            question, plain = body.strip().removesuffix(";").split(";\n", 1)
            options = dict(OPTION.findall(lesson))
            yield Triple(path.parent.name, OPTION.sub("", lesson).strip(), question, plain, options)


@dataclass
class Trade:
    layer: SemanticLayer
    plain: duckdb.DuckDBPyConnection


def filled(database: str, trade: str) -> duckdb.DuckDBPyConnection:
    """A database with the data of a trade."""
    connection = duckdb.connect(database)
    connection.execute("SET TimeZone = 'UTC'; SET disabled_optimizers = 'common_subplan'")
    connection.execute((FOLDER / trade / "data.sql").read_text(encoding="utf-8"))
    return connection


@pytest.fixture(scope="module")
def trades(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Trade]]:
    opened = {}
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir()):
        file = tmp_path_factory.mktemp(folder.name) / "data.duckdb"
        filled(str(file), folder.name).close()
        connection = filled(":memory:", folder.name)
        opened[folder.name] = Trade(SemanticLayer(load_model(folder), DuckDBEngine.open(file)), connection)
    yield opened
    for trade in opened.values():
        trade.layer.close()
        trade.plain.close()


@pytest.mark.parametrize("triple", list(triples()), ids=str)
def test_a_question_is_answered_as_plain_sql(triple: Triple, trades: dict[str, Trade]) -> None:
    trade = trades[triple.trade]
    user = triple.options.get("user")
    ctx = SecurityContext(user="u", user_attributes=json.loads(user)) if user else SecurityContext.operator()
    table = trade.layer.query(ctx, triple.question, timezone=triple.options.get("zone", "UTC")).table
    got = [tuple(row) for row in zip(*[c.to_pylist() for c in table.columns], strict=True)]
    wanted = trade.plain.execute(triple.plain).fetchall()
    if "ordered" not in triple.options:
        got.sort(key=_order)
        wanted.sort(key=_order)
    assert len(got) == len(wanted), f"{got[:5]}\n{wanted[:5]}"
    for one, other in zip(got, wanted, strict=True):
        assert len(one) == len(other)
        assert all(map(_same, one, other)), f"{one}\n{other}"


def _order(row: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    return [
        (value is None, not isinstance(value, str), f"{value:020.6f}" if _number(value) else str(_plain(value)))
        for value in row
    ]


def _number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _plain(value: Any) -> Any:
    return datetime(value.year, value.month, value.day) if type(value) is date else value  # noqa: DTZ001


def _same(got: Any, wanted: Any) -> bool:
    if _number(got) and _number(wanted):
        if isinstance(got, float) or isinstance(wanted, float):
            both = float(got), float(wanted)
            return all(map(math.isnan, both)) or math.isclose(*both, rel_tol=1e-9, abs_tol=1e-9)
        return bool(got == wanted)
    return type(_plain(got)) is type(_plain(wanted)) and bool(_plain(got) == _plain(wanted))
