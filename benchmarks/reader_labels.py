"""Which of a question's candidate forms are right: by their rows on a set's data, and on seeded variations of it.

A form is right if it gives the rows of a gold query with exactly its columns (and, of a ranking, the number ranked by),
on the data and on every variation where the gold gives rows. Queries are run once for each text and database.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from svc_notebook.analyst.offline.analyses import analysis_of
from svc_notebook.analyst.offline.asking import given
from svc_notebook.analyst.offline.budget import Budget
from svc_notebook.analyst.offline.dialogue import hear, help_for
from svc_notebook.analyst.offline.forms import CannotWrite, Form, SetOf, to_sql
from svc_notebook.analyst.offline.grammar import Candidate, compose
from svc_notebook.analyst.offline.grammar.partial import Features
from svc_notebook.analyst.offline.linking import link
from svc_notebook.analyst.offline.plans.plan import Plan
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.ranking.model import load_ranking
from svc_notebook.analyst.offline.ranking.outcome import Outcome
from svc_notebook.analyst.offline.ranking.standing import Standing, known_plan, standing, standings
from svc_notebook.analyst.offline.reader import outcome_of
from svc_notebook.analyst.offline.reading.foreign import is_statement
from svc_notebook.analyst.offline.reading.reading import Reading, read
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.offline.understanding import data_year
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import SemanticError

from .question_models import build_layer
from .reader_negatives import NEGATIVES, strangers, without, worth_removing

__all__ = ["Known", "Labeller", "Row", "is_read", "read_row"]

Rows = list[list[Any]]
_MOST_ROWS = 3000
_LARGE = 20_000  # rows of a database that is not varied
_NOW = "2025-06-18"
_GIVEN = 12  # readings that are run


@dataclass
class Row:
    """One question: the forms that were composed, the readings that compete, and which of them are right."""

    set: str
    id: str
    database: str
    kind: str
    words: int
    composed: list[Features]
    composed_right: list[bool]
    found: list[Standing]
    right: list[bool] = field(default_factory=list)
    """Of what competes: whether it gives the gold's rows with exactly its columns."""
    told: list[bool] = field(default_factory=list)
    """The same, with at most two more columns."""
    rules_right: bool = False
    given: dict[int, Outcome | None] = field(default_factory=dict)
    """By place, what the likeliest of what competes gives."""


Known = dict[tuple[str, str, str], tuple[bool, bool]]
"""By set, question and SQL: whether its rows are right with exactly the gold's columns, and with at most two more."""


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
    known
        What is known to be right or wrong; what is found is added.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        scorer: ModuleType,
        variations: ModuleType,
        seeds: int,
        weights: Mapping[str, float],
        known: Known,
    ) -> None:
        self._folder, self._name, self._seeds = folder, name, seeds
        self._scorer, self._variations, self._weights, self._known = scorer, variations, weights, known

    def database(
        self, described: Mapping[str, Any], by_model: Mapping[str, Sequence[Mapping[str, Any]]], most: int
    ) -> Iterator[Row]:
        """The rows of one database's questions, and of questions that it cannot answer: every third once more, over a
        model without something that it needs; those of other databases; and those that people knew to be unanswerable.
        """
        model = str(described["name"])
        chance = random.Random(model)
        cases = [case for case in by_model[model] if _stands_alone(case) and _golds(case)]
        chance.shuffle(cases)
        with tempfile.TemporaryDirectory() as scratch, contextlib.closing(_Open()) as opened:
            base = opened.add(_Database(self._folder / self._name, described, self._name == "everyday"))
            databases = _Databases(base, lambda: [opened.add(d) for d in self._varied(described, Path(scratch))])
            metadata = load_metadata(base.toolbox)
            for place, case in enumerate(cases[:most]):
                row, right = self._row(case, databases, metadata)
                yield row
                needed = worth_removing(right, metadata, chance) if right is not None and place % 3 == 0 else None
                if needed is not None:
                    yield self._read(case, without(metadata, needed), "removed", base)[0]
            for case in strangers(by_model, model, chance):
                yield self._read({**case, "model": model}, metadata, "stranger", base)[0]
            for case in [c for c in by_model[model] if _no_table(c)][:most]:
                if is_read(case, metadata):
                    yield self._read(case, metadata, str(case["gold"].get("kind") or "about"), base)[0]

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

    def _row(self, case: Mapping[str, Any], databases: _Databases, metadata: Metadata) -> tuple[Row, Form | None]:
        """A question's row, and its first right form."""
        row, forms, plan = self._read(case, metadata, _kind(case), databases.base)
        row.composed_right = [self._judged(case, c.form, databases)[0] for c in forms]
        by_plan = (False, False)
        if plan is not None:
            sql = write_sql(plan, metadata).sql
            form = next((s.form for s in row.found if s.by_rules), None)
            by_plan = self._asked(case, sql, databases, form if isinstance(form, Form) else None)
        row.rules_right = by_plan[1]
        judged = [by_plan if s.by_rules else self._judged(case, s.form, databases) for s in row.found]
        row.right, row.told = [one for one, _ in judged], [two for _, two in judged]
        return row, next((c.form for c, right in zip(forms, row.composed_right, strict=True) if right), None)

    def _read(
        self, case: Mapping[str, Any], metadata: Metadata, kind: str, base: _Database
    ) -> tuple[Row, list[Candidate], Plan | None]:
        """What competes for a question, with nothing labelled right."""
        return read_row({**case, "set": self._name, "kind": kind}, metadata, base.toolbox, self._weights)

    def _judged(self, case: Mapping[str, Any], form: Form | SetOf | None, databases: _Databases) -> tuple[bool, bool]:
        sql = _written(form) if isinstance(form, Form) else None
        return self._asked(case, sql, databases, form) if sql is not None else (False, False)

    def _asked(
        self, case: Mapping[str, Any], sql: str, databases: _Databases, form: Form | SetOf | None
    ) -> tuple[bool, bool]:
        """Whether a query is right with exactly the gold's columns (of a ranking, one more), and with two more."""
        key = (self._name, f"{case['model']}:{case['id']}", sql)
        if key not in self._known:
            width, at = (len(form.shown), _ranked_at(form)) if isinstance(form, Form) else (0, -1)
            strict = self._right(case, sql, databases, width, at)
            self._known[key] = strict, strict or self._right(case, sql, databases)
        return self._known[key]

    def _right(
        self, case: Mapping[str, Any], sql: str, databases: _Databases, width: int = 0, ranked: int = -1
    ) -> bool:
        """Whether a query is right; without a ``width``, with at most two more columns than the gold."""
        for gold in _golds(case):
            cut, wanted = -1, len(gold["rows"][0]) if gold["rows"] else 0
            if width and wanted and width != wanted:
                if width != wanted + 1 or ranked < 0:
                    continue
                cut = ranked
            if not self._equal(databases.base.run(sql), gold["rows"], gold, cut, not width, ordered=True):
                continue
            seen = [(db.run(sql), db.run_gold(str(gold.get("sql")))) for db in databases.varied]
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


