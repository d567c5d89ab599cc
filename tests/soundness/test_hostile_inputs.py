"""Texts, parameters and attributes that were not made to be read: they end in an answer or in a documented refusal.

Anything else (an exception of Python's own, a compiler that does not come back) is a finding, whoever may see it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timezone
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.json_queries.json_load import load
from svc_notebook.semantic.layer import Limits, SemanticLayer
from svc_notebook.semantic.loader import load_model

KINDS = {"id": "number", "seen": "boolean", "code": "string", "amount": "number", "at": "time", "day": "time"}
MOMENT = datetime(2024, 1, 1)  # noqa: DTZ001
NOW = datetime(2024, 6, 1, tzinfo=UTC)
ANA = SecurityContext(user="ana", user_attributes={"seen": True})


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    opened = open_layer([{"member": "seen", "operator": "equals", "values": ["{ userAttributes.seen }"]}])
    yield opened
    opened.close()


def open_layer(filters: list[dict[str, Any]]) -> SemanticLayer:
    rows = [(1, True, "a", 1.5), (2, False, "CANARY", 2.5)]
    table = pa.table({
        "id": [r[0] for r in rows], "seen": [r[1] for r in rows], "code": [r[2] for r in rows], "amount": [r[3] for r in rows],
        "at": pa.array([MOMENT] * 2, pa.timestamp("us")), "day": pa.array([MOMENT.date()] * 2, pa.date32()),
    })  # fmt: skip
    cube = {
        "name": "t",
        "sql_table": "t",
        "dimensions": [
            {"name": name, "sql": f"{{CUBE}}.{name}", "type": kind, "primary_key": name == "id", "public": True}
            for name, kind in KINDS.items()
        ],
        "measures": [{"name": "count", "type": "count"}],
        "access_policy": [{"group": "*", "row_level": {"filters": filters}}],
    }
    return SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(data={"t": table}), Limits(timeout=4))


def documented(work: Callable[[], Any], *, seconds: float = 20.0) -> Any:
    """The outcome of ``work`` (what it gives, or the refusal); it must come to one."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as problem:  # noqa: BLE001 - what it was is what is asked
            found.append(problem)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    assert found, "no outcome"
    assert not isinstance(found[0], BaseException) or isinstance(found[0], QueryError), repr(found[0])
    assert "CANARY" not in str(found[0])
    return found[0]


