"""The questions of strangers: every query runs over its files, and what is closed is not shown."""

from __future__ import annotations

import pytest

from benchmarks.strangers import Outcome, domains, read_domain, rows_of_sql, verdict_of
from benchmarks.strangers.__main__ import failures

WRONG = Outcome("how many bikes", "silent", "SELECT 1", "One bike.", ((2,),))
RAISED = Outcome("how many docks", "failed", "", "KeyError: docks")


@pytest.mark.parametrize("name", domains())
def test_every_answer_that_is_given_has_rows(name):
    for said in read_domain(name)["questions"]:
        assert said.get("none") or said.get("told") or said["sql"], said["ask"]
        for sql in [said["sql"], *said.get("or", ())] if "sql" in said else ():
            assert rows_of_sql(name, sql), said["ask"]


@pytest.mark.parametrize("name", domains())
def test_no_failure_of_a_closed_domain_is_shown(name):
    shown = "\n".join(failures([WRONG, RAISED], closed=bool(read_domain(name).get("closed")), asked=True))
    assert ("how many" in shown) is not bool(read_domain(name).get("closed"))
    assert "KeyError" in shown


def test_failures_are_shown_where_asked_for_and_exceptions_always():
    assert "how many bikes" not in "\n".join(failures([WRONG, RAISED], closed=False, asked=False))
    assert "how many docks" in "\n".join(failures([WRONG, RAISED], closed=False, asked=False))


@pytest.mark.parametrize(
    ("said", "prediction", "verdict"),
    [
        ({}, {"rows": [["Oslo", 2]]}, "right"),
        ({}, {"rows": [["Oslo", 3]], "unread": []}, "silent"),
        ({}, {"rows": [["Oslo", 3]], "unread": ["nearly"]}, "told"),
        ({}, {"rows": [["Oslo", 3]], "choices": [{"rows": [["Oslo", 2]]}]}, "offered"),
        ({}, {"abstained": True}, "refused"),
        ({}, {"error": "KeyError: docks"}, "failed"),
        ({"none": True}, {"abstained": True}, "kept quiet"),
    ],
)
def test_what_an_answer_is_called(said, prediction, verdict):
    assert verdict_of(said, prediction, [[["Oslo", 2]]]) == verdict
