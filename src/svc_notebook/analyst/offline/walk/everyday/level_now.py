"""A level as it stands: *what's my current balance*, *battery level now*, where one table says it moment by moment."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording, called

__all__ = ["level_now"]

_LEAD = frozenset("what what's is was are the my our show me give how much s".split())
_NOW = frozenset({"current", "latest", "present", "newest"})
_BEHIND = (("right", "now"), ("at", "the", "moment"), ("as", "of", "now"), ("now",), ("currently",))
_LONGEST = 3
_OF = frozenset({"level", "reading", "value", "state"})  # of what is a level anyway


def level_now(w: Wording, at: int) -> Found | None:
    """The time and the number of the last row, where the number is a stock, a level or a part of a hundred."""
    if at or len(w.cubes) != 1 or len(w.facts) != 1:
        return None
    start = 0
    while w.at(start) in _LEAD:
        start += 1
    end = w.end
    size = next((len(words) for words in _BEHIND if tuple(w.words[end - len(words) : end]) == words), 0)
    first = w.at(start) in _NOW or w.words[start : start + 2] == ["most", "recent"]
    if not (size or first):
        return None
    start += first * (1 + (w.at(start) == "most"))
    end -= size
    told = [token for token in w.tokens[start:end] if token.lower not in ("the", "my", "our")]
    while len(told) > 1 and told[-1].lower in _OF:
        told = told[:-1]
    said = {token.stem for token in told}
    found = [path for path in w.numbers if said and said <= called(w.meta, path)]
    if not 0 < len(told) <= _LONGEST or len(found) != 1 or not _stands(w, found[0]):
        return None
    time = w.meta.parts(w.meta.times(w.facts)[0])
    return [*w.said(0, "last", "1", "rows", *time, "and"), *told], w.end


def _stands(w: Wording, path: str) -> bool:
    meta = w.meta.members[path].meta or {}
    return meta.get("kind") in ("stock", "level") or meta.get("unit") == "%"
