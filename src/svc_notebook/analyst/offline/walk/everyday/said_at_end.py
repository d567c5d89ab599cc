"""What a question ends in that changes the whole of it: *…, adding up*, *…, worst first*."""

from __future__ import annotations

from ...schema.polarity import is_bad_when_high
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["adding_up", "best_first", "most_so_first"]

_RUNNING = (["adding", "up"], ["added", "up"], ["building", "up"], ["as", "it", "adds", "up"], ["adds", "up"])
_DIVIDED = frozenset({"by", "per", "each", "every"})
_LEADS = frozenset({"and", "then", "with", "the"})


def adding_up(w: Wording, at: int) -> Found | None:
    """``sheets per month this year, adding up``: their running total."""
    end = w.end
    said = next((words for words in _RUNNING if w.words[end - len(words) : end] == words), None)
    if at or said is None or end <= len(said):
        return None
    start = end - len(said) - (w.at(end - len(said) - 1) == ",")
    total = ["total"] if w.number_end(0) else []
    return [*w.said(0, "running", "total", "of", *total), *w.tokens[:start]], len(w.tokens)


_IN_TIME = frozenset("busiest quietest oldest newest earliest latest soonest youngest longest shortest".split())
_LEAST = frozenset("cheapest smallest lowest fewest lightest slowest least".split())


def most_so_first(w: Wording, at: int) -> Found | None:
    """``care cost per horse, most expensive first``, ``heaviest first``: all of them, the highest first."""
    end, size = w.end, 3 if w.at(w.end - 3) in ("most", "least") else 2
    place, word = end - size, w.at(end - size)
    if at != place or w.at(end - 1) != "first" or not _DIVIDED & set(w.words[:place]):
        return None
    if size == 2 and (not word.endswith("est") or word in _IN_TIME or w.tokens[place].stem in w.meta.vocabulary):
        return None
    return w.said(at, "lowest" if word in _LEAST else "highest", "first"), end


def best_first(w: Wording, at: int) -> Found | None:
    """``cancellation rate by ship, the worst one first``: all of them, the highest of what is bad first."""
    end = w.end
    place = end - 2 - (w.at(end - 2) in ("one", "ones"))
    if at != place or w.at(end - 1) != "first" or w.at(place) not in ("best", "worst") or place < 2:
        return None
    bad = is_bad_when_high(word for word in w.words[:place] if word not in _LEADS)
    return w.said(at, "highest" if (w.at(place) == "worst") is bad else "lowest", "first"), end
