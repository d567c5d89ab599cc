"""What is kept changes nothing: a layer that has answered others gives each asker what a fresh one would."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svc_notebook.semantic.compiler.join_tree import context as compilation
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import Limits, SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.policies import policy
from svc_notebook.semantic.results.cache import Cache, weight
from svc_notebook.semantic.sight import Sight

ORDERS = pa.table({"id": [1, 2, 3, 4], "region": ["EMEA", "EMEA", "APAC", "APAC"], "amount": [1.0, 2.0, 3.0, 4.0]})
MODEL: dict[str, Any] = {
    "cubes": [
        {
            "name": "orders",
            "sql_table": "orders",
            "dimensions": [
                {"name": "id", "sql": "id", "type": "number", "primary_key": True},
                {"name": "region", "sql": "region", "type": "string"},
                {"name": "amount", "sql": "amount", "type": "number"},
            ],
            "measures": [{"name": "count", "type": "count"}],
            "access_policy": [
                {
                    "group": "*",
                    "row_level": {
                        "filters": [{"member": "region", "operator": "equals", "values": ["{ userAttributes.region }"]}]
                    },
                    "member_level": {"includes": ["region", "count"]},
                },
                {
                    "group": "managers",
                    "conditions": [{"if": "{ securityContext.level }"}],
                    "row_level": {"allow_all": True},
                    "member_level": {"includes": "*"},
                },
            ],
        }
    ]
}
SQL = [
    "SELECT region, COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY 1",
    "SELECT SUM(amount) AS s FROM orders",
    "SELECT MEASURE(count) FROM orders",
]
ENGINE = DuckDBEngine.open(data={"orders": ORDERS})
LOADED = load_model(MODEL)
WARM = SemanticLayer(LOADED, ENGINE, Limits(memory=40_000))  # so little that entries come and go

values = st.sampled_from(["EMEA", "APAC", ["EMEA"], ["EMEA", "APAC"], [], None, 1, True, "1", "True"])
askers = st.builds(
    SecurityContext,
    user=st.sampled_from(["ana", "bob"]),
    groups=st.frozensets(st.sampled_from(["managers", "analysts"])),
    user_attributes=st.dictionaries(st.sampled_from(["region", "city"]), values, max_size=2),
    security_context=st.dictionaries(st.just("level"), st.sampled_from([True, False, 0, 1, "", "x", None])),
    unrestricted=st.booleans(),
)


def outcome(layer: SemanticLayer, asker: SecurityContext, sql: str) -> Any:
    try:
        return layer.query(asker, sql).table.to_pylist()
    except QueryError as error:
        return type(error).__name__, str(error)


@settings(max_examples=30)
@given(st.lists(st.tuples(askers, st.sampled_from(SQL)), min_size=1, max_size=8))
def test_each_asker_gets_what_a_fresh_layer_gives(asked: list[tuple[SecurityContext, str]]) -> None:
    for asker, sql in asked:
        fresh = SemanticLayer(LOADED, ENGINE)
        assert WARM.catalog(asker) == fresh.catalog(asker)
        assert [r.name for r, _ in WARM.search(asker, "amount")] == [r.name for r, _ in fresh.search(asker, "amount")]
        assert outcome(WARM, asker, sql) == outcome(fresh, asker, sql)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"user_attributes": {"region": "EMEA"}}, {"user_attributes": {"region": "APAC"}}),
        ({"user_attributes": {"region": "EMEA"}}, {"user_attributes": {"region": ["EMEA", "APAC"]}}),
        ({"user_attributes": {"region": "EMEA"}}, {"user_attributes": {}}),
        (
            {"groups": frozenset({"managers"}), "security_context": {"level": True}},
            {"groups": frozenset({"managers"}), "security_context": {"level": False}},
        ),
        (
            {"groups": frozenset({"managers"}), "security_context": {"level": True}},
            {"groups": frozenset({"analysts"}), "security_context": {"level": True}},
        ),
    ],
)
def test_askers_who_differ_in_one_thing_that_a_policy_reads_share_no_answer(one: Any, other: Any) -> None:
    layer = SemanticLayer(LOADED, ENGINE)
    answers = [outcome(layer, SecurityContext(user="ana", **rights), SQL[0]) for rights in (one, other, one)]
    assert answers[0] == answers[2] != answers[1]


def test_askers_who_see_the_same_share_one_catalog() -> None:
    layer = SemanticLayer(LOADED, ENGINE)
    seen = [layer.catalog(SecurityContext(user=f"u{n}", user_attributes={"region": f"r{n}"})) for n in range(300)]
    assert all(catalog is seen[0] for catalog in seen)
    manager = SecurityContext(user="m", groups=frozenset({"managers"}), security_context={"level": True})
    assert layer.catalog(manager) is not seen[0]
    assert "orders.amount" not in {m.path for m in seen[0].relations["orders"].members.values()}


def test_a_sight_looks_once_for_what_it_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    layer, asker = SemanticLayer(LOADED, ENGINE), SecurityContext(user="ana", user_attributes={"region": "EMEA"})
    looked, look = [], layer.seen
    monkeypatch.setattr(layer, "seen", lambda ctx: looked.append(ctx) or look(ctx))
    sight = Sight(layer, asker)
    assert (sight.outlook, sight.catalog) == look(asker)
    assert sight.catalog is layer.catalog(asker)
    assert looked == [asker, asker]  # by the sight, and by what it was compared with


@given(st.lists(st.tuples(st.integers(0, 20), st.text(max_size=200)), max_size=60))
def test_a_cache_keeps_to_its_room(entries: list[tuple[int, str]]) -> None:
    cache: Cache[str] = Cache(1_000)
    for key, text in entries:
        assert cache.put(key, text) == text
        assert cache.find(key) == text
        assert cache.used <= 1_000 or len(cache) == 1
        assert cache.used == sum(size for _, size in cache._entries.values())


def test_what_was_used_last_stays() -> None:
    cache: Cache[str] = Cache(2 * (weight("a") + weight("x" * 100)))
    cache.put("a", "x" * 100)
    cache.put("b", "x" * 100)
    assert cache.find("a")
    cache.put("c", "x" * 100)
    assert (cache.find("a") is not None, cache.find("b"), cache.find("c") is not None) == (True, None, True)


def test_a_query_looks_at_what_it_names_and_not_at_the_whole_model(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    real = policy.matching

    def matching(relation: Any, ctx: SecurityContext) -> tuple[int, ...] | None:
        looked.append(relation.name)
        return real(relation, ctx)

    for module in (policy, compilation):
        monkeypatch.setattr(module, "matching", matching)
    cube = MODEL["cubes"][0]
    wide = load_model({"cubes": [{**cube, "name": name} for name in ["orders", *(f"other{n}" for n in range(50))]]})
    layer = SemanticLayer(wide, ENGINE)
    ana = SecurityContext(user_attributes={"region": ["EMEA"]})
    for sql in (SQL[0], "SELECT region FROM ORDERS"):
        looked.clear()
        layer.compile(ana, sql)
        assert set(looked) == {"orders"}
        assert len(looked) <= 2


@pytest.mark.parametrize("hidden", [True, False])
def test_names_that_differ_in_case_alone_are_told_apart_among_what_is_seen(hidden: bool) -> None:
    cube = {name: value for name, value in MODEL["cubes"][0].items() if name != "access_policy"}
    both = load_model({"cubes": [cube, {**cube, "name": "ORDERS", "public": not hidden}]})
    layer = SemanticLayer(both, ENGINE)
    layer.compile(SecurityContext(), "SELECT COUNT(*) AS n FROM orders")
    if hidden:
        layer.compile(SecurityContext(), "SELECT COUNT(*) AS n FROM Orders")
    else:
        with pytest.raises(QueryError, match="There is no cube or view 'Orders'"):
            layer.compile(SecurityContext(), "SELECT COUNT(*) AS n FROM Orders")
