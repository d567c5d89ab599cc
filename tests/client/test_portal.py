"""The engine thread: work from anywhere, interrupts at once, clean ends."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from svc_notebook.client.engine.portal import Portal, PortalStopped

from ..loops import run

cell: contextvars.ContextVar[str] = contextvars.ContextVar("cell", default="none")


@pytest.fixture
def portal() -> Iterator[Portal]:
    portal = Portal("svc-test")
    yield portal
    portal.stop()


async def where() -> int:
    await asyncio.sleep(0)
    return threading.get_ident()


def test_all_work_runs_on_one_thread_that_is_not_ours(portal: Portal) -> None:
    async def awaiting() -> int:
        return await portal.arun(where())

    idents = {portal.run(where()), run(awaiting()), portal.submit(where()).result(5)}
    assert len(idents) == 1
    assert threading.get_ident() not in idents


def test_what_work_gave_goes_with_whoever_asked_for_it_and_waits_for_no_search_for_garbage(portal: Portal) -> None:
    class Rows:
        pass

    async def given() -> Rows:
        return Rows()

    gc.disable()
    try:
        kept = weakref.ref(portal.run(given()))
        portal.run(where())  # the thread has gone on
        assert kept() is None
    finally:
        gc.enable()


def test_nothing_runs_before_the_first_use() -> None:
    assert not Portal("svc-test").running


def test_the_callers_context_goes_along(portal: Portal) -> None:
    async def read() -> str:
        return cell.get()

    cell.set("In [7]")
    assert portal.run(read()) == "In [7]"


@pytest.mark.kernel  # sends a real interrupt: not among the workers
def test_an_interrupt_ends_a_blocking_call_and_its_work(portal: Portal) -> None:
    cancelled = threading.Event()
    begun = threading.Event()

    async def long() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def press() -> None:
        begun.wait(5)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        portal.run(long())
    assert time.monotonic() - start < 5
    assert cancelled.wait(5)


def test_cancelling_an_awaiting_call_ends_its_work(portal: Portal) -> None:
    cancelled = threading.Event()

    async def long() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    async def call() -> None:
        async with asyncio.timeout(0.1):
            await portal.arun(long())

    with pytest.raises(TimeoutError):
        run(call())
    assert cancelled.wait(5)


def test_an_awaiting_call_has_a_heartbeat(portal: Portal) -> None:
    """The calling loop wakes by itself, so that a kernel's interrupt, which wakes nobody, is seen."""
    release = threading.Event()

    async def call() -> int:
        loop, woken = asyncio.get_running_loop(), 0
        task = asyncio.ensure_future(portal.arun(asyncio.to_thread(release.wait, 10), heartbeat=0.01))
        await asyncio.sleep(0)
        select = loop._selector.select  # type: ignore[attr-defined]

        def counted(timeout: float | None) -> object:
            nonlocal woken
            woken += 1
            if woken == 5:
                release.set()
            return select(timeout)

        loop._selector.select = counted  # type: ignore[attr-defined]
        await task
        return woken

    assert run(call()) >= 5


def test_errors_come_back(portal: Portal) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    async def call() -> None:
        await portal.arun(fail())

    with pytest.raises(ZeroDivisionError):
        portal.run(fail())
    with pytest.raises(ZeroDivisionError):
        run(call())


def test_a_blocking_call_from_the_engine_itself_is_refused_not_deadlocked(portal: Portal) -> None:
    async def inner() -> None:
        portal.run(where())

    with pytest.raises(RuntimeError, match="awaiting form"):
        portal.run(inner())


def test_awaiting_on_the_engine_itself_is_plain_awaiting(portal: Portal) -> None:
    async def inner() -> int:
        return await portal.arun(where())

    assert portal.run(inner()) == portal.run(where())


def test_stop_ends_work_and_the_next_use_starts_again(portal: Portal) -> None:
    ended = threading.Event()
    closed: list[str] = []

    async def long() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def close(name: str) -> None:
        closed.append(name)

    portal.on_stop(lambda: close("first"))
    portal.on_stop(lambda: close("second"))
    forget = portal.on_stop(lambda: close("third"))
    forget()
    future = portal.submit(long())
    first = portal.run(where())
    portal.stop()
    assert ended.is_set()
    assert future.cancelled()
    assert closed == ["second", "first"]
    assert not portal.running
    assert portal.run(where()) is not None
    assert portal.running
    assert first is not None


def test_what_is_still_at_work_while_it_stops_stays_on_the_same_loop(portal: Portal) -> None:
    """A second engine woken by the first one's last breath would hold objects of two loops (seen under load)."""
    seen: list[tuple[bool, bool]] = []

    async def last_words() -> None:
        seen.append((portal.inside, portal.loop is asyncio.get_running_loop()))
        seen.append((await portal.arun(where()) == threading.get_ident(), portal.running))

    portal.run(where())
    portal.on_stop(last_words)
    portal.stop()
    assert seen == [(True, True), (True, False)]
    assert not portal.running


