"""A lane's places go round: by account, by user; waiting costs no thread and can be left at any time."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.cancellation import CancellationToken, Cancelled
from svc_notebook.lanes import Asker, Lane, LaneClosed, Lanes, fetch, quiet
from svc_notebook.lanes.turns import Queue
from tests.loops import run


@pytest.fixture
def lane() -> Iterator[Lane]:
    made = Lane("test", 4)
    yield made
    made.close()


class Busy:
    """Work that says when it has begun and ends when it is told to."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.go.wait(30)
        return "done"


def becomes(true: Callable[[], object], within: float = 10) -> None:
    until = time.monotonic() + within
    while not true():
        assert time.monotonic() < until, "it does not come about"
        time.sleep(0.005)


def occupied(lane: Lane, asker: Asker, count: int) -> list[Busy]:
    works = [Busy() for _ in range(count)]
    for work in works:
        lane.submit(asker, work)
    return works


def test_one_user_never_has_more_than_half_of_the_places(lane: Lane) -> None:
    works = occupied(lane, Asker("acme", "ana"), 10)
    assert works[1].begun.wait(10)
    assert (lane.running, lane.waiting) == (2, 8)
    assert lane.submit(Asker("acme", "bob"), lambda: "at once").result(10) == "at once"
    for work in works:
        work.go.set()


def test_one_account_never_has_all_of_the_places(lane: Lane) -> None:
    works = [work for user in ("ana", "bob", "cleo") for work in occupied(lane, Asker("acme", user), 2)]
    assert lane.running == 3
    assert lane.submit(Asker("globex", "dan"), lambda: "at once").result(10) == "at once"
    for work in works:
        work.go.set()


def test_with_a_single_place_askers_take_turns() -> None:
    lane, order = Lane("test", 1), list[str]()
    first = occupied(lane, Asker("acme", "ana"), 1)[0]
    asked = [("acme", "ana")] * 3 + [("acme", "bob"), ("globex", "cleo")]
    futures = [lane.submit(Asker(account, user), lambda user=user: order.append(user)) for account, user in asked]  # type: ignore[misc]
    first.go.set()
    wait(futures, 10)
    assert order == ["ana", "cleo", "bob", "ana", "ana"] or order == ["bob", "cleo", "ana", "ana", "ana"]
    lane.close()


@given(st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from("xyz")), max_size=40))
def test_nothing_is_lost_and_nobody_waits_for_more_than_one_round(asked: list[tuple[str, str]]) -> None:
    queue: Queue[int] = Queue(1, 2)
    for number, (account, user) in enumerate(asked):
        queue.put(Asker(account, user), number)
    served: list[tuple[Asker, int]] = []
    while (found := queue.take()) is not None:
        served.append(found)
        queue.done(found[0])
    assert sorted(number for _, number in served) == list(range(len(asked)))
    for asker in {asker for asker, _ in served}:
        own = [number for who, number in served if who == asker]
        assert own == sorted(own), "one user's work keeps its order"
    waiting = {account: sum(who.account == account for who, _ in served) for account in "AB"}
    for index in range(1, len(served)):
        before, after = served[index - 1][0].account, served[index][0].account
        waiting[before] -= 1
        assert before != after or waiting["B" if before == "A" else "A"] == 0, "accounts take turns"


def test_waiting_work_is_given_up_when_its_awaiter_is_cancelled(lane: Lane) -> None:
    works, ran = occupied(lane, Asker("acme", "ana"), 2), threading.Event()

    async def left() -> None:
        task = asyncio.ensure_future(lane.run(Asker("acme", "ana"), ran.set))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(left())
    assert lane.waiting == 0
    for work in works:
        work.go.set()
    lane.close()
    assert not ran.is_set()


def test_waiting_work_is_given_up_when_its_token_is_cancelled(lane: Lane) -> None:
    works, token = occupied(lane, Asker("acme", "ana"), 2), CancellationToken()

    async def stopped() -> None:
        task = asyncio.ensure_future(lane.run(Asker("acme", "ana"), lambda: None, cancel=token))
        await asyncio.sleep(0)
        token.cancel("aborted")
        with pytest.raises(Cancelled, match="aborted"):
            await task

    run(stopped())
    assert lane.waiting == 0
    for work in works:
        work.go.set()


def test_a_place_is_given_back_when_its_work_ends_not_when_its_awaiter_leaves(lane: Lane) -> None:
    work = Busy()

    async def left() -> None:
        task = asyncio.ensure_future(lane.run(Asker("acme", "ana"), work))
        await asyncio.to_thread(work.begun.wait, 10)
        task.cancel()
        await asyncio.wait({task})

    run(left())
    assert lane.running == 1
    work.go.set()
    lane.close()
    assert lane.running == 0


