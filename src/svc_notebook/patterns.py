"""``re``, whose patterns are compiled when they are first used: ``from … import patterns as re``.

There are five hundred of them in the package, and one question uses two in five.
"""

from __future__ import annotations

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

__all__ = [
    "ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "VERBOSE", "Match", "Pattern", "compile", "escape", "findall",
    "finditer", "fullmatch", "match", "search", "split", "sub",
]  # fmt: skip

if TYPE_CHECKING:
    from re import compile  # noqa: A004 (as in `re`)
else:

    class compile:  # noqa: A001, N801 (as in `re`)
        """A pattern that is compiled when it is first asked for anything; from then on, that is its own attribute."""

        def __init__(self, pattern, flags=0):
            self._said = pattern, flags

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):  # copying and pickling ask for what a pattern need not have
                raise AttributeError(name)
            found = getattr(_compile(*self._said), name)
            setattr(self, name, found)
            return found

        def __repr__(self) -> str:
            return f"compile{self._said}"
