"""Where one writes stays in view, however long the conversation and however low the window."""

from __future__ import annotations

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
