"""What is not over or not done yet, by the one date that says when it was: *open repairs*, *not been paid yet*."""

from __future__ import annotations

from ...schema.states import STILL, end_in
from ...words.families import is_same_deed
from ...words.numbers import exact_unit
from ...words.rewriting import Found
from ...words.text import Token, stem
from .wording import Wording

__all__ = ["longest_so", "not_yet", "so_before_noun", "so_many_so"]

_LEADING = frozenset("that who which whom are is was were have has had been still it they".split())
_DENYING = frozenset("not never haven't hasn't hadn't aren't isn't wasn't weren't havent hasnt".split())
_BETWEEN = frozenset({"yet", "been", "ever", "still"})
_BEHIND = frozenset(["", *"? . ! , and by per with in from at for on of since so right".split()])
_KNOWN_NOW = frozenset({"current", "currently", "active", "employed", "ongoing"})
"""Words that name nothing else, and are read where the rows they are said of are known."""
_SHORTEST = 4  # letters of what is done: "not in yet" is where it is
_SAID = STILL.keys() - _KNOWN_NOW


def not_yet(w: Wording, at: int) -> Found | None:
    """``invoices that have not been paid yet``, ``repairs that are still open``: without the date of it."""
    place = at
    while w.at(place) in _LEADING:
        place += 1
    denied = w.at(place) in _DENYING
    place += denied
    while denied and w.at(place) in _BETWEEN:
        place += 1
    if not at or w.at(at - 1) in _DENYING or not (denied or place > at and w.at(place) in _SAID):
        return None
    date = next((found for p in range(at - 1, -1, -1) if (found := _date_of(w, p, place, denied=denied))), None)
    end = place + 1 + (w.at(place + 1) == "yet")
    bounded = w.is_number(at - 1) or w.is_number(at - 2)
    return (_lacking(w, at, date, bounded=bounded), end) if date and w.at(end) in _BEHIND else None


def so_before_noun(w: Wording, at: int) -> Found | None:
    """``open repairs``, ``open urgent repairs``, ``two unpaid bills``: those without the date of their end."""
    start = at + (w.at(at) == "still")
    # Behind a number they are counted; else what was done to some rows is read where they are known.
    denied = w.at(start).startswith("un")
    if not w.is_number(at - 1) if denied else w.at(start) not in _SAID:
        return None
    match = next((m for m in w.meta.values.find(w.tokens, start + 1) if w.rows_at(m.end)), None)
    noun = start + 1 if w.rows_at(start + 1) else match.end if match is not None else 0
    date = _date_of(w, noun, start, denied=denied) if noun else None
    if date is None:
        return None
    end = _bound_end(w, noun + 1)  # "unpaid bills over 90": what is bounded is no date
    return [*w.tokens[start + 1 : end], *_lacking(w, at, date, bounded=end > noun + 1)], end


def so_many_so(w: Wording, at: int) -> Found | None:
    """``guests with more than two unpaid bills``: which guests have more than two of them."""
    end = _bound_end(w, 2) if not at and w.rows_at(0) and w.at(1) == "with" else 2
    if end == 2 or so_before_noun(w, end) is None:
        return None
    return [*w.said(0, "which"), w.tokens[0], *w.said(1, "have"), *w.tokens[2:end]], end


def _lacking(w: Wording, at: int, date: str, *, bounded: bool) -> list[Token]:
    """Rows without a date: behind a bound nothing is *where*, and before a period nothing is *without* it."""
    parts = w.meta.parts(date)
    return w.said(at, "without", "a", *parts) if bounded else w.said(at, "where", *parts, "is", "missing")


def _bound_end(w: Wording, at: int) -> int:
    """The place behind a bound and its number, or the place itself."""
    number = at + w.bound(at)
    if number == at or not w.is_number(number):
        return at
    return number + 1 + (exact_unit(w.at(number + 1)) is not None)


def longest_so(w: Wording, at: int) -> Found | None:
    """``the longest open repair``: what is not over has begun first, and lasts no time that is known."""
    if w.at(at) != "longest" or (found := so_before_noun(w, at + 1)) is None:
        return None
    return [*w.said(at, "oldest"), *found[0]], found[1]


def _date_of(w: Wording, noun: int, said: int, *, denied: bool) -> str | None:
    """The one date that some rows called by a noun have not, of what a word says is over or done."""
    word = w.at(said).removeprefix("un") if denied else w.at(said)
    if not word.isalpha() or len(word) < _SHORTEST or w.meta.values.find(w.tokens, said) or _is_told(w, said):
        return None
    rows = [name for name in w.rows_at(noun) if name in w.cubes]
    found = [date for name in rows if (date := _done(w, name, word) if denied else end_in(w.meta, name, word))]
    return found[0] if len(found) == 1 else None


def _is_told(w: Wording, said: int) -> bool:
    """Whether a yes or no is called by the word, or by what it denies: ``is_open``, ``paid`` of *unpaid*."""
    stems = {w.tokens[said].stem, stem(w.at(said).removeprefix("un"))}
    flags = (path for path, member in w.meta.members.items() if member.type == "boolean")
    return any(stems & set(map(stem, w.meta.parts(path))) for path in flags)


def _done(w: Wording, relation: str, word: str) -> str | None:
    times = [path for path in w.meta.times([relation]) if path.split(".", 1)[0] == relation]
    dated = [path for path in times if is_same_deed(w.meta.parts(path)[0], word) and w.meta.profile(path).missing]
    return dated[0] if len(dated) == 1 else None
