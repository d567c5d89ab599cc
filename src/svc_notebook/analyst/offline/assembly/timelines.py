"""Groups along time, and groups set against each other: trends, units, ``JFK vs LGA``, ``2022 vs 2023``."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from ..calendar.units import are_many_days
from ..forms.partings import PARTINGS, named_parts
from ..plans.plan import Condition, Dimension
from ..walk.times import auto_grain, default_time, grain_dimension, period_unit, year_member
from .assembly import Assembly
from .lengths_dated import begun_with_lengths

__all__ = ["add_trend", "along_time", "compared", "periods_beside", "take_grains"]


_FOLDED = frozenset({"count", "sum", "avg", "min", "max", "median", "count_distinct"})
_SAID = {"years": "year", "months": "month", "weeks": "week", "days": "day"}  # how did it develop over the years


def take_grains(state: Assembly) -> None:
    # Beside a weekday or a month of any year, the other units are parts of the calendar as well.
    partly = any(unit in ("weekday", "month_of_year") for unit, _, _ in state.draft.grains)
    for unit, _, adverb in state.draft.grains:
        mentioned = [*state.mentioned_members(), *begun_with_lengths(state)]
        dimension = grain_dimension(
            state.meta, unit, state.scope, mentioned, partly or _many_hours(state, unit, adverb)
        )
        if dimension is None:
            state.unread.append(unit.replace("_", " "))
            continue
        _only_named_parts(state, dimension)
        # A time that groups is no column to be shown too.
        state.draft.mentions = [m for m in state.draft.mentions if m.member != dimension.member]
        known = next(
            (
                i
                for i, d in enumerate(state.dimensions)
                if d.member == dimension.member and (d.grain in (None, dimension.grain) or state.draft.bins)
            ),
            None,
        )
        if known is not None:
            state.dimensions[known] = dimension
        else:
            state.dimensions.append(dimension)


def _only_named_parts(state: Assembly, dimension: Dimension) -> None:
    """``morning vs evening``: of the parts of a day those that were said."""
    parting = PARTINGS.get(dimension.grain or "")
    said = [(item.grain.unit, item.text.lower()) for item in state.draft.items if item.grain is not None]
    words = [text for unit, text in said if parting is not None and unit == parting.unit]
    named = named_parts([word for one in words for word in (one, "and")])
    values = parting.values([name for _, name in named.values()]) if parting is not None else ()
    # All parts of the day are no condition.
    every = parting is None or not values or len(values) == sum(len(known) for _, known in parting.names)
    if parting is None or every or any(c.part == parting.condition for _, c, _ in state.conditions):
        return
    condition = Condition(dimension.member, "in", values, parting.condition, " and ".join(words))
    state.conditions.append(("and", condition, len(state.draft.items)))


def _many_hours(state: Assembly, unit: str, adverb: bool) -> bool:
    """Whether ``by hour`` of data over many days can only mean the hour of the day."""
    periods = [c.values for _, c, _ in state.conditions if "period" in c.operator]
    if unit != "hour" or adverb or not all(are_many_days(*values[:2]) for values in periods if len(values) > 1):
        return False
    time = default_time(state.meta, state.scope, state.mentioned_members())
    profile = state.meta.profile(time) if time is not None else None
    return profile is not None and isinstance(profile.low, datetime) and are_many_days(profile.low, profile.high)


def along_time(state: Assembly) -> None:
    """Growth and running figures need a time line: take the unit said with them, or one that fits."""
    wanted = {"growth", "yoy", "difference", "running", "moving"} & set(state.draft.calculations)
    if not wanted or state.timed(state.draft.mentions):
        return
    said = " ".join(item.text.lower() for item in state.draft.items if item.is_cue("calc"))
    unit = next((u for u in ("month", "week", "quarter", "year", "day") if u in said), None)
    time = default_time(state.meta, state.scope)
    # In front: what is compared runs along the first group.
    if time is not None:
        state.dimensions.insert(0, Dimension(time, unit or auto_grain(state.meta, time)))
        if not state.measures and not any(state.meta.is_number(m.member) for m in state.draft.mentions):
            state.measures.append(state.count_of(None))


def add_trend(state: Assembly) -> None:
    year = year_member(state.meta, state.scope)
    time = default_time(state.meta, state.scope)
    if time is not None:
        grain = next((d.split(":")[1] for d in state.draft.doubts if d.startswith("grain:")), None)
        whole = [item.text.lower().split()[-1] for item in state.draft.items if item.is_cue("trend")]
        grain = grain or next((_SAID[word] for word in whole if word in _SAID), None)
        state.dimensions.insert(0, Dimension(time, grain or auto_grain(state.meta, time)))
    # Last of the two: the year by itself only where rows have no time.
    elif year is not None:
        state.dimensions.insert(0, Dimension(year))
    else:
        state.unread.append("over time")


def _moving(state: Assembly, dimension: Dimension) -> bool:
    return state.meta.is_time(dimension.member) or state.meta.is_year(dimension.member)


def _against(state: Assembly, places: list[int]) -> bool:
    """``JFK vs LGA``, ``how many girls and how many boys``: said one against the other, or counted each."""
    items = state.draft.items
    for one, other in pairwise(sorted(places)):
        between = items[one + 1 : other]
        if any(item.is_cue("group", "versus") or item.is_cue("count") for item in between):
            return True
        counted = one > 0 and items[one - 1].is_cue("count") and len(between) == 1
        if counted and between[0].is_cue("logic", "and") and other + 1 < len(items) and items[other + 1].kind == "name":
            return True
    return False


def compared(state: Assembly) -> None:
    """``compare JFK and LGA``, ``2022 vs 2023``: grouped by the member of the values, the unit of the periods."""
    _compared_periods(state)
    by_member: dict[str, list[tuple[int, int]]] = {}
    for _, condition, place in state.conditions:
        if condition.operator in ("in", "=") and condition.part is None:
            by_member.setdefault(condition.member, []).append((place, len(condition.values)))
    for member, said in by_member.items():
        several = sum(count for _, count in said) > 1
        if not several or any(d.member == member for d in state.dimensions):
            continue
        # Over time there may be lines for each; beside any other group two values restrict, unless both are compared.
        if (
            state.draft.compare
            and (_asks_to_compare(state) or all(_moving(state, d) for d in state.dimensions))
            or _against(state, [p for p, _ in said])
        ):
            state.dimensions.append(Dimension(member))
            state.draft.mentions = [m for m in state.draft.mentions if m.member != member]


def _asks_to_compare(state: Assembly) -> bool:
    """``compare Ford and Fiat by dealer``: whether it is the first thing that is said."""
    return any(token.lower in ("compare", "contrast") for token in state.draft.tokens[:_FIRST])


_FIRST = 4  # words, as in *can you compare*


def _compared_periods(state: Assembly) -> None:
    unit = _shared_unit(state)
    if _sets_periods_apart(state) and unit is not None:
        state.dimensions.insert(0, Dimension(state.periods[0].member, unit))


def _sets_periods_apart(state: Assembly) -> bool:
    """Whether periods are said one against the other, and not over time."""
    places = [place for place, item in enumerate(state.draft.items) if item.kind == "period"]
    apart = len(state.periods) > 1 and (state.draft.compare or _against(state, places))
    return apart and not any(_moving(state, dimension) for dimension in state.dimensions)


def _shared_unit(state: Assembly) -> str | None:
    """The unit of the calendar that all periods are one of."""
    units = {period_unit(period.values) for period in state.periods}
    return units.pop() if len(units) == 1 else None


def periods_beside(state: Assembly) -> None:
    """``by shop, the first half of March vs the first half of April``: periods that are no unit of the calendar stand
    beside each other, a number of each.
    """
    if not state.dimensions or state.nested is not None or not _sets_periods_apart(state) or _shared_unit(state):
        return
    plain = [state.meta.plain(measure) for measure in state.measures]
    # Other measures cannot take a condition of their own, so the periods stay an either-or.
    if all(measure.aggregate in _FOLDED for measure in plain):
        state.measures = [replace(m, conditions=(*m.conditions, p)) for m in plain for p in state.periods]
