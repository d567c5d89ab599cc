"""The best and the worst to do something: by how late rows are, else by their marks."""

from __future__ import annotations

from ...schema.polarity import marks
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["best_to"]

_ENDS = frozenset({"", "?", ".", "!"})
_BEHIND = frozenset({"with", "on", "from", "out", "in", "at", "there"})
_ASKING = frozenset({"what", "what's", "which", "when", "is", "was", "the", "are"})
_LEAD = 4  # words before the superlative
_TIMES = {("time", "of", "day"): ("hour",), ("time", "of", "the", "day"): ("hour",), ("time", "of", "year"): ("month",)}


def best_to(w: Wording, at: int) -> Found | None:
    """``worst day to fly``, ``which courier is the worst``: where what is late is so by most, of rows that can be."""
    if at:
        return None
    place = next((p for p in range(_LEAD) if w.at(p) not in _ASKING), _LEAD)
    if w.at(place) in ("best", "worst"):
        said, best, start = place, w.at(place) == "best", place + 1
        end = next((p for p in range(start + 1, start + 5) if w.at(p) == "to"), None)
        if end is None or not w.at(end + 1).isalpha():
            return None
        behind = end + 2 + (w.at(end + 2) in _BEHIND)
        noun = tuple(w.words[start:end])
    else:  # "which airline is the worst", "what time of day is best to fly"
        being = next((p for p in range(place + 1, place + 5) if w.at(p) in ("is", "was")), 0)
        said = being + 1 + (w.at(being + 1) == "the")
        if not being or w.at(place) == "of" or w.at(said) not in ("best", "worst") or w.at(0) not in ("which", "what"):
            return None
        best, noun = w.at(said) == "best", tuple(w.words[place:being])
        going = w.at(said + 1) == "to" and w.at(said + 2).isalpha()  # to fly, for flying; not for cancellations
        behind = said + 1 + 2 * (going or w.at(said + 1) == "for" and w.at(said + 2).endswith("ing"))
    by = _goes_by(w, best)
    if by is None or w.at(behind) not in _ENDS or not noun or w.tokens[said].stem in w.meta.vocabulary:
        return None
    named = _TIMES.get(noun, noun)
    return w.said(0, "which", *named, "has", "the", *by), behind


def _goes_by(w: Wording, best: bool) -> tuple[str, ...] | None:
    """The number that is low where it is good, or high, and which way."""
    if len({path.split(".", 1)[0] for path in w.delays}) == 1:
        return ("lowest" if best else "highest", "average", *w.meta.parts(w.delays[0]))
    given = marks(w.meta, w.meta.catalog.relations)
    if len(given) == 1:
        return ("highest" if best else "lowest", "average", *w.meta.parts(given[0]))
    return None
