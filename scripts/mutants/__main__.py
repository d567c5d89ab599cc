"""Break the code one line at a time, and see whether the tests notice."""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from .breaks import PACKAGE, Mutant, broken, mutants_of, source_of
from .guards import GUARDS
from .page import PAGE, noted
from .rooms import ROOMS, Room
from .running import KILLER, copied, outcome, reached, run_pytest
from .watching import watched

EQUIVALENT = Path(__file__).parent / "equivalent.txt"
ENOUGH = 120.0
"""Seconds that the tests of one mutant of a room may take together, by what they took unbroken."""

Say = Callable[[str], None]


def known_equivalents() -> dict[str, str]:
    """Mutants that break nothing, by key, with the reason."""
    lines = [line for line in EQUIVALENT.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {key.strip(): reason.strip() for key, _, reason in (line.rpartition(" => ") for line in lines)}


def chosen(found: Iterable[Mutant], options: argparse.Namespace) -> list[Mutant]:
    """The mutants to run: no listed equivalents, and of those ``--sample`` by ``--seed``."""
    known = known_equivalents()
    wanted = [mutant for mutant in found if mutant.key not in known and options.matching in mutant.key]
    if options.sample is not None:
        wanted = sorted(wanted, key=lambda mutant: _drawn(options.seed, mutant.key))[: options.sample]
    return wanted


def _drawn(seed: int, key: str) -> bytes:
    """The lot that a mutant draws: an edit elsewhere changes none, so that a sample stays what it was."""
    return hashlib.sha256(f"{seed} {key}".encode()).digest()


def of_guards(options: argparse.Namespace) -> Iterator[Mutant]:
    """The mutants of the guards of rights."""
    for module, (_, functions) in GUARDS.items():
        if not options.only or any(part in module for part in options.only):
            yield from mutants_of(module, functions)


def of_room(room: Room, options: argparse.Namespace) -> list[Mutant]:
    """The mutants to run of a room."""
    return chosen((mutant for module in room.modules for mutant in mutants_of(module)), options)


# --- runs -----------------------------------------------------------------------------------------------------------


def run(found: Sequence[Mutant], tests_of: Callable[[Mutant], Sequence[str]], tree: Path, say: Say) -> list[Mutant]:
    """Those of the mutants that no test notices."""
    survivors: list[Mutant] = []
    sound: dict[str, bool] = {}
    for mutant in found:
        began = time.monotonic()
        result = "unsound"
        while result == "unsound":
            tests = [test for test in tests_of(mutant) if sound.get(test, True)]
            result = _noticed(mutant, tests, tree, sound, say) if tests else "unreached"
        if result in {"survived", "unreached"}:
            survivors.append(mutant)
        say(f"{result:9} {time.monotonic() - began:5.1f} s  {mutant.module}:{mutant.line}  {mutant.key}")
    return survivors


def _noticed(mutant: Mutant, tests: Sequence[str], tree: Path, sound: dict[str, bool], say: Say) -> str:
    """What the tests say of the break; ``unsound`` where one failed that fails alone without it too."""
    path = tree / PACKAGE / mutant.module
    path.write_text(broken(mutant), "utf-8")
    result = outcome(tree, [*tests, *(f"--deselect={test}" for test, held in sound.items() if not held)])
    path.write_text(source_of(mutant.module), "utf-8")
    killer = (tree / KILLER).read_text("utf-8")
    if result != "killed" or "::" not in killer:
        return result
    if killer not in sound:
        sound[killer] = outcome(tree, [killer]) == "survived"
        if not sound[killer]:
            say(f"left out: {killer} fails alone without any break")
    return "killed" if sound[killer] else "unsound"


def run_guards(found: Sequence[Mutant], say: Say) -> list[Mutant]:
    """The survivors among mutants of guards, whose tests are named."""
    with tempfile.TemporaryDirectory(prefix="svc-mutants-") as place:
        tree = copied(Path(place))
        run_pytest(tree, "--collect-only", *sorted({test for mutant in found for test in GUARDS[mutant.module][0]}))
        return run(found, lambda mutant: GUARDS[mutant.module][0], tree, say)


def run_room(room: Room, found: Sequence[Mutant], among: Sequence[str], say: Say) -> list[Mutant]:
    """The survivors among mutants of a room, whose tests are found by running all of those named once."""
    names = {mutant: f"{mutant.module} {mutant.number} {mutant.place}" for mutant in found}
    with tempfile.TemporaryDirectory(prefix="svc-mutants-") as place:
        tree = copied(Path(place))
        run_pytest(tree, "--collect-only", *among)
        for module in sorted({mutant.module for mutant in found}):
            here = {(mutant.number, mutant.place): name for mutant, name in names.items() if mutant.module == module}
            (tree / PACKAGE / module).write_text(watched(source_of(module), here), "utf-8")
        tests, seconds, failed = reached(tree, among)
        say("".join(f"left out: {test} fails without any break\n" for test in failed) + f"{len(seconds)} tests")
        for module in {mutant.module for mutant in found}:
            (tree / PACKAGE / module).write_text(source_of(module), "utf-8")

        def tests_of(mutant: Mutant) -> list[str]:
            differing = tests.get(names[mutant], [])
            return nearest(beside(differing, seconds) if room.keeps(mutant.module) else differing, seconds)

        return run(found, tests_of, tree, say)


def beside(tests: Sequence[str], seconds: Mapping[str, float]) -> list[str]:
    """All tests of the files in which these are, the quickest first."""
    files = {test.partition("::")[0] for test in tests}
    return sorted((test for test in seconds if test.partition("::")[0] in files), key=lambda test: seconds[test])


def nearest(tests: Sequence[str], seconds: Mapping[str, float]) -> list[str]:
    """The quickest of these tests of each file, then the next of each, as long as is enough."""
    files: dict[str, list[str]] = {}
    for test in tests:
        files.setdefault(test.partition("::")[0], []).append(test)
    taken: list[str] = []
    spent = 0.0
    for test in (test for row in zip_longest(*files.values()) for test in row if test):
        spent += seconds[test]
        if taken and spent > ENOUGH:
            break
        taken.append(test)
    return taken


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, help="this many, by the seed, of each room (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="PART", help="guards whose path holds this")
    parser.add_argument("--matching", default="", metavar="TEXT", help="mutants whose name holds this")
    parser.add_argument("--list", action="store_true", help="name them, run nothing")
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, help="these rooms instead of the guards of rights")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="look among these tests, not among the room's")
    parser.add_argument("--page", action="store_true", help="write the rooms' figures into docs/soundness.md")
    options = parser.parse_args(arguments)
    survived = 0
    for room in options.rooms or [""]:
        found = of_room(ROOMS[room], options) if room else chosen(of_guards(options), options)
        if options.list:
            print("\n".join(f"{mutant.module}:{mutant.line}  {mutant.key}" for mutant in found))
            continue
        among = options.tests or (ROOMS[room].tests if room else ())
        survivors = run_room(ROOMS[room], found, among, _said) if room else run_guards(found, _said)
        killed = len(found) - len(survivors)
        print(f"{room + ': ' if room else ''}{len(found)} mutants, {killed} killed, {len(survivors)} survived, "
              f"{len(known_equivalents())} listed as equivalent", flush=True)  # fmt: skip
        for mutant in survivors:
            print(f"survived: {mutant.key}")
        if room and options.page and not options.tests:
            text = noted(PAGE.read_text("utf-8"), room, len(found), killed, options.seed)
            PAGE.write_text(text, "utf-8")
        survived += len(survivors)
    return 1 if survived else 0


def _said(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
