"""Months, days and quarters of a year that is counted from now: one period, and not two."""

from __future__ import annotations

from datetime import datetime

import pytest

from svc_notebook.analyst.offline.calendar.periods import find_periods
from svc_notebook.analyst.offline.words.text import tokenize

NOW = datetime(2025, 6, 2, 12)


@pytest.mark.parametrize(
    ("said", "low", "high"),
    [
        ("invoices since june last year", datetime(2024, 6, 1), None),
        ("invoices in march last year", datetime(2024, 3, 1), datetime(2024, 4, 1)),
        ("invoices in march of last year", datetime(2024, 3, 1), datetime(2024, 4, 1)),
        ("invoices before may this year", None, datetime(2025, 5, 1)),
        ("invoices in november this year", datetime(2025, 11, 1), datetime(2025, 12, 1)),
        ("invoices on 5 april last year", datetime(2024, 4, 5), datetime(2024, 4, 6)),
        ("invoices after april 5 last year", datetime(2024, 4, 6), None),
        ("invoices in q3 last year", datetime(2024, 7, 1), datetime(2024, 10, 1)),
        ("invoices in the second quarter of last year", datetime(2024, 4, 1), datetime(2024, 7, 1)),
        ("invoices from march to may last year", datetime(2024, 3, 1), datetime(2024, 6, 1)),
        ("invoices between october last year and february this year", datetime(2024, 10, 1), datetime(2025, 3, 1)),
        ("invoices in may 2023", datetime(2023, 5, 1), datetime(2023, 6, 1)),
    ],
)
def test_a_part_of_a_year_is_of_the_year_said_behind_it(said: str, low: datetime | None, high: datetime | None) -> None:
    assert [(period.low, period.high) for period in find_periods(tokenize(said), NOW)] == [(low, high)]


def test_a_year_to_date_stands_by_itself() -> None:
    found = find_periods(tokenize("invoices in march, this year to date"), NOW)
    assert len(found) == 2
