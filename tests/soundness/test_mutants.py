"""The guards of rights are held by tests: a break of one line in them does not pass. All of them: `make soundness`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.slow
def test_a_few_of_them_are_noticed() -> None:
    run = mutants("--sample", "5", "--seed", os.environ.get("SVC_MUTANTS_SEED", "12"))
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_the_one_that_once_passed_is_noticed() -> None:
    run = mutants("--matching", HOLE)
    assert (run.returncode, "1 mutants, 1 killed" in run.stdout) == (0, True), run.stdout + run.stderr
