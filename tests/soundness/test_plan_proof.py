"""A statement from which any one thing of the policy is missing is refused: each is taken away, over generated queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from svc_notebook.semantic.compiler.authored.index import ModelIndex
from svc_notebook.semantic.compiler.binding.binding import Binder
from svc_notebook.semantic.compiler.compile import finished
from svc_notebook.semantic.compiler.join_tree.asked import Placed
from svc_notebook.semantic.compiler.join_tree.context import Compilation
from svc_notebook.semantic.compiler.join_tree.probes import indexed
from svc_notebook.semantic.compiler.join_tree.rows import Barrier
from svc_notebook.semantic.compiler.policy.proof import prove
from svc_notebook.semantic.compiler.query.failing import may_fail
from svc_notebook.semantic.compiler.query.text import parse_query
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import EngineFailure, QueryError
from svc_notebook.semantic.json_queries.json_query import translate
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from ..semantic_model.layers import OPERATOR, opened, rows
from ..semantic_sql import test_mask_places as masks
from ..semantic_sql import test_policy_places as places
from ..semantic_sql.shop import open_shop, user
from ..semantic_sql.test_golden import POLICY
from .grammar import Grammar
from .json_grammar import json_query
from .taken_away import lesser, policy_conditions
from .worlds import build_full, shapes

NOW = datetime(2024, 11, 20, tzinfo=UTC)
Statement = tuple[Compilation, str]
World = tuple[ModelIndex, SemanticLayer, SecurityContext]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[World]]:
    engine = DuckDBEngine.open(build_full(tmp_path_factory.mktemp("proof") / "full.duckdb", hidden_rows=10))
    layers = [(SemanticLayer(load_model(shape.policed_model()), engine), shape.context) for shape in shapes()]
    yield [(indexed(layer.model, engine), layer, ctx) for layer, ctx in layers]
    engine.close()


def statement(index: ModelIndex, ctx: SecurityContext, sql: str) -> Statement | None:
    """A finished statement and what it was made from, before anything was proven of it; None if it is refused."""
    with suppress(QueryError):
        compilation, text, _ = finished(index, ctx, sql, "UTC", {})
        return compilation, text
    return None


def refused(compilation: Compilation, text: str) -> bool:
    try:
        prove(compilation, text)
    except EngineFailure:
        return True
    return False


def kept(compilation: Compilation, text: str) -> tuple[Counter[str], list[str]]:
    """What was taken away of a statement, how often, and what of that was let through."""
    tried: Counter[str] = Counter()
    let_through: list[str] = []
    placed = list(compilation.placed)

    def put(what: str, at: int, part: Placed) -> None:
        tried[what] += 1
        compilation.placed = [*placed[:at], part, *placed[at + 1 :]]
        if not refused(compilation, text.replace(placed[at].text, part.text)):
            let_through.append(f"{what}: {placed[at].text}")

    for at, one in enumerate(placed):
        for what, part in lesser(one.part):
            put(what, at, replace(one, part=part, text=compilation.settle(part.sql)))
        rows = one.part.rows if isinstance(one.part, Barrier) else one.part
        for test in {test for body in rows.bodies for test in policy_conditions(body)}:
            put("text of a condition", at, replace(one, text=one.text.replace(test, "TRUE")))
        if isinstance(one.part, Barrier):
            put("text of a barrier", at, replace(one, text=one.text.replace(" OFFSET 0)", ")")))
        for text_of_mask in {
            t for c in rows.columns if c.mask is not None for t in (c.mask.hidden, c.mask.unless) if t
        }:
            put("text of a mask", at, replace(one, text=one.text.replace(text_of_mask, "")))
        if any(True for body in rows.bodies for _ in policy_conditions(body)):
            tried["rows"] += 1
            compilation.placed = [*placed[:at], *placed[at + 1 :]]
            if not one.inside and not refused(compilation, text):
                let_through.append(f"rows: {one.text}")
    compilation.placed = placed
    tolds = list(compilation.told)
    for at, (asked, told) in enumerate(tolds):
        if told().masked:
            tried["mask of a measure"] += 1
            bare = replace(told(), masked=False)
            for others in ([], [(asked, lambda bare=bare: bare)]):
                compilation.told = [*tolds[:at], *others, *tolds[at + 1 :]]
                same = any(t().member == bare.member for _, t in compilation.told if t().masked)
                if not refused(compilation, text) and not (same and not others):
                    let_through.append(f"mask of {bare.member}")
    compilation.told = tolds
    return tried, let_through


def tried_of(statements: list[Statement]) -> Counter[str]:
    tried: Counter[str] = Counter()
    for compilation, text in statements:
        assert not refused(compilation, text), text
        counted, let_through = kept(compilation, text)
        assert not let_through, let_through[0]
        tried += counted
    return tried


def test_nothing_of_a_policy_can_be_taken_from_generated_queries(worlds: list[World]) -> None:
    found: list[Statement | None] = []
    for seed in range(100):
        index, _, ctx = worlds[seed % len(worlds)]
        found.append(statement(index, ctx, Grammar(seed, depth=2).query()))
    for seed in range(40):
        index, layer, ctx = worlds[seed % len(worlds)]
        with suppress(QueryError):
            found += [statement(index, ctx, q.sql) for q in translate(json_query(seed), layer.catalog(ctx), now=NOW)]
    statements = [one for one in found if one is not None]
    assert len(statements) > 90
    tried = tried_of(statements)
    assert min(tried[what] for what in ("condition", "barrier", "packing", "mask", "screen", "rows")) > 5, tried


PLACES = (
    "SELECT sale FROM near ORDER BY 1", "SELECT MEASURE(people) FROM near", "SELECT reason, MEASURE(people) FROM near GROUP BY 1",
    "SELECT age, MEASURE(people), MEASURE(sold) FROM near GROUP BY 1", "SELECT MEASURE(people), MEASURE(pieces) FROM near",
    "SELECT buyer, called FROM buyers ORDER BY 1", "SELECT buyer, place FROM buyers", "SELECT title, MEASURE(people) FROM few GROUP BY 1",
    "SELECT sale FROM sales WHERE sale / 0 > 1", "SELECT reason FROM calls LIMIT 1",
)  # fmt: skip
SCREENED = places.model_with(
    ("    measures: [{name: count, type: count}]\n", f"    measures: [{{name: count, type: count}}]\n{places.SECRET.replace('secret', 'reason').replace('false', 'x')}"),
)  # fmt: skip


def test_nothing_can_be_taken_from_rows_that_are_joined_in_other_ways() -> None:
    with opened(SCREENED, places.TABLES) as layer:
        index = indexed(layer.model, layer.engine)
        statements = [statement(index, places.ANA, sql) for sql in PLACES]
    tried = tried_of([one for one in statements if one is not None])
    wanted = {"screen", "screen's condition", "condition on what leads there", "what leads there", "condition", "rows"}
    assert wanted <= set(tried), tried


def test_no_mask_can_be_taken_away() -> None:
    policy = masks.MASKED % ("cost, most, spent", "cost, most, spent")
    some = f'{masks.ON_ROWS % ("open", "true")}, {{group: "*", member_level: {{includes: "*", excludes: [cost]}}, member_masking: {{includes: [cost]}}}}'
    tried: Counter[str] = Counter()
    for policies in (policy, some):
        model = masks.MODEL.replace("PUBLIC", "true").replace("VISITS", f"    access_policy: [{policies}]")
        with opened(model.replace("PEOPLE", "").replace("VIEW", ""), masks.TABLES) as layer:
            asked = [
                "SELECT visit, cost FROM visits", "SELECT cost, MEASURE(spent) FROM visits GROUP BY 1", "SELECT spent FROM visits",
                "SELECT v.cost, MEASURE(v.most), MEASURE(v.twice) FROM v GROUP BY 1",
            ]  # fmt: skip
            index = indexed(layer.model, layer.engine)
            found = [statement(index, masks.ANA, sql) for sql in asked]
            tried += tried_of([one for one in found if one is not None])
    assert {"mask", "mask's rows", "mask of a measure", "text of a mask"} <= set(tried), tried


def tried_of_visits(*asked: str, **policies: str) -> Counter[str]:
    """What was taken away of statements over the visits, under these policies of the cubes and of the view."""
    model = masks.MODEL.replace("PUBLIC", "true")
    for name in ("visits", "people", "view"):
        model = model.replace(name.upper(), f"    access_policy: [{policies[name]}]" if name in policies else "")
    with opened(model, masks.TABLES) as layer:
        index = indexed(layer.model, layer.engine)
        found = [one for sql in asked if (one := statement(index, masks.ANA, sql)) is not None]
        assert len(found) == len(asked)
        return tried_of(found)


def test_nothing_of_a_views_own_policy_can_be_taken_away() -> None:
    rows_of = '{group: "*", row_level: {filters: [{member: open, operator: equals, values: [true]}]}}'
    tried = tried_of_visits("SELECT cost * 2 FROM v", "SELECT MEASURE(spent) FROM v", view=rows_of)
    assert {"condition", "barrier", "text of a barrier"} <= set(tried), tried
    assert "mask" in tried_of_visits("SELECT age FROM v", view=masks.masked("age"))


def test_what_counts_is_the_policies_that_cover_the_members_asked() -> None:
    of_age = '{group: "*", member_level: {includes: [age]}, row_level: {filters: [{member: name, operator: equals, values: [Bob]}]}}'
    of_all = (
        '{group: "*", member_level: {includes: "*"}, row_level: {filters: [{member: age, operator: gt, values: [20]}]}}'
    )
    nobody = (
        '{group: "*", row_level: {filters: [{member: name, operator: equals, values: ["{ userAttributes.none }"]}]}}'
    )
    tried = tried_of_visits("SELECT visit, name FROM v", people=f"{of_age}, {of_all}")
    assert tried["condition"]
    assert tried_of_visits("SELECT name FROM people", people=f"{nobody}, {of_all}")["condition"]


def test_a_measure_may_select_from_a_governed_table_by_itself() -> None:
    share = "{name: share, type: number, sql: 'COUNT(*) * 1.0 / (SELECT COUNT(*) FROM visits)'}"
    of_people = "{name: each, type: number, sql: '{count} * 3.0 / (SELECT COUNT(*) FROM people)'}"
    policy = '{group: "*", row_level: {filters: [{member: open, operator: equals, values: [true]}]}}'
    model = masks.MODEL.replace("PUBLIC", "true").replace("VISITS", f"    access_policy: [{policy}]")
    model = model.replace(
        "      - {name: count, type: count}\n",
        f"      - {{name: count, type: count}}\n      - {share}\n      - {of_people}\n",
    )
    with opened(model.replace("PEOPLE", "").replace("VIEW", ""), masks.TABLES) as layer:
        assert rows(layer, "SELECT MEASURE(share), MEASURE(each) FROM visits", masks.ANA) == [(0.5, 2.0)]


@pytest.mark.parametrize("sql", ["SELECT cost FROM visits", "SELECT MEASURE(spent) FROM visits"])
def test_a_member_that_is_not_the_askers_is_refused(sql: str, caplog: pytest.LogCaptureFixture) -> None:
    model = masks.MODEL.replace("PUBLIC", "true").replace("PEOPLE", "").replace("VIEW", "")
    with opened(model.replace("VISITS", f"    access_policy: [{masks.masked('spent')}]"), masks.TABLES) as layer:
        index = indexed(layer.model, layer.engine)
        hidden, unused = statement(index, masks.ANA, sql), statement(index, masks.ANA, sql)
    assert hidden is not None and unused is not None and not refused(*hidden)
    hidden[0]._members["visits"] = {}
    assert refused(*hidden)
    assert "not the asker's to name" in caplog.text
    unused[0].placed[0].asked.used["visits"].clear()
    assert refused(*unused)


SECRETS = """
cubes:
  - name: orders
    sql: SELECT * FROM orders WHERE {SECURITY_CONTEXT.region.filter('region')}
    dimensions: [{name: id, sql: id, type: number, primary_key: true, public: true}]
