"""A query that was compiled for one asker serves others, is for each what it would be alone, and keeps nothing of any."""

from __future__ import annotations

import gc
import itertools
import random
import re
from typing import Any

import pytest

from svc_notebook.semantic.compiler import CompiledQuery, SharedQuery
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

CANARY = "CANARYtown"
REGIONS = ("EMEA", "APAC", "LATAM")
SHOPS = [{"shop": n, "region": REGIONS[n % 3], "boss": f"boss{n}"} for n in range(6)]
SALES = [
    {"id": n, "shop": n % 7, "city": f"town{n % 4}", "kind": "ab"[n % 2], "price": n / 2, "day": f"2024-01-{1 + n % 28:02d}"}
    for n in range(60)
]  # fmt: skip
_OWN_CITY = {"member": "city", "operator": "equals", "values": ["{ userAttributes.city }"]}
_OWN_REGION = {"member": "region", "operator": "equals", "values": ["{ userAttributes.region }"]}
MODEL: dict[str, Any] = {
    "cubes": [
        {
            "name": "sales", "sql_table": "sales",
            "dimensions": [
                {"name": "id", "sql": "id", "type": "number", "primary_key": True},
                {"name": "city", "sql": "city", "type": "string"},
                {"name": "kind", "sql": "kind", "type": "string", "mask": {"sql": "'hidden'"}},
                {"name": "price", "sql": "price", "type": "number"},
                {"name": "day", "sql": "CAST(day AS TIMESTAMP)", "type": "time"},
            ],
            "measures": [{"name": "count", "type": "count"}, {"name": "revenue", "sql": "price", "type": "sum"}],
            "joins": [{"name": "shops", "relationship": "many_to_one", "sql": "{CUBE}.shop = {shops}.shop"}],
            "access_policy": [
                {
                    "group": "clerks",
                    "row_level": {"filters": [_OWN_CITY]},
                    "member_level": {"includes": "*", "excludes": ["kind"]}, "member_masking": {"includes": ["kind"]},
                },
                {
                    "group": "clerks", "conditions": [{"if": "userAttributes.level == 'high'"}],
                    "row_level": {"filters": [{"or": [_OWN_CITY, {"member": "kind", "operator": "notContains", "values": ["{ userAttributes.letter }", "z"]}]}]},
                },
                {
                    "group": "dated",
                    "row_level": {"filters": [{"member": "day", "operator": "inDateRange", "values": ["{ userAttributes.from }", "2024-01-20"]}]},
                },
                {
                    "group": "priced",
                    "row_level": {"filters": [{"member": "price", "operator": "gte", "values": ["{ userAttributes.least }"]}]},
                },
            ],
        },
        {
            "name": "shops", "sql_table": "shops",
            "dimensions": [
                {"name": "shop", "sql": "shop", "type": "number", "primary_key": True},
                {"name": "region", "sql": "region", "type": "string"},
                {"name": "boss", "sql": "boss", "type": "string"},
            ],
            "measures": [{"name": "count", "type": "count"}],
            "joins": [{"name": "sales", "relationship": "one_to_many", "sql": "{CUBE}.shop = {sales}.shop"}],
            "access_policy": [{"group": "*", "row_level": {"filters": [_OWN_REGION]}}],
        },
        {
            "name": "own", "sql": "SELECT * FROM shops WHERE {SECURITY_CONTEXT.tenant.filter('region')}",
            "dimensions": [{"name": "boss", "sql": "boss", "type": "string", "primary_key": True}],
            "measures": [{"name": "count", "type": "count"}],
        },
    ],
    "views": [
        {
            "name": "trade",
            "cubes": [{"join_path": "sales", "includes": "*"}, {"join_path": "sales.shops", "includes": ["region"]}],
        }
    ],
}  # fmt: skip
SQL = [
    "SELECT city, MEASURE(revenue) FROM sales GROUP BY 1 ORDER BY 1",
    "SELECT COUNT(*) FROM sales WHERE city = 'town1' OR city = 'EMEA'",
    "SELECT kind, MEASURE(count) FROM sales GROUP BY 1 ORDER BY 1",
    "SELECT region, MEASURE(revenue) FROM trade WHERE city <> 'town2' GROUP BY 1 ORDER BY 1",
    "SELECT MEASURE(count) FROM shops WHERE region = 'EMEA'",
    "SELECT region, MEASURE(count) FROM shops GROUP BY 1 ORDER BY 1",
    "SELECT MEASURE(count) FROM own",
    "SELECT s.n FROM (SELECT city, count(*) AS n FROM sales GROUP BY 1) s WHERE s.city LIKE 'town%' ORDER BY 1",
]
VALUES: dict[str, list[Any]] = {
    "city": ["town0", "town1", ["town2"], ["town1", "town3"], ["town1", "town1"], "EMEA", 7, "", None, [], "to%n0"],
    "region": ["EMEA", "APAC", ["EMEA", "LATAM"], "town1", True, "\ud800"],
    "level": ["high", "low"],
    "letter": ["a", "b", "%", "", 1],
    "from": ["2024-01-05", "2024-01-09T10:00:00", "no day", 5],
    "least": [3, 2.5, "4", None],
}


