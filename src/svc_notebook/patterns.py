"""``re``, whose patterns are compiled for the first text that may hold them: ``from … import patterns as re``.

There are seven hundred of them in the package; a question is held against two in five, and one in twenty stands in it.
"""

from __future__ import annotations

from functools import cached_property
from re import (
    ASCII,
    DOTALL,
    IGNORECASE,
    MULTILINE,
    VERBOSE,
    Match,
    Pattern,
    escape,
    findall,
    finditer,
    fullmatch,
    match,
    search,
    split,
    sub,
)
from re import compile as _compile
from typing import TYPE_CHECKING, Any

from .pattern_words import needed_words

__all__ = [
    "ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "VERBOSE", "Match", "Pattern", "compile", "escape", "findall",
    "finditer", "fullmatch", "match", "search", "split", "sub",
]  # fmt: skip

if TYPE_CHECKING:
    from re import compile  # noqa: A004 (as in `re`)
else:

    def _unless_refused(name, nothing, place=0):
        """A method of patterns, which says what comes of a text where nothing is found."""

        def method(self, *said, **named):
            if len(said) > place and self._refuses(said[place]):
                return nothing(said[place])
            return getattr(self._compiled, name)(*said, **named)

        method.__name__ = name
        return method

    class compile:  # noqa: A001, N801 (as in `re`)
        """A pattern that is compiled when it is needed; from then on, its methods are those of the compiled one.

        A text that cannot hold it is refused without. Once as many are as the pattern has letters, that has cost what
        compiling costs, and it is compiled as well.
        """

        def __init__(self, pattern, flags=0):
            self._said = pattern, flags
            self._refused = 0

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):  # copying and pickling ask for what a pattern need not have
                raise AttributeError(name)
            return getattr(self._compiled, name)

        search = _unless_refused("search", lambda _text: None)
        match = _unless_refused("match", lambda _text: None)
        fullmatch = _unless_refused("fullmatch", lambda _text: None)
        findall = _unless_refused("findall", lambda _text: [])
        finditer = _unless_refused("finditer", lambda _text: iter(()))
        split = _unless_refused("split", lambda text: [text])
        sub = _unless_refused("sub", lambda text: text, place=1)

        @cached_property
        def _compiled(self) -> Pattern[Any]:
            found = _compile(*self._said)
            for name in ("search", "match", "fullmatch", "findall", "finditer", "split", "sub"):
                setattr(self, name, getattr(found, name))
            return found

        @cached_property
        def _needed(self):
            """What a text must hold, and whether its letters may be small or large."""
            pattern, flags = self._said
            needed = () if flags & VERBOSE or not isinstance(pattern, str) else needed_words(pattern)
            if not flags & IGNORECASE:
                return needed, False
            return tuple(tuple(map(str.lower, words)) for words in needed), True

        def _refuses(self, text) -> bool:
            needed, either_case = self._needed
            if either_case:
                if not text.isascii():  # other letters are alike in more ways
                    return False
                text = text.lower()
            if all(any(map(text.__contains__, words)) for words in needed):
                return False
            self._refused += 1
            return self._refused < len(self._said[0])

        def __repr__(self) -> str:
            return f"compile{self._said}"
