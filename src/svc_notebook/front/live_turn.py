"""The running turn, and what the browser has been told of it: only what is new is said again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from ..results.answer import Answer
from ..results.growing_markdown import GrowingMarkdown, Stretch, utf16_length
from .pace import Pace
from .payloads import tool_payload

__all__ = ["LiveTurn"]

_TAILS = 1_500
"""Characters of an answer up to which its unfinished block is formatted too; beyond, a block is when it is finished."""

_PROGRESS = 0.5
"""Seconds between two looks at how far a query is."""


class LiveTurn:
    """One turn from the question to its last frame.

    Parameters
    ----------
    n : int
        Its number in the conversation.
    question : str
        As it was asked.
    after : int, optional
        Number of the turn it follows in its thread, where that was said.
    thinking : bool
        Whether the analyst's thinking is told.
    clock : callable
        Seconds that only grow.
    """

    def __init__(
        self,
        n: int,
        question: str,
        *,
        after: int | None = None,
        thinking: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.n = n
        self.after = after
        self.question = question
        self._thinking = thinking
        self._clock = clock
        self._began = clock()
        self._told = {"text": "", "thinking": ""}
        self._tools: dict[str, dict[str, Any]] = {}
        self._progressed = self._began
        self._markdown = GrowingMarkdown()
        self._pace = Pace()

    def state(self) -> dict[str, Any]:
        """All a view needs that has seen nothing of it."""
        tail = self._markdown.tail
        return {
            "n": self.n,
            "question": self.question,
            "after": self.after,
            **self._told,
            "blocks": [_block(block, self._markdown) for block in self._markdown.blocks],
            "tail": _stretch(tail) if tail else None,
            "tools": list(self._tools.values()),
            "ms": int((self._clock() - self._began) * 1000),
        }

    @property
    def due(self) -> float | None:
        """When :meth:`news` may have something to tell although no frame has come."""
        return self._pace.due()

    def news(self, snapshot: Answer, *, last: bool = False) -> Iterator[dict[str, Any]]:
        """Messages that bring the browser from what it was told to ``snapshot``.

        Pieces of text wait until they are worth a message; after the ``last`` snapshot nothing waits.
        """
        text, now = snapshot.text or "", self._clock()
        thinking = (snapshot.thinking or "") if self._thinking else ""
        waiting = len(text) - len(self._told["text"]) + len(thinking) - len(self._told["thinking"])
        first = bool(text) and not self._told["text"]
        # A shorter text than was told is another one, and a browser that shows the old one shows what was taken back.
        if self._pace.grown(abs(waiting), now) or first or last or waiting < 0:
            self._pace.sent(now)
            yield from self._pieces(thinking, text, last)
        for call in snapshot.tool_calls or ():
            tool = tool_payload(call)
            if self._is_news(tool, now):
                self._tools[tool["id"]] = tool
                yield {"t": "tool", "n": self.n, "tool": tool}

    def finished(self, turn: dict[str, Any]) -> dict[str, Any]:
        """``turn`` for a browser that was told all of this one: what it has is not sent again."""
        blocks = self._markdown.blocks
        if turn["text"] != self._told["text"] or "".join(block.html for block in blocks) != turn["html"]:
            return turn
        return {**turn, "html": None, "text": None, "chars": utf16_length(turn["text"])}

    def _pieces(self, thinking: str, text: str, last: bool) -> Iterator[dict[str, Any]]:
        if (piece := self._grown("thinking", thinking)) is not None:
            yield piece
        piece = self._grown("text", text)
        before = self._markdown.tail
        fresh, tail = self._markdown.feed(text, last=last, tails=len(text) <= _TAILS)
        form: dict[str, Any] = {}
        if fresh:
            form["blocks"] = [_block(block, self._markdown) for block in fresh]
        if tail is not None and tail != before:
            form["tail"] = _stretch(tail)
        if piece is not None or form:
            same = {"t": "d", "n": self.n, "k": "text", "off": utf16_length(text), "d": ""}
            yield {**(piece or same), **form}

    def _grown(self, key: str, whole: str) -> dict[str, Any] | None:
        told = self._told[key]
        if whole == told:
            return None
        self._told[key] = whole
        if whole.startswith(told):
            return {"t": "d", "n": self.n, "k": key, "off": utf16_length(told), "d": whole[len(told) :]}
        if key == "text":
            # What was told has changed: blocks that were finished may be none now.
            self._markdown = GrowingMarkdown()
        return {"t": "d", "n": self.n, "k": key, "off": 0, "d": whole, "reset": True}

    def _is_news(self, tool: dict[str, Any], now: float) -> bool:
        """Whether a card is to be told; of a query that runs, how far it is only now and then."""
        known = self._tools.get(tool["id"])
        if known == tool:
            return False
        if known is not None and {**known, "progress": None} == {**tool, "progress": None}:
            if now < self._progressed + _PROGRESS:
                return False
            self._progressed = now
        return True


def _stretch(stretch: Stretch) -> dict[str, Any]:
    return {"off": stretch.off, "end": stretch.end, "html": stretch.html}


def _block(block: Stretch, markdown: GrowingMarkdown) -> dict[str, Any]:
    """A finished block; a paragraph of plain words is made by the browser from the text it has."""
    source = markdown.source(block).strip()
    if "\n" not in source and block.html == f"<p>{escape(source, quote=False)}</p>\n":
        return {"off": block.off, "end": block.end}
    return _stretch(block)
