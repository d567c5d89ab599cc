"""Fiscal periods, times of the day and named days; a fiscal year begins where the model, else the option, says."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest
import trades
import worlds
from asking import NOW

from svc_notebook.analyst.base import Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.calendar.fiscal import month_number
from svc_notebook.analyst.offline.calendar.grains import find_grains
from svc_notebook.analyst.offline.calendar.periods import find_periods
from svc_notebook.analyst.offline.words.text import tokenize


def span(text: str, start: int = 7) -> tuple[str, str]:
    period = find_periods(tokenize(text), datetime.fromisoformat("2024-11-20"), None, start)[0]
    assert period.low is not None and period.high is not None
    return period.low.date().isoformat(), period.high.date().isoformat()


@pytest.mark.parametrize(
    ("said", "low", "high"),
    [
        ("fiscal year 2013", "2012-07-01", "2013-07-01"),
        ("FY13", "2012-07-01", "2013-07-01"),
        ("in FY 2013", "2012-07-01", "2013-07-01"),
        ("fiscal year 2012/13", "2012-07-01", "2013-07-01"),
        ("FY13 Q2", "2012-10-01", "2013-01-01"),
        ("Q2 FY13", "2012-10-01", "2013-01-01"),
        ("second quarter of fiscal year 2013", "2012-10-01", "2013-01-01"),
        ("fiscal Q4 2013", "2013-04-01", "2013-07-01"),
        ("this fiscal year", "2024-07-01", "2025-07-01"),
        ("last fiscal year", "2023-07-01", "2024-07-01"),
        ("last fiscal quarter", "2024-07-01", "2024-10-01"),
        ("next fiscal quarter", "2025-01-01", "2025-04-01"),
    ],
)
def test_fiscal_periods(said: str, low: str, high: str) -> None:
    assert span(said) == (low, high)


def test_a_fiscal_year_from_january_is_the_calendar_year() -> None:
    assert span("fiscal year 2013", 1) == ("2013-01-01", "2014-01-01")


def test_by_fiscal_quarter_is_a_grain() -> None:
    assert [grain.unit for grain in find_grains(tokenize("revenue by fiscal quarter"))] == ["fiscal_quarter"]


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        ("before noon", range(12)),
        ("after 6 pm", range(18, 24)),
        ("between 8 and 10 am", range(8, 10)),
        ("between 2 and 4 pm", range(14, 16)),
        ("from 17:00 to 19:00", range(17, 19)),
        ("in the morning", range(6, 12)),
        ("at 8 o'clock", range(8, 9)),
    ],
)
def test_hours_of_the_day(said: str, hours: range) -> None:
    period = find_periods(tokenize(f"sales {said}"), datetime.fromisoformat("2024-11-20"))[0]
    assert (period.part, period.values) == ("hour_of_day", tuple(hours))


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("on Christmas day", "2024-12-25"),
        ("on new year's eve 2022", "2022-12-31"),
        ("on thanksgiving 2023", "2023-11-23"),
        ("on halloween", "2024-10-31"),
    ],
)
def test_named_days(said: str, day: str) -> None:
    assert span(said)[0] == day


@pytest.mark.parametrize(("said", "month"), [(7, 7), ("July", 7), ("oct", 10), (13, None), ("", None), (True, None)])
def test_months_a_fiscal_year_may_begin_in(said: object, month: int | None) -> None:
    assert month_number(said) == month


def sql_of(analyst: OfflineAnalyst, world: worlds.World, question: str) -> str:
    draft = asyncio.run(analyst.draft(Turn(question, (), now=NOW), world.toolbox()))
    assert draft is not None
    return draft.sql


def test_the_models_fiscal_year_wins_over_the_option() -> None:
    sql = sql_of(OfflineAnalyst(fiscal_year_start="October"), trades.retail(), "revenue in fiscal year 2024")
    assert "2023-07-01" in sql


def test_the_option_serves_models_that_say_nothing() -> None:
    sql = sql_of(OfflineAnalyst(fiscal_year_start="October"), worlds.shop(), "revenue in fiscal year 2024")
    assert "2023-10-01" in sql and "2024-10-01" in sql


def test_a_month_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="fiscal_year_start"):
        OfflineAnalyst(fiscal_year_start=13)
