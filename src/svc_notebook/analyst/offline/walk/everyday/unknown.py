"""Rows of which something is not known: *readings with no value*, *sensors with unknown battery*, *not recorded*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = [
    "column_of", "gaps", "not_known_to_us", "not_recorded", "unknown_so", "with_column", "without_column",
]  # fmt: skip

_UNKNOWN = frozenset({"unknown", "missing", "unrecorded", "undefined", "unspecified", "blank", "empty", "no", "unset"})
_RECORDED = frozenset(
    "recorded known given stated entered noted registered filled available measured specified set provided".split()
)
_BEING = frozenset({"is", "was", "are", "were", "has", "have"})
_NOT = frozenset({"not", "never", "isn't", "wasn't", "aren't", "weren't"})
_HAVING = frozenset({"has", "have", "had", "with"})
_ARTICLES = frozenset({"a", "an", "the", "any", "known"})
_LEVELS = frozenset({"level", "value", "amount", "number", "figure", "information", "data", "date", "name"})
_ENDS = frozenset({"", "?", ".", "!", ",", ")", "and", "by", "per", "in", "for"})
_CLOSING = frozenset({"", "?", ".", "!"})
_WHERE = frozenset({"where", "whose", "which", "when"})
_LONGEST = 4  # words of a column's name


def unknown_so(w: Wording, at: int) -> Found | None:
    """``sensors with unknown battery level``, ``had missing prices``: without it."""
    start = at + 1 + (w.at(at + 1) in ("a", "an"))
    if w.at(at) not in _HAVING | {"having"} or w.at(start) not in _UNKNOWN - {"no"}:
        return None
    named = column_of(w, start + 1)
    if named is None or _is_known_word(w, start, named[0]):
        return None
    end = named[1] + (w.at(named[1]) in _LEVELS)
    said = [*w.said(at, "without"), *w.said(start + 1, *w.meta.parts(named[0]))]
    return (said, end) if w.at(end) in _ENDS else None


def not_recorded(w: Wording, at: int) -> Found | None:
    """``visits where the cost of parts was not recorded``, ``whose price is unknown``: without it."""
    if w.at(at) not in _WHERE or not at:
        return None
    start = at + 1 + (w.at(at + 1) in _ARTICLES)
    for being in range(start + 1, min(len(w.words), start + _LONGEST + 2)):
        if w.at(being) not in _BEING:
            continue
        end = being + 1 + (w.at(being + 1) in _NOT)
        denied = end > being + 1 and w.at(end) in _RECORDED
        told = denied or end == being + 1 and w.at(end) in _UNKNOWN - {"no"}
        named = column_of(w, start) if told else None
        if named is None and told:  # "the cost of parts" of a column of parts
            of = next((place for place in range(start, being) if w.at(place) == "of"), None)
            named = column_of(w, of + 1 + (w.at(of + 1) in _ARTICLES)) if of is not None else None
        if named is not None and named[1] + (w.at(named[1]) in _LEVELS) == being and w.at(end + 1) in _ENDS:
            return [*w.said(at, "without"), *w.said(start, *w.meta.parts(named[0]))], end + 1
        return None
    return None


def not_known_to_us(w: Wording, at: int) -> Found | None:
    """``guests whose town we don't know``: without it."""
    named = (column_of(w, at + 1) or _by_its_last_word(w, at)) if at and w.at(at) == "whose" else None
    if named is None:
        return None
    place = named[1]
    knows = place + 1
    if w.at(place) in _US and w.at(knows) in _DENYING:
        knows += 1
    elif w.at(place) in _US and w.at(knows) in ("do", "did") and w.at(knows + 1) == "not":
        knows += 2
    elif w.at(place) not in ("nobody", "noone"):
        return None
    if w.at(knows) not in ("know", "knows", "have", "has", "knew", "had") or w.at(knows + 1) not in _ENDS:
        return None
    return [*w.said(at, "without"), *w.said(at + 1, *w.meta.parts(named[0]))], knows + 1


