"""Titles of charts in lines that are not too long."""

from __future__ import annotations

__all__ = ["wrapped"]


def wrapped(title: str, width: int = 70) -> str | list[str]:
    """A title, or its lines where it has more than one."""
    words, lines, line = title.split(), [], ""
    for word in words:
        if len(line) + len(word) + 1 > width and line:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append(line)
    return lines if len(lines) > 1 else title
