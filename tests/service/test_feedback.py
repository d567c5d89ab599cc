"""What askers think of answers is kept with the thread, and told to nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from svc_notebook.service.store import open_store
from svc_notebook.service.store.feedback import list_feedback

from .service_world import ADMIN, CHAT, OTHER, World, headers, world

THREADS = CHAT.replace("/stream-chat-state", "/threads")


def judged(w: World, chat_id: str, turn: Any = 1, user: str = "user-1", key: str = ADMIN, **body: Any) -> Any:
    url = f"{THREADS}/{chat_id}/turns/{turn}/feedback?externalId={user}"
    return w.http.put(url, json=body, headers=headers(key))


def asked(w: World, text: str = "orders", **fields: Any) -> str:
    return str(w.ask(text, **fields)[0]["state"]["chatId"])


def question(w: World, chat_id: str, turn: int = 1) -> dict[str, Any]:
    frames = w.ask(None, chatId=chat_id)  # type: ignore[arg-type]
    [found] = [f for f in frames if f.get("role") == "user" and f["state"]["turn"] == turn]
    return dict(found["state"])


def test_a_verdict_stays_with_the_thread_until_it_is_taken_back(w: World) -> None:
    chat_id = asked(w)
    assert judged(w, chat_id, verdict="wrong", why=" It counts twice. ").status_code == 204
    assert question(w, chat_id)["feedback"] == {"verdict": "wrong", "why": "It counts twice."}
    assert judged(w, chat_id, verdict="right").status_code == 204
    assert question(w, chat_id)["feedback"] == {"verdict": "right", "why": ""}
    assert judged(w, chat_id, verdict=None).status_code == 204
    assert "feedback" not in question(w, chat_id)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "verdict"),
        ({"verdict": "good"}, "verdict"),
        ({"verdict": None, "why": "so"}, "why needs a verdict"),
        ({"verdict": "wrong", "why": "x" * 2001}, "2,000"),
        ({"verdict": "wrong", "why": "a\0b"}, "why"),
    ],
)
def test_feedback_that_cannot_be_read_says_so(w: World, body: dict[str, Any], said: str) -> None:
    response = judged(w, asked(w), **body)
    assert response.status_code == 400
    assert said in response.json()["message"]


def test_nobody_judges_what_was_told_to_another(w: World) -> None:
    chat_id = asked(w)
    asked(w, user="user-2")
    for refused in (
        judged(w, chat_id, user="user-2", verdict="right"),
        judged(w, chat_id, user="nobody", verdict="right"),
        judged(w, chat_id, turn=2, verdict="right"),
        judged(w, chat_id, turn="x", verdict="right"),
        judged(w, "0" * 32, verdict="right"),
    ):
        assert refused.status_code == 404
    assert judged(w, chat_id, key=OTHER, verdict="right").status_code == 401
    assert "feedback" not in question(w, chat_id)


def test_an_owner_lists_what_was_judged_the_latest_first(durable_url: str) -> None:
    with world(store=durable_url) as w:
        first, second = asked(w), asked(w, user="user-2")
        asked(w, user="user-2")
        judged(w, first, verdict="wrong", why="no")
        w.clock.advance(1)
        judged(w, second, user="user-2", verdict="right")
    store = open_store(durable_url)
    found = store.read(list_feedback, 1)
    assert [(row.thread_id, row.verdict, row.name, row.question) for row in found] == [
        (second, "right", "user-2", "orders"), (first, "wrong", "user-1", "orders"),
    ]  # fmt: skip
    last = found[0]
    assert [
        r.thread_id for r in store.read(list_feedback, 1, before=(last.verdict_at, last.thread_id, last.number))
    ] == [first]
    assert [r.thread_id for r in store.read(list_feedback, 1, verdict="wrong", first=5)] == [first]
    assert store.read(list_feedback, 2) == store.read(list_feedback, 1, agent="other") == []
    store.close()
