"""Access policies: read whole or refused; what is not understood never allows and never silently denies."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_notebook.semantic.model import Filter, FilterGroup, MemberLevel, Policy, Source

from .models import SHOP, errors, findings, load


def with_policy(policy: str) -> str:
    return SHOP.replace("sql_table: orders", f"sql_table: orders\n    access_policy:\n      - {policy}", 1)


def policy(folder: Path, text: str) -> Policy:
    policies = load(folder, with_policy(text)).cubes["orders"].access_policy
    assert policies is not None
    return policies[0]


@pytest.mark.parametrize(
    "written,groups",
    [
        ("group: boss", ("boss",)),
        ("groups: [boss, clerk]", ("boss", "clerk")),
        ('group: "*"', ("*",)),
        ('groups: "*"', ("*",)),
        ("role: boss", ("boss",)),
        ('roles: [boss, "*"]', ("*",)),
    ],
)
def test_whom_it_concerns(tmp_path: Path, written: str, groups: tuple[str, ...]) -> None:
    found = policy(tmp_path, f"{{{written}, row_level: {{allow_all: true}}}}")
    assert found.groups == groups
    assert found.row_level is not None
    assert found.row_level.allow_all


def test_a_policy_with_everything(tmp_path: Path) -> None:
    text = """group: clerk
        conditions:
          - if: "{ userAttributes.is_trained }"
          - if: "{ securityContext.level >= 3 && !groups.includes('intern') }"
        memberLevel: {includes: [status, "{CUBE}.count"], excludes: [orders.status]}
        member_masking: {includes: "*"}
        row_level:
          filters:
            - {member: "{CUBE}.status", operator: equals, values: ["{ userAttributes.status }", open]}
            - or:
                - {member: amount, operator: gt, values: [100]}
                - and:
                    - {member: customers.region, operator: notSet}
                    - {member: created_at, operator: in_date_range, values: ["2024-01-01", "2024-12-31"]}
