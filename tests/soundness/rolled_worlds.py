"""A small fleet, with rollups and without, and drawn questions of several users to both."""

from __future__ import annotations

import copy
import random
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

_LIKELY = {"depot": 0.9, "owner": 0.9, "id": 0.1, "km": 0.2}
ZONES = ("UTC", "UTC", "UTC", "America/New_York", "Asia/Kolkata")
USERS = {
    "operator": SecurityContext.operator(),
    "north": SecurityContext(
        user="n", groups=frozenset({"staff"}), user_attributes={"depot": ["north"], "tier": ["a"]}
    ),
    "both": SecurityContext(
        user="b", groups=frozenset({"staff"}), user_attributes={"depot": ["north", "south"], "tier": ["a", "b"]}
    ),
    "nobody": SecurityContext(user="x", groups=frozenset({"staff"}), user_attributes={"depot": [], "tier": []}),
    "auditor": SecurityContext(user="y", groups=frozenset({"auditor"}), user_attributes={"depot": ["west"]}),
    "recent": SecurityContext(user="z", groups=frozenset({"recent"})),
    "drivers": SecurityContext(user="d", groups=frozenset({"drivers"}), user_attributes={"driver": [3, 4]}),
    "outside": SecurityContext(user="o"),
}


def data(seed: int) -> dict[str, pa.Table]:
    rng = random.Random(seed)
    size = rng.choice([0, 1, 40, 200])
    trips = [
        {
            "id": number,
            "depot": rng.choice(["north", "south", "west", None]),
            "kind": rng.choice(["van", "bike", "it's", None]),
            "owner": rng.choice([1, 2, 3, 99, None]),
            "driver": rng.choice([*range(1, 9), None]),
            "left_at": rng.choice([None, *[_moment(rng)] * 6]),
            "day": rng.choice([None, *[_moment(rng).date()] * 6]),
            "km": rng.choice([None, *range(1, 60)]),
            "fee": rng.choice([None, Decimal(rng.randrange(-500, 9000)) / 100]),
            "paid": rng.choice([True, False, None]),
        }
        for number in range(size)
    ]
    schema = pa.schema(
        {
            "id": pa.int64(), "depot": pa.string(), "kind": pa.string(), "owner": pa.int64(), "driver": pa.int32(),
            "left_at": pa.timestamp("us"), "day": pa.date32(), "km": pa.int32(), "fee": pa.decimal128(12, 2),
            "paid": pa.bool_(),
        }
    )  # fmt: skip
    owners = {"id": [1, 2, 3], "tier": ["a", "b", None], "town": ["Ulm", "Ulm", "Bonn"], "quota": [10, 20, 30]}
    return {"trips": pa.Table.from_pylist(trips, schema=schema), "owners": pa.table(owners)}


def _moment(rng: random.Random) -> datetime:
    start = datetime(2023, 11, 20) + timedelta(minutes=rng.randrange(60 * 24 * 150))  # noqa: DTZ001
    return rng.choice([start, start, start.replace(hour=0, minute=0), start.replace(hour=23, minute=59, second=59)])


def model(seed: int) -> dict[str, Any]:
    """The model with drawn rollups."""
    rng = random.Random(seed + 1)
    found: dict[str, Any] = copy.deepcopy(_MODEL)
    names = [dimension["name"] for dimension in _TRIPS["dimensions"] if dimension["type"] != "time"]
    rollups = []
    for number in range(rng.choice([1, 2, 3])):
        rollup: dict[str, Any] = {
            "name": f"r{number}",
            "measures": [measure["name"] for measure in _TRIPS["measures"] if rng.random() < 0.85],
            "dimensions": [name for name in names if rng.random() < _LIKELY.get(name, 0.6)],
            "time_dimensions": [],
        }
        for name in ("left_at", "day"):
            if rng.random() < 0.7:
                period = rng.choice(["hour", "day", "day", "week", "month", "quarter"])
                period = "day" if name == "day" and period == "hour" else period
                rollup["time_dimensions"].append({"dimension": name, "granularity": period})
        if rng.random() < 0.3:
            rollup["dimensions"].append("day")
        rollups.append(rollup)
    found["cubes"][0]["pre_aggregations"] = rollups
    if rng.random() < 0.4:
        found["cubes"][1]["pre_aggregations"] = [
            {"name": "by_tier", "measures": ["count", "quota"], "dimensions": ["id", "tier"]}
        ]
    return found


def plain(found: dict[str, Any]) -> dict[str, Any]:
    """The same model without rollups."""
    return {
        **found,
        "cubes": [{key: value for key, value in cube.items() if key != "pre_aggregations"} for cube in found["cubes"]],
    }


def layers(seed: int) -> tuple[SemanticLayer, SemanticLayer]:
    """With rollups, and without."""
    tables, declared = data(seed), model(seed)
    return tuple(  # type: ignore[return-value]
        SemanticLayer(load_model(each), DuckDBEngine.open(None, data=tables)) for each in (declared, plain(declared))
    )


