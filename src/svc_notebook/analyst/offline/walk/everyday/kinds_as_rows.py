"""Rows by what kind they are of: *visits per surgeon*, *which surgeon has most*, where that is a role of the staff."""

from __future__ import annotations

from ...schema.kind_values import kind_value
from ...schema.values import ValueMatch
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["kind_as_rows"]

_EACH = frozenset({"per", "by", "each", "every", "which", "what"})
_BEHIND = frozenset(["", "?", ".", "!", *", in on at last this since during for from and".split()]) | frozenset(
    "did do does has had have was were is are who that".split()
)
_HAVING = frozenset({"with", "without", "who", "that"})


def kind_as_rows(w: Wording, at: int) -> Found | None:
    """``visits per surgeon``: per member of staff where the role is surgeon."""
    found = [] if at or ":" in w.words else [(p, m) for p in range(len(w.tokens)) if (m := _kind(w, p)) is not None]
    if len(found) != 1:
        return None
    [(place, match)] = found
    rows = match.member.split(".", 1)[0]
    noun = w.meta.words_of(rows) if w.at(place - 1) in _EACH else w.plural(rows)
    so = w.said(place, "where", *w.meta.parts(match.member), "is", str(match.value).lower())
    end = len(w.tokens) - (w.at(len(w.tokens) - 1) in ("?", ".", "!"))
    return [*w.tokens[:place], *w.said(place, *noun), *w.tokens[match.end : end], *so], len(w.tokens)


def _kind(w: Wording, at: int) -> ValueMatch | None:
    """The value that a noun is which rows are grouped or asked for by."""
    led = at > 0 and w.at(at - 1) in _EACH
    several = singular(w.at(at)) != w.at(at)
    # "made by nurses" is of them all.
    if several and w.at(at - 1) == "by" and at or not led and (at or not several):
        return None
    match = kind_value(w.meta, w.tokens, at)
    if match is not None and not led and not w.meta.is_of_people(match.member.split(".", 1)[0]):
        return None  # "dogs with a sponsor" are some of the animals
    return match if match is not None and w.at(match.end) in (_BEHIND if led else _HAVING) else None
