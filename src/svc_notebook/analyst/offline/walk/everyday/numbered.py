"""Rows by their number: *flight 99*, *order no. 7044*, *the id no-1*."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ..... import patterns as re
from ...schema.profiles import as_number
from ...words.numbers import unit_of
from ...words.rewriting import Found
from ...words.text import is_participle, singular
from .wording import Wording, named_rows

__all__ = ["codes_counted", "number_sign", "numbered_row", "numbered_text", "total_number"]

_CODES = re.compile(r"[a-z]+\d+s")
_IDS = frozenset({"id", "ids", "number", "code", "nr", "identifier"})
_SHORT = frozenset({"no", "nr", "num"})
_SIGNS = frozenset({"-", ".", "_", ":", "#", "=", "°"})
_BEHIND = frozenset({"than", "or", "to", "and", "-", "%", "percent"})
_BEFORE = frozenset({"top", "first", "last", "by", "per", "than", "least", "most", "many", "each", "every"})
_CLOSED = frozenset(
    "? . ! , ; : ) on in at from to and or is was are were did does do has had fly flew leave left arrive arrived "
    "depart this last by per during since before after between when where how with of the".split()
) | {""}
_LONGEST = 1_000_000_000


def codes_counted(w: Wording, at: int) -> Found | None:
    """``how many P1s``: those of the code P1."""
    if not _CODES.fullmatch(w.at(at)) or w.meta.values.find(w.tokens, at):
        return None
    code = w.said(at, w.at(at)[:-1])
    return (code, at + 1) if w.meta.values.find(code, 0) else None


def number_sign(w: Wording, at: int) -> Found | None:
    """``id no-1``: the number one, and not any other."""
    if w.at(at) not in _SHORT or w.at(at - 1) not in _IDS:
        return None
    place = at + 1 + (w.at(at + 1) in _SIGNS)
    if not w.is_number(place) or w.tokens[place].kind != "number" and not w.at(place).lstrip("-").isdigit():
        return None
    return [], place


def numbered_row(w: Wording, at: int) -> Found | None:
    """``flight 99``: the one whose key it is, where what rows are is named in the singular right before a number."""
    place = at + 1 + (w.at(at + 1) in _SHORT)
    place += w.at(place) in _SIGNS
    token = w.tokens[place] if place < len(w.tokens) else None
    if token is None or token.kind != "number" or token.value is None or singular(w.at(at)) != w.at(at):
        return None
    whole = token.value == int(token.value) and token.text.isdigit() and token.value < _LONGEST
    if not whole or w.at(place + 1) in _BEHIND or unit_of(w.at(place + 1)) is not None or w.at(at - 1) in _BEFORE:
        return None
    own = [name for name in w.cubes if w.at(at) in w.meta.words_of(name)[-1:]]
    own = own or [name for name in w.cubes if w.at(at) in named_rows(w.meta, name)]
    own = own or [name for name in w.cubes if w.at(at) in _numbered(w, name)]
    keys = [key for name in own if (key := w.meta.key_of(name)) is not None and w.meta.is_number(key)]
    if len(keys) != 1 or not _reaches(w, keys[0], token.value):
        return None
    return [w.tokens[at], *w.said(at, "with", *w.meta.parts(keys[0])), token], place + 1


def numbered_text(w: Wording, at: int) -> Found | None:
    """``flight 1545``, ``UA 1545``: the number that is kept of rows as text, and no year of which nothing is known."""
    named = _number_at(w, at)
    if named is None:
        return None
    kept, place, path = named
    token = w.tokens[place] if place < len(w.tokens) else None
    if token is None or token.kind != "number" or not token.text.isdigit() or _is_covered(w, place):
        return None
    if w.at(place + 1) not in _CLOSED and not is_participle(w.at(place + 1)):
        return None
    known = w.said(at, *(() if w.at(at - 1) == "with" and not kept else ("with",)), *w.meta.parts(path))
    return [*w.tokens[at : at + kept], *known, replace(token, kind="quoted", value=None)], place + 1


def _number_at(w: Wording, at: int) -> tuple[int, int, str] | None:
    """How many words stay, where a number stands, and whose it is: behind its name, its rows' noun, or their code."""
    for path, noun in _text_numbers(w):
        words, rows = w.words[at : at + len(noun) + 1], len(noun)
        if tuple(words[:rows]) == noun and w.at(at - 1) not in _BEFORE:
            named = words[rows:] and words[rows] in _IDS | _SHORT
            place = at + rows + bool(named)
            place += w.at(place) in _SIGNS
            return (0 if named else rows), place, path
        codes = [
            m for m in w.meta.values.find(w.tokens, at)
            if m.quality == 1.0 and m.member.split(".", 1)[0] == path.split(".", 1)[0] and m.end == at + 1
            and str(m.value) == w.tokens[at].text and w.tokens[at].text.isupper()
        ]  # fmt: skip
        if codes:
            return 1, at + 1, path
    return None


def _text_numbers(w: Wording) -> list[tuple[str, tuple[str, ...]]]:
    """Texts that are numbers of rows by their name (``flight_number``), each with the noun before that word."""
    named = ((path, w.meta.parts(path)) for path, m in w.meta.members.items() if m.type == "string")
    found = [(path, parts[:-1]) for path, parts in named if parts[-1:] == ("number",)]
    return [(path, noun) for path, noun in found if noun and noun[-1] in _rows(w, path) and _are_digits(w, path)]


def _rows(w: Wording, path: str) -> set[str]:
    return {singular(word) for word in named_rows(w.meta, path.split(".", 1)[0])}


def _are_digits(w: Wording, path: str) -> bool:
    """Whether the first and the last of the values are written in digits alone."""
    profile = w.meta.profile(path)
    return all(isinstance(end, str) and end.isdigit() for end in (profile.low, profile.high))


def _is_covered(w: Wording, place: int) -> bool:
    """Whether a number is a year that the data have rows of."""
    ends = ((w.meta.profile(path).low, w.meta.profile(path).high) for path in w.times())
    return any(
        isinstance(low, date) and isinstance(high, date) and low.year <= int(w.at(place)) <= high.year
        for low, high in ends
    )


def _numbered(w: Wording, relation: str) -> tuple[str, ...]:
    """What a key numbers by its name: the ticket of a ``ticket_no``."""
    key = w.meta.key_of(relation)
    *noun, last = w.meta.parts(key) if key is not None else ("",)
    return tuple(noun) if last in _IDS | _SHORT and len(noun) == 1 else ()


def _reaches(w: Wording, key: str, number: float) -> bool:
    profile = w.meta.profile(key)
    low, high = as_number(profile.low), as_number(profile.high)
    return low is None or high is None or low <= number <= high


def total_number(w: Wording, at: int) -> Found | None:
    """``total number of orders``: how many there are, and no total."""
    if w.words[at : at + 3] != ["total", "number", "of"]:
        return None
    place = at + 3 + (w.at(at + 3) in ("the", "all", "different"))
    rows = any(singular(w.at(place)) in {singular(word) for word in named_rows(w.meta, name)} for name in w.cubes)
    return ([], at + 1) if rows else None