"""


def test_a_cube_whose_sql_asks_for_the_asker_is_read_with_the_askers_values() -> None:
    ctx = SecurityContext(user="ana", security_context={"region": "EMEA"})
    with opened(SECRETS, {"orders": [{"id": 1, "region": "EMEA"}]}) as layer:
        one = statement(indexed(layer.model, layer.engine), ctx, "SELECT id FROM orders")
        two = statement(indexed(layer.model, layer.engine), ctx, "SELECT id * 2 FROM orders")
    assert one is not None and two is not None
    assert tried_of([two])["barrier"]
    compilation, text = one
    assert not refused(compilation, text)
    placed = compilation.placed[0]
    rows = placed.part.rows if isinstance(placed.part, Barrier) else placed.part
    open_scan = replace(rows.bodies[0].start, base="(SELECT * FROM orders WHERE TRUE)")  # type: ignore[type-var]
    bodies = (replace(rows.bodies[0], start=open_scan),)
    compilation.placed = [replace(placed, part=replace(rows, bodies=bodies))]
    assert refused(compilation, text)


def test_a_governed_table_beside_the_rows_is_refused(worlds: list[World]) -> None:
    one = statement(worlds[0][0], worlds[0][2], "SELECT count(*) FROM orders")
    assert one is not None
    table = next(name for name in one[1].split() if name.endswith('"orders"'))
    assert refused(one[0], f"{one[1]} UNION ALL SELECT count(*) FROM {table}")


FAILING = (
    "left(status, 2) = 'a'", "date_trunc('month', placed_at) > DATE '2024-01-01'", "regexp_matches(status, 'a')",
    "status SIMILAR TO 'a%'", "to_char(placed_at, 'YYYY') = '2024'", "substring(status FROM 'a') = 'a'",
    "substring(status, id) = 'a'", "date_diff('day', placed_at, placed_at) > 1", "abs(amount) > 1", "round(amount, 1) > 1",
    "amount % 2 = 1", "pow(amount, 2) > 1", "width_bucket(amount, 0, 10, 5) = 1", "extract(week FROM placed_at) = 1",
    "status->>'a' = 'b'", "make_date(id, 1, 1) > DATE '2024-01-01'", "last_day(placed_at) > DATE '2024-01-01'",
    "time_bucket(INTERVAL '1 day', placed_at) > DATE '2024-01-01'", "to_timestamp(id) > DATE '2024-01-01'",
    "amount = (SELECT o.amount FROM orders o WHERE o.id = 1)", "status || left(status, id) = 'a'",
)  # fmt: skip


@pytest.fixture
def noting_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that notes of no operation, while it compiles one, that it may fail."""
    monkeypatch.setattr(Binder, "risky", lambda self, *parts: None)


