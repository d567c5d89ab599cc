"""A reading from the wire is one query, or is refused with where it is wrong and what stands there instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import test_forms_sql
import yaml

from svc_notebook.analyst.offline.forms import Form, to_sql
from svc_notebook.analyst.offline.forms.wire.receiving import BadReading, form_of
from svc_notebook.protocol.reading import MAX_CLAUSES, MAX_VALUES, READING_VERSION, Reading
from svc_notebook.semantic.catalog import Catalog
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine.duckdb import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

D = dict
ORDERS = D(relation="orders")
COUNTED = [D(aggregate="rows")]
BY_CUSTOMER = [D(relation="customers", on=[["orders.customer_id", "customers.id"]])]
LONG = "x" * 4001


@pytest.fixture(scope="module")
def catalog() -> Iterator[Catalog]:
    layer = SemanticLayer(load_model(yaml.safe_load(test_forms_sql.MODEL)), DuckDBEngine.open(None))
    yield layer.catalog(SecurityContext.operator())
    layer.close()


def received(catalog: Catalog, **said: Any) -> Form:
    return form_of(msgspec.convert({"version": READING_VERSION, "root": ORDERS} | said, Reading), catalog)


def member(path: str, /, **more: Any) -> list[dict[str, Any]]:
    return [D(member=path if "." in path else f"orders.{path}", **more)]


def having(operator: str, *values: Any, of: str = "amount") -> dict[str, Any]:
    return D(columns=member("id"), where=member(of, operator=operator, values=list(values)))


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        (D(measures=COUNTED), "SELECT COUNT(*) AS count FROM orders"),
        (D(measures=member("revenue"), groups=member("status")),
         "SELECT orders.status AS status, MEASURE(orders.revenue) AS revenue FROM orders GROUP BY orders.status"),
        (D(measures=member("amount", aggregate="avg", name="mean")), "SELECT AVG(orders.amount) AS mean FROM orders"),
        (D(measures=COUNTED, groups=member("placed_at", grain="month")),
         ("SELECT DATE_TRUNC('month', orders.placed_at) AS placed_at_month, COUNT(*) AS count FROM orders "
         "GROUP BY DATE_TRUNC('month', orders.placed_at)")),
        (D(measures=COUNTED, groups=member("placed_at", part="hour", hidden=True)),
         "SELECT COUNT(*) AS count FROM orders GROUP BY EXTRACT(HOUR FROM orders.placed_at)"),
        (D(columns=[D(expression="amount * 2", name="twice")]), "SELECT orders.amount * 2 AS twice FROM orders"),
        (D(columns=member("id"), sort=member("amount", descending=True), limit=D(count=3, skip=2)),
         "SELECT orders.id AS id FROM orders ORDER BY orders.amount DESC LIMIT 3 OFFSET 2"),
        (D(columns=member("id"), sort=member("amount"), limit=D(count=1_000_000, per=member("status"))),
         ("SELECT orders.id AS id FROM orders QUALIFY RANK() OVER (PARTITION BY orders.status ORDER BY orders.amount ASC) "
         "<= 1000000 ORDER BY orders.status ASC, orders.amount ASC")),
        (D(columns=member("customers.country"), root=ORDERS | D(joins=BY_CUSTOMER)),
         "SELECT customers.country AS country FROM orders JOIN customers ON orders.customer_id = customers.id"),
        (D(columns=member("id"), root=ORDERS | D(joins=[BY_CUSTOMER[0] | D(outer=True, also="customers.age > 3")])),
         ("SELECT orders.id AS id FROM orders LEFT JOIN customers ON orders.customer_id = customers.id "
         "AND customers.age > 3")),
        (D(root=D(expression="SELECT status, COUNT(*) AS n FROM orders GROUP BY 1"),
           measures=[D(expression="AVG(per.n)")]),
         ("SELECT AVG(per.n) AS avg_count FROM (SELECT orders.status AS status, COUNT(*) AS n FROM orders "
         "GROUP BY orders.status) AS per")),
        (D(measures=COUNTED, groups=member("status"), having=[D(aggregate="rows", operator=">", values=[2])]),
         "SELECT orders.status AS status, COUNT(*) AS count FROM orders GROUP BY orders.status HAVING COUNT(*) > 2"),
    ],
)  # fmt: skip
def test_a_reading_is_one_query(catalog: Catalog, said: dict[str, Any], sql: str) -> None:
    assert to_sql(received(catalog, **said)).replace('"', "") == sql


@pytest.mark.parametrize(
    ("said", "condition"),
    [
        (having("=", 5), "orders.amount = 5"),
        (having("=", "5"), "orders.amount = 5"),
        (having("!=", 5), "orders.amount <> 5"),
        (having("in", 1, 2), "orders.amount IN (1, 2)"),
        (having("in", 1), "orders.amount = 1"),
        (having("not in", 1), "orders.amount <> 1"),
        (having("not in", 1, 2), "NOT orders.amount IN (1, 2)"),
        (having("between", 1, 2), "orders.amount BETWEEN 1 AND 2"),
        (having("not between", 1, 2), "NOT orders.amount BETWEEN 1 AND 2"),
        (having("period", 1, 2), "orders.amount >= 1 AND orders.amount < 2"),
        (having("not period", 1, 2), "NOT (orders.amount >= 1 AND orders.amount < 2)"),
        (having("null"), "orders.amount IS NULL"),
        (having("not null"), "NOT orders.amount IS NULL"),
        (having("true", of="paid"), "orders.paid"),
        (having("false", of="paid"), "NOT (orders.paid)"),
        (having("contains", "ab", of="status"), "orders.status ILIKE '%ab%'"),
        (having("starts", "ab", of="status"), "orders.status ILIKE 'ab%'"),
        (having("not ends", "ab", of="status"), "NOT orders.status ILIKE '%ab'"),
        (having(">=", "2024-05-31", of="placed_at"), "orders.placed_at >= CAST('2024-05-31' AS DATE)"),
        (D(columns=member("id"), where=[D(expression="amount > 5 OR paid")]), "(orders.amount > 5 OR orders.paid)"),
    ],
)
def test_each_operator_is_its_condition(catalog: Catalog, said: dict[str, Any], condition: str) -> None:
    assert to_sql(received(catalog, **said)).replace('"', "").partition(" WHERE ")[2] == condition


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (D(version=READING_VERSION + 1), "this service reads version"),
        (D(columns=member("id") * (MAX_CLAUSES + 1)), f"at most {MAX_CLAUSES} clauses"),
        (D(columns=member("id") * MAX_CLAUSES, root=ORDERS | D(joins=BY_CUSTOMER)), f"at most {MAX_CLAUSES} clauses"),
        (having("in", *range(MAX_VALUES + 1)), f"at most {MAX_VALUES:,} values"),
        (having("=", LONG, of="status"), "A value of a reading has at most 4,000"),
        (D(columns=[D(expression=LONG)]), "columns[0]: an expression has at most 4,000"),
        (D(columns=member("id"), compare=D(member="orders.id")), "compare cannot be asked for yet"),
        (D(columns=member("id"), root=ORDERS | D(joins=[D(relation="customers", outer=True)])), "wants an 'on'"),
        (
            D(columns=member("id"), root=ORDERS | D(joins=[D(relation="customers", crossed=True)])),
            "every row with every",
        ),
        (D(root=D(), columns=member("id")), "root wants either a relation or an expression"),
        (D(root=ORDERS | D(expression="SELECT id FROM orders"), columns=member("id")), "root wants either a relation"),
        (D(root=D(relation="invoices"), measures=COUNTED), "there is no cube or view 'invoices'"),
        (D(root=ORDERS | D(joins=[ORDERS]), measures=COUNTED), "'orders' stands there twice"),
        (D(columns=member("id", operator="=", values=[1])), "is shown and has no operator"),
        (D(columns=member("id"), limit=D(count=0)), "limit.count is 1 to 1,000,000"),
        (D(columns=member("id"), limit=D(count=1_000_001)), "limit.count is 1 to 1,000,000"),
        (D(columns=member("id"), limit=D(count=1, skip=-1)), "skip not below 0"),
        (D(columns=[D(aggregate="sum")]), "columns[0] wants a member or an expression"),
        (D(columns=member("weight")), "there is no member 'orders.weight'"),
        (D(columns=member("customers.country")), "there is no member 'customers.country'"),
        (D(columns=member("placed_at", grain="month", part="hour")), "wants one of aggregate, grain and part"),
        (D(measures=member("revenue", aggregate="sum")), "wants one of aggregate, grain and part, of a dimension"),
        (D(measures=member("amount", aggregate="total")), "measures[0].aggregate 'total' is unknown"),
        (D(measures=member("amount", aggregate="quantile")), "measures[0].aggregate 'quantile' is unknown"),
        (D(columns=member("placed_at", grain="eon")), "columns[0].grain 'eon' is unknown"),
        (D(columns=member("amount", grain="month")), "'orders.amount' is no time; leave out its grain"),
        (D(columns=member("id"), where=member("amount")), "where[0] wants an operator"),
        (having("near", 5), "where[0].operator 'near' is unknown"),
        (having("="), "'=' wants 1 value."),
        (having("between", 1), "'between' wants 2 values."),
        (having("null", 1), "'null' wants 0 values."),
        (having("in"), "'in' wants some values."),
        (having("true"), "is asked of something that is true or false"),
        (having("=", None), "compare with a value"),
        (having("=", "many"), "'many' is compared with a number"),
        (having("=", "soon", of="placed_at"), "'soon' is compared with a date"),
        (D(columns=[D(expression="amount, quantity")]), "one expression of SQL, nothing after it"),
        (D(columns=[D(expression="amount AS a")]), "one expression of SQL, nothing after it"),
        (D(columns=[D(expression="amount FROM customers")]), "one expression of SQL, nothing after it"),
        (D(), "A reading shows something"),
        (D(columns=member("id"), measures=COUNTED), "either columns (a list of rows) or measures"),
        (D(columns=member("id"), groups=member("status")), "either columns (a list of rows) or measures"),
        (D(measures=COUNTED, groups=[D(expression="SUM(amount)")]), "groups holds an aggregate"),
        (D(columns=[D(expression="SUM(amount)")]), "columns holds an aggregate"),
        (D(measures=member("amount")), "measures are aggregates"),
        (D(measures=COUNTED, where=[D(aggregate="rows", operator=">", values=[2])]), "where holds an aggregate"),
        (D(columns=[D(expression="SINH(amount)")]), "The reading cannot be asked: "),
        (D(columns=[D(expression="(" * 1500 + "1" + ")" * 1500)]), "nested too deeply"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(catalog: Catalog, said: dict[str, Any], told: str) -> None:
    with pytest.raises(BadReading) as refusal:
        received(catalog, **said)
    assert told in str(refusal.value)


@pytest.mark.parametrize(
    ("said", "anchor"),
    [
        (D(origin="said", said=[3, 7]), ("said", 3, 7, "")),
        (D(origin="said", said=[-3, -1]), ("said", 0, 0, "")),
        (D(origin="kept", **{"from": "first"}), ("kept", 0, 0, "first")),
        (D(origin="assumed", said=[3, 7]), ("assumed", 0, 0, "")),
    ],
)
def test_where_a_clause_comes_from_is_kept(catalog: Catalog, said: dict[str, Any], anchor: tuple[Any, ...]) -> None:
    found = received(catalog, columns=member("id", **said)).columns[0].anchor
    assert (found.origin, found.start, found.end, found.turn) == anchor
