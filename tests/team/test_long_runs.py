"""What workers promise each other, many times over: `pytest -m soak tests/team`."""

from __future__ import annotations

import os
import signal
import time

import pytest

from .served import SLOW, Served, eventually
from .test_workers import running

pytestmark = pytest.mark.soak
ABORTS = 200
KILLS = 12


def test_aborts_through_another_worker_are_quick(team: Served) -> None:
    """Stream and query have ended within half a second, 198 times of 200."""
    spent = []
    for number in range(ABORTS):
        user = f"aborter{number}"
        with team.workers() as (a, b), b.streaming(user, input=SLOW) as lines:
            chat_id = next(lines)["state"]["chatId"]
            eventually(lambda b=b: running(b) == 1)  # type: ignore[misc]
            began = time.monotonic()
            assert a.abort(user, chat_id) == 204
            assert [line["id"] for line in lines][-2] == "__aborted__"
            eventually(lambda b=b: running(b) == 0)  # type: ignore[misc]
            spent.append(time.monotonic() - began)
    spent.sort()
    print(f"p50 {spent[ABORTS // 2]:.3f} s, p99 {spent[-3]:.3f} s, most {spent[-1]:.3f} s")
    assert spent[-3] <= 0.5


def test_the_next_question_after_a_kill_is_answered_soon(team: Served) -> None:
    """The killed worker's turn is told as failed, and its thread goes on elsewhere, within two seconds."""
    spent = []
    for number in range(KILLS):
        user = f"bereft{number}"
        with team.workers() as (a, b), b.streaming(user, input=SLOW) as lines:
            chat_id = next(lines)["state"]["chatId"]
            eventually(lambda b=b: running(b) == 1)  # type: ignore[misc]
            began = time.monotonic()
            os.kill(b.process, signal.SIGKILL)
            assert a.read(user, chat_id)[-2]["state"]["turns"][-1]["status"] == "failed"
            known = time.monotonic() - began
            assert a.ask(user, chatId=chat_id)[-2]["id"] == "__state__"
            spent.append((time.monotonic() - began, known))
        eventually(lambda b=b: team.process_of(b.number) != b.process)  # type: ignore[misc]
    spent.sort()
    print("seconds until it is answered, of which until it is told as failed:")
    print(*(f"{whole:.3f} ({known:.3f})" for whole, known in (spent[KILLS // 2], spent[-1])), "p50 and most")
    assert spent[-1][0] <= 2.0
