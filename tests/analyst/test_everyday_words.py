"""Words of every day over columns that are called otherwise: like words of values, what was done to some, slips, initials."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

import pytest
from scaffolded import scaffolded

from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.offline.words.text import stem
from svc_notebook.analyst.offline.words.thesaurus import is_like, related


@cache
def falls() -> Metadata:
    rows = [
        {
            "fall_no": n, "fell_on": datetime.fromisoformat("2023-01-02") + timedelta(hours=9 * n),
            "site": ["North Gate", "South Yard", "Main Hall"][n % 3], "inj_cnt": n % 5 % 2, "fatal_cnt": int(n % 97 == 0),
            "outcome": ["Closed", "Open", "Referred"][n % 7 % 3], "penalty_usd": n % 4 * 50,
        }
        for n in range(600)
    ]  # fmt: skip
    return scaffolded("falls", rows)


def sql(question: str) -> str:
    reading = read(question, falls(), datetime.fromisoformat("2023-06-15"), (), 2023)
    assert reading.plan is not None, reading
    assert not reading.unread
    return write_sql(reading.plan, falls()).sql


@pytest.mark.parametrize(
    "said, plain",
    [
        ("how many falls were shut", "how many falls were closed"),  # a value
        ("total fines by site", "total penalty by site"),  # a name
        ("how many fatal falls by site", "how many falls where fatal count more than 0 by site"),
        ("how many falls where someone was hurt", "how many falls where inj count more than 0"),
        ("how many falls happend at the main hall", "how many falls happened at the main hall"),
        ("how many falls at NG", "how many falls at north gate"),
    ],
)
def test_word_is_read_as_what_it_means(said: str, plain: str) -> None:
    assert sql(said) == sql(plain)


def test_each_row_has_some_on_average() -> None:
    assert "avg_penalty_usd" in sql("penalties per fall by weekday")


def test_plural_is_no_other_word_that_is_cut_like_it() -> None:
    assert related(stem("rats")) and not is_like("rats")
    assert is_like("ratings") and is_like("deaths") and is_like("killed")


@pytest.mark.parametrize("question", ["how many falls were painted", "how many falls at XQ", "zorblings by site"])
def test_word_for_nothing_stays_unknown(question: str) -> None:
    reading = read(question, falls(), datetime.fromisoformat("2023-06-15"), (), 2023)
    assert reading.plan is None or reading.unread
