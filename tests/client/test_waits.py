"""A limit for each of many waits: one that takes too long ends in time, others cost no timer; the first end of several."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from svc_notebook.waits import Waits, first_end
from tests.loops import run

SOON, LONG = 0.05, 60.0


def ended(work: Coroutine[Any, Any, None]) -> None:
    run(asyncio.wait_for(work, LONG))


def test_a_wait_that_takes_too_long_ends_in_time() -> None:
    async def life() -> None:
        waits = Waits(SOON)
        with pytest.raises(TimeoutError), waits:
            await asyncio.Event().wait()
        waits.close()
        task = asyncio.current_task()
        assert task is not None
        assert not task.cancelling()

    ended(life())


def test_neither_the_time_between_waits_nor_that_of_earlier_ones_counts() -> None:
    async def life() -> None:
        waits = Waits(LONG)
        with waits:
            await asyncio.sleep(0)
        waits._since -= 2 * LONG
        waits._look()  # between two
        with waits:
            waits._look()  # the timer of the one before
            await asyncio.sleep(0)
        waits.close()

    ended(life())


def test_whoever_is_stopped_meanwhile_is_stopped_and_not_late() -> None:
    async def life() -> None:
        begun = asyncio.Event()

        async def waiting() -> None:
            with Waits(LONG):
                begun.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(waiting())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    ended(life())


def test_a_stop_that_comes_with_the_limit_stays_a_stop() -> None:
    async def life() -> None:
        waits, begun = Waits(LONG), asyncio.Event()

        async def waiting() -> None:
            with waits:
                begun.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(waiting())
        await begun.wait()
        task.cancel()
        waits._since -= 2 * LONG
        waits._look()
        with pytest.raises(asyncio.CancelledError):
            await task

    ended(life())


def test_without_a_limit_nothing_ends_and_many_waits_set_one_timer() -> None:
    async def life() -> None:
        loop = asyncio.get_running_loop()
        timers: list[float] = []
        call_at = loop.call_at

        def counted(when: float, *given: Any, **named: Any) -> asyncio.TimerHandle:
            timers.append(when)
            return call_at(when, *given, **named)

        loop.call_at = counted  # type: ignore[method-assign]
        forever, limited = Waits(None), Waits(LONG)
        for _ in range(100):
            with forever, limited:
                await asyncio.sleep(0)
        assert len(timers) == 1
        limited.close()

    ended(life())


@pytest.mark.parametrize("how", ["a value", "an error", "cancelled"])
def test_the_first_end_is_waited_for_whatever_it_is_and_the_others_go_on(how: str) -> None:
    async def life() -> None:
        loop = asyncio.get_running_loop()
        first: asyncio.Future[str] = loop.create_future()
        other: asyncio.Future[str] = loop.create_future()
        waiting = asyncio.create_task(first_end(other, first))
        await asyncio.sleep(0)
        assert not waiting.done()
        if how == "cancelled":
            first.cancel()
        elif how == "an error":
            first.set_exception(LookupError(how))
            assert isinstance(first.exception(), LookupError)
        else:
            first.set_result(how)
        await waiting
        await first_end(first, other)  # at once
        assert not other.done() and other.cancel(), "nobody has touched it"

    ended(life())


def test_who_waits_for_an_end_waits_no_longer_than_they_said_and_may_leave() -> None:
    async def life() -> None:
        never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await first_end(never, within=SOON)
        waiting = asyncio.create_task(first_end(never, within=LONG))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert not never.done()
        assert not getattr(never, "_callbacks"), "nothing of theirs is left"  # noqa: B009 (typeshed does not know it)

    ended(life())