@pytest.mark.usefixtures("noting_nothing")
@pytest.mark.parametrize("condition", FAILING)
def test_what_may_fail_on_a_row_stands_above_a_barrier_whatever_was_noted_of_it(condition: str) -> None:
    layer = open_shop({"orders": [POLICY]})
    asker, sql = user(status=["paid"]), f"SELECT COUNT(*) FROM orders WHERE {condition}"
    index = indexed(layer.model, layer.engine)
    one = statement(index, asker, sql)
    assert one is not None
    one[0].raising = False  # the proof finds by itself that the barrier must stand
    assert tried_of([one])["barrier"]
    layer.close()


HARMLESS = (
    "SELECT status, SUM(amount) AS total FROM orders GROUP BY 1 HAVING round(total, 1) > 3",
    "SELECT status, SUM(amount) AS total FROM orders GROUP BY 1 ORDER BY abs(total)",
    "SELECT status, SUM(amount) AS total FROM orders GROUP BY 1 QUALIFY row_number() OVER (ORDER BY 1) < round(total, 1)",
    "SELECT status, SUM(amount) FROM orders GROUP BY 1 ORDER BY abs(sum_amount)",
    "SELECT status, round(SUM(amount) FILTER (WHERE status = 'paid'), 1) FROM orders GROUP BY 1",
    "SELECT status, COUNT(*) FROM orders GROUP BY 1 HAVING count % 2 = 0", "SELECT abs(MEDIAN(amount)) FROM orders",
    "SELECT left(string_agg(status, ','), 2) FROM orders", "SELECT substring(status, 1, 2), round(amount), trunc(amount) FROM orders",
    "SELECT COUNT(*) FROM orders WHERE prefix(status, 'a')", "SELECT substring(status FOR 2) FROM orders",
    "SELECT status, abs(MEASURE(total)) FROM orders GROUP BY 1",
    "SELECT extract(month FROM placed_at) FROM orders", "SELECT COUNT(*) FROM orders WHERE amount IN (SELECT amount FROM orders)",
)  # fmt: skip


