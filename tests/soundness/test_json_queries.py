"""JSON queries put into SQL: literals of the member's type, nothing pasted, relative dates, clear refusals."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from svc_notebook.semantic.catalog import Catalog, Member, Relation
from svc_notebook.semantic.errors import InvalidQuery, QueryError, UnknownMember
from svc_notebook.semantic.json_queries.json_dates import date_span
from svc_notebook.semantic.json_queries.json_query import translate

NOW = datetime(2024, 5, 15, 13, 45)  # noqa: DTZ001 - a Wednesday
TYPES = {"id": "number", "name": "string", "paid": "boolean", "at": "time"}
MEMBERS = {name: Member("shop", name, "dimension", kind, name.title()) for name, kind in TYPES.items()}
MEMBERS["count"] = Member("shop", "count", "measure", "number", "Count", agg_type="count")
MEMBERS["big"] = Member("shop", "big", "segment", "boolean", "Big")
CATALOG = Catalog({"shop": Relation("shop", "cube", "Shop", MEMBERS)})


def sql_of(**query: Any) -> str:
    (found,) = translate(query, CATALOG, now=NOW)
    return found.sql


def where(member: str, operator: str, values: list[Any] | None = None) -> str:
    sql = sql_of(
        dimensions=["shop.id"], filters=[{"member": f"shop.{member}", "operator": operator, "values": values}], limit=1
    )
    return sql.partition(" WHERE ")[2].partition(" GROUP BY ")[0]


def test_a_whole_query() -> None:
    assert sql_of(
        dimensions=["shop.name"],
        measures=["shop.count"],
        timeDimensions=[{"dimension": "shop.at", "granularity": "month", "dateRange": ["2024-01-01", "2024-03-31"]}],
        segments=["shop.big"],
        filters=[{"member": "shop.count", "operator": "gt", "values": ["10"]}],
        order={"shop.at": "desc", "shop.count": "asc"},
        limit=5,
        offset=10,
    ) == (
        'SELECT "shop"."name" AS "shop.name", DATE_TRUNC(\'month\', "shop"."at") AS "shop.at.month", '
        'MEASURE("shop"."count") AS "shop.count" FROM "shop" '
        'WHERE "shop"."at" >= TIMESTAMP \'2024-01-01 00:00:00\' AND "shop"."at" < TIMESTAMP \'2024-04-01 00:00:00\' '
        'AND "shop"."big" IS TRUE GROUP BY 1, 2 HAVING MEASURE("shop"."count") > 10 ORDER BY 2 DESC, 3 ASC LIMIT 5 OFFSET 10'
    )


@pytest.mark.parametrize("member, operator, values, expected", [
    ("name", "equals", ["a"], "\"shop\".\"name\" IN ('a')"),
    ("name", "equals", ["it's", None], "(\"shop\".\"name\" IN ('it''s') OR \"shop\".\"name\" IS NULL)"),
    ("name", "notEquals", ["a"], "(\"shop\".\"name\" NOT IN ('a') OR \"shop\".\"name\" IS NULL)"),
    ("name", "notEquals", [None], '"shop"."name" IS NOT NULL'),
    ("id", "equals", ["1", 2, "3.5"], '"shop"."id" IN (1, 2, 3.5)'),
    ("id", "gte", ["-1e3"], '"shop"."id" >= -1e3'),
    ("paid", "equals", ["true"], '"shop"."paid" IN (TRUE)'),
    ("name", "set", None, '"shop"."name" IS NOT NULL'),
    ("name", "notSet", None, '"shop"."name" IS NULL'),
    ("name", "contains", ["o'b"], "\"shop\".\"name\" ILIKE '%o''b%'"),
    ("name", "startsWith", ["50%"], "\"shop\".\"name\" ILIKE '50\\%%' ESCAPE '\\'"),
    ("name", "notContains", ["a", "b"],
     "((NOT \"shop\".\"name\" ILIKE '%a%' AND NOT \"shop\".\"name\" ILIKE '%b%') OR \"shop\".\"name\" IS NULL)"),
    ("at", "afterDate", ["2024-01-31"], "\"shop\".\"at\" >= TIMESTAMP '2024-02-01 00:00:00'"),
    ("at", "beforeOrOnDate", ["2024-01-31"], "\"shop\".\"at\" < TIMESTAMP '2024-02-01 00:00:00'"),
    ("at", "equals", ["2024-01-31"], "\"shop\".\"at\" IN (TIMESTAMP '2024-01-31 00:00:00')"),
])  # fmt: skip
def test_operators(member: str, operator: str, values: list[Any] | None, expected: str) -> None:
    assert where(member, operator, values) == expected


def test_filter_trees() -> None:
    query = {
        "dimensions": ["shop.id"],
        "filters": [{"or": [
            {"member": "shop.id", "operator": "equals", "values": [1]},
            {"and": [{"member": "shop.paid", "operator": "equals", "values": [True]},
                     {"member": "shop.id", "operator": "lt", "values": [9]}]},
        ]}],
    }  # fmt: skip
    assert '("shop"."id" IN (1) OR ("shop"."paid" IN (TRUE) AND "shop"."id" < 9))' in sql_of(**query)


@pytest.mark.parametrize("query, words", [
    ({}, "at least one"),
    ({"dimensions": ["shop.nosuch"]}, "unknown member"),
    ({"dimensions": ["nosuch.id"]}, "unknown member"),
    ({"dimensions": ["id"]}, "unknown member"),
    ({"dimensions": [None]}, "unknown member"),
    ({"dimensions": "shop.id"}, "is a list"),
    ({"dimensions": ["shop.count"]}, "is a measure"),
    ({"measures": ["shop.id"]}, "is a dimension"),
    ({"measure": ["shop.count"]}, "no 'measure'"),
    ({"dimensions": ["shop.id"], "limit": "1; DROP TABLE x"}, "whole number"),
    ({"dimensions": ["shop.id"], "limit": True}, "whole number"),
    ({"dimensions": ["shop.id"], "limit": 10**9}, "at most"),
    ({"dimensions": ["shop.id"], "order": {"shop.id": "asc; --"}}, "'asc' or 'desc'"),
    ({"dimensions": ["shop.id"], "filters": [{"member": "shop.id", "operator": "equals", "values": ["1 OR 1=1"]}]}, "type number"),
    ({"dimensions": ["shop.id"], "filters": [{"member": "shop.id", "operator": "like", "values": ["1"]}]}, "operator"),
    ({"dimensions": ["shop.id"], "filters": [{"member": "shop.id", "operator": "gt"}]}, "'values'"),
    ({"dimensions": ["shop.id"], "filters": [{"or": []}]}, "no filters"),
    ({"timeDimensions": [{"dimension": "shop.name", "granularity": "day"}]}, "not a time dimension"),
    ({"timeDimensions": [{"dimension": "shop.at", "granularity": "day", "dateRange": "soonish"}]}, "not a date"),
])  # fmt: skip
def test_what_is_wrong_is_said(query: dict[str, Any], words: str) -> None:
    with pytest.raises(QueryError, match=words):
        translate(query, CATALOG, now=NOW)


@pytest.mark.parametrize("text, start, end", [
    ("today", "2024-05-15", "2024-05-16"),
    ("yesterday", "2024-05-14", "2024-05-15"),
    ("this week", "2024-05-13", "2024-05-20"),
    ("last week", "2024-05-06", "2024-05-13"),
    ("last month", "2024-04-01", "2024-05-01"),
    ("last 3 months", "2024-02-01", "2024-05-01"),
    ("this quarter", "2024-04-01", "2024-07-01"),
    ("next year", "2025-01-01", "2026-01-01"),
    ("last 7 days", "2024-05-08", "2024-05-15"),
    ("from 7 days ago to now", "2024-05-08", "2024-05-15 13:45"),
    ("2024-02-29", "2024-02-29", "2024-03-01"),
    (["2024-01-01", "2024-12-31"], "2024-01-01", "2025-01-01"),
])  # fmt: skip
def test_date_ranges(text: str | list[str], start: str, end: str) -> None:
    assert date_span(text, NOW) == (datetime.fromisoformat(start), datetime.fromisoformat(end))


def test_comparing_ranges_makes_a_query_for_each() -> None:
    spans = [["2024-01-01", "2024-01-31"], "last month"]
    found = translate(
        {"measures": ["shop.count"], "timeDimensions": [{"dimension": "shop.at", "compareDateRange": spans}]},
        CATALOG, now=NOW,
    )  # fmt: skip
    assert [query.date_range and query.date_range[0].month for query in found] == [1, 4]


@given(
    value=st.text(max_size=40),
    operator=st.sampled_from(["equals", "notEquals", "contains", "startsWith", "notEndsWith"]),
)
def test_no_text_gets_out_of_its_literal(value: str, operator: str) -> None:
    """However hostile a value, the statement keeps its shape and the parser reads the value back."""
    condition = where("name", operator, [value])
    parsed = sqlglot.parse_one(f"SELECT 1 WHERE {condition}", read="postgres")
    literals = [node.this for node in parsed.find_all(exp.Literal) if node.is_string]
    assert len([text for text in literals if text != "\\"]) <= 1 or value == "\\"
    if operator in ("equals", "notEquals"):
        assert literals == [value]


@given(name=st.text(max_size=20))
def test_names_outside_the_catalog_are_unknown(name: str) -> None:
    if name in MEMBERS:
        return
    with pytest.raises((UnknownMember, InvalidQuery)):
        translate({"dimensions": [f"shop.{name}"]}, CATALOG, now=NOW)
