"""Titles of charts in lines that are not too long."""

from __future__ import annotations

from ... import patterns as re

__all__ = ["wrapped"]

_APART = re.compile(r"\s+(?!%)")  # a number and its sign stay together


def wrapped(title: str, width: int = 70) -> str | list[str]:
    """A title, or its lines where it has more than one: of about one length, so that no word is left by itself."""
    lines = _filled(title, width)
    if len(lines) == 1:
        return title
    narrow = next(room for room in range(width // 2, width + 1) if len(_filled(title, room)) <= len(lines))
    return _filled(title, narrow)


def _filled(title: str, width: int) -> list[str]:
    """Lines that are as full as they can be."""
    words, lines, line = _APART.split(title.strip()), [], ""
    for word in words:
        if len(line) + len(word) + 1 > width and line:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append(line)
    return lines
