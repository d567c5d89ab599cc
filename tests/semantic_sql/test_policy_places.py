"""Where a policy's conditions stand in the joins, and whose members they name: every part of the answer goes by them.

The buyers of a shop are reached from its sales by to-one steps: who is counted once each is found from the buyers alone,
by conditions on them and on the sales that lead to them. Hidden are: sale 3 (secret), sale 4 (its shop is closed), sale 7
(its buyer is a child), and in ``wide`` sale 5 (its buyer's area is closed; one that is not known is not); sale 6 is of no
known buyer.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pandas as pd
import pytest
import yaml

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import ModelError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from ..semantic_model.layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: sales
    sql_table: sales
    public: false
    joins:
      - {name: buyers, relationship: many_to_one, sql: "{CUBE}.buyer = {buyers}.buyer"}
      - {name: shops, relationship: many_to_one, sql: "{CUBE}.shop = {shops}.shop"}
      - {name: lines, relationship: one_to_many, sql: "{CUBE}.sale = {lines}.sale"}
    dimensions:
      - {name: sale, sql: sale, type: number, primary_key: true, public: true}
      - {name: secret, sql: secret, type: boolean}
    measures: [{name: sold, type: count}]
    access_policy: [{group: "*", row_level: {filters: [{member: secret, operator: equals, values: [false]}]}}]
  - name: buyers
    sql_table: buyers
    joins:
      - {name: areas, relationship: many_to_one, sql: "{CUBE}.area = {areas}.area"}
      - {name: calls, relationship: one_to_many, sql: "{CUBE}.buyer = {calls}.buyer"}
      - {name: grades, relationship: many_to_one, sql: "{CUBE}.age = {grades}.age"}
    dimensions:
      - {name: buyer, sql: buyer, type: number, primary_key: true, public: true}
      - {name: age, sql: age, type: number}
      - {name: place, sql: "{areas.name}", type: string}
      - {name: called, sql: "{calls.count}", type: number, sub_query: true}
    measures: [{name: people, type: count}]
    access_policy: [{group: "*", row_level: {filters: [{member: age, operator: gt, values: [20]}]}}]
  - name: areas
    sql_table: areas
    public: false
    dimensions:
      - {name: area, sql: area, type: string, primary_key: true, public: true}
      - {name: name, sql: name, type: string}
      - {name: closed, sql: closed, type: boolean}
    access_policy: [{group: "*", row_level: {filters: [{member: closed, operator: notSet}]}}]
  - name: shops
    sql_table: shops
    public: false
    dimensions:
      - {name: shop, sql: shop, type: number, primary_key: true, public: true}
      - {name: closed, sql: closed, type: boolean}
    access_policy: [{group: "*", row_level: {filters: [{member: closed, operator: equals, values: [false]}]}}]
  - name: grades
    sql_table: grades
    dimensions:
      - {name: age, sql: age, type: number, primary_key: true, public: true}
      - {name: title, sql: title, type: string}
  - name: lines
    sql_table: lines
    dimensions: [{name: line, sql: line, type: number, primary_key: true, public: true}]
    measures: [{name: pieces, type: count}]
  - name: calls
    sql_table: calls
    dimensions:
      - {name: call, sql: call, type: number, primary_key: true, public: true}
      - {name: reason, sql: reason, type: string}
    measures: [{name: count, type: count}]
views:
  - name: near
    cubes:
      - {join_path: sales, includes: [sale, sold]}
      - {join_path: sales.buyers, includes: [buyer, age, people]}
      - {join_path: sales.shops, includes: [shop]}
      - {join_path: sales.buyers.calls, includes: [reason]}
      - {join_path: sales.lines, includes: [pieces]}
  - name: few
    cubes:
      - {join_path: sales, includes: [sale, sold]}
      - {join_path: sales.buyers, includes: [people]}
      - {join_path: sales.buyers.grades, includes: [title]}
  - name: wide
    cubes:
      - {join_path: sales, includes: [sale, sold]}
      - {join_path: sales.buyers, includes: [buyer, people]}
      - {join_path: sales.buyers.areas, includes: [name]}
"""
TABLES = {
    "sales": pd.DataFrame({"sale": [1, 2, 3, 4, 5, 6, 7], "buyer": [1, 1, 2, 3, 4, 9, 5], "shop": [1, 1, 1, 2, 1, 1, 1],
                           "secret": [False, False, True, False, False, False, False]}),
    "buyers": pd.DataFrame({"buyer": [1, 2, 3, 4, 5, 6], "age": [30, 40, 50, 60, 10, 70], "area": ["a", "a", "z", "b", "a", "a"]}),
    "areas": pd.DataFrame({"area": ["a", "b"], "name": ["North", "South"], "closed": [None, True]}),
    "shops": pd.DataFrame({"shop": [1, 2], "closed": [False, True]}),
    "grades": pd.DataFrame({"age": [30, 60], "title": ["good", "good"]}),
    "lines": pd.DataFrame({"line": [1, 2, 3], "sale": [1, 1, 3]}),
    "calls": pd.DataFrame({"call": [1, 2, 3], "buyer": [1, 1, 2], "reason": ["x", "y", "x"]}),
}  # fmt: skip
AGED = '    access_policy: [{group: "*", row_level: {filters: [{member: age, operator: gt, values: [20]}]}}]\n'
SECRET = (
    '    access_policy: [{group: "*", row_level: {filters: [{member: secret, operator: equals, values: [false]}]}}]\n'
)
ANA = SecurityContext(user="ana", user_attributes={"shop": [1]})


