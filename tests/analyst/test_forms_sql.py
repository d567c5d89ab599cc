"""Forms and SQL: what is written is read back as the same form, and the engine runs it."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest
import yaml
from form_strategies import nested
from hypothesis import HealthCheck, given, settings

from svc_notebook.analyst.offline.forms import (
    ROWS,
    Aggregate,
    Clause,
    Form,
    Member,
    Names,
    NoForm,
    Ratio,
    Role,
    SetOf,
    from_sql,
    to_sql,
)  # fmt: skip
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine.duckdb import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

MODEL = """
cubes:
  - name: orders
    sql_table: orders
    joins:
      - {name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers}.id"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: customer_id, sql: customer_id, type: number}
      - {name: status, sql: status, type: string}
      - {name: amount, sql: amount, type: number}
      - {name: quantity, sql: quantity, type: number}
      - {name: placed_at, sql: placed_at, type: time}
      - {name: paid, sql: paid, type: boolean}
    measures:
      - {name: revenue, sql: amount, type: sum}
  - name: customers
    sql_table: customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: country, sql: country, type: string}
      - {name: age, sql: age, type: number}
      - {name: born, sql: born, type: time}
"""


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    orders = pa.table({
        "id": [1, 2, 3, 4], "customer_id": [1, 1, 2, 3], "status": ["open", "a", None, "b"],
        "amount": [10.0, 20.5, 0.0, 7.0], "quantity": [1, 2, 0, 4], "paid": [True, False, True, None],
        "placed_at": pa.array([0, 86_400, 9_000_000, 1_600_000_000], pa.timestamp("s")),
    })  # fmt: skip
    customers = pa.table({
        "id": [1, 2, 3], "country": ["DE", "FR", "a'b"], "age": [20, 30, 40],
        "born": pa.array([0, 1000, 90_000_000], pa.timestamp("s")),
    })  # fmt: skip
    engine = DuckDBEngine.open(None, data={"orders": orders, "customers": customers})
    with_layer = SemanticLayer(load_model(yaml.safe_load(MODEL)), engine)
    yield with_layer
    with_layer.close()


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@given(form=nested())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_written_is_read_back_as_the_same_form(form: Form | SetOf, layer: SemanticLayer) -> None:
    sql = to_sql(form)
    assert from_sql(sql, layer.catalog(SecurityContext.operator())) == form, sql


@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.parametrize("outer", [False, True])
def test_a_hundred_stays_with_the_ratio_it_is_of(layer: SemanticLayer, inner: bool, outer: bool) -> None:
    """100 * (a / b) / b, and (100 * a / b) / b."""
    ratio = Ratio(Ratio(Aggregate("sum", Member("orders.amount")), ROWS, inner), ROWS, outer)
    form = Form(Role("orders"), measures=(Clause(ratio),))
    sql = to_sql(form)
    assert from_sql(sql, layer.catalog(SecurityContext.operator())) == form, sql


@pytest.fixture(scope="module")
def names(layer: SemanticLayer) -> Names:
    return Names(layer.catalog(SecurityContext.operator()))


@pytest.mark.parametrize(
    ("dialect", "one", "other"),
    [
        ("sqlite", "SELECT SUM(CASE WHEN paid THEN 1 ELSE 0 END) FROM orders",
         "SELECT COUNT(*) FILTER (WHERE paid) FROM orders"),
        ("sqlite", "SELECT T1.country FROM customers AS T1 JOIN orders AS T2 ON T1.id = T2.customer_id",
         "SELECT country FROM orders o, customers c WHERE o.customer_id = c.id"),
        ("sqlite", "SELECT count(*) FROM orders WHERE strftime('%Y', placed_at) = '2024'",
         "SELECT COUNT(*) FROM orders WHERE EXTRACT(YEAR FROM placed_at) = 2024"),
        ("duckdb", "SELECT avg(CASE WHEN amount > 5 THEN 100.0 ELSE 0 END) FROM orders",
         "SELECT 100.0 * COUNT(*) FILTER (WHERE amount > 5) / COUNT(*) FROM orders"),
        ("duckdb", "SELECT DISTINCT status FROM orders", "SELECT status FROM orders GROUP BY 1"),
        ("postgres", "SELECT id FROM orders WHERE amount = (SELECT MAX(amount) FROM orders)",
         "SELECT o.id FROM orders o WHERE (SELECT MAX(x.amount) FROM orders x) = o.amount"),
        ("postgres", "SELECT 1 FROM orders WHERE placed_at BETWEEN '2024-01-01' AND '2024-02-01 00:00:00'",
         "SELECT 1 FROM orders WHERE placed_at BETWEEN DATE '2024-01-01' AND DATE '2024-02-01'"),
        ("duckdb", "WITH t AS (SELECT status, count(*) AS n FROM orders GROUP BY 1) SELECT avg(n) FROM t",
         "SELECT AVG(p.n) FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS p"),
        ("sqlite", "SELECT id FROM orders WHERE status = \"open\" AND NOT status IS NULL",
         "SELECT id FROM orders WHERE status IS NOT NULL AND status = 'open'"),
        ("duckdb", "SELECT status, sum(amount) * 1.0 / sum(sum(amount)) OVER () FROM orders GROUP BY ALL",
         "SELECT status, SUM(amount) / NULLIF(SUM(SUM(amount)) OVER (), 0) FROM orders GROUP BY 1"),
    ],
)  # fmt: skip
def test_what_is_said_in_several_ways_is_one_form(names: Names, dialect: str, one: str, other: str) -> None:
    assert from_sql(one, names, dialect) == from_sql(other, names)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT 1 FROM orders, customers", "Nothing joins 'customers'"),
        ("SELECT status, COUNT(*) FROM orders", "GROUP BY"),
        ("SELECT x FROM orders", "'x' is no member"),
        ("SELECT 1 FROM nothing", "'nothing' is no relation"),
        ("SELECT SINH(amount) FROM orders", "none a form knows"),
        ("DROP TABLE orders", "no query"),
        ("SELECT 1", "without FROM reads no rows"),
        (
            "SELECT AVG(amount) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) FROM orders",
            "frame of a window",
        ),
        ("SELECT amount FROM orders ORDER BY 3", "no column 3"),
        ("SELECT customer_id, COUNT(*) FROM orders GROUP BY ROLLUP (customer_id)", "nothing a form says"),
    ],
)
def test_what_no_form_says_is_told(names: Names, sql: str, told: str) -> None:
    with pytest.raises(NoForm, match=told):
        from_sql(sql, names)


def test_a_relation_twice_is_named_by_what_leads_to_it(names: Names) -> None:
    form = from_sql(
        "SELECT a.id, b.id FROM orders a JOIN customers c ON a.customer_id = c.id JOIN orders b ON b.customer_id = c.id",
        names,
    )
    assert isinstance(form, Form)
    assert [join.role for join in form.joins] == [Role("customers"), Role("orders", "id")]
    assert from_sql(to_sql(form), names) == form


def test_what_is_written_runs(layer: SemanticLayer, names: Names) -> None:
    sql = to_sql(from_sql(
        "SELECT c.country, COUNT(*) FILTER (WHERE o.paid) AS n FROM orders o JOIN customers c ON o.customer_id = c.id "
        "WHERE c.country LIKE '%''%' ESCAPE '!' OR o.amount >= 10 GROUP BY 1 HAVING COUNT(*) > 0 ORDER BY n DESC LIMIT 5",
        names,
    ))  # fmt: skip
    assert layer.query(SecurityContext.operator(), sql).table.to_pylist() == [
        {"country": "DE", "n": 1},
        {"country": "a'b", "n": 0},
    ]
