"""A store that is away, full of connections, locked or frozen: told as 503, waited for, and never acknowledged into."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from svc_notebook.analyst.base import AnswerDelta, AnswerDone, ToolFinished, ToolStarted
from svc_notebook.client import Client
from svc_notebook.service.store import StoreAway, StoreFailed, open_store

from .postgres_server import Server, find_programs, server
from .service_world import ADMIN, CHAT, World, embedded_world, eventually, final_text, lines, world

ROOT = Path(__file__).parents[2]
Open = Callable[..., World]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Server]:
    """A server of this module's own, to be stopped and frozen."""
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed and cannot be installed here (Debian: apt-get install postgresql)")
    with server(programs) as running:
        yield running


def refused(response: Any) -> str:
    assert response.status_code == 503, response.text
    assert int(response.headers["retry-after"]) >= 1
    return str(response.json()["message"])


@pytest.mark.postgres
def test_a_server_that_is_down_is_a_503_and_all_goes_on_at_once_when_it_is_back(cluster: Server, opened: Open) -> None:
    w = opened(cluster.database())
    chat_id = w.ask("orders", "ana")[0]["state"]["chatId"]
    with cluster.down():
        for response in (
            w.session(externalId="ana"), w.get("/svc-api/v1/meta"), w.abort(chat_id, "ana"),
            w.chat({"input": "more", "chatId": chat_id, "sessionSettings": {"externalId": "ana"}}),
        ):  # fmt: skip
            said = refused(response)
            assert "cannot be reached" in said
            assert "127.0.0.1" not in said
    assert w.session(externalId="ana").status_code == 200
    assert final_text(w.ask("more", "ana", chatId=chat_id)) == "There are 0 rows."


@pytest.mark.postgres
def test_the_client_waits_for_a_server_that_comes_back(cluster: Server) -> None:
    with world(cluster.database()) as w:
        base = str(w.http.base_url).rstrip("/")
        with Client(base, ADMIN, chat_api_url=base + CHAT) as client:
            w.session(externalId="bob")
            cluster.stop()
            back = threading.Thread(target=lambda: (time.sleep(0.5), cluster.start()))
            back.start()
            assert client.generate_session(deployment_id=32, external_id="ana").session_id
            assert client.chat(external_id="ana").ask("orders").text == "There are 0 rows."
            back.join()


@pytest.mark.postgres
def test_a_turn_that_ended_during_an_outage_gives_way_at_once(cluster: Server, opened: Open) -> None:
    w = opened(cluster.database())
    gate = threading.Event()

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("so far")
        await __import__("asyncio").to_thread(gate.wait)
        yield AnswerDone("so far so good")

    with w.streaming("slow", "ana") as stream:
        stream.until(lambda frame: frame.get("content") == "so far")
        with cluster.down():
            gate.set()
            assert final_text(stream.rest()) == "so far so good"
        assert final_text(w.ask("and now", "ana", chatId=stream.chat_id)) == "There are 0 rows."
    replay = lines(w.chat({"chatId": stream.chat_id, "sessionSettings": {"externalId": "ana"}}).content)
    assert [turn["status"] for turn in replay[-2]["state"]["turns"]] == ["complete", "complete"]