def test_stopping_from_inside_leaves_it_running(portal: Portal) -> None:
    async def stop() -> None:
        portal.stop()

    before = portal.run(where())
    portal.run(stop())
    assert portal.run(where()) == before


def test_an_interpreter_that_leaves_starts_no_new_engine() -> None:
    code = """
        import atexit, asyncio
        from svc_notebook.client.engine.portal import PortalStopped, engine
        def late():
            try:
                engine().loop
            except PortalStopped as stopped:
                print(stopped)
        atexit.register(late)
        print(engine().run(asyncio.sleep(0, "worked")))
    """
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.splitlines() == ["worked", "The interpreter is exiting: nothing new can be started"], done.stderr


def test_whoever_waits_while_it_stops_is_told(portal: Portal) -> None:
    async def call() -> None:
        threading.Timer(0.1, portal.stop).start()
        await portal.arun(asyncio.sleep(60))

    with pytest.raises(PortalStopped):
        run(call())


def run_script(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", textwrap.dedent(code)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_the_interpreter_leaves_without_a_word_while_work_runs() -> None:
    done = run_script(
        """
        import asyncio
        from svc_notebook.client.engine.portal import engine

        async def long():
            try:
                await asyncio.sleep(60)
            finally:
                print("ended")

        engine().submit(long())
        engine().run(asyncio.sleep(0.01))
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_gets_an_engine_of_its_own() -> None:
    done = run_script(
        """
        import asyncio, os, warnings
        from svc_notebook.client.engine.portal import engine

        async def one():
            return 1

        assert engine().run(one()) == 1
        warnings.simplefilter("ignore")
        child = os.fork()
        if child == 0:
            os._exit(0 if engine().run(one()) == 1 else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr


def test_what_cannot_be_run_is_closed_without_a_word(portal: Portal, recwarn: pytest.WarningsRecorder) -> None:
    """An engine that does not start, one that is stopped before the work has begun, and a loop that was closed."""
    portal.run(where())
    loop = portal.loop
    held, go, told = threading.Event(), threading.Event(), []
    loop.call_soon_threadsafe(lambda: (loop.stop(), held.set(), go.wait(60)))  # as somebody else's stop does it
    held.wait(60)

    def wait() -> None:
        with suppress(PortalStopped):  # or it was quick enough
            portal.run(where())
        told.append("came back")

    waiting = threading.Thread(target=wait)
    waiting.start()
    submitted = portal.submit(where())
    until = time.monotonic() + 60
    while len(loop._ready) < 2 and time.monotonic() < until:  # type: ignore[attr-defined]  # both are handed over
        time.sleep(0.001)
    (ending,) = [each for each in threading.enumerate() if each.name == portal.name]
    go.set()
    waiting.join(60)
    ending.join(60)
    assert told == ["came back"]
    assert concurrent.futures.wait([submitted], timeout=60).done
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Portal, "loop", property(lambda self: loop))
        for refused in (portal.submit, portal.run):
            with pytest.raises(RuntimeError):
                refused(where())
    gc.collect()
    assert [str(one.message) for one in recwarn if "never awaited" in str(one.message)] == []


def test_an_interrupt_before_the_work_has_begun_leaves_nothing_behind(recwarn: pytest.WarningsRecorder) -> None:
    """Ctrl-C while the engine is made: the coroutine was never handed over."""
    portal = Portal("svc-interrupted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(portal, "_start", _interrupts)
        with pytest.raises(KeyboardInterrupt):
            portal.run(where())
    gc.collect()
    assert [str(one.message) for one in recwarn if "never awaited" in str(one.message)] == []


def _interrupts() -> None:
    raise KeyboardInterrupt


def test_an_interrupt_right_after_the_work_was_handed_over_does_not_end_it_half_way() -> None:
    portal, begun, ended = Portal("svc-handed-over"), threading.Event(), threading.Event()
    real, gate = portal.loop.call_soon_threadsafe, asyncio.Event()

    async def work() -> None:
        begun.set()
        await gate.wait()
        ended.set()

    def interrupted(*given: Any) -> Any:
        real(*given)
        assert begun.wait(10)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(portal.loop, "call_soon_threadsafe", interrupted)
        with pytest.raises(KeyboardInterrupt):
            portal.submit(work())
    portal.call(gate.set)
    assert ended.wait(10)
    portal.stop()


def test_tasks_are_freed_on_their_own_thread(portal: Portal) -> None:
    engine, freed = portal.run(where()), []
    one = threading.Lock()

    def gone() -> None:
        freed.append(threading.get_ident())
        one.release()

    async def work(fails: bool) -> int:
        weakref.finalize(asyncio.current_task(), gone)
        await asyncio.sleep(0)
        return 1 // (not fails)

    for way in (portal.run, portal.submit):
        for fails in (False, True):
            one.acquire()
            with suppress(ZeroDivisionError):
                kept = way(work(fails))
            assert one.acquire(timeout=60)
            one.release()
    del kept
    gc.collect()
    assert freed == [engine] * 4
