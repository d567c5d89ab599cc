"""From the library's events to ours.

Text before the first result is working text. Text after a result is streamed as the answer at once; if the model then
calls another tool, it was working text after all and is taken back (:class:`AnswerReset`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...protocol.tools import ToolError, dump
from ..base import AnswerDelta, AnswerReset, Event, Thinking, ToolFinished, ToolInputDelta, ToolStarted, Working

if TYPE_CHECKING:
    from .tools import TurnTools

__all__ = ["EventReader"]

_NOTHING = "{}"
_INPUT_STEP = 64  # characters of arguments between two updates of a growing tool call


class EventReader:
    """Holds what is open: tool calls that wait for a result, and answer text that may have to be taken back."""

    def __init__(self, tools: TurnTools) -> None:
        self._tools = tools
        self._open: dict[str, tuple[str, str]] = {}
        self._arguments: dict[int, tuple[str, str, str, int]] = {}
        self.begun = ""
        self.anything = False

    def read(self, event: Any) -> Iterator[Event]:
        kind = getattr(event, "event_kind", "")
        if kind == "part_start":
            yield from self._part(event.index, event.part)
        elif kind == "part_delta":
            yield from self._delta(event.index, event.delta)
        elif kind == "function_tool_call":
            yield from self._called(event.part)
        elif kind == "function_tool_result":
            yield from self._returned(event.part)

    def close(self, reason: str) -> Iterator[Event]:
        """End what is still open: a call that never ran says so, an answer begun is taken back."""
        for call, (name, arguments) in list(self._open.items()):
            yield ToolFinished(call, name, arguments, dump(ToolError(reason)))
        self._open.clear()
        yield from self._take_back()

    def _part(self, index: int, part: Any) -> Iterator[Event]:
        if part.part_kind == "thinking" and part.content:
            self.anything = True
            yield Thinking(part.content)
        elif part.part_kind == "text" and part.content:
            yield self._text(part.content)
        elif part.part_kind == "tool-call":
            yield from self._take_back()
            arguments = _text_of(part.args)
            self._arguments[index] = (part.tool_call_id, part.tool_name, arguments, 0)
            if _whole(arguments) != _NOTHING:
                yield self._opened(part.tool_call_id, part.tool_name, arguments)

    def _delta(self, index: int, delta: Any) -> Iterator[Event]:
        if delta.part_delta_kind == "thinking" and delta.content_delta:
            self.anything = True
            yield Thinking(delta.content_delta)
        elif delta.part_delta_kind == "text" and delta.content_delta:
            yield self._text(delta.content_delta)
        elif delta.part_delta_kind == "tool_call" and index in self._arguments and isinstance(delta.args_delta, str):
            call, name, arguments, sent = self._arguments[index]
            arguments += delta.args_delta
            if len(arguments) - sent >= _INPUT_STEP and (known := _whole(arguments)) != _NOTHING:
                sent = len(arguments)
                yield ToolInputDelta(call, name, known) if call in self._open else self._opened(call, name, known)
            self._arguments[index] = (call, name, arguments, sent)

    def _called(self, part: Any) -> Iterator[Event]:
        arguments = _whole(_text_of(part.args))
        if part.tool_call_id not in self._open:
            yield self._opened(part.tool_call_id, part.tool_name, arguments)
        else:
            self._open[part.tool_call_id] = (part.tool_name, arguments)
            yield ToolInputDelta(part.tool_call_id, part.tool_name, arguments)
        self._arguments.clear()

    def _returned(self, part: Any) -> Iterator[Event]:
        name, arguments = self._open.pop(part.tool_call_id, (part.tool_name, "{}"))
        result = self._tools.results.get(part.tool_call_id)
        if result is None:
            result = dump(ToolError(f"the call was not understood and did not run: {str(part.content)[:300]}"))
        yield ToolFinished(part.tool_call_id, name, arguments, result)

    def _opened(self, call: str, name: str, arguments: str) -> ToolStarted:
        self.anything = True
        arguments = _whole(arguments)
        self._open[call] = (name, arguments)
        return ToolStarted(call, name, arguments)

    def _text(self, text: str) -> Event:
        self.anything = True
        if not self._tools.answered:
            return Working(text)
        self.begun += text
        return AnswerDelta(text)

    def _take_back(self) -> Iterator[Event]:
        if self.begun:
            yield AnswerReset("")
            yield Working(self.begun + "\n\n")
            self.begun = ""


def _text_of(arguments: Any) -> str:
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else dump(arguments)


def _whole(arguments: str) -> str:
    """Arguments as far as they are known, as JSON that parses: a cut string or object is closed."""
    from pydantic_core import from_json

    try:
        return dump(from_json(arguments or "{}", allow_partial="trailing-strings"))
    except ValueError:
        return dump({"malformed": arguments[:2000]})
