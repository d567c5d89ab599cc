"""The guards of rights are held by tests: a break of one line in them does not pass. All of them: `make soundness`."""

from __future__ import annotations

import ast
import builtins
import os
import subprocess
import sys
from pathlib import Path
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
def doubled(number, more=()):
    """Twice."""
    if number > 0:
        return [number, number, *more]
    elif number == 0:
        return more or [0]
    raise ValueError(number)
'''


def test_a_watched_statement_tells_who_runs_it_and_does_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from scripts.mutants.breaks import _nodes, watched

    nodes = list(enumerate(node for _, node in _nodes(ast.parse(WATCHED))))
    names = {
        number: f"line {node.lineno}" for number, node in nodes
        if isinstance(node, ast.List | ast.Raise | ast.BoolOp)
    }  # fmt: skip
    told: list[str] = []
    monkeypatch.setattr(builtins, "__svc_seen__", told.append, raising=False)
    made: dict[str, Any] = {}
    exec(watched(WATCHED, names), made)
    assert made["doubled"].__doc__ == "Twice." and not told
    assert (made["doubled"](2, [1]), made["doubled"](0)) == ([2, 2, 1], [0])
    with pytest.raises(ValueError):
        made["doubled"](-1)
    assert told == ["line 5", "line 7", "line 8"]


def test_of_a_room_the_nearest_tests_are_run_each_file_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from scripts.mutants.__main__ import nearest

    seconds = {"a::1": 1.0, "a::2": 2.0, "b::1": 30.0, "b::2": 40.0}
    assert nearest({"it": ["a::1", "a::2", "b::1", "b::2"]}, "it", seconds) == ["a::1", "b::1", "a::2"]
    assert nearest({"it": ["c::1"]}, "it", {"c::1": 99.0}) == ["c::1"]
    assert nearest({}, "it", seconds) == []


@pytest.mark.slow
def test_a_few_of_them_are_noticed() -> None:
    run = mutants("--sample", "3", "--seed", os.environ.get("SVC_MUTANTS_SEED", "12"))
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_the_one_that_once_passed_is_noticed() -> None:
    run = mutants("--matching", HOLE)
    assert (run.returncode, "1 mutants, 1 killed" in run.stdout) == (0, True), run.stdout + run.stderr
