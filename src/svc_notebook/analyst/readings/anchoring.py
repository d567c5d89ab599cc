"""Which clauses of a form the question says, which an earlier turn kept, and which are assumed.

A clause counts as said where one of its own words stands in the question: a value, or a word of the name, title or
synonyms of what it is about. That is looked up in the question as it stands, so that the span can be shown.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ... import patterns as re
from ...semantic.catalog import Catalog
from ..offline.forms import Aggregate, Anchor, Form, Limit, Member, Part, Truncated, Value
from ..offline.forms.canonical import key
from ..offline.forms.walking import parts
from ..offline.words.text import name_parts, stem

__all__ = ["anchored"]

_WORD = re.compile(r"\w+")
_AGGREGATES = {
    # Not "how": it asks for a manner as well ("how are fees distributed").
    "rows": ("many", "often", "number", "count"), "count": ("many", "often", "number", "count"),
    "count_distinct": ("many", "different", "distinct", "unique", "number"), "sum": ("total", "sum", "overall"),
    "avg": ("average", "mean", "avg"), "min": ("smallest", "lowest", "least", "minimum", "earliest", "shortest"),
    "max": ("largest", "highest", "most", "maximum", "latest", "longest"), "median": ("median",),
}  # fmt: skip
_SORTED = ("top", "most", "least", "highest", "lowest", "largest", "smallest", "best", "worst", "sorted", "ordered",
           "biggest", "latest", "first", "last", "descending", "ascending")  # fmt: skip
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def anchored(
    form: Form, question: str, catalog: Catalog, before: Form | None = None, turn: str = "", *, edited: bool = False
) -> Form:
    """The form with an anchor for each clause; ``before`` is what the turn with the message id ``turn`` was read as.

    ``edited``: somebody chose the clauses; those that were not there before are said, and by no words of a question.
    """
    return _Anchoring("" if edited else question, catalog, before, turn, Anchor("said" if edited else "assumed")).form(
        form
    )


class _Anchoring:
    def __init__(self, question: str, catalog: Catalog, before: Form | None, turn: str, other: Anchor) -> None:
        self.other = other
        self.question = question
        self.lower = _lower(question)
        self.catalog = catalog
        self.turn = turn
        self.kept = set(_clause_keys(before)) if before is not None else set()
        self.places: dict[str, tuple[int, int]] = {}
        for found in _WORD.finditer(question):
            self.places.setdefault(stem(found[0].lower()), found.span())

    def form(self, form: Form) -> Form:
        def shown(clauses: Any) -> Any:
            return tuple(replace(c, anchor=self._anchor(c.expression, self._words(c.expression))) for c in clauses)

        return form.with_(
            groups=shown(form.groups),
            measures=shown(form.measures),
            columns=shown(form.columns),
            where=tuple(replace(f, anchor=self._condition(f.condition)) for f in form.where),
            having=tuple(replace(f, anchor=self._condition(f.condition)) for f in form.having),
            order=tuple(replace(o, anchor=self._anchor(o, _SORTED)) for o in form.order),
            limit=self._limit(form.limit),
        )

    def _condition(self, condition: Any) -> Anchor:
        for value in (p.value for p in parts(condition, inner=False) if isinstance(p, Value)):
            if (span := self._value(value)) is not None:
                return self._said(span)
        return self._anchor(condition, self._words(condition) if not _values(condition) else ())

    def _value(self, value: Any) -> tuple[int, int] | None:
        if isinstance(value, dt.date):
            words = (value.isoformat(), f"{value:%B}", str(value.year))
            found = [span for word in words if (span := self._whole(word)) is not None]
            return min(found, key=lambda span: (span[0], -span[1]), default=None)
        text = f"{value:g}" if isinstance(value, float) else str(value)
        if (span := self._whole(text)) is not None or not isinstance(value, str):
            return span
        return self._place(word for word in _WORD.findall(value.lower()) if len(word) > 2)

    def _whole(self, text: str) -> tuple[int, int] | None:
        """Where a text stands in the question by itself, in whatever case (to make a pattern of it costs far more)."""
        text = _lower(text)
        at = self.lower.find(text) if text.strip() else -1
        while at >= 0:
            end = at + len(text)
            if not _WORD.match(self.lower[at - 1 : at]) and not _WORD.match(self.lower, end):
                return at, end
            at = self.lower.find(text, at + 1)
        return None

    def _limit(self, limit: Limit | None) -> Limit | None:
        if limit is None:
            return None
        word = _NUMBERS[limit.count] if limit.count < len(_NUMBERS) else ""
        span = self._value(limit.count) or (self._value(word) if word else None)
        span = span or (self._place(_SORTED) if limit.count == 1 else None)
        anchor = self._said(span) if span is not None else self._anchor(limit, ())
        return replace(limit, anchor=anchor)

    def _anchor(self, clause: Any, words: Iterable[str]) -> Anchor:
        span = self._place(words)
        if span is not None:
            return self._said(span)
        return Anchor("kept", turn=self.turn) if key(clause) in self.kept else self.other

    def _place(self, words: Iterable[str]) -> tuple[int, int] | None:
        return next((self.places[stem(w)] for w in words if stem(w) in self.places), None)

    def _said(self, span: tuple[int, int]) -> Anchor:
        return Anchor("said", *span, self.question[slice(*span)])

    def _words(self, of: Any) -> Iterator[str]:
        """The words that say a part: of its members first, then of what is done with them."""
        for part in parts(of, inner=False):
            if isinstance(part, Member):
                yield from self._member(part)
        for part in parts(of, inner=False):
            if isinstance(part, Truncated):
                yield from (part.grain, f"{part.grain}ly", "daily" if part.grain == "day" else part.grain)
            elif isinstance(part, Part):
                yield part.part
            elif isinstance(part, Aggregate):
                yield from _AGGREGATES.get(part.function, ())

    def _member(self, member: Member) -> Iterator[str]:
        relation = self.catalog.relations.get(member.relation)
        known = relation.members.get(member.name) if relation is not None else None
        for text in (member.name, *((known.title, *known.synonyms) if known is not None else ())):
            yield from (part.lower() for part in name_parts(text) if len(part) > 1)


def _values(condition: Any) -> bool:
    return any(isinstance(p, Value) for p in parts(condition, inner=False))


def _clause_keys(form: Form) -> Iterator[Any]:
    for clause in (*form.groups, *form.measures, *form.columns):
        yield key(clause.expression)
    for item in (*form.where, *form.having):
        yield key(item.condition)
    yield from (key(order) for order in form.order)
    if form.limit is not None:
        yield key(form.limit)


def _lower(text: str) -> str:
    """In lower case, each letter in its place: some have two there."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower()[0] for c in text)
