"""Every mistake is found where it stands, with the near miss."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from svc_notebook.semantic.errors import ModelError
from svc_notebook.semantic.loader import check_model, load_model
from svc_notebook.semantic.loading.fields import snake_case

from .models import SHOP, errors, findings

# in the shop: what is replaced, by what, the line and the text the finding points at, and a part of what it says
SLIPS = [
    ('sql_table: orders', 'sql_tabel: orders', 4, 'sql_tabel:', "'sql_tabel' is not a key of a cube; did you mean 'sql_table'?"),
    ('sql_table: orders', 'sqltable: orders', 4, 'sqltable:', "did you mean 'sql_table'?"),
    ('    sql_table: orders\n', '', 3, 'name:', 'needs sql_table'),
    ('many_to_one', 'many_to_oen', 7, 'many_to_oen', "did you mean 'many_to_one'?"),
    ('many_to_one', 'many_to_many', 7, 'many_to_many', 'relationship'),
    ('name: customers\n        rel', 'name: custmers\n        rel', 6, 'name:', "did you mean 'customers'?"),
    ('{customers.id}', '{customers.idd}', 8, '{customers.idd}"', "'idd' is unknown in 'customers'; did you mean 'id'?"),
    ('{customers.id}', '{clients.id}', 8, '{clients.id}"', "'clients' is unknown"),
    ('{CUBE}.status", type: string', '{CUBE.state}", type: string', 11, '{CUBE.state}"', "did you mean 'status'?"),
    ('type: sum, sql: amount', 'type: summ, sql: amount', 16, 'summ', "'summ' is no type of a measure; did you mean 'sum'?"),
    ('type: sum, sql: amount', 'type: sum', 16, '{name: total', 'needs sql'),
    ('type: sum, sql: amount', 'type: sum, sql: "{total2}"', 16, '{total2}"', "did you mean 'total'?"),
    ('type: sum, sql: amount', 'type: sum, sql: "{total}"', 16, '{total}"', 'a calculation over measures has the type number'),
    ('type: sum, sql: amount', 'type: number, sql: "{total} + 1"', 16, '"{total}', 'circle of references: orders.total → orders.total'),
    ('sql: amount, type: number', 'sql: "{total}", type: number', 12, '{total}"', "add 'sub_query: true'"),
    ('sql: amount, type: number', 'type: number', 12, '{name: amount', 'needs sql or case'),
    ('sql: amount, type: number', 'sql: amount, type: numbr', 12, 'numbr}', "did you mean 'number'?"),
    ('sql: amount, type: number', 'sql: amount', 12, '{name: amount', 'has no type'),
    ('sql: amount, type: number', 'sql: {CUBE}, type: number', 12, '{CUBE}', 'must be quoted'),
    ('name: amount', 'name: status', 12, '{name: status', "dimension 'status' of cube 'orders' is declared twice, first in line 11"),
    ('name: amount', 'name: total', 16, '{name: total', 'names two members, the first in line 12'),
    ('name: amount', 'name: my amount', 12, 'my amount', 'cannot name a dimension'),
    ('currency: eur', 'currency: euro', 16, 'euro}', 'no currency code'),
    ('public: false', 'public: maybe', 24, 'maybe}', 'must be true or false'),
    ('public: false', 'public: COMPILE_CONTEXT.is_admin', 24, 'COMPILE_CONTEXT.is_admin', 'write an access_policy'),
    ('public: false', 'public: "{{ admin }}"', 24, '{{ admin }}"}', 'Jinja'),
    ('public: false', 'pubic: false', 24, 'pubic:', "did you mean 'public'?"),
    ('name: customers\n    sql_table', 'name: orders\n    sql_table', 19, 'name:', "cube 'orders' of the model is declared twice, first in line 3"),
    ('type: time', 'type: time, granularities: [{name: week, interval: 1 week}]', 13, 'week', 'standard granularity'),
    ('type: time', 'type: time, granularities: [{name: w, interval: 1 wek}]', 13, '1 wek}', 'not a length of time'),
    ('type: time', 'type: time, granularities: [{name: w, interval: 5 weeks}]', 13, '5 weeks}', 'add an origin'),
    ('type: time', 'type: time, granularities: [{name: w, interval: 1 week, offset: 1 day, origin: 2024-01-01}]', 13, 'origin:', 'keep one'),
    ('type: time', 'type: time, granularities: [{name: w, interval: 1 week, origin: someday}]', 13, 'someday}', 'no point in time'),
    ('sql: region, type: string', 'sql: region, type: string, granularities: [{name: w, interval: 1 week}]', 23, 'granularities:', 'only a time dimension'),
    ('type: count}\n      - {name: total', 'type: count, filters: ["a = 1"]}\n      - {name: total', 15, '"a', 'is written as'),
    ('type: count}\n      - {name: total', 'type: count, rolling_window: {}}\n      - {name: total', 15, '{}}', 'needs trailing or leading'),
    ('type: count}\n      - {name: total', 'type: count, rolling_window: {trailing: 3 moons}}\n      - {name: total', 15, '3 moons}}', 'not a length of time'),
    ('type: count}\n      - {name: total', 'type: count, multi_stage: false, time_shift: [{interval: 1 year}]}\n      - {name: total', 15, 'time_shift:', 'multi_stage: true'),
    ('type: count}\n      - {name: total', 'type: count, filter: {exclude: [iid]}}\n      - {name: total', 15, 'iid]', "'iid' is no dimension or segment"),
    ('sql: amount, format', 'sql: "{FILTER_PARAMS.orders.id.filter(\'id\')}", format', 16, 'FILTER_PARAMS.orders.id.', 'FILTER_PARAMS is not supported'),
    ('sql: amount, format', 'sql: "{SECURITY_CONTEXT.x.filter(\'id\')}", format', 16, 'SECURITY_CONTEXT.x.filte', 'write an access_policy'),
    ('sql_table: orders', 'sql: SELECT * FROM {customers}', 4, '{customers}', 'only {cube.sql()} is'),
    ('sql_table: orders', 'sql: SELECT * FROM {custmers.sql()}', 4, '{custmers.sql()}', "did you mean 'customers'?"),
    ('sql_table: orders', 'sql_table: orders\n    sql: SELECT 1', 4, 'sql_table:', 'keep one'),
    ('sql_table: orders', 'sqlTable: orders\n    sql_table: orders', 5, 'sql_table:', 'says again what line 4 says'),
    ('sql_table: orders', 'sql_table: orders\n    sql_table: orders', 5, 'sql_table:', 'stands twice, first in line 4'),
    ('sql_table: orders', 'sql_table: orders\n    extends: order', 5, 'order', "did you mean 'orders'?"),
    ('sql_table: orders', 'sql_table: orders\n    extends: orders', 5, 'orders', 'extends itself'),
    ('cubes:', 'cube:', 2, 'cube:', "'cube' is not a key of a model; did you mean 'cubes'?"),
]  # fmt: skip


@pytest.mark.parametrize(
    "old,new,line,pointed,words", SLIPS, ids=[f"{i}-{slip[4][:30]}" for i, slip in enumerate(SLIPS)]
)
def test_a_slip_is_found_where_it_stands(
    tmp_path: Path, old: str, new: str, line: int, pointed: str, words: str
) -> None:
    assert SHOP.count(old) >= 1
    text = SHOP.replace(old, new, 1)
    found = findings(tmp_path, text)
    told = [problem for problem in found if words in problem.message]
    assert [problem.line for problem in told] == [line], "\n".join(map(str, found))
    assert text.split("\n")[line - 1][told[0].column - 1 :].startswith(pointed)
    assert all(problem.file == "model.yml" for problem in found)


def test_all_findings_come_at_once(tmp_path: Path) -> None:
    text = SHOP.replace("type: sum", "type: summ").replace("many_to_one", "some").replace("sql: region", "sqll: region")
    found = errors(tmp_path, text)
    assert [problem.line for problem in found] == [7, 16, 23]


@pytest.mark.parametrize(
    "key",
    [
        "pre_aggregations: [{name: main, type: rollup_lambda, rollups: [CUBE.other]}]",
        "preAggregations: {main: {type: originalSql}}",
        "refresh_key: {every: 1 hour}",
        "data_source: default",
        "sql_alias: o",
        "rewrite_queries: true",
        "something_new_and_strange: 1",
    ],
)
def test_what_changes_no_answer_is_told(tmp_path: Path, key: str) -> None:
    found = findings(tmp_path, SHOP.replace("sql_table: orders", f"sql_table: orders\n    {key}"))
    severity = "warning" if key.startswith("something") else "info"
    assert [(p.severity, p.line) for p in found] == [(severity, 5)]
    assert ("pre-aggregation" if key.startswith("pre") else snake_case(key.split(":")[0])) in found[0].message


def test_what_is_without_effect_is_told_once(tmp_path: Path) -> None:
    text = SHOP.replace("sql_table: customers", "sql_table: customers\n    refresh_key: {every: 1 hour}")
    (found,) = findings(tmp_path, text.replace("sql_table: orders", "sql_table: orders\n    refreshKey: {sql: x}"))
    assert (found.severity, found.line) == ("info", 5)
    assert "(2 times, first here)" in found.message


def test_a_cube_that_is_multiplied_without_a_key_is_a_warning(tmp_path: Path) -> None:
    text = SHOP.replace(
        "sql_table: customers\n    dimensions:\n      - {name: id, sql: id, type: number, primary_key: true}",
        "sql_table: customers\n    dimensions:\n      - {name: id, sql: id, type: number}",
    )
    found = findings(tmp_path, text)
    assert [p.severity for p in found] == ["warning"]
    assert "no primary key" in found[0].message


def test_longer_circles_are_told_whole(tmp_path: Path) -> None:
    text = SHOP.replace(
        "      - {name: total, type: sum, sql: amount",
        "      - {name: m1, type: number, sql: \"{m2}\"}\n      - {name: m2, type: number, sql: \"{m3} + {count}\"}\n"
        "      - {name: m3, type: number, sql: \"{CUBE.m1}\"}\n      - {name: total, type: sum, sql: amount",
    )  # fmt: skip
    found = errors(tmp_path, text)
    assert len(found) == 1
    assert "orders.m1 → orders.m2 → orders.m3 → orders.m1" in found[0].message


def test_cubes_that_nothing_connects_cannot_refer_to_each_other(tmp_path: Path) -> None:
    text = SHOP + "  - name: stock\n    sql_table: stock\n    measures:\n      - {name: n, type: number, sql: \"{orders.count}\"}\n"  # fmt: skip
    found = errors(tmp_path, text)
    assert [(p.line, "no joins connect" in p.message) for p in found] == [(30, True)]


@pytest.mark.parametrize(
    "text,line,words",
    [
        ("cubes:\n  - name: a\n    sql: {CUBE}.x\n", 3, "must be quoted"),
        ("cubes:\n\t- name: a\n", 2, "a tab"),
        ('cubes:\n  - name: "a\n', 2, "quote that opens here is not closed"),
        ("cubes:\n  - name: a: b\n", 2, "a second ': '"),
        ("cubes:\n  - name: a\n   sql: b\n", 3, "indentation"),
        ("cubes: [1, 2\n", 2, "not closed"),
        ("cubes: *nothing\n", 1, "alias"),
        ("cubes: !include x.yml\n", 1, "tag"),
        ("- 1\n", 1, "must be a mapping"),
        ("cubes: 3\n", 1, "must be a list"),
        ("cubes: [3]\n", 1, "must be a mapping with a name"),
        ("", 1, "no cubes"),
        ("cubes:\n", 1, "no cubes"),
        ("cubes:\n{% for x in y %}\n", 2, "Jinja block"),
        ("cubes: " + "[" * 5000, 1, "nested too deeply"),
    ],
)
def test_broken_yaml_is_told_in_plain_words(tmp_path: Path, text: str, line: int, words: str) -> None:
    found = errors(tmp_path, text)
    assert {p.line for p in found} == {line}
    assert words in found[0].message


def test_what_is_no_text_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_bytes(b"cubes:\n  - name: \xff\xfe\n")
    assert [(p.file, p.line, p.column) for p in check_model(tmp_path)] == [("a.yml", 2, 11)]
    (tmp_path / "a.yml").write_bytes(b"cubes:\n  - name: \x01\n")
    assert [(p.line, "control character" in p.message) for p in check_model(tmp_path)] == [(2, True)]


def test_places_that_hold_no_model(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "nowhere", str(tmp_path / "no\0where"), {}, [], {"views": []}):
        with pytest.raises(ModelError):
            load_model(source)


def test_duplicates_across_files_name_both_places(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("cubes:\n  - {name: x, sql_table: t}\n")
    (tmp_path / "b.yml").write_text("views:\n  - name: x\n    cubes: [{join_path: x, includes: '*'}]\n")
    found = check_model(tmp_path)
    assert [str(p) for p in found] == ["b.yml:2:5: error: 'x' is declared twice, first in a.yml:2"]


GUARDED = """
cubes:
  - {name: orders, sql_table: orders, dimensions: [{name: id, sql: id, type: number}], joins: [
      {name: people, relationship: many_to_one, sql: "{CUBE}.person_id = {people}.id"}]}
  - {name: people, sql_table: people, dimensions: [{name: id, sql: id, type: number, primary_key: true, public: true}]}
