"""References in SQL, and lengths of time: one reading for checks and compiler."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.semantic.intervals import Interval, IntervalError, parse_interval
from svc_notebook.semantic.references import (
    ModelScope,
    ResolvedReference,
    UnresolvedReference,
    find_references,
    resolve,
    substitute,
)

from .models import SHOP, load


@pytest.mark.parametrize(
    "sql,meaning",
    [
        ("{CUBE}", ResolvedReference("orders")),
        ("{orders}", ResolvedReference("orders")),
        ("{status}", ResolvedReference("orders", "status")),
        ("{CUBE.status}", ResolvedReference("orders", "status")),
        ("{orders.status}", ResolvedReference("orders", "status")),
        ("{ customers.region }", ResolvedReference("customers", "region", join_path=("customers",))),
        ("{orders.customers.region}", ResolvedReference("customers", "region", join_path=("customers",))),
        ("{customers}", ResolvedReference("customers", join_path=("customers",))),
        ("{created_at.month}", ResolvedReference("orders", "created_at", "month")),
        ("{CUBE.created_at.fiscal}", ResolvedReference("orders", "created_at", "fiscal")),
    ],
)
def test_what_a_reference_means(tmp_path: Path, sql: str, meaning: ResolvedReference) -> None:
    text = SHOP.replace("type: time", "type: time, granularities: [{name: fiscal, interval: 1 year, offset: 3 months}]")
    model = load(tmp_path, text)
    (reference,) = find_references(sql)
    assert resolve(ModelScope(model.cubes), "orders", reference) == meaning


@pytest.mark.parametrize(
    "sql",
    [
        "{nothing}",
        "{CUBE.nothing}",
        "{customers.status}",
        "{status.month}",
        "{created_at.moon}",
        "{created_at.month.day}",
    ],
)
def test_what_means_nothing(tmp_path: Path, sql: str) -> None:
    (reference,) = find_references(sql)
    with pytest.raises(UnresolvedReference):
        resolve(ModelScope(load(tmp_path, SHOP).cubes), "orders", reference)


def test_a_name_that_is_cube_and_member(tmp_path: Path) -> None:
    text = SHOP.replace(
        "{name: total,",
        '{name: ratio, type: number, sql: "{customers} / {count}"}\n      - {name: customers, type: sum, sql: n}\n      - {name: total,',
    )
    scope = ModelScope(load(tmp_path, text).cubes)
    member, cube = find_references("{customers} + {customers}.id")
    assert resolve(scope, "orders", member) == ResolvedReference("orders", "customers")
    assert resolve(scope, "orders", cube) == ResolvedReference("customers", join_path=("customers",))


def test_other_braces_are_text() -> None:
    sql = """payload = '{"a": 1}' AND {CUBE}.x = '{}' AND y = '{1}'"""
    assert [str(reference) for reference in find_references(sql)] == ["{CUBE}"]
    assert substitute(sql, lambda reference: "t") == """payload = '{"a": 1}' AND t.x = '{}' AND y = '{1}'"""


@given(st.text(alphabet="{}ab.C ${", max_size=40))
def test_substitution_keeps_everything_else(sql: str) -> None:
    assert substitute(sql, lambda reference: sql[reference.start : reference.end]) == sql
    assert all(sql[r.start] == "{" and sql[r.end - 1] == "}" for r in find_references(sql))


@pytest.mark.parametrize(
    "text,interval",
    [
        ("1 month", Interval(months=1)),
        ("2 quarters", Interval(months=6)),
        ("1 year 6 months", Interval(months=18)),
        ("3 month 3 days 3 hours", Interval(3, 3, 10_800)),
        ("-1 day", Interval(days=-1)),
        ("1 month -10 days", Interval(1, -10)),
        ("  2  Weeks ", Interval(days=14)),
        ("15 minutes", Interval(seconds=900)),
    ],
)
def test_lengths_of_time(text: str, interval: Interval) -> None:
    assert parse_interval(text) == interval
    negative = -parse_interval(text)
    assert -negative == interval


@pytest.mark.parametrize(
    "text", ["", " ", "month", "1", "1 moon", "one month", "1 month later", "1.5 days", "1month", "99999999999 days"]
)
def test_what_is_no_length_of_time(text: str) -> None:
    with pytest.raises(IntervalError):
        parse_interval(text)
