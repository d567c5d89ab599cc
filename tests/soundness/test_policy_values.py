"""What a row filter makes of the values it is given: a wrong, missing, null or empty one never shows a row more."""

from __future__ import annotations

import math
import operator as op
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import ModelError, QueryError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

TEXTS = ["EMEA", "EMEA ", "emea", "XEMEAY", "APAC", "", "1", "true", "null", "NaN", "%", "_", "it's", None]
NUMBERS = [1, 0, -1, 2, 5, 100, 10**15, None]
DOUBLES = [1.0, 0.0, -0.0, 2.5, float("nan"), float("inf"), None]
FLAGS = [True, False, None]
DAYS = [datetime(2024, 1, day, hour) for day in (1, 15, 31) for hour in (0, 12)] + [None]  # noqa: DTZ001
TABLE = pa.table(
    {
        "id": pa.array(range(24), pa.int64()),
        "text": pa.array([TEXTS[n % len(TEXTS)] for n in range(24)], pa.string()),
        "number": pa.array([NUMBERS[n % len(NUMBERS)] for n in range(24)], pa.int64()),
        "double": pa.array([DOUBLES[n % len(DOUBLES)] for n in range(24)], pa.float64()),
        "flag": pa.array([FLAGS[n % len(FLAGS)] for n in range(24)], pa.bool_()),
        "day": pa.array([DAYS[n % len(DAYS)] for n in range(24)], pa.timestamp("us")),
    }
)
ROWS = TABLE.to_pylist()
NEGATIVE = ("notEquals", "notContains", "notStartsWith", "notEndsWith", "notInDateRange")
TEXTUAL = ("contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith")
ORDERED: dict[str, Any] = {"gt": op.gt, "gte": op.ge, "lt": op.lt, "lte": op.le}
DATED = ("inDateRange", "notInDateRange", "beforeDate", "beforeOrOnDate", "afterDate", "afterOrOnDate")
FITTING = [
    *[("text", operator) for operator in ("equals", "notEquals", *TEXTUAL)],
    *[(member, operator) for member in ("number", "double") for operator in ("equals", "notEquals", *ORDERED)],
    *[("flag", operator) for operator in ("equals", "notEquals")],
    *[("day", operator) for operator in ("equals", "notEquals", *DATED)],
]  # fmt: skip
HOSTILE: list[Any] = [
    None, [], [None], [[]], [["EMEA"]], {}, {"EMEA": 1}, {"a": "EMEA"}, [{}], float("nan"), [float("nan")],
    float("inf"), "", [""], b"EMEA", object(), set(), ("EMEA",), True, [True], 1, [1], "1", ["1"], 1.0, Decimal(1),
    "EMEA' OR '1'='1", ["EMEA') OR ('1'='1"], "EMEA\x00", "\ud800", "EMEA" * 10_000, list(range(500)),
    {"$ne": None}, date(2024, 1, 1), datetime(2024, 1, 1), 10**400, -(10**400), "{ userAttributes.x }", "NULL", "%", "_",  # noqa: DTZ001
]  # fmt: skip


@contextmanager
def layer_with(*filters: dict[str, Any], **policy: Any) -> Iterator[SemanticLayer]:
    layer = open_layer([cube("things", *filters, **policy)])
    try:
        yield layer
    finally:
        layer.close()


def cube(name: str, *filters: dict[str, Any], **policy: Any) -> dict[str, Any]:
    kinds = {"id": "number", "text": "string", "number": "number", "double": "number", "flag": "boolean", "day": "time"}
    return {
        "name": name,
        "sql_table": "things",
        "dimensions": [
            {"name": member, "sql": f"{{CUBE}}.{member}", "type": kind, "primary_key": member == "id", "public": True}
            for member, kind in kinds.items()
        ],
        "measures": [{"name": "count", "type": "count"}],
        "access_policy": [{"group": "*", "row_level": {"filters": list(filters)}, **policy}],
    }


def open_layer(cubes: list[dict[str, Any]]) -> SemanticLayer:
    return SemanticLayer(load_model({"cubes": cubes}), DuckDBEngine.open(None, data={"things": TABLE}))


@pytest.fixture(scope="module")
def every_filter() -> Iterator[SemanticLayer]:
    """A layer with one cube for each member and operator that fit: ``text_equals``, ``day_inDateRange``, …"""
    layer = open_layer([cube(f"{member}_{operator}", one(member, operator)) for member, operator in FITTING])
    yield layer
    layer.close()


