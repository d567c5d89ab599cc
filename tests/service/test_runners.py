"""A runner is known wherever its process can be seen, and by its lease alone everywhere else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from svc_notebook.service.turns.runners import new_runner, retire, runner_alive

ROOT = Path(__file__).parents[2]
SAY = "import sys; from svc_notebook.service.turns.runners import new_runner; print(new_runner(), flush=True); sys.stdin.read()"
ASK = (
    "import sys; from svc_notebook.service.turns.runners import runner_alive; "
    "print(runner_alive(sys.argv[1], 10.0, 5.0), runner_alive(sys.argv[1], 10.0, 10.0))"
)
ELSEWHERE = ["unshare", "--pid", "--fork", "--mount-proc"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src")}
linux = pytest.mark.skipif(not Path("/proc/self/ns/pid").exists(), reason="the system tells no process spaces")


@contextmanager
def another(*before: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [*before, sys.executable, "-c", SAY]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        runner = child.stdout.readline().strip()
        if not runner and before:
            pytest.skip("no process space can be made here")
        yield runner, child
        assert child.stdin is not None
        child.stdin.close()


def test_a_runner_of_this_process_lives_until_it_retires() -> None:
    runner = new_runner()
    assert runner_alive(runner, 10.0, 5.0)
    assert not runner_alive(runner, 10.0, 10.0)
    retire(runner)
    assert not runner_alive(runner, 10.0, 5.0)


@linux
def test_a_runner_of_another_process_lives_as_long_as_that() -> None:
    with another() as (runner, child):
        assert runner_alive(runner, 10.0, 5.0)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # ended, and not fetched by anybody yet
        assert os.kill(child.pid, 0) is None, "a zombie still has its number"
        assert not runner_alive(runner, 10.0, 5.0)
    assert not runner_alive(runner, 10.0, 5.0)


@linux
def test_a_number_that_was_given_away_again_is_another_process() -> None:
    with another() as (runner, _):
        space, pid, began, token = runner.split(":")
        assert not runner_alive(f"{space}:{pid}:{int(began) - 1}:{token}", 10.0, 5.0)


@linux
def test_containers_do_not_end_each_others_turns() -> None:
    """Each has a process with the other's number, under one name of the host."""
    if shutil.which("unshare") is None:
        pytest.skip("no process space can be made here")
    with another(*ELSEWHERE) as (runner, _):
        assert runner.split(":")[1] == "1"
        here = [sys.executable, "-c", ASK, runner]
        for command in (here, [*ELSEWHERE, *here]):
            said = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
            assert said.stdout.split() == ["True", "False"], "by its lease alone"


def test_a_runner_named_by_an_earlier_version_is_known_by_its_lease() -> None:
    assert runner_alive("some-host:1:0a1b2c3d", 10.0, 5.0)
    assert not runner_alive("some-host:1:0a1b2c3d", 10.0, 11.0)
