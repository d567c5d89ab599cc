"""How a turn ended reaches whoever asked, and whoever reads the thread later."""

from __future__ import annotations

from typing import Any

import pytest

from svc_notebook.analyst.base import AnswerDone
from svc_notebook.client import Client

from .service_world import ADMIN, CHAT, World, lines, world

ENDS = ["asked_back", "refused", "cut", "filtered", "capped", "provider_failed"]


@pytest.mark.parametrize("outcome", ENDS)
def test_an_outcome_is_in_the_stream_and_in_every_replay(w: World, outcome: str) -> None:
    @w.analyst.on("ends")
    async def ends(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDone("as far as it went", outcome=outcome, detail="that is why")

    live = w.ask("ends", "ana")
    told = {"outcome": outcome, "outcomeDetail": "that is why"}
    assert live[-2]["state"].items() >= told.items()
    chat_id = live[0]["state"]["chatId"]
    again = {"chatId": chat_id, "sessionSettings": {"externalId": "ana"}}
    assert lines(w.chat(again).content)[-2]["state"].items() >= told.items()
    after = w.ask("orders", "ana", chatId=chat_id)[-2]["state"]
    assert not told.keys() & after.keys(), "an answer is complete, whatever came before it"
    replay = lines(w.chat(again).content)
    asked = [frame["state"] for frame in replay if frame.get("role") == "user"]
    assert asked[0].items() >= told.items()
    assert not told.keys() & asked[1].keys()
    assert not told.keys() & replay[-2]["state"].keys()


def test_an_answer_knows_its_outcome_live_and_read_again() -> None:
    with world() as w:

        @w.analyst.on("ends")
        async def ends(turn: Any, toolbox: Any, cancel: Any) -> Any:
            yield AnswerDone("as far as it went", outcome="cut", detail="the limit")

        @w.analyst.on("breaks")
        async def breaks(turn: Any, toolbox: Any, cancel: Any) -> Any:
            raise RuntimeError
            yield

        base = str(w.http.base_url).rstrip("/")
        with Client(base, ADMIN, chat_api_url=base + CHAT) as client:
            chat = client.chat(external_id="ana")
            asked = [chat.ask(question) for question in ("ends", "orders", "breaks")]
            read = client.chat(external_id="ana", chat_id=chat.chat_id).history()
    for answers in (asked, read):
        assert [answer.outcome for answer in answers] == ["cut", "complete", "failed"]
        assert [answer.outcome_detail for answer in answers] == ["the limit", "", ""]