def test_a_closed_lane_refuses_work_and_tells_those_who_wait(lane: Lane) -> None:
    works = occupied(lane, Asker("acme", "ana"), 2)

    async def closed() -> None:
        task = asyncio.ensure_future(lane.run(Asker("acme", "ana"), lambda: None))
        await asyncio.sleep(0)
        lane.close(wait=False)
        with pytest.raises(LaneClosed):
            await task

    run(closed())
    with pytest.raises(LaneClosed):
        lane.submit(Asker("acme", "ana"), lambda: None)
    for work in works:
        work.go.set()


def test_a_held_lane_begins_nothing_until_it_is_let_go(lane: Lane) -> None:
    first, second = lane.hold(), lane.hold()
    future = lane.submit(Asker("acme", "ana"), lambda: "done")
    first()
    first()
    assert lane.running == 0
    second()
    assert future.result(10) == "done"


def test_first_lines_go_before_preparations_and_never_stop_them() -> None:
    async def order() -> list[str]:
        lanes, said = Lanes(2), list[str]()
        sent = lanes.first_lines()
        later = asyncio.ensure_future(lanes.place("acme", "ana").prepare(said.append, "prepared"))
        await lanes.look_up(Asker("acme", "ana"), said.append, "looked up")
        sent()
        await lanes.after_first_lines()
        await asyncio.wait_for(later, 20)
        lanes.first_lines()  # whoever waits for this one has gone without a word
        await asyncio.wait_for(lanes.place("acme", "ana").prepare(said.append, "prepared again"), 20)
        lanes.close()
        return said

    assert run(order()) == ["looked up", "prepared", "prepared again"]


def test_what_prepares_something_asks_its_queries_in_its_askers_place() -> None:
    lanes, queried = Lanes(2), list[str]()
    place = lanes.place("acme", "ana")

    def prepared() -> str:
        return fetch(lambda: queried.append(threading.current_thread().name) or "fetched")

    assert run(place.prepare(prepared)) == "fetched"
    assert queried[0].startswith("svc-query")
    lanes.close()


def test_a_query_that_is_given_up_before_it_began_holds_nobody() -> None:
    """Whoever prepares something and waits for its query hears the stop while the query waits for its place."""
    lanes, cancel = Lanes(1), CancellationToken()
    other, waits = Busy(), threading.Event()
    lanes.queries.submit(Asker("acme", "ana"), other)
    assert other.begun.wait(10)

    def prepared() -> str:
        with cancel.on_cancel(lambda: None):
            waits.set()
            return fetch(lambda: "never", cancel)

    async def stopped() -> None:
        preparing = asyncio.ensure_future(lanes.place("acme", "bob").prepare(prepared))
        await asyncio.to_thread(waits.wait, 10)
        await asyncio.to_thread(becomes, lambda: lanes.queries.waiting == 1)
        cancel.cancel("stop")
        with pytest.raises(Cancelled):
            await asyncio.wait_for(preparing, 10)

    run(stopped())
    other.go.set()
    lanes.close()


def test_a_lane_that_closes_holds_nobody_who_prepares() -> None:
    lanes, other = Lanes(1), Busy()
    lanes.queries.submit(Asker("acme", "ana"), other)
    assert other.begun.wait(10)

    async def closed() -> None:
        preparing = asyncio.ensure_future(lanes.place("acme", "bob").prepare(fetch, lambda: "never"))
        await asyncio.to_thread(becomes, lambda: lanes.queries.waiting == 1)
        lanes.queries.close(wait=False)
        with pytest.raises(LaneClosed):
            await asyncio.wait_for(preparing, 10)

    run(closed())
    other.go.set()
    lanes.close()


def test_a_place_says_that_it_waits() -> None:
    lanes = Lanes(2)
    place, other = lanes.place("acme", "ana"), Busy()
    lanes.queries.submit(Asker("acme", "ana"), other)

    async def waits() -> list[bool]:
        said = [place.waiting]
        task = asyncio.ensure_future(place.query(lambda: None))
        await asyncio.sleep(0)
        said.append(place.waiting)
        other.go.set()
        await task
        return [*said, place.waiting]

    assert run(waits()) == [False, True, False]
    lanes.close()


def test_what_runs_or_has_ended_does_not_wait() -> None:
    lanes = Lanes(2)
    place = lanes.place("acme", "ana")
    busy, ended = Busy(), threading.Event()

    async def life() -> None:
        running = asyncio.create_task(place.query(busy))
        await asyncio.to_thread(busy.begun.wait, 10)
        assert not place.waiting
        busy.go.set()
        await running
        done = asyncio.create_task(place.query(ended.set))
        await asyncio.sleep(0)
        assert ended.wait(10)  # the loop has not heard of it yet
        becomes(lambda: all(work.done() for work in place._queued))
        assert not place.waiting
        await done

    run(life())
    lanes.close()


