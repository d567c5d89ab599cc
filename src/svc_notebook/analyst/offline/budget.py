"""How much work one turn may take to read: steps that are counted, not seconds, so that a question always ends alike.

One object is passed down to whatever loops over a question, and every loop pays. A stop is heard there too: whoever
reads in a thread of its own leaves it at the next step after the token is cancelled.
"""

from __future__ import annotations

from ... import patterns as re
from ...cancellation import CancellationToken
from .words.text import tokenize

__all__ = ["MOST_CHARACTERS", "MOST_STEPS", "MOST_WORDS", "Budget", "ReadingTooLong", "with_short_gaps"]

MOST_WORDS = 200  # words, numbers and signs of one question; people's own seldom have fifty
MOST_CHARACTERS = 2_000  # of one question: patterns of the reader may take time by the square of it
MOST_STEPS = 400_000  # about a second

_GAP = re.compile(r"\s{3,}")


def with_short_gaps(text: str) -> str:
    """A text whose wide gaps are one blank or the end of a line: the reader's patterns look for a few at most."""
    return _GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", text)


class ReadingTooLong(Exception):
    """A question takes more work than one may; the message says so to its asker."""


class Budget:
    """The work left for one turn.

    Parameters
    ----------
    steps, words
        What may be spent on all readings of the turn, and how long each question may be.
    cancel
        A token that ends the reading when it is cancelled.
    """

    __slots__ = ("_cancel", "_words", "left")

    def __init__(
        self, steps: int = MOST_STEPS, *, words: int = MOST_WORDS, cancel: CancellationToken | None = None
    ) -> None:
        self.left = steps
        self._words = words
        self._cancel = cancel

    def apart(self) -> Budget:
        """A budget of its own for what is only tried, heard by the same token."""
        return Budget(words=self._words, cancel=self._cancel)

    def spend(self, steps: int = 1) -> None:
        """Pay for work about to be done.

        Raises
        ------
        ReadingTooLong
            If nothing is left.
        Cancelled
            If the turn was stopped.
        """
        if self._cancel is not None:
            self._cancel.raise_if_cancelled()
        self.left -= steps
        if self.left < 0:
            raise ReadingTooLong("That takes more work to read than one question may. Ask for one thing at a time.")

    def admit_text(self, text: str) -> None:
        """Refuse a text that is too long for a question, before any pattern is held against it.

        Raises
        ------
        ReadingTooLong
            If it has more characters or words than one question may.
        """
        if len(text) > MOST_CHARACTERS:
            self.admit(len(tokenize(text)))
            raise ReadingTooLong(
                f"That is too long for one question: {len(text):,} characters, of which I read {MOST_CHARACTERS:,}. "
                "Ask for one thing at a time."
            )

    def admit(self, words: int) -> None:
        """Refuse a text that is too long for a question, before any of it is looked up."""
        self.spend(words)
        if words > self._words:
            raise ReadingTooLong(
                f"That is too long for one question: {words:,} words and signs, of which I read {self._words}. "
                "Ask for one thing at a time."
            )
