"""What was done to rows, said before their noun or at the end: *decommissioned sensors*, *how many are installed*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import is_participle, singular
from .wording import Wording, named_rows

__all__ = ["as_done", "no_longer", "still_used"]

_BEING = frozenset({"is", "are", "was", "were", "been", "being", "be", "get", "got"})
_ENDS = frozenset({"", "?", ".", "!", ",", ")", "by", "per", "and"})
_USED = frozenset({("in", "service"), ("in", "use"), ("in", "operation")})
_STILL = frozenset({"still", "currently", "now"})
_BEFORE = frozenset({"not", "un", "never", "no", "n't", "aren't", "isn't", "weren't", "wasn't"})


def as_done(w: Wording, at: int) -> Found | None:
    """``decommissioned sensors``: those with such a date; what was done to all of them tells none apart."""
    word = w.at(at)
    if not (is_participle(word) and len(word) > 4) or w.meta.values.find(w.tokens, at) or w.at(at - 1) in _BEFORE:
        return None
    adjective = _rows(w, at + 1)
    behind = w.at(at - 1) in _BEING and w.at(at + 1) in _ENDS and at > 1
    rows = adjective or (next((r for p in range(at - 1) if (r := _rows(w, p))), None) if behind else None)
    dated = _dated(w, rows, word) if rows else None
    if dated is None:
        return None
    if not w.meta.profile(dated).missing:
        return ([], at + 1) if adjective else None
    so = w.said(at, "where", *w.meta.parts(dated), "is", "not", "null")
    return ([w.tokens[at + 1], *so], at + 2) if adjective else (so, at + 1)


def still_used(w: Wording, at: int) -> Found | None:
    """``still in service``, ``in use``: what has not come to its end."""
    start = at + (w.at(at) in _STILL)
    if tuple(w.words[start : start + 2]) not in _USED or w.tokens[start + 1].stem in w.meta.vocabulary:
        return None
    return w.said(at, "active"), start + 2


def no_longer(w: Wording, at: int) -> Found | None:
    """``no longer active``: not, and nothing that is longer."""
    if w.at(at) != "no" or w.at(at + 1) != "longer" or w.at(at + 2) == "than":
        return None
    return w.said(at, "not"), at + 2


def _rows(w: Wording, at: int) -> str | None:
    """The relation that a noun in the plural is for the rows of."""
    noun = singular(w.at(at))
    if not noun or noun == w.at(at):
        return None
    found = [name for name in w.cubes if noun in {singular(word) for word in named_rows(w.meta, name)}]
    return min(found, key=len) if found else None


def _dated(w: Wording, relation: str, word: str) -> str | None:
    """The time that says when something was done to the rows."""
    found = [path for path in w.meta.times([relation]) if w.meta.parts(path)[:1] == (word,)]
    return found[0] if len(found) == 1 and len(w.meta.parts(found[0])) <= 2 else None
