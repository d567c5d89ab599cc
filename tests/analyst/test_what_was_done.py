"""What was done, said by its verb, and by whom: rows of another table, how often, late or in time."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Pct, outcome_of
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N, NOW = 30, pd.Timestamp("2024-11-20")


@cache
def tables() -> dict[str, pd.DataFrame]:
    books = pd.DataFrame({"book_id": range(1, 7), "title": [f"Book {n}" for n in range(6)]})
    members = pd.DataFrame({
        "member_id": range(1, 9), "full_name": [f"Reader {n}" for n in range(8)],
        "coordinator_id": [None, None, 1, 1, 1, 2, 2, 1], "phone": [None if n == 3 else f"55{n}" for n in range(8)],
        "quit_on": [pd.Timestamp("2024-03-01") if n in (2, 5) else pd.NaT for n in range(8)],
    })  # fmt: skip
    begun = pd.Timestamp("2024-01-02") + pd.to_timedelta([n * 5 for n in range(N)], unit="D")
    loans = pd.DataFrame({
        "loan_id": range(1, N + 1), "book_id": [1 + n % 5 for n in range(N)],
        "member_id": [1 + (n * n) % 7 for n in range(N)], "borrowed_on": begun, "due_on": begun + pd.Timedelta(days=14),
        "fine_eur": [0.5 * (n % 7) for n in range(N)], "handled_by": [("Ada", "Bo", "Cy")[n % 4 % 3] for n in range(N)],
        "returned_on": [pd.NaT if n % 6 == 0 else begun[n] + pd.Timedelta(days=8 + n % 11) for n in range(N)],
    })  # fmt: skip
    return {"books": books, "members": members, "loans": loans}


@cache
def world() -> World:
    held = tables()
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def wanted(question: str) -> Any:
    members, loans = tables()["members"], tables()["loans"]
    named = members.set_index("member_id").full_name
    late, done = loans[loans.returned_on > loans.due_on], loans[loans.returned_on.notna()]
    often = loans.member_id.map(named).value_counts()
    late_often = late.member_id.map(named).value_counts()
    titles = tables()["books"].set_index("book_id").title
    open_late = loans[loans.returned_on.isna() & (loans.due_on < NOW)]
    idle = members[~members.member_id.isin(loans.member_id)]
    return {
        "members who never borrowed anything": Near(len(idle), set(idle.full_name)),
        "members who never borrowed a thing": Near(len(idle), set(idle.full_name)),
        "which books were never lent": {"Book 5"},
        "books not borrowed yet": {"Book 5"},
        "most borrowed book in February": loans[loans.borrowed_on.dt.month == 2].book_id.map(titles).mode()[0],
        "overdue loans": Near(len(open_late), set(open_late.loan_id)),
        "which loans are overdue right now": set(open_late.loan_id),
        "how many loans are still overdue": len(open_late),
        "top 5 most borrowed books": dict(loans.book_id.map(titles).value_counts()),
        "when did Reader 4 last borrow something": loans[loans.member_id == 5].borrowed_on.max(),
        "members who borrowed at least 5 times": dict(often[often >= 5]),
        "who borrowed the most books": Near(*often[often == often.max()].index),
        "members who returned books late more than once": dict(late_often[late_often > 1]),
        "loans returned after the due date": Near(len(late), set(late.loan_id)),
        "share of loans returned on time": Pct(1 - len(late) / len(done)),
        "who coordinates the most people": "Reader 0",
        "how many members do we have on file": len(members),
        "members with no phone on file": Near(1, {"Reader 3"}),
        "which members quit in 2024": {"Reader 2", "Reader 5"},
        "members w/o a phone recorded": Near(1, {"Reader 3"}),
        "books nobody borrowed": {"Book 5"},
        "how many books has no one borrowed": 1,
        "which books did nobody take": {"Book 5"},
        "loans per agent": dict(loans.handled_by.value_counts()),
        "which handler had the most loans in January": loans[loans.borrowed_on.dt.month == 1].handled_by.mode()[0],
        "how many loans over 2 euros were there": int((loans.fine_eur > 2).sum()),
    }[question]


@pytest.mark.parametrize(
    "question",
    [
        "members who never borrowed anything", "members who borrowed at least 5 times", "who borrowed the most books",
        "members who returned books late more than once", "loans returned after the due date",
        "share of loans returned on time", "who coordinates the most people", "how many members do we have on file",
        "members with no phone on file", "which members quit in 2024",
        "members w/o a phone recorded", "how many loans over 2 euros were there", "books nobody borrowed",
        "how many books has no one borrowed", "which books did nobody take", "loans per agent",
        "which handler had the most loans in January", "members who never borrowed a thing",
        "which books were never lent", "books not borrowed yet", "most borrowed book in February",
        "overdue loans", "which loans are overdue right now", "how many loans are still overdue",
        "top 5 most borrowed books", "when did Reader 4 last borrow something",
    ],
)  # fmt: skip
def test_what_was_done_is_read_of_the_rows_that_say_so(question: str) -> None:
    assert outcome_of(ask(world(), question), wanted(question)) == "right"


def test_a_share_of_what_is_not_late_is_called_so() -> None:
    assert "not late" in ask(world(), "share of loans returned on time").answer.text


@pytest.mark.parametrize(
    "question",
    [
        "books nobody mended",
        "most mended book",
        "books never mended",
        "how many books were never used by Reader 2",
        "books never at Reader 2",
        "members nobody coordinates",
        "how many loans nobody",
    ],
)
def test_what_nobody_did_is_not_guessed(question: str) -> None:
    assert ask(world(), question).table is None


def test_of_two_who_may_be_called_so_none_is_taken() -> None:
    jobs = pd.DataFrame({
        "job_id": range(1, 7), "assigned_to": list("ABCABC"), "handled_by": list("DEDEDE"), "approved_by": list("FGFFFG"),
    })  # fmt: skip
    held = World(
        SemanticLayer(load_model(scaffold_model({"jobs": jobs})), DuckDBEngine.open(None, data={"jobs": jobs}))
    )
    assert ask(held, "jobs per agent").table is None
    assert outcome_of(ask(held, "jobs per approver"), dict(jobs.approved_by.value_counts())) == "right"
