"""The suites of the two promises over another engine: attacks, hidden rows, drawn queries, drivers' cases, the demo.

A world of :mod:`tests.soundness.worlds` is copied table by table to where the engine finds it. Then the engine is asked
what DuckDB is asked there: under a policy and of the permitted rows alone, and the same under a policy as DuckDB.
"""

from __future__ import annotations

import collections
import json
import random
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv

from svc_notebook.semantic.json_queries.json_query import translate
from svc_notebook.semantic.layer import Limits, SemanticLayer
from svc_notebook.semantic.loader import load_model

from ..cases_sql.cases import FOLDER, read
from ..cases_sql.test_semantic_rest import NOW
from ..semantic_sql.shop import OPERATOR
from ..soundness.attacks import probes, refused
from ..soundness.compare import ask
from ..soundness.grammar import Grammar
from ..soundness.pairs import Pair, open_layer, run, run_json
from ..soundness.worlds import build_full, build_permitted, permitted_model, shapes
from .twins import Twins, beside

__all__ = ["Elsewhere", "Found", "drivers", "elsewhere", "suites"]

Opened = Callable[[Mapping[str, Any]], Any]
"""Puts tables where an engine finds them by their bare names, and opens it."""
_CANARIES = ("CANARY", "777777.77", "987654")


@dataclass
class Found:
    """What a suite came to: how often what, and what must not be."""

    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    wrong: list[str] = field(default_factory=list)

    def told(self, difference: str, said: str, engine: str) -> None:
        """Count one comparison."""
        kind = "equal" if not difference else "refused" if f": Over {engine}" in difference else "different"
        self.counts[kind] += 1
        if kind == "different":
            self.wrong.append(f"{said}\n    {difference}")


@dataclass(frozen=True)
class Elsewhere:
    """Every shape of policy over another engine: beside the permitted rows there, and beside itself on DuckDB."""

    engine: str
    pairs: list[Pair]
    twins: list[Twins]

    def attacks(self, most: int | None = None) -> Found:
        """What must be refused is, and what may be asked tells nothing of hidden rows."""
        found, drawn = Found(), random.Random(3)
        for number, sql in enumerate(_some(refused(), most, drawn)):
            pair = self.pairs[number % len(self.pairs)]
            outcome = ask(pair.policed, pair.shape.context, sql)
            found.counts["refused"] += 1
            if not outcome.error or any(canary in outcome.message and canary not in sql for canary in _CANARIES):
                found.wrong.append(f"{pair.shape.name}: {sql} → {outcome.message or outcome.rows[:3]}")
        for number, sql in enumerate(_some(probes(), most, drawn)):
            pair = self.pairs[number % len(self.pairs)]
            ordered = re.search(r" ORDER BY order_id[^()]*$", sql) is not None
            difference, error = pair.differ(sql, ordered=ordered)
            found.counts[f"probed: {error or 'answered'}"] += 1
            if difference:
                found.wrong.append(f"{pair.shape.name}: {sql}\n    {difference}")
        return found

    def hidden_rows(self, seeds: range) -> Found:
        """Drawn and damaged queries, in SQL and JSON: the same as if hidden rows and members did not exist."""
        found = Found()
        tallies = [run(self.pairs, seeds), run(self.pairs, seeds, depth=1, broken=True), run_json(self.pairs, seeds)]
        for tally in tallies:
            found.counts.update({"asked": tally.asked, "answered": tally.answered, **tally.errors})
            # A word that the engine lacks may stand in a mask or a filter of one world alone: no row was read for that.
            found.wrong += [each for each in tally.failures if f"Over {self.engine} there is no way" not in each]
        return found

    def equal_answers(self, seeds: range) -> Found:
        """Drawn queries under each policy: as DuckDB answers them, or refused by name."""
        found = Found()
        for seed in seeds:
            pair, twins = self.pairs[seed % len(self.pairs)], self.twins[seed % len(self.pairs)]
            sql = Grammar(seed).query()
            found.told(
                twins.difference(sql, pair.shape.context), f"seed {seed} ({pair.shape.name}): {sql}", self.engine
            )
        return found


def _some(texts: Iterable[str], most: int | None, drawn: random.Random) -> list[str]:
    every = list(texts)
    return every if most is None or most >= len(every) else drawn.sample(every, most)


@contextmanager
def elsewhere(engine: str, opened: Opened, folder: Path, *, hidden_rows: int = 3000) -> Iterator[Elsewhere]:
    """The worlds, over an engine by its name in sentences."""
    full = build_full(folder / "full.duckdb", hidden_rows=hidden_rows)
    limits = Limits(timeout=60.0, max_rows=20_000)
    with ExitStack() as stack:
        whole = opened(_tables(full))
        stack.callback(whole.close)
        pairs, twins = [], []
        for shape in shapes():
            alone = opened(_tables(build_permitted(full, folder / f"{shape.name}.duckdb", shape.permitted)))
            stack.callback(alone.close)
            policed = SemanticLayer(load_model(_bare(shape.policed_model())), whole, limits)
            pairs.append(Pair(shape, True, policed, SemanticLayer(load_model(_bare(permitted_model())), alone, limits)))
            copy = Path(shutil.copy(full, folder / f"{shape.name}-whole.duckdb"))
            here = open_layer(copy, shape.policed_model())
            stack.callback(here.close)
            twins.append(Twins(here, policed))
        yield Elsewhere(engine, pairs, twins)


def _tables(database: Path) -> dict[str, pa.Table]:
    with duckdb.connect(str(database), read_only=True) as connection:
        names = [row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: connection.sql(f'SELECT * FROM raw."{name}"').to_arrow_table() for name in names}


def _bare(model: dict[str, Any]) -> dict[str, Any]:
    """The model over tables by their bare names."""
    return dict(json.loads(json.dumps(model).replace("raw.", "")))


def drivers(engine: str, opened: Opened) -> Found:
    """The cases of the drivers' corpus: as DuckDB answers them; none where there is no corpus."""
    found, cases = Found(), read("semantic_rest/dev.jsonl")
    if not cases:
        return found
    folder = FOLDER / "semantic_rest"
    data = {path.stem: pyarrow.csv.read_csv(path) for path in sorted((folder / "data").glob("*.csv"))}
    model = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    for cube in model["cubes"]:
        cube["sql_table"] = cube["name"].lower()
    with beside(model, data, opened(data)) as both:
        for case in cases:
            if case["kind"] == "sql":
                asked = [(case["sql"], "UTC")]
            else:
                asked = [(q.sql, q.timezone) for q in translate(case["query"], both.here.catalog(OPERATOR), now=NOW)]
            for sql, zone in asked:
                found.told(both.difference(sql, OPERATOR, timezone=zone), case["name"], engine)
    return found


def suites(engine: str, opened: Opened, folder: Path, seeds: range, most: int | None) -> Iterator[tuple[str, Found]]:
    """All of them, one after another."""
    yield "drivers' cases", drivers(engine, opened)
    with elsewhere(engine, opened, folder) as worlds:
        yield "attacks", worlds.attacks(most)
        yield "hidden rows", worlds.hidden_rows(seeds)
        yield "drawn queries under policies", worlds.equal_answers(seeds)