"""
    found = policy(tmp_path, text)
    assert found.conditions == (
        "{ userAttributes.is_trained }", "{ securityContext.level >= 3 && !groups.includes('intern') }",
    )  # fmt: skip
    assert found.member_level == MemberLevel(("status", "count"), ("status",))
    assert found.member_masking == MemberLevel("*", ())
    assert found.row_level is not None
    first, second = found.row_level.filters
    assert isinstance(first, Filter)
    assert (first.member, first.operator, first.values) == ("status", "equals", ("{ userAttributes.status }", "open"))
    assert first.source == Source("model.yml", 14, 15)
    assert isinstance(second, FilterGroup)
    assert second.kind == "or"
    inner = second.filters[1]
    assert isinstance(inner, FilterGroup)
    assert [f.operator for f in inner.filters if isinstance(f, Filter)] == ["notSet", "inDateRange"]
    assert [f.member for f in inner.filters if isinstance(f, Filter)] == ["customers.region", "created_at"]


ROW = "{group: g, row_level: {filters: [%s]}}"
REFUSED = [
    ("{row_level: {allow_all: true}}", "needs 'group'"),
    ("{group: [], row_level: {allow_all: true}}", "needs 'group'"),
    ("{group: g, row_levle: {allow_all: true}}", "did you mean 'row_level'?"),
    ("{group: g, rows: all}", "is not a key of a policy"),
    ("{group: g, row_level: {}}", "has no filters"),
    ("{group: g, row_level: }", "'row_level' is empty"),
    ("{group: g, row_level: {filters: []}}", "has no filters"),
    ("{group: g, row_level: {allow_all: false}}", "has no filters"),
    ("{group: g, row_level: {allow_all: true, filters: [{member: status, operator: set}]}}", "contradict"),
    ("{group: g, member_level: {}}", "needs includes or excludes"),
    ("{group: g, member_level: {includes: [statu]}}", "did you mean 'status'?"),
    ("{group: g, member_level: {include: [status]}}", "did you mean 'includes'?"),
    ('{group: g, member_masking: {includes: "*"}}', "needs 'member_level'"),
    ("{group: g, conditions: [], row_level: {allow_all: true}}", "is empty"),
    ('{group: g, conditions: ["{ userAttributes.a }"], row_level: {allow_all: true}}', "is written as"),
    ('{group: g, conditions: [{if: "{ user.a }"}], row_level: {allow_all: true}}', "is not understood"),
    ('{group: g, conditions: [{if: "{ userAttributes.a; drop }"}], row_level: {allow_all: true}}', "not understood"),
    ("{group: g, conditions: [{if: {userAttributes: a}}], row_level: {allow_all: true}}", "into quotes"),
    (ROW % "{operator: set}", "needs a member"),
    (ROW % "{member: status}", "needs an operator"),
    (ROW % "{member: statu, operator: set}", "did you mean 'status'?"),
    (ROW % "{member: count, operator: gt, values: [1]}", "'count' is a measure"),
    (ROW % "{member: completed, operator: set}", "'completed' is a segment"),
    (ROW % "{member: stock.x, operator: set}", "is no dimension"),
    (ROW % "{member: status, operator: equal, values: [a]}", "did you mean 'equals'?"),
    (ROW % "{member: status, operator: equals}", "needs values"),
    (ROW % "{member: status, operator: equals, values: []}", "needs values"),
    (ROW % "{member: status, operator: set, values: [a]}", "takes no values"),
    (ROW % "{member: amount, operator: gt, values: [1, 2]}", "takes one value, not 2"),
    (ROW % "{member: created_at, operator: inDateRange, values: [2024-01-01, 2024-02-01, 2024-03-01]}", "at most 2"),
    (ROW % "{member: status, operator: beforeDate, values: [2024-01-01]}", "needs a time dimension"),
    (ROW % "{member: amount, operator: contains, values: [x]}", "needs a string dimension"),
    (ROW % "{member: amount, operator: gt, values: [many]}", "'many' is no number"),
    (ROW % "{member: created_at, operator: afterDate, values: [someday]}", "no date or time"),
    (ROW % "{member: status, operator: equals, values: [null]}", "use the operator set or notSet"),
    (ROW % '{member: status, operator: equals, values: ["{ userAttribute.x }"]}', "not understood"),
    (ROW % '{member: status, operator: equals, values: ["{ userAttributes.a.b }"]}', "are not nested"),
    (ROW % '{member: status, operator: equals, values: ["x-{ userAttributes }"]}', "names no attribute"),
    (ROW % '{member: amount, operator: equals, values: ["1{ userAttributes.a }"]}', "makes a text"),
    (ROW % "{member: status, operator: equals, values: [userAttributes.a]}", "with braces around each"),
    (ROW % "{member: status, operator: equals, values: [{userAttributes: a}]}", "into quotes"),
    (ROW % "{member: status, operator: equals, values: [[a]]}", "not a list"),
    (ROW % "{or: []}", "needs a list of filters"),
    (ROW % "{or: [{member: status, operator: set}], member: status}", "is either a group"),
    (ROW % "3", "must be a mapping"),
]


@pytest.mark.parametrize("text,words", REFUSED, ids=[text[:60] for text, _ in REFUSED])
def test_what_is_not_understood_is_an_error(tmp_path: Path, text: str, words: str) -> None:
    found = errors(tmp_path, with_policy(text))
    assert words in "\n".join(p.message for p in found)
    assert {p.line for p in found} == {6}


@pytest.mark.parametrize(
    "text", ["access_policy:", "access_policy: []", "access_policy: {group: x}", "accessPolicy: all"]
)
def test_a_policy_list_that_is_none_is_an_error_not_an_open_door(tmp_path: Path, text: str) -> None:
    found = errors(tmp_path, SHOP.replace("sql_table: orders", f"sql_table: orders\n    {text}", 1))
    assert len(found) == 1
    assert found[0].line == 5


def test_policies_of_views_name_what_the_view_shows(tmp_path: Path) -> None:
    text = (
        SHOP
        + """
views:
  - name: v
    cubes:
      - {join_path: orders, includes: [count]}
      - {join_path: orders.customers, prefix: true, includes: [region]}
    access_policy:
      - group: g
        member_level: {includes: [count, %s]}
        row_level: {filters: [{member: %s, operator: equals, values: ["{ userAttributes.region }"]}]}
"""
    )
    model = load(tmp_path, text % ("customers_region", "customers_region"))
    assert model.views["v"].access_policy is not None
    assert load(tmp_path, text % ("count", "customers.region")).views["v"].access_policy is not None
    assert [p.line for p in errors(tmp_path, text % ("region", "customers_region"))] == [35]
    assert [p.line for p in errors(tmp_path, text % ("count", "region"))] == [36]


def test_a_name_nobody_could_have_meant_changes_nothing(tmp_path: Path) -> None:
    policy = '\n    access_policy: [{group: "*", member_level: {includes: "*", excludes: [%s]}}]\n'
    for name, severity in (("wholly_other", "warning"), ("regio", "error"), ("completed", "error")):
        text = SHOP.replace("sql_table: customers", "sql_table: customers" + policy % name)
        found = findings(tmp_path, text.replace("name: ssn", "name: was_completed_once"))
        assert [p.severity for p in found] == [severity], name
