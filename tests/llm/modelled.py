"""The scripted analyst of the service's tests, with a language model doing its part.

The model looks at the metadata, runs one query and answers; where a script was written for the question, the script's
answer text is what it says then. So the suites written for the scripted analyst hold the language-model analyst to the same sentences: once
with the library's own scripted model, once with a provider on loopback.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

from pydantic_ai.messages import ModelMessage, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, DeltaToolCalls, FunctionModel

from svc_notebook.analyst.base import AnswerDelta, Event, Turn
from svc_notebook.analyst.llm import LanguageModelAnalyst

from ..service.service_world import ScriptedAnalyst
from .provider import Call, Follow, Part, Provider, Text, Thought


class ModelledAnalyst(ScriptedAnalyst):
    """Follows the same scripts through a language model of the library's own."""

    def __init__(self) -> None:
        super().__init__()
        self._inner = LanguageModelAnalyst(FunctionModel(stream_function=self._speak), fallback=ScriptedAnalyst())

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def answer(self, turn: Turn, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
        self.turns.append(turn)
        async for event in self._inner.answer(turn, toolbox, cancel):
            yield event

    async def _speak(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls | dict[int, DeltaThinkingPart]]:
        question, results = _asked(messages)
        if question in self.scripts and len(results) == 2:
            async for event in self.scripts[question](Turn(question), None, None):
                if isinstance(event, AnswerDelta):
                    yield event.text
            return
        for part in look_and_answer(question, results):
            if isinstance(part, Thought):
                yield {0: DeltaThinkingPart(content=part.text)}
            elif isinstance(part, Text):
                for piece in re.findall(r"\S+\s*", part.text):
                    yield piece
            elif isinstance(part, Call):
                arguments = json.dumps(part.arguments)
                yield {1: DeltaToolCall(part.name, arguments[:10], tool_call_id=part.id)}
                yield {1: DeltaToolCall(json_args=arguments[10:])}


class ProvidedAnalyst(ModelledAnalyst):
    """Follows the same scripts through a provider that speaks HTTP on loopback."""

    def __init__(self, provider: Provider, protocol: str) -> None:
        super().__init__()
        provider.script = self._reply
        names: dict[str, Any] = {
            "openai": {"model": f"{provider.url}/v1#m"},
            "anthropic": {"model": "anthropic:m", "base_url": provider.url, "api_key": "sk-test-key"},
        }[protocol]
        self._inner = LanguageModelAnalyst(**names, fallback=ScriptedAnalyst(), retries=0)

    def _reply(self, index: int, request: dict[str, Any]) -> list[Part]:
        question, results = _asked_over_http(request["messages"])
        if question in self.scripts and len(results) == 2:
            return [Follow(lambda: _texts(self.scripts[question](Turn(question), None, None)))]
        return list(look_and_answer(question, results))


@contextlib.contextmanager
def analyst_of(kind: str) -> Iterator[ScriptedAnalyst]:
    """``"scripted"``, ``"model"`` (the library's scripted model), ``"openai"`` or ``"anthropic"`` (HTTP on loopback)."""
    if kind in ("openai", "anthropic"):
        with Provider(lambda index, request: []) as provider:
            yield ProvidedAnalyst(provider, kind)
    else:
        yield {"scripted": ScriptedAnalyst, "model": ModelledAnalyst}[kind]()


def look_and_answer(question: str, results: list[str]) -> Iterator[Part]:
    """What a sensible model does: search, query, answer with the count of the result."""
    _, found, sql = question.partition("Run: ")
    if not results:
        yield Thought("Let me look at the data.")
        yield Text("Searching.")
        yield Call("svcMeta", {"searchQuery": question}, "t1")
    elif len(results) == 1:
        arguments = {"sqlQuery": sql if found else "SELECT * FROM orders", "queryTitle": "Orders"}
        yield Call("svcSqlApi", arguments, "t2")
    else:
        yield Text(f"There are {json.loads(results[-1]).get('totalRows', 'no')} rows.")


def _asked(messages: list[ModelMessage]) -> tuple[str, list[str]]:
    question, results = "", []
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                question, results = str(part.content), []
            elif isinstance(part, ToolReturnPart):
                results.append(str(part.content))
    return question, results


def _asked_over_http(messages: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """The last question and the tool results behind it, in either protocol."""
    question, results = "", []
    for message in messages:
        content = message["content"] or ""
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            if message["role"] == "tool" or block["type"] == "tool_result":
                results.append(_text(block.get("content", block.get("text"))))
            elif message["role"] == "user":
                question, results = block["text"], []
    return question, results


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


async def _texts(events: AsyncIterator[Event]) -> AsyncIterator[str]:
    async with contextlib.aclosing(events) as following:  # type: ignore[type-var]
        async for event in following:
            if isinstance(event, AnswerDelta):
                yield event.text
            await asyncio.sleep(0)
