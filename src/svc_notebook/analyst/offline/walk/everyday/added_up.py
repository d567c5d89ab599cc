"""Numbers that are meant in all where nothing says so: *turnover and number of jobs*, *running total of sheets*; and
rates of each group: *cancellation rate of each vessel*.
"""

from __future__ import annotations

from ...schema.money import ADDED_UP, taken_in
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["added_up", "latest_there_is", "rate_of_each", "running_of_all", "what_it_cost"]

_FOLDED = frozenset("average avg mean median highest lowest largest smallest maximum minimum max min total all".split())
_LEADS = frozenset({"", "show", "me", "the", "give", "list", "what", "our", "is", "was"})
_RUNNING = (["running", "total", "of"], ["running", "sum", "of"])
_RATES = frozenset({"rate", "rates"})


def added_up(w: Wording, at: int) -> Found | None:
    """``turnover and number of jobs``: all of it, where a price of each row is called so."""
    if w.at(at) not in ADDED_UP or w.at(at - 1) not in _LEADS or w.at(at + 1) not in ("and", ","):
        return None
    if taken_in(w.meta) is None or w.tokens[at].stem in {part for name in w.names for part in name}:
        return None
    return [*w.said(at, "total"), w.tokens[at]], at + 1


def running_of_all(w: Wording, at: int) -> Found | None:
    """``running total of sheets``: of all of them, and of no average."""
    said = next((words for words in _RUNNING if w.words[at : at + len(words)] == words), None)
    end = at + len(said) if said is not None else 0
    end += w.at(end) == "the" if end else 0
    if not end or end >= len(w.tokens) or w.at(end) in _FOLDED or w.rows_at(end):
        return None
    return ([*w.tokens[at:end], *w.said(end, "total")], end) if w.number_end(end) else None


def what_it_cost(w: Wording, at: int) -> Found | None:
    """``what did repairs cost us last quarter``: the total cost of them."""
    if at or w.words[:2] not in (["what", "did"], ["what", "do"], ["what", "have"]):
        return None
    verb = next((p for p in range(3, 6) if w.at(p) in ("cost", "costed")), 0)
    start = 2 + (w.at(2) in ("the", "our", "all"))
    many = verb and singular(w.at(verb - 1)) != w.at(verb - 1)
    costs = [p for p in w.numbers if "cost" in w.meta.parts(p) and p.split(".", 1)[0] in w.cubes]
    rows = w.rows_at(verb - 1) if many else ()
    if len(costs) != 1 or costs[0].split(".", 1)[0] not in rows:
        return None
    end = verb + 1 + (w.at(verb + 1) in ("us", "them"))
    said = [*w.said(0, "total", *w.meta.parts(costs[0]), "of"), *w.tokens[start:verb]]
    return said, end


def latest_there_is(w: Wording, at: int) -> Found | None:
    """``up to what day do we have bookings``: the latest of their time."""
    opened = ("up", "to", "what"), ("until", "what"), ("up", "to", "which"), ("until", "which")
    size = next((len(words) for words in opened if tuple(w.words[: len(words)]) == words), 0)
    if at or not size or w.at(size) not in ("day", "date", "time", "moment", "month"):
        return None
    rows = size + 1 + 3 * (w.words[size + 1 : size + 4] == ["do", "we", "have"])
    homes = [name for name in w.rows_at(rows) if name in w.cubes] if rows > size + 1 else []
    times = w.meta.times(homes) if len(homes) == 1 else []
    if not times or w.at(rows + 1) not in ("", "?", "."):
        return None
    return w.said(0, "maximum", *w.meta.parts(times[0]), "of", w.at(rows)), len(w.words)


def rate_of_each(w: Wording, at: int) -> Found | None:
    """``cancellation rate of each vessel``: that of its own rows, and no part of all that were cancelled."""
    if w.at(at) != "of" or w.at(at - 1) not in _RATES or w.at(at + 1) not in ("each", "every", "the"):
        return None
    if w.at(at + 1) == "the" and not w.kind_end(at + 2):
        return None
    return w.said(at, "for", "each"), at + 2