def _by_its_last_word(w: Wording, at: int) -> tuple[str, int] | None:
    """The one column with empty cells of the rows named before, whose name ends in the word behind."""
    # One in a role has a longer name.
    rows = {min(names, key=len) for place in range(at) if (names := w.rows_at(place))}
    own = [path for path in gaps(w) if path.split(".", 1)[0] in rows]
    found = [path for path in own if at + 1 < len(w.tokens) and stem(w.meta.parts(path)[-1]) == w.tokens[at + 1].stem]
    return (found[0], at + 2) if len(found) == 1 else None


_US = frozenset({"we", "i", "they"})


def without_column(w: Wording, at: int) -> Found | None:
    """``readings with no value``, ``which class has no room``: rows where that column of theirs is empty."""
    if w.at(at) not in _HAVING or w.at(at + 1) != "no" or not at:
        return None
    named = column_of(w, at + 2)
    if named is None or w.at(named[1]) not in _CLOSING:
        return None
    said = w.said(at, "without"), w.said(at + 2, *w.meta.parts(named[0]))
    return [*said[0], *said[1]], named[1]


_DENYING = frozenset("not never dont don't doesnt doesn't didnt didn't".split())


def with_column(w: Wording, at: int) -> Found | None:
    """``members with a phone number``, ``that have an end date``: rows where that column of theirs is not empty."""
    if w.at(at) not in _HAVING or w.at(at + 1) not in ("a", "an") or not at or w.at(at - 1) in _DENYING:
        return None
    named = column_of(w, at + 2)
    if named is None or w.at(named[1]) not in _ENDS or w.meta.member(named[0]).type not in ("time", "string"):
        return None
    if tuple(token.stem for token in w.tokens[at + 2 : named[1]]) != tuple(map(stem, w.meta.parts(named[0]))):
        return None
    return w.said(at, "where", *w.meta.parts(named[0]), "is", "not", "null"), named[1]


def _is_known_word(w: Wording, at: int, path: str) -> bool:
    """Whether the model has a word for what is missing: not where it is only a value of another column."""
    values = w.meta.values.find(w.tokens, at)
    column = path.rsplit(".", 1)[-1]
    return (
        any(v.member.rsplit(".", 1)[-1] == column for v in values)
        if values
        else (w.tokens[at].stem in w.meta.vocabulary)
    )


def column_of(w: Wording, start: int) -> tuple[str, int] | None:
    """The one column with empty cells that words name, by all of its name or by all but its last word; and the end."""
    for size in range(_LONGEST, 0, -1):
        said = tuple(token.stem for token in w.tokens[start : start + size])
        if len(said) < size or _are_rows(w, said):
            continue
        found = [path for path in gaps(w) if said in _called(w, path)]
        whole = [path for path in found if said == tuple(map(stem, w.meta.parts(path)))] or found
        # A table in a role has the same columns under a longer name.
        plain = min(whole, key=len, default="")
        if whole and all(path.endswith(plain) for path in whole):
            return plain, start + size
        if whole:
            return None
    return None


def _are_rows(w: Wording, said: tuple[str, ...]) -> bool:
    """Whether words name rows of their own: an account without subscription has none of those."""
    return any(phrase.member is None and phrase.stems == said for phrase in w.meta.phrases)


_KEPT = frozenset({"number", "id", "value", "amount", "name", "code", "date", "percent", "level", "time"})


def _called(w: Wording, path: str) -> tuple[tuple[str, ...], ...]:
    parts = w.meta.parts(path)
    said = tuple(map(stem, parts))
    short = said[:-1] if len(parts) > 1 and parts[-1] in _KEPT else said
    return said, short


def gaps(w: Wording) -> list[str]:
    """Columns of which some rows have nothing."""
    cubes = set(w.cubes)
    own = [p for p, m in w.meta.members.items() if m.kind == "dimension" and p.split(".", 1)[0] in cubes]
    return [path for path in own if w.meta.profile(path).missing]
