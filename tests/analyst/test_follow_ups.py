"""What a turn says of the turns before it, kind by kind: brought back, exchanged, compared again, or told to be unclear."""

from __future__ import annotations

from collections import Counter

import pytest
import worlds
from asking import Asked, ask

from benchmarks.conversations import outcomes


def shop(*questions: str) -> Asked:
    return ask(worlds.shop(), *questions)


def sql(*questions: str) -> str:
    return str(shop(*questions).tool["input"]["sqlQuery"])


@pytest.mark.parametrize("name", ["loans", "tickets"])
def test_conversations_of_our_own_making_come_out_right(name: str) -> None:
    found = list(outcomes(name))
    counts = Counter(outcome.verdict for outcome in found)
    lost = [(outcome.questions[-2:], outcome.sql) for outcome in found if outcome.verdict == "wrong"]
    assert counts["wrong"] <= 2 and counts["right"] >= 0.9 * len(found), lost


def test_a_topic_is_returned_to_by_name() -> None:
    assert sql("revenue by country", "number of orders per channel", "back to the revenue") == sql("revenue by country")


def test_a_topic_that_was_none_is_not_returned_to() -> None:
    asked = shop("revenue by country", "back to the weather")
    assert asked.tool == {} and "weather" in asked.answer.text


def test_what_was_left_out_is_brought_back() -> None:
    assert "'cancelled'" not in sql("revenue by country", "without cancelled", "bring cancelled back")


@pytest.mark.parametrize(
    "words", ["replace Germany with France", "swap Germany for France", "change Germany to France"]
)
def test_one_takes_the_place_of_another(words: str) -> None:
    assert "'France'" in (said := sql("revenue by month", "only Germany", words)) and "'Germany'" not in said


def test_a_comparison_takes_another_number() -> None:
    assert "> 900" in sql("number of orders with unit price above 500", "above 900")


@pytest.mark.parametrize(
    "words", ["only Germany", "by month", "how many is that", "as a percentage", "and their profit"]
)
def test_nothing_is_built_upon_a_question_that_was_not_answered(words: str) -> None:
    asked = shop("revenue by country", "average florb of the zorks by channel", words)
    assert asked.tool == {} and "was not answered" in asked.answer.text


def test_what_was_passed_over_is_told() -> None:
    asked = shop("revenue by country", "only the zorks", "only Germany")
    assert "'Germany'" in asked.tool["input"]["sqlQuery"] and "“only the zorks” was not read" in asked.answer.text


def test_a_whole_question_is_answered_after_one_that_was_not() -> None:
    assert sql("average florb of the zorks by channel", "revenue by month") == sql("revenue by month")


def test_the_whole_year_takes_the_month_away() -> None:
    said = sql("revenue by country in march 2024", "for the whole year")
    assert "2024-01-01" in said and "2025-01-01" in said


def test_a_correction_takes_the_place_of_what_stood_there() -> None:
    """``departure delay`` is a number and half the name of a flag: what is meant is not also a condition."""
    asked = ask(worlds.flights(), "average arrival delay by airline", "no, I meant departure delay")
    said = str(asked.tool["input"]["sqlQuery"])
    assert "departure_delay" in said and "arrival_delay" not in said and "delayed" not in said


def test_the_top_of_those_goes_by_their_number() -> None:
    asked = ask(worlds.flights(), "average departure delay by airline", "only JFK", "top 3 of those")
    said = str(asked.tool["input"]["sqlQuery"])
    assert "avg_departure_delay" in said.lower() and "DESC" in said and "count" not in said.lower()
