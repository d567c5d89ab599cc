"""The running turn, and what the browser has been told of it: only what is new is said again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from ..results.growing_markdown import GrowingMarkdown, utf16_length
from .payloads import tool_payload

__all__ = ["FORMAT_INTERVAL", "LiveTurn"]

FORMAT_INTERVAL = 1 / 8
"""Seconds between two looks at how the growing text is formatted."""


class LiveTurn:
    """One turn from the question to its last frame.

    Parameters
    ----------
    n : int
        Its number in the conversation.
    question : str
        As it was asked.
    thinking : bool
        Whether the analyst's thinking is told.
    clock : callable
        Seconds that only grow.
    """

    def __init__(
        self, n: int, question: str, *, thinking: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.n = n
        self.question = question
        self._thinking = thinking
        self._clock = clock
        self._began = clock()
        self._told = {"text": "", "thinking": ""}
        self._tools: dict[str, dict[str, Any]] = {}
        self._markdown = GrowingMarkdown()
        self._formatted = 0.0
        self.format_due: float | None = None

    def state(self) -> dict[str, Any]:
        """All a view needs that has seen nothing of it."""
        tail = self._markdown.tail
        return {
            "n": self.n,
            "question": self.question,
            **self._told,
            "blocks": [asdict(block) for block in self._markdown.blocks],
            "tail": asdict(tail) if tail else None,
            "tools": list(self._tools.values()),
            "ms": int((self._clock() - self._began) * 1000),
        }

    def news(self, snapshot: Any) -> Iterator[dict[str, Any]]:
        """Messages that bring the browser from what it was told to ``snapshot``."""
        if self._thinking and (piece := self._grown("thinking", snapshot.thinking or "")) is not None:
            yield piece
        text = snapshot.text or ""
        piece = self._grown("text", text)
        form = self._form(text, piece)
        if piece is not None or form:
            same = {"t": "d", "n": self.n, "k": "text", "off": utf16_length(text), "d": ""}
            yield {**(piece or same), **form}
        for call in snapshot.tool_calls or ():
            tool = tool_payload(call)
            if self._tools.get(tool["id"]) != tool:
                self._tools[tool["id"]] = tool
                yield {"t": "tool", "n": self.n, "tool": tool}

    def _grown(self, key: str, whole: str) -> dict[str, Any] | None:
        told = self._told[key]
        if whole == told:
            return None
        self._told[key] = whole
        if whole.startswith(told):
            return {"t": "d", "n": self.n, "k": key, "off": utf16_length(told), "d": whole[len(told) :]}
        if key == "text":
            self._markdown = GrowingMarkdown()
        return {"t": "d", "n": self.n, "k": key, "off": 0, "d": whole, "reset": True}

    def _form(self, text: str, piece: dict[str, Any] | None) -> dict[str, Any]:
        """How the text is formatted by now, as far as that is new; ``format_due`` says when to look again."""
        now = self._clock()
        if piece is None and self.format_due is None:
            return {}
        if now < self._formatted + FORMAT_INTERVAL:
            self.format_due = self._formatted + FORMAT_INTERVAL
            return {}
        self._formatted, self.format_due = now, None
        before = self._markdown.tail
        fresh, tail = self._markdown.feed(text)
        form: dict[str, Any] = {"blocks": [asdict(block) for block in fresh]} if fresh else {}
        if tail != before and tail is not None:
            form["tail"] = asdict(tail)
        return form
