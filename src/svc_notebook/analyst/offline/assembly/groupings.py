"""Groupings, measures and columns of a plan: the use of every bare mention."""

from __future__ import annotations

from collections.abc import Iterable

from ..plans.plan import Dimension, Measure
from ..walk.draft import Mention
from ..walk.times import default_time
from .bare_mentions import BareMentions

__all__ = ["Groupings"]


class Groupings(BareMentions):
    """What is grouped by, measured or listed."""

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


def _distinct(mentions: Iterable[Mention]) -> list[Mention]:
    seen: dict[str, Mention] = {}
    for mention in mentions:
        if mention.member not in seen or mention.role and not seen[mention.member].role:
            seen[mention.member] = mention
    return list(seen.values())
