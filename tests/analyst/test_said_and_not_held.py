"""What was said and no part of a plan holds is refused, and what only tells of each row names the rows themselves."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

import pytest
from scaffolded import scaffolded

from svc_notebook.analyst.offline.forms import Form, Missing, from_sql
from svc_notebook.analyst.offline.grammar import Candidate
from svc_notebook.analyst.offline.linking import link
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.ranking.outcome import agreeing
from svc_notebook.analyst.offline.ranking.standing import Standing, standings
from svc_notebook.analyst.offline.reading.reading import ENOUGH, Reading, read
from svc_notebook.analyst.offline.schema.metadata import Metadata

NOW = datetime.fromisoformat("2023-06-15")


@cache
def leaks() -> Metadata:
    """Water leaks: nothing that any other test asks about."""
    rows = [
        {
            "leak_no": n, "found_at": datetime.fromisoformat("2022-01-01") + timedelta(hours=29 * n),
            "district": ["Mill", "Dock", "Fort"][n % 3], "burst_type": ["joint", "valve", "main"][n // 2 % 3],
            "pipe": ["iron", "lead", "clay"][n // 3 % 3], "repair_hours": 1 + n * 7 % 40, "repair_fee": float(50 + n * 13 % 400),
            "air_flow": round(n * 3 % 17 / 2, 1),
        }
        for n in range(360)
    ]  # fmt: skip
    return scaffolded("leaks", rows)


def reading(question: str) -> Reading:
    return read(question, leaks(), NOW, (), 2022)


def written(question: str) -> str:
    plan = reading(question).plan
    assert plan is not None and plan.confidence >= ENOUGH, question
    return write_sql(plan, leaks()).sql


@pytest.mark.parametrize(
    "question",
    [
        "repair hours in weeks by district",  # a unit that nothing is shown in
        "how many leaks per district had an air above the norm",  # a number that is named
        "how many repairs by zeppelin",  # a group that nobody knows
        "average rust flow",  # another flow than that of the air
        "leaks without a district",  # every row has one
        "when do most main leaks happen",  # a time is asked for
        "highest repair fee and when was that",  # two questions
        "average repair fee where there was one",  # a clause about the rows
        "how many leaks ended with a repair fee",  # rows with, and no numbers
        "repair fee per minute by district",  # no minute of the day has rows of its own
        "average repair fee of leaks with more than 2 pipes",  # how many there are, and not the fee
        "leaks with three pipes",  # and no three of them
    ],
)
def test_what_no_clause_holds_is_not_answered(question: str) -> None:
    plan = reading(question).plan
    assert plan is None or plan.confidence < ENOUGH, write_sql(plan, leaks()).sql


@pytest.mark.parametrize(
    ("period", "first", "behind"),
    [
        ("the first week of march", "2022-03-01", "2022-03-08"),  # days, and not the least of the weeks
        ("the last quarter of 2022", "2022-10-01", "2023-01-01"),
        ("in the last two months of 2022", "2022-11-01", "2023-01-01"),
        ("the second week of may 2022", "2022-05-08", "2022-05-15"),
    ],
)
def test_an_end_of_a_period_is_a_period(period: str, first: str, behind: str) -> None:
    sql = written(f"how many leaks in {period}".replace("in in", "in"))
    assert f"'{first}'" in sql
    assert f"'{behind}'" in sql


@pytest.mark.parametrize(
    "question",
    [
        "repair hours by district", "average repair fee per leak by district", "repair fee per leak by district",
        "leaks per month", "repair fee by pipe", "total repair hours per district", "average air flow",
    ],
)  # fmt: skip
def test_what_is_held_stays_answered(question: str) -> None:
    assert written(question)


def test_the_kind_of_a_row_is_no_name_of_rows_to_count() -> None:
    assert "burst_type" not in written("how many bursts were there in 2022")
    assert "burst_type" not in written("bursts per month")
    assert "GROUP BY 1" in written("number of leaks by burst") and "burst_type" in written("number of leaks by burst")
    assert "burst_type" in written("most common burst")
    assert "burst_type" in written("how many different burst types are there")


def test_a_head_behind_a_name_is_no_second_name() -> None:
    assert "burst_type" not in written("number of leaks by pipe type")


def test_a_form_that_asks_for_rows_without_what_each_row_has_is_no_reading() -> None:
    void = from_sql('SELECT COUNT(*) AS "n" FROM "leaks" WHERE "repair_fee" IS NULL', leaks().catalog)
    assert isinstance(void, Form) and isinstance(void.where[0].condition, Missing)
    question = "how many leaks were not repaired"
    lattice = link(question, leaks(), NOW, 2022, 1)
    found = standings([Candidate(void, (), 0.0)], reading(question), lattice, leaks())
    assert not any(one.form == void for one in found)


@pytest.mark.parametrize("question", ["when do most main leaks happen"])
def test_what_the_rules_know_to_be_no_answer_is_none_as_a_form_either(question: str) -> None:
    before = reading(question)
    assert before.unfit and before.plan is not None
    same = from_sql(write_sql(before.plan, leaks()).sql, leaks().catalog)
    found = standings([Candidate(same, (), 0.0)], before, link(question, leaks(), NOW, 2022, 1), leaks())
    assert not found


def test_a_number_of_nothing_is_evidence() -> None:
    one = Standing(None, ())
    assert agreeing([one], [(1, "[0]")])["gives:zero"] == 1.0
    assert agreeing([one], [(1, "[12]")])["gives:zero"] == 0.0