def seen(layer: SemanticLayer, value: Any = None, relation: str = "things", **more: Any) -> set[int]:
    ctx = SecurityContext(user="u", user_attributes={} if value is ... else {"x": value}, **more)
    return set(layer.query(ctx, f'SELECT id FROM "{relation}"').table.column(0).to_pylist())


def rows_where(condition: Any) -> set[int]:
    return {row["id"] for row in ROWS if condition(row)}


def one(member: str, operator: str, *values: Any) -> dict[str, Any]:
    return {"member": member, "operator": operator, "values": list(values or ["{ userAttributes.x }"])}


@pytest.mark.parametrize("value", [..., None, [], [None], "", [""], {}, [[]], float("nan"), [float("nan")]], ids=repr)
@pytest.mark.parametrize("member, operator", FITTING)
def test_nothing_given_shows_nothing(member: str, operator: str, value: Any, every_filter: SemanticLayer) -> None:
    assert seen(every_filter, value, f"{member}_{operator}") == set()


@pytest.mark.parametrize("member, operator", FITTING)
def test_hostile_values_never_widen(member: str, operator: str, every_filter: SemanticLayer) -> None:
    for value in HOSTILE:
        try:
            found = seen(every_filter, value, f"{member}_{operator}")
        except QueryError:
            continue
        allowed = rows_where(lambda row, value=value: holds(row[member], member, operator, value))
        assert found <= allowed, f"{value!r:.60}: {found - allowed}"


@pytest.mark.parametrize(
    "member, operator", [("number", "contains"), ("flag", "gt"), ("text", "inDateRange"), ("day", "endsWith")]
)
def test_operators_that_do_not_fit_the_type(member: str, operator: str) -> None:
    """Refused when the model is loaded, or showing nothing; never rows."""
    try:
        layer = open_layer([cube("things", one(member, operator))])
    except ModelError:
        return
    try:
        for value in ("1", 1, True, "2024-01-01", ["2024-01-01", "2024-12-31"]):
            try:
                assert seen(layer, value) == set()
            except QueryError:
                continue
    finally:
        layer.close()


def holds(cell: Any, member: str, operator: str, value: Any) -> bool:
    """The widest reading of a filter that is still a reading: values flattened once, of the member's type only."""
    if cell is None:
        return False
    values = list(value) if isinstance(value, list | tuple | set) else [value]
    if member == "text":
        texts = [item for item in values if isinstance(item, str)]
        if not texts:
            return False
        low = cell.lower()
        tests = {
            "equals": [cell == t for t in texts],
            "notEquals": [cell == t for t in texts],
            "contains": [t.lower() in low for t in texts],
            "startsWith": [low.startswith(t.lower()) for t in texts],
            "endsWith": [low.endswith(t.lower()) for t in texts],
        }
        if operator in ORDERED:
            return any(ORDERED[operator](cell, t) for t in texts)
        if operator in DATED:
            return False
        positive = tests[operator] if operator in tests else tests[operator[3].lower() + operator[4:]]
        return not any(positive) if operator in NEGATIVE else any(positive)
    if member in ("number", "double"):
        numbers = [n for item in values if (n := as_number(item)) is not None]
        if not numbers:
            return False
        if operator in ("equals", "notEquals"):
            return (cell in numbers) == (operator == "equals")
        if isinstance(cell, float) and math.isnan(cell):
            return operator in ("gt", "gte")  # engines order NaN above all numbers
        return operator in ORDERED and any(ORDERED[operator](cell, n) for n in numbers)
    if member == "flag":
        flags = [item for item in values if isinstance(item, bool) or item in ("true", "false")]
        truths = [item is True or item == "true" for item in flags]
        if not truths or operator not in ("equals", "notEquals"):
            return False
        return (cell in truths) == (operator == "equals")
    # Of the hostile values only real dates are dates.
    return any(isinstance(item, date) for item in values)


def as_number(item: Any) -> int | float | None:
    if isinstance(item, bool):
        return None
    if isinstance(item, str):
        try:
            item = float(item)
        except ValueError:
            return None
    if isinstance(item, Decimal):
        item = float(item)
    return item if isinstance(item, int | float) and not (isinstance(item, float) and math.isnan(item)) else None


def test_a_long_list_of_values_costs_little(every_filter: SemanticLayer) -> None:
    began = time.process_time()
    assert seen(every_filter, list(range(5_000)), "number_equals") == rows_where(
        lambda row: row["number"] is not None and 0 <= row["number"] < 5_000
    )
    assert time.process_time() - began < 3


