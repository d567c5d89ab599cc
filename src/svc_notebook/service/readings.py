"""Readings in chat: those that people send are checked before a turn opens, those of results are told with them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from ..analyst.base import Event, Turn
from ..analyst.offline.forms.wire.receiving import BadReading
from ..analyst.readings.edited import answer_reading, check_reading
from ..analyst.readings.telling import told
from ..cancellation import CancellationToken
from ..protocol.chat import ChatRequest
from ..protocol.errors import BadRequest
from ..protocol.reading import Reading
from .identity import Asker
from .rules import given

if TYPE_CHECKING:
    from ..analyst.base import Analyst
    from ..analyst.toolbox import Toolbox
    from .scope import Opening

__all__ = ["Answers", "answers_of", "check_of", "sent_reading"]

Answers = Callable[[Turn, "Toolbox", CancellationToken], AsyncIterator[Event]]


def sent_reading(body: ChatRequest) -> Reading | None:
    """The reading that a request asks instead of its text.

    Raises
    ------
    BadRequest
        Without ``input``, which is the edit in words.
    """
    if not isinstance(body.reading, Reading):
        return None
    if not given(body.input):
        raise BadRequest("Send input beside reading: the edit in words, as the thread shows it.")
    return body.reading


def check_of(opening: Opening, reading: Reading | None) -> Callable[[Asker], None]:
    """Whether an asker may ask the reading; told before anything of the turn is kept."""

    def check(asker: Asker) -> None:
        if reading is None:
            return
        try:
            check_reading(reading, opening.bind(asker.context).seen())
        except BadReading as error:
            raise BadRequest(str(error)) from None

    return check


def answers_of(analyst: Analyst, reading: Reading | None) -> Answers:
    """The events of a turn: the reading's where one was sent, else the analyst's; results with their readings."""

    def answers(turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]:
        events = (
            analyst.answer(turn, toolbox, cancel) if reading is None else answer_reading(reading, turn, toolbox, cancel)
        )
        return told(events, turn, toolbox, edited=reading is not None)

    return answers
