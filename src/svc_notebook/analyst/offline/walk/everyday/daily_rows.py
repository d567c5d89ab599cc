"""Rows that are days: *how many sunny days*, where a table has one row for each day, or for each day of a station."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.shares_said import SHARE_WORDS
from ...words.text import stem
from ..measurements import is_panel
from .wording import Wording

__all__ = ["bound_in_degrees", "days_counted", "degrees", "hours_counted", "share_of_time"]

_COUNTED = SHARE_WORDS | {"many", "number", "count", "often"}
_LITTLE = frozenset({"of", "the", "all", "our", "%"})
_MOST = 3  # words between what is counted and the days: *number of dry and sunny days*
_DEGREES = frozenset({"degrees", "degree", "deg"})
_FREEZING = frozenset({"freezing", "zero"})
_WARMTH = ("temperature", "temp", "colder", "warmer", "hotter", "cooler", "warm", "hot", "cold")
_WHERE = {"outside": "outdoor", "outdoors": "outdoor", "out": "outdoor", "inside": "indoor", "indoors": "indoor"}
_LASTING = {"hours": 3600, "minutes": 60, "hour": 3600}
_WHEN = frozenset({"when", "where", "with", "while"})
_SOME_STEPS = 24
_FULL = 0.9  # of all days between the first and the last that a table of days has
_ENDS = frozenset({"", "?", ".", "!", "in", "by", "per", "for", "vs", "versus", "and", "at", "on", "than", "compared"})


def days_counted(w: Wording, at: int) -> Found | None:
    """``number of foggy days per station``, ``humidity on rainy days``: of the rows, where each of them is a day."""
    if w.at(at) != "days" or not _are_days(w):
        return None
    told = [place for place in range(max(0, at - _MOST), at) if w.meta.values.find(w.tokens, place)]
    start = next((place for place in range(at - 1, max(-1, at - 2 - _MOST), -1) if w.at(place) in _COUNTED), None)
    between = w.words[start + 1 : at] if start is not None else []
    counted = start is not None and all(word in _LITTLE or start + 1 + n in told for n, word in enumerate(between))
    described = bool(told) and told[-1] == at - 1 and w.at(at + 1) in _ENDS and w.at(0) not in ("which", "what")
    return (w.said(at, "rows"), at + 1) if counted or described else None


def degrees(w: Wording, at: int) -> Found | None:
    """``above 20 degrees``: of the temperatures there are."""
    if w.at(at) not in _DEGREES or not w.is_number(at - 1) or not _measures_warmth(w):
        return None
    return [], at + 1 + (w.at(at + 1) in ("celsius", "fahrenheit", "c", "f"))


def bound_in_degrees(w: Wording, at: int) -> Found | None:
    """``consumption below 5 degrees``: of the temperature, and not of what was named before; of several none is meant
    before it is said which.
    """
    number = at + w.bound(at)
    if number > at and w.at(number) in _FREEZING:
        return _against_freezing(w, at, number)
    if number == at or not w.is_number(number):
        return None
    number += 2 * (w.at(number + 1) == "and" and w.is_number(number + 2))
    if w.at(number + 1) not in _DEGREES or not _measures_warmth(w):
        return None
    names = [w.meta.parts(path) for path in _temperatures(w)]
    known = {stem(part) for name in names for part in name} | set(map(stem, _WARMTH))
    if any(token.stem in known for token in w.tokens):
        return None
    where = _WHERE.get(w.at(number + 2), "")
    fitting = [name for name in names if not where or where in name] or names
    told = fitting[0] if len(fitting) == 1 else ("temperature",)
    end = number + 2 + bool(where)
    return [*w.said(at, "with", *told), *w.tokens[at : number + 1]], end


def _against_freezing(w: Wording, at: int, end: int) -> Found | None:
    """``hours below freezing``: below nought, or 32 of Fahrenheit's."""
    found = _temperatures(w)
    if not found or w.tokens[end].stem in w.meta.vocabulary:
        return None
    outdoor = [path for path in found if "outdoor" in w.meta.parts(path)]
    told = w.meta.parts(outdoor[0]) if len(outdoor) == 1 else ("temperature",)
    told = w.meta.parts(found[0]) if len(found) == 1 else told
    degrees = "32" if str(w.meta.members[found[0]].meta.get("unit")) == "°F" else "0"
    behind = end + 1 + (w.words[end + 1 : end + 2] == ["point"])
    return [*w.said(at, "with", *told), *w.tokens[at:end], *w.said(end, degrees)], behind


def _temperatures(w: Wording) -> list[str]:
    return [path for path in w.numbers if str(w.meta.members[path].meta.get("unit", "")).startswith("°")]


def _measures_warmth(w: Wording) -> bool:
    return bool(_temperatures(w))


def hours_counted(w: Wording, at: int) -> Found | None:
    """``how many hours was the pump on``, ``hours above 20 degrees``: of the rows, where each of them is an hour."""
    lasts = _LASTING.get(w.at(at))
    if lasts is None or not _last_so_long(w, lasts):
        return None
    counted = w.at(at - 1) == "many" or w.words[max(0, at - 2) : at] == ["number", "of"]
    if counted and w.at(at + 1) not in _ENDS - {"in", "at", "on"}:
        return w.said(at, "rows"), at + 1
    bounded = not at and (w.at(1) in _WHEN or w.bound(1))
    return (w.said(0, "number", "of", "rows"), 1) if bounded else None


def share_of_time(w: Wording, at: int) -> Found | None:
    """``what share of the time is the pump on``: of the rows, where one comes as regularly as the next."""
    if (
        w.at(at) != "time"
        or w.words[at - 2 : at] != ["of", "the"]
        or w.at(at - 3) not in SHARE_WORDS | {"%", "percent"}
    ):
        return None
    if not any(_last_so_long(w, lasts) for lasts in (60, 3600, 86400)) and not _are_days(w):
        return None
    being = w.at(at + 1) in ("is", "was", "are", "were")
    return w.said(at, "rows", "where"), at + 1 + being


def _last_so_long(w: Wording, seconds: int) -> bool:
    """Whether the rows of the one table follow each other at these steps."""
    if len(w.facts) != 1 or len(w.cubes) != 1:
        return False
    profile = w.meta.profile(w.meta.times(w.facts)[0])
    try:
        steps = (profile.high - profile.low).total_seconds() / seconds + 1
    except (AttributeError, TypeError):
        return False
    return steps > _SOME_STEPS and _FULL <= profile.rows / steps <= 1 and profile.distinct == profile.rows


def _are_days(w: Wording) -> bool:
    """Whether the rows of the one table with a time are days, each once, or once for each of what is watched."""
    if len(w.facts) != 1 or len(w.cubes) != 1:
        return False
    time = w.meta.times(w.facts)[0]
    profile = w.meta.profile(time)
    try:
        days = (profile.high - profile.low).days + 1
    except (AttributeError, TypeError):
        return False
    daily = bool(days) and _FULL <= profile.distinct / days <= 1
    return daily and not profile.missing and (profile.distinct == profile.rows or is_panel(w.meta, w.facts[0]))
