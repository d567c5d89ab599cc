"""Nobody waits for another: shares of users and accounts, what is said to whoever has used up theirs, and when."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from svc_notebook.analyst.base import AnswerDone, Thinking

from .service_world import CHAT, OTHER, World, embedded_world, eventually

SQL = "/svc-api/v1/sql"


def query(world: World, user: str) -> httpx.Response:
    return world.post(SQL, {"query": "SELECT * FROM orders", "sessionSettings": {"externalId": user}})


@contextmanager
def slow_queries(world: World, count: int) -> Iterator[threading.Event]:
    """The next ``count`` queries wait until the block ends, or for the event."""
    go, left = threading.Event(), threading.Semaphore(count)

    def wait(cancel: Any) -> None:
        if left.acquire(blocking=False):
            go.wait(60)

    world.layer.before_query = wait
    try:
        yield go
    finally:
        go.set()


def test_slow_queries_of_one_user_hold_up_nobody_else() -> None:
    with embedded_world() as w, ThreadPoolExecutor(10) as ana, slow_queries(w, 4) as go:
        waiting = [ana.submit(query, w, "ana") for _ in range(10)]
        lane = w.service.lanes.queries
        eventually(lambda: lane.running == 4 and lane.waiting == 6)
        assert query(w, "bob").status_code == 200
        assert w.ask("How many?", "bob", activeBranchName="dev")[-1]["id"] == "__usage__"
        assert w.get("/svc-api/v1/meta?externalId=bob").status_code == 200
        assert w.post(SQL, {"query": "SELECT * FROM orders"}, OTHER).status_code == 200
        assert not any(future.done() for future in waiting)
        go.set()
        assert [future.result(60).status_code for future in waiting] == [200] * 10


def test_an_analyst_or_a_branch_that_takes_long_to_make_holds_up_nobody_else() -> None:
    go, making = threading.Event(), threading.Event()
    with embedded_world() as w, ThreadPoolExecutor(1) as ana:
        sites = w.service._sites
        layer = sites.layer

        def slow(site: Any, branch: str = "") -> Any:
            if branch:
                making.set()
                assert go.wait(60)
            return layer(site, branch)

        sites.layer = slow  # type: ignore[method-assign]
        waiting = ana.submit(w.ask, "How many?", "ana", activeBranchName="dev")
        assert making.wait(30)
        with sites._making:  # somebody's analyst is being made
            assert w.ask("How many?", "bob")[-1]["id"] == "__usage__"
            assert query(w, "bob").status_code == 200
        go.set()
        assert waiting.result(60)[-1]["id"] == "__usage__"


def test_a_queued_query_says_in_the_stream_that_it_waits() -> None:
    with embedded_world() as w, ThreadPoolExecutor(4) as ana, slow_queries(w, 4) as go:
        waiting = [ana.submit(query, w, "ana") for _ in range(4)]
        eventually(lambda: w.service.lanes.queries.running == 4)
        with w.streaming("How many?", "ana") as stream:
            frames = stream.until(lambda frame: "Waiting for a free place" in (frame.get("thinking") or ""))
            go.set()
            frames += stream.rest()
        assert [frame.get("id") for frame in frames[-2:]] == ["__state__", "__usage__"]
        assert sum("Waiting for a free place" in (f.get("thinking") or "") and f["isDelta"] for f in frames) == 1
        assert all(future.result(60).status_code == 200 for future in waiting)


def test_a_queued_query_is_given_up_with_its_turn() -> None:
    with embedded_world() as w, ThreadPoolExecutor(4) as ana, slow_queries(w, 4):
        for _ in range(4):
            ana.submit(query, w, "ana")
        lane = w.service.lanes.queries
        eventually(lambda: lane.running == 4)
        with w.streaming("How many?", "ana") as stream:
            eventually(lambda: lane.waiting == 1)
            assert w.abort(stream.chat_id, "ana").status_code == 204
            assert lane.waiting == 0
            assert stream.rest()[-2]["id"] == "__aborted__"


def test_a_queued_query_is_given_up_when_its_client_goes() -> None:
    with embedded_world() as w, ThreadPoolExecutor(4) as ana, slow_queries(w, 4):
        for _ in range(4):
            ana.submit(query, w, "ana")
        lane = w.service.lanes.queries
        eventually(lambda: lane.running == 4)
        with pytest.raises(httpx.ReadTimeout):
            w.post(SQL, {"query": "SELECT * FROM orders", "sessionSettings": {"externalId": "ana"}}, timeout=0.2)
        eventually(lambda: lane.waiting == 0)


def test_a_user_whose_share_is_used_up_is_told_before_anything_streams() -> None:
    with embedded_world(open_limit=8) as w, ThreadPoolExecutor(4) as ana, slow_queries(w, 2) as go:
        waiting = [ana.submit(query, w, "ana") for _ in range(2)]
        eventually(lambda: w.layer.running == 2)
        body = {"input": "How many?", "sessionSettings": {"externalId": "ana"}}
        for refused in (query(w, "ana"), w.post(CHAT, body)):
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) >= 1
            assert "2 requests of this user" in refused.json()["message"]
        assert query(w, "bob").status_code == 200
        go.set()
        assert all(future.result(60).status_code == 200 for future in waiting)
        assert query(w, "ana").status_code == 200
        assert w.get(CHAT.replace("stream-chat-state", "threads?externalId=ana")).status_code == 404, "nothing is left"


def test_a_user_has_one_share_by_token_and_by_name() -> None:
    with embedded_world(open_limit=8) as w, ThreadPoolExecutor(4) as ana, slow_queries(w, 2):
        token, twin = w.token(externalId="ana"), w.creator("ana", "other-tenant").json()["sessionId"]
        twin = w.post("/api/v1/embed/session/token", {"sessionId": twin}, None).json()["token"]
        for _ in range(2):
            ana.submit(query, w, "ana")
        eventually(lambda: w.layer.running == 2)
        again = w.post(SQL, {"query": "SELECT * FROM orders"}, f"Bearer {token}")
        assert again.status_code == 429
        assert "of this user" in again.json()["message"]
        assert w.post(SQL, {"query": "SELECT * FROM orders"}, f"Bearer {twin}").status_code == 200, "somebody else"


def test_a_full_service_says_so_and_an_account_cannot_fill_it() -> None:
    with embedded_world(open_limit=4) as w, ThreadPoolExecutor(4) as users, slow_queries(w, 2):
        for user in ("ana", "bob"):
            users.submit(query, w, user)
        eventually(lambda: w.layer.running == 2)  # admitted is not enough: who comes next would wait in their stead
        account = query(w, "cleo")
        assert account.status_code == 429
        assert "account" in account.json()["message"]
        assert w.post(SQL, {"query": "SELECT * FROM orders"}, OTHER).status_code == 200
        w.service.admission._most = 2
        full = w.post(SQL, {"query": "SELECT * FROM orders"}, OTHER)
        assert full.status_code == 503
        assert int(full.headers["retry-after"]) >= 1


def test_a_turn_holds_its_share_until_it_has_ended() -> None:
    with embedded_world(open_limit=8) as w:
        go = threading.Event()

        @w.analyst.on("Wait")
        async def wait(turn: Any, toolbox: Any, cancel: Any) -> Any:
            yield Thinking("Hm.")
            await toolbox.think(go.wait, 60)
            yield AnswerDone("Done.")

        with w.streaming("Wait", "ana") as stream:
            stream.until(lambda frame: frame.get("thinking"))
            assert len(w.service.admission) == 1
            go.set()
            stream.rest()
        eventually(lambda: len(w.service.admission) == 0)
        w.ask("How many?", "ana")
        query(w, "ana")
        assert w.post(SQL, {"query": "SELECT nonsense FROM orders", "sessionSettings": {"externalId": "ana"}}).is_error
        w.get("/svc-api/v1/meta?externalId=ana")
        eventually(lambda: len(w.service.admission) == 0)
