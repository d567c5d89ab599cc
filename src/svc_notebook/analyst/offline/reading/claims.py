"""Claims about one number: *is the average wait longer than 20 minutes*, *did we have more than 100 visits in May*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....records import dataclass
from ..lexicon import load_lexicon
from ..words.numbers import CURRENCIES, SCALES, exact_unit, number_word
from ..words.percents import PERCENT, is_fraction
from ..words.text import Token, tokenize

__all__ = ["Claim", "claims_in"]

_BEING = frozenset({"is", "are", "was", "were"})
_HAVING = frozenset({"has", "have", "had"})
_DOING = frozenset({"do", "does", "did"})
# Claims about some rows, or about every one of several, are about no one number.
_OF_SOME = frozenset("any anyone anybody someone some every everyone all each ever never or and who which".split())
_NOBODY = frozenset("we you i they there been have had got get see".split())
_USUALLY = frozenset({"usually", "typically", "normally", "generally"})
_OF_SEVERAL = frozenset("average mean median total sum share percentage number count".split())
_ASKED_BY = {"longer": "how long", "shorter": "how long", "older": "how old", "younger": "how old"}
_YEARS = range(1900, 2101)
_OF_WHICH = frozenset("in from of on with for at by during last this since per between before after".split())
_SIGNS = frozenset({"<", "<=", ">", ">="})
_BEFORE_NUMBERS = frozenset({"a", "an", "the", "of", "total"})
_LONGEST_BOUND = 4
_LONGEST = 40  # words


@dataclass(frozen=True, slots=True)
class Claim:
    """What a question claims: the question that asks for the number, its bound, and how that was said.

    ``said``: the words of the bound. ``unit``: a unit, a currency's word, ``%`` for a fraction that was written with
    its sign, or nothing.
    """

    question: str
    sign: str
    value: float
    unit: str = ""
    said: str = ""
    named: bool = False
    """Whether the words name a number of several rows: an average, a total, how many there are."""


def claims_in(question: str) -> Iterator[Claim]:
    """The ways to ask for the number that a yes-or-no question sets against another; nothing where it is none."""
    tokens = tokenize(question)
    words = [token.lower for token in tokens]
    if len(words) > _LONGEST or not words or words[0] not in _BEING | _HAVING | _DOING or _OF_SOME & {*words}:
        return
    found = next((b for at in range(1, len(words)) if (b := _bound(tokens, words, at)) is not None), None)
    if found is None or {"and", "but"} & {*words[found.end :]} or words[found.end : found.end + 1] == ["ago"]:
        return
    texts = [token.text for token in tokens]
    while texts and texts[-1] in "?.!":
        texts.pop()
    bound = question[tokens[found.start].start : tokens[found.end - 1].end]
    for asked in _asked(words[0], words[1 : found.start], texts[1 : found.start], texts[found.end :], found):
        yield Claim(asked, found.sign, found.value, found.unit, bound, bool(_OF_SEVERAL & {*words[1 : found.start]}))


@dataclass(frozen=True, slots=True)
class _Bound:
    start: int
    end: int
    sign: str
    value: float
    unit: str
    how: str


def _bound(tokens: Sequence[Token], words: Sequence[str], at: int) -> _Bound | None:
    """A bound with its number and what that is counted in: ``more than $5k``, ``shorter than half an hour``."""
    size, sign = _sign(words, at)
    if not size:
        return None
    place = at + size
    while place < len(words) and words[place] in _BEFORE_NUMBERS and not _value(tokens, place)[1]:
        place += 1
    value, end = _value(tokens, place)
    if not end:
        return None
    written, how = tokens[end - 1], _ASKED_BY.get(words[at + size - 2], "how much")
    behind = words[end] if end < len(words) else ""
    if is_fraction(written):
        return _Bound(at, end, sign, value, "%", how)
    if behind in PERCENT or words[end : end + 2] == ["per", "cent"]:
        return _Bound(at, end + (2 if behind == "per" else 1), sign, value / 100, "%", how)
    if behind in CURRENCIES or exact_unit(behind):
        return _Bound(at, end + 1, sign, value, exact_unit(behind) or behind, how)
    return _Bound(at, end, sign, value, written.text[0] if written.text[0] in "$€£" else "", how)


def _sign(words: Sequence[str], at: int) -> tuple[int, str]:
    """How many words of a bound stand at a place and its sign; ``no longer than`` is at most."""
    turned = words[at] == "no"
    start = at + turned
    for size, entry in load_lexicon().at(tuple(words[start : start + _LONGEST_BOUND])):
        if entry.operator == "compare" and entry.argument in _SIGNS:
            sign = {">": "<=", "<": ">="}.get(entry.argument, entry.argument) if turned else entry.argument
            return size + turned, sign
    return 0, ""


def _value(tokens: Sequence[Token], at: int) -> tuple[float, int]:
    """The number at a place and the place behind it; ``(0.0, 0)`` where none stands there."""
    if at >= len(tokens):
        return 0.0, 0
    token, words = tokens[at], [t.lower for t in tokens[at : at + 3]]
    if words[:1] == ["half"] and words[1:2] in (["a"], ["an"]) and exact_unit("".join(words[2:3])):
        return 0.5, at + 2
    if words[:1] in (["a"], ["an"]) and (exact_unit("".join(words[1:2])) or "".join(words[1:2]) in SCALES):
        return SCALES.get(words[1], 1.0), at + 1 + (words[1] in SCALES)
    value = token.value if token.kind == "number" else number_word(token.lower)
    if value is None:
        return 0.0, 0
    scale = SCALES.get("".join(words[1:2]))
    return (value * scale, at + 2) if scale else (value, at + 1)


def _asked(verb: str, before: list[str], said: list[str], after: list[str], bound: _Bound) -> Iterator[str]:
    """What asks for the number, by the verb and by what stands before and behind the bound."""
    if verb in _BEING and before[-1:] and before[-1] in _BEING | _HAVING:
        # "is it so that the average is over 5", as other languages ask
        verb, before, said = before[-1], before[:-1], said[:-1]
    counted = bool(after) and not bound.unit and after[0].lower() not in _OF_WHICH
    if not counted and not bound.unit and bound.value in _YEARS:
        return  # "higher than 2012" may be a year
    if bound.unit == "%" and after[:1] == ["of"] and not before:
        yield from _percentage(verb, after[1:])
    elif verb in _BEING or before[-1:] == ["been"] and before[:1] != ["there"]:
        yield from _being(before, said, after, counted=counted)
    elif counted:
        yield from _counted(verb, before, said, after)
    else:
        yield from _amount(bound.how, verb, before, said, after)


def _being(before: list[str], said: list[str], after: list[str], *, counted: bool) -> Iterator[str]:
    if not before or not {*before} - _NOBODY:
        if counted:
            yield _joined("how many", *after)
        return
    if counted or before[0] == "there":
        return  # "is north a clinic with more than 1500 visits" is about a thing
    said = said[:-1] if before[-1] in ("been", "of") else said
    kept = [word for word in said if word.lower() not in _USUALLY]
    if len(kept) < len(said):
        # Half of all are above the median: what usually is above a bound has a median that is.
        yield _joined("what is the median", *_bare(kept), *after)
    elif [word.lower() for word in said[-2:]] == ["on", "average"]:
        yield _joined("what is the average", *_bare(said[:-2]), *after)
    else:
        yield _joined("what is", *said, *after)


def _counted(verb: str, before: list[str], said: list[str], after: list[str]) -> Iterator[str]:
    if not {*before} - _NOBODY:
        yield _joined("how many", *after)
        return
    if verb in _DOING and before[-1] == "have":
        yield _joined("how many", *after, "for", *said[:-1])
    yield _joined("how many", *after, verb, *said)


def _amount(how: str, verb: str, before: list[str], said: list[str], after: list[str]) -> Iterator[str]:
    if "have" in before and before[-1] == "of":
        at = before.index("have")
        yield _joined("what is", *said[at + 1 : -1], "for", *said[:at], *after)
        return
    yield _joined(how, verb, *said, *after)
    yield _joined("what is", *said, *after)


def _percentage(verb: str, after: list[str]) -> Iterator[str]:
    start = 1 if after[:1] and after[0].lower() in ("the", "our", "all", "my") else 0
    for size in (1, 2):
        noun, rest = after[start : start + size], after[start + size :]
        if noun and rest:
            yield _joined("what percentage of", *noun, *([verb] if verb in _BEING else []), *rest)


def _bare(said: list[str]) -> list[str]:
    return said[1:] if said and said[0].lower() in ("the", "our") else said


def _joined(*words: str) -> str:
    return " ".join(words)