def layer() -> SemanticLayer:
    import pyarrow as pa

    tables = {"sales": pa.Table.from_pylist(SALES), "shops": pa.Table.from_pylist(SHOPS)}
    return SemanticLayer(load_model(MODEL), DuckDBEngine.open(data=tables))


def drawn_asker(chance: random.Random) -> SecurityContext:
    given = {name: chance.choice(values) for name, values in VALUES.items() if chance.random() < 0.85}
    groups = frozenset(
        name for name in ("clerks", "dated", "priced") if chance.random() < (0.9 if name == "clerks" else 0.15)
    )
    tenant = {"tenant": chance.choice(["EMEA", "APAC", 3])} if chance.random() < 0.8 else {}
    return SecurityContext("ana", groups, given, tenant, unrestricted=chance.random() < 0.05)


def spelled(query: CompiledQuery) -> str:
    """The SQL with its values in it, whatever their placeholders are called."""
    return re.sub(r"\$(p\d+)\b", lambda name: repr(query.params[name[1]]), query.sql)


def outcome(asked: SemanticLayer, asker: SecurityContext, sql: str) -> Any:
    try:
        query = asked.compile(asker, sql)
        rows = asked.query(asker, sql).table.to_pylist()
    except QueryError as error:
        return type(error), str(error)
    return spelled(query), query.columns, query.row_filters, query.notes, rows


def test_each_asker_has_what_a_fresh_layer_compiles() -> None:
    chance, warm, shared = random.Random(11), layer(), 0
    for _ in range(300):
        asker, sql = drawn_asker(chance), chance.choice(SQL)
        shared += warm.compiled(asker, sql)
        fresh = SemanticLayer(warm.model, warm.engine)
        assert outcome(warm, asker, sql) == outcome(fresh, asker, sql), (asker, sql)
    assert shared > 60, "hardly anything was shared: nothing was tried"


@pytest.mark.parametrize("sql", SQL[:6])
def test_nothing_of_an_asker_is_in_what_is_shared(sql: str) -> None:
    asked = layer()
    clerk = frozenset({"clerks"})
    asked.compile(SecurityContext("ana", clerk, {"city": CANARY, "region": f"{CANARY}2", "letter": f"{CANARY}3"}), sql)
    found = [each for each in gc.get_objects() if isinstance(each, SharedQuery)]
    assert asked.compiled(SecurityContext("bob", clerk, {"city": "town1", "region": "APAC", "letter": "a"}), sql)
    reached: dict[int, Any] = {}
    todo: list[Any] = list(found)
    while todo:
        at = todo.pop()
        if id(at) in reached or isinstance(at, type):
            continue
        reached[id(at)] = at
        todo += [] if isinstance(at, str) else gc.get_referents(at)
    texts = [each for each in reached.values() if isinstance(each, str)]
    assert any("GROUP BY" in text or "count" in text for text in texts), "nothing was looked through"
    assert not [text for text in texts if CANARY in text]


def test_a_value_that_the_query_says_too_stays_what_the_query_says() -> None:
    """Two that are equal have one placeholder: who comes next has another value, and the question has not."""
    asked, sql = layer(), "SELECT COUNT(*) AS n FROM sales WHERE city = 'town1'"
    clerk = frozenset({"clerks"})
    counted = {
        city: asked.query(SecurityContext("u", clerk, {"city": city}), sql).table.to_pylist()[0]["n"]
        for city in ("town1", "town2", "town1", "town3")
    }
    assert counted == {"town1": 15, "town2": 0, "town3": 0}


def test_whom_other_policies_match_is_given_another_query() -> None:
    asked, sql = layer(), "SELECT COUNT(*) AS n FROM sales"
    clerk = frozenset({"clerks"})
    askers = [
        {"city": "town1"},
        {"city": "town1", "level": "high", "letter": "a"},
        {"city": "town2", "level": "low"},
        {},
    ]
    seen = [asked.query(SecurityContext("u", clerk, given), sql).table.to_pylist()[0]["n"] for given in askers]
    assert seen == [15, 30, 15, 0]
    for one, other in itertools.pairwise(askers):
        alone = SemanticLayer(asked.model, asked.engine)
        alone.compile(SecurityContext("u", clerk, one), sql)
        assert not alone.compiled(SecurityContext("u", clerk, other), sql)