def model_with(*changes: tuple[str, str]) -> str:
    model = MODEL
    for old, new in changes:
        assert model.count(old) == 1, old
        model = model.replace(old, new)
    return model


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, TABLES) as made:
        yield made


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT sale FROM near ORDER BY 1", [1, 2, 5]),
        ("SELECT MEASURE(people) FROM near", [2]),
        ("SELECT age, MEASURE(people) FROM near GROUP BY 1 ORDER BY 1", [(30, 1), (60, 1)]),
        ("SELECT age, MEASURE(people), MEASURE(sold) FROM near GROUP BY 1 ORDER BY 1", [(30, 1, 2), (60, 1, 1)]),
        ("SELECT shop, MEASURE(people) FROM near GROUP BY 1", [(1, 2)]),
        ("SELECT sale, MEASURE(people) FROM near GROUP BY 1 ORDER BY 1", [(1, 1), (2, 1), (5, 1)]),
        ("SELECT reason, MEASURE(people) FROM near GROUP BY 1 ORDER BY 1", [("x", 1), ("y", 1), (None, 1)]),
        ("SELECT MEASURE(people), MEASURE(pieces) FROM near", [(2, 2)]),
        ("SELECT sale FROM wide ORDER BY 1", [1, 2, 4]),
        ("SELECT MEASURE(people) FROM wide", [2]),
        ("SELECT name, MEASURE(people) FROM wide GROUP BY 1 ORDER BY 1", [("North", 1), (None, 1)]),
        ("SELECT name, MEASURE(people), MEASURE(sold) FROM wide GROUP BY 1 ORDER BY 1", [("North", 1, 2), (None, 1, 1)]),
        ("SELECT buyer FROM buyers ORDER BY 1", [1, 2, 3, 4, 6]),  # the areas' policy counts where they are read
        ("SELECT buyer, place FROM buyers ORDER BY 1", [(1, "North"), (2, "North"), (3, None), (6, "North")]),
        ("SELECT buyer, called FROM buyers ORDER BY 1", [(1, 2), (2, 1), (3, 0), (4, 0), (6, 0)]),
    ],
)  # fmt: skip
def test_what_is_left_of_joined_rows(layer: SemanticLayer, sql: str, expected: list[Any]) -> None:
    assert rows(layer, sql, ANA) == [each if isinstance(each, tuple) else (each,) for each in expected]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT MEASURE(people) FROM near", [(2,)]),
        ("SELECT name, MEASURE(people) FROM wide GROUP BY 1 ORDER BY 1", [("North", 1), (None, 1)]),
        ("SELECT MEASURE(people) FROM few", [(3,)]),
        ("SELECT title, MEASURE(people) FROM few GROUP BY 1 ORDER BY 1", [("good", 2), (None, 1)]),
    ],
)
def test_whom_rows_lead_to_is_found_without_the_join_that_repeats_them(
    layer: SemanticLayer, sql: str, expected: list[tuple[Any, ...]]
) -> None:
    text = layer.compile(ANA, sql).sql
    assert "EXISTS (SELECT 1 FROM" in text
    assert "SELECT DISTINCT" not in text
    assert rows(layer, sql, ANA) == expected


