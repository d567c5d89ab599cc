"""Both sides of a flag: *with and without insurance*, *new vs returning patients*; it is what they are set apart by."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["new_and_old", "with_and_without"]

_BETWEEN = frozenset({"and", "or", "vs", "versus", "against", "&", "/"})
_AUXILIARY = frozenset({"has", "have", "had", "is", "was", "are", "were", "with"})
_NOT_NEW = frozenset("old existing returning repeat regular recurring established".split())
_LONGEST = 3  # words of a flag's name


def with_and_without(w: Wording, at: int) -> Found | None:
    """``with and without insurance``, ``with vs without a garden``: by the flag that says whether."""
    if w.at(at) != "with" or w.at(at + 1) not in _BETWEEN or w.at(at + 2) != "without":
        return None
    start = at + 3 + (w.at(at + 3) in ("a", "an", "any", "the"))
    for size in range(_LONGEST, 0, -1):
        flags = _flags(w, start, size)
        if len(flags) == 1:
            return w.said(at, "by", *w.meta.parts(flags[0])), start + size
    return None


def new_and_old(w: Wording, at: int) -> Found | None:
    """``new and returning``, ``existing vs new``: by the flag that says what is new, where no value is called so."""
    words = w.at(at), w.at(at + 2)
    if w.at(at + 1) not in _BETWEEN or "new" not in words or not _NOT_NEW & {*words} or _NOT_NEW & w.meta.vocabulary:
        return None
    flags = _flags(w, at + 2 * words.index("new"), 1)
    named = [p for p in flags or _all(w) if stem("new") in map(stem, w.meta.parts(p))]
    return (w.said(at, "by", *w.meta.parts(named[0])), at + 3) if len(named) == 1 else None


def _flags(w: Wording, start: int, size: int) -> list[str]:
    """The flags whose name is just those words."""
    said = [token.stem for token in w.tokens[start : start + size]]
    return [p for p in _all(w) if [stem(part) for part in w.meta.parts(p) if part not in _AUXILIARY] == said]


def _all(w: Wording) -> list[str]:
    return [p for p, m in w.meta.members.items() if m.type == "boolean" and p.split(".", 1)[0] in w.cubes]
