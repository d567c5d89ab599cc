"""Groups along time, and groups set against each other: trends, units, ``JFK vs LGA``, ``2022 vs 2023``."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from ..forms.partings import PARTINGS, named_parts
from ..plans.plan import Condition, Dimension
from ..walk.times import auto_grain, default_time, grain_dimension, period_unit, year_member
from .listings import Listings

__all__ = ["Timelines"]

_HOURLY_DAYS = 14


_SAID = {"years": "year", "months": "month", "weeks": "week", "days": "day"}  # how did it develop over the years


class Timelines(Listings):
    """The time line of a plan, and what is compared along it or beside it."""

    def take_grains(self) -> None:
        partly = any(unit in ("weekday", "month_of_year") for unit, _, _ in self.draft.grains)
        for unit, _, adverb in self.draft.grains:
            mentioned = self.mentioned_members()
            dimension = grain_dimension(self.meta, unit, self.scope, mentioned, partly or self.many_hours(unit, adverb))
            if dimension is None:
                self.unread.append(unit.replace("_", " "))
                continue
            self.only_named_parts(dimension)
            self.draft.mentions = [m for m in self.draft.mentions if m.member != dimension.member]
            known = next(
                (
                    i
                    for i, d in enumerate(self.dimensions)
                    if d.member == dimension.member and (d.grain in (None, dimension.grain) or self.draft.bins)
                ),
                None,
            )
            if known is not None:
                self.dimensions[known] = dimension
            else:
                self.dimensions.append(dimension)
            twin = [m for m in self.measures if m.member == dimension.member and m.aggregate == "count_values"]
            for measure in twin:
                self.measures[self.measures.index(measure)] = measure

    def only_named_parts(self, dimension: Dimension) -> None:
        """``morning vs evening``: of the parts of a day those that were said."""
        parting = PARTINGS.get(dimension.grain or "")
        said = [(item.grain.unit, item.text.lower()) for item in self.draft.items if item.grain is not None]
        words = [text for unit, text in said if parting is not None and unit == parting.unit]
        named = named_parts([word for one in words for word in (one, "and")])
        values = parting.values([name for _, name in named.values()]) if parting is not None else ()
        every = parting is None or not values or len(values) == sum(len(known) for _, known in parting.names)
        if parting is None or every or any(c.part == parting.condition for _, c, _ in self.conditions):
            return
        condition = Condition(dimension.member, "in", values, parting.condition, " and ".join(words))
        self.conditions.append(("and", condition, len(self.draft.items)))

    def many_hours(self, unit: str, adverb: bool) -> bool:
        """Whether ``by hour`` of data over many days can only mean the hour of the day."""
        if unit != "hour" or adverb or any("period" in c.operator for _, c, _ in self.conditions):
            return False
        time = default_time(self.meta, self.scope, self.mentioned_members())
        profile = self.meta.profile(time) if time is not None else None
        low, high = (profile.low, profile.high) if profile is not None else (None, None)
        return isinstance(low, datetime) and isinstance(high, datetime) and (high - low).days > _HOURLY_DAYS

    def along_time(self) -> None:
        """Growth and running figures need a time line: take the unit said with them, or one that fits."""
        wanted = {"growth", "yoy", "difference", "running", "moving"} & set(self.draft.calculations)
        if not wanted or self.timed(self.draft.mentions):
            return
        said = " ".join(item.text.lower() for item in self.draft.items if item.is_cue("calc"))
        unit = next((u for u in ("month", "week", "quarter", "year", "day") if u in said), None)
        time = default_time(self.meta, self.scope)
        if time is not None:
            self.dimensions.insert(0, Dimension(time, unit or auto_grain(self.meta, time)))
            if not self.measures and not any(self.meta.is_number(m.member) for m in self.draft.mentions):
                self.measures.append(self.count_of(None))

    def add_trend(self) -> None:
        year = year_member(self.meta, self.scope)
        time = default_time(self.meta, self.scope)
        if time is not None:
            grain = next((d.split(":")[1] for d in self.draft.doubts if d.startswith("grain:")), None)
            whole = [item.text.lower().split()[-1] for item in self.draft.items if item.is_cue("trend")]
            grain = grain or next((_SAID[word] for word in whole if word in _SAID), None)
            self.dimensions.insert(0, Dimension(time, grain or auto_grain(self.meta, time)))
        elif year is not None:
            self.dimensions.insert(0, Dimension(year))
        else:
            self.unread.append("over time")

    def moving(self, dimension: Dimension) -> bool:
        return self.meta.is_time(dimension.member) or self.meta.is_year(dimension.member)

    def against(self, places: list[int]) -> bool:
        """``JFK vs LGA``, ``how many girls and how many boys``: said one against the other, or counted each."""
        items = self.draft.items
        for one, other in pairwise(sorted(places)):
            between = items[one + 1 : other]
            if any(item.is_cue("group", "versus") or item.is_cue("count") for item in between):
                return True
            counted = one > 0 and items[one - 1].is_cue("count") and len(between) == 1
            if (
                counted
                and between[0].is_cue("logic", "and")
                and other + 1 < len(items)
                and items[other + 1].kind == "name"
            ):
                return True
        return False

    def compared(self) -> None:
        """``compare JFK and LGA``, ``2022 vs 2023``: grouped by the member of the values, the unit of the periods."""
        self.compared_periods()
        by_member: dict[str, list[tuple[int, int]]] = {}
        for _, condition, place in self.conditions:
            if condition.operator in ("in", "=") and condition.part is None:
                by_member.setdefault(condition.member, []).append((place, len(condition.values)))
        for member, said in by_member.items():
            several = sum(count for _, count in said) > 1
            if not several or any(d.member == member for d in self.dimensions):
                continue
            if (
                self.draft.compare
                and all(self.moving(d) for d in self.dimensions)
                or self.against([p for p, _ in said])
            ):
                self.dimensions.append(Dimension(member))
                self.draft.mentions = [m for m in self.draft.mentions if m.member != member]

    def compared_periods(self) -> None:
        items = self.draft.items
        places = [p for p, item in enumerate(items) if item.kind == "period"]
        if len(self.periods) < 2 or not (self.draft.compare or self.against(places)):
            return
        if any(self.moving(d) for d in self.dimensions):
            return
        member = self.periods[0].member
        unit = period_unit(self.periods[0].values)
        if unit is not None and all(period_unit(p.values) == unit for p in self.periods):
            self.dimensions.insert(0, Dimension(member, unit))