views:
  - name: sales
    cubes: [{join_path: orders, includes: "*"}, {join_path: orders.people, prefix: true, includes: [id]}]
    access_policy: [{group: team}]
"""


@pytest.mark.parametrize(
    ("cubes", "left"),
    [
        ([], "everybody can ask orders, people directly: write 'public: false' there, or a policy"),
        (["orders"], "everybody can ask people directly"),
        (["orders", "people"], None),
    ],
)
def test_a_policy_on_a_view_over_open_cubes_is_told(cubes: list[str], left: str | None) -> None:
    model = yaml.safe_load(GUARDED)
    for cube in model["cubes"]:
        if cube["name"] in cubes:
            cube["public"] = False
    told = [finding.message for finding in check_model(model) if "access policy" in finding.message]
    assert told == [] if left is None else [left in text for text in told] == [True]
    model["views"][0].pop("access_policy")
    assert [finding for finding in check_model(model) if "everybody can ask" in finding.message] == []


STAFF = """
cubes:
  - name: people
    sql_table: people
    public: false
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: team, sql: team, type: string}
      - {name: pay, sql: pay, type: number}
    access_policy:
      - {group: "*", member_level: {excludes: [pay]}, member_masking: {includes: [pay]}}
      - {group: hr}
      - {group: leads, member_level: {includes: "*"}, row_level: {filters: [{member: team, operator: equals, values: [red]}]}}
      - {group: auditors, conditions: [{if: "{ userAttributes.level > 2 }"}]}
