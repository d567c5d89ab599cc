"""What a larger team would see, computed: turns arrive, wait for a worker, are told their first line, and are answered.

    python -m benchmarks.simulate                                    the curves, with the costs in docs/scale.md
    python -m benchmarks.simulate --check 50 150 450                 beside loads of so many chats, one to calibrate

A worker answers one thing at a time: what is Python runs in one thread at once, and where there are as many workers as
cores the queries of one take from the others what they take from it. First lines go before everything else; the rest of
all turns goes on in slices, in turn. A turn goes to the worker that has least to do: that one accepts it first.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import itertools
import random
import statistics
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .load import Load, quantile, readings_of, run_load, served, world

__all__ = ["Costs", "Outcome", "all_at_once", "arriving", "calibrated", "simulate"]

SLICE = 0.002
PATH = "/api/v1/public/acme/agents/data-analyst/chat/stream-chat-state"
ASKED = 10
"""Questions a user asks in the busiest hour."""


@dataclass(frozen=True)
class Costs:
    """CPU seconds of a turn until its first line, and after it; how much of a core each worker gets."""

    first: float
    rest: float
    speed: float = 1.0


@dataclass
class _Turn:
    began: float
    left: float
    more: int = 0
    first: float = 0.0
    ended: float = 0.0


@dataclass
class _Worker:
    firsts: deque[_Turn] = field(default_factory=deque)
    rests: deque[_Turn] = field(default_factory=deque)
    busy: bool = False

    @property
    def load(self) -> int:
        return len(self.firsts) + len(self.rests) + self.busy


@dataclass(frozen=True)
class Outcome:
    """What those who asked would have seen."""

    rate: float
    first: float
    whole: float

    @classmethod
    def of(cls, turns: list[_Turn]) -> Outcome:
        span = max(turn.ended for turn in turns) - min(turn.began for turn in turns)
        first = quantile([turn.first - turn.began for turn in turns], 0.99)
        return cls(len(turns) / span, first, quantile([turn.ended - turn.began for turn in turns], 0.99))


def all_at_once(chats: int, questions: int = 2) -> Iterator[tuple[float, int]]:
    """So many chats that begin together, each with so many questions one after the other."""
    return ((0.0, questions - 1) for _ in range(chats))


def arriving(rate: float, seconds: float, seed: int = 1) -> Iterator[tuple[float, int]]:
    """Single questions, so many a second on average."""
    chance, now = random.Random(seed), 0.0
    while (now := now + chance.expovariate(rate)) < seconds:
        yield now, 0


def simulate(chats: Iterable[tuple[float, int]], costs: Costs, workers: int) -> Outcome:
    """Every chat by when it begins and how many questions follow the first."""
    number = itertools.count()
    crew = [_Worker() for _ in range(workers)]
    events: list[tuple[float, int, _Turn, _Worker | None, bool]] = []
    done: list[_Turn] = []

    def arrive(now: float, more: int) -> None:
        heapq.heappush(events, (now, next(number), _Turn(now, costs.rest, more), None, True))

    def go_on(worker: _Worker, now: float) -> None:
        telling = bool(worker.firsts)
        worker.busy = telling or bool(worker.rests)
        if worker.busy:
            turn = (worker.firsts if telling else worker.rests).popleft()
            spent = costs.first if telling else min(SLICE, turn.left)
            heapq.heappush(events, (now + spent / costs.speed, next(number), turn, worker, telling))

    for began, more in chats:
        arrive(began, more)
    while events:
        now, _, turn, worker, telling = heapq.heappop(events)
        if worker is None:
            worker = min(crew, key=lambda each: each.load)
            worker.firsts.append(turn)
            if worker.busy:
                continue
        elif telling:
            turn.first = now
            worker.rests.append(turn)
        elif (left := turn.left - SLICE) > 0:
            turn.left = left
            worker.rests.append(turn)
        else:
            turn.ended = now
            done.append(turn)
            if turn.more:
                arrive(now, turn.more - 1)
        go_on(worker, now)
    return Outcome.of(done)


@dataclass(frozen=True)
class Measured:
    """What rounds of so many chats at once gave, each figure in the middle of all rounds."""

    chats: int
    rate: float
    first: float
    whole: float
    cpu: float
    """CPU seconds of an answer."""
    speed: float
    """How much of a core each worker got."""

    @classmethod
    def of(cls, rounds: list[Load], workers: int) -> Measured:
        def middle(figure: Callable[[Load], float]) -> float:
            return statistics.median(map(figure, rounds))

        return cls(
            len(rounds[0].answers) // 2, middle(lambda load: len(load.answers) / load.wall),
            middle(lambda load: load.first(0.99)), middle(lambda load: load.whole(0.99)),
            middle(lambda load: load.cpu / len(load.answers)), middle(lambda load: min(1.0, load.cpu / load.wall / workers)),
        )  # fmt: skip


def calibrated(load: Measured, workers: int) -> Costs:
    """What measured chats at once say of a turn's costs.

    The first lines of all chats leave before anything else: the last of them waited for those of all others.
    """
    first = load.first * load.speed * workers / load.chats
    return Costs(first, max(load.cpu - first, 0.0), load.speed)


def check(loads: list[int], workers: int, rounds: int) -> None:
    """Measured and simulated, side by side; the middle load gives the costs, each load what it got of the machine.

    The loads take turns, so that what else the machine has to do falls on all of them.
    """
    with tempfile.TemporaryDirectory(prefix="svc-simulate-") as name:
        folder = Path(name)
        world(folder, max(loads))
        with served(folder, "state.sqlite", workers) as way:

            async def measured() -> dict[int, list[Load]]:
                readings = await readings_of(way, PATH)
                await run_load(way, PATH, 100, readings, begin=10**6)
                users, found = itertools.count(), {chats: list[Load]() for chats in loads}
                for chats in loads * rounds:
                    begin = next(users) * max(loads)
                    found[chats].append(await run_load(way, PATH, chats, readings, begin=begin))
                return found

            found = {chats: Measured.of(each, workers) for chats, each in asyncio.run(measured()).items()}
    costs = calibrated(found[sorted(loads)[len(loads) // 2]], workers)
    print(f"first {costs.first * 1e3:.1f} ms, rest {costs.rest * 1e3:.1f} ms of CPU; {rounds} rounds")
    print(
        "| chats at once | a second | simulated | whole p99, s | simulated | first line p99, s | simulated "
        "| CPU of an answer, ms | of a core |"
    )
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for chats, load in found.items():
        told = simulate(all_at_once(chats), Costs(costs.first, costs.rest, load.speed), workers)
        print(
            f"| {chats} | {load.rate:.1f} | {told.rate:.1f} | {load.whole:.2f} | {told.whole:.2f} | {load.first:.2f} "
            f"| {told.first:.2f} | {load.cpu * 1e3:.1f} | {load.speed:.2f} |"
        )


def curves(costs: Costs) -> None:
    """First line and whole answer by how many users there are and how many workers answer them."""
    print("| users | questions a second | workers | first line p99, s | whole p99, s | cores busy |")
    print("|--:|--:|--:|--:|--:|--:|")
    for users, crews in ((100, (1,)), (10_000, (1, 2)), (100_000, (4, 8, 12)), (1_000_000, (48, 64))):
        rate = users * ASKED / 3600
        for workers in crews:
            told = simulate(arriving(rate, 60.0 if rate < 1000 else 20.0), costs, workers)
            busy = rate * (costs.first + costs.rest)
            print(f"| {users:,} | {rate:.1f} | {workers} | {told.first:.3f} | {told.whole:.2f} | {busy:.1f} |")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", type=int, nargs="+", metavar="CHATS", help="measure these loads as well")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5, help="of each measured load; the middle counts")
    parser.add_argument("--first", type=float, default=4.0, help="CPU milliseconds until the first line")
    parser.add_argument("--rest", type=float, default=14.0, help="and after it")
    options = parser.parse_args()
    if options.check:
        check(options.check, options.workers, options.rounds)
    else:
        curves(Costs(options.first / 1e3, options.rest / 1e3))
    return 0


if __name__ == "__main__":
    sys.exit(main())
