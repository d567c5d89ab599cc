"""Random data models with data: stars, snowflakes, fan-outs, chasms, bridges, role-playing cubes, tables joined with themselves.

The join graph is a tree with its root at ``t0``; each edge is many_to_one, one_to_many or one_to_one. Keys may be
composite, or put together from columns as text; foreign keys may be null or point nowhere, values repeat and are null,
and tables may be empty. Measures may filter by, or multiply with, the rows of a cube below or above their own.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

WORDS = ("a", "b", "c", "d d", "e'e")
ARROW = {
    "int": pa.int64(), "str": pa.string(), "bool": pa.bool_(), "float": pa.float64(), "time": pa.timestamp("us"),
}  # fmt: skip


@dataclass
class Table:
    """A cube and its rows; ``parent`` is the cube it hangs on, ``pairs`` the join's (parent, own) columns."""

    name: str
    keys: tuple[str, ...]
    columns: dict[str, str]
    rows: list[dict[str, Any]]
    parent: Table | None = None
    relationship: str = ""
    pairs: list[tuple[str, str]] = field(default_factory=list)
    extends: Table | None = None
    ratio_with: Table | None = None  # a child whose sum this cube divides by its own count
    near: Table | None = None  # a child that measures of this cube read rows of
    written_key: bool = False  # the primary key is a text made of the key columns

    def path(self) -> list[Table]:
        return [*self.parent.path(), self] if self.parent else [self]

    def arrow(self) -> pa.Table:
        schema = pa.schema([(name, ARROW[kind]) for name, kind in self.columns.items()])
        return pa.Table.from_pylist(self.rows, schema=schema)


@dataclass
class Star:
    """A generated model: its tables in tree order."""

    tables: list[Table]

    def data(self) -> dict[str, pa.Table]:
        return {table.name: table.arrow() for table in self.tables if table.extends is None}

    def model(self) -> dict[str, Any]:
        cubes = [_cube(table, self.tables) for table in self.tables]
        parts = []
        for table in self.tables:
            path = ".".join(step.name for step in table.path())
            parts.append({"join_path": path, "includes": "*", "prefix": table.parent is not None})
        return {"cubes": cubes, "views": [{"name": "v", "cubes": parts}]}


def make_star(seed: int) -> Star:
    """Build a model and its data from a seed."""
    rng = random.Random(seed)
    tables = [_table(rng, "t0")]
    for number in range(1, rng.choice([2, 3, 3, 4, 5])):
        parent = rng.choice(tables)
        if parent.extends is not None:
            continue
        if rng.random() < 0.2 and not any(t.extends is parent for t in tables):
            tables.append(_itself(rng, parent, f"t{number}"))
            continue
        leaves = [t for t in tables if t.relationship == "many_to_one" and not (t.extends or _children(t, tables))]
        if leaves and rng.random() < 0.25:
            base = rng.choice(leaves)
            twin = Table(f"t{number}", base.keys, base.columns, base.rows, extends=base)
            _many_to_one(rng, base.parent or tables[0], twin)
            tables.append(twin)
            continue
        child = _table(rng, f"t{number}")
        rng.choice([_many_to_one, _many_to_one, _one_to_many, _one_to_many, _one_to_one])(rng, parent, child)
        tables.append(child)
    for table in tables:
        children = [t for t in _children(table, tables) if t.extends is None]
        if children and table.extends is None and rng.random() < 0.5 and not _is_extended(table, tables):
            table.ratio_with = rng.choice(children)
        if children and table.extends is None and not _is_extended(table, tables):
            table.near = rng.choice([None, *children])
    return Star(tables)


def _itself(rng: random.Random, parent: Table, name: str) -> Table:
    """The parent's own table once more: the row above (many to one) or the rows below (one to many)."""
    pairs = _point(rng, parent, parent)
    twin = Table(name, parent.keys, parent.columns, parent.rows, parent, extends=parent, written_key=parent.written_key)
    twin.relationship = rng.choice(["many_to_one", "one_to_many"])
    twin.pairs = pairs if twin.relationship == "many_to_one" else [(key, column) for column, key in pairs]
    return twin


def _children(table: Table, tables: list[Table]) -> list[Table]:
    return [other for other in tables if other.parent is table]


def _is_extended(table: Table, tables: list[Table]) -> bool:
    return any(other.extends is table for other in tables)


