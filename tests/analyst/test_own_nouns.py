"""Nouns of people's own for the rows of a table: read where rows are counted, ranked or listed, and told."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

import pytest
from scaffolded import scaffolded

from svc_notebook.analyst.offline.answering.remarks import of_own_nouns
from svc_notebook.analyst.offline.languages import phrases_of
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.reading.reading import Reading, read
from svc_notebook.analyst.offline.schema.metadata import Metadata


@cache
def audits() -> Metadata:
    rows = [
        {
            "audit_no": f"A-{n:05d}", "begun": datetime.fromisoformat("2023-01-02") + timedelta(hours=9 * n),
            "district": ["North", "South", "Harbour"][n % 3], "premises": f"House {n % 40}",
            "outcome": ["pass", "fail", "routine"][n % 7 % 3], "faults_found": n * 5 % 11, "fine_usd": n % 4 * 50,
        }
        for n in range(600)
    ]  # fmt: skip
    return scaffolded("audits", rows)


def reading(question: str) -> Reading:
    return read(question, audits(), datetime.fromisoformat("2023-06-15"), (), 2023)


@pytest.mark.parametrize(
    "own, plain",
    [
        ("how many visits in march", "how many audits in march"),
        ("which district had the most walkthroughs", "which district had the most audits"),
        ("number of walkthroughs per district", "number of audits per district"),
        ("walkthroughs by outcome", "audits by outcome"),
        ("what percentage of all our visits failed", "what percentage of all our audits failed"),
        ("average fine per visit", "average fine per audit"),
        ("how many site visits in march", "how many audits in march"),
    ],
)
def test_noun_where_rows_stand_is_theirs(own: str, plain: str) -> None:
    said, meant = reading(own), reading(plain)
    assert said.plan is not None and meant.plan is not None
    assert write_sql(said.plan, audits()).sql == write_sql(meant.plan, audits()).sql
    assert not said.unread


@pytest.mark.parametrize(
    "question, word",
    [
        ("how many audits for zorblings", "zorblings"),  # what filters is no row
        ("how many wombats per zorbling", "zorbling"),  # two things that nobody knows are not both the rows
        ("how many chimneys were there", "chimneys"),
    ],
)
def test_other_nouns_stay_unknown(question: str, word: str) -> None:
    assert word in reading(question).unread


def test_it_is_told() -> None:
    told = of_own_nouns("how many visits in march", audits(), phrases_of("en"))
    assert told == ["“visits” is read as audits."]
    assert of_own_nouns("how many audits in march", audits(), phrases_of("en")) == []