@pytest.mark.parametrize("sql", HARMLESS)
def test_what_cannot_fail_on_a_row_takes_no_barrier(sql: str) -> None:
    assert not may_fail(parse_query(sql).walk())
    layer = open_shop({"orders": [POLICY]})
    assert " OFFSET 0)" not in layer.compile(user(status=["paid"]), sql).sql
    layer.close()


NUMBERS = """
cubes:
  - name: facts
    sql_table: facts
    dimensions: [{name: whole, sql: whole, type: number}, {name: real, sql: real, type: number}]
    access_policy: [{group: "*", row_level: {filters: [{member: whole, operator: gt, values: [1]}]}}]
"""


@pytest.mark.parametrize("sign", "+-*")
def test_whole_numbers_may_overflow_and_floating_ones_cannot(sign: str) -> None:
    with opened(NUMBERS, {"facts": [{"whole": 2, "real": 0.5}]}) as layer:
        for one, other, barred in (("whole", "whole", True), ("whole", "real", False), ("real", "real", False)):
            sql = f"SELECT whole FROM facts WHERE {one} {sign} {other} > 0"
            assert (" OFFSET 0)" in layer.compile(user(), sql).sql) == barred


def test_a_column_called_as_a_function_is_a_column() -> None:
    """What is told of ``measure(…)`` is not told of what is reckoned with a column of that name."""
    assert may_fail(parse_query("SELECT abs(measure) FROM t").walk())
    assert not may_fail(parse_query("SELECT measure(total) FROM t").walk())


