"""A thread branches where a question is asked in the place of an earlier one; what was said before is the path to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from svc_notebook.analyst.base import AnswerDone

from .service_world import World


@pytest.fixture
def told(w: World) -> dict[str, list[str]]:
    """Of each question, the questions the analyst was told were asked before it."""
    kept: dict[str, list[str]] = {}

    async def remember(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        kept[turn.question] = [past.question for past in turn.history]
        yield AnswerDone("so")

    for name in "abcdef":
        w.analyst.on(name)(remember)
    return kept


def test_an_edited_question_knows_nothing_of_what_it_replaces(w: World, told: dict[str, list[str]]) -> None:
    chat_id = w.ask("a")[0]["state"]["chatId"]
    for text, after in (("b", None), ("c", 1), ("d", None), ("e", 2), ("f", 0)):
        w.ask(text, chatId=chat_id, **({} if after is None else {"after": after}))
    assert told == {"a": [], "b": ["a"], "c": ["a"], "d": ["a", "c"], "e": ["a", "b"], "f": []}
    states = [f["state"] for f in w.ask(None, chatId=chat_id) if f.get("role") == "user"]  # type: ignore[arg-type]
    assert [(each["turn"], each.get("after")) for each in states] == [
        (1, None),
        (2, None),
        (3, 1),
        (4, None),
        (5, 2),
        (6, 0),
    ]


def test_the_running_question_says_what_it_follows(w: World, told: dict[str, list[str]]) -> None:
    chat_id = w.ask("a")[0]["state"]["chatId"]
    w.ask("b", chatId=chat_id)
    frames = w.ask("c", chatId=chat_id, after=1)
    assert frames[1]["state"] == {"turn": 3, "after": 1}
    assert frames[-2]["state"]["turns"][-1]["number"] == 3


@pytest.mark.parametrize("after", [7, -1, "1", 1.5, True])
def test_a_turn_that_is_not_there_is_not_followed(w: World, told: dict[str, list[str]], after: Any) -> None:
    chat_id = w.ask("a")[0]["state"]["chatId"]
    response = w.chat(chatId=chat_id, input="b", after=after)
    assert response.status_code == 400
    assert "after" in response.json()["message"]


def test_a_new_thread_follows_nothing(w: World) -> None:
    response = w.chat(input="b", after=1)
    assert response.status_code == 400
    assert "chatId" in response.json()["message"]
