"""The store's desk: what it is asked is done on threads, signs are of writes that began later, closing waits."""

from __future__ import annotations

import asyncio
import gc
import itertools
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection, text

from svc_notebook.service import storedesk
from svc_notebook.service.store import open_store
from svc_notebook.service.store.errors import StoreAway, StoreClosed, StoreFailed
from svc_notebook.service.storedesk import StoreDesk
from tests.loops import run

from .listening import statements

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


def test_what_came_of_work_goes_with_whoever_asked_for_it_and_waits_for_no_search_for_garbage(
    desk: StoreDesk,
) -> None:
    class Turn:
        pass

    async def life() -> list[weakref.ref[Turn]]:
        ways = (desk.read, desk.write, desk.note, desk.trial)
        return [weakref.ref(await way(lambda connection: Turn())) for way in ways]

    gc.disable()
    try:
        kept = run(life())
        desk.close()
        assert [each() for each in kept] == [None] * 4
    finally:
        gc.enable()


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
        sign, gone = desk.sign(), desk.sign()
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
        waiting = asyncio.create_task(desk.write(more, "not begun"))
        await asyncio.sleep(0)
        closing = threading.Thread(target=lambda: (desk.close(), closed.set()))
        closing.start()
        assert not await asyncio.to_thread(closed.wait, 0.2)
        go.set()
        assert await asyncio.to_thread(closed.wait, 30)
        found = await running
        with pytest.raises(StoreClosed):
            await waiting
        assert desk._store.read(count) == 0
        for way in (desk.read, desk.write):
            with pytest.raises(StoreClosed):
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


def test_nobody_is_told_that_a_store_is_silent_before_their_patience_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    store, looks, go = open_store("memory"), 0, threading.Event()
    desk = StoreDesk(store, patience=0.01)

    def stands_still() -> float:
        nonlocal looks
        looks += 1
        if looks > 5:  # it was waited for several times, in which no time has passed
            go.set()
        return 1.0

    monkeypatch.setattr(storedesk, "time", SimpleNamespace(monotonic=stands_still))
    assert run(asyncio.wait_for(desk.read(held(go, threading.Event())), 60)) == "done"
    assert not desk.silent
    desk.close()
    store.close()


def test_only_who_knows_of_a_silent_store_waits_a_shorter_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storedesk, "_KNOWN_SILENT", 0.02)
    store, go = open_store("memory"), threading.Event()
    desk = StoreDesk(store, patience=600)

    async def life() -> None:
        reading = asyncio.create_task(desk.read(held(go, threading.Event())))
        assert not (await asyncio.wait({reading}, timeout=0.3))[0], "nobody knows anything yet"
        desk._given_up = desk._answered + 1.0
        with pytest.raises(StoreAway):
            await asyncio.wait_for(desk.read(held(go, threading.Event())), 60)
        go.set()
        assert await reading == "done"

    run(asyncio.wait_for(life(), 90))
    desk.close()
    store.close()


def test_what_was_given_up_while_it_ran_is_not_kept() -> None:
    store, begun, go = open_store("memory"), threading.Event(), threading.Event()
    desk = StoreDesk(store, patience=0.2)

    def slow(connection: Connection) -> str:
        more(connection, "given up")
        return held(go, begun)(connection)

    async def life() -> None:
        with pytest.raises(StoreAway):
            await asyncio.wait_for(desk.write(slow), 60)
        go.set()

    run(life())
    desk._writers.close(wait=True)
    assert store.read(count) == 0
    store.close()