OPEN = model_with((AGED, ""))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT age, MEASURE(people) FROM near GROUP BY 1 ORDER BY 1", [(10, 1), (30, 1), (60, 1), (None, 0)]),
        ("SELECT name, MEASURE(people) FROM wide GROUP BY 1 ORDER BY 1", [("North", 2), (None, 1)]),
        ("SELECT name, MEASURE(people), MEASURE(sold) FROM wide GROUP BY 1 ORDER BY 1", [("North", 2, 3), (None, 1, 2)]),
        ("SELECT sale FROM wide ORDER BY 1", [(1,), (2,), (4,), (6,), (7,)]),
    ],
)  # fmt: skip
def test_rows_that_lead_to_nobody_are_a_group_of_their_own(sql: str, expected: list[tuple[Any, ...]]) -> None:
    with opened(OPEN, TABLES) as made:
        assert rows(made, sql, ANA) == expected


def test_no_group_of_its_own_where_no_permitted_row_leads_to_nobody() -> None:
    tables = {**TABLES, "sales": TABLES["sales"].assign(secret=[False, False, True, False, False, True, False])}
    with opened(OPEN, tables) as made:
        asked = "SELECT age, MEASURE(people) FROM near GROUP BY 1 ORDER BY 1"
        assert rows(made, asked, ANA) == [(10, 1), (30, 1), (60, 1)]


def test_a_condition_of_one_side_and_one_that_compares_both() -> None:
    both = SECRET.replace("[{member: secret", "[{or: [{member: buyers.age, operator: gt, values: [55]}, {member: secret").replace(
        "values: [false]}]}", "values: [false]}]}]}"
    )  # fmt: skip
    far = SECRET.replace(
        "{member: secret, operator: equals, values: [false]}", "{member: shops.shop, operator: equals, values: [1]}"
    )
    near = AGED.replace(
        "{member: age, operator: gt, values: [20]}", "{member: areas.name, operator: equals, values: [North]}"
    )
    asked = ("SELECT MEASURE(people) FROM near", "SELECT sale FROM near ORDER BY 1")
    for changes, expected in (
        ([(SECRET, both)], [[(2,)], [(1,), (2,), (5,)]]),
        ([(SECRET, far)], [[(3,)], [(1,), (2,), (3,), (5,)]]),
        ([(AGED, near)], [[(2,)], [(1,), (2,), (7,)]]),
    ):
        with opened(model_with(*changes), TABLES) as made:
            assert [rows(made, sql, ANA) for sql in asked] == expected


# --- whose rows, for which members ------------------------------------------------------------------------------------

PARTS = """[
      {group: "*", member_level: {includes: [buyer, age]}, row_level: {filters: [{member: age, operator: lt, values: [45]}]}},
      {group: "*", member_level: {includes: [buyer, place]}, row_level: {filters: [{member: age, operator: gt, values: [45]}]}}]
"""


def test_policies_of_a_cube_count_by_the_members_that_are_used_of_it_in_a_view() -> None:
    view = "  - {name: all, cubes: [{join_path: buyers, includes: [{name: buyer, alias: who}, age, place]}]}\n"
    with opened(model_with((AGED, f"    access_policy: {PARTS}")) + view, TABLES) as made:
        for relation, key in (("all", "who"), ("buyers", "buyer")):
            assert rows(made, f"SELECT {key}, age FROM {relation} ORDER BY 1", ANA) == [(1, 30), (2, 40), (5, 10)]
            assert rows(made, f"SELECT {key}, place FROM {relation} ORDER BY 1", ANA) == [(3, None), (6, "North")]
            assert rows(made, f"SELECT {key} FROM {relation} ORDER BY 1", ANA) == [(1,), (2,), (3,), (4,), (5,), (6,)]
            result = made.query(ANA, f"SELECT {key}, age, place FROM {relation}")
            assert result.table.num_rows == 0
            assert result.notes == ("no policy grants this asker all members used together: no rows",)


