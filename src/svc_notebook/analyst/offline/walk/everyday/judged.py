"""The best and the worst to do something, or of all there are: by how late rows are, else by their marks."""

from __future__ import annotations

from ...calendar.moments import MONTHS
from ...calendar.units import UNITS
from ...schema.polarity import is_bad_when_high, marks
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["best_alone", "best_to"]

_ENDS = frozenset({"", "?", ".", "!"})
_BEHIND = frozenset({"with", "on", "from", "out", "in", "at", "there"})
_ASKING = frozenset({"what", "what's", "which", "when", "is", "was", "the", "are"})
_OF_WHICH = frozenset({"for", "in", "at", "from", "on", "out", "of"})
_LEAD = 4  # words before the superlative
_TIMES = {
    ("time", "of", "day"): ("hour",),
    ("time", "of", "the", "day"): ("hour",),
    ("time", "of", "year"): ("month",),
    ("day", "of", "the", "week"): ("weekday",),
}


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


def best_alone(w: Wording, at: int) -> Found | None:
    """``worst month for each airline``, ``which was the best airline at JFK``: the same where nothing is to be done."""
    place = next((p for p in range(_LEAD) if w.at(p) not in _ASKING), _LEAD)
    if at or w.at(place) not in ("best", "worst") or len({path.split(".", 1)[0] for path in w.delays}) != 1:
        return None
    start = place + 1
    named = next((words for words in _TIMES if tuple(w.words[start : start + len(words)]) == words), ())
    end = start + (len(named) or 1) if named or w.at(start) in UNITS else w.kind_end(start) if start < w.end else 0
    by = _goes_by(w, w.at(place) == "best")
    if not end or by is None or w.tokens[place].stem in w.meta.vocabulary or not _names_whose(w, end):
        return None
    if (w.tokens[end - 1].stem,) in w.meta.number_names.partly:
        return None  # "worst delay by airline" is of that number
    of_each = w.at(end) == "by"
    rest = w.tokens[end + of_each : w.end]
    each = w.said(0, "for", "each") if of_each else []
    return [*w.said(0, "which", *_TIMES.get(named, w.words[start:end]), "has", "the", *by), *each, *rest], w.end


def _names_whose(w: Wording, end: int) -> bool:
    """Whether what stands behind says of which rows: of each of a kind, of a value, in a period; and no number."""
    if end == w.end:
        return True
    if w.at(end) == "by":
        return w.kind_end(end + 1) == w.end
    if w.at(end) not in _OF_WHICH or is_bad_when_high(w.words[end + 1 : w.end]):  # "worst month for cancellations"
        return False
    behind = end + 1 + (w.at(end + 1) in ("the", "of"))
    if w.at(behind) in ("each", "every"):
        return w.kind_end(behind + 1) == w.end
    if w.at(behind) in MONTHS or w.is_number(behind):
        return True
    found = w.meta.values.find(w.tokens, behind)
    return any(match.end == w.end and w.meta.member(match.member).type == "string" for match in found)


def _goes_by(w: Wording, best: bool) -> tuple[str, ...] | None:
    """The number that is low where it is good, or high, and which way."""
    if len({path.split(".", 1)[0] for path in w.delays}) == 1:
        return ("lowest" if best else "highest", "average", *w.meta.parts(w.delays[0]))
    given = marks(w.meta, w.meta.catalog.relations)
    if len(given) == 1:
        return ("highest" if best else "lowest", "average", *w.meta.parts(given[0]))
    return None
