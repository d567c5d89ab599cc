"""Chips over an answer: what was read is shown, changed, taken away and brought back, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import svc_notebook as svc

from .accessibility import violations
from .conftest import settled, shot
from .stage import Stage


@pytest.fixture(scope="module")
def flights() -> Iterator[Any]:
    with svc.demo() as client:
        yield client


def chips(page: Any) -> list[str]:
    """The chips of the last answer, as a screen reader says them."""
    last = page.locator(".svc-turn .svc-reading").last
    return [" ".join(chip.inner_text().replace("×", "").split()) for chip in last.locator(".svc-chip").all()]


def rows(page: Any) -> int:
    return int(page.locator(".svc-turn table").last.locator("tbody tr").count())


def complete(stage: Stage, n: int) -> None:
    stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == n, what=f"{n} answers")


def test_a_reading_is_changed_by_its_chips(page: Any, flights: Any) -> None:
    stage = Stage(page, flights.chat())
    stage.ask("top 3 destinations by number of flights")
    complete(stage, 1)
    assert chips(page)[:2] == ["measure flights (said in the question)", "by destination (said in the question)"]
    assert violations(page, ".svc-chat") == []
    settled(page)
    shot(page, "reading-light")

    page.get_by_role("button", name="Change the first 3").click()
    field = page.get_by_role("spinbutton", name="Rows")
    assert field.evaluate("el => el === document.activeElement")
    page.keyboard.press("Escape")  # nothing changed; the chip has the focus again
    assert page.get_by_role("button", name="Change the first 3").evaluate("el => el === document.activeElement")
    page.keyboard.press("Enter")
    field.fill("5")
    page.keyboard.press("Enter")
    complete(stage, 2)
    assert rows(page) == 5
    assert page.locator(".svc-question").last.inner_text().endswith("The same, the first 5")
    assert "the first 5 (said in the question)" in " ".join(chips(page))
    assert "↩ destination" in " ".join(chips(page))  # kept, and not by colour alone

    page.get_by_role("button", name="Undo the change").last.click()
    complete(stage, 3)
    assert rows(page) == 3

    page.locator(".svc-turn").last.get_by_role("button", name="Remove the first 3").click()
    complete(stage, 4)
    assert rows(page) == 25  # a page of them
    assert "1–25 of 105" in page.locator(".svc-turn").last.inner_text()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 800})
    stage.until(lambda: stage.count(".svc-chat.svc-dark") == 1)
    settled(page)
    assert violations(page, ".svc-reading") == []
    assert page.evaluate("document.documentElement.scrollWidth <= 360")
    shot(page, "reading-dark-narrow")


def test_values_grains_and_charts_are_changed(page: Any, flights: Any) -> None:
    stage = Stage(page, flights.chat())
    stage.ask("flights per month at JetBlue")
    complete(stage, 1)
    page.get_by_role("button", name="Change where airline").click()
    page.get_by_role("textbox", name="Value 1").fill("Delta Air Lines Inc.")
    page.get_by_role("button", name="Apply").click()
    complete(stage, 2)
    assert "airline is Delta Air Lines Inc." in " ".join(chips(page))
    page.locator(".svc-turn").last.get_by_role("button", name="Change by month").click()
    page.get_by_role("combobox", name="By").select_option("quarter")
    page.get_by_role("button", name="Apply").click()
    complete(stage, 3)
    assert rows(page) == 4
    page.locator(".svc-turn").last.get_by_role("button", name="Change as").click()
    page.get_by_role("combobox", name="Chart").select_option("table")
    page.get_by_role("button", name="Apply").click()
    complete(stage, 4)
    assert page.locator(".svc-turn").last.locator(".svc-chart").count() == 0
