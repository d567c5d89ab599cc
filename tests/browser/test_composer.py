"""Where one writes stays in view, however long the conversation and however low the window."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import Any

from ..widgets.acted_chat import ActedAnswer, ActedChat, spoken
from .stage import Stage


def test_the_composer_stays_in_view(page: Any) -> None:
    page.set_viewport_size({"width": 700, "height": 420})
    turns = [ActedAnswer(f"question {n}", "Words. " * 300, status="complete") for n in range(4)]
    stage = Stage(page, ActedChat(spoken(["ok"]), turns, "t-1"))
    stage.until(lambda: stage.count(".svc-turn[data-turn]") == 4)
    page.evaluate("document.querySelector('.svc-log').style.maxHeight = '900px'")  # as tall as a notebook may make it
    box = page.get_by_label("Question", exact=True)
    for down in (0, 150, 300):
        page.evaluate("(down) => scrollTo(0, down)", down)
        place = box.bounding_box()
        assert place["y"] >= 0 and place["y"] + place["height"] <= 420, f"scrolled by {down}"


def test_stop_is_heard_although_text_moves_it_away_while_it_is_pressed(page: Any) -> None:
    more, end = Event(), Event()

    def growing(answer: ActedAnswer) -> Any:
        yield (answer := replace(answer, text="A line.\n\n" * 2, status="streaming"))
        more.wait(30)
        yield (answer := replace(answer, text="A line.\n\n" * 12))
        end.wait(30)
        yield replace(answer, text="A line.\n\n" * 13)

    stage = Stage(page, ActedChat(growing))
    page.get_by_label("Question", exact=True).fill("long")
    page.get_by_label("Question", exact=True).press("Enter")
    stage.until(lambda: page.locator(".svc-live").inner_text().count("A line.") == 2)  # text comes line by line
    stop = page.get_by_role("button", name="Stop", exact=True)
    stop.hover()  # once it stands still
    place = stop.bounding_box()
    page.mouse.down()
    more.set()

    def moved() -> bool:
        now = page.locator(".svc-stop").bounding_box()
        return now is None or now["y"] > place["y"] + place["height"]

    stage.until(moved)
    page.mouse.up()
    end.set()
    stage.until(lambda: stage.count(".svc-turn[data-status=aborted]") == 1)