class _Databases:
    """A database, and variations of it that are made when they are first needed."""

    def __init__(self, base: _Database, vary: Callable[[], list[_Database]]) -> None:
        self.base, self._vary = base, vary

    @cached_property
    def varied(self) -> list[_Database]:
        return self._vary()


class _Open:
    def __init__(self) -> None:
        self._databases: list[_Database] = []

    def add(self, database: _Database) -> _Database:
        self._databases.append(database)
        return database

    def close(self) -> None:
        for database in self._databases:
            database.layer.close()


def read_row(
    case: Mapping[str, Any], metadata: Metadata, toolbox: Toolbox, weights: Mapping[str, float]
) -> tuple[Row, list[Candidate], Plan | None]:
    """What competes for a question (its ``set``, ``id``, ``model``, ``kind``, ``utterance``), with nothing labelled
    right; the forms that were composed, and the plan of the rules.
    """
    now = datetime.fromisoformat(str(case.get("as_of") or _NOW))
    question, year, budget = str(case["utterance"]), data_year(metadata, now), Budget(10_000_000)
    lattice = link(question, metadata, now, year, 1, budget)
    forms = compose(lattice, metadata, weights, budget)
    reading = read(question, metadata, now, (), year, budget=budget)
    found = standings(forms, reading, lattice, metadata)
    row = Row(
        str(case["set"]), str(case["id"]), str(case["model"]), str(case["kind"]), len(reading.tokens),
        [c.features for c in forms], [False] * len(forms), found, [False] * len(found), [False] * len(found),
        given=_given(found, reading, metadata, toolbox),
    )  # fmt: skip
    return row, forms, known_plan(reading)


def _given(
    found: Sequence[Standing], reading: Reading, metadata: Metadata, toolbox: Toolbox
) -> dict[int, Outcome | None]:
    """By place, what the likeliest readings give."""
    known, places = known_plan(reading), {id(s.features): place for place, s in enumerate(found)}

    def rows_of(sql: str) -> Outcome | None:
        return given(toolbox, sql)

    first = [s for at, s in enumerate(standing(found, load_ranking().standing)) if at < _GIVEN or s.by_rules]
    return {places[id(s.features)]: outcome_of(s, known, metadata, rows_of) for s in first}


def is_read(case: Mapping[str, Any], metadata: Metadata) -> bool:
    """Whether a question comes as far as to be read: it is not talk about the data, nor asks for an analysis."""
    question, now = str(case["utterance"]), datetime.fromisoformat(str(case.get("as_of") or _NOW))
    year = data_year(metadata, now)
    if is_statement(question) or help_for(hear(question), metadata, lambda text: link(text, metadata, now, year, 1)):
        return False

    def whole(words: str) -> Plan | None:
        return known_plan(read(words, metadata, now, (), year, budget=Budget(10_000_000)))

    return analysis_of(question, metadata, now, year, 1, whole) is None


def _written(form: Form) -> str | None:
    try:
        return to_sql(form)
    except CannotWrite:
        return None


def _no_table(case: Mapping[str, Any]) -> bool:
    """Whether no table answers: small talk, what the data do not hold, and what is told in words (``about``)."""
    kind = case["gold"].get("kind")
    return kind in NEGATIVES or kind is None and not _golds(case) and _stands_alone(case)


def _stands_alone(case: Mapping[str, Any]) -> bool:
    """Whether a turn is to be read by itself: a first one, and one that is known to begin another topic."""
    notes = case.get("notes") or {}
    fresh = notes.get("followup") is False or str(notes.get("kind")).startswith("new topic")
    return len(case.get("turns") or [0]) < 2 or fresh


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
