"""Who has something that a column holds: *patients with insurance*, *how many cats have no insurance*."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from ...schema.metadata import Metadata
from ...words.rewriting import Found
from ...words.shares_said import SHARE_WORDS
from ...words.text import stem, tokenize
from .unknown import column_of, gaps
from .wording import Wording

__all__ = ["has_some_of_a_column", "who_has"]

_VERBS = frozenset({"have", "has", "had", "having"})
_PRONOUNS = frozenset({"that", "which", "who"})
_DENIED = frozenset({"not", "never", "don't", "doesn't", "didn't", "dont", "doesnt", "didnt"})
_HELPING = frozenset({"do", "does", "did"})
_ARTICLES = frozenset({"a", "an", "any", "no"})
_PARTS = SHARE_WORDS | {"%"}
_COUNTS = frozenset({"many", "number", "count"})
_LITTLE = frozenset({"of", "the", "our", "all", "total"})
_ENDS = frozenset({"", "?", ".", "!", ","})
_GOES_ON = frozenset("are is were was do did have had by per in this last since before after but from and or".split())
_SURE = 0.85  # how well a value fits that is meant


def has_some_of_a_column(question: str, metadata: Metadata) -> bool:
    """Whether a question is of rows *with* something that a column holds."""
    w = Wording(tokenize(question), metadata, datetime(1, 1, 1), None)
    return any(word == "with" and who_has(w, place) is not None for place, word in enumerate(w.words))


class _Kind(NamedTuple):
    """The rows that have something: their relation, and whether a value of theirs says so (``cats``)."""

    relation: str
    is_value: bool
    start: int


def who_has(w: Wording, at: int) -> Found | None:
    """``cats that have insurance``: of whom the column is not empty; of a share, what its rows are measured by."""
    having, denied = _having(w, at)
    kind = _kind(w, at - 1) if having else None
    if kind is None:
        return None
    start = having + (w.at(having) in _ARTICLES)
    denied = denied or w.at(having) == "no"
    named = column_of(w, start) or _by_its_first_word(w, start, kind.relation)
    if named is None or not _ends(w, named[1], at) or not _fits(w, named[0], kind, start - having, at):
        return None
    rule = [*w.meta.parts(named[0]), "is", *(() if denied else ("not",)), "null"]
    # A share is of its rows; what a value stands for has no noun of its own to be counted.
    part = _of_part(w, kind.start)
    rows = w.plural(kind.relation) if kind.is_value and not part and _counted(w, kind.start) else []
    return w.said(at, *rows, "are" if part else "where", *(("where",) if part else ()), *rule), named[1]


def _ends(w: Wording, end: int, at: int) -> bool:
    """Whether nothing behind a column belongs to it; with whom, there may be more columns."""
    return w.at(end) in _ENDS or w.at(end) in _GOES_ON - ({"and", "or"} if w.at(at) == "with" else set())


def _having(w: Wording, at: int) -> tuple[int, bool]:
    """The place behind a word for having, or 0; and whether it is denied."""
    place = at + (w.at(at) in _PRONOUNS)
    place += w.at(place) in _HELPING and w.at(place + 1) in _DENIED
    denied = w.at(place) in _DENIED
    place += denied
    if w.at(place) in _VERBS or w.at(place) == "with" and place == at:
        return place + 1, denied
    return 0, False


def _kind(w: Wording, noun: int) -> _Kind | None:
    """The rows or the value that a noun names."""
    rows = w.rows_at(noun)
    if rows:
        return _Kind(min(rows, key=len), False, noun)
    for start in (noun, noun - 1):
        found = (
            [m for m in w.meta.values.find(w.tokens, start) if m.end == noun + 1 and m.quality >= _SURE]
            if start >= 0
            else []
        )
        relations = {match.member.split(".", 1)[0] for match in found}
        cubes = relations & set(w.cubes)
        if len(cubes) == 1:
            return _Kind(cubes.pop(), True, start)
    return None


def _fits(w: Wording, path: str, kind: _Kind, articles: int, at: int) -> bool:
    """Whether it is a text or a time of those rows, and said so that it may be had: ``orders with name`` shows it."""
    if path.split(".", 1)[0] != kind.relation or w.meta.member(path).type not in ("time", "string"):
        return False
    shown = w.at(at) == "with" and not articles and not (_of_part(w, kind.start) or _counted(w, kind.start))
    return not shown or w.meta.parts(path)[-1] not in ("name", "id")


def _by_its_first_word(w: Wording, at: int, relation: str) -> tuple[str, int] | None:
    """The one column with empty cells that only has a word: *insurance* of ``insurance_company``."""
    if at >= len(w.tokens) or w.tokens[at].kind != "word":
        return None
    said = w.tokens[at].stem
    bearing = [
        path for path in w.meta.members if said in map(stem, w.meta.parts(path)) and path.split(".", 1)[0] in w.cubes
    ]
    own = [path for path in bearing if path in gaps(w) and stem(w.meta.parts(path)[0]) == said]
    alone = len(own) == 1 == len({w.meta.parts(path) for path in bearing}) and own[0].split(".", 1)[0] == relation
    return (own[0], at + 1) if alone else None


def _of_part(w: Wording, start: int) -> bool:
    """Whether a share of the rows is asked for."""
    place = _before(w, start)
    return w.at(place) in _PARTS


def _counted(w: Wording, start: int) -> bool:
    """Whether it is asked how many rows there are."""
    return w.at(_before(w, start)) in _COUNTS


def _before(w: Wording, start: int) -> int:
    """The place of the word that stands before the little ones."""
    return next((place for place in range(start - 1, -1, -1) if w.at(place) not in _LITTLE), -1)
