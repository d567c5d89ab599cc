"""What running turns have complete is kept before it is told: in one transaction for all that are due together, and
whatever becomes of one of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from typing import Any

import pytest

from svc_notebook.analyst.base import AnswerDone, Event, Turn, Working
from svc_notebook.analyst.base import ToolStarted as Started
from svc_notebook.client.engine.portal import engine
from svc_notebook.protocol.tools import META_TOOL
from svc_notebook.service.store.threads import delete_thread, save_messages_of, thread_messages
from svc_notebook.service.turns import notes

from .listening import statements
from .service_world import Gate, Stream, World, eventually, final_text

Open = Callable[..., World]
QUESTIONS = ("first", "second", "third")


@pytest.fixture
def going() -> Gate:
    return Gate()


@pytest.fixture
def w(opened: Open, durable_url: str, going: Gate) -> World:
    """Each of the questions says that it searches, calls a tool, and waits."""
    world = opened(durable_url)

    async def searching(turn: Turn, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
        yield Working(f"Searching for the {turn.question}.")
        yield Started("t1", META_TOOL, "{}")
        await going.passed()
        yield AnswerDone(f"The {turn.question}.")

    for question in QUESTIONS:
        world.analyst.on(question)(searching)
    return world


def streams(w: World, stack: ExitStack) -> list[Stream]:
    return [stack.enter_context(w.streaming(question, f"user-{question}")) for question in QUESTIONS]


def due_at_once(w: World, monkeypatch: pytest.MonkeyPatch, seconds: float = 1.0) -> None:
    monkeypatch.setattr(notes, "_SOON", seconds)


def kept(w: World, stream: Stream) -> list[str]:
    return [str(message.get("content")) for message in w.service.store.read(thread_messages, stream.chat_id)]


def test_all_that_is_due_is_kept_in_one_transaction_before_it_is_told(
    w: World, going: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    due_at_once(w, monkeypatch)
    noted = spied(w, monkeypatch)
    with ExitStack() as stack:
        begun = streams(w, stack)
        for question, stream in zip(QUESTIONS, begun, strict=True):
            stream.until(lambda frame: "toolCall" in frame)
            assert f"Searching for the {question}." in kept(w, stream)
        assert [sorted(each) for each in noted] == [sorted(stream.chat_id for stream in begun)]
        going.open()
        assert [final_text(stream.rest()) for stream in begun] == [f"The {question}." for question in QUESTIONS]


def test_a_thread_that_is_gone_keeps_no_other_from_being_kept(
    w: World, going: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    due_at_once(w, monkeypatch)
    with ExitStack() as stack:
        first, *others = streams(w, stack)
        w.service.store.write(delete_thread, first.chat_id)
        for question, stream in zip(QUESTIONS[1:], others, strict=True):
            stream.until(lambda frame: "toolCall" in frame)
            assert f"Searching for the {question}." in kept(w, stream)
        going.open()
        assert [final_text(stream.rest()) for stream in others] == [f"The {question}." for question in QUESTIONS[1:]]


def test_what_ends_before_it_is_due_is_kept_with_its_end_alone(
    w: World, going: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    due_at_once(w, monkeypatch, 0.5)
    going.open()
    noted = spied(w, monkeypatch)
    said = statements(w.service.store)
    answers = [final_text(w.ask(question)) for question in QUESTIONS]
    assert answers == [f"The {question}." for question in QUESTIONS] and any("messages" in each for each in said)
    eventually(lambda: engine().run(_rests(w)))
    assert noted == []


async def _rests(w: World) -> bool:
    return w.service.turns._notes._timer is None


def spied(w: World, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The threads of each note from now on."""
    noted: list[list[str]] = []

    def seen(connection: Any, turns: Any) -> None:
        noted.append([thread for thread, _, _ in turns])
        save_messages_of(connection, turns)

    monkeypatch.setattr(notes, "save_messages_of", seen)
    return noted
