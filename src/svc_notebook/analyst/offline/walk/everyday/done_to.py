"""What was done to rows, said before their noun or at the end: *decommissioned sensors*, *how many are installed*."""

from __future__ import annotations

from ...calendar.units import UNITS
from ...words.families import root
from ...words.rewriting import Found
from ...words.text import is_participle, singular
from .wording import Wording, named_rows

__all__ = ["as_done", "done_in_time", "no_longer", "still_used"]

_BEING = frozenset({"is", "are", "was", "were", "been", "being", "be", "get", "got"})
_ENDS = frozenset({"", "?", ".", "!", ",", ")", "by", "per", "and"})
_WITHIN = frozenset("in during since last this between before after yesterday today".split())
_SURE = 0.9  # how well a value names the rows that have it
_USED = frozenset({("in", "service"), ("in", "use"), ("in", "operation")})
_STILL = frozenset({"still", "currently", "now"})
_BEFORE = frozenset({"not", "un", "never", "no", "n't", "aren't", "isn't", "weren't", "wasn't"})


def as_done(w: Wording, at: int) -> Found | None:
    """``decommissioned sensors``: those with such a date; what was done to all of them tells none apart."""
    word, denied = _said_so(w, at)
    if not (is_participle(word) and len(word) > 4) or w.meta.values.find(w.tokens, at) or w.at(at - 1) in _BEFORE:
        return None
    adjective = _rows(w, at + 1)
    behind = w.at(at - 1) in _BEING and w.at(at + 1) in _ENDS and at > 1
    rows = adjective or (next((r for p in range(at - 1) if (r := _rows(w, p))), None) if behind else None)
    if rows and w.at(at + 1) == "by" and at + 2 < len(w.tokens) and w.meta.values.find(w.tokens, at + 2):
        return None  # by whom it was done is asked
    column = (_dated(w, rows, word) or _kept_if_so(w, rows, word)) if rows else None
    if column is None or rows and _is_told(w, rows, word) and not _WITHIN.intersection(w.words[at + 1 : at + 3]):
        return None
    if not w.meta.profile(column).missing:
        return ([], at + 1) if adjective and not denied else None
    parts = w.meta.parts(column)
    so = w.said(at, "without", *parts) if denied else w.said(at, "where", *parts, "is", "not", "null")
    return ([w.tokens[at + 1], *so], at + 2) if adjective else (so, at + 1)


def _is_told(w: Wording, relation: str, word: str) -> bool:
    """Whether a yes or no of the rows says it: ``cancelled``, beside a ``cancelled_on`` that may be unknown."""
    own = (member.path for member in w.meta.relation(relation).members.values())
    return any(w.meta.parts(p) == (word,) and w.meta.members[p].type == "boolean" for p in own if p in w.meta.members)


def done_in_time(w: Wording, at: int) -> Found | None:
    """``how many homes were sold in 2024``, ``sold per month``: by when they were, and not for how much."""
    if w.at(at) not in w.first_words:
        return None
    rows = at - 1 - (w.at(at - 1) in _BEING)
    relation = _rows(w, rows) if rows >= 0 else None
    dated = _dated(w, relation, w.at(at)) if relation is not None else None
    told = relation is not None and _is_told(w, relation, w.at(at))
    if dated is None or relation is None or not (told or _is_amount_too(w, relation, w.at(at))):
        return None
    parts = w.meta.parts(dated)
    if w.at(at + 1) in _ENDS - {"by", "per", "and"} and not told:
        return w.said(at, "where", *parts, "is", "not", "null"), at + 1
    if w.at(at + 1) in ("by", "per", "each") and w.at(at + 2) in UNITS:
        known = w.said(at, "of", *parts, "where", *parts, "is", "not", "null")
        return [*w.tokens[at + 1 : at + 3], *known], at + 3
    return (w.said(at, "with", *parts), at + 1) if w.at(at + 1) in _WITHIN else None


def _is_amount_too(w: Wording, relation: str, word: str) -> bool:
    """Whether a number of the rows is called as what was done to them."""
    return any(path.split(".", 1)[0] == relation and w.meta.parts(path)[:1] == (word,) for path in w.numbers)


def _said_so(w: Wording, at: int) -> tuple[str, bool]:
    """The participle at a place, and whether it is denied: ``uninsured``."""
    word = w.at(at)
    denied = word.startswith("un") and is_participle(word[2:]) and w.tokens[at].stem not in w.meta.vocabulary
    return (word[2:], True) if denied else (word, False)


def still_used(w: Wording, at: int) -> Found | None:
    """``still in service``, ``in use``: what has not come to its end."""
    if w.at(at) == "out" and w.at(at + 1) == "of" and ("in", w.at(at + 2)) in _USED | {("in", "stock")}:
        known = w.meta.values.find([*w.said(at, "in"), w.tokens[at + 2]], 0)
        return ([*w.said(at, "not", "in"), w.tokens[at + 2]], at + 3) if known else None
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
    found = found or [name for name in w.rows_at(at) if name in w.cubes]
    found = found or sorted({m.member.split(".", 1)[0] for m in w.meta.values.find(w.tokens, at) if m.quality >= _SURE})
    return min(found, key=len) if found else None


def _dated(w: Wording, relation: str, word: str) -> str | None:
    """The time that says when something was done to the rows."""
    found = [path for path in w.meta.times([relation]) if w.meta.parts(path)[:1] == (word,)]
    return found[0] if len(found) == 1 and len(w.meta.parts(found[0])) <= 2 else None


def _kept_if_so(w: Wording, relation: str, word: str) -> str | None:
    """``insured`` of an ``insurance_company``: what is filled where that was done, by a noun of the verb's family."""
    columns = [
        m for m in w.meta.relation(relation).members.values() if m.kind == "dimension" and m.path in w.meta.members
    ]
    if any(m.type == "boolean" and word in w.meta.parts(m.path) for m in columns):
        return None
    found = [m.path for m in columns if m.type != "time" and root(w.meta.parts(m.path)[0]) == root(word)]
    return found[0] if len(found) == 1 and w.meta.profile(found[0]).missing else None
