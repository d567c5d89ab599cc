"""What a text must hold for a pattern to be found in it, read off the pattern without compiling it.

That takes a tenth of the time, and most patterns that a question is held against cannot stand in it. Only what is plain
is read: what may be left out, looks around itself or is any of several letters counts for nothing. Groups are read from
within: each becomes a sign that stands for its words.
"""

from __future__ import annotations

import re

__all__ = ["Words", "needed_words"]

Words = tuple[str, ...]
"""Pieces of text of which one must stand in a text."""

_GAP, _LEFT_OUT = "\0", "\1"
_MAYBE = r"(?:[*?]|\{(?:0\d*(?:,\d*)?|,\d*)\})[?+]?"
_OFTEN = r"(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d*)\})[?+]?"
_NOT_PLAIN = re.compile(
    rf"(?:\\(?:[xuUN].*|\d+|.)|\[\^?\]?(?:[^]\\]|\\.)*\]|[.^$]|\(\?P=\w+\)|[^\2-\x7f])(?:{_OFTEN})?", re.DOTALL
)
_TIMES = (
    (re.compile(rf"\){_MAYBE}"), f"){_LEFT_OUT}"),
    (re.compile(rf"\){_OFTEN}"), ")"),
    (re.compile(rf"(?<!\(){_MAYBE}"), _LEFT_OUT),
    (re.compile(rf"[^)]{_LEFT_OUT}"), _GAP),
    (re.compile(rf"(?<!\(){_OFTEN}"), _GAP),
)
"""How often what stands before may stand there, group or letter, and what is written for it, one after the other."""
_UNKNOWN = re.compile(r"\(\?(?!:|P<|<?[=!])")
_GROUP = re.compile(rf"\((?:\?(:|P<\w+>|<?[=!]))?([^()]*)\)({_LEFT_OUT})?")
_FIRST = 0xE000
"""From here on a sign stands for what a group needs; all that are not ASCII were taken out before."""


def needed_words(pattern: str) -> tuple[Words, ...]:
    """The words of which a text must hold one each, the longest first; none where nothing is known."""
    plain = _NOT_PLAIN.sub(_GAP, pattern)
    if _UNKNOWN.search(plain) is not None:
        return ()
    for times, written in _TIMES:
        plain = times.sub(written, plain)
    groups = _Groups()
    while "(" in plain:
        plain, found = _GROUP.subn(groups.read, plain)
        if not found:
            return ()
    if "|" in plain:
        return (needed,) if (needed := groups.one_of(plain)) else ()
    return tuple(sorted(groups.all_of(plain), key=_telling, reverse=True))


class _Groups:
    """The groups that were read, by the signs that stand for them."""

    def __init__(self) -> None:
        self._needed: list[Words] = []

    def read(self, group: re.Match[str]) -> str:
        """What stands for a group that has none within."""
        around, within, left_out = group.groups()
        if left_out or (around and around[0] not in ":P") or not (needed := self.one_of(within)):
            return _GAP
        self._needed.append(needed)
        return f"{_GAP}{chr(_FIRST + len(self._needed) - 1)}{_GAP}"

    def one_of(self, text: str) -> Words:
        """The words of which one must stand in a text that fits any of the alternatives."""
        ways = text.split("|")
        if _GAP not in text:
            return tuple(ways) if min(map(len, ways)) > 1 else ()
        words: Words = ()
        for way in ways:
            if not (needed := self.all_of(way)):
                return ()
            words += max(needed, key=_telling)
        return words

    def all_of(self, text: str) -> list[Words]:
        return [
            self._needed[ord(piece) - _FIRST] if ord(piece[0]) >= _FIRST else (piece,)
            for piece in text.split(_GAP)
            if len(piece) > 1 or piece and not piece.isalnum() and not piece.isspace()
        ]


def _telling(words: Words) -> tuple[int, int]:
    """How few texts hold one of the words."""
    return min(map(len, words)), -len(words)
