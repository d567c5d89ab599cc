"""Random JSON queries over the model of :mod:`worlds`; as deterministic in what they return as :mod:`grammar`."""

from __future__ import annotations

import random
from typing import Any

from .vocabulary import BASE, BOOL, GRAINS, HIDDEN_NAMES, JSON, LIST, NUMBER, ROOTS, TEXT, TEXTS, TIME, Relation

__all__ = ["json_query"]

_RANGES: tuple[Any, ...] = (
    ["2024-02-01", "2024-08-31"], "2024-03-09", "last 400 days", "this year", ["1990-01-01", "9999-12-31"], "next 3 months", "from a to b",
)  # fmt: skip
_OPERATORS = {
    TEXT: ("equals", "notEquals", "contains", "notContains", "startsWith", "notEndsWith", "set", "notSet"),
    NUMBER: ("equals", "notEquals", "gt", "gte", "lt", "lte", "set", "notSet"),
    BOOL: ("equals", "notEquals", "set"),
    TIME: ("inDateRange", "notInDateRange", "beforeDate", "afterOrOnDate", "set", "notSet"),
    JSON: ("equals", "contains", "notStartsWith", "set", "notSet"),
    LIST: ("set", "notSet"),
}
_VALUES: dict[str, tuple[Any, ...]] = {
    TEXT: (*TEXTS, None), NUMBER: (0, 1, 7, 100, "250.25", 777777.77, "1e9", None), BOOL: (True, False, "true"), TIME: ("2024-06-01", "1999-12-31"),
    JSON: ("plain", '"a"', "CANARY ["), LIST: ("x",),
}  # fmt: skip


def json_query(seed: int) -> dict[str, Any]:
    """One query; a function of the seed alone."""
    rng = random.Random(seed)
    relation = rng.choice([*BASE, *ROOTS])
    query: dict[str, Any] = {}
    dimensions = [f"{relation.name}.{_column(rng, relation)}" for _ in range(rng.randrange(0, 3))]
    # A masked measure is not what a measure that says the mask is where rows are not grouped; the SQL grammar has it.
    names = [name for name in relation.measures if "contacts" not in name]
    measures = [f"{relation.name}.{name}" for name in rng.sample(names, k=min(len(names), rng.randrange(0, 3)))]
    times = [column.name for column in relation.columns if column.kind == TIME]
    keys = list(dimensions)
    if times and rng.random() < 0.5:
        item: dict[str, Any] = {"dimension": f"{relation.name}.{rng.choice(times)}"}
        if rng.random() < 0.8:
            item["granularity"] = rng.choice([*GRAINS, "fiscal_year"])
            keys.append(f"{item['dimension']}.{item['granularity']}")
        if rng.random() < 0.5:
            item["dateRange"] = rng.choice(_RANGES)
        elif rng.random() < 0.2:
            item["compareDateRange"] = [rng.choice(_RANGES[:2]), ["2023-01-01", "2023-12-31"]]
        query["timeDimensions"] = [item]
        query["fillMissingDates"] = rng.random() < 0.3
    query |= {"dimensions": list(dict.fromkeys(dimensions)), "measures": measures}
    if relation.segments and rng.random() < 0.2:
        query["segments"] = [f"{relation.name}.{relation.segments[0]}"]
    query["filters"] = [_filter(rng, relation, 2) for _ in range(rng.randrange(0, 3))]
    if rng.random() < 0.3 and measures:
        query["filters"].append(
            {"member": measures[0], "operator": rng.choice(_OPERATORS[NUMBER]), "values": [rng.choice(_VALUES[NUMBER])]}
        )
    query["order"] = [[key, rng.choice(["asc", "desc"])] for key in dict.fromkeys([*keys, *measures])]
    query["ungrouped"] = rng.random() < 0.1
    query["total"] = rng.random() < 0.3
    query["limit"], query["offset"] = rng.choice([5, 50, 10_000]), rng.choice([0, 0, 3])
    query["timezone"] = rng.choice(["UTC", "UTC", "Asia/Kolkata", "America/New_York"])
    return query


def _column(rng: random.Random, relation: Relation) -> str:
    if rng.random() < 0.03:
        return rng.choice([*HIDDEN_NAMES, "statu", "no.such"])
    return rng.choice(relation.columns).name


def _filter(rng: random.Random, relation: Relation, depth: int) -> dict[str, Any]:
    if depth and rng.random() < 0.3:
        return {rng.choice(["and", "or"]): [_filter(rng, relation, depth - 1) for _ in range(rng.randrange(1, 4))]}
    column = rng.choice(relation.columns)
    name = rng.choice(HIDDEN_NAMES) if rng.random() < 0.03 else column.name
    values = [rng.choice(_VALUES[column.kind]) for _ in range(rng.randrange(1, 3))]
    return {"member": f"{relation.name}.{name}", "operator": rng.choice(_OPERATORS[column.kind]), "values": values}
