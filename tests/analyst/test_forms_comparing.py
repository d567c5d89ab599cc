"""A form beside itself at another time: by the time itself, never by the place of a row."""

from __future__ import annotations

from datetime import datetime
from functools import cache

import pyarrow as pa
import pytest

from svc_notebook.analyst.offline.forms import (
    ROWS,
    Aggregate,
    CannotWrite,
    Clause,
    Comparison,
    Filter,
    Form,
    Member,
    Order,
    Range,
    Role,
    Shift,
    Truncated,
    Value,
    from_sql,
    to_sql,
)
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

MONTH = Truncated(Member("visits.day"), "month")


@cache
def layer() -> SemanticLayer:
    """Visits in January, February and April: 2, 3 and 6 of them."""
    months = [1] * 2 + [2] * 3 + [4] * 6
    rows = [{"visit_id": n, "guests": n + 1, "day": datetime(2024, m, 1 + n)} for n, m in enumerate(months)]  # noqa: DTZ001
    data = {"visits": pa.Table.from_pylist(rows)}
    return SemanticLayer(load_model(scaffold_model(dict(data))), DuckDBEngine.open(None, data=data))


def compared(show: str = "growth", amount: int = 1, **changes: object) -> Form:
    form = Form(Role("visits"), groups=(Clause(MONTH),), measures=(Clause(ROWS),), order=(Order(MONTH),))
    return form.with_(compare=Comparison(Shift(MONTH, amount, "month"), show), **changes)


def rows(form: Form) -> list[tuple[object, ...]]:
    table = layer().query(SecurityContext.operator(), to_sql(form)).table
    return [tuple(row.values()) for row in table.to_pylist()]


def test_a_missing_month_changes_no_growth_rate() -> None:
    found = [row[1:] for row in rows(compared())]
    assert found == [(2, None, None), (3, 2, 0.5), (6, None, None)]


def test_the_months_are_shifted_by_as_many_as_were_said() -> None:
    assert [row[1:] for row in rows(compared("difference", 2))] == [(2, None, None), (3, None, None), (6, 3, 3)]


def test_a_period_of_the_form_is_as_much_earlier_in_what_it_is_compared_with() -> None:
    february = Range(MONTH.of, Value(datetime(2024, 2, 1)), Value(datetime(2024, 3, 1)))  # noqa: DTZ001
    assert [row[1:] for row in rows(compared(where=(Filter(february),)))] == [(3, 2, 0.5)]


@pytest.mark.parametrize("show", ["both", "difference", "growth"])
def test_what_is_written_is_read_back(show: str) -> None:
    form = compared(show)
    assert from_sql(to_sql(form), layer().catalog(SecurityContext.operator())) == form


def test_two_forms_side_by_side() -> None:
    guests = Form(
        Role("visits"), groups=(Clause(MONTH),), measures=(Clause(Aggregate("sum", Member("visits.guests"))),)
    )
    form = compared().with_(compare=Comparison(guests))
    assert [row[1:] for row in rows(form)] == [(2, 3), (3, 12), (6, 51)]


def test_a_form_that_does_not_show_its_time_is_not_compared_by_it() -> None:
    with pytest.raises(CannotWrite, match="groups by it"):
        to_sql(compared(groups=(), order=()))
