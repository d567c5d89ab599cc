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
    """Holds what is open: tool calls that wait for a result, and answer text that may have to be taken back.

    Some providers number the calls of each reply anew: a call is known by the provider's id only while it is open.
    """

    def __init__(self, tools: TurnTools) -> None:
        self._tools = tools
        self._open: dict[str, tuple[str, str, str]] = {}  # by the provider's id: ours, name, arguments
        self._count = 0
        self._arguments: dict[int, tuple[str, str, str, int]] = {}
        self.begun = ""
        self.anything = False
        self.again = False
        """Set when the model is asked to write its answer once more."""

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
        for call, name, arguments in self._open.values():
            yield ToolFinished(call, name, arguments, dump(ToolError(reason)))
        self._open.clear()
        yield from self._take_back()

    def _part(self, index: int, part: Any) -> Iterator[Event]:
        if part.part_kind == "thinking" and part.content:
            self.anything = True
            yield Thinking(part.content)
        elif part.part_kind == "text" and part.content:
            yield from self._afresh()
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
                yield self._more(call, name, known) if call in self._open else self._opened(call, name, known)
            self._arguments[index] = (call, name, arguments, sent)

    def _called(self, part: Any) -> Iterator[Event]:
        arguments = _whole(_text_of(part.args))
        if part.tool_call_id not in self._open:
            yield self._opened(part.tool_call_id, part.tool_name, arguments)
        else:
            yield self._more(part.tool_call_id, part.tool_name, arguments)
        self._arguments.clear()

    def _returned(self, part: Any) -> Iterator[Event]:
        if part.tool_call_id not in self._open:
            yield self._opened(part.tool_call_id, part.tool_name, _NOTHING)
        call, name, arguments = self._open.pop(part.tool_call_id)
        result = self._tools.results.pop(part.tool_call_id, None)
        if result is None:
            result = dump(ToolError(f"the call was not understood and did not run: {str(part.content)[:300]}"))
        yield ToolFinished(call, name, arguments, result)

    def _opened(self, provider_id: str, name: str, arguments: str) -> ToolStarted:
        self.anything = True
        self._count += 1
        self._open[provider_id] = (f"call {self._count}", name, _whole(arguments))
        return ToolStarted(*self._open[provider_id])

    def _more(self, provider_id: str, name: str, arguments: str) -> ToolInputDelta:
        self._open[provider_id] = (self._open[provider_id][0], name, arguments)
        return ToolInputDelta(*self._open[provider_id])

    def _text(self, text: str) -> Event:
        self.anything = True
        if not self._tools.answered:
            return Working(text)
        self.begun += text
        return AnswerDelta(text)

    def _afresh(self) -> Iterator[Event]:
        if self.again and self.begun:
            self.begun = ""
            yield AnswerReset("")
        self.again = False

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
    """Arguments as far as they are known, as a JSON object: what was cut is closed, what is none is told as text."""
    from pydantic_core import from_json

    try:
        known = from_json(arguments or "{}", allow_partial="trailing-strings")
    except ValueError:
        known = None
    return dump(known if isinstance(known, dict) else {"malformed": arguments[:2000]})
