"""A first line leaves before its turn is in the store, where the store has shown that it takes writes; what speaks
against the turn is a status all the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDelta, AnswerDone, ToolFinished, ToolStarted
from svc_notebook.client.engine.portal import engine
from svc_notebook.protocol.errors import ServiceUnavailable
from svc_notebook.service.store.errors import StoreAway
from svc_notebook.service.store.threads import thread_messages

from . import test_real_layer as real_layer
from .listening import statements
from .service_world import (
    ADMIN,
    CHAT,
    Gate,
    Stream,
    World,
    eventually,
    final_text,
    headers,
    held_back,
    lines,
)  # fmt: skip

Open = Callable[..., World]


@pytest.fixture
def others() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


@pytest.fixture
def w(w: World) -> World:
    """Has written what it writes by itself when the first request comes: that would be a sign of the store too."""
    shown(w)
    return w


def shown(w: World) -> None:
    """The store takes a write."""
    assert w.session(externalId="somebody").status_code == 200


def waiting(w: World, chat_id: str | None = None) -> None:
    """Until somebody waits for a sign of the store."""
    eventually(lambda: w.service._desk._waiting)


def asked(others: ThreadPoolExecutor, w: World, **fields: Any) -> Future[httpx.Response]:
    return others.submit(w.chat, {"input": "orders", "sessionSettings": {"externalId": "ana"}, **fields})


def test_the_first_line_leaves_before_the_turn_has_begun(w: World, others: ThreadPoolExecutor) -> None:
    settings = {"externalId": "ana", "groups": ["analysts"], "userAttributes": [{"name": "region", "value": ["EMEA"]}]}
    with held_back(w, "open_turn") as (come, go):
        eager = others.submit(opened_stream, w, settings)
        come.wait()
        assert not eager.done(), "the store has shown nothing yet"
        waiting(w)
        shown(w)
        response, stream = eager.result(60)
        assert w.service.store.read(thread_messages, stream.chat_id) == []
        go.open()
        frames = stream.rest()
        response.close()
    assert final_text(frames) == "There are 2 rows."
    again = lines(w.chat({"chatId": stream.chat_id, "sessionSettings": {"externalId": "ana"}}).content)
    assert again[0]["state"]["user"] == "ana (external), groups: analysts"


def opened_stream(w: World, settings: dict[str, Any], **fields: Any) -> tuple[httpx.Response, Stream]:
    body = {"input": "orders", "sessionSettings": settings, **fields}
    request = w.http.build_request("POST", CHAT, json=body, headers=headers(ADMIN))
    response = w.http.send(request, stream=True)
    assert response.status_code == 200
    return response, Stream(response)


@pytest.mark.parametrize("what", ["abort", "replay", "second", "threads"])
def test_a_thread_that_begins_is_known_by_its_id(w: World, others: ThreadPoolExecutor, what: str) -> None:
    w.ask("orders", "ana")
    with held_back(w, "open_turn") as (come, go):
        eager = others.submit(opened_stream, w, {"externalId": "ana"})
        come.wait()
        waiting(w)
        shown(w)
        response, stream = eager.result(60)
        known = {"chatId": stream.chat_id, "sessionSettings": {"externalId": "ana"}}
        call = {
            "abort": lambda: w.abort(stream.chat_id, "ana").status_code,
            "replay": lambda: w.chat(known).status_code,
            "second": lambda: w.chat({**known, "input": "orders"}).status_code,
            "threads": lambda: w.http.patch(
                f"{CHAT.rpartition('/')[0]}/threads/{stream.chat_id}?externalId=ana", json={"title": "mine"},
                headers=headers(ADMIN),
            ).status_code,
        }[what]  # fmt: skip
        late = others.submit(call)
        go.open()
        assert late.result(60) in {200, 204}
        stream.rest()
        response.close()


@pytest.mark.parametrize(
    ("settings", "status", "said"),
    [
        ({"groups": ["nobody"]}, 400, "Groups with names nobody not found"),
        ({"userAttributes": [{"name": "colour", "value": "red"}]}, 400, "User attributes not found: colour"),
        ({"userAttributes": [{"name": "region", "value": 5}]}, 400, "region"),
    ],
)
def test_what_is_wrong_is_a_status(
    w: World, others: ThreadPoolExecutor, settings: dict[str, Any], status: int, said: str
) -> None:
    with held_back(w, "open_turn") as (come, go):
        response = asked(others, w, sessionSettings={"externalId": "ana", **settings})
        come.wait()
        waiting(w)
        shown(w)
        go.open()
        assert response.result(60).status_code == status
        assert said in response.result().json()["message"]


@pytest.mark.parametrize("fault", ["somebody else's", "unknown", "no such turn", "full account"])
def test_a_thread_that_cannot_be_asked_is_a_status(opened: Open, others: ThreadPoolExecutor, fault: str) -> None:
    w = opened(tenant_user_limit=2 if fault == "full account" else 100)
    w.session(externalId="somebody")
    chat_id = w.ask("orders", "ben")[0]["state"]["chatId"]
    fields: dict[str, Any] = {
        "somebody else's": {"chatId": chat_id},
        "unknown": {"chatId": "0" * 32},
        "no such turn": {"chatId": chat_id, "after": 7, "sessionSettings": {"externalId": "ben"}},
        "full account": {},
    }[fault]
    with held_back(w, "open_turn") as (come, go):
        response = asked(others, w, **fields)
        come.wait()
        waiting(w)
        shown(w)
        go.open()
        assert response.result(60).status_code == {"no such turn": 400, "full account": 429}.get(fault, 404)


@pytest.mark.parametrize("measure", ["revenue", "nothing"])
def test_a_reading_is_looked_at_under_the_rights_its_asker_will_have(others: ThreadPoolExecutor, measure: str) -> None:
    reading = {"version": 1, "root": {"relation": "orders"}, "measures": [{"member": f"orders.{measure}"}]}
    body = {"input": "as edited", "reading": reading, "sessionSettings": real_layer.EMEA}
    with svc.embedded(real_layer.MODEL, data=real_layer.DATA) as client:
        w: Any = SimpleNamespace(service=client.service._application._service)
        key = client.service.config.tenants[0].api_keys[0].secret()
        with (
            httpx.Client(base_url="http://svc.local", transport=client.transport, headers=headers(key)) as http,
            held_back(w, "open_turn") as (come, go),
        ):
            request = http.build_request("POST", real_layer.CHAT, json=body)
            asked = others.submit(http.send, request, stream=True)
            come.wait()
            if measure == "revenue":
                eventually(lambda: asked.done() or engine().run(w.service.write(lambda connection: None)))
                stream = Stream(asked.result(60))
                go.open()
                assert "3" in final_text(stream.rest())
            else:
                engine().run(w.service.write(lambda connection: None))
                go.open()
                assert asked.result(60).status_code == 400
            asked.result().close()


def test_a_store_that_takes_nothing_is_a_status_and_a_late_refusal_is_told(
    w: World, others: ThreadPoolExecutor
) -> None:
    real = w.service.write
    come, go = Gate(), Gate()

    async def locked(work: Any, *args: Any, **kwargs: Any) -> Any:
        if work.__name__ != "open_turn":
            return await real(work, *args, **kwargs)
        come.open()
        await go.passed()
        raise ServiceUnavailable("The state store is locked; try again.")

    w.service.write = locked  # type: ignore[method-assign]
    late = others.submit(opened_stream, w, {"externalId": "ana"})
    come.wait()
    waiting(w)
    shown(w)
    response, stream = late.result(60)
    go.open()
    frames = stream.rest()
    response.close()
    assert frames[0] == {"error": "The state store is locked; try again."}
    assert frames[-1]["id"] == "__usage__"
    assert asked(others, w).result(60).status_code == 503


def test_what_is_complete_is_kept_before_it_is_told(opened: Open, tmp_path: Any) -> None:
    w = opened(str(tmp_path / "state.sqlite"))

    @w.analyst.on("steps")
    async def steps(turn: Any, toolbox: Any, cancel: Any) -> Any:
        for number in range(5):
            yield AnswerDelta("word ") if number % 2 else ToolStarted(f"t{number}", "svcSqlApi", "{}")
            if not number % 2:
                yield ToolFinished(f"t{number}", "svcSqlApi", "{}", f'{{"error": "{number}"}}')
        yield AnswerDone("done")

    told = 0
    with w.streaming("steps") as stream:
        for frame in stream.rest():
            if frame.get("isInProcess") is False:
                kept = {item["id"]: item for item in w.service.store.read(thread_messages, stream.chat_id)}
                assert frame["id"] in kept
                assert kept[frame["id"]].get("content") == frame.get("content")
                assert kept[frame["id"]].get("toolCall") == frame.get("toolCall")
                told += 1
    assert told >= 5


def test_a_turn_costs_the_same_however_long_its_thread(w: World) -> None:
    store, durable = w.service.store, list[str]()
    said = statements(store)
    write = store.write

    def counted(work: Any, *args: Any, **kwargs: Any) -> Any:
        durable.append("write")
        return write(work, *args, **kwargs)

    store.write = counted  # type: ignore[method-assign]
    chat_id = w.ask("orders")[0]["state"]["chatId"]
    counts = []
    for _ in range(40):
        said.clear()
        durable.clear()
        w.ask("orders", chatId=chat_id)
        assert len(durable) == 2, "one that opens, one that ends it"
        # A turn that takes long is looked after meanwhile: that begins a reading transaction, and asks for leases.
        counts.append(
            len(
                [
                    each
                    for each in said
                    if each not in {"BEGIN", "COMMIT"} and ("turns.lease_until" not in each or "LIMIT" in each)
                ]
            )
        )
    assert max(counts) <= 24
    assert max(counts) - min(counts) <= 1, "nothing grows with the thread"
    assert [past.question for past in w.analyst.turns[-1].history] == ["orders"] * 32


def test_a_store_that_does_not_answer_is_given_up_in_time(opened: Open) -> None:
    w, go = opened(store_patience=0.2), threading.Event()
    try:
        with pytest.raises(StoreAway):
            engine().run(w.service.read(lambda connection: go.wait(30)))
        assert not go.is_set()
    finally:
        go.set()