def test_policies_of_a_view_count_by_its_members() -> None:
    view = (
        "  - {name: all, cubes: [{join_path: buyers, includes: [buyer, age, place]}], access_policy: "
        + PARTS.strip()
        + "}\n"
    )
    with opened(OPEN + view, TABLES) as made:
        assert rows(made, "SELECT buyer, age FROM all ORDER BY 1", ANA) == [(1, 30), (2, 40), (5, 10)]
        assert rows(made, "SELECT age, place FROM all", ANA) == []


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("{member: age, operator: gt, values: [55]}", [5]), ("{member: buyers_age, operator: gt, values: [55]}", [5]),
        ("{member: buyers.age, operator: gt, values: [55]}", [5]), ("{member: sales.sale, operator: equals, values: [2]}", [2]),
        ("{member: picked.shop, operator: equals, values: [1]}", [1, 2, 5]), ("{member: shop, operator: equals, values: ['{ userAttributes.shop }']}", [1, 2, 5]),
        ("{member: lines.line, operator: equals, values: [2]}", [1]),
    ],
)  # fmt: skip
def test_a_views_policy_names_its_members_or_those_of_its_cubes(policy: str, expected: list[int]) -> None:
    prefix = "true" if "buyers_age" in policy else "false"
    view = f"""  - name: picked
    cubes:
      - {{join_path: sales, includes: [sale, sold]}}
      - {{join_path: sales.shops, includes: [shop]}}
      - {{join_path: sales.buyers, includes: [age, people], prefix: {prefix}}}
      - {{join_path: sales.lines, includes: [line]}}
    access_policy: [{{group: "*", row_level: {{filters: [{policy}]}}}}]
"""
    with opened(MODEL + view, TABLES) as made:
        assert rows(made, "SELECT sale FROM picked ORDER BY 1", ANA) == [(sale,) for sale in expected]


BELOW = """  - name: below
    cubes:
      - {join_path: sales, includes: [sale, sold]}
      - {join_path: sales.lines, includes: [line]}
    access_policy:
      - {group: "*", row_level: {filters: [{member: line, operator: lt, values: [9]}]}}
      - {group: chief, row_level: {allow_all: true}}
"""


def test_rows_that_a_views_policy_joins_are_counted_once() -> None:
    with opened(model_with((SECRET, "")) + BELOW, TABLES) as made:
        assert rows(made, "SELECT MEASURE(sold) FROM below", ANA) == [(2,)]
        chief = SecurityContext(user="cleo", groups=frozenset({"chief"}))
        assert rows(made, "SELECT MEASURE(sold) FROM below", chief) == [(7,)]
        assert rows(made, "SELECT MEASURE(sold) FROM below", OPERATOR) == [(7,)]


# --- what a policy looks at -------------------------------------------------------------------------------------------

MOMENT = datetime(2024, 2, 5, 12, tzinfo=UTC)
KINDS = """
cubes:
  - name: things
    sql_table: things
    dimensions:
      - {name: n, sql: n, type: number, primary_key: true, public: true}
      - {name: code, sql: "CAST({CUBE}.code AS UUID)", type: string}
      - {name: seen, sql: seen, type: time}
    measures: [{name: count, type: count}]
    segments: [{name: even, sql: "{CUBE}.n % 2 = 0"}]
    access_policy: [{group: "*", row_level: {filters: [POLICY]}}]
"""
THINGS = {"things": pd.DataFrame({
    "n": [1, 2, 3], "code": [str(UUID(int=n)) for n in (1, 2, 3)],
    "seen": [MOMENT.replace(day=day) for day in (4, 5, 6)],
})}  # fmt: skip


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (f"{{member: code, operator: equals, values: ['{UUID(int=3)}']}}", [3]),
        ("{member: seen, operator: beforeDate, values: ['2024-02-06']}", [1, 2]),
        ("{member: things.n, operator: gt, values: [1]}", [2, 3]),
    ],
)  # fmt: skip
def test_a_policy_looks_at_ids_and_moments(policy: str, expected: list[int]) -> None:
    with opened(KINDS.replace("POLICY", policy), THINGS) as made:
        assert rows(made, "SELECT n FROM things ORDER BY 1", ANA) == [(n,) for n in expected]


@pytest.mark.parametrize("member", ["count", "even", "absent"])
def test_a_policy_on_a_measure_a_segment_or_nothing_is_refused(member: str) -> None:
    policy = f"{{member: {member}, operator: gt, values: [1]}}"
    view = f"""views:
  - name: all
    cubes: [{{join_path: things, includes: "*"}}]
    access_policy: [{{group: "*", row_level: {{filters: [{policy}]}}}}]
"""
    for model in (KINDS.replace("POLICY", policy), KINDS.replace("POLICY", "{member: n, operator: set}") + view):
        with pytest.raises(ModelError, match=member):
            load_model(yaml.safe_load(model))


# --- what is told -----------------------------------------------------------------------------------------------------


def test_filters_are_told_once_and_by_what_the_asker_sees(layer: SemanticLayer) -> None:
    result = layer.query(ANA, "SELECT age, MEASURE(people), MEASURE(sold) FROM near GROUP BY 1")
    told = [(f.cube, f.filter, f.told.cube, f.told.filter) for f in result.row_filters if f.told is not None]
    assert told == [
        ("sales", "secret is False", "near", "a condition on what you do not see"),
        ("buyers", "age is greater than 20", "buyers", "age is greater than 20"),
        ("shops", "closed is False", "near", "a condition on what you do not see"),
    ]
    direct = layer.query(ANA, "SELECT buyer FROM buyers")
    assert [(f.cube, f.told.cube) for f in direct.row_filters if f.told] == [("buyers", "buyers")]