@pytest.mark.parametrize("clause", ["ORDER BY abs(x)", "QUALIFY row_number() OVER (ORDER BY 1) > abs(x)"])
def test_the_name_of_an_output_is_what_the_output_reads(clause: str) -> None:
    assert may_fail(parse_query(f"SELECT amount AS x FROM t {clause}").walk())
    assert not may_fail(parse_query(f"SELECT COUNT(*) AS x FROM t {clause}").walk())


def test_what_a_query_within_reads_is_its_own() -> None:
    assert not may_fail(parse_query("SELECT abs(CASE WHEN 1 IN (SELECT x FROM u) THEN 1 ELSE 2 END) FROM t").walk())


def test_so_does_a_member_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    model = masks.MODEL.replace("PUBLIC", "true").replace("PEOPLE", "").replace("VIEW", "")
    model = model.replace("sql: cost, type: number, mask: 0", "sql: '{CUBE}.cost * 2', type: number")
    policy = (
        '    access_policy: [{group: "*", row_level: {filters: [{member: open, operator: equals, values: [true]}]}}]'
    )
    with opened(model.replace("VISITS", policy), masks.TABLES) as layer:
        assert len(rows(layer, "SELECT cost FROM visits WHERE cost > 1", masks.ANA)) == 2
        noting_nothing = property(lambda self: False, lambda self, value: None)
        monkeypatch.setattr(Compilation, "raising", noting_nothing, raising=False)
        for relation in ("visits", "v"):
            with pytest.raises(EngineFailure):
                layer.compile(masks.ANA, f"SELECT cost FROM {relation} WHERE cost > 2")
        layer.compile(masks.ANA, "SELECT visit FROM visits WHERE visit > 2")


def test_the_operator_is_answered_over_a_cube_whose_sql_asks_for_the_asker() -> None:
    with opened(SECRETS, {"orders": [{"id": 1, "region": "EMEA"}]}) as layer:
        found = rows(layer, "SELECT round(count, 1) FROM (SELECT COUNT(*) AS count FROM orders) t", OPERATOR)
        assert found == rows(layer, "SELECT abs(id) FROM orders", OPERATOR) == [(1,)]