def question(rng: random.Random) -> tuple[str, str]:
    """A query, and the zone it is asked in."""
    over = rng.choice(["trips", "rides", "fleet"])
    prefix = {"trips": "", "rides": "", "fleet": "trips_"}[over]
    column = lambda name: f"{prefix}{name}"  # noqa: E731
    below = {"trips": [], "rides": ["town", "tier"], "fleet": ["town", "tier"]}[over]
    keys = [_key(rng, column, below) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
    values = [_value(rng, column) for _ in range(rng.choice([1, 1, 2, 3]))]
    if over == "fleet" and rng.random() < 0.3:
        values.append(rng.choice(["MEASURE(count)", "MEASURE(quota)", "MEASURE(per_owner)"]))
    items = [f"{text} AS c{i}" for i, text in enumerate([*keys, *values])]
    wheres = [_condition(rng, column, below) for _ in range(rng.choice([0, 0, 1, 1, 2]))]
    sql = f"SELECT {', '.join(items)} FROM {over}"
    sql += f" WHERE {' AND '.join(wheres)}" if wheres else ""
    if keys:
        numbers = ", ".join(str(i + 1) for i in range(len(keys)))
        filled = any("gapfill" in key for key in keys)
        wrapped = rng.choice(["ROLLUP", "CUBE"]) if rng.random() < 0.12 and not filled else ""
        sql += f" GROUP BY {wrapped}({', '.join(keys)})" if wrapped else f" GROUP BY {numbers}"
    if rng.random() < 0.2:
        sql += f" HAVING {values[0]} {rng.choice(['>', '<', 'IS NOT NULL AND 1 <'])} {rng.choice([2, 30, 400])}"
    if rng.random() < 0.15 and keys:
        sql = f"SELECT c0, COUNT(*) AS n, MAX(c{len(keys)}) AS most FROM ({sql}) AS inside GROUP BY 1"
    return sql, rng.choice(ZONES)


def _key(rng: random.Random, column: Any, below: list[str]) -> str:
    if rng.random() < 0.4:
        time = column(rng.choice(["left_at", "left_at", "day"]))
        period = rng.choice(["year", "quarter", "month", "month", "week", "day", "hour"])
        part = rng.choice(["year", "month", "dow", "quarter", "hour", "week"])
        return rng.choice(
            [f"date_trunc('{period}', {time})"] * 5
            + [f"EXTRACT({part} FROM {time})", f"date_trunc_gapfill('month', {time})"]
        )
    name = rng.choice(["depot", "depot", "kind", "paid", "far", "owner", "driver", "label", *below])
    return name if name in below else column(name)


def _value(rng: random.Random, column: Any) -> str:
    names = [each["name"] for each in _TRIPS["measures"]]
    measure = column(rng.choice(names if rng.random() < 0.3 else names[:10]))
    if rng.random() < 0.15:
        return f"MEASURE({measure}) FILTER (WHERE {column('kind')} = 'van')"
    plain_ones = ["COUNT(*)", f"COUNT(DISTINCT {column('driver')})", f"MAX({column('km')})", f"SUM({column('driver')})"]
    return rng.choice([f"MEASURE({measure})"] * 10 + plain_ones)


def _condition(rng: random.Random, column: Any, below: list[str]) -> str:
    if rng.random() < 0.55:
        time = column(rng.choice(["left_at", "left_at", "day"]))
        low = rng.choice(
            ["2024-01-01", "2024-02-01", "2023-12-04", "2024-01-15", "2024-01-01 10:00:00", "2024-01-01 10:30:00"]
        )
        high = rng.choice(["2024-03-01", "2024-04-01", "2024-02-29", "2024-02-12", "2024-03-01 23:59:59.999999"])
        return rng.choice(
            [
                f"{time} >= '{low}'", f"{time} > '{low}'", f"{time} < '{high}'", f"{time} <= '{high}'",
                f"'{low}' <= {time}", f"{time} BETWEEN '{low}' AND '{high}'",
                f"({time} >= TIMESTAMP '{low}' AND {time} < TIMESTAMP '{high}')", f"{time} >= DATE '{low[:10]}'",
                f"{time} >= CAST('{low}' AS DATE)", f"date_trunc('month', {time}) = '{low[:8]}01'", f"{time} IS NOT NULL",
                f"EXTRACT(month FROM {time}) IN (1, 2)", f"({time} >= '{low}' OR {column('kind')} = 'van')",
                f"{time} >= DATE '{low[:10]}' + INTERVAL '1 month'", f"{time} = '{low}'",
            ]
        )  # fmt: skip
    name = rng.choice(["depot", "kind", "owner", "driver", "paid", "far", *below])
    shown = name if name in below else column(name)
    values = {"depot": "'north'", "kind": "'it''s'", "owner": "2", "driver": "4", "paid": "TRUE", "far": "TRUE"}
    value = values.get(name, "'Ulm'" if name == "town" else "'a'")
    return rng.choice([f"{shown} = {value}", f"{shown} <> {value}", f"{shown} IS NULL", f"{shown} IS NOT NULL"])


def _rows(*filters: dict[str, Any]) -> dict[str, Any]:
    return {"filters": list(filters)}


_POLICY = [
    {"group": "staff", "row_level": _rows({"member": "depot", "operator": "equals", "values": ["{ userAttributes.depot }"]})},
    {
        "group": "auditor",
        "member_level": {"includes": "*", "excludes": ["driver"]},
        "member_masking": {"includes": ["kind", "left_at", "fees"]},
        "row_level": _rows({"member": "kind", "operator": "notEquals", "values": ["bike"]}),
    },
    {"group": "recent", "row_level": _rows({"member": "left_at", "operator": "afterDate", "values": ["2024-01-10"]})},
    {"group": "drivers", "row_level": _rows({"member": "driver", "operator": "equals", "values": ["{ userAttributes.driver }"]})},
]  # fmt: skip
_TRIPS: dict[str, Any] = {
    "name": "trips",
    "sql_table": "trips",
    "joins": [{"name": "owners", "relationship": "many_to_one", "sql": "{CUBE}.owner = {owners}.id"}],
    "dimensions": [
        {"name": "id", "type": "number", "sql": "id", "primary_key": True},
        {"name": "depot", "type": "string", "sql": "{CUBE}.depot"},
        {"name": "kind", "type": "string", "sql": "kind", "mask": "hidden"},
        {"name": "owner", "type": "number", "sql": "owner"},
        {"name": "driver", "type": "number", "sql": "{CUBE}.driver"},
        {"name": "paid", "type": "boolean", "sql": "paid"},
        {"name": "far", "type": "boolean", "sql": "{CUBE}.km > 20"},
        {"name": "km", "type": "number", "sql": "km"},
        {"name": "label", "type": "string", "sql": "{depot} || '/' || {kind}"},
        {"name": "left_at", "type": "time", "sql": "left_at"},
        {"name": "day", "type": "time", "sql": "day"},
    ],
    "measures": [
        {"name": "count", "type": "count"},
        {"name": "paid_count", "type": "count", "filters": [{"sql": "{CUBE}.paid"}]},
        {"name": "kms", "type": "sum", "sql": "km"},
        {"name": "fees", "type": "sum", "sql": "fee", "mask": 0},
        {"name": "van_fees", "type": "sum", "sql": "fee", "filters": [{"sql": "{kind} = 'van'"}]},
        {"name": "mean_fee", "type": "avg", "sql": "{CUBE}.fee"},
        {"name": "mean_km", "type": "avg", "sql": "km"},
        {"name": "longest", "type": "max", "sql": "km"},
        {"name": "first_left", "type": "min", "sql": "left_at"},
        {"name": "drivers", "type": "count_distinct", "sql": "{driver}"},
        {"name": "per_km", "type": "number", "sql": "{fees} / NULLIF({kms}, 0)"},
        {"name": "raw", "type": "number", "sql": "SUM({CUBE}.km) + COUNT(*)"},
        {"name": "all_kms", "type": "sum", "sql": "{kms}", "multi_stage": True, "group_by": []},
        {"name": "share", "type": "number", "sql": "1.0 * {kms} / {all_kms}", "multi_stage": True},
        {"name": "rich", "type": "sum", "sql": "km", "filters": [{"sql": "{owners.tier} = 'a'"}]},
        {
            "name": "before", "type": "number", "sql": "{kms}", "multi_stage": True,
            "time_shift": [{"time_dimension": "left_at", "interval": "1 month", "type": "prior"}],
        },
        {"name": "running", "type": "sum", "sql": "km", "rolling_window": {"trailing": "unbounded"}},
    ],
    "access_policy": _POLICY,
}  # fmt: skip
_MODEL: dict[str, Any] = {
    "cubes": [
        _TRIPS,
        {
            "name": "owners",
            "sql_table": "owners",
            "joins": [{"name": "trips", "relationship": "one_to_many", "sql": "{CUBE}.id = {trips}.owner"}],
            "dimensions": [
                {"name": "id", "type": "number", "sql": "id", "primary_key": True},
                {"name": "tier", "type": "string", "sql": "{CUBE}.tier"},
                {"name": "town", "type": "string", "sql": "{CUBE}.town"},
            ],
            "measures": [{"name": "count", "type": "count"}, {"name": "quota", "type": "sum", "sql": "quota"}],
            "access_policy": [
                {"group": "auditor", "row_level": {"allow_all": True}},
                {"group": "staff", "row_level": _rows({"member": "tier", "operator": "equals", "values": ["{ userAttributes.tier }"]})},
                {"group": "recent", "row_level": {"allow_all": True}},
            ],
        },
    ],
    "views": [
        {
            "name": "rides",
            "cubes": [
                {"join_path": "trips", "includes": "*"},
                {"join_path": "trips.owners", "includes": ["town", "tier"]},
            ],
            "measures": [{"name": "per_trip", "type": "number", "sql": "{kms} / NULLIF({count}, 0)"}],
        },
        {
            "name": "fleet",
            "cubes": [
                {"join_path": "owners", "includes": "*"},
                {"join_path": "owners.trips", "includes": "*", "prefix": True},
            ],
            "measures": [{"name": "per_owner", "type": "number", "sql": "{trips_kms} / NULLIF({count}, 0)"}],
        },
    ],
}  # fmt: skip