def test_what_is_not_known_of_the_asker_is_told_and_hides_only_what_needs_it() -> None:
    ages = """[
      {group: "*", row_level: {filters: [{member: age, operator: equals, values: ['{ userAttributes.age }']}]}},
      {group: "*", row_level: {filters: [{member: buyer, operator: equals, values: ['{ userAttributes.own }']}]}}]
"""
    with opened(model_with((AGED, f"    access_policy: {ages}")), TABLES) as made:
        asked = "SELECT buyer FROM buyers ORDER BY 1"
        nothing = made.query(SecurityContext(user="ana"), asked)
        assert nothing.table.num_rows == 0
        assert nothing.notes == ("user attribute 'age' is not set: no rows", "user attribute 'own' is not set: no rows")
        one = made.query(SecurityContext(user="ana", user_attributes={"own": 2}), asked)
        assert one.table.column(0).to_pylist() == [2]
        assert not one.notes
        text = made.compile(SecurityContext(user="ana", user_attributes={"own": 2}), asked).sql
        assert "FALSE" not in text
        assert rows(made, "SELECT MEASURE(people) FROM near", SecurityContext(user="ana")) == [(0,)]


CONTEXT = """
cubes:
  - name: lines
    sql: "SELECT * FROM lines WHERE {SECURITY_CONTEXT.lines.filter('line')}"
    joins: [{name: sales, relationship: many_to_one, sql: "{CUBE}.sale = {sales}.sale"}]
    dimensions:
      - {name: line, sql: line, type: number, primary_key: true, public: true}
  - name: sales
    sql_table: sales
    dimensions: [{name: sale, sql: sale, type: number, primary_key: true, public: true}]
views:
  - name: both
    cubes: [{join_path: lines, includes: [line]}, {join_path: lines.sales, includes: [sale]}]
"""


@pytest.mark.parametrize(
    ("relation", "member", "ends"), [("lines", "line", True), ("both", "sale", True), ("sales", "sale", False)]
)
def test_a_cube_that_filters_by_the_asker_ends_where_nothing_that_can_fail_goes_below(
    relation: str, member: str, ends: bool
) -> None:
    ana = SecurityContext(user="ana", security_context={"lines": [1, 2]})
    with opened(CONTEXT, TABLES) as made:
        failing = f"SELECT {member} * 9000000000000000000 AS x FROM {relation} WHERE {member} * 9000000000000000000 > 5"
        assert ("OFFSET 0" in made.compile(ana, failing).sql) == ends
        assert rows(made, "SELECT line FROM both ORDER BY 1", ana) == [(1,), (2,)]


def test_rows_that_have_nothing_of_what_a_views_policy_looks_at_are_hidden() -> None:
    view = """  - name: two
    cubes: [{join_path: shops, includes: [shop]}, {join_path: calls, includes: [reason]}]
    access_policy: [{group: "*", row_level: {filters: [{member: shop, operator: equals, values: [1]}]}}]
"""
    with opened(MODEL + view, TABLES) as made:
        assert rows(made, "SELECT shop FROM two", ANA) == [(1,)]
        result = made.query(ANA, "SELECT reason FROM two")
        assert result.table.num_rows == 0
        assert result.notes == ("these rows have nothing of what it looks at: no rows",)
        assert [f.told.filter for f in result.row_filters if f.told] == [
            "a condition on what you do not see: these rows have nothing of what it looks at"
        ]


def test_a_cubes_member_is_not_mistaken_for_another_of_its_name() -> None:
    view = """  - name: named
    cubes:
      - {join_path: sales, includes: [{name: sale, alias: closed}]}
      - {join_path: sales.buyers.areas, includes: [{name: closed, alias: shut}]}
      - {join_path: sales.shops, includes: [shop, {name: closed, alias: ended}]}
    access_policy: [{group: "*", row_level: {filters: [{member: shops.closed, operator: equals, values: [false]}]}}]
"""
    with opened(MODEL + view, TABLES) as made:
        assert rows(made, "SELECT closed FROM named ORDER BY 1", ANA) == [(1,), (2,)]
        assert rows(made, "SELECT shop, ended FROM named WHERE closed = 1", ANA) == [(1, False)]
