"""The finished turns of a conversation: the newest ready to be shown, the older ones made ready when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..results.answer import Answer
from .held_rows import HeldRows
from .payloads import turn_payload

__all__ = ["PAGE", "PastTurns"]

PAGE = 30
"""Turns a view gets at a time."""


class PastTurns:
    """Turns by number, from 1; ``turns`` holds the payloads of the newest ones.

    Where they are ``paged``, a page may ask for the ``rows`` of their results.
    """

    def __init__(self, answers: Sequence[Answer] = (), *, thinking: bool = True, paged: bool = False) -> None:
        self._thinking, self._paged = thinking, paged
        self.rows = HeldRows()
        self._answers = list(answers)
        self.turns: list[dict[str, Any]] = []
        self._ready(PAGE)

    def __len__(self) -> int:
        return len(self._answers) + len(self.turns)

    def append(self, turn: dict[str, Any], answer: Answer | None = None) -> None:
        """Add the turn that has just ended, and the answer it shows."""
        self.turns.append(turn)
        if answer is not None:
            self._hold(answer)

    def _hold(self, answer: Answer) -> None:
        if self._paged:
            for result in answer.results:
                self.rows.add(result)

    def judged(self, turn: int, feedback: dict[str, str] | None) -> dict[str, Any] | None:
        """Keep what was thought of the turn with that number in its thread; the turn, if it is ready."""
        found = next((each for each in self.turns if each.get("turn") == turn), None)
        if found is not None:
            found["feedback"] = feedback
        return found

    def page(self, before: int | None = None) -> tuple[list[dict[str, Any]], int]:
        """The turns just before number ``before`` (the newest without one), and how many there are before these."""
        end = len(self) + 1 if before is None else max(1, min(before, len(self) + 1))
        first = max(1, end - PAGE)
        self._ready(len(self) - first + 1)
        offset = len(self._answers) + 1
        return self.turns[first - offset : end - offset], first - 1

    def _ready(self, count: int) -> None:
        """Make the newest ``count`` turns ready."""
        missing = min(count - len(self.turns), len(self._answers))
        if missing <= 0:
            return
        first = len(self._answers) - missing
        fresh = [
            turn_payload(first + i, answer, thinking=self._thinking, paged=self._paged)
            for i, answer in enumerate(self._answers[first:], 1)
        ]
        for answer in self._answers[first:]:
            self._hold(answer)
        del self._answers[first:]
        self.turns = fresh + self.turns
