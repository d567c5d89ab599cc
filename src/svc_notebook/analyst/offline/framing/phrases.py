"""Phrases over words: written with kinds (``<wish> to <know>``), found where they begin or end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Phrases"]

Kinds = Mapping[str, Sequence[str]]


class Phrases:
    """Phrases by the words they can begin with, and what each stands for.

    A word is optional with ``?`` behind it, and may be said several times with ``*``; ``<kind>`` is any phrase of that
    kind.
    """

    def __init__(self, table: Mapping[str, str], kinds: Kinds) -> None:
        self._kinds = {name: tuple(tuple(one.split()) for one in phrases) for name, phrases in kinds.items()}
        self._starting: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for phrase, meant in table.items():
            elements = tuple(phrase.split())
            for word in set(self._firsts(elements)):
                self._starting.setdefault(word, []).append((elements, meant))

    def at(self, words: Sequence[str], place: int) -> tuple[int, str] | None:
        """Where the longest phrase that begins at a place ends, and what it stands for."""
        if place >= len(words):
            return None
        found = (
            (end, meant)
            for elements, meant in self._starting.get(words[place], ())
            for end in self._ends(elements, words, place)
        )
        return max(found, default=None, key=lambda one: one[0])

    def is_whole(self, words: Sequence[str], place: int) -> bool:
        """Whether all words from a place on are one phrase."""
        if place >= len(words):
            return False
        phrases = self._starting.get(words[place], ())
        return any(len(words) in self._ends(elements, words, place) for elements, _ in phrases)

    def _ends(self, elements: Sequence[str], words: Sequence[str], place: int) -> set[int]:
        places = {place}
        for element in elements:
            word, optional, often = element.rstrip("?*"), element[-1] in "?*", element[-1] == "*"
            reached = {end for at in places for end in self._after(word, words, at)}
            further = reached
            while often and further:
                further = {end for at in further for end in self._after(word, words, at)} - reached
                reached |= further
            places = reached | places if optional else reached
            if not places:
                break
        return places

    def _after(self, word: str, words: Sequence[str], place: int) -> Iterator[int]:
        if word.startswith("<"):
            for phrase in self._kinds[word[1:-1]]:
                yield from self._ends(phrase, words, place)
        elif place < len(words) and words[place] == word:
            yield place + 1

    def _firsts(self, elements: Sequence[str]) -> Iterator[str]:
        for element in elements:
            word = element.rstrip("?*")
            if word.startswith("<"):
                for phrase in self._kinds[word[1:-1]]:
                    yield from self._firsts(phrase)
            else:
                yield word
            if element[-1] not in "?*":
                return
