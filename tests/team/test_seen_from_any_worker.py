"""Figures, readiness and a reload are of all workers behind a port, whichever one is asked."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from .served import PATIENCE, SLOW, Served, Worker, eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="a port is not handed from process to process here"),
]
_users = (f"seen{number}" for number in count())
ENDED = 'svc_turns_total{outcome="complete"}'
SAMPLE = re.compile(r"^([a-z_]+(?:\{.*\})?) (\S+)$", re.MULTILINE)


def figures(worker: Worker) -> dict[str, float]:
    text = worker.http.get("/metrics").raise_for_status().text
    found = [(name, float(value)) for name, value in SAMPLE.findall(text)]
    assert len(dict(found)) == len(found), "Prometheus refuses a page that has a figure twice"
    return dict(found)


def totals(worker: Worker) -> dict[str, float]:
    """All that may only grow: counters and histograms of the service."""
    return {
        name: value for name, value in figures(worker).items()
        if re.match(r"svc_\w+_(total|bucket|sum|count)\b", name)
    }  # fmt: skip


def ended(worker: Worker) -> float:
    return figures(worker).get(ENDED, 0.0)


@contextmanager
def frozen(process: int) -> Iterator[None]:
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def test_each_worker_tells_what_all_have_done(team: Served) -> None:
    with team.workers() as (a, b):
        before = totals(a)
        for worker, times in ((a, 3), (b, 5)):
            for _ in range(times):
                worker.ask(next(_users))
        for asked in (a, b):
            eventually(lambda asked=asked: ended(asked) >= before.get(ENDED, 0) + 8)
            now = totals(asked)
            for name in (ENDED, "svc_turn_seconds_count", "svc_query_seconds_count", "svc_first_line_seconds_count"):
                assert now[name] == before.get(name, 0) + 8, name
        shown = figures(b)
        assert (shown["svc_workers"], shown["svc_workers_silent"], shown["svc_open_limit"]) == (2, 0, 4000)
        for worker in (1, 2):
            assert shown[f'svc_generation{{worker="{worker}"}}'] >= 1
            assert shown[f'process_resident_memory_bytes{{worker="{worker}"}}'] > 1e7


def test_nothing_that_was_counted_is_lost_with_a_worker(team: Served) -> None:
    with team.workers() as (a, b):
        first = ended(a)
        for worker in (a, b, b):
            worker.ask(next(_users))
        eventually(lambda: ended(a) == first + 3)
        before = totals(a)
        os.kill(b.process, signal.SIGKILL)
        after = totals(a)
        eventually(lambda: team.process_of(b.number) != b.process)
    assert not {name: (was, after[name]) for name, was in before.items() if after[name] < was}
    with team.workers() as (a, b):
        for worker in (a, b, b):
            worker.ask(next(_users))
        eventually(lambda: ended(b) == first + 6)
        for worker in (a, b):
            later = totals(worker)
            assert not {name: (was, later[name]) for name, was in after.items() if later[name] < was}
            assert later[ENDED] == first + 6


def test_a_worker_that_is_stuck_holds_nobody_up(team: Served) -> None:
    with team.workers() as (a, b):
        b.ask(next(_users))
        eventually(lambda: ended(a) == ended(b))
        before = totals(a)
        with frozen(b.process):
            began = time.monotonic()
            shown, ready = figures(a), a.http.get("/readyz")
            assert time.monotonic() - began < 30, "it waited for the one that is stuck"
            assert (shown["svc_workers"], shown["svc_workers_silent"]) == (1, 1)
            assert shown[ENDED] == before[ENDED]
            assert ready.status_code == 200
            assert ready.json()["workers"][str(b.number)] == {"status": "does not answer"}
        eventually(lambda: figures(a)["svc_workers"] == 2)


def test_readiness_is_that_of_all(team: Served) -> None:
    with team.workers() as workers:
        for worker in workers:
            said = worker.http.get("/readyz").json()
            assert (said["status"], set(said["workers"])) == ("ready", {"1", "2"})
            assert {each["status"] for each in said["workers"].values()} == {"ready"}


def test_after_a_reload_every_worker_answers_from_what_was_read(team: Served) -> None:
    def generations(worker: Worker) -> dict[str, int]:
        said = worker.http.get("/readyz").json()["workers"]
        return {number: each["generation"]["number"] for number, each in said.items()}

    with team.workers() as (a, b):
        for asked in (a, b):
            before = generations(asked)
            assert asked.http.post("/api/v1/reload").status_code == 200
            after = generations(asked)
            assert {number: after[number] - before[number] for number in before} == {"1": 1, "2": 1}
        with frozen(b.process):
            assert a.http.get("/api/v1/freshness").status_code == 200


def test_what_one_worker_holds_back_is_told_by_the_others(team: Served) -> None:
    model = team.log.with_name("model") / "orders.yml"
    whole = model.read_text()
    with team.workers() as (a, b):
        try:
            model.write_text(whole.replace("sql_table: orders", "sql_table: no_such_table"))
            assert a.http.post("/api/v1/reload").status_code == 400
            for asked in (a, b):
                assert "no_such_table" in asked.http.get("/api/v1/freshness").json()["heldBack"]
        finally:
            model.write_text(whole)
            until = time.monotonic() + PATIENCE
            while a.http.get("/api/v1/freshness").json().get("heldBack"):
                assert time.monotonic() < until
                assert a.http.post("/api/v1/reload").status_code == 200


def test_a_worker_that_is_being_replaced_counts_and_is_told_apart(team: Served) -> None:
    user, times = next(_users), replacements(team)
    with team.workers() as (first, other), first.streaming(user, input=SLOW) as lines, team.client() as http:
        chat_id, asked = next(lines)["state"]["chatId"], Worker(0, 0, http, http)
        eventually(lambda: figures(other)["svc_turns_running"] == 1)
        team.process.send_signal(signal.SIGHUP)
        shown = figures(asked)
        while 'process_open_fds{worker="1 leaving"}' not in shown or shown["svc_workers_silent"]:
            shown = figures(asked)
        assert shown["svc_turns_running"] == 1
        assert asked.abort(user, chat_id) == 204
    eventually(lambda: replacements(team) > times)


def replacements(team: Served) -> int:
    return team.log.read_text("utf-8").count("every worker has been replaced")
