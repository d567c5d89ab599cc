"""Phrases over words: written with kinds (``<wish> to <know>``), found where they begin or end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

__all__ = ["Kinds", "Phrases"]


class _Element(NamedTuple):
    """A word of a phrase, or a kind of phrases; ``often``: it may be said several times."""

    word: str
    kind: bool
    optional: bool
    often: bool


_Phrase = tuple[_Element, ...]


def _elements(phrase: str) -> _Phrase:
    return tuple(
        _Element(one.rstrip("?*").strip("<>"), one[0] == "<", one[-1] in "?*", one[-1] == "*") for one in phrase.split()
    )


class Kinds:
    """Phrases that may stand for one another, by name, and by the words they can begin with."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self._table = table
        self._made: dict[str, dict[str, list[_Phrase]]] = {}

    def beginning(self, name: str) -> dict[str, list[_Phrase]]:
        """The phrases of a kind by each word that they can begin with."""
        if name not in self._made:
            self._made[name] = self.by_first((_elements(one), one) for one in self._table[name])[0]
        return self._made[name]

    def by_first(self, phrases: Iterable[tuple[_Phrase, str]]) -> tuple[dict[str, list[_Phrase]], dict[_Phrase, str]]:
        """Phrases by each word that they can begin with, and what is said of each."""
        starting: dict[str, list[_Phrase]] = {}
        told = dict(phrases)
        for phrase in told:
            for word in set(self._firsts(phrase)):
                starting.setdefault(word, []).append(phrase)
        return starting, told

    def ends(self, phrase: _Phrase, words: Sequence[str], place: int) -> set[int]:
        """Where a phrase that begins at a place can end."""
        places = {place}
        for element in phrase:
            reached = {end for at in places for end in self._after(element, words, at)}
            further = reached
            while element.often and further:
                further = {end for at in further for end in self._after(element, words, at)} - reached
                reached |= further
            places = reached | places if element.optional else reached
            if not places:
                break
        return places

    def _after(self, element: _Element, words: Sequence[str], place: int) -> Iterator[int]:
        if place >= len(words):
            return
        if not element.kind:
            if words[place] == element.word:
                yield place + 1
            return
        for phrase in self.beginning(element.word).get(words[place], ()):
            yield from self.ends(phrase, words, place)

    def _firsts(self, phrase: _Phrase) -> Iterator[str]:
        for element in phrase:
            yield from self.beginning(element.word) if element.kind else (element.word,)
            if not element.optional:
                return


class Phrases:
    """Phrases by the words they can begin with, and what each stands for.

    A word is optional with ``?`` behind it, and may be said several times with ``*``; ``<kind>`` is any phrase of that
    kind.
    """

    def __init__(self, table: Mapping[str, str], kinds: Kinds) -> None:
        self._table = table
        self._kinds = kinds

    def at(self, words: Sequence[str], place: int) -> tuple[int, str] | None:
        """Where the longest phrase that begins at a place ends, and what it stands for."""
        starting, told = self._indexed
        phrases = starting.get(words[place], ()) if place < len(words) else ()
        found = ((end, told[phrase]) for phrase in phrases for end in self._kinds.ends(phrase, words, place))
        return max(found, default=None, key=lambda one: one[0])

    def is_whole(self, words: Sequence[str], place: int) -> bool:
        """Whether all words from a place on are one phrase."""
        phrases = self._indexed[0].get(words[place], ()) if place < len(words) else ()
        return any(len(words) in self._kinds.ends(phrase, words, place) for phrase in phrases)

    @cached_property
    def _indexed(self) -> tuple[dict[str, list[_Phrase]], dict[_Phrase, str]]:
        return self._kinds.by_first((_elements(phrase), meant) for phrase, meant in self._table.items())