def test_a_number_is_not_a_truth_and_a_text_not_a_list() -> None:
    with layer_with(one("number", "equals")) as layer:
        assert seen(layer, True) == set()
        assert seen(layer, 1) == rows_where(lambda row: row["number"] == 1)
        assert seen(layer, [1, 2, 2]) == rows_where(lambda row: row["number"] in (1, 2))
    with layer_with(one("text", "equals")) as layer:
        assert seen(layer, "XEMEAY") == rows_where(lambda row: row["text"] == "XEMEAY")
        # A list with a null in it: what is left may count, or the whole list may be refused; the null names nothing.
        assert seen(layer, ["EMEA", None]) <= rows_where(lambda row: row["text"] == "EMEA")
        assert seen(layer, "EMEA") == rows_where(lambda row: row["text"] == "EMEA")
        assert seen(layer, {"EMEA": 1}) == set()


def test_wildcards_in_values_are_letters() -> None:
    for operator in ("contains", "startsWith", "endsWith"):
        with layer_with(one("text", operator)) as layer:
            assert seen(layer, "%") == rows_where(lambda row: row["text"] == "%")
            assert seen(layer, "_") == rows_where(lambda row: row["text"] == "_")


def test_a_missing_attribute_denies_inside_or_and_negations() -> None:
    own = one("text", "equals", "APAC")
    with layer_with({"or": [own, one("number", "gt")]}) as layer:
        assert seen(layer, ...) == rows_where(lambda row: row["text"] == "APAC")
    with layer_with({"and": [own, one("number", "gt")]}) as layer:
        assert seen(layer, ...) == set()
    with layer_with({"or": [{"and": [one("text", "notEquals")]}, one("text", "notContains")]}) as layer:
        assert seen(layer, ...) == set()


def test_set_and_not_set_need_no_value() -> None:
    with layer_with({"member": "text", "operator": "set"}) as layer:
        assert seen(layer, ...) == rows_where(lambda row: row["text"] is not None)
    with layer_with({"member": "text", "operator": "notSet"}) as layer:
        assert seen(layer, ...) == rows_where(lambda row: row["text"] is None)


def test_nested_security_context() -> None:
    with layer_with(one("text", "equals", "{ securityContext.tenant.regions }")) as layer:
        emea = rows_where(lambda row: row["text"] == "EMEA")
        for context, expected in [
            ({"tenant": {"regions": ["EMEA"]}}, emea),
            ({"tenant": {"regions": "EMEA"}}, emea),
            ({"tenant": {"regions": {"EMEA": True}}}, set()),
            ({"tenant": ["EMEA"]}, set()),
            ({"tenant": "EMEA"}, set()),
            ({"tenant": None}, set()),
            ({"tenant.regions": ["EMEA"]}, set()),
            ({"Tenant": {"regions": ["EMEA"]}}, set()),
            ({}, set()),
        ]:
            assert seen(layer, ..., security_context=context) == expected, context


def test_attribute_names_are_exact() -> None:
    with layer_with(one("text", "equals")) as layer:
        for name in ("X", " x", "x ", "x.x", "userAttributes.x", "__class__"):
            ctx = SecurityContext(user="u", user_attributes={name: "EMEA"})
            assert layer.query(ctx, "SELECT id FROM things").table.num_rows == 0


def test_an_or_of_nothing_is_not_everything() -> None:
    for empty in ({"or": []}, {"and": []}):
        try:
            with layer_with(empty) as layer:
                assert seen(layer, "EMEA") == set()
        except ModelError:
            pass


def test_policies_of_other_groups_do_not_apply() -> None:
    with layer_with({"member": "text", "operator": "set"}, group="managers") as layer:
        assert seen_or_denied(layer, SecurityContext(user="u")) == set()
        assert seen_or_denied(layer, SecurityContext(user="u", groups=frozenset({"Managers", "manager", "*"}))) == set()


def seen_or_denied(layer: SemanticLayer, ctx: SecurityContext) -> set[int]:
    try:
        return set(layer.query(ctx, "SELECT id FROM things").table.column(0).to_pylist())
    except QueryError:
        return set()


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(TEXTS + NUMBERS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=_VALUES, member=st.sampled_from(["text", "number", "flag"]))
def test_equals_never_shows_a_row_the_value_does_not_name(value: Any, member: str, every_filter: SemanticLayer) -> None:
    try:
        found = seen(every_filter, value, f"{member}_equals")
    except QueryError:
        return
    assert found <= rows_where(lambda row: holds(row[member], member, "equals", value))
