"""A question's words and the model they are asked of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property

from ..... import patterns as re
from .....records import dataclass
from ...lexicon.bounds import bound_at
from ...schema.metadata import Metadata
from ...words.numbers import exact_unit, number_word
from ...words.text import Token, singular, stem

__all__ = ["Wording", "called", "named_rows"]

_ENDS = frozenset({"?", ".", "!"})
_LISTING = frozenset({"list", "show", "name", "give"})
_LONGEST = 3  # words of a number's name
_CAPITALS = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)+")


@dataclass(frozen=True)
class Wording:
    """A question's words and the model they are asked of."""

    tokens: Sequence[Token]
    meta: Metadata
    now: datetime
    default_year: int | None

    @cached_property
    def words(self) -> list[str]:
        return [token.lower for token in self.tokens]

    def at(self, place: int) -> str:
        return self.words[place] if 0 <= place < len(self.words) else ""

    def bound(self, place: int) -> int:
        """How many words of a bound stand at a place (``more than``, ``over``, ``at least``), or 0."""
        return bound_at(self.words, place)[0]

    @cached_property
    def end(self) -> int:
        """The place behind the last word, before what a sentence ends in."""
        return len(self.words) - (bool(self.words) and self.words[-1] in _ENDS)

    def said(self, place: int, *words: str) -> list[Token]:
        """Words in the place of a token."""
        token = self.tokens[place]
        plain = replace(token, kind="word", value=None)
        number = replace(token, kind="number")
        return [
            replace(number, text=word, lower=word, stem=word, value=float(word))
            if word.isdigit()
            else replace(plain, text=word, lower=word, stem=stem(word))
            for word in words
        ]

    @property
    def numbers(self) -> list[str]:
        """The numbers of the model's rows."""
        return self.meta.number_names.paths

    def kind_end(self, at: int) -> int:
        """The place behind the longest name of a kind (rows of a relation, values of a text) at a place; or 0."""
        return self.meta.kind_names.end(self.tokens, at) or 0

    def number_end(self, at: int) -> int:
        """The place behind the longest name of a number of rows at a place; or 0."""
        known = self.meta.number_names.called
        ends = (at + size for size in range(min(_LONGEST, len(self.tokens) - at), 0, -1))
        return next((end for end in ends if tuple(token.stem for token in self.tokens[at:end]) in known), 0)

    def kind_start(self, end: int) -> int | None:
        """Where the longest name of a kind begins that ends before a place."""
        known = self.meta.kind_names
        asked = int(self.at(0) in _LISTING)  # "list all airlines" asks for airlines, of whatever is called a list
        for size in range(min(known.longest, end - asked), 0, -1):
            if tuple(token.stem for token in self.tokens[end - size : end]) in known.called:
                return end - size
        return None

    def rows_at(self, at: int) -> tuple[str, ...]:
        """The relations whose rows the noun at a place is for."""
        return self.meta.kind_names.rows.get(self.tokens[at].stem, ()) if 0 <= at < len(self.tokens) else ()

    def plural(self, relation: str) -> list[str]:
        """The words for several rows of a relation."""
        *before, last = self.meta.words_of(relation)
        return [*before, f"{singular(last)}s"]

    def kept_in(self, unit: str) -> str | None:
        """The one number whose name ends in a unit: ``weight_kg`` for *kilos*."""
        said = exact_unit(unit)
        ends = {p: exact_unit(self.meta.parts(p)[-1]) for p in self.numbers if p.split(".", 1)[0] in self.cubes}
        found = [path for path, kept in ends.items() if kept == said] if said is not None else []
        return found[0] if len(found) == 1 else None

    @cached_property
    def cubes(self) -> list[str]:
        """The relations that are no views; where a model shows nothing but views, these."""
        relations = self.meta.catalog.relations
        return [name for name, relation in relations.items() if relation.kind == "cube"] or list(relations)

    @cached_property
    def names(self) -> frozenset[tuple[str, ...]]:
        """The words of each name that a member has."""
        return frozenset(self.meta.parts(path) for path in self.meta.members)

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The first words of the names of all members that are of no view."""
        cubes = set(self.cubes)
        return frozenset(
            parts[0]
            for path in self.meta.members
            if path.split(".", 1)[0] in cubes and (parts := self.meta.parts(path))
        )

    @property
    def delays(self) -> list[str]:
        """The numbers that are called a delay."""
        return self.meta.delays

    def name(self, fits: Callable[[str], bool]) -> list[str] | None:
        """The words of the one name that numbers which fit have: the shortest, where it is the end of all others."""
        names = sorted(
            {tuple(self.meta.parts(path)) for path in self.numbers if fits(path)}, key=lambda name: (len(name), name)
        )
        alike = bool(names) and all(name[-len(names[0]) :] == names[0] for name in names)
        return list(names[0]) if alike else None

    def is_number(self, place: int) -> bool:
        word = self.at(place)
        return bool(word) and (self.tokens[place].kind == "number" or number_word(word) is not None)

    @cached_property
    def facts(self) -> list[str]:
        """The relations whose rows have a time."""
        return [name for name in self.meta.catalog.relations if self.meta.times([name])]

    @cached_property
    def places(self) -> list[str]:
        """What the relations with a time are described by, where all of them are described by it."""
        told = [self.meta.relation(name).description or "" for name in self.facts]
        capitals = [set(_CAPITALS.findall(text)) for text in told if text]
        both = set.intersection(*capitals) if capitals else set[str]()
        return [name.lower() for name in both]

    def times(self) -> list[str]:
        """The time that is meant where none is named, of each relation."""
        found = [self.meta.times([name])[:1] for name in self.meta.catalog.relations]
        return [path for each in found for path in each]


def named_rows(meta: Metadata, relation: str) -> Iterator[str]:
    yield from meta.words_of(relation)
    yield from meta.relation(relation).synonyms


def called(meta: Metadata, path: str) -> set[str]:
    """Stems of a member's own words and of those that it is called by as well."""
    return {stem(word) for word in (*meta.parts(path), *meta.members[path].synonyms)}
