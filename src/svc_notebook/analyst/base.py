"""What an analyst is: a function from a turn to a stream of events.

The service turns events into frames and owns ids, ``sort``, persistence and the terminal frames; an analyst only
says what happens. It must ``await`` between events (a producer that never awaits cannot be stopped) and may leave
at any ``await`` by :class:`~svc_notebook.cancellation.Cancelled` or ``asyncio.CancelledError``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from ..protocol.reading import Choice
from ..records import dataclass

if TYPE_CHECKING:
    from ..cancellation import CancellationToken
    from .toolbox import Toolbox

__all__ = [
    "Analyst", "AnswerDelta", "AnswerDone", "AnswerReset", "Event", "PastTurn", "Thinking", "ToolFinished",
    "ToolInputDelta", "ToolStarted", "Turn", "Usage", "Working",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Thinking:
    """A piece of reasoning (delta)."""

    text: str


@dataclass(frozen=True, slots=True)
class Working:
    """A piece of working text of the agent node (delta), not part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool call opens: ``input`` is the JSON text of its input. ``call`` is unique within the turn."""

    call: str
    name: str
    input: str


@dataclass(frozen=True, slots=True)
class ToolInputDelta:
    """The input as far as it is known (replaces, for analysts that stream arguments)."""

    call: str
    name: str
    input: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """The call is complete: ``result`` is JSON text; a failed tool's holds an ``error`` property."""

    call: str
    name: str
    input: str
    result: str


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """A piece of the final consolidated answer (markdown)."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerReset:
    """What was streamed so far was not the answer: the growing final message becomes ``text`` (often empty)."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class AnswerDone:
    """The whole final answer; one per turn, last of the content. ``memory`` is kept with the turn for follow-ups.

    ``choices``: readings to choose from, where the answer is a question back. ``outcome``: how the turn ended, where
    that is not an answer (``asked_back``, ``refused``, ``cut``, ``filtered``, ``capped``, ``provider_failed``);
    ``detail``: why.
    """

    text: str
    suggestions: tuple[str, ...] = ()
    memory: Mapping[str, Any] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    outcome: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    usage: Mapping[str, Any]


Event = (
    Thinking | Working | ToolStarted | ToolInputDelta | ToolFinished | AnswerDelta | AnswerReset | AnswerDone | Usage
)


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An earlier turn: the question, the answer, its results (SqlResult as plain dicts) and ``memory``.

    ``message`` is the id of the message that asked.
    """

    question: str
    answer: str = ""
    status: str = "complete"
    results: Sequence[Mapping[str, Any]] = ()
    memory: Mapping[str, Any] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question in its thread. ``now`` is the service's clock (relative dates are read against it).

    ``typed`` is the question as it was asked, where ``question`` says it in another language.
    """

    question: str
    history: tuple[PastTurn, ...] = ()
    timezone: str = "UTC"
    now: Any = None  # datetime.datetime, aware
    settings: Mapping[str, Any] = field(default_factory=dict)
    typed: str = ""

    @property
    def asked(self) -> str:
        """The words of whoever asks."""
        return self.typed or self.question


class Analyst(Protocol):
    """Answers a turn with the toolbox it is given (already bound to the asker's security context)."""

    name: str

    def answer(self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]: ...

    async def suggestions(self, toolbox: Toolbox, limit: int = 4) -> list[str]:
        """Questions this asker could start with."""
        ...
