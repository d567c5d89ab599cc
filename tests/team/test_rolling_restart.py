"""Every worker is replaced while a hundred chats ask: what was acknowledged is kept, and what was begun ends."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from .served import CHAT, QUICK, Served, eventually, settings

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(os.name != "posix", reason="a port is not handed from process to process here"),
]
CHATS = 100


@dataclass
class Asked:
    """A chat as its asker saw it."""

    user: str
    chat_id: str = ""
    told: dict[str, tuple[Any, Any]] = field(default_factory=dict)  # whole messages
    answers: int = 0
    broken: list[str] = field(default_factory=list)  # what ended an answer that had begun
    unsent: list[str] = field(default_factory=list)  # why no worker took a request


def whole(lines: list[dict[str, Any]]) -> dict[str, tuple[Any, Any]]:
    """What every message says that was told as a whole, by its id."""
    said = [line for line in lines if line.get("isDelta") is False and line.get("isInProcess") is False]
    return {line["id"]: (line.get("content"), (line.get("toolCall") or {}).get("result")) for line in said}


def ask(http: httpx.Client, chat: Asked, **body: Any) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    try:
        with http.stream("POST", CHAT, json={**body, "sessionSettings": settings(chat.user)}) as response:
            if response.status_code != 200:
                response.read()
                assert response.status_code == 503, response.text
                chat.unsent.append(response.text)
                return []
            lines += [json.loads(line) for line in response.iter_lines()]
    except httpx.TransportError as error:
        (chat.broken if lines else chat.unsent).append(repr(error))
    return lines


def asking(http: httpx.Client, chat: Asked, over: threading.Event, begun: threading.Semaphore) -> None:
    """Question after question in one thread, until it is over, and one after that."""
    last = False
    while not last:
        last = over.is_set()
        lines = ask(http, chat, input=QUICK, **({"chatId": chat.chat_id} if chat.chat_id else {}))
        if not lines:
            last = False  # no worker took it: that is asked again
            continue
        chat.chat_id = lines[0]["state"]["chatId"]
        chat.told |= whole(lines)
        if lines[-1]["id"] == "__usage__" and lines[-2]["id"] == "__state__":
            chat.answers += 1
        else:
            chat.broken.append(json.dumps(lines[-2:]))
        begun.release()


@pytest.fixture
def http(team: Served) -> Iterator[httpx.Client]:
    with team.client(limits=httpx.Limits(max_connections=CHATS)) as client:
        yield client


def test_nothing_that_was_acknowledged_is_lost(team: Served, http: httpx.Client) -> None:
    over, begun = threading.Event(), threading.Semaphore(0)
    chats = [Asked(f"roller-{os.getpid()}-{id(team)}-{number}") for number in range(CHATS)]
    threads = [threading.Thread(target=asking, args=(http, chat, over, begun)) for chat in chats]
    times = team.log.read_text("utf-8").count("every worker has been replaced")
    for thread in threads:
        thread.start()
    try:
        for _ in range(CHATS // 2):
            assert begun.acquire(timeout=240)
        team.process.send_signal(signal.SIGHUP)
        eventually(lambda: team.log.read_text("utf-8").count("every worker has been replaced") > times, team.alive)
    finally:
        over.set()
        for thread in threads:
            thread.join(240)
    assert not any(thread.is_alive() for thread in threads)
    assert [chat.broken for chat in chats if chat.broken] == []
    for chat in chats:
        kept = ask(http, chat, chatId=chat.chat_id)
        turns = [turn["status"] for line in kept for turn in (line.get("state") or {}).get("turns", [])]
        assert set(turns) == {"complete"}
        assert len(turns) >= chat.answers >= 2
        assert chat.told.items() <= whole(kept).items()
    told = sum(chat.answers for chat in chats)
    again = Counter(why for chat in chats for why in chat.unsent)
    assert [why for why in again if "Error(" in why] == [], "a worker that goes closes no connection under a request"
    print(f"{told} answers to {CHATS} chats, none lost; asked again: {dict(again)}")
