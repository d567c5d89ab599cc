"""Readings in chat: those that people send are checked before a turn opens, those of results are told with them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING

from ...analyst.base import Event, Turn
from ...analyst.offline.forms.wire.receiving import BadReading
from ...analyst.readings.edited import answer_reading, check_reading
from ...analyst.readings.telling import told
from ...cancellation import CancellationToken
from ...protocol.chat import ChatRequest
from ...protocol.errors import BadRequest
from ...protocol.reading import Reading
from ..callers.identity import Asker
from ..web.rules import given

if TYPE_CHECKING:
    from ...analyst.base import Analyst
    from ...analyst.offline.telling import Formed
    from ...analyst.toolbox import Toolbox
    from ..callers.scope import Opening

__all__ = ["Answers", "SentReading", "answers_of", "check_of", "sent_reading"]

Answers = Callable[[Turn, "Toolbox", CancellationToken], AsyncIterator[Event]]


class SentReading:
    """A reading that is asked instead of a text: checked before its turn opens, and what came of that is asked."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._checked: Formed | None = None

    def check(self, opening: Opening, asker: Asker) -> None:
        """
        Raises
        ------
        BadRequest
            If ``asker`` cannot ask it.
        """
        sight = opening.bind(asker.context).sight()
        if self._checked is not None and self._checked.catalog is sight.catalog:
            return  # looked at before its turn opened
        try:
            self._checked = check_reading(self.reading, sight)
        except BadReading as error:
            raise BadRequest(str(error)) from None

    def answer(self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]:
        """The events of its turn."""
        return answer_reading(self.reading, turn, toolbox, cancel, self._checked)


def sent_reading(body: ChatRequest) -> SentReading | None:
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
    return SentReading(body.reading)


def check_of(opening: Opening, reading: SentReading | None) -> Callable[[Asker], None]:
    """Whether an asker may ask the reading; told before anything of the turn is kept."""
    return (lambda asker: None) if reading is None else partial(reading.check, opening)


def answers_of(analyst: Analyst, reading: SentReading | None) -> Answers:
    """The events of a turn: the reading's where one was sent, else the analyst's; results with their readings."""
    answer = analyst.answer if reading is None else reading.answer

    def answers(turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]:
        return told(answer(turn, toolbox, cancel), turn, toolbox, edited=None if reading is None else reading.reading)

    return answers
