"""Which of a question's candidate forms are right: by their rows on a set's data, and on seeded variations of it.

A form is right if it gives the rows of a gold query with exactly its columns (and, of a ranking, the number ranked by),
on the data and on every variation where the gold gives rows. Queries are run once for each text and database.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

from svc_notebook.analyst.offline.budget import Budget
from svc_notebook.analyst.offline.forms import CannotWrite, Form, to_sql
from svc_notebook.analyst.offline.forms_as_plans import plan_of
from svc_notebook.analyst.offline.grammar import Candidate, compose
from svc_notebook.analyst.offline.knowledge import load_metadata
from svc_notebook.analyst.offline.linking import link
from svc_notebook.analyst.offline.metadata import Metadata
from svc_notebook.analyst.offline.ranking.model import evidence
from svc_notebook.analyst.offline.reader import facts_of
from svc_notebook.analyst.offline.reading import ENOUGH, read
from svc_notebook.analyst.offline.same_plans import same_plan
from svc_notebook.analyst.offline.sql import write_sql
from svc_notebook.analyst.offline.understanding import data_year
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import SemanticError

from .question_models import build_layer

__all__ = ["Labelled", "Labeller", "Row"]

Rows = list[list[Any]]
_MOST_ROWS = 3000
_LARGE = 20_000  # rows of a database that is not varied
_NOW = "2025-06-18"
_TRIED = 10  # candidates of which the plans are looked at


@dataclass
class Row:
    """One question: features and labels of its candidates, best first, and what is known of the reading of the rules."""

    set: str
    id: str
    database: str
    kind: str
    features: list[tuple[tuple[str, float], ...]]
    scores: list[float]
    labels: list[bool]
    unread: list[tuple[str, ...]]
    words: int
    before: dict[str, float]
    before_right: bool
    plans: list[bool] = field(default_factory=list)
    plan_right: list[bool] = field(default_factory=list)
    agree: list[bool] = field(default_factory=list)
    stranger: bool = False


Labelled = list[Row]


class _Database:
    """A database that is asked: every query once."""

    def __init__(self, folder: Path, described: Mapping[str, Any], as_files: bool) -> None:
        self.layer = build_layer(folder, described, as_files=as_files)
        self.toolbox = Toolbox(self.layer, SecurityContext.operator())
        self.gold: sqlite3.Connection | None = None
        self._known: dict[str, Rows | None] = {}

    def run(self, sql: str) -> Rows | None:
        if sql not in self._known:
            self._known[sql] = None
            with contextlib.suppress(SemanticError):
                table = self.layer.query(SecurityContext.operator(), sql).table
                if table.num_rows <= _MOST_ROWS:
                    columns = [column.to_pylist() for column in table.columns]
                    self._known[sql] = [[_plain(v) for v in row] for row in zip(*columns, strict=True)]
        return self._known[sql]

    def run_gold(self, sql: str) -> Rows | None:
        """Rows of a gold query on a variation (SQLite's dialect)."""
        key = f"gold:{sql}"
        if key not in self._known:
            self._known[key] = None
            with contextlib.suppress(sqlite3.Error):
                found = self.gold.execute(sql).fetchall() if self.gold is not None else []
                self._known[key] = [list(row) for row in found] if 0 < len(found) <= _MOST_ROWS else None
        return self._known[key]


class Labeller:
    """Labels the questions of one set.

    Parameters
    ----------
    folder, name
        Where the sets lie, and which is meant.
    scorer, variations
        The modules of that name beside the sets.
    seeds
        How many variations of each database.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        scorer: ModuleType,
        variations: ModuleType,
        seeds: int,
        weights: Mapping[str, float],
    ) -> None:
        self._folder, self._name, self._seeds = folder, name, seeds
        self._scorer, self._variations, self._weights = scorer, variations, weights

    def database(self, described: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], most: int) -> Iterator[Row]:
        """The rows of one database's questions; every third is asked of the tables of none of them, too."""
        cases = [case for case in cases if len(case.get("turns") or [0]) < 2 and _golds(case)]
        random.Random(str(described.get("name"))).shuffle(cases)
        with tempfile.TemporaryDirectory() as scratch, contextlib.closing(_Open()) as opened:
            base = opened.add(_Database(self._folder / self._name, described, self._name == "everyday"))
            varied = [opened.add(db) for db in self._varied(described, Path(scratch))]
            metadata = load_metadata(base.toolbox)
            for case in cases[:most]:
                yield self._row(case, base, varied, metadata)

    def _varied(self, described: Mapping[str, Any], scratch: Path) -> Iterator[_Database]:
        if sum(table.get("rows") or 0 for table in described["tables"]) > _LARGE:
            return
        folder, name = self._folder / self._name, str(described["name"])
        data = {table["name"]: self._variations.read_table(folder, table) for table in described["tables"]}
        for seed in range(1, self._seeds + 1):
            made = self._variations.vary(described, data, seed)
            place = scratch / str(seed)
            self._variations.write_corpus(place, name, described, made)
            tables = [
                {k: v for k, v in t.items() if k != "parquet"} | {"file": f"data/{t['name']}.csv"}
                for t in described["tables"]
            ]
            varied = _Database(place, {**described, "tables": tables}, self._name == "everyday")
            varied.gold = _sqlite(described, made)
            yield varied

    def _row(self, case: Mapping[str, Any], base: _Database, varied: Sequence[_Database], metadata: Metadata) -> Row:
        now = datetime.fromisoformat(str(case.get("as_of") or _NOW))
        question, year = str(case["utterance"]), data_year(metadata, now)
        budget = Budget(10_000_000)
        candidates = compose(link(question, metadata, now, year, 1, budget), metadata, self._weights, budget)
        labels = [self._labelled(case, c.form, base, varied) for c in candidates]
        reading = read(question, metadata, now, (), year, budget=budget)
        known = reading.plan if reading.plan is not None and reading.plan.confidence >= ENOUGH else None
        before = known is not None and self._right(case, write_sql(known, metadata).sql, base, varied)
        plans = [plan_of(c.form, metadata) for c in candidates[:_TRIED]]
        return Row(
            self._name, str(case["id"]), str(case["model"]), _kind(case), [c.features for c in candidates],
            [c.score for c in candidates], labels, [c.unread for c in candidates], len(reading.tokens), facts_of(reading),
            before, [p is not None for p in plans],
            [p is not None and self._right(case, write_sql(p, metadata).sql, base, varied) for p in plans],
            [p is not None and known is not None and same_plan(p, known, metadata) for p in plans],
        )  # fmt: skip

    def _labelled(self, case: Mapping[str, Any], form: Form, base: _Database, varied: Sequence[_Database]) -> bool:
        try:
            sql = to_sql(form)
        except CannotWrite:
            return False
        return self._right(case, sql, base, varied, len(form.shown), _ranked_at(form))

    def _right(
        self,
        case: Mapping[str, Any],
        sql: str,
        base: _Database,
        varied: Sequence[_Database],
        width: int = 0,
        ranked: int = -1,
    ) -> bool:
        """Whether a query is right; without a ``width``, with at most two more columns than the gold."""
        for gold in _golds(case):
            cut, wanted = -1, len(gold["rows"][0]) if gold["rows"] else 0
            if width and wanted and width != wanted:
                if width != wanted + 1 or ranked < 0:
                    continue
                cut = ranked
            if not self._equal(base.run(sql), gold["rows"], gold, cut, not width, ordered=True):
                continue
            seen = [(db.run(sql), db.run_gold(str(gold.get("sql")))) for db in varied]
            if all(self._equal(rows, there, gold, cut, not width) for rows, there in seen if there is not None):
                return True
        return False

    def _equal(
        self, rows: Rows | None, gold: Rows, how: Mapping[str, Any], cut: int, extra: bool, ordered: bool = False
    ) -> bool:
        if rows is None:
            return False
        kept = rows if cut < 0 else [[v for place, v in enumerate(row) if place != cut] for row in rows]
        ordered = ordered and bool(how.get("ordered"))
        return bool(
            self._scorer.match_columns(
                kept, gold, how.get("kinds"), extra=extra, ordered=ordered, order_keys=how.get("order_keys")
            )
        )


class _Open:
    def __init__(self) -> None:
        self._databases: list[_Database] = []

    def add(self, database: _Database) -> _Database:
        self._databases.append(database)
        return database

    def close(self) -> None:
        for database in self._databases:
            database.layer.close()


def facts(row: Row, candidates: Sequence[Candidate], agree: bool) -> dict[str, float]:
    """What the probabilities of a row are made of, for its candidates in another order."""
    return evidence(candidates, row.words, row.before, agree)


def _kind(case: Mapping[str, Any]) -> str:
    notes = case.get("notes") or {}
    return str(notes.get("intent") or notes.get("hardness") or notes.get("tier") or "")


def _golds(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    gold = case["gold"]
    return [{**gold, **other} for other in [{}, *(gold.get("alts") or [])] if {**gold, **other}.get("rows") is not None]


def _ranked_at(form: Form) -> int:
    """The column that a ranking is ordered by, which a gold may leave out."""
    if form.limit is None or not form.order:
        return -1
    shown = [clause.expression for clause in form.shown]
    return shown.index(form.order[0].by) if form.order[0].by in shown else -1


def _sqlite(described: Mapping[str, Any], made: Mapping[str, Mapping[str, Sequence[Any]]]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for table in described["tables"]:
        names = [column["name"] for column in table["columns"]]
        typed = ", ".join(
            f'"{c["name"]}" {"TEXT" if c["type"] in ("string", "time") else "NUMERIC"}' for c in table["columns"]
        )
        connection.execute(f'CREATE TABLE "{table["name"]}" ({typed})')
        cells = zip(*(made[table["name"]][name] for name in names), strict=True)
        connection.executemany(f'INSERT INTO "{table["name"]}" VALUES ({", ".join("?" * len(names))})', cells)
    return connection


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if hasattr(value, "isoformat") else value