def test_a_place_keeps_nothing_of_what_has_ended() -> None:
    class Rows:
        pass

    lanes = Lanes(2)
    place = lanes.place("acme", "ana")
    kept = weakref.ref(run(place.query(Rows)))
    becomes(lambda: (gc.collect(), kept() is None)[1])  # the place's thread lets go of it a moment later
    lanes.close()


def test_what_work_gave_goes_with_whoever_asked_for_it_and_waits_for_no_search_for_garbage(lane: Lane) -> None:
    class Rows:
        pass

    async def given() -> weakref.ref[Rows]:
        return weakref.ref(await lane.run(Asker("acme", "ana"), Rows))

    gc.disable()
    try:
        kept = run(given())
        becomes(lambda: kept() is None)
    finally:
        gc.enable()


def test_lanes_that_are_closed_take_nothing() -> None:
    lanes = Lanes(2)
    place = lanes.place("acme", "ana")
    lanes.close()
    for work in (place.query, place.think, place.prepare):
        with pytest.raises(LaneClosed):
            run(work(int))
    with pytest.raises(LaneClosed):
        run(lanes.look_up(Asker("acme", "ana"), int))


def test_a_dropped_lane_leaves_no_thread() -> None:
    lane: Lane | None = Lane("dropped", 2)
    assert lane is not None
    lane.submit(Asker("acme"), lambda: None).result(10)
    gone, lane = weakref.ref(lane), None
    gc.collect()
    assert gone() is None
    for thread in threading.enumerate():
        if thread.name.startswith("svc-dropped"):
            thread.join(10)
            assert not thread.is_alive()


def test_lines_that_stall_hold_nobody_for_long_and_the_next_ones_do_not_hold_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quiet, "_STALLED", 0.05)

    async def waited() -> list[bool]:
        lanes = Lanes(2)
        seen = [lanes.quiet]
        stuck = lanes.first_lines()
        seen.append(lanes.quiet)
        await asyncio.wait_for(lanes.after_first_lines(), 4)
        also = lanes.first_lines()  # behind the same trouble
        seen.append(lanes.quiet)
        stuck()
        third = lanes.first_lines()  # ``also`` has not left yet
        seen.append(lanes.quiet)
        third()
        also()
        fresh = lanes.first_lines()
        seen.append(lanes.quiet)
        fresh()
        fresh()
        seen.append(lanes.quiet)
        lanes.close()
        return seen

    assert run(waited()) == [True, False, True, True, False, True]


def test_lines_that_keep_leaving_are_waited_for_and_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "_STALLED", 5.0)
    monkeypatch.setattr(quiet, "_LONGEST", 0.1)

    async def waited() -> bool:
        lanes = Lanes(2)
        lines = [lanes.first_lines() for _ in range(3)]
        lines[0]()
        held = not lanes.quiet
        await asyncio.wait_for(lanes.after_first_lines(), 4)
        for line in lines:
            line()
        lanes.close()
        return held

    assert run(waited())


class Timers:
    """What a loop is asked to call later, by a clock that is set by hand."""

    def __init__(self, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = loop.time()
        self.live: list[tuple[float, Callable[[], None], Timers.Handle]] = []
        monkeypatch.setattr(loop, "call_later", self.call_later)
        monkeypatch.setattr(loop, "time", lambda: self.now)

    @dataclass(eq=False)
    class Handle:
        timers: Timers

        def cancel(self) -> None:
            self.timers.live = [each for each in self.timers.live if each[2] is not self]

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Handle:
        handle = self.Handle(self)
        self.live.append((self.now + seconds, callback, handle))
        return handle

    def go_on(self, seconds: float) -> None:
        """Let so much time pass, and call what is due by then."""
        self.now += seconds
        while due := [each for each in self.live if each[0] <= self.now]:
            due[0][2].cancel()
            due[0][1]()


def test_each_line_that_leaves_gives_the_others_their_time_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "_STALLED", 2.0)
    monkeypatch.setattr(quiet, "_LONGEST", 10.0)

    async def waited() -> None:
        timers, lanes = Timers(asyncio.get_running_loop(), monkeypatch), Lanes(2)
        lines = [lanes.first_lines() for _ in range(7)]
        for line in lines[:3]:
            timers.go_on(1.5)
            line()
            assert len(timers.live) == 2, "a line sets no timer of its own"
            assert not lanes.quiet
        timers.go_on(1.75)
        assert not lanes.quiet
        timers.go_on(0.25)
        assert lanes.quiet, "none has left for two seconds"
        assert timers.live == [], "nothing is left that could end what is held next"
        for line in lines:
            line()
            assert timers.live == []
        fresh = lanes.first_lines()
        assert not lanes.quiet
        fresh()
        assert lanes.quiet
        assert timers.live == []
        lines = [lanes.first_lines() for _ in range(7)]
        for line in lines[:6]:
            assert not lanes.quiet
            timers.go_on(1.75)
            line()
        assert lanes.quiet, "they have kept leaving for ten"
        assert timers.live == []
        lanes.close()

    run(waited())
