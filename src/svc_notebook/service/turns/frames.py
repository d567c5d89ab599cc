"""Events of an analyst become frames: a pure state machine per turn that also keeps every message as it stands.

``sort`` rises by one with each frame of the thread. The agent's thinking and working text is closed before a tool call
or the answer begins, so that messages ordered by ``sort`` stand in the order they appeared in.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET

from ...analyst.base import (
    AnswerDelta,
    AnswerDone,
    AnswerReset,
    Event,
    Thinking,
    ToolFinished,
    ToolInputDelta,
    ToolStarted,
    Usage,
    Working,
)  # fmt: skip
from ...protocol.chat import (
    ABORTED,
    AGENT_PATH,
    CUTOFF,
    FINAL_PATH,
    STATE,
    TOOLS_PATH,
    USAGE,
    FrameState,
    Message,
    ToolCall,
)  # fmt: skip
from ...protocol.reading import Choice
from ...protocol.spelling import spelled
from ...protocol.tools import is_sql_tool
from .folding import Folded

__all__ = [
    "OUTCOME", "TurnFrames", "aborted_frame", "branching", "cutoff_frame", "error_frame", "message_id", "state_frame",
    "usage_frame",
]  # fmt: skip

OUTCOME = spelled(FrameState, "outcome"), spelled(FrameState, "outcome_detail")
"""How a turn ended, and why, in its state."""
_ELAPSED = spelled(FrameState, "elapsed_ms")
_result = msgspec.json.Decoder(dict[str, msgspec.Raw])
# Made up once. To change it would give every stored message another id than a replay derives.
_NAMESPACE = uuid.UUID("6f0e6a52-6f9b-5a63-9d0e-0b6d3f3f6c11")
NO_USAGE: dict[str, Any] = {"models": [], "llmCalls": 0, "inputTokens": 0, "outputTokens": 0, "totalTokens": 0}


@lru_cache(4_096)  # a turn is told of those before it, and each of them has the id it always had
def message_id(chat_id: str, number: int, kind: str, count: int = 1) -> str:
    """The id of a message: the first that asks (``user``), answers, calls a tool … in a turn of a thread."""
    name = f"{chat_id}/{number}/{kind}/{count}".encode()
    named = hashlib.sha1(
        _NAMESPACE.bytes + name, usedforsecurity=False
    ).hexdigest()  # uuid5 by hand: a quarter of its cost
    variant = "89ab"[int(named[16], 16) & 3]
    return f"{named[:8]}-{named[8:12]}-5{named[13:16]}-{variant}{named[17:20]}-{named[20:32]}"


def branching(number: int, after: int) -> dict[str, Any]:
    """What is said of a turn that does not follow the one before it."""
    return {"after": after} if after != number - 1 else {}


def cutoff_frame(chat_id: str, streaming: bool, user: str) -> Message:
    state = FrameState(chat_id=chat_id, is_streaming=streaming, user=user)
    return Message(id=CUTOFF, role="assistant", state=msgspec.to_builtins(state), sort=0)


def state_frame(
    chat_id: str, sort: int, suggestions: list[str], turns: list[dict[str, Any]], ended: Mapping[str, Any]
) -> Message:
    """``ended``: what a turn remembers; how the last one ended is said, where not with an answer, and why."""
    state = FrameState(chat_id=chat_id, is_streaming=False, suggestions=suggestions, turns=turns)
    said = {name: str(ended[name]) for name in OUTCOME if ended.get(name)}
    return Message(id=STATE, role="assistant", state=msgspec.to_builtins(state) | said, is_delta=False, sort=sort)


def aborted_frame(reason: str) -> Message:
    return Message(id=ABORTED, type="abort", code="chat_aborted", error=reason)


def error_frame(message: str) -> Message:
    return Message(error=message)


def usage_frame(usage: Mapping[str, Any]) -> Message:
    return Message(id=USAGE, type="usage", usage={**NO_USAGE, **usage})


class TurnFrames:
    """The frames of one turn.

    Parameters
    ----------
    chat_id, number
        The thread and the turn in it: ids are derived from them and from the order of appearance.
    sort
        The first free ``sort`` of the thread.
    monotonic
        A clock in seconds, for the time a tool took.
    after
        The turn it follows, where that is not the one before it.
    """

    def __init__(
        self, chat_id: str, number: int, sort: int, monotonic: Callable[[], float], *, after: int | None = None
    ) -> None:
        self.chat_id = chat_id
        self.number = number
        self._after = number - 1 if after is None else after
        self.messages = Folded()
        self.sort = sort
        self.suggestions: list[str] = []
        self.memory: dict[str, Any] = {}
        self.results: list[msgspec.Raw] = []  # as they came: what is in them is nobody's business here
        self.usage: dict[str, Any] = {}
        self.complete = False
        self._monotonic = monotonic
        self._issued: dict[str, int] = {}
        self._agent: str | None = None
        self._final: str | None = None
        self._tools: dict[str, tuple[str, float]] = {}
        self._open: set[str] = set()

    @property
    def answer(self) -> str:
        """The final answer as far as it has come."""
        content = self.messages[self._final].content if self._final else ""
        return content if isinstance(content, str) else ""

    def new_id(self, kind: str) -> str:
        """An id that depends on the thread, the turn, the kind, and how many of the kind there were."""
        count = self._issued[kind] = self._issued.get(kind, 0) + 1
        return message_id(self.chat_id, self.number, kind, count)

    def user(self, question: str) -> Message:
        return self._frame(
            id=self.new_id("user"), role="user", content=question, is_delta=False, is_in_process=False,
            state={"turn": self.number, **branching(self.number, self._after)},
        )  # fmt: skip

    def on(self, event: Event) -> list[Message]:
        """The frames that tell ``event``."""
        match event:
            case Thinking(text):
                return [self._agent_delta(thinking=text)] if text else []
            case Working(text):
                return [self._agent_delta(content=text)] if text else []
            case ToolStarted(call, name, given) | ToolInputDelta(call, name, given):
                return [*self._close_agent(), self._tool(call, ToolCall(name, given))]
            case ToolFinished(call, name, given, result):
                return [*self._close_agent(), self._tool(call, ToolCall(name, given, result))]
            case AnswerDelta(text):
                return [*self._close_agent(), self._answer(text, delta=True)] if text else []
            case AnswerReset(text):
                return [*self._close_agent(), self._answer(text, delta=False)]
            case AnswerDone(text, suggestions, memory, choices, outcome, detail):
                self.suggestions, self.complete = list(suggestions), True
                said = dict(zip(OUTCOME, (outcome, detail), strict=True))
                self.memory = dict(memory) | {name: words for name, words in said.items() if words}
                return [*self._close_agent(), self._answer(text, delta=False, done=True, choices=choices)]
            case Usage(usage):
                self.usage = _added(self.usage, usage)
                return []

    def stop(self, status: str) -> list[Message]:
        """Close what is open when a turn ends early; the partial answer is kept and says so in its ``state``."""
        frames = self._close_agent()
        if self._final and not self.complete:
            frames.append(
                self._frame(
                    id=self._final, role="assistant", content=self.answer, graph_path=FINAL_PATH, is_delta=False,
                    is_in_process=False, state={"status": status},
                )
            )  # fmt: skip
        return frames

    def next_sort(self) -> int:
        self.sort += 1
        return self.sort - 1

    def _frame(self, **fields: Any) -> Message:
        frame = Message(sort=self.next_sort(), **fields)
        self.messages.fold(frame)
        return frame

    def _agent_delta(self, **text: str) -> Message:
        if self._agent is None:
            self._agent = self.new_id("agent")
        return self._frame(
            id=self._agent, role="assistant", graph_path=AGENT_PATH, is_delta=True, is_in_process=True, **text
        )

    def _close_agent(self) -> list[Message]:
        if self._agent is None:
            return []
        whole = self.messages[self._agent]
        frame = self._frame(
            id=self._agent, role="assistant", content=whole.content, thinking=whole.thinking, graph_path=AGENT_PATH,
            is_delta=False, is_in_process=False,
        )  # fmt: skip
        self._agent = None
        return [frame]

    def _tool(self, call: str, tool: ToolCall) -> Message:
        if call not in self._tools:
            self._tools[call] = (self.new_id("tool"), self._monotonic())
        key, started = self._tools[call]
        done = tool.result is not UNSET
        (self._open.discard if done else self._open.add)(call)
        if done:
            self._keep_result(tool)
        state = {_ELAPSED: round((self._monotonic() - started) * 1000)} if done else UNSET
        return self._frame(
            id=key, role="assistant", tool_call=tool, graph_path=TOOLS_PATH, is_delta=False, is_in_process=not done,
            state=state,
        )  # fmt: skip

    def progress(self, done: float) -> Message | None:
        """The frame that tells how far the open tool call is; None where not exactly one is open."""
        if len(self._open) != 1:
            return None
        key, started = self._tools[next(iter(self._open))]
        elapsed = round((self._monotonic() - started) * 1000)
        state = {_ELAPSED: elapsed, "progress": round(done, 3)}
        return self._frame(id=key, role="assistant", is_delta=False, is_in_process=True, state=state)

    def _keep_result(self, tool: ToolCall) -> None:
        if not is_sql_tool(tool.name):
            return
        try:
            result = _result.decode(str(tool.result))
        except (msgspec.DecodeError, UnicodeEncodeError):
            return
        if "error" not in result:
            self.results.append(msgspec.Raw(str(tool.result).encode()))

    def _answer(self, text: str, *, delta: bool, done: bool = False, choices: Sequence[Choice] = ()) -> Message:
        if self._final is None:
            self._final = self.new_id("final")
        return self._frame(
            id=self._final, role="assistant", content=text, graph_path=FINAL_PATH, is_delta=delta,
            is_in_process=not done, choices=list(choices) or UNSET,
        )  # fmt: skip


def _added(total: Mapping[str, Any], usage: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers add up over a turn, lists collect, anything else is replaced."""
    result = dict(total)
    for key, value in usage.items():
        old = result.get(key)
        if isinstance(value, int | float) and isinstance(old, int | float):
            result[key] = old + value
        elif isinstance(value, list) and isinstance(old, list):
            result[key] = [*old, *(item for item in value if item not in old)]
        else:
            result[key] = value
    return result
