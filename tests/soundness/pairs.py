"""A shape's two worlds as semantic layers: the policed one and the permitted one, engine optimiser on and off."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.engine.locks import CONFIG
from svc_notebook.semantic.layer import Limits, SemanticLayer
from svc_notebook.semantic.loader import load_model

from .compare import ask, ask_json, difference
from .grammar import Grammar
from .json_grammar import json_query
from .mutation import mutate
from .worlds import Shape, build_permitted, permitted_model, shapes

TIME_LIMIT = 4.0
NOW = datetime(2024, 11, 20, tzinfo=UTC)
TIMEZONES = ("UTC", "UTC", "America/New_York", "Asia/Kolkata")


def no_optimiser() -> dict[str, str]:
    """Settings that switch every rule of the engine's optimiser off."""
    with duckdb.connect() as con:
        rules = con.execute("SELECT name FROM duckdb_optimizers()").fetchall()
    return {"disabled_optimizers": ",".join(row[0] for row in rules)}


@dataclass(frozen=True)
class Pair:
    """The same model asked in two worlds."""

    shape: Shape
    optimiser: bool
    policed: SemanticLayer
    permitted: SemanticLayer

    def differ(self, sql: str, *, ordered: bool = False, timezone: str = "UTC") -> tuple[str | None, str]:
        """Ask both; return how they differ (None: not at all) and the error class seen (empty: rows)."""
        one = ask(self.policed, self.shape.context, sql, timezone)
        other = ask(self.permitted, self.shape.context, sql, timezone)
        if "QueryTimeout" in (one.error, other.error):
            return None, "QueryTimeout"  # near the limit more data takes longer: a channel that is stated, not closed
        return difference(one, other, ordered=ordered), one.error

    def differ_json(self, query: dict[str, Any]) -> tuple[str | None, str]:
        """The same of a JSON query."""
        one, other = (ask_json(layer, self.shape.context, query, NOW) for layer in (self.policed, self.permitted))
        if "QueryTimeout" in (one.error, other.error):
            return None, "QueryTimeout"
        return difference(one, other), one.error


@contextmanager
def open_pairs(full: Path, folder: Path, *, optimisers: tuple[bool, ...] = (True, False)) -> Iterator[list[Pair]]:
    """Open every shape × optimiser over the full database ``full``."""
    pairs: list[Pair] = []
    try:
        for optimiser in optimisers:
            database = full if optimiser else Path(shutil.copy(full, folder / "full-unoptimised.duckdb"))
            for shape in shapes():
                suffix = "" if optimiser else "-unoptimised"
                path = build_permitted(full, folder / f"{shape.name}{suffix}.duckdb", shape.permitted)
                pairs.append(
                    Pair(
                        shape,
                        optimiser,
                        open_layer(database, shape.policed_model(), optimiser=optimiser),
                        open_permitted(path, optimiser=optimiser),
                    )
                )
        yield pairs
    finally:
        for pair in pairs:
            pair.policed.close()
            pair.permitted.close()


def open_layer(database: Path, model: dict[str, Any], *, optimiser: bool = True) -> SemanticLayer:
    """A semantic layer over a database file, read-only."""
    return opened(database, model, {} if optimiser else no_optimiser())


def open_permitted(database: Path, *, optimiser: bool = True) -> SemanticLayer:
    """A layer that hides nothing over the permitted rows, which plans by the query alone as those do that hide some."""
    rules = {"disabled_optimizers": CONFIG["disabled_optimizers"]} if optimiser else no_optimiser()
    return opened(database, permitted_model(), rules)


def opened(database: Path, model: dict[str, Any], settings: dict[str, str]) -> SemanticLayer:
    engine = DuckDBEngine.open(database, settings=settings)
    return SemanticLayer(load_model(model), engine, Limits(timeout=TIME_LIMIT, max_rows=20_000))


@dataclass
class Tally:
    """What a run came to."""

    asked: int = 0
    answered: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def run_json(pairs: list[Pair], seeds: range, *, stop_after: int = 20) -> Tally:
    """Ask one generated JSON query per seed."""
    tally = Tally()
    for seed in seeds:
        pair, query = pairs[seed % len(pairs)], json_query(seed)
        try:
            found, error = pair.differ_json(query)
        except Exception as problem:  # noqa: BLE001 - any undocumented exception is a finding
            found, error = f"undocumented {type(problem).__name__}: {problem}", type(problem).__name__
        tally.asked += 1
        tally.answered += not error
        tally.errors.update([error] if error else [])
        if found:
            tally.failures.append(f"JSON seed {seed} ({pair.shape.name}): {found}\n    {query}")
            if len(tally.failures) >= stop_after:
                break
    return tally


def run(pairs: list[Pair], seeds: range, *, depth: int = 2, broken: bool = False, stop_after: int = 20) -> Tally:
    """Ask one generated query per seed, each of a pair chosen by the seed; ``broken`` ones are damaged first."""
    tally = Tally()
    for seed in seeds:
        rng = random.Random(seed * 7919 + 1)
        pair, timezone = rng.choice(pairs), rng.choice(TIMEZONES)
        sql = Grammar(seed, depth=depth).query()
        if broken:
            sql = mutate(sql, rng)
        try:
            found, error = pair.differ(sql, timezone=timezone)
        except Exception as problem:  # noqa: BLE001 - any undocumented exception is a finding
            found, error = f"undocumented {type(problem).__name__}: {problem}", type(problem).__name__
        tally.asked += 1
        if error:
            tally.errors[error] += 1
        else:
            tally.answered += 1
        if found:
            where = f"{pair.shape.name}, optimiser {'on' if pair.optimiser else 'off'}, {timezone}"
            tally.failures.append(f"seed {seed} ({where}): {found}\n    {sql}")
            if len(tally.failures) >= stop_after:
                break
    return tally
