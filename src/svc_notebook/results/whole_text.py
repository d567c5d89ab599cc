r"""Text that can be written anywhere: half a character waits for its other half, and what is left alone is replaced.

JSON may write one character as two escapes (``\ud83d\ude00``), and a service may split them over two deltas. Neither
half can be encoded, so one of them in an answer would spoil the whole.
"""

from __future__ import annotations

from .. import patterns as re

__all__ = ["grown", "whole"]

# JSON of JavaScript may hold half a character at the end of one delta and the other half at the start of the next.
_PAIR = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
_LONE = re.compile("[\ud800-\udfff]")


def whole(text: str) -> str:
    """The text with its pairs joined and each half that stands alone replaced by U+FFFD."""
    if not _LONE.search(text):
        return text
    return _LONE.sub("\ufffd", _PAIR.sub(_joined, text))


def grown(text: str, half: str, delta: str) -> tuple[str, str]:
    """A text with the next delta, and the half of a character that waits at its end (mostly empty).

    Parameters
    ----------
    text : str
        What has arrived whole.
    half : str
        What waited at its end.
    delta : str
        What came now.
    """
    new = half + delta
    waits = new[-1:] if "\ud800" <= new[-1:] <= "\udbff" else ""
    return text + whole(new[: len(new) - len(waits)]), waits


def _joined(pair: re.Match[str]) -> str:
    return chr(0x10000 + ((ord(pair[1]) - 0xD800) << 10) + (ord(pair[2]) - 0xDC00))
