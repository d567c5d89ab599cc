"""Looking names up: exact first, then without regard to ASCII case, as DuckDB and unquoted SQL names do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

__all__ = ["Names", "fold", "misspelt", "nearest"]

T = TypeVar("T")
# Not lower() for other letters: that of the Kelvin sign is a k, and a name must not reach another one by it.
_UPPER = {c: c + 32 for c in range(ord("A"), ord("Z") + 1)}


def fold(name: str) -> str:
    """ASCII case folding and nothing more: no other letters are ever equal to each other."""
    return name.lower() if name.isascii() else name.translate(_UPPER)


class Names(Generic[T]):
    """Things by name, in order."""

    def __init__(self) -> None:
        self.exact: dict[str, T] = {}
        self._folded: dict[str, list[str]] | None = None

    def add(self, name: str, value: T) -> None:
        self.exact[name] = value
        self._folded = None

    def get(self, name: str) -> T | None:
        """The thing of that name; None if there is none, or if only several others differ in case alone."""
        if name in self.exact:
            return self.exact[name]
        folded = self._folded
        if folded is None:  # most names are written as they are
            folded = {}
            for known in self.exact:
                folded.setdefault(fold(known), []).append(known)
            self._folded = folded
        found = folded.get(fold(name), ())
        return self.exact[found[0]] if len(found) == 1 else None

    def __iter__(self) -> Iterator[str]:
        return iter(self.exact)

    def __len__(self) -> int:
        return len(self.exact)


def misspelt(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known name of which this is a slip of the pen, or the beginning; none if it may as well be another's."""
    # Imported here: only a refusal needs it.
    import difflib

    by_folded = {fold(c): c for c in known}
    wanted = fold(name)
    # Closer than nearest() asks for: this one is taken, that one is only shown.
    close = difflib.get_close_matches(wanted, list(by_folded), n=1, cutoff=0.8)
    longer = sorted((f for f in by_folded if len(name) > 2 and f.startswith(wanted)), key=len)
    return tuple(by_folded[f] for f in (close or longer)[:1])


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The names most like ``name``, best first; none if nothing is close."""
    import difflib

    by_folded = {fold(c): c for c in candidates}
    close = difflib.get_close_matches(fold(name), list(by_folded), n=limit, cutoff=0.6)
    inside = [f for f in by_folded if len(name) > 2 and (fold(name) in f or f in fold(name)) and f not in close]
    return tuple(by_folded[f] for f in (close + sorted(inside, key=len))[:limit])
