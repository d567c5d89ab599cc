"""How codes are written: ``CR25-00534`` as ``aa99-99999``, so that one is known for a code that was never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import ascii_letters, digits

from .... import patterns as re

__all__ = ["is_code", "shape_of", "shapes_of", "with_own_letters"]

_CODE = re.compile(r"(?=(?:.*\d){3})[a-z]{0,6}[a-z0-9]*(?:[-/_.][a-z0-9]+){0,3}", re.IGNORECASE)
_MOST, _NEARLY = 4, 0.95  # ways in which the codes of a column are written, and how many of them are


def is_code(text: str) -> bool:
    """Whether a text may be a code: letters and digits, three of these at least, without a space."""
    return _CODE.fullmatch(text) is not None and not text.isdigit()


_ANY = str.maketrans({**dict.fromkeys(ascii_letters, "a"), **dict.fromkeys(digits, "9")})


def shape_of(text: str) -> str:
    """A text with each letter and each digit as any."""
    if text.isascii():
        return text.translate(_ANY)
    return "".join("9" if letter.isdigit() else "a" if letter.isalpha() else letter for letter in text)


def shapes_of(texts: Sequence[str]) -> tuple[str, ...]:
    """The few ways in which (nearly) all of some texts are written, where they are codes."""
    found = Counter(shape_of(text) for text in texts if is_code(text))
    usual = found.most_common(_MOST)
    return tuple(shape for shape, _ in usual) if sum(n for _, n in usual) >= _NEARLY * len(texts) > 0 else ()


def with_own_letters(text: str, other: str) -> str:
    """A code in the letters, large or small, that another one of its column is written in."""
    return text.upper() if other.isupper() else text.lower() if other.islower() else text
