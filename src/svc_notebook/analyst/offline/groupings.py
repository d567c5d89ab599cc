"""Groupings, measures and columns of a plan: the use of every bare mention."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise

from .draft import Mention
from .extremes import Extremes
from .plan import Dimension, Measure
from .times import auto_grain, default_time, grain_dimension, period_unit, year_member
from .walker import SMALL_WORDS

__all__ = ["Groupings"]

_HOURLY_DAYS = 14


class Groupings(Extremes):
    """What is grouped by, measured or listed."""

    def take_grains(self) -> None:
        partly = any(unit in ("weekday", "month_of_year") for unit, _, _ in self.draft.grains)
        for unit, _, adverb in self.draft.grains:
            mentioned = self.mentioned_members()
            dimension = grain_dimension(self.meta, unit, self.scope, mentioned, partly or self.many_hours(unit, adverb))
            if dimension is None:
                self.unread.append(unit.replace("_", " "))
                continue
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

    def many_hours(self, unit: str, adverb: bool) -> bool:
        """Whether ``by hour`` of data over many days can only mean the hour of the day."""
        if unit != "hour" or adverb or any("period" in c.operator for _, c, _ in self.conditions):
            return False
        time = default_time(self.meta, self.scope, self.mentioned_members())
        profile = self.meta.profile(time) if time is not None else None
        low, high = (profile.low, profile.high) if profile is not None else (None, None)
        return isinstance(low, datetime) and isinstance(high, datetime) and (high - low).days > _HOURLY_DAYS

    def take_entities(self) -> None:
        for relation, place in self.draft.grouped_entities:
            label = self.meta.label_of(relation)
            taken = {d.member.split(".")[0] for d in self.dimensions} | {
                m.member.split(".")[0] for m in self.draft.mentions if not self.meta.is_number(m.member)
            }
            if (
                label is None
                or relation in taken
                and not self.ranked(place)
                or any(d.member == label for d in self.dimensions)
                or self.draft.spread
                and not self.draft.measures
                or self.draft.mark == "point"
                and len(self.draft.mentions) >= 2
            ):
                continue
            if len(self.scope) == 1 and not self.measures and self.draft.counting is None and self.dimensions:
                continue
            self.dimensions.append(Dimension(label))
            if (
                len(self.draft.grouped_entities) == 1
                and self.draft.top is not None
                and self.draft.grouped_entities[0][1] > self.draft.top[2] + 2
            ):
                self.each_labels.add(label)

    def ranked(self, place: int) -> bool:
        """Whether an entity is what a superlative with a number ranks (``top 2 products in each category``)."""
        top = self.draft.top
        return top is not None and top[1] is not None and top[2] < place <= top[2] + 2

    def list_of_unique(self) -> None:
        """``return all claims by claim number and date``: a count per unique value says nothing, a list is meant."""
        draft, meta = self.draft, self.meta
        everything = any(token.lower == "all" for token in draft.tokens)
        if (
            not (draft.listing or everything)
            or self.shape != "aggregate"
            or draft.counting
            or draft.counted_entities
            or draft.mark
            or draft.spread
            or draft.top
            or draft.calculations
        ):
            return
        if any(m.aggregate not in ("avg", "sum") or m in draft.measures for m in self.measures) or any(
            d.bin for d in self.dimensions
        ):
            return
        if not any(meta.profile(d.member).unique or meta.is_key(d.member) for d in self.dimensions):
            return
        self.columns = [d.member for d in self.dimensions] + [m.member for m in self.measures if m.member]
        self.shape, self.dimensions, self.measures = "rows", [], []

    def take_mentions(self) -> None:
        draft, meta = self.draft, self.meta
        mentions = _distinct(
            m for m in draft.mentions if not any(d.member == m.member and d.grain is None for d in self.dimensions)
        )
        if draft.mark == "line" and self.measures and not self.dimensions and not mentions:
            draft.trend = True
        if (
            draft.trend
            and not any(meta.is_time(d.member) or meta.is_year(d.member) for d in self.dimensions)
            and not any(meta.is_time(m.member) or meta.is_year(m.member) for m in mentions)
        ):
            self.add_trend()
        if draft.mark == "point" and not self.measures and mentions:
            crossed = [
                d for d in self.dimensions if meta.is_number(d.member) and not meta.is_key(d.member) and not d.bin
            ]
            if len(crossed) == 1 and any(self.raw_number(m) for m in mentions) and not meta.is_year(crossed[0].member):
                self.dimensions.remove(crossed[0])
                mentions.append(Mention(crossed[0].member, len(draft.items), "by"))
        self.along_time()
        self.compared()
        if draft.counting and not self.measures:
            self.measures.append(self.count_of(None))
        if draft.bins or draft.spread:
            mentions = self.take_bins(mentions)
        if self.measures:
            self.beside_measures(mentions)
            self.side_by_side()
            by = {d.member for d in self.dimensions}
            averaged = [m for m in self.measures if m.aggregate in ("avg", "sum") and m.member in by]
            if len(averaged) < len(self.measures):
                self.measures = [m for m in self.measures if m not in averaged]
        else:
            self.without_measures(mentions)

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

    def add_trend(self) -> None:
        year = year_member(self.meta, self.scope)
        time = default_time(self.meta, self.scope)
        if time is not None:
            grain = next((d.split(":")[1] for d in self.draft.doubts if d.startswith("grain:")), None)
            self.dimensions.insert(0, Dimension(time, grain or auto_grain(self.meta, time)))
        elif year is not None:
            self.dimensions.insert(0, Dimension(year))
        else:
            self.unread.append("over time")

    def take_bins(self, mentions: list[Mention]) -> list[Mention]:
        """A number alone under ``distribution``, ``histogram`` or ``bins`` is cut into bins and counted."""
        meta, draft = self.meta, self.draft
        others = [m for m in self.measures if m.aggregate not in ("count", "count_values", "count_distinct")]
        pair = len(mentions) == 2 and draft.spread and not self.dimensions and sum(map(self.raw_number, mentions)) == 1
        if pair and any(self.names_rows(m.member) for m in mentions) and not draft.bins:
            return mentions
        mentions = [m for m in mentions if m.role or not self.names_rows(m.member) or len(mentions) == 1]
        numbers = [
            m
            for m in mentions
            if meta.is_number(m.member)
            and not (meta.is_key(m.member) or meta.is_year(m.member) and not draft.bin_width)
        ]
        numbers = [m for m in numbers if not meta.is_small(m.member) or draft.bin_width]
        binned = [d for d in self.dimensions if meta.is_number(d.member) and not meta.is_category(d.member)]
        if binned:
            for dimension in binned:
                self.dimensions[self.dimensions.index(dimension)] = Dimension(
                    dimension.member, None, self.bin_width(dimension.member)
                )
            if not self.measures:
                self.measures.append(self.count_of(None))
            return mentions
        named = [d.member for d in self.dimensions] + [m.member for m in mentions]
        times = [member for member in named if meta.is_time(member)]
        cats = [m.member for m in mentions if not meta.is_number(m.member)]
        cats += [d.member for d in self.dimensions if not meta.is_number(d.member)]
        if others or not numbers or len(numbers) > 1 or times or (cats and not draft.bins) or draft.mark == "point":
            return mentions
        if (
            cats
            and draft.mark == "bar"
            and not draft.bin_width
            and not any("bin" in item.text.lower() or "bucket" in item.text.lower() for item in draft.items)
        ):
            return mentions
        member = numbers[0].member
        self.dimensions.insert(0, Dimension(member, None, self.bin_width(member)))
        self.measures = [self.count_of(None)]
        return [m for m in mentions if m.member != member and meta.is_category(m.member)]

    def beside_measures(self, mentions: list[Mention]) -> None:
        """Names beside a measure are groupings, numbers beside it further measures."""
        meta, draft = self.meta, self.draft
        for mention in mentions:
            member = mention.member
            if (
                any(m.member == member and m.aggregate not in ("count_values", "count_distinct") for m in self.measures)
                and not mention.role
            ):
                continue
            if not mention.role and self.names_rows(member) and (self.dimensions or len(mentions) > 1):
                continue
            counted = any(
                m.member == member and m.aggregate in ("count_values", "count_distinct") for m in self.measures
            )
            if meta.is_time(member):
                self.dimensions.append(Dimension(member, self.time_grain(member)))
            elif self.raw_number(mention) and not meta.is_category(member):
                only_counts = all(m.aggregate == "count_values" or self.is_count(m) for m in self.measures)
                if only_counts and (draft.spread or mention.role == "by" or not self.dimensions and not draft.top):
                    self.dimensions.append(Dimension(member, None, self.bin_width(member)))
                else:
                    self.measures.append(Measure(member, self.default_aggregate(member)))
            elif (
                not counted
                or mention.role
                or any(m.member == member for m in draft.mentions if m.place > mention.place)
            ):
                self.dimensions.append(Dimension(member))
        if not self.dimensions:
            counted_only = [m for m in self.measures if m.aggregate == "count_values" and m.member is not None]
            if (
                counted_only
                and (draft.mark or draft.listing)
                and self.draft.spread is False
                and len(self.measures) == 1
                and draft.mark is not None
            ):
                self.dimensions.append(self.as_dimension(counted_only[0].member or ""))

    def side_by_side(self) -> None:
        """``revenue vs units sold``: two measures without a group are set against each other along time, a measure
        and a number of another relation's rows by those rows.
        """
        draft = self.draft
        shown = [m for m in self.measures if m.member is not None or m.aggregate == "count"]
        said = draft.relate or draft.mark == "point" or any(i.is_cue("group", "versus") for i in draft.items)
        if self.dimensions or len(shown) != 2 or not said or draft.top is not None:
            return
        own = next((m for m in shown if m.member and m.aggregate == "avg" and not self.meta.is_measure(m.member)), None)
        label = self.meta.label_of(own.member.split(".", 1)[0]) if own is not None and own.member else None
        if own is not None and label is not None and not label.startswith(f"{self.scope[0]}."):
            self.dimensions.append(Dimension(label))
        elif default_time(self.meta, self.scope) is not None:
            self.add_trend()

    def without_measures(self, mentions: list[Mention]) -> None:
        draft, meta = self.draft, self.meta
        drawn = bool(draft.mark or draft.spread or draft.bins or draft.drawing or draft.trend)
        if drawn and len(mentions) + len(self.dimensions) > 1:
            mentions = [
                m
                for m in mentions
                if m.role or not self.names_rows(m.member) or any(meta.is_number(x.member) for x in mentions)
            ]
        numbers = [m for m in mentions if self.raw_number(m) and not meta.is_year(m.member)]
        if draft.mark == "line" and numbers and not self.timed(mentions):
            self.add_trend()
        big = [m for m in numbers if not meta.is_small(m.member)]
        cats = [m for m in mentions if m not in numbers]
        grouped = bool(self.dimensions)
        if draft.when and not grouped and not numbers:
            cats = cats or []
        if self.scatter(mentions, numbers, big, cats):
            return
        if not mentions:
            return
        repeated = len(cats) == 1 and not meta.is_key(cats[0].member) and not meta.profile(cats[0].member).unique
        if (
            draft.mark == "bar"
            and not grouped
            and len(big) == 1
            and len(mentions) == 2
            and repeated
            and draft.top is None
        ):
            self.measures.append(Measure(big[0].member, self.default_aggregate(big[0].member)))
            self.dimensions.append(self.as_dimension(cats[0].member))
            return
        if len(numbers) == 1 and draft.top is None and not grouped and cats and self.near_rows(cats, numbers):
            self.as_rows(mentions)
            return
        small = [m for m in numbers if m not in big]
        if small and not big and grouped and (drawn or draft.stacked or self.said_number_of()):
            self.dimensions[:0] = [Dimension(m.member) for m in small]
            self.measures.append(self.count_of(None))
            return
        counted = [m for m in numbers if m.counted and not meta.is_small(m.member)]
        if counted and cats and not grouped and draft.top is None:
            self.measures.extend(Measure(m.member, "sum") for m in counted)
            self.dimensions.extend(self.as_dimension(m.member) for m in cats)
            return
        mixed = bool(
            big and small and (draft.mark in ("bar", "line", "area") or draft.relate or any(m.role for m in mentions))
        )
        if len(mentions) == 1 and mentions[0].role == "by" and numbers and not grouped and draft.top is None:
            self.dimensions.append(Dimension(mentions[0].member, None, self.bin_width(mentions[0].member)))
            self.measures.append(self.count_of(None))
            return
        if (
            numbers
            and (grouped or mixed or cats and any(m.role for m in mentions) or draft.trend)
            and not self.listed(mentions)
        ):
            measured = big or numbers[:1]
            small = [m for m in numbers if m not in measured]
            for mention in measured:
                self.measures.append(Measure(mention.member, self.default_aggregate(mention.member)))
            for mention in [*cats, *small]:
                self.dimensions.append(self.as_dimension(mention.member))
            return
        if grouped and not numbers and cats:
            if draft.listing and not draft.mark and not draft.spread:
                self.as_rows(mentions)
                return
            for mention in cats:
                self.dimensions.append(self.as_dimension(mention.member))
            return
        if (
            len(mentions) == 1
            and numbers
            and not grouped
            and not draft.bins
            and draft.mark in ("bar", "arc")
            and (draft.conditions or draft.mark == "arc" and draft.entities)
        ):
            label = meta.label_of(numbers[0].member.split(".")[0])
            if label is not None:
                self.shape, self.columns = "rows", [label, numbers[0].member]
                return
        if (
            len(mentions) == 1
            and numbers
            and not grouped
            and (draft.mark == "bar" or not (draft.which or draft.conditions))
            and not draft.top
        ):
            member = numbers[0].member
            if meta.is_small(member):
                self.dimensions.append(Dimension(member))
            else:
                self.dimensions.append(Dimension(member, None, self.bin_width(member)))
            self.measures.append(self.count_of(None))
            return
        keys = [m for m in cats if meta.is_number(m.member) and meta.is_key(m.member)]
        if not numbers and len(keys) == 1 and len(cats) == 2 and draft.mark in ("bar", "point", "line") and not grouped:
            self.as_rows(mentions)
            return
        if not numbers and (drawn or draft.trend or draft.relate) and cats:
            for mention in cats:
                self.dimensions.append(self.as_dimension(mention.member))
            self.measures.append(self.count_of(None))
            return
        self.as_rows(mentions)

    def scatter(self, mentions: list[Mention], numbers: list[Mention], big: list[Mention], cats: list[Mention]) -> bool:
        """Two numbers side by side, without an aggregate: rows as points."""
        draft, meta = self.draft, self.meta
        keys = [m for m in cats if meta.is_number(m.member)]
        wish = draft.mark == "point"
        pair = big if len(big) >= 2 else numbers if wish and len(numbers) >= 2 else [*numbers, *keys] if wish else []
        if not wish and any(meta.is_small(m.member) for m in pair) and draft.relate:
            return False
        if len(pair) < 2 or draft.trend or draft.mark in ("bar", "line", "arc", "area"):
            return False
        if not wish and not draft.relate and any(meta.is_time(d.member) for d in self.dimensions):
            return False
        if (
            not wish
            and not draft.relate
            and draft.listing
            and cats
            and not any(m.role for m in mentions)
            and not self.dimensions
        ):
            return False
        if draft.top is not None and not wish:
            return False
        self.shape = "rows"
        chosen = pair[:3] if not wish else pair[:2]
        self.columns = [m.member for m in chosen]
        for dimension in self.dimensions:
            if dimension.member not in self.columns and not (
                meta.profile(dimension.member).unique and meta.cardinality(dimension.member) > 20
            ):
                self.columns.append(dimension.member)
        for mention in cats:
            if (
                mention.member not in self.columns
                and mention not in pair
                and not (meta.profile(mention.member).unique and meta.cardinality(mention.member) > 20)
            ):
                self.columns.append(mention.member)
        self.dimensions = []
        for _, condition, _ in self.conditions:
            several = sum(1 for _, c, _ in self.conditions if c.member == condition.member and c.operator == "in")
            if condition.operator == "in" and several > 1 and condition.member not in self.columns:
                self.columns.append(condition.member)
        return True

    def near_rows(self, cats: list[Mention], numbers: list[Mention]) -> bool:
        """Whether a category beside a number names single rows (names and ages), so that a list is meant."""
        return any(self.meta.profile(m.member).unique for m in cats)

    def listed(self, mentions: list[Mention]) -> bool:
        """``names and ages of singers``: joined by and, no grouping word."""
        plain = not any(m.role for m in mentions) and not self.dimensions
        return plain and self.draft.listing and not self.draft.relate

    def as_rows(self, mentions: list[Mention]) -> None:
        self.shape = "rows"
        placed = [(m.place, m.member) for m in mentions] + self.listed_entities(mentions)
        self.columns = list(
            dict.fromkeys([d.member for d in self.dimensions if d.grain is None] + [m for _, m in sorted(placed)])
        )
        self.dimensions = []

    def listed_entities(self, mentions: list[Mention]) -> list[tuple[int, str]]:
        """``return the agents and the policies``: things listed beside columns are shown by what names them."""
        draft = self.draft
        shown = {m.member.split(".", 1)[0] for m in mentions}
        found: list[tuple[int, str]] = []
        for relation, place in draft.entities:
            label = self.meta.label_of(relation)
            back = place - 1
            while back >= 0 and (draft.items[back].kind == "word" or draft.items[back].text.lower() in SMALL_WORDS):
                back -= 1
            joined = back >= 0 and (draft.items[back].is_cue("logic", "and") or draft.items[back].is_cue("logic", ","))
            opening = back >= 0 and draft.items[back].is_cue("ask", "list")
            if draft.mark or not draft.listing or label is None or relation in shown or not (joined or opening):
                continue
            if opening and not any(other.is_cue("logic", "and") for other in draft.items[place + 1 : place + 3]):
                continue
            shown.add(relation)
            found.append((place, label))
        return found


def _distinct(mentions: Iterable[Mention]) -> list[Mention]:
    seen: dict[str, Mention] = {}
    for mention in mentions:
        if mention.member not in seen or mention.role and not seen[mention.member].role:
            seen[mention.member] = mention
    return list(seen.values())
