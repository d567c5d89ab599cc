"""What months differ by for the calendar alone is said so, and what is grouped by weekday stands from Monday on."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ask
from visits import results
from worlds import flights

WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def test_a_shorter_month_has_fewer_for_that_alone() -> None:
    text = ask(flights(), "why did flights drop in february 2013").answer.text
    first, second, *_ = text.split(". ")
    assert first.startswith("Flights fell from 27,004 in January 2013 to **24,951** in February 2013")
    assert second.startswith(
        "That comes of the days alone: per day it was 871.1 in January 2013, 891.11 in February 2013"
    )


def test_what_a_longer_month_does_not_explain_is_told_per_day_beside_it() -> None:
    text = ask(flights(), "why did flights rise in march 2013").answer.text
    assert "Per day that is 891.11 in February 2013" in text
    assert "days alone" not in text


@pytest.mark.parametrize("months", ["january 2013 to february 2013", "january 2013 to march 2013"])
def test_a_weekday_that_comes_once_more_explains_nothing(months: str) -> None:
    asked = ask(flights(), f"why did the number of flights change from {months}")
    assert "weekday" not in asked.answer.text
    assert results(asked)[1]["schema"][0]["title"] != "Weekday"


def test_weekdays_explain_a_mean() -> None:
    text = ask(flights(), "why did average arrival delay change from may 2013 to june 2013").answer.text
    assert "weekday" in text


def test_weekdays_stand_in_their_order_and_each_has_the_earlier_period_first() -> None:
    parts = _parts("how did flights change from january 2013 to march 2013 by weekday")
    assert [row[0] for row in parts["data"][::2]] == WEEK == [row[0] for row in parts["data"][1::2]]
    assert {(row[1]) for row in parts["data"][::2]} == {"January 2013"}


def test_what_is_counted_is_not_counted_twice() -> None:
    assert [column["name"] for column in _parts("why did flights drop in february 2013")["schema"]] == [
        "part", "period", "value",
    ]  # fmt: skip
    delayed = _parts("how did average arrival delay change from may 2013 to june 2013 by origin")
    assert [column["name"] for column in delayed["schema"]] == ["part", "period", "value", "n"]


def _parts(question: str) -> Any:
    return results(ask(flights(), question))[1]