def _table(rng: random.Random, name: str) -> Table:
    keys = ("k1", "k2") if rng.random() < 0.3 else ("id",)
    columns = {key: rng.choice(["int", "str"]) for key in keys}
    columns |= {"s": "str", "b": "bool", "t": "time", "n": "int", "d": "float"}
    size = rng.choice([0, 1, 5, 12, 20, 30, 30]) if name != "t0" or rng.random() < 0.15 else rng.randrange(8, 31)
    found: list[dict[str, Any]] = []
    for number in range(size):
        row: dict[str, Any] = {}
        for place, key in enumerate(keys):
            value = number if len(keys) == 1 else (number // 3 if place == 0 else number % 3)
            row[key] = value if columns[key] == "int" else f"k{value}"
        row["s"] = rng.choice([None, *WORDS])
        row["b"] = rng.choice([None, True, False])
        moment = datetime(2023, 11, 1) + timedelta(hours=rng.randrange(24 * 200))  # noqa: DTZ001
        row["t"] = rng.choice([None, moment, moment, moment])
        row["n"] = rng.choice([None, *range(-3, 10)])
        row["d"] = rng.choice([None, rng.randrange(-40, 200) / 8])
        found.append(row)
    rng.shuffle(found)
    return Table(name, keys, columns, found, written_key=rng.random() < 0.3)


def _point(rng: random.Random, source: Table, target: Table) -> list[tuple[str, str]]:
    """Give ``source`` a foreign key to ``target``'s primary key: some null, some dangling. Returns (source, target)."""
    pairs = [(f"fk_{target.name}_{key}", key) for key in target.keys]
    for column, key in pairs:
        source.columns[column] = target.columns[key]
    for row in source.rows:
        aim = rng.choice(target.rows) if target.rows and rng.random() < 0.8 else None
        for column, key in pairs:
            missing = None if rng.random() < 0.5 else (-7 if target.columns[key] == "int" else "nowhere")
            row[column] = aim[key] if aim else missing
    return pairs


def _many_to_one(rng: random.Random, parent: Table, child: Table) -> None:
    child.parent, child.relationship = parent, "many_to_one"
    child.pairs = _point(rng, parent, child)


def _one_to_many(rng: random.Random, parent: Table, child: Table) -> None:
    child.parent, child.relationship = parent, "one_to_many"
    child.pairs = [(key, column) for column, key in _point(rng, child, parent)]


def _one_to_one(rng: random.Random, parent: Table, child: Table) -> None:
    child.parent, child.relationship = parent, "one_to_one"
    child.keys, child.written_key = parent.keys, False
    for column in [name for name in child.columns if name.startswith("k") or name == "id"]:
        del child.columns[column]
    child.columns = {key: parent.columns[key] for key in parent.keys} | child.columns
    chosen = rng.sample(parent.rows, k=min(len(child.rows), int(len(parent.rows) * 0.7)))
    kept = []
    for row, source in zip(child.rows, chosen, strict=False):
        values = {name: value for name, value in row.items() if name in child.columns}
        kept.append(values | {key: source[key] for key in parent.keys})
    child.rows = kept
    child.pairs = [(key, key) for key in parent.keys]


def _cube(table: Table, tables: list[Table]) -> dict[str, Any]:
    joins = [
        {
            "name": child.name,
            "relationship": child.relationship,
            "sql": " AND ".join(f"{{CUBE}}.{mine} = {{{child.name}}}.{other}" for mine, other in child.pairs),
        }
        for child in _children(table, tables)
    ]
    if table.extends is not None:
        return {"name": table.name, "extends": table.extends.name, "joins": joins}
    kinds = {"int": "number", "float": "number", "str": "string", "bool": "boolean", "time": "time"}
    dimensions: list[dict[str, Any]] = []
    for name, kind in table.columns.items():
        dimension: dict[str, Any] = {"name": name, "sql": f"{{CUBE}}.{name}", "type": kinds[kind]}
        if name in table.keys and not table.written_key:
            dimension |= {"primary_key": True, "public": True}
        dimensions.append(dimension)
    if table.written_key:
        text = "CONCAT(" + ", '/', ".join(f"{{CUBE}}.{key}" for key in (*table.keys, table.keys[0])) + ")"
        dimensions.append({"name": "written_key", "sql": text, "type": "string", "primary_key": True})
    measures: list[dict[str, Any]] = [
        {"name": "count", "type": "count"},
        {"name": "sum_n", "type": "sum", "sql": "{CUBE}.n"},
        {"name": "sum_d", "type": "sum", "sql": "{d}"},
        {"name": "avg_d", "type": "avg", "sql": "{CUBE}.d"},
        {"name": "min_n", "type": "min", "sql": "{CUBE}.n"},
        {"name": "max_d", "type": "max", "sql": "{CUBE}.d"},
        {"name": "words", "type": "count_distinct", "sql": "{CUBE}.s"},
        {"name": "true_count", "type": "count", "filters": [{"sql": "{CUBE}.b"}]},
        {"name": "late_sum", "type": "sum", "sql": "{n}", "filters": [{"sql": "{CUBE}.n > 2"}, {"sql": "{s} <> 'a'"}]},
        {"name": "filled_sum", "type": "sum", "sql": "COALESCE({CUBE}.n, 100)"},
        {"name": "true_share", "type": "number", "sql": "1.0 * {true_count} / NULLIF({count}, 0)"},
        {"name": "written", "type": "number", "sql": "SUM(COALESCE({CUBE}.n, 100)) + COUNT(*) / 2"},
        {"name": "total", "type": "number", "sql": "{sum_n}", "multi_stage": True, "group_by": []},
    ]
    if table.near is not None:
        near = table.near.name
        measures += [
            {"name": "near_count", "type": "count", "filters": [{"sql": f"{{{near}.n}} > 2"}]},
            {"name": "near_sum", "type": "sum", "sql": "{CUBE}.n", "filters": [{"sql": f"{{{near}}}.b"}]},
            {"name": "near_product", "type": "sum", "sql": f"{{CUBE}}.n * {{{near}}}.n"},
            {"name": "mixed", "type": "number", "sql": f"COUNT(*) - {{{near}.count}}"},
        ]
    if table.ratio_with is not None:
        ratio = f"1.0 * {{{table.ratio_with.name}.sum_n}} / NULLIF({{count}}, 0)"
        measures.append({"name": "cross", "type": "number", "sql": ratio})
    return {
        "name": table.name,
        "sql_table": table.name,
        "joins": joins,
        "dimensions": dimensions,
        "measures": measures,
        "segments": [{"name": "big", "sql": "{CUBE}.n >= 4"}],
    }
