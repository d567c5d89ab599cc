"""Shapes seen in models that people publish; each must load as it stands."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.loader import check_model, load_model
from svc_notebook.semantic.policies.attributes import AttributeReference, parse_value

from .layers import OPERATOR, opened, rows
from .models import SHOP, errors, load, written


def test_a_grain_at_a_granularity_and_a_grand_total(tmp_path: Path) -> None:
    text = SHOP.replace(
        "    segments:",
        """      - {name: monthly, type: sum, multi_stage: true, sql: "{total}", group_by: [orders.status, orders.created_at.month]}
      - {name: everything, type: sum, multi_stage: true, sql: "{total}", group_by: []}
    segments:""",
        1,
    )
    measures = load(tmp_path, text).cubes["orders"].measures
    assert measures[2].group_by == ("status", "created_at.month")
    assert measures[3].group_by == ()
    assert [p.line for p in errors(tmp_path, text.replace("created_at.month", "created_at.moon"))] == [17]


def test_optional_steps_in_a_reference() -> None:
    expected = AttributeReference("securityContext", ("auth", "userAttributes", "city"))
    assert parse_value("{ security_context.auth?.userAttributes?.city }") == expected


def test_a_switch_without_sql_has_its_values(tmp_path: Path) -> None:
    text = SHOP.replace(
        "      - {name: amount,", "      - {name: unit, type: switch, values: [a, b]}\n      - {name: amount,"
    )
    model = load(tmp_path, text)
    assert {d.name: d.values for d in model.cubes["orders"].dimensions if d.values} == {"unit": ("a", "b")}
    assert model.warnings == ()
    (missing,) = errors(tmp_path, text.replace("values: [a, b]", "values: []"))
    assert "needs values" in missing.message


def test_a_hierarchy_brings_levels_of_joined_cubes_too(tmp_path: Path) -> None:
    text = SHOP.replace(
        "    segments:", '    hierarchies: [{name: h, levels: ["{CUBE}.status", customers.region]}]\n    segments:', 1
    )
    text += "views:\n  - {name: v, cubes: [{join_path: orders, includes: [h]}, {join_path: orders.customers, prefix: true, includes: [count]}]}\n"
    assert [m.name for m in load(tmp_path, text).views["v"].members] == [
        "h",
        "customers_count",
        "status",
        "customers_region",
    ]


def test_an_exclude_that_the_view_does_not_show_is_a_warning_but_a_slip_is_not(tmp_path: Path) -> None:
    text = (
        SHOP
        + """
views:
  - name: v
    cubes: [{join_path: orders, includes: [count, status]}, {join_path: orders.customers, prefix: true, includes: [region]}]
    access_policy: [{group: "*", member_level: {includes: "*", excludes: [%s]}}]
"""
    )
    for harmless in ("amount", "customers_ssn"):
        found = check_model(written(tmp_path, text % harmless))
        assert [p.severity for p in found if "everybody can ask" not in p.message] == ["warning"]
    for slip in ("statu", "customers_regio", "custmers_region", "xstatus"):
        assert len(errors(tmp_path, text % slip)) == 1


def test_empty_sections_are_no_finding(tmp_path: Path) -> None:
    text = SHOP.replace(
        "sql_table: customers",
        "sql_table: customers\n    pre_aggregations:\n      # none yet\n    joins:\n    segments: []",
    )
    assert check_model(written(tmp_path, text)) == []


def test_dimensions_over_dimensions_of_another_cube(tmp_path: Path) -> None:
    line = '      - {name: region, type: string, sql: "{customers.region}", multi_stage: true, add_group_by: [customers.id]}\n'
    model = load(tmp_path, SHOP.replace("    measures:", line + "    measures:", 1))
    assert model.cubes["orders"].dimensions[-1].sql == "{customers.region}"
    assert model.warnings == ()


def test_standard_granularities_may_be_listed(tmp_path: Path) -> None:
    text = SHOP.replace("type: time", "type: time, granularities: [day, week, month]")
    assert [p.severity for p in load(tmp_path, text).warnings] == ["info"]
    assert len(errors(tmp_path, text.replace("month]", "moon]"))) >= 1


def test_row_filters_of_a_view_over_cubes_it_walks_through(tmp_path: Path) -> None:
    text = (
        SHOP
        + """
