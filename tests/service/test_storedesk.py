"""The store's desk: what it is asked is done on threads, signs are of writes that began later, closing waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, text

from svc_notebook.service.store import open_store
from svc_notebook.service.store.errors import StoreAway
from svc_notebook.service.storedesk import StoreDesk
from tests.loops import run

COUNT = text("SELECT COUNT(*) FROM tenants")


@pytest.fixture
def desk() -> Iterator[StoreDesk]:
    store = open_store("memory")
    yield StoreDesk(store)
    store.close()


def more(connection: Connection, name: str) -> int:
    connection.execute(
        text("INSERT INTO tenants (name, plan, use_creator_mode, user_limit) VALUES (:name, 'free', false, 1)"),
        {"name": name},
    )
    return count(connection)


def count(connection: Connection) -> int:
    return int(connection.execute(COUNT).scalar_one())


def test_each_way_gives_what_the_work_gives_and_a_trial_keeps_nothing(desk: StoreDesk) -> None:
    async def life() -> list[int]:
        return [await desk.write(more, "a"), await desk.note(more, "b"), await desk.trial(more, "c"),
                await desk.read(count)]  # fmt: skip

    assert run(life()) == [1, 2, 3, 2]
    desk.close()


def held(go: threading.Event, begun: threading.Event) -> Callable[[Connection], str]:
    def work(connection: Connection) -> str:
        begun.set()
        assert go.wait(30)
        return "done"

    return work


def test_a_sign_is_a_write_that_began_later(desk: StoreDesk) -> None:
    async def life() -> None:
        begun, go = threading.Event(), threading.Event()
        early = asyncio.create_task(desk.write(held(go, begun)))
        await asyncio.to_thread(begun.wait, 30)
        sign, gone = asyncio.create_task(desk.sign()), asyncio.create_task(desk.sign())
        await asyncio.sleep(0)
        go.set()
        assert await early == "done"
        await asyncio.sleep(0)
        assert not sign.done(), "that one began before"
        gone.cancel()
        late = asyncio.create_task(desk.write(more, "a"))
        await asyncio.wait_for(sign, 30)
        assert await late == 1, "who has left disturbs nobody"
        assert not desk._waiting

    run(asyncio.wait_for(life(), 20))
    desk.close()


def test_who_leaves_at_the_moment_of_a_sign_disturbs_no_write(desk: StoreDesk) -> None:
    async def life() -> None:
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        desk._waiting[told] = 0.0
        told.cancel()
        assert await desk.write(more, "a") == 1

    run(asyncio.wait_for(life(), 20))
    desk.close()


def test_closing_waits_for_what_runs_and_takes_nothing_more(desk: StoreDesk) -> None:
    begun, go, closed = threading.Event(), threading.Event(), threading.Event()

    async def life() -> Any:
        running = asyncio.create_task(desk.write(held(go, begun)))
        await asyncio.to_thread(begun.wait, 30)
        closing = threading.Thread(target=lambda: (desk.close(), closed.set()))
        closing.start()
        assert not await asyncio.to_thread(closed.wait, 0.2)
        go.set()
        assert await asyncio.to_thread(closed.wait, 30)
        found = await running
        for way in (desk.read, desk.write):
            with pytest.raises(RuntimeError):
                await way(count)
        return found

    assert run(life()) == "done"


def test_who_waits_for_a_silent_store_is_told_and_what_was_given_up_is_not_done() -> None:
    store = open_store("memory")
    desk = StoreDesk(store, patience=0.2)
    begun, go = threading.Event(), threading.Event()

    async def life() -> None:
        running = asyncio.create_task(desk.write(held(go, begun)))
        await asyncio.to_thread(begun.wait, 30)
        with pytest.raises(StoreAway):
            await asyncio.wait_for(desk.write(more, "given up"), 10)
        assert desk.silent
        with pytest.raises(StoreAway):
            await asyncio.wait_for(running, 10)
        go.set()

    run(life())
    desk.close()
    assert store.read(count) == 0
    store.close()