def test_what_nobody_waits_for_any_more_is_not_begun(desk: StoreDesk) -> None:
    begun, go = threading.Event(), threading.Event()

    async def life() -> None:
        running = asyncio.create_task(desk.write(held(go, begun)))
        await asyncio.to_thread(begun.wait, 30)
        waiting = asyncio.create_task(desk.write(more, "left"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        go.set()
        assert await running == "done"
        assert await desk.write(more, "a") == 1

    run(asyncio.wait_for(life(), 60))
    desk.close()


def test_all_work_is_told_by_its_kind_its_time_and_how_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    store, told = open_store("memory"), list[tuple[str, float, str]]()
    desk = StoreDesk(store, seen=lambda kind, took, error: told.append((kind, took, type(error).__name__)))
    monkeypatch.setattr(storedesk, "time", SimpleNamespace(monotonic=lambda: 5.0))

    def fails(connection: Connection) -> None:
        raise StoreAway("gone")

    async def life() -> None:
        await desk.write(more, "a")
        await desk.read(count)
        with pytest.raises(StoreAway):
            await desk.read(fails)

    run(asyncio.wait_for(life(), 60))
    desk.close()
    store.close()
    assert told == [("write", 0.0, "NoneType"), ("read", 0.0, "NoneType"), ("read", 0.0, "StoreAway")]


def test_what_was_answered_is_given_however_late(monkeypatch: pytest.MonkeyPatch) -> None:
    store, days = open_store("memory"), itertools.count(0, 86_400)
    desk = StoreDesk(store, patience=60)
    monkeypatch.setattr(storedesk, "time", SimpleNamespace(monotonic=lambda: float(next(days))))
    assert run(asyncio.wait_for(desk.read(count), 30)) == 0
    desk.close()
    store.close()


def fails(connection: Connection, name: str) -> None:
    more(connection, name)
    raise LookupError(name)


def refuses(connection: Connection) -> None:
    raise LookupError


@pytest.mark.parametrize("where", ["memory", "file"])
@pytest.mark.parametrize("broken", [False, True])
def test_what_waits_together_is_done_together_and_each_as_if_alone(tmp_path: Path, where: str, broken: bool) -> None:
    store = open_store("memory" if where == "memory" else tmp_path / "state.sqlite")
    desk, begun, go = StoreDesk(store), threading.Event(), threading.Event()

    async def life() -> list[Any]:
        running = asyncio.create_task(desk.write(held(go, begun)))
        await asyncio.to_thread(begun.wait, 30)
        works = [desk.write(more, "a"), desk.note(more, "b"), desk.write(fails, "c"), desk.write(more, "d"),
                 desk.write(more, "a" if broken else "e")]  # fmt: skip
        waiting = asyncio.gather(*works, return_exceptions=True)
        await asyncio.sleep(0)
        go.set()
        assert await running == "done"
        return await waiting

    said = statements(store)
    a, b, c, d, e = run(asyncio.wait_for(life(), 60))
    assert [a, b, d] == [1, 2, 3]
    assert isinstance(c, LookupError), "what it had written is gone, what others had is not"
    assert isinstance(e, StoreFailed) if broken else e == 4
    assert said.count("COMMIT") == (4 if broken else 2), "one by one where the database refused one"
    assert store.read(count) == (3 if broken else 4)
    desk.close()
    store.close()


def test_what_is_read_together_is_what_each_would_read(tmp_path: Path) -> None:
    store = open_store(tmp_path / "state.sqlite")
    desk = StoreDesk(store)

    async def life() -> list[Any]:
        return await asyncio.gather(
            *(desk.read(count) for _ in range(40)), desk.read(refuses), desk.write(more, "a"), return_exceptions=True
        )

    *counts, failed, one = run(asyncio.wait_for(life(), 60))
    assert isinstance(failed, LookupError)
    assert one == 1
    assert set(counts) <= {0, 1}
    assert run(desk.read(count)) == 1
    desk.close()
    store.close()


def test_a_file_is_read_beside_a_read_that_waits_by_few_threads(tmp_path: Path) -> None:
    store = open_store(tmp_path / "state.sqlite")
    desk = StoreDesk(store)
    begun, go, readers = threading.Event(), threading.Event(), set[int]()

    def seen(connection: Connection) -> int:
        readers.add(threading.get_ident())
        return count(connection)

    async def life() -> None:
        slow = asyncio.create_task(desk.read(held(go, begun)))
        await asyncio.to_thread(begun.wait, 30)
        assert await desk.read(count) == 0
        go.set()
        assert await slow == "done"
        await asyncio.gather(*(desk.read(seen) for _ in range(200)))
        assert len(readers) <= 2, "more take the interpreter from each other"

    run(asyncio.wait_for(life(), 60))
    desk.close()
    store.close()


def test_who_waited_while_a_store_was_found_away_is_told_without_another_try(desk: StoreDesk) -> None:
    begun, go = threading.Event(), threading.Event()

    def dies(connection: Connection) -> None:
        held(go, begun)(connection)
        raise StoreAway("The state store has gone.")

    async def life() -> None:
        first = asyncio.create_task(desk.write(dies))
        await asyncio.to_thread(begun.wait, 30)
        second = asyncio.create_task(desk.write(more, "not tried"))
        await asyncio.sleep(0)
        go.set()
        for waiting in (first, second):
            with pytest.raises(StoreAway, match="has gone"):
                await waiting
        assert await desk.write(more, "a") == 1, "who comes later tries"

    run(asyncio.wait_for(life(), 60))
    desk.close()


def test_what_was_given_up_while_others_of_its_share_ran_is_not_begun() -> None:
    store, tried = open_store("memory"), []
    desk = StoreDesk(store, patience=0.3)
    begun, go, slow, on = (threading.Event() for _ in range(4))

    async def life() -> None:
        first = asyncio.create_task(desk.write(held(go, begun)))
        await asyncio.to_thread(begun.wait, 30)
        second = asyncio.create_task(desk.write(held(on, slow)))
        third = asyncio.create_task(desk.write(lambda connection: tried.append(count(connection))))
        await asyncio.sleep(0)  # both wait, and are taken together
        go.set()
        assert await first == "done"
        await asyncio.to_thread(slow.wait, 30)
        for waiting in (second, third):
            with pytest.raises(StoreAway):
                await asyncio.wait_for(waiting, 30)
        on.set()

    run(asyncio.wait_for(life(), 90))
    desk._writers.close(wait=True)
    assert not tried
    store.close()