@pytest.mark.postgres
def test_a_frozen_server_freezes_no_stream_and_no_request(cluster: Server, opened: Open) -> None:
    w = opened(cluster.database(), store_patience=1.0)
    gate = threading.Event()

    @w.analyst.on("steps")
    async def steps(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("begun")
        await __import__("asyncio").to_thread(gate.wait)
        for number in range(5):  # each is kept before it is told
            yield ToolStarted(f"t{number}", "svcMeta", "{}")
            yield ToolFinished(f"t{number}", "svcMeta", "{}", "{}")
        yield AnswerDone("done")

    with w.streaming("steps", "ana") as stream:
        stream.until(lambda frame: frame.get("content") == "begun")
        with cluster.frozen():
            gate.set()
            began = time.monotonic()
            assert final_text(stream.rest()) == "done"
            assert "does not answer" in refused(w.session(externalId="ana"))
            assert time.monotonic() - began < 10
        # Patience is one second here, and a busy machine may take longer to wake the server's processes.
        eventually(lambda: w.session(externalId="ana").status_code == 200)
        assert final_text(w.ask("and now", "ana", chatId=stream.chat_id)) == "There are 0 rows."


@pytest.mark.postgres
def test_what_was_given_up_on_is_not_done_later(cluster: Server, opened: Open) -> None:
    w = opened(cluster.database(), store_patience=0.5)
    w.session(externalId="ana")
    before = w.state()
    with cluster.frozen():
        refused(w.session(externalId="late", groups=["analysts"]))
    eventually(lambda: w.session(externalId="ana").status_code == 200)
    assert w.state() == before


@pytest.mark.postgres
def test_a_lock_that_is_not_given_back_is_a_503(cluster: Server) -> None:
    url = cluster.database()
    with embedded_world(open_store(url, busy_timeout=0.3)) as w:
        w.session(externalId="ana")
        other = open_store(url)
        with other.engine.begin() as connection:
            connection.execute(text("SELECT 1 FROM users WHERE name = 'ana' FOR UPDATE"))
            assert "locked" in refused(w.session(externalId="ana", email="ana@example.com"))
        other.close()
        assert w.session(externalId="ana", email="ana@example.com").status_code == 200
        w.service.store.close()


@pytest.mark.postgres
def test_a_server_without_a_free_connection_is_a_503(cluster: Server, opened: Open) -> None:
    import psycopg

    url = cluster.database()
    w = opened(url)
    plain = url.replace("+psycopg", "")
    taken = []

    def take_all() -> None:
        with suppress(psycopg.OperationalError):
            while True:
                taken.append(psycopg.connect(plain))

    try:
        take_all()
        w.service.store.engine.dispose()
        # the server frees what was given back a little later: taken again until nothing is left
        eventually(lambda: (take_all(), w.session(externalId="ana").status_code == 503)[1])
        assert "no free connection" in refused(w.session(externalId="ana"))
    finally:
        for connection in taken:
            connection.close()
    eventually(lambda: w.session(externalId="ana").status_code == 200)


@pytest.mark.postgres
def test_upserts_in_any_order_do_not_collide(cluster: Server, opened: Open) -> None:
    w = opened(cluster.database())
    names = [f"g{i}" for i in range(6)]

    def upsert(index: int) -> int:
        order = names if index % 2 else names[::-1]
        return w.creator(
            f"user-{index % 7}",
            groupDefinitions=[{"name": name, "description": str(index)} for name in order],
            userAttributeDefinitions=[
                {"name": name, "type": "string", "description": str(index)} for name in reversed(order)
            ],
            groups=order,
            userAttributes=[{"name": name, "value": str(index)} for name in order],
        ).status_code

    with ThreadPoolExecutor(32) as pool:
        assert Counter(pool.map(upsert, range(200))) == {200: 200}


def test_a_server_that_never_says_hello_is_told_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(StoreAway, match="cannot be reached"):
            open_store(f"postgresql://svc@127.0.0.1:{silent.getsockname()[1]}/x", busy_timeout=2)
        assert time.monotonic() - began < 20


# --- a file that is moved, replaced, broken, or new ---------------------------------------------------------------


@pytest.mark.parametrize("way", ["moved", "replaced", "removed"])
def test_a_file_that_is_gone_takes_no_writes(tmp_path: Path, opened: Open, way: str) -> None:
    path = tmp_path / "state.sqlite"
    w = opened(str(path))
    assert w.session(externalId="before").status_code == 200
    if way == "removed":
        path.unlink()
    else:
        path.rename(tmp_path / "elsewhere.sqlite")
    if way == "replaced":
        open_store(path).close()
    codes = []
    for number in range(5):
        response = w.session(externalId=f"after-{number}")
        codes.append(response.status_code)
        assert "moved or replaced" in refused(response)
        assert str(tmp_path) not in response.text
    assert codes == [503] * 5, "nothing is acknowledged into the void"


def test_a_file_that_is_put_back_is_used_again(tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "state.sqlite"
    w = opened(str(path))
    path.rename(tmp_path / "elsewhere.sqlite")
    refused(w.session(externalId="ana"))
    (tmp_path / "elsewhere.sqlite").rename(path)
    answer = w.session(externalId="ana")
    if answer.status_code != 200:  # the last connection took the log away with it meanwhile: a restart is what is told
        refused(answer)
        answer = opened(str(path)).session(externalId="ana")
    assert answer.status_code == 200


def test_a_file_moved_while_a_write_runs_is_not_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    store = open_store(path)
    with pytest.raises(StoreAway, match="moved or replaced"):
        store.write(lambda connection: path.rename(tmp_path / "elsewhere.sqlite"))
    store.close()


@pytest.mark.parametrize("what", ["other", "torn", "folder"])
def test_a_file_that_cannot_be_read_is_told_with_what_can_be_done(tmp_path: Path, what: str) -> None:
    path = tmp_path / "state.sqlite"
    if what == "folder":
        path.mkdir()
    elif what == "other":
        path.write_bytes(b"these are notes, not a database\n" * 200)
    else:
        open_store(path).close()
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(os.urandom(8 * 4096))
    with pytest.raises(StoreFailed) as caught:
        open_store(path)
    assert str(path) in caught.value.message
    assert "backup" in caught.value.message or what == "folder"
    assert "\n" not in caught.value.message


def test_processes_open_a_new_file_together(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    work = (
        "import sys\nfrom svc_notebook.service.store import open_store\nimport alembic.command, sqlalchemy.dialects.sqlite\n"
        "print('ready', flush=True)\nsys.stdin.readline()\n"
        "for number in range(12):\n"
        "    store = open_store(f'{sys.argv[1]}/{number}.sqlite', busy_timeout=30)\n"
        "    store.write(lambda c: None)\n    print(store.state_hash(), flush=True)\n    store.close()\n"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", work, str(tmp_path)], env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(4)
    ]  # fmt: skip
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    ends = []
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        out, err = child.communicate(timeout=120)
        ends.append((child.returncode, len(out.split()), err))
    assert ends == [(0, 12, "")] * 4


def test_a_store_that_stays_busy_is_told_while_others_are_served(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with embedded_world(open_store(path, busy_timeout=0.2)) as w:
        w.session(externalId="ana")
        with closing(sqlite3.connect(path, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            assert "locked" in refused(w.session(externalId="ana"))
            assert w.get("/svc-api/v1/meta").status_code == 200
        assert w.session(externalId="ana").status_code == 200
        w.service.store.close()
