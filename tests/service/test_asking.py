"""A question between its request and its turn: whose share it holds, whom it lets go first, what it leaves behind."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from svc_notebook.protocol.errors import Conflict
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.service.turns.asking import Asking
from tests.loops import run


class Desk:
    """A service of which only what a question meets is there; everything that happens is noted."""

    def __init__(self, fails: Exception | None = None) -> None:
        self.noted: list[str] = []
        self.quiet_now, self.fails, self.looks = True, fails, 0
        self.calm, self.taken, self.store = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.store.set()
        self.room, self.slots = asyncio.Semaphore(1), 0
        self.config = SimpleNamespace(ephemeral_ttl=60.0, row_cap=5)
        self.clock = SimpleNamespace(monotonic=lambda: 0.0)
        self.admission = SimpleNamespace(enter=self._enter)
        self.turns = SimpleNamespace(
            beginning=self._beginning, settle=self._settle, lease=self._lease, start=self._start
        )
        self.asker = SimpleNamespace(context=SecurityContext(user="ana"), user_id=7, expires_at=99.0)
        self.ends: list[Callable[[], None]] = []
        self.signs = 0

    @property
    def quiet(self) -> bool:
        self.looks += 1
        assert self.looks < 100, "nobody waits, everybody looks"
        return self.quiet_now

    def _enter(self, asker: Any) -> Any:
        self.noted.append("entered")
        return SimpleNamespace(leave=lambda: self.noted.append("left"))

    @contextmanager
    def _beginning(self, chat_id: str) -> Iterator[Callable[[Any], None]]:
        yield lambda turn: self.noted.append(f"begun {turn.of}")

    async def _settle(self, chat_id: str) -> None:
        self.noted.append("settled")

    def _lease(self, *_: str) -> dict[str, Any]:
        return {}

    def _start(self, frames: Any, user_id: int, due: float, events: Any, waiting: Callable[[], bool]) -> Any:
        self.asked_waiting = waiting
        self.events = events
        return SimpleNamespace(of=user_id, on_end=self.ends.append)

    async def write(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        await self.store.wait()
        if self.fails is not None:
            raise self.fails
        self.noted.append(work.__name__)
        return SimpleNamespace(asker=self.asker, frames=SimpleNamespace(chat_id="t", new_id=str), history=())

    async def read(self, work: Any, *args: Any, **kwargs: Any) -> str:
        return "ana (external)"

    async def takes_writes(self) -> None:
        self.signs += 1
        try:
            await self.taken.wait()
        finally:
            self.signs -= 1

    async def after_first_lines(self) -> None:
        self.noted.append("waits for others")
        await self.calm.wait()

    def slot(self) -> asyncio.Semaphore:
        self.slots += 1
        assert self.slots < 100, "nobody waits, everybody asks for a slot"
        return self.room

    def expires(self, due: float) -> None:
        self.noted.append(f"expires {due:.0f}")

    def now(self) -> float:
        return 0.0


def asking(desk: Desk, **fields: Any) -> Asking:
    async def analyst() -> Any:
        return SimpleNamespace(answer=lambda turn, toolbox, cancel: (turn, toolbox, cancel))

    def released() -> None:
        desk.noted.append("released")

    place = SimpleNamespace(asker="ana", waiting=True)
    scope = SimpleNamespace(
        analyst=analyst, place=place, release=released, toolbox=lambda *asked, **options: (asked, options)
    )
    opening: Any = SimpleNamespace(place=place, branch="", bind=lambda context: scope)
    made: dict[str, Any] = {
        "service": desk, "caller": None, "settings": None, "opening": opening, "room": None, "chat_id": "t", "new": True,
        "after": None, "question": "orders", "reading": None, "timezone": "UTC", **fields,
    }  # fmt: skip
    return Asking(**made)


def test_a_question_holds_its_share_until_its_turn_has_ended() -> None:
    async def life() -> None:
        desk = Desk()
        turn, opened = await asking(desk).begun()
        assert turn.of == 7  # type: ignore[attr-defined]
        assert opened.asker is desk.asker
        assert desk.noted == ["entered", "settled", "open_turn", "expires 99", "begun 7"]
        assert desk.asked_waiting()
        for ended in desk.ends:
            ended()
        assert sorted(desk.noted[5:]) == ["left", "released"]

    run(asyncio.wait_for(life(), 20))


def test_a_question_that_is_refused_gives_its_share_back_and_says_why() -> None:
    async def life() -> None:
        desk = Desk(Conflict("Streaming for thread is in progress"))
        with pytest.raises(Conflict):
            await asking(desk).begun()
        assert desk.noted == ["entered", "settled", "left"]

    run(asyncio.wait_for(life(), 20))


@pytest.mark.parametrize("how", ["refused", "cancelled"])
def test_a_question_that_nobody_waits_for_any_more_leaves_no_word_in_the_log(
    how: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def life() -> None:
        desk = Desk(Conflict("no"))
        task = asking(desk).begun()
        if how == "cancelled":
            desk.store.clear()
            await asyncio.sleep(0)
            task.cancel()
        await asyncio.wait({task})
        del task
        await asyncio.sleep(0)

    with caplog.at_level(logging.ERROR, "asyncio"):
        run(asyncio.wait_for(life(), 20))
    assert not caplog.records


def test_whose_line_has_left_lets_others_go_first() -> None:
    async def life() -> None:
        desk = Desk()
        await desk.room.acquire()  # the store is busy
        asked = asking(desk)
        task = asked.begun()
        desk.taken.set()
        assert await asked.foreseen(task) == "ana (external)"
        desk.quiet_now = False
        desk.room.release()
        for _ in range(5):
            await asyncio.sleep(0)
        assert desk.noted == ["entered", "settled", "waits for others"]
        desk.quiet_now = True
        desk.calm.set()
        await asyncio.wait_for(task, 10)
        assert desk.noted.count("open_turn") == 1

    run(asyncio.wait_for(life(), 20))


def test_nobody_is_looked_up_before_the_store_takes_writes() -> None:
    async def life() -> None:
        desk, looks = Desk(), list[str]()

        async def looked_up(*_: Any, **__: Any) -> str:
            looks.append("ana")
            return "ana (external)"

        desk.read = looked_up  # type: ignore[method-assign]
        desk.store.clear()
        asked = asking(desk)
        task = asked.begun()
        foreseen = asyncio.create_task(asked.foreseen(task))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not looks
        assert not foreseen.done()
        desk.taken.set()
        assert await foreseen == "ana (external)"
        desk.store.set()
        await asyncio.wait_for(task, 10)

    run(asyncio.wait_for(life(), 20))


def test_no_turn_begins_while_it_is_looked_at_whether_its_line_can_leave() -> None:
    async def life() -> None:
        desk, looked_at, seen = Desk(), asyncio.Event(), asyncio.Event()

        async def looks(*_: Any, **__: Any) -> str:
            looked_at.set()
            await seen.wait()
            return "ana (external)"

        desk.read = looks  # type: ignore[method-assign]
        await desk.room.acquire()  # the store is busy
        asked = asking(desk)
        task = asked.begun()
        desk.taken.set()
        foreseen = asyncio.create_task(asked.foreseen(task))
        await looked_at.wait()
        desk.room.release()
        for _ in range(10):
            await asyncio.sleep(0)
        assert not task.done()
        assert "open_turn" not in desk.noted
        desk.calm.set()
        seen.set()
        assert await foreseen == "ana (external)"
        await asyncio.wait_for(task, 10)

    run(asyncio.wait_for(life(), 20))


def test_whose_line_has_not_left_waits_for_nobody() -> None:
    async def life() -> None:
        desk = Desk()
        desk.quiet_now = False
        await asyncio.wait_for(asking(desk).begun(), 10)
        assert "waits for others" not in desk.noted

    run(asyncio.wait_for(life(), 20))


@pytest.mark.parametrize("how", ["begins", "fails", "begins while it is looked at"])
def test_nothing_is_foreseen_of_what_is_known(how: str) -> None:
    async def life() -> None:
        desk = Desk(Conflict("no") if how == "fails" else None)
        asked = asking(desk)
        task = asked.begun()
        if how == "begins while it is looked at":
            desk.store.clear()
            desk.taken.set()
            desk.read = lambda *_, **__: looked(desk, task)  # type: ignore[method-assign]
        assert await asyncio.wait_for(asked.foreseen(task), 10) is None
        assert asked.told is False
        await asyncio.sleep(0)
        assert desk.signs == 0, "nobody waits for a sign any more"

    run(asyncio.wait_for(life(), 20))


async def looked(desk: Desk, task: asyncio.Task[Any]) -> str:
    desk.store.set()
    await asyncio.wait({task})
    return "ana (external)"


def test_the_analyst_is_asked_with_the_tools_of_the_turn() -> None:
    async def life() -> None:
        desk = Desk()
        await asking(desk, reading=None).begun()
        assert desk.events("token") is not None

    run(asyncio.wait_for(life(), 20))
