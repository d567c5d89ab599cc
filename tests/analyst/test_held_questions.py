"""A question that was refused is held: other words, leaving words out, or going on from the rest complete it."""

from __future__ import annotations

from typing import Any

import pytest
from tuition import lessons, rows, talk

REFUSED = "total minutes by subject with blurp"


def minutes(known: Any, group: str) -> list[tuple[Any, ...]]:
    return sorted(known.groupby(group).minutes.sum().items(), key=repr)


@pytest.mark.parametrize(
    "words",
    ["without the blurp", "without blurp", "leave it out", "leave the blurp out", "drop the blurp", "skip that"],
)
def test_a_refused_question_without_what_nobody_knew(words: str) -> None:
    assert talk(REFUSED).table is None
    assert rows(REFUSED, words) == minutes(lessons(), "subject")


@pytest.mark.parametrize("words", ["by city then", "ok, by city", "just by city"])
def test_going_on_from_what_was_understood_tells_what_is_left_out(words: str) -> None:
    asked = talk(REFUSED, words)
    assert sorted(asked.rows(), key=repr) == minutes(lessons(), "city")
    assert "“blurp”" in asked.answer.text and "builds upon" not in asked.answer.text


def test_conditions_on_what_was_understood() -> None:
    known = lessons()
    assert rows(REFUSED, "ok, only the online ones") == minutes(known[known.online], "subject")
    assert rows(REFUSED, "by city then", "and in 2023?") == minutes(known[known.year == 2023], "city")


def test_a_change_that_takes_nothing_for_granted_is_asked_back() -> None:
    assert talk(REFUSED, "only the online ones").table is None


@pytest.mark.parametrize(
    ("refused", "words"),
    [("how many gigs did each tutor give in 2023", "i mean lessons"), ("turnips per tutor in 2023", "sorry, lessons"),
     ("number of turnips per tutor in 2023", "lessons")],
)  # fmt: skip
def test_other_words_complete_a_question_of_which_more_was_not_read(refused: str, words: str) -> None:
    known = lessons()
    counted = known[known.year == 2023].groupby("tutor_name").size()
    assert rows(refused, words) == sorted(counted.items(), key=repr)


def test_a_question_is_held_while_help_is_asked_for() -> None:
    assert rows("turnips per tutor in 2023", "what can I ask", "i mean lessons") == rows("lessons per tutor in 2023")


def test_without_its_subject_nothing_is_left_to_ask() -> None:
    assert talk("turnips per tutor in 2023", "ok, by month").table is None


def test_a_question_of_its_own_completes_none() -> None:
    assert rows(REFUSED, "how many pupils are there") == rows("how many pupils are there")


@pytest.mark.parametrize("words", ["tutors with their city", "show tutors with their city", "tutors and their city"])
def test_whose_columns_are_asked_for_is_said_in_the_question(words: str) -> None:
    assert rows(REFUSED, words) == rows(words)


def test_theirs_alone_are_those_of_the_answer_before() -> None:
    assert talk(REFUSED, "with their city").table is None
