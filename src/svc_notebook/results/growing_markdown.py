"""Markdown that is still being written, formatted block by block.

A block of the top level is finished when another has begun after it; it is then rendered once and never again. What
is left is the tail, short as a rule, which is rendered anew as it grows. Offsets count UTF-16 units, as browsers do.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from .. import patterns as re
from .markdown import MAX_CHARS, block_starts, render_markdown

__all__ = ["GrowingMarkdown", "Stretch", "utf16_length"]

_TAIL = 4_000  # a longer tail stays plain until it is finished
_REST = 20_000  # an unfinished block beyond this is not looked into any more
_MARKS = re.compile(r"[*_`#|~>\[]|^\s*(?:[-+]|\d{1,9}[.)])\s", re.MULTILINE)


def utf16_length(text: str) -> int:
    """Length as JavaScript counts it."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF) if not text.isascii() else len(text)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The HTML of a stretch of the text, from ``off`` to ``end``."""

    off: int
    end: int
    html: str


class GrowingMarkdown:
    """One growing text; :meth:`feed` takes it whole each time and tells what has become of it."""

    def __init__(self) -> None:
        self.blocks: list[Stretch] = []
        self.tail: Stretch | None = None
        self._done = 0
        self._sources: dict[int, str] = {}

    def source(self, block: Stretch) -> str:
        """The text of a finished block."""
        return self._sources[block.off]

    def feed(self, text: str, *, last: bool = False, tails: bool = True) -> tuple[list[Stretch], Stretch | None]:
        """The blocks that are finished since the last time, and the tail's form (None while it is plain).

        With the ``last`` text every block is finished; without ``tails`` what is not finished stays plain.
        """
        rest = text[self._done :]
        self.tail = None
        # Line ends and escapes are rewritten before a whole text is rendered: places in this one would be none in that.
        if len(rest) > _REST or self._done > MAX_CHARS or "\r" in rest or "\x1b" in rest:
            return [], None
        starts = block_starts(rest)
        fresh: list[Stretch] = []
        end = self.blocks[-1].end if self.blocks else 0
        for begin, until in itertools.pairwise(starts):
            # What stands before the first block belongs to it, so that the blocks together are the text.
            piece = rest[0 if not fresh else begin : until]
            fresh.append(self._finished(end, piece))
            end = fresh[-1].end
        if fresh:
            self._done += starts[-1]
            rest = rest[starts[-1] :]
        if last and rest.strip() and starts:
            fresh.append(self._finished(end, rest))
            self._done, rest = len(text), ""
        self.blocks += fresh
        if tails and len(rest) <= _TAIL and _MARKS.search(rest):
            self.tail = Stretch(end, end + utf16_length(rest), render_markdown(rest))
        return fresh, self.tail

    def _finished(self, off: int, piece: str) -> Stretch:
        self._sources[off] = piece
        return Stretch(off, off + utf16_length(piece), render_markdown(piece))
