"""The persona of JupyterLab's chat, between a real service and a stand-in for the chat it writes to."""

from __future__ import annotations

import asyncio
import sys
import types
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDelta, AnswerDone
from svc_notebook.client.errors import ConfigurationError

from ..loops import run

ORDERS = pd.DataFrame({"id": [1, 2, 3], "region": ["EMEA", "EM|EA", "APAC"]})


class Base:
    """What a persona uses of its base class."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.writing = asyncio.Event()

    def as_user(self) -> Any:
        return types.SimpleNamespace(mention_name="Analyst")

    async def stream_message(self, pieces: AsyncIterator[str]) -> None:
        async for piece in pieces:
            self.written.append(piece)
            self.writing.set()


@pytest.fixture
def persona(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    manager = types.ModuleType("jupyter_ai_persona_manager")
    manager.BasePersona = Base  # type: ignore[attr-defined]
    manager.PersonaDefaults = types.SimpleNamespace  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jupyter_ai_persona_manager", manager)
    from svc_notebook import persona

    yield persona
    sys.modules.pop("svc_notebook.persona", None)


def said(body: str) -> Any:
    return types.SimpleNamespace(body=body)


def test_a_question_is_answered_with_text_rows_and_sql(persona: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with svc.embedded(data={"orders": ORDERS}) as client:
        monkeypatch.setattr(persona, "open_chat", client.chat)
        analyst = persona.AnalystPersona()

        async def talk() -> None:
            await analyst.process_message(said("@Analyst how many orders by region"))
            await analyst.process_message(said("only APAC"))

        run(talk())
    text = "".join(analyst.written)
    assert "| APAC | 1 |" in text
    assert "| EM\\|EA | 1 |" in text
    assert text.count("```sql") == 2
    assert analyst.defaults.name == "Analyst"


def test_a_stopped_answer_keeps_what_had_come(persona: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless:
        name = "endless"

        async def answer(self, turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
            yield AnswerDelta("word ")
            await asyncio.Event().wait()
            yield AnswerDone("never")

        async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
            return []

    with svc.embedded(data={"orders": ORDERS}, analyst=Endless()) as client:
        monkeypatch.setattr(persona, "open_chat", client.chat)
        analyst = persona.AnalystPersona()

        async def talk() -> None:
            writing = asyncio.create_task(analyst.process_message(said("go on for ever")))
            await analyst.writing.wait()
            await analyst.cancel_response()
            await asyncio.wait_for(writing, 30)

        run(talk())
        assert not client.threads()[0].is_streaming
    assert analyst.written[0] == "word "
    assert "*Stopped.*" in "".join(analyst.written)


def test_a_service_of_the_environment_needs_to_know_who_asks(persona: Any) -> None:
    url = "https://host/api/v1/public/acme/agents/a/chat/stream-chat-state"
    with pytest.raises(ConfigurationError, match="Who asks"):
        persona.open_chat({"SVC_CHAT_API_URL": url, "SVC_API_KEY": "a-key-of-the-account"})
    named = persona.open_chat({"SVC_CHAT_API_URL": url, "SVC_API_KEY": "k", "SVC_EXTERNAL_ID": "ana"})
    assert named.whoami == "ana (external)"
    assert persona.open_chat({"SVC_CHAT_API_URL": url, "SVC_TOKEN": "t"}).whoami == "the token's user"
