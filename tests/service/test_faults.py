"""What an operator fears: processes killed, disks full, clocks set, readers that vanish or stall."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from svc_notebook.service.store import open_store
from svc_notebook.service.store.statehash import state_dump

from . import upserting
from .service_world import CHAT, World, embedded_world, eventually, final_text, lines, tool_results

ROOT = Path(__file__).parents[2]
Open = Callable[..., World]


@contextmanager
def process(work: str, url: str) -> Iterator[subprocess.Popen[str]]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-m", f"{__package__ or 'tests.service'}.upserting", work, url]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def killed_while_upserting(url: str, seconds: float) -> int:
    """Run the calls in a process, kill it ``seconds`` after its first acknowledgement; the last one it made."""
    with process("upsert", url) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "0\n"
        timer = threading.Timer(seconds, child.send_signal, [signal.SIGKILL])
        timer.start()
        acknowledged = [0, *(int(line) for line in child.stdout if line.endswith("\n"))]
        timer.join()
    assert acknowledged == list(range(len(acknowledged)))
    return acknowledged[-1]


@pytest.fixture(scope="module")
def undisturbed() -> str:
    """The state after all the calls, made in peace."""
    with embedded_world() as w:
        for index in range(upserting.CALLS):
            assert upserting.call(w, index) == 200
        return w.state()


def integrity(path: str | Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


def check_after_kill(url: str, last: int, undisturbed: str) -> None:
    store = open_store(url)
    state = store.read(state_dump)
    store.close()
    made = {row[3] for row in state["catalog"] if row[2] == "attribute" and row[0] == "acme" and row[1]}
    groups = {row[3] for row in state["catalog"] if row[2] == "group" and row[1]}
    count = last + 1
    assert {f"a{index}" for index in range(count)} <= made, "an acknowledged call was lost"
    # At most the one call that was under way is there without its acknowledgement, and then all of it.
    assert made - {"level"} <= {f"a{index}" for index in range(count + 1)}
    present = len(made - {"level"})
    assert {f"h{index}" for index in range(present)} == {name for name in groups if name.startswith("h")}
    values = {row[1][3]: row[2] for row in state["values"] if row[1][3] != "level"}
    assert values == {f"a{i}": f'"v{i}"' for i in range(present)} | {k: v for k, v in values.items() if k == "region"}
    with embedded_world(url) as w:
        for index in range(upserting.CALLS):
            assert upserting.call(w, index) == 200
        assert w.state() == undisturbed


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1))
def test_killed_during_upserts(durable_url: str, undisturbed: str, seed: int) -> None:
    last = killed_while_upserting(durable_url, random.Random(seed).uniform(0.05, 0.5))
    if "://" not in durable_url:
        assert integrity(durable_url) == "ok"
    check_after_kill(durable_url, last, undisturbed)


@pytest.mark.soak
def test_killed_fifty_times(tmp_path: Path, undisturbed: str) -> None:
    for seed in range(50):
        path = str(tmp_path / f"state{seed}.sqlite")
        last = killed_while_upserting(path, random.Random(seed).uniform(0.05, 0.5))
        assert integrity(path) == "ok", seed
        check_after_kill(path, last, undisturbed)


def test_killed_during_a_chat(durable_url: str, opened: Open) -> None:
    with process("chat", durable_url) as child:
        assert child.stdout is not None
        chat_id = child.stdout.readline().strip()
        assert child.stdout.readline() == "answering\n"
        child.send_signal(signal.SIGKILL)
        child.wait()
    w = opened(durable_url)
    found = lines(w.chat({"chatId": chat_id, "sessionSettings": {"externalId": "ana"}}).content)
    assert found[0]["state"]["isStreaming"] is False
    assert found[-2]["state"]["turns"][0]["status"] == "failed", "nobody runs it any more"
    assert w.abort(chat_id, "ana").status_code == 204
    assert final_text(w.ask("and now", "ana", chatId=chat_id)) == "There are 0 rows."
    replay = lines(w.chat({"chatId": chat_id, "sessionSettings": {"externalId": "ana"}}).content)
    first, second = replay[-2]["state"]["turns"]
    assert (first["status"], second["status"]) == ("failed", "complete")
    assert "stopped" in first["error"]
    assert [frame["content"] for frame in replay if frame.get("role") == "user"] == ["endless", "and now"]
    assert tool_results(replay)[0] == {"error": "none"}  # what was complete had been kept
    sorts = [frame["sort"] for frame in replay if "sort" in frame]
    assert sorts == sorted(set(sorts))


# --- a full disk --------------------------------------------------------------------------------------------------


@pytest.fixture
def full_store(opened: Open, tmp_path: Path) -> tuple[World, Callable[[int], None]]:
    """A service on a file, and how to say how many more pages the disk has room for."""
    w = opened(str(tmp_path / "state.sqlite"))

    def room(pages: int) -> None:
        def limit(connection: Any) -> None:
            count = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {count + pages}")

        w.service.store.engine.dispose()  # the limit is one of a connection: from here on there is only this one
        w.service.store.write(limit)

    return w, room


def test_a_full_disk(full_store: tuple[World, Callable[[int], None]]) -> None:
    w, room = full_store
    w.session(externalId="ana", groups=["analysts"], userAttributes=[{"name": "region", "value": ["EMEA"]}])
    chat_id = w.ask("orders", "ana")[0]["state"]["chatId"]
    room(0)
    before = w.state()
    big = {"securityContext": {"x": "y" * 200_000}}
    response = w.session(externalId="ana", groups=["managers"], **big)
    assert response.status_code == 500
    assert "no room left" in response.json()["message"]
    assert w.state() == before
    replay = w.chat({"chatId": chat_id, "sessionSettings": {"externalId": "ana"}})
    assert final_text(lines(replay.content)) == "There are 2 rows."
    assert w.abort(chat_id, "ana").status_code == 204
    assert w.get("/svc-api/v1/meta?externalId=ana").status_code == 200
    room(10_000)
    assert w.session(externalId="ana", groups=["managers"], **big).status_code == 200


@pytest.mark.parametrize("way", ["limit", "disk"])
def test_a_disk_that_is_really_full(tmp_path: Path, way: str) -> None:
    """The kernel refuses the writes: a file system of one megabyte (where one can be mounted), a limit on file size."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    work = [sys.executable, "-m", f"{__package__ or 'tests.service'}.filling", way, str(tmp_path)]
    if way == "disk":  # in a mount namespace of its own, so that nothing is left behind
        mount = f'mount -t tmpfs -o size=1m tmpfs "{tmp_path}" || exit 77; exec "$@"'
        work = ["unshare", "--mount", "sh", "-c", mount, "sh", *work]
        if shutil.which("unshare") is None:
            pytest.skip("no file system can be mounted here")
    done = subprocess.run(work, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    if way == "disk" and (done.returncode == 77 or "unshare failed" in done.stderr):
        pytest.skip("no file system can be mounted here")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["refused"][0] == 500
    assert "no room left: free some disk space" in said["refused"][1]
    assert said == {
        "refused": said["refused"], "changed": False, "chat": 500, "replay": "There are 2 rows.", "abort": 204,
        "recovered": 200, "answer": "There are 2 rows.", "integrity": "ok",
    }  # fmt: skip


def test_a_turn_whose_end_does_not_fit_is_kept_when_there_is_room(
    full_store: tuple[World, Callable[[int], None]],
) -> None:
    from svc_notebook.analyst.base import AnswerDone

    w, room = full_store
    text = "long " * 100_000

    @w.analyst.on("long")
    async def long(turn: Any, toolbox: Any, cancel: Any) -> Any:
        await __import__("asyncio").to_thread(room, 0)
        yield AnswerDone(text)

    frames = w.ask("long", "ana")
    chat_id = frames[0]["state"]["chatId"]
    assert final_text(frames) == text
    assert frames[-2]["id"] == "__state__"
    again = {"chatId": chat_id, "sessionSettings": {"externalId": "ana"}}
    assert final_text(lines(w.chat(again).content)) == text  # from memory
    room(100_000)
    eventually(lambda: (w.clock.advance(60), w.service.turns.get(chat_id))[1] is None)
    assert final_text(lines(w.chat(again).content)) == text  # from the store


# --- locks --------------------------------------------------------------------------------------------------------


def test_a_store_locked_by_another_process_answers_503_in_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "state.sqlite"
    hold = "import sqlite3,sys; c=sqlite3.connect(sys.argv[1],isolation_level=None); c.execute('BEGIN IMMEDIATE'); print('held',flush=True); sys.stdin.read()"
    with embedded_world(open_store(path, busy_timeout=0.3)) as w:
        with subprocess.Popen(
            [sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            began = time.monotonic()
            response = w.session(externalId="ana")
            assert time.monotonic() - began < 20
            assert response.status_code == 503
            assert response.headers["retry-after"]
            assert response.json()["message"] == "The state store is locked; try again."
            assert f"process {other.pid} (python" in caplog.text  # who holds it is for the operator alone
            assert w.get("/svc-api/v1/meta").status_code == 200
            assert other.stdin is not None
            other.stdin.close()
        assert w.session(externalId="ana").status_code == 200
        w.service.store.close()


# --- time ---------------------------------------------------------------------------------------------------------


def exists(w: World, user: str) -> bool:
    return any(row[3] == user for row in w.service.store.read(state_dump)["users"])


def test_an_ephemeral_user_goes_on_time_with_all_that_is_theirs(store_url: str, opened: Open) -> None:
    w = opened(store_url)
    settings = {
        "ephemeralTtlSeconds": 100,
        "groups": ["analysts"],
        "userAttributes": [{"name": "city", "value": "Rom"}],
    }
    chat_id = w.ask("orders", "guest", settings=settings)[0]["state"]["chatId"]
    kept = w.ask("orders", "stays", settings={"isEphemeral": False})[0]["state"]["chatId"]
    w.clock.advance(60)
    w.ask("more", "guest", chatId=chat_id, settings={"ephemeralTtlSeconds": 1000})  # does not live longer for that
    w.clock.advance(39.9)
    again = {"chatId": chat_id, "sessionSettings": {"externalId": "guest"}}
    assert w.chat(again).status_code == 200
    w.clock.advance(0.1)
    assert w.chat(again).status_code == 404
    eventually(lambda: not exists(w, "guest"))
    dump = w.service.store.read(state_dump)
    assert not [row for row in dump["memberships"] + dump["values"] if row[0][3] == "guest"]
    assert w.chat({"chatId": kept, "sessionSettings": {"externalId": "stays"}}).status_code == 200
    assert w.abort(chat_id, "guest").status_code == 404


def test_a_turn_ends_with_its_user(w: World) -> None:
    import asyncio

    from svc_notebook.analyst.base import AnswerDelta

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("so far")
        await asyncio.Event().wait()

    with w.streaming("slow", sessionSettings={"externalId": "guest", "ephemeralTtlSeconds": 5}) as stream:
        stream.until(lambda frame: frame.get("content") == "so far")
        eventually(lambda: w.clock.sleepers >= 2)
        w.clock.advance(6)
        frames = stream.rest()
    assert frames[-2] == {"error": "The user of this chat has expired."}
    assert not exists(w, "guest")


def test_the_clock_jumps(w: World) -> None:
    now = w.clock.now()
    w.ask("orders", "guest", settings={"ephemeralTtlSeconds": 3600})
    session_id = w.session(externalId="ana").json()["sessionId"]
    w.clock.set_wall(now + 8 * 86_400)  # a machine that slept
    assert w.post("/api/v1/embed/session/token", {"sessionId": session_id}, None).status_code == 401
    again = w.ask("orders", "guest")[0]["state"]["chatId"]
    w.clock.set_wall(now - 3600)  # and an administrator who sets it back
    assert w.post("/api/v1/embed/session/token", {"sessionId": session_id}, None).status_code == 401
    assert w.chat({"chatId": again, "sessionSettings": {"externalId": "guest"}}).status_code == 200
    w.clock.advance(604_801)
    assert w.chat({"chatId": again, "sessionSettings": {"externalId": "guest"}}).status_code == 404


def test_sessions_and_tokens_run_out(w: World) -> None:
    late, used = (w.session(externalId="ana").json()["sessionId"] for _ in range(2))
    token = w.post("/api/v1/embed/session/token", {"sessionId": used}, None).json()["token"]
    w.clock.advance(301)
    assert w.post("/api/v1/embed/session/token", {"sessionId": late}, None).status_code == 401
    assert w.chat({"input": "orders"}, key=f"Bearer {token}").status_code == 200
    w.clock.advance(86_400)
    assert w.chat({"input": "orders"}, key=f"Bearer {token}").status_code == 401


# --- readers ------------------------------------------------------------------------------------------------------


def test_a_stalled_reader_costs_neither_memory_nor_the_others_time(w: World) -> None:
    from svc_notebook.analyst.base import AnswerDelta, AnswerDone

    from .service_world import Gate

    gate = Gate()

    @w.analyst.on("much")
    async def much(turn: Any, toolbox: Any, cancel: Any) -> Any:
        await gate.passed()
        for _ in range(20_000):
            yield AnswerDelta("x" * 500)
        yield AnswerDone("the end")

    with w.streaming("much", "ana") as stream:
        stalled = stuck_reader(w, stream.chat_id)
        turn = w.service.turns.get(stream.chat_id)
        assert turn is not None
        eventually(lambda: turn.readers == 2)
        gate.open()
        assert final_text(stream.rest()) == "the end"
        assert sum(len(line) for _, line in turn._log) <= 4_194_304
        data = bytearray()
        stalled.settimeout(60)
        while not data.endswith(b"0\r\n\r\n"):
            data += stalled.recv(1_048_576)
        stalled.close()
    assert b"__usage__" in data
    assert b'"content":"the end"' in data
    assert len(data) < 12_000_000  # of 14 MB: it was not sent what it had missed


def stuck_reader(w: World, chat_id: str) -> socket.socket:
    body = f'{{"chatId":"{chat_id}","sessionSettings":{{"externalId":"ana"}}}}'
    url = w.http.base_url
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    connection.connect((url.host, url.port))
    connection.sendall(
        f"POST {CHAT} HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key test-admin-key\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    return connection


def test_readers_that_vanish_leave_nothing_behind(w: World) -> None:
    import asyncio

    from svc_notebook.analyst.base import AnswerDelta

    @w.analyst.on("forever")
    async def forever(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("x")
        await asyncio.Event().wait()

    for index in range(10):
        with w.streaming("forever", f"u{index}") as stream:
            stream.until(lambda frame: frame.get("content") == "x")
    eventually(lambda: not any(turn.readers for turn in w.service.turns))
    eventually(lambda: w.clock.sleepers >= 12)
    w.clock.advance(31)
    eventually(lambda: len(w.service.turns) == 0)


def test_aborts_from_everywhere(w: World) -> None:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from svc_notebook.analyst.base import AnswerDelta

    @w.analyst.on("forever")
    async def forever(turn: Any, toolbox: Any, cancel: Any) -> Any:
        while True:
            yield AnswerDelta("x")
            await asyncio.sleep(0)

    def one(index: int) -> None:
        user = f"u{index}"
        with w.streaming("forever", user) as stream:
            stream.until(lambda frame: frame.get("content") == "x")
            with ThreadPoolExecutor(3) as pool:
                codes = list(pool.map(lambda who: w.abort(stream.chat_id, who).status_code, [user, "stranger", user]))
            assert codes == [204, 403, 204]
            assert [frame.get("id") for frame in stream.rest()][-2:] == ["__aborted__", "__usage__"]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(16)))
    eventually(lambda: len(w.service.turns) == 0)


def test_a_running_query_is_interrupted_by_an_abort(w: World) -> None:
    entered = threading.Event()

    def until_cancelled(cancel: Any) -> None:
        entered.set()
        assert cancel.wait(60)
        cancel.raise_if_cancelled()

    w.layer.before_query = until_cancelled
    with w.streaming("orders", "ana") as stream:
        stream.until(lambda frame: "svcSqlApi" in str(frame))
        assert entered.wait(60)
        assert w.abort(stream.chat_id, "ana").status_code == 204
    eventually(lambda: w.layer.running == 0)


def test_a_query_of_the_data_api_ends_with_its_client(w: World) -> None:
    entered, ended = threading.Event(), threading.Event()

    def until_cancelled(cancel: Any) -> None:
        entered.set()
        if cancel.wait(60):
            ended.set()

    w.layer.before_query = until_cancelled
    url = w.http.base_url
    with socket.create_connection((url.host, url.port)) as connection:
        body = b'{"query":"SELECT * FROM orders"}'
        connection.sendall(
            b"POST /svc-api/v1/sql HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key test-admin-key\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        )
        assert entered.wait(60)
    assert ended.wait(60)


def test_a_clock_set_back_across_a_restart_revives_nobody(durable_url: str) -> None:
    from svc_notebook.service.clock import ManualClock

    with embedded_world(durable_url, ManualClock(2_000_000.0)) as w:
        session_id = w.session(externalId="ana").json()["sessionId"]
        token = w.token(externalId="ana")
        guest = w.ask("orders", "guest", settings={"ephemeralTtlSeconds": 100_000})[0]["state"]["chatId"]
        w.clock.advance(90_000)
        assert w.post("/api/v1/embed/session/token", {"sessionId": session_id}, None).status_code == 401
        assert w.chat({"input": "orders"}, key=f"Bearer {token}").status_code == 401
    again = {"chatId": guest, "sessionSettings": {"externalId": "guest"}}
    with embedded_world(durable_url, ManualClock(2_000_000.0)) as w:
        assert w.service.now() >= 2_090_000.0
        assert w.post("/api/v1/embed/session/token", {"sessionId": session_id}, None).status_code == 401
        assert w.chat({"input": "orders"}, key=f"Bearer {token}").status_code == 401
        assert w.chat(again).status_code == 200
        w.clock.advance(10_000)
        assert w.chat(again).status_code == 404


def test_a_service_that_was_killed_had_told_the_store_the_time(durable_url: str, opened: Open) -> None:
    from svc_notebook.service.clock import ManualClock
    from svc_notebook.service.store.marks import latest_time

    w = opened(durable_url, ManualClock(2_000_000.0))
    w.session(externalId="ana")
    w.clock.advance(50_000)
    w.session(externalId="ana")
    eventually(lambda: w.service.store.read(latest_time) >= 2_050_000.0)


def test_a_stream_ends_with_its_user_when_the_clock_jumps(w: World) -> None:
    import asyncio

    from svc_notebook.analyst.base import AnswerDelta

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("so far")
        await asyncio.Event().wait()

    with w.streaming("slow", sessionSettings={"externalId": "guest", "ephemeralTtlSeconds": 3600}) as stream:
        stream.until(lambda frame: frame.get("content") == "so far")
        w.clock.set_wall(w.clock.now() + 8 * 86_400)  # a machine that slept: nobody who sleeps here is woken by that
        frames = stream.rest()
    assert frames[-2] == {"error": "The user of this chat has expired."}
