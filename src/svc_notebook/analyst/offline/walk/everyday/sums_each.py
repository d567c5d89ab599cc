"""What adds up, of one day or month on average: *average consumption per day*, *average monthly spending*."""

from __future__ import annotations

from ...calendar.units import ADVERBS
from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording, called

__all__ = ["sum_each"]

_MEAN = frozenset({"average", "avg", "mean"})
_ADVERBS = {word: unit for word, unit in ADVERBS.items() if unit != "hour"}
_UNITS = frozenset(_ADVERBS.values())
_EACH = frozenset({"per", "a", "each", "every", "an"})
_LEAD = frozenset("what what's is was the our my show me give how much of tell".split())
_BEHIND = frozenset("in on for at during since last this from with where between over and ? .".split())
_LONGEST = 3  # words of a number


def sum_each(w: Wording, at: int) -> Found | None:
    """The mean of what each day comes to, and no series of means, where a number is of what adds up."""
    if w.at(at) not in _MEAN or not all(word in _LEAD for word in w.words[:at]):
        return None
    unit, start = _ADVERBS.get(w.at(at + 1), ""), at + 1
    start += bool(unit)
    end = next((end for end in range(min(start + _LONGEST, w.end), start, -1) if _adds_up(w, start, end)), 0)
    if not end:
        return None
    behind = end
    if not unit:
        if w.at(end) not in _EACH or w.at(end + 1) not in _UNITS:
            return None
        unit, behind = w.at(end + 1), end + 2
    if behind < len(w.words) and w.at(behind) not in _BEHIND:
        return None
    return [*w.tokens[start:end], *w.said(at, "per", unit, "on", "average")], behind


def _adds_up(w: Wording, start: int, end: int) -> bool:
    """Whether words name what each row uses, makes, spends or counts, and nothing else."""
    said = {token.stem for token in w.tokens[start:end] if token.lower not in ("the", "of", "total")}
    found = [path for path in w.numbers if said and said <= _names(w, path)]
    meant = [w.meta.members[path].meta or {} for path in found]
    return bool(found) and all(
        one.get("flow") or one.get("kind") == "quantity" and one.get("aggregate") == "sum" for one in meant
    )


def _names(w: Wording, path: str) -> set[str]:
    synonyms = {stem(word) for name in w.meta.members[path].synonyms for word in name.split()}
    return called(w.meta, path) | synonyms
