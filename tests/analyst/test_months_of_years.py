"""Months, days and quarters of a year that is counted from now: one period, and not two."""

from __future__ import annotations

from datetime import datetime

import pytest

from svc_notebook.analyst.offline.calendar.periods import find_periods
from svc_notebook.analyst.offline.words.text import tokenize

NOW = datetime.fromisoformat("2025-06-02T12:00:00")


@pytest.mark.parametrize(
    ("said", "low", "high"),
    [
        ("invoices since june last year", "2024-06-01", None),
        ("invoices in march last year", "2024-03-01", "2024-04-01"),
        ("invoices in march of last year", "2024-03-01", "2024-04-01"),
        ("invoices before may this year", None, "2025-05-01"),
        ("invoices in november this year", "2025-11-01", "2025-12-01"),
        ("invoices on 5 april last year", "2024-04-05", "2024-04-06"),
        ("invoices after april 5 last year", "2024-04-06", None),
        ("invoices in q3 last year", "2024-07-01", "2024-10-01"),
        ("invoices in the second quarter of last year", "2024-04-01", "2024-07-01"),
        ("invoices from march to may last year", "2024-03-01", "2024-06-01"),
        ("invoices between october last year and february this year", "2024-10-01", "2025-03-01"),
        ("invoices in may 2023", "2023-05-01", "2023-06-01"),
    ],
)
def test_a_part_of_a_year_is_of_the_year_said_behind_it(said: str, low: str | None, high: str | None) -> None:
    ends = [(one.low, one.high) for one in find_periods(tokenize(said), NOW)]
    assert ends == [tuple(datetime.fromisoformat(end) if end else None for end in (low, high))]


def test_a_year_to_date_stands_by_itself() -> None:
    found = find_periods(tokenize("invoices in march, this year to date"), NOW)
    assert len(found) == 2
