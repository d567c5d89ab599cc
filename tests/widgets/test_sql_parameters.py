"""Variables in ``%%svcsql``: values, never text that could be read as SQL."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.widgets.sql_parameters import ParameterError, bind


def back(value: Any) -> Any:
    return duckdb.sql(bind("SELECT {value}", {"value": value})).fetchall()[0][0]


@given(
    st.one_of(
        st.text().filter(lambda t: "\x00" not in t and t.isprintable()),
        st.integers(-(2**62), 2**62),
        st.booleans(),
        st.none(),
    )
)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    assert back(value) == value


def test_dates_decimals_and_lists() -> None:
    assert back(dt.date(2024, 2, 29)) == dt.date(2024, 2, 29)
    assert back(dt.datetime(2024, 2, 29, 1, 2, 3)) == dt.datetime(2024, 2, 29, 1, 2, 3)  # noqa: DTZ001
    assert back(Decimal("1.50")) == Decimal("1.50")
    assert bind("x IN {c}", {"c": ["DL", "O'Hare"]}) == "x IN ('DL', 'O''Hare')"


@pytest.mark.parametrize(
    ("sql", "variables", "message"),
    [
        ("SELECT '{x}'", {"x": 1}, "without quotes"),
        ("SELECT {y}", {"x": 1}, "no variable 'y'"),
        ("SELECT {x}", {"x": object()}, "object"),
        ("SELECT {x}", {"x": []}, "empty"),
        ("SELECT {x}", {"x": float("nan")}, "nan"),
        ("SELECT {x}", {"x": b"x"}, "bytes"),
    ],
)
def test_what_cannot_be_bound_is_refused(sql: str, variables: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        bind(sql, variables)


def test_comments_and_quotes_are_left_alone() -> None:
    sql = "SELECT 'it''s', \"a b\" -- {x}\n/* {x} */ FROM t"
    assert bind(sql, {}) == sql