views:
  - name: v
    cubes: [{join_path: orders, includes: [count]}, {join_path: orders.customers, includes: [ssn]}]
    access_policy:
      - group: g
        row_level: {filters: [{member: customers.region, operator: equals, values: ["{ securityContext.region }"]}]}
"""
    )
    assert load(tmp_path, text).views["v"].access_policy is not None


def test_a_join_may_compare_with_a_third_cube(tmp_path: Path) -> None:
    text = (
        SHOP.replace('= {customers.id}"', '= {customers.id} AND {customers.region} = {regions.name}"', 1)
        + """
  - name: regions
    sql_table: regions
    dimensions: [{name: name, sql: name, type: string, primary_key: true}]
"""
    )
    assert load(tmp_path, text).cubes["orders"].joins[0].name == "customers"


def test_comments_and_quoted_physical_names(tmp_path: Path) -> None:
    text = """
    cubes:
    ## keys come first {{ not a template }}
      - name: pizza
        sql_table: "\\"PUBLIC\\".\\"ORDERS\\""
        dimensions:
          - {name: id, sql: "{CUBE}.\\"ID\\"", type: number, primary_key: true}
    """
    cube = load_model(written(tmp_path, text)).cubes["pizza"]
    assert (cube.sql_table, cube.dimensions[0].sql) == ('"PUBLIC"."ORDERS"', '{CUBE}."ID"')


def test_what_fails_only_when_asked_for_does_not_keep_a_model_from_loading() -> None:
    model = """
cubes:
  - name: t
    sql_table: t
    dimensions:
      - {name: k, sql: k, type: string, primary_key: true, public: true}
      - {name: large, type: string, case: {when: [{sql: "{n} > 1", label: big}], else: {label: small}}}
    measures:
      - {name: n, type: sum, sql: n}
      - {name: twice, type: sum, sql: "{n}"}
    joins: [{name: t, relationship: one_to_many, sql: "{CUBE}.k = {t.k}"}]
views: [{name: v, cubes: [{join_path: t, includes: "*"}], segments: [], joins: null}]
"""
    with opened(model, {"t": pd.DataFrame({"k": ["a", "b"], "n": [1, 2]})}) as layer:
        assert rows(layer, "SELECT k, MEASURE(n) FROM v GROUP BY 1 ORDER BY 1") == [("a", 1), ("b", 2)]
        for sql in ("SELECT MEASURE(twice) FROM v", "SELECT large, MEASURE(n) FROM v GROUP BY 1"):
            with pytest.raises(InvalidQuery, match="uses the measure"):
                layer.query(OPERATOR, sql)


def test_a_table_s_name_as_sql_and_a_single_filter(tmp_path: Path) -> None:
    text = SHOP.replace("sql_table: orders", 'sql: "db.public.orders"').replace(
        "type: count}", "type: count, filters: {sql: \"{CUBE}.status = 'x'\"}}", 1
    )
    cube = load(tmp_path, text).cubes["orders"]
    assert (cube.sql_table, cube.sql, cube.measures[0].filters) == ("db.public.orders", None, ("{CUBE}.status = 'x'",))


def test_a_dollar_before_what_is_no_reference_stays(tmp_path: Path) -> None:
    model = "cubes: [{name: t, sql_table: t, dimensions: [{name: x, type: string, sql: '{CUBE}.\"${X.}\"'}]}]"
    with opened(model, {"t": pd.DataFrame({"${X.}": ["a"]})}) as layer:
        assert rows(layer, "SELECT x FROM t") == [("a",)]
    text = SHOP.replace('{CUBE}.status"', '${CUBE}.status || ${ CUBE . region }"')
    assert "${" not in str(load(tmp_path, text.replace("|| ${ CUBE . region }", "")).cubes["orders"].dimensions[1].sql)
