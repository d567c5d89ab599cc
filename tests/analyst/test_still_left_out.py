"""What an answer left out is told of the answers that are made from it, until it is said again or the thread moves on."""

from __future__ import annotations

import worlds
from asking import ask

LOST = "only those by zeppelin"


def told(*questions: str) -> str:
    return ask(worlds.shop(), *questions).answer.text


def test_what_was_asked_in_between_is_told_of_every_later_edit() -> None:
    assert f"“{LOST}” was not read and is left out" in told("revenue by month", LOST, "only Germany")
    assert f"still leaves out “{LOST}”" in told("revenue by month", LOST, "only Germany", "by country instead")
    assert f"still leaves out “{LOST}”" in told("revenue by month", LOST, "only Germany", "by week", "top 3")


def test_words_that_an_answer_left_out_are_told_of_its_edits() -> None:
    assert "I left out “fluffy”" in told("revenue by month, the fluffy ones")
    assert "still leaves out “fluffy”" in told("revenue by month, the fluffy ones", "only Germany")


def test_a_question_of_its_own_leaves_nothing_out() -> None:
    assert "leaves out" not in told("revenue by month", LOST, "only Germany", "number of orders by country")


def test_an_answer_from_before_leaves_nothing_out() -> None:
    assert "leaves out" not in told("revenue by month", LOST, "only Germany", "undo")