views:
  - name: staff
    cubes: [{join_path: people, includes: "*", prefix: true}]
    access_policy: [POLICY]
"""
RED = "row_level: {filters: [{member: people_team, operator: equals, values: [red]}]}"


@pytest.mark.parametrize(
    ("policy", "whom"),
    [
        ('{group: "*"}', ["*"]),
        ("{groups: [hr, sales, leads]}", ["sales", "leads"]),  # leads: on rows of other teams
        ('{group: sales, member_level: {includes: [people_id, people_pay]}}', ["sales"]),
        ('{group: auditors}', ["auditors"]),  # those of a low level too
        ('{group: auditors, conditions: [{if: "{ userAttributes.level > 2 }"}]}', []),
        (f"{{group: leads, {RED}}}", []),
        ("{group: hr}", []),
        ('{group: "*", member_level: {excludes: [people_pay]}}', []),
        ('{group: "*", member_level: {excludes: [people_pay]}, member_masking: {includes: "*"}}', []),
    ],
)  # fmt: skip
def test_a_view_that_opens_what_its_cube_masks_is_told(policy: str, whom: list[str]) -> None:
    found = check_model(yaml.safe_load(STAFF.replace("POLICY", policy)))
    told = [finding.message for finding in found if "hides or masks" in finding.message]
    assert all(f"for '{name}' shows people_pay, which cube 'people' hides or masks" in " ".join(told) for name in whom)
    assert [text.split("' shows")[0].rpartition("'")[2] for text in told] == sorted(whom)


def test_a_cube_that_gives_somebody_no_rows_is_not_opened_by_a_view() -> None:
    model = yaml.safe_load(STAFF.replace("POLICY", "{group: sales}"))
    model["cubes"][0]["access_policy"] = [{"group": "hr", "member_level": {"excludes": ["pay"]}}]
    assert [finding.message for finding in check_model(model) if "hides or masks" in finding.message] == []
    model["views"][0]["access_policy"] = [{"group": "hr"}]
    told = [finding.message for finding in check_model(model) if "hides or masks" in finding.message]
    assert len(told) == 1 and "for 'hr' shows people_pay" in told[0]


ONE_WAY = """
cubes:
  - name: customers
    sql_table: customers
    joins: []
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: made, sql: "{orders.count}", type: number, sub_query: true}
  - name: orders
    sql_table: orders
    joins: [{name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers}.id"}]
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: count, type: count}]
"""


def test_a_sub_query_that_no_join_leads_to_is_told() -> None:
    [finding] = check_model(yaml.safe_load(ONE_WAY))
    assert "joins lead from 'orders' to 'customers' only, so 'made' cannot be answered" in finding.message
    back = '[{name: orders, relationship: one_to_many, sql: "{CUBE}.id = {orders}.customer_id"}]'
    assert check_model(yaml.safe_load(ONE_WAY.replace("joins: []", f"joins: {back}"))) == []
