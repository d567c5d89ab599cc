"""An edited question branches its thread: both branches are walked and gone on with; what one thinks of an answer stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.results.feedback import Feedback

from .accessibility import violations
from .conftest import settled, shot
from .stage import Stage


@pytest.fixture(scope="module")
def sales() -> Iterator[svc.Client]:
    rows = [("north", "tea", 3.0), ("south", "tea", 5.0), ("south", "milk", 8.0), ("east", "milk", 13.0)]
    with svc.embedded(pd.DataFrame(rows, columns=["region", "product", "amount"])) as client:
        yield client


def questions(page: Any) -> list[str]:
    return [each.inner_text().removeprefix("You asked:").strip() for each in page.locator(".svc-question").all()]


def shows(stage: Stage, *wanted: str) -> None:
    """Wait until the page shows these questions and no others: the kernel draws a branch after the click."""
    try:
        stage.until(lambda: questions(stage.page) == [*wanted], what=f"{wanted}")
    except AssertionError as missed:
        known = [(past.turn, past.after, past.question) for past in stage.conversation.chat.history()]
        told = [message["t"] for _, message in stage.sent][-9:]
        raise AssertionError(f"{missed}; shown: {questions(stage.page)}; kept: {known}; sent last: {told}") from None


def asked(stage: Stage, question: str) -> None:
    before = len(stage.conversation.past)
    stage.ask(question)
    stage.until(lambda: len(stage.conversation.past) > before and not stage.count(".svc-live"), what=question)


def test_an_edited_question_branches_and_both_branches_are_walked(page: Any, sales: svc.Client) -> None:
    stage = Stage(page, sales.chat(external_id="ana"))
    for question in ("total amount by region", "only the south", "as a table"):
        asked(stage, question)
    page.get_by_role("button", name="Edit question").nth(1).click()
    box = page.get_by_label("Question", exact=True)
    assert box.input_value() == "only the south"
    assert "in the place of “only the south”" in page.locator(".svc-instead").inner_text()
    assert violations(page, ".svc-chat") == []
    asked(stage, "only the east")
    shows(stage, "total amount by region", "only the east")
    assert "2 of 2" in page.locator(".svc-walker").inner_text()
    assert not page.locator(".svc-instead").is_visible()
    settled(page)
    shot(page, "branches")

    page.get_by_role("button", name="The version before").click()
    shows(stage, "total amount by region", "only the south", "as a table")
    asked(stage, "and the north?")
    shows(stage, "total amount by region", "only the south", "as a table", "and the north?")
    assert [(past.turn, past.after) for past in stage.conversation.chat.history()] == [
        (1, 0),
        (2, 1),
        (3, 2),
        (4, 1),
        (5, 3),
    ]
    page.get_by_role("button", name="The version after").click()
    shows(stage, "total amount by region", "only the east")
    assert violations(page, ".svc-chat") == []


def test_an_answer_that_is_still_let_in_does_not_come_back_into_another_branch(page: Any, sales: svc.Client) -> None:
    stage = Stage(page, sales.chat(external_id="ana"))
    asked(stage, "total amount by region")
    page.evaluate("""() => { window.held = []; window.drawn = requestAnimationFrame;
        window.requestAnimationFrame = (step) => window.held.push(step); }""")
    stage.ask("only the south")
    stage.until(lambda: len(stage.conversation.past) == 2 and stage.down.empty() and not stage.conversation.busy)
    page.get_by_role("button", name="Edit question").first.click()
    stage.ask("total amount by product")
    stage.until(lambda: len(stage.conversation.past) == 3)
    page.evaluate("() => { window.requestAnimationFrame = window.drawn; for (const step of window.held) drawn(step); }")
    stage.until(lambda: not stage.count(".svc-live"))
    shows(stage, "total amount by product")


def test_an_edit_is_cancelled_by_escape(page: Any, sales: svc.Client) -> None:
    stage = Stage(page, sales.chat(external_id="ana"))
    asked(stage, "total amount")
    page.get_by_role("button", name="Edit question").click()
    page.keyboard.press("Escape")
    assert page.get_by_label("Question", exact=True).input_value() == ""
    asked(stage, "by region")
    shows(stage, "total amount", "by region")


def test_the_first_question_is_edited_too_and_a_second_view_shows_the_newest(page: Any, sales: svc.Client) -> None:
    stage = Stage(page, sales.chat(external_id="ana"))
    asked(stage, "total amount")
    page.get_by_role("button", name="Edit question").click()
    asked(stage, "total amount by product")
    shows(stage, "total amount by product")
    assert stage.conversation.chat.history()[1].after == 0
    chat_id = stage.conversation.chat.chat_id
    page.get_by_role("button", name="Threads").click()
    stage.until(lambda: stage.count(".svc-thread"))
    page.locator(".svc-thread").first.click()
    stage.until(lambda: questions(page) == ["total amount by product"] and stage.conversation.chat.chat_id == chat_id)
    page.get_by_role("button", name="The version before").click()
    shows(stage, "total amount")


def test_what_one_thinks_of_an_answer_is_kept_and_taken_back(page: Any, sales: svc.Client) -> None:
    stage = Stage(page, sales.chat(external_id="ana"))
    asked(stage, "total amount")

    def kept() -> Feedback | None:
        return stage.conversation.chat.history()[0].feedback

    page.get_by_role("button", name="Wrong").click()
    field = page.get_by_role("textbox", name="What is wrong?")
    stage.until(lambda: page.locator('[data-verdict="wrong"][aria-pressed="true"]').count())
    assert field.evaluate("el => el === document.activeElement")
    page.keyboard.type("It leaves out the west")
    assert violations(page, ".svc-chat") == []
    settled(page)
    shot(page, "feedback")
    page.keyboard.press("Enter")
    stage.until(lambda: "It leaves out the west" in page.locator(".svc-feedback").inner_text())
    assert kept() == Feedback("wrong", "It leaves out the west")
    page.get_by_role("button", name="Right").click()
    stage.until(lambda: page.locator('[data-verdict="right"][aria-pressed="true"]').count())
    assert kept() == Feedback("right")
    page.keyboard.press("Enter")  # the button that was pressed has the focus still
    stage.until(lambda: not page.locator('[aria-pressed="true"]').count())
    assert kept() is None
