"""The clauses of a reading in another language: what stands on the chips over an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from ....protocol.reading import Reading, ReadingClause, ReadingLimit
from ..forms import Condition, Expression, Form, Order
from ..forms.walking import conjuncts
from ..schema.metadata import Metadata
from .analyses import heading_in
from .naming import Naming
from .phrases import NoPhrase, phrases_of

__all__ = ["reading_in"]

Of = TypeVar("Of")


def reading_in(code: str, reading: Reading, form: Form, metadata: Metadata) -> Reading:
    """A reading whose words are in a language; a clause that it has no words for keeps its own."""
    chips = _Chips(Naming(phrases_of(code), metadata), form)

    def told(clauses: Sequence[ReadingClause], of: Sequence[Of], words: Callable[[Of], str]) -> list[ReadingClause]:
        return [_told(clause, each, words, code, metadata) for clause, each in zip(clauses, of, strict=True)]

    terms = [[term for each in part for term in conjuncts(each.condition)] for part in (form.where, form.having)]
    limit = reading.limit
    return replace(
        reading, language=code,
        measures=told(reading.measures, [c.expression for c in form.measures], chips.of),
        groups=told(reading.groups, [c.expression for c in form.groups], chips.of),
        columns=told(reading.columns, [c.expression for c in form.columns], chips.of),
        where=told(reading.where, terms[0], chips.condition), having=told(reading.having, terms[1], chips.condition),
        sort=told(reading.sort, form.order, chips.order), limit=chips.limit(limit) if limit is not None else None,
    )  # fmt: skip


class _Chips:
    def __init__(self, naming: Naming, form: Form) -> None:
        self._naming, self._form, self._say = naming, form, naming.phrases.say

    def of(self, of: Expression) -> str:
        return self._naming.of(of, self._form)

    def condition(self, of: Condition) -> str:
        return self._naming.condition(of)

    def order(self, order: Order) -> str:
        return self._say("falling" if order.descending else "rising", of=self.of(order.by))

    def limit(self, limit: ReadingLimit) -> ReadingLimit:
        plain = not limit.per and not limit.skip
        return replace(limit, words=self._say("only_first", count=limit.count)) if plain else limit


def _told(clause: ReadingClause, of: Of, words: Callable[[Of], str], code: str, metadata: Metadata) -> ReadingClause:
    try:
        return replace(clause, words=words(of))
    except NoPhrase:
        return replace(clause, words=heading_in(code, clause.words, metadata) or clause.words)
