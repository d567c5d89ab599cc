"""Worlds that differ in hidden rows alone: how many there are, what they span, and how the rows lie between them.

The visible rows are the same in each, and some of them make expressions fail. Tables are loaded the ways the package
loads them: Arrow tables, Parquet files, and a database file.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import Limits, SemanticLayer
from svc_notebook.semantic.loader import load_model

__all__ = ["BIG", "CONTEXT", "HIDDEN", "SHAPES", "Hidden", "World", "open_worlds"]

BIG = 250_000  # rows of more than one row group (122,880)
SHAPES = ("equality", "list", "nested", "joined", "view", "groups")
CONTEXT = SecurityContext(
    user="ana", groups=frozenset({"analysts"}), user_attributes={"region": ["EMEA", "APAC"], "one": "EMEA", "top": 400}
)
_DAY = datetime(2024, 1, 1)  # noqa: DTZ001
_FACTS = pa.schema([
    ("id", pa.int64()), ("k", pa.int32()), ("region", pa.string()), ("code", pa.string()), ("amount", pa.decimal128(12, 2)),
    ("score", pa.float64()), ("qty", pa.int32()), ("day", pa.timestamp("us")), ("paid", pa.bool_()), ("big", pa.int64()),
])  # fmt: skip
_DIMS = pa.schema([("k", pa.int32()), ("region", pa.string()), ("tier", pa.string()), ("credit", pa.float64())])


@dataclass(frozen=True)
class Hidden:
    """What the hidden rows of a world are: their number, and how far beyond the visible ones they reach."""

    rows: int
    reach: int = 0
    nulls: bool = False
    words: str = "h"
    first: bool = False  # before the visible rows in the table, not after and between them


HIDDEN = {
    "none": Hidden(0),
    "few": Hidden(40, reach=700),
    "far": Hidden(40, reach=90_000, nulls=True, words="zzz"),
    "near": Hidden(3, reach=1, words="5"),
    "big": Hidden(BIG, reach=5_000, words="q", first=True),
    "beside": Hidden(120 * 20, reach=20),  # some hundred visible rows in each piece that the engine reads
    "apart": Hidden(120 * 60, reach=20),
    "many": Hidden(9_000, reach=300, nulls=True, words="A"),
}


def _visible() -> list[tuple[Any, ...]]:
    rng = random.Random(5)
    rows = []
    for number in range(120):
        region = ("EMEA", "APAC")[number % 3 == 0]
        code = ("x", "(", "2024-13-45")[number % 3] if number % 40 == 7 else str(10 + number % 60)
        rows.append(
            (
                number, number % 12, region, code, Decimal(100 + rng.randrange(40_000)) / 100, rng.randrange(1, 800) / 8,
                -1 if number == 97 else 1 + number % 8, _DAY + timedelta(hours=7 * number), number % 2 == 0,
                10**18 if number == 110 else number - 20,
            )
        )  # fmt: skip
    return rows


def _hidden(hidden: Hidden) -> list[tuple[Any, ...]]:
    rng, rows, reach = random.Random(hidden.reach), [], hidden.reach
    for number in range(hidden.rows):
        sign = -1 if number % 5 == 0 else 1
        if hidden.nulls and number % 7 == 3:
            rows.append((5_000 + number, None, (None, "NA")[number % 2], *[None] * 7))
            continue
        rows.append(
            (
                5_000 + reach + number, 12 + rng.randrange(1 + reach % 40), "NA", f"{hidden.words}{number % 90}",
                sign * (Decimal(rng.randrange(reach * 100 + 100)) / 100 + 401), sign * (100.0 + rng.random() * reach),
                sign * rng.randrange(9, 10 + reach), _DAY + sign * timedelta(hours=900 + rng.randrange(reach + 1)),
                None if hidden.nulls else True, sign * (10**18 + reach * 10**13 + number),
            )
        )  # fmt: skip
    return rows


@cache
def _table(hidden: Hidden) -> pa.Table:
    """The rows of the facts; visible ones keep their order, hidden ones lie before, after and between them."""
    seen, unseen = _visible(), _hidden(hidden)
    if hidden.first:
        rows = unseen[: len(unseen) // 2] + seen + unseen[len(unseen) // 2 :]
    else:
        step = max(1, len(unseen) // (len(seen) + 1))
        rows = []
        for number, row in enumerate(seen):
            rows += [row, *unseen[number * step : (number + 1) * step]]
        rows += unseen[len(seen) * step :]
    return pa.table(
        [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), _FACTS.types, strict=True)],
        schema=_FACTS,
    )


def _dims(hidden: Hidden) -> pa.Table:
    rows: list[tuple[Any, ...]] = [
        (k, ("EMEA", "APAC")[k % 3 == 0], "gold" if k % 2 else "tin", k / 2) for k in range(12)
    ]
    rows += [(12 + k, "NA", f"{hidden.words}{k}", 50.0 + hidden.reach) for k in range(min(hidden.rows, 41))]
    return pa.table(
        [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), _DIMS.types, strict=True)],
        schema=_DIMS,
    )


# --- the model --------------------------------------------------------------------------------------------------------


def _equals(member: str, value: str) -> dict[str, Any]:
    return {"member": member, "operator": "equals", "values": [value]}


def _policy(*filters: dict[str, Any], group: str = "*") -> dict[str, Any]:
    return {"group": group, "row_level": {"filters": list(filters)}}


_IN = _equals("region", "{ userAttributes.region }")
_OPEN = {"group": "*", "row_level": {"allow_all": True}}


def _policies(shape: str) -> dict[str, list[dict[str, Any]]]:
    """Six ways to write one policy: the regions EMEA and APAC."""
    own = [_policy(_IN)]
    nested = {"or": [
        {"and": [_equals("region", "{ userAttributes.one }"), {"member": "region", "operator": "set"}]},
        {"and": [_IN, {"member": "region", "operator": "notEquals", "values": ["NA", "EMEA"]}]},
    ]}  # fmt: skip
    return {
        "equality": {"facts": [_policy(_equals("region", "{ userAttributes.one }"))], "dims": own},
        "list": {"facts": own, "dims": own},
        "nested": {"facts": [_policy(nested)], "dims": own},
        "joined": {"facts": [_policy(_equals("dims.region", "{ userAttributes.region }"))], "dims": own},
        "view": {"facts": [_OPEN], "dims": [_OPEN], "sales": [_policy(_IN)]},
        "groups": {
            "facts": [_policy(_equals("region", "EMEA"), group="analysts"), _policy(_equals("region", "APAC"))],
            "dims": own,
        },
    }[shape]


def model(shape: str) -> dict[str, Any]:
    """The data model under one shape of policy; ``view`` has its rows filtered in the view alone."""
    kinds = {"id": "number", "k": "number", "region": "string", "code": "string", "amount": "number", "score": "number",
             "qty": "number", "day": "time", "paid": "boolean", "big": "number"}  # fmt: skip
    facts: dict[str, Any] = {
        "name": "facts",
        "sql_table": "facts",
        "joins": [{"name": "dims", "relationship": "many_to_one", "sql": "{CUBE}.k = {dims}.k"}],
        "dimensions": [
            {"name": name, "sql": f"{{CUBE}}.{name}", "type": kind, "primary_key": name == "id", "public": True}
            for name, kind in kinds.items()
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "total", "type": "sum", "sql": "{CUBE}.amount"},
            {"name": "codes", "type": "sum", "sql": "CAST({CUBE}.code AS INTEGER)"},
            {"name": "wild", "type": "max", "sql": "{CUBE}.big * 9000000000000000000 * {CUBE}.big * 90"},
        ],
    }
    dims: dict[str, Any] = {
        "name": "dims",
        "sql_table": "dims",
        "dimensions": [
            {"name": name, "sql": f"{{CUBE}}.{name}", "type": kind, "primary_key": name == "k", "public": True}
            for name, kind in {"k": "number", "region": "string", "tier": "string", "credit": "number"}.items()
        ],
        "measures": [{"name": "count", "type": "count"}],
    }
    view = {
        "name": "sales",
        "cubes": [
            {"join_path": "facts", "includes": "*"},
            {"join_path": "facts.dims", "includes": ["tier", "credit"]},
        ],
    }
    found = {"cubes": [facts, dims], "views": [view]}
    for relation in (facts, dims, view):
        policies = _policies(shape).get(relation["name"])
        if policies:
            relation["access_policy"] = policies
    return found


# --- worlds -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """One layer for each shape of policy over one set of hidden rows."""

    name: str
    layers: dict[str, SemanticLayer]


def _opened(facts: pa.Table, dims: pa.Table, kind: str, place: Path, settings: dict[str, str]) -> DuckDBEngine:
    if kind == "arrow":
        return DuckDBEngine.open(None, data={"facts": facts, "dims": dims}, settings=settings)
    if kind == "parquet":
        data = {"facts": place.with_suffix(".facts.parquet"), "dims": place.with_suffix(".dims.parquet")}
        pyarrow.parquet.write_table(facts, data["facts"], row_group_size=50_000)
        pyarrow.parquet.write_table(dims, data["dims"])
        return DuckDBEngine.open(None, data=data, settings=settings)
    with duckdb.connect(str(place.with_suffix(".duckdb"))) as con:
        con.register("given_facts", facts)
        con.register("given_dims", dims)
        con.execute("CREATE TABLE facts AS SELECT * FROM given_facts; CREATE TABLE dims AS SELECT * FROM given_dims")
        con.execute("CHECKPOINT")
    return DuckDBEngine.open(place.with_suffix(".duckdb"), settings=settings)


@contextmanager
def open_worlds(
    names: tuple[str, ...], folder: Path, *, kind: str = "database", settings: dict[str, str] | None = None
) -> Iterator[list[World]]:
    """Open the worlds of these hidden rows, every policy shape of each, loaded in one way."""
    engines: list[DuckDBEngine] = []
    try:
        worlds = []
        for name in names:
            engine = _opened(_table(HIDDEN[name]), _dims(HIDDEN[name]), kind, folder / f"{kind}-{name}", settings or {})
            engines.append(engine)
            limits = Limits(timeout=20.0, max_rows=20_000)
            worlds.append(
                World(name, {shape: SemanticLayer(load_model(model(shape)), engine, limits) for shape in SHAPES})
            )
        yield worlds
    finally:
        for engine in engines:
            engine.close()
