"""How a turn of a language model ended, and what it took, stand beside its answer on the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ..llm.scenarios import SCENARIOS, chat_of, scenario_service
from .stage import Stage

pytest.importorskip("pydantic_ai")

ASKED = ["a query and an answer", "cut in its text", "refused in words", "too many tools", "the key is refused"]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with scenario_service() as started:
        yield started


def test_the_page_shows_how_each_turn_ended_and_what_it_took(page: Any, client: Any) -> None:
    stage = Stage(page, chat_of(client))
    for count, name in enumerate(ASKED, 1):
        stage.ask(f"openai: {name}")
        stage.until(lambda n=count: stage.count(".svc-turn[data-turn] .svc-acts") == n)
    turns = page.locator(".svc-turn")
    for place, name in enumerate(ASKED):
        notes, outcome = turns.nth(place).locator("[data-outcome]"), SCENARIOS[name].outcome
        assert [note.get_attribute("data-outcome") for note in notes.all()] == [outcome] * (outcome != "complete")
    said = turns.nth(3).locator(".svc-spent").inner_text()
    assert "3 calls" in said and "thread so far: 8 calls" in said
