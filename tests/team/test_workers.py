"""What a turn is to one worker it is to the others: stopped, followed, found failed when its process is gone."""

from __future__ import annotations

import os
import re
import signal
import time
from itertools import count
from pathlib import Path

import pytest

from svc_notebook.cli import main

from .served import PATIENCE, SLOW, Served, Worker, eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="a port is not handed from process to process here"),
]
_users = (f"user{number}" for number in count())


def known(team: Served, key: str) -> bool:
    with team.client(key) as http:
        return http.get("/svc-api/v1/meta").status_code != 401


def running(worker: Worker) -> float:
    return worker.figure('svc_lane_running{lane="query"}')


def held(process: int) -> float:
    """Megabytes that a process alone holds, and gives back when it ends.

    RSS counts shared libraries in each process; its part of them (PSS) is smaller the more others run that have nothing
    to do with it, so that the same worker held 120 beside other tests and 175 by itself.
    """
    told = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    found = re.findall(r"^Private_(?:Clean|Dirty):\s+(\d+)", told, re.MULTILINE)
    assert found
    return sum(map(int, found)) / 1024


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux tells")
def test_a_worker_that_was_not_asked_yet_holds_little(team: Served) -> None:
    """The first of this file: what answers have left behind is another matter."""
    assert max(held(team.process_of(number)) for number in (1, 2)) <= 150


def test_another_worker_stops_stream_and_query(team: Served) -> None:
    user = next(_users)
    with team.workers() as (a, b), b.streaming(user, input=SLOW) as lines:
        chat_id = next(lines)["state"]["chatId"]
        eventually(lambda: running(b) == 1)
        assert a.abort(user, chat_id) == 204
        *_, terminal, usage = list(lines)
        assert (terminal["id"], usage["id"]) == ("__aborted__", "__usage__")
        eventually(lambda: running(b) == 0)
        assert a.read(user, chat_id)[-2]["state"]["turns"][-1]["status"] == "aborted"


def test_another_worker_follows_to_the_end(team: Served) -> None:
    user = next(_users)
    with team.workers() as (a, b), b.streaming(user, input=SLOW) as lines:
        chat_id = next(lines)["state"]["chatId"]
        eventually(lambda: running(b) == 1)
        with a.streaming(user, chatId=chat_id) as followed:
            assert next(followed)["state"]["isStreaming"] is True
            assert b.abort(user, chat_id) == 204
            ended = list(followed)
        assert ended[-2]["state"]["turns"][-1]["status"] == "aborted"
        assert {line["content"] for line in ended if line.get("role") == "user"} == {SLOW}


def test_what_a_killed_worker_ran_has_failed_and_the_next_question_is_answered(team: Served) -> None:
    user = next(_users)
    with team.workers() as (a, b), b.streaming(user, input=SLOW) as lines:
        chat_id = next(lines)["state"]["chatId"]
        eventually(lambda: running(b) == 1)
        os.kill(b.process, signal.SIGKILL)
        read = a.read(user, chat_id)
        assert read[-2]["state"]["turns"][-1]["status"] == "failed"
        answer = a.ask(user, chatId=chat_id)
        assert [turn["status"] for turn in a.read(user, chat_id)[-2]["state"]["turns"]] == ["failed", "complete"]
        assert answer[-2]["id"] == "__state__"


@pytest.mark.parametrize("team", ["file"], indirect=True)
def test_all_are_replaced_while_questions_are_answered(team: Served) -> None:
    """And a key that stands in a file is another one then."""
    user = next(_users)
    rotated = team.log.with_name("partner.key")
    assert known(team, rotated.read_text().strip())
    old, new = rotated.read_text().strip(), f"of-partner-{user}"
    rotated.write_text(new)
    with team.client() as http:
        asked = Worker(0, 0, http, http)
        before = {team.process_of(1), team.process_of(2)}
        times = team.log.read_text("utf-8").count("every worker has been replaced")
        team.process.send_signal(signal.SIGHUP)
        answers = []
        until = time.monotonic() + PATIENCE
        while team.log.read_text("utf-8").count("every worker has been replaced") == times:
            assert time.monotonic() < until
            answers.append(asked.ask(user))
        assert {line[-2]["id"] for line in answers} == {"__state__"}
        assert not before & {team.process_of(1), team.process_of(2)}
        assert (known(team, old), known(team, new)) == (False, True)
        for lines in answers[:: max(1, len(answers) // 5)]:
            kept = asked.read(user, lines[0]["state"]["chatId"])
            assert kept[-2]["state"]["turns"][-1]["status"] == "complete"


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--workers", "2"], "add --store state.sqlite"), (["--workers", "0", "--store", "x.sqlite"], "1 or more")],
)
def test_workers_without_anything_in_common_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--port", "0", *words]) == 1
    assert said in capsys.readouterr().err
