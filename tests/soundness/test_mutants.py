"""The guards of rights are held by tests: a break of one line in them does not pass. All of them: `make soundness`."""

from __future__ import annotations

import ast
import builtins
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HOLE = "semantic/policies/policy.py | Access.rows | emptied | names &= "

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are tested in forked children")


def mutants(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scripts.mutants", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_there_are_enough_and_the_one_that_once_passed_is_among_them() -> None:
    listed = mutants("--list").stdout.splitlines()
    assert len(listed) >= 120
    assert len({line.partition("  ")[2] for line in listed}) == len(listed)
    assert any(HOLE in line for line in listed)


WATCHED = '''
def kept(number, more=()):
    """Those that are not nothing."""
    if number > 1 and more:
        return [each for each in more if each]
    if (rest := number) and rest.real == 1:
        raise ValueError(number)
'''
ALWAYS = {"4 condition negated"}
DIFFER = {
    (2, (1,)): ALWAYS | {"4 comparison turned", "5 nothing returned"},
    (2, (1, 0)): ALWAYS | {"4 comparison turned", "5 nothing returned", "5 filter 0 of a comprehension left out"},
    (0, (1,)): ALWAYS | {
        "4 and/or swapped", "4 operand 0 left out", "4 comparison turned", "6 condition negated", "6 operand 0 left out",
    },
    (2, ()): ALWAYS | {
        "4 and/or swapped", "4 operand 1 left out", "4 comparison turned", "6 condition negated", "6 and/or swapped",
        "6 operand 0 left out", "6 operand 1 left out", "6 comparison turned",
    },
}  # fmt: skip


@pytest.mark.parametrize("given", DIFFER)
def test_a_watched_break_tells_where_it_makes_a_difference(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from scripts.mutants.breaks import breaks, nodes_of
    from scripts.mutants.running import Watch
    from scripts.mutants.watching import RUN, WEIGHED, watched

    names = {
        (number, place): f"{getattr(node, 'lineno', 5)} {what}"
        for number, (_, node) in enumerate(nodes_of(ast.parse(WATCHED))) for place, (what, _) in enumerate(breaks(node))
    }  # fmt: skip
    for builtin in (RUN, WEIGHED):
        monkeypatch.setattr(builtins, builtin, None, raising=False)
    watch, made, sound = Watch(), {}, {}
    exec(WATCHED, sound)
    exec(watched(WATCHED, names), made)
    assert (made["kept"].__doc__, watch.seen) == ("Those that are not nothing.", {})
    assert made["kept"](*given) == sound["kept"](*given)
    assert {name for name, tests in watch.seen.items() if tests} == DIFFER[given]


def test_tests_and_what_they_share_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """They hold the modules that were loaded before the break."""
    monkeypatch.syspath_prepend(str(ROOT))
    from scripts.mutants import running

    loaded = {name: ModuleType(name) for name in ("svc_notebook.client", "tests.loops", "worlds", "pytest", "builtins")}
    loaded["worlds"].__file__ = "/tree/tests/analyst/worlds.py"
    loaded["pytest"].__file__ = "/elsewhere/pytest.py"
    monkeypatch.setattr(running, "sys", SimpleNamespace(modules=loaded))
    running.forget(Path("/tree"))
    assert loaded.keys() == {"pytest", "builtins"}


def test_of_a_room_the_nearest_tests_are_run_each_file_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from scripts.mutants.__main__ import beside, nearest

    seconds = {"a::1": 1.0, "a::2": 2.0, "b::1": 60.0, "b::2": 80.0}
    assert nearest(["a::1", "a::2", "b::1", "b::2"], seconds) == ["a::1", "b::1", "a::2"]
    assert nearest(["c::1"], {"c::1": 99.0}) == ["c::1"]
    assert nearest([], seconds) == []
    assert beside(["a::2"], seconds) == ["a::1", "a::2"]


def test_what_is_kept_from_test_to_test_is_looked_for_in_all_tests_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from scripts.mutants.rooms import ROOMS

    kept = {module for module in ROOMS["reader"].modules if ROOMS["reader"].keeps(module)}
    assert {"analyst/offline/schema/values.py", "analyst/offline/words/text.py"} <= kept
    assert "analyst/offline/checks/whose.py" not in kept


@pytest.mark.slow
def test_a_few_of_them_are_noticed() -> None:
    run = mutants("--sample", "3", "--seed", os.environ.get("SVC_MUTANTS_SEED", "12"))
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_the_one_that_once_passed_is_noticed() -> None:
    run = mutants("--matching", HOLE)
    assert (run.returncode, "1 mutants, 1 killed" in run.stdout) == (0, True), run.stdout + run.stderr
