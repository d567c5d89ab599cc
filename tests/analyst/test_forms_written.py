"""What every kind of SQL is as a form, and how the form is written: each in ``forms_said.txt``, answers in ``stored``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import test_forms_sql
import yaml
from stored import hold

from svc_notebook.analyst.offline.forms import (
    ROWS,
    Aggregate,
    CannotWrite,
    Clause,
    Difference,
    Extreme,
    Filter,
    Form,
    Join,
    Limit,
    Member,
    Names,
    NoForm,
    Order,
    Output,
    Over,
    Role,
    Value,
    from_sql,
    to_sql,
)
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine.duckdb import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

SAID = (Path(__file__).parent / "forms_said.txt").read_text("utf-8").splitlines()

ORDERS, AMOUNT = Role("orders"), Member("orders.amount")
COUNTED = Form(ORDERS, measures=(Clause(ROWS),))


@pytest.fixture(scope="module")
def names() -> Iterator[Names]:
    layer = SemanticLayer(load_model(yaml.safe_load(test_forms_sql.MODEL)), DuckDBEngine.open(None))
    yield Names(layer.catalog(SecurityContext.operator()))
    layer.close()


@pytest.mark.parametrize("said", SAID)
def test_every_kind_is_written_as_it_was_or_refused_in_words(names: Names, said: str) -> None:
    dialect, _, sql = said.partition(": ")
    try:
        form = from_sql(sql, names, dialect)
    except NoForm as refusal:
        hold("forms", [said], f"refused: {refusal}")
        return
    written = to_sql(form)
    assert from_sql(written, names) == form, written
    hold("forms", [said], written)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT id FROM orders LIMIT 2 + 1", "number of rows"),
        ("SELECT id FROM orders LIMIT 2 OFFSET 1 + 1", "number of rows"),
        ("SELECT id FROM orders TABLESAMPLE 10%", "sample"),
        ("SELECT id FROM orders WHERE status IS DISTINCT FROM 'a'", "nothing a form says"),
        ("SELECT status IS DISTINCT FROM 'a' FROM orders", "nothing a form says"),
    ],
)
def test_what_would_ask_something_else_is_refused(names: Names, sql: str, told: str) -> None:
    with pytest.raises(NoForm, match=told):
        from_sql(sql, names, "duckdb")


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (COUNTED.with_(joins=(Join(COUNTED, outer=True),)), "wants a condition"),
        (COUNTED.with_(joins=(Join(ORDERS),)), "'orders' stands in the form twice"),
        (COUNTED.with_(where=(Filter(Extreme(Member("customers.age"), True)),), joins=()), "does not read"),
        (COUNTED.with_(groups=(Clause(Member("customers.age")),)), "'customers.age' belongs to a relation"),
        (Form(COUNTED, columns=(Clause(Output(AMOUNT)),)), "an inner form that does not show it"),
        (COUNTED.with_(where=(Filter(Extreme(Value(1), True)),)), "a member's relation, or of a form"),
        (COUNTED.with_(limit=Limit(2, (AMOUNT,))), "want an order"),
        (Form(ORDERS, measures=(Clause(Aggregate("correlation", AMOUNT)),)), "wants two numbers"),
        (Form(ORDERS, measures=(Clause(Aggregate("sum")),)), "'sum' wants something to aggregate"),
        (Form(ORDERS, columns=(Clause(Difference("month", AMOUNT, AMOUNT, exact=True)),)), "A month has no exact"),
        (Form(ORDERS, columns=(Clause(Over("share")),)), "A share wants a number"),
    ],
)
def test_what_cannot_be_written_is_told(form: Form, told: str) -> None:
    with pytest.raises(CannotWrite, match=told):
        to_sql(form)


def test_the_first_rows_of_each_group_stand_in_its_order() -> None:
    form = Form(
        ORDERS, columns=(Clause(AMOUNT),), order=(Order(AMOUNT, True),), limit=Limit(2, (Member("orders.status"),))
    )
    assert to_sql(form).replace('"', "").partition(" QUALIFY ")[2] == (
        "RANK() OVER (PARTITION BY orders.status ORDER BY orders.amount DESC) <= 2 "
        "ORDER BY orders.status ASC, orders.amount DESC"
    )
