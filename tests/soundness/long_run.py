"""The long run of the soundness suite: ``python -m tests.soundness.long_run [--queries N] [--seed N]``.

Prints the seeds it used and a figure for each promise; ends with status 1 if anything differed.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import time
from pathlib import Path

from ..generations.schedules import run_schedule, schedule
from ..service.whole_requests import run_requests
from .coverage import coverage, json_coverage
from .failing_worlds import open_worlds
from .failures import run_failures
from .forms import BOUNDS, FORMS, SHAPES, SIZES, open_shops, told
from .numbers_run import run_numbers
from .pairs import open_pairs, run, run_json
from .worlds import build_full


def _generations(seed: int, count: int) -> bool:
    """Whether a turn failed, mixed generations, or was wrong about their time."""
    began, answered, faults = time.monotonic(), 0, []
    for number in range(seed, seed + count):
        with tempfile.TemporaryDirectory() as folder:
            kind, ops = schedule(random.Random(number), 12)
            turns, found = run_schedule(Path(folder), kind, number, ops, chats=50)
        answered += turns
        faults += [f"seed {number}, {kind}, {ops}: {fault}" for fault in found]
    print(
        f"generations: schedules {seed}–{seed + count - 1} under 50 chats, {answered} turns in "
        f"{time.monotonic() - began:.0f} s, {len(faults)} faults",
        flush=True,
    )
    for fault in faults:
        print(fault)
    return bool(faults)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=12_000, help="generated queries for non-interference")
    parser.add_argument("--models", type=int, default=400, help="generated models for right numbers")
    parser.add_argument("--seed", type=int, default=1_000_000, help="first seed")
    parser.add_argument(
        "--failing", type=int, default=1_400, help="queries that fail on visible rows, each asked of pairs of worlds"
    )
    parser.add_argument("--requests", type=int, default=20_000, help="whole requests of two accounts, eight at once")
    parser.add_argument("--schedules", type=int, default=40, help="schedules of changing files, each under 50 chats")
    parser.add_argument("--big", type=int, default=200_000, help="hidden rows in the large world")
    options = parser.parse_args()
    failed = False
    for hidden, share in ((3_000, 0.8), (options.big, 0.2)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            seeds = range(options.seed + hidden, options.seed + hidden + int(options.queries * share))
            began = time.monotonic()
            with open_pairs(build_full(folder / "full.duckdb", hidden_rows=hidden), folder) as pairs:
                tally = run(pairs, seeds)
                damaged = run(pairs, range(seeds.start, seeds.start + len(seeds) // 3), depth=1, broken=True)
                as_json = run_json(pairs, range(seeds.start, seeds.start + len(seeds) // 4))
            print(
                f"non-interference, {hidden} hidden orders: seeds {seeds.start}–{seeds.stop - 1}, {tally.asked} asked "
                f"({tally.answered} answered, refused alike: {dict(tally.errors)}), {len(pairs)} pairs of worlds, "
                f"{time.monotonic() - began:.0f} s, {len(tally.failures)} differences",
                flush=True,
            )
            print(
                f"damaged queries: {damaged.asked} asked ({damaged.answered} answered, refused alike: "
                f"{dict(damaged.errors)}), {len(damaged.failures)} differences or undocumented errors"
            )
            print(
                f"JSON queries: {as_json.asked} asked ({as_json.answered} answered, refused alike: {dict(as_json.errors)}), "
                f"{len(as_json.failures)} differences or undocumented errors"
            )
            failures = tally.failures + damaged.failures + as_json.failures
            for failure in failures:
                print(failure)
            failed |= bool(failures)
            shapes = coverage(seeds) + json_coverage(range(seeds.start, seeds.start + len(seeds) // 4))
            print(
                "shapes generated: " + ", ".join(f"{name} {times}" for name, times in shapes.most_common()), flush=True
            )
    failed |= _failures(options.seed, options.failing)
    failed |= _forms()
    failed |= _requests(options.seed, options.requests)
    failed |= _generations(options.seed, options.schedules)
    for policed in (False, True):
        began = time.monotonic()
        seeds = range(options.seed + policed * 100_000, options.seed + policed * 100_000 + options.models)
        numbers = run_numbers(seeds, queries=12, policed=policed)
        print(
            f"right numbers{' under row policies' if policed else ''}: models {seeds.start}–{seeds.stop - 1}, {numbers.asked} "
            f"questions in {time.monotonic() - began:.0f} s, {len(numbers.failures)} wrong",
            flush=True,
        )
        for failure in numbers.failures:
            print(failure)
        failed |= bool(numbers.failures)
    return 1 if failed else 0


def _requests(first: int, number: int) -> bool:
    """Send whole requests that name what is others'; whether any got it."""
    began = time.monotonic()
    statuses, wrong = run_requests(range(first, first + number), 8)
    print(
        f"whole requests of two accounts: seeds {first}–{first + number - 1} ({dict(statuses)}) in "
        f"{time.monotonic() - began:.0f} s, {len(wrong)} that reached what is others'",
        flush=True,
    )
    print("".join(f"{problem}\n" for problem in wrong[:20]), end="")
    return bool(wrong)


def _forms() -> bool:
    """Bisect every bound of the thirteen forms, under each shape of policy, over few and many hidden rows."""
    began, asked, found = time.monotonic(), 0, []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as name, open_shops(Path(name), size) as shops:
            for shape, form, member in itertools.product(SHAPES, FORMS, BOUNDS):
                asked += 1
                if (problem := told(shops[shape], shape, form, member, steps=16)) is not None:
                    found.append(f"{form}, {shape}, {size}, {member}: {problem}")
    print(
        f"{len(FORMS)} forms × {len(SHAPES)} shapes of policy × {' and '.join(SIZES)}: {asked} bounds searched in "
        f"{time.monotonic() - began:.0f} s, {len(found)} that tell",
        flush=True,
    )
    print("".join(f"{problem}\n" for problem in found[:20]), end="")
    return bool(found)


def _failures(first: int, queries: int) -> bool:
    """Ask queries that fail on visible rows of worlds that differ in hidden rows; whether any told them apart."""
    failed = False
    for number, (kind, share) in enumerate((("database", 0.6), ("arrow", 0.2), ("parquet", 0.2))):
        seeds = range(first + number * 100_000, first + number * 100_000 + int(queries * share))
        began = time.monotonic()
        names = ["none", "far", "beside", "apart", "big"] + (["near", "many"] if kind == "arrow" else [])
        with tempfile.TemporaryDirectory() as name, open_worlds(tuple(names), Path(name), kind=kind) as worlds:
            found = run_failures(worlds, seeds)
        print(
            f"failures on visible rows, tables from {kind}: seeds {seeds.start}–{seeds.stop - 1}, {found.pairs} pairs "
            f"({dict(found.seen)}) in {time.monotonic() - began:.0f} s, {len(found.failures)} differences",
            flush=True,
        )
        for failure in found.failures:
            print(failure)
        failed |= bool(found.failures)
    return failed


if __name__ == "__main__":
    sys.exit(main())