# In a comment a quote opens nothing; a reader who thinks so takes what follows for text. \x02 marks places in compiled SQL.
TEXTS = [
    "/* ' */ SELECT code AS \"\x02\" FROM t /* ' */",
    "/* ' */ SELECT code AS \"\x020\x02\" FROM t /* ' */",
    "/* ' */ SELECT code AS \"\x02999\x02\" FROM t /* ' */",
    "/* ' */ SELECT q.\"\x021\x02\" FROM (SELECT code AS \"\x021\x02\", count(*) FROM t GROUP BY 1) q /* ' */",
    "-- '\nSELECT code AS \"\x02\" FROM t -- '",
    "/* ' */ SELECT co\u200bde FROM t /* ' */",
    "/* ' */ SELECT code AS \"c\u202e\" FROM t /* ' */",
    "/* \" */ SELECT code FROM t x\u2060y /* \" */",
    "/* ' */ SELECT $1 FROM t /* ' */",
    "/* ' */ SELECT $$a$$ FROM t /* ' */",
    "/* ' */ FROM t |> SELECT code /* ' */",
    "SELECT code AS \"\x03\" FROM t",
    "SELECT code AS \"$p1\" FROM t WHERE code = 'x'",
    "SELECT code AS \"{0}\" FROM t GROUP BY ROLLUP(code)",
    *(f"SELECT count(*) FROM t WHERE amount = '{number}'" for number in (
        "NaN", "sNaN", "inf", "-inf", "1e400", "1e99999999", "1e999999999999", "1e-99999999", "-1e-999999999999", "1" * 5000, "0x10", "1_0")),
    *(f"SELECT count(*) FROM t WHERE amount = {number}" for number in ("1e400", "1e99999999", "1e-99999999", "1" * 5000, "1." + "1" * 5000)),
    *(f"SELECT count(*) FROM t WHERE at > '{moment}'" for moment in (
        "0000-01-01", "9999-12-31", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2024-W01-1", "infinity", "10000-01-01")),
    "SELECT TIMESTAMP '9999-12-31T23:59:59-14:00'",
    "SELECT at + INTERVAL '99999999999999999999 years' FROM t",
    "SELECT lag(id, 99999999999999999999) OVER (ORDER BY id) FROM t",
    "SELECT id FROM t LIMIT 999999999999999999 OFFSET 999999999999999999",
    "SELECT quantile_cont(amount, 5) FROM t",
]  # fmt: skip


@pytest.mark.parametrize("sql", TEXTS, ids=range(len(TEXTS)))
def test_texts_come_to_an_outcome(sql: str, layer: SemanticLayer) -> None:
    documented(lambda: layer.query(ANA, sql))


def test_no_invisible_character_stands_in_a_name(layer: SemanticLayer) -> None:
    for sql in TEXTS[:8]:
        found = documented(lambda sql=sql: layer.query(ANA, sql))  # type: ignore[misc]
        assert isinstance(found, QueryError), sql


PARAMETERS: list[Any] = [
    Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1e400"), Decimal("1e-400"), Decimal("1e99999999"), float("nan"),
    float("-inf"), 10**5000, 2**127, -(2**127), "\ud800", "a\0b", "x" * 1_000_000, b"x", [1], {}, object(),
    datetime.max, datetime.min,  # noqa: DTZ901
    datetime(1, 1, 1, tzinfo=timezone.max), True, None,
]  # fmt: skip


@pytest.mark.parametrize("value", PARAMETERS, ids=range(len(PARAMETERS)))
@pytest.mark.parametrize("member", ["code", "amount", "at", "seen"])
def test_parameters_come_to_an_outcome(member: str, value: Any, layer: SemanticLayer) -> None:
    sql = f"SELECT count(*) FROM t WHERE {member} = :x"
    documented(lambda: layer.query(ANA, sql, parameters={"x": value}))


ATTRIBUTES: list[Any] = [
    *PARAMETERS, [10**5000], [None, 1], [True, 1], ["a", 5], {1, 2}, range(3), [[1]], 10**400, "9999-12-31", "0001-01-01", "now", "'; --",
    list(range(60_000)), complex(1, 1), datetime(2024, 1, 1, tzinfo=UTC), {"a": {"b": 1}},
]  # fmt: skip
FILTERS = [
    *((member, operator) for member in ("amount", "id") for operator in ("equals", "notEquals", "gt")),
    *(("code", operator) for operator in ("equals", "notEquals", "contains", "notContains")),
    *((member, operator) for member in ("at", "day") for operator in (
        "equals", "inDateRange", "notInDateRange", "beforeOrOnDate", "afterDate")),
    ("seen", "equals"),
]  # fmt: skip


@pytest.mark.parametrize(("member", "operator"), FILTERS)
def test_attributes_come_to_an_outcome_and_doubt_shows_no_rows(member: str, operator: str) -> None:
    opened = open_layer([{"member": member, "operator": operator, "values": ["{ userAttributes.x }"]}])
    try:
        for value in ATTRIBUTES:
            who = SecurityContext(user="ana", user_attributes={"x": value})
            found = documented(lambda who=who: opened.query(who, "SELECT id FROM t"))  # type: ignore[misc]
            assert not isinstance(found, QueryError), (value if not isinstance(value, int) else "a number", found)
    finally:
        opened.close()


@pytest.mark.parametrize(("operator", "rows"), [
    ("inDateRange", [1, 2]), ("notInDateRange", []), ("beforeOrOnDate", []), ("afterDate", [1, 2]), ("afterOrOnDate", [1, 2]),
])  # fmt: skip
@pytest.mark.parametrize("member", ["at", "day"])
def test_a_range_may_last_to_the_end_of_time(member: str, operator: str, rows: list[int]) -> None:
    values = ["2023-01-01", "9999-12-31"] if "Range" in operator else ["2023-01-01"]
    opened = open_layer([{"member": member, "operator": operator, "values": values}])
    try:
        assert opened.query(ANA, "SELECT id FROM t ORDER BY 1").table.column(0).to_pylist() == rows
        ends = open_layer([{"member": member, "operator": "afterDate", "values": ["9999-12-31"]}])
        assert ends.query(ANA, "SELECT id FROM t").table.num_rows == 0
        ends.close()
    finally:
        opened.close()


def nested(depth: int) -> dict[str, Any]:
    item: dict[str, Any] = {"member": "t.code", "operator": "set"}
    for _ in range(depth):
        item = {"and": [item]}
    return item


def filtered(member: str, operator: Any, *values: Any) -> dict[str, Any]:
    return {"filters": [{"member": f"t.{member}", "operator": operator, "values": list(values)}]}


def timed(**more: Any) -> dict[str, Any]:
    return {"timeDimensions": [{"dimension": "t.at", **more}]}


QUERIES: list[dict[str, Any]] = [
    *({"order": order} for order in ([[[], "asc"]], [[{}, "asc"]], [[5, "asc"]], [None], 5, {"t.count": []}, [["t.count"]], "t.count")),
    *(timed(compareDateRange=span) for span in (True, 5, "2024-01-01", {"a": 1}, [[]], ["2024-01-01"] * 60, [None])),
    *(timed(dateRange=span) for span in (
        "9999-12-31", ["0001-01-01", "9999-12-31"], "last 99999999999 days", f"last {'9' * 5000} days", "from 99999999999 days ago to now", 5, True,
        {"a": 1}, [5], [], "\ud800", "next 99999 months", "9999-12-31T23:59:59.999", "now", "from x to y", "last 999999 years", [None, None])),
    *(timed(granularity=grain) for grain in (5, ["x"], "month'; --", "x" * 5000, {})),
    *({"filters": [nested(depth)]} for depth in (40, 60, 300, 5000)),
    *(filtered("amount", "equals", value) for value in ("1e999", 10**400, 10**5000, float("nan"), "sNaN", [], {}, None, True, "1e-999")),
    *(filtered("code", "equals", value) for value in ("\ud800", "\0", "x" * 30_000, 10**5000, [], None)),
    *(filtered("at", operator, "9999-12-31") for operator in ("gt", "equals", "afterDate", "beforeOrOnDate", "inDateRange")),
    filtered("code", "contains", "\\"), filtered("code", [], "x"), filtered("code", {}, "x"), filtered("code", None, "x"),
    {"filters": ["x"]}, {"filters": [{"and": "x"}]}, {"filters": [{"member": ["t"], "operator": "set"}]},
    *({"timezone": zone} for zone in ("../../etc/passwd", "Europe", "\0", "x" * 5000, 5, ["UTC"], "localtime", {}, "utc")),
    *({"limit": limit} for limit in (10**30, -1, 1.5, True, "5")), {"offset": 10**30}, {"offset": 2**63}, {"total": "x"}, {"ungrouped": "x"},
    *({"measures": [name]} for name in (5, None, {}, ["t.count"], "t.count.x", "..", "")), {"measures": "t.count"},
    *({"dimensions": [name]} for name in (5, "t.at.month.x", "t.code.month", 't."code"', "\ud800")), {"dimensions": ["t.code"] * 3000},
    timed(granularity="second", dateRange=["0001-01-01", "9998-12-31"]) | {"fillMissingDates": True},
]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_json_queries_come_to_an_outcome(query: dict[str, Any], layer: SemanticLayer) -> None:
    documented(lambda: load(layer, ANA, {"measures": ["t.count"], **query}, now=NOW))
