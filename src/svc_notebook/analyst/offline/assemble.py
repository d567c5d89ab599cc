"""From what was said to a plan: which mentions are measured, grouped by or listed, in what order, how many, drawn how."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .draft import Draft, Mention, OrderWish
from .metadata import Metadata
from .plan import Aggregate, Calculation, ChartWish, Condition, Dimension, Exists, Having, Measure, Order, Plan
from .text import singular, stem
from .thesaurus import related
from .times import auto_grain, bind_period, default_time, grain_dimension, year_member

__all__ = ["assemble"]

_WORSE_HIGH = frozenset(
    "delay error cancel cancellation cost loss complaint return wait late churn failure defect price time duration risk injury death debt".split()
)


def assemble(draft: Draft) -> Plan | None:
    """The plan of a draft; None when nothing in it can be computed."""
    return _Assembly(draft).plan()


class _Assembly:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.meta: Metadata = draft.metadata
        self.scope = draft.resolution.scope
        self.measures = list(draft.measures)
        self.dimensions = list(draft.dimensions)
        self.columns: list[str] = []
        self.shape = "aggregate"
        self.limit = draft.limit
        self.limit_per: int | None = None
        self.orders: list[Order] = []
        self.notes: list[str] = []
        self.calculations: list[Calculation] = []
        self.unread = list(draft.unread)
        self.hidden_measures: list[int] = []
        self.each_labels: set[str] = set()
        self.havings: list[Having] = []
        self.merged: list[tuple[str, Condition, int]] = []

    # ---- main road ----

    def plan(self) -> Plan | None:
        draft = self.draft
        self.conditions = self.bound_conditions()
        self.nest_counts()
        self.conditional_measures()
        self.ratios()
        self.absences()
        self.take_grains()
        self.take_entities()
        self.take_mentions()
        self.superlatives()
        self.list_of_unique()
        if not self.measures and not self.columns:
            self.fall_back()
        if not self.measures and not self.columns and not self.dimensions:
            return None
        if self.shape == "aggregate" and not self.measures:
            self.measures.append(self.count_of(None))
        self.merge()
        self.unify()
        self.having()
        self.order_wishes()
        self.limits()
        self.calculate()
        if self.shape == "rows" and self.draft.unique and not any(o.by == "member" for o in self.orders):
            self.shape = "distinct"
        if (
            self.shape == "rows"
            and len(self.columns) == 1
            and not self.meta.is_number(self.columns[0])
            and not any(o.by == "member" for o in self.orders)
        ):
            self.shape = "distinct"
        return Plan(
            scope=self.needed_scope(),
            shape=self.shape,  # type: ignore[arg-type]
            measures=tuple(self.measures),
            dimensions=tuple(self.dimensions),
            columns=tuple(self.columns),
            conditions=self.all_conditions(),
            alternatives=self.any_conditions(),
            exists=tuple(self.exists),
            having=tuple(self.havings),
            order=tuple(self.orders),
            limit=self.limit,
            limit_per=self.limit_per,
            calculations=tuple(self.calculations),
            hidden=tuple(self.hidden_measures),
            chart=self.chart_wish(),
            compare=draft.compare,
            unread=tuple(self.unread),
            notes=tuple(self.notes),
        )

    # ---- conditions ----

    def mentioned_members(self) -> list[str]:
        draft = self.draft
        named = [m.member for m in draft.mentions] + [d.member for d in draft.dimensions]
        named += [m.member for m in draft.measures if m.member] + [c.member for _, c, _ in draft.conditions if c.member]
        return named

    def bound_conditions(self) -> list[tuple[str, Condition, int]]:
        bound: list[tuple[str, Condition, int]] = []
        mentioned = self.mentioned_members()
        for joiner, condition, place in self.draft.conditions:
            if condition.member:
                bound.append((joiner, condition, place))
                continue
            fixed = bind_period(self.meta, condition, self.scope, mentioned)
            if fixed is None:
                self.unread.extend(condition.words.split() or ["period"])
            else:
                bound.append((joiner, fixed, place))
        return bound

    def all_conditions(self) -> tuple[Condition, ...]:
        if any(joiner == "or" for joiner, _, _ in self.merged):
            return ()
        return tuple(condition for _, condition, _ in self.merged)

    def any_conditions(self) -> tuple[tuple[Condition, ...], ...]:
        if not any(joiner == "or" for joiner, _, _ in self.merged):
            return ()
        groups: list[list[Condition]] = [[]]
        for joiner, condition, _ in self.merged:
            if joiner == "or" and groups[-1]:
                groups.append([])
            if condition not in groups[-1]:
                groups[-1].append(condition)
        return tuple(tuple(group) for group in groups)

    def merge(self) -> None:
        """Values of one member become one list; the same condition twice is one."""
        merged: list[tuple[str, Condition, int]] = []
        for joiner, condition, place in self.conditions:
            same = next(
                (
                    i
                    for i, (_, c, _) in enumerate(merged)
                    if c.member == condition.member
                    and c.operator == condition.operator
                    and c.operator in ("in", "not in")
                    and c.part == condition.part
                ),
                None,
            )
            if any(c == condition for _, c, _ in merged):
                continue
            if condition.operator == "=" and condition.part is None:
                twin = next(
                    (
                        i
                        for i, (_, c, _) in enumerate(merged)
                        if c.member == condition.member and c.operator in ("=", "in") and c.values != condition.values
                    ),
                    None,
                )
                if twin is not None:
                    old = merged[twin][1]
                    merged[twin] = (
                        merged[twin][0],
                        Condition(old.member, "in", (*old.values, *condition.values), None, old.words),
                        place,
                    )
                    continue
            if same is not None:
                old = merged[same][1]
                values = (*old.values, *(v for v in condition.values if v not in old.values))
                merged[same] = (
                    merged[same][0],
                    Condition(old.member, old.operator, values, old.part, f"{old.words}, {condition.words}"),
                    merged[same][2],
                )
                continue
            merged.append((joiner if merged else "and", condition, place))
        self.merged = merged

    def conditional_measures(self) -> None:
        """``share of cancelled flights``: the conditions said right after the share belong to it."""
        draft = self.draft
        if "share" in draft.calculations and "ratio" not in draft.calculations:
            place = next((i for i, item in enumerate(draft.items) if item.is_cue("calc", "share")), 0)
            stop = next(
                (
                    i
                    for i in range(place + 1, len(draft.items))
                    if draft.items[i].is_cue("group") or draft.items[i].kind == "grain"
                ),
                len(draft.items),
            )
            inner = [c for _, c, p in self.conditions if place < p < stop and "period" not in c.operator]
            if inner and not any(m.aggregate == "measure" for m in self.measures):
                self.conditions = [entry for entry in self.conditions if entry[1] not in inner]
                self.measures = [m for m in self.measures if m.aggregate not in ("count", "count_values")]
                self.measures.insert(0, Measure(None, "share_true", tuple(inner)))
                draft.calculations.remove("share")

    # ---- what is grouped and measured ----

    def nest_counts(self) -> None:
        """A count per something of which the average (or extreme) is asked."""
        nested = next((d.split(":")[1] for d in self.draft.doubts if d.startswith("nested:")), None)
        if nested and self.measures and self.dimensions:
            self.notes.append(f"nested:{nested}")

    def take_grains(self) -> None:
        for unit, _, _ in self.draft.grains:
            mentioned = self.mentioned_members()
            dimension = grain_dimension(self.meta, unit, self.scope, mentioned)
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

    def take_entities(self) -> None:
        for relation, _ in self.draft.grouped_entities:
            label = self.meta.label_of(relation)
            taken = {d.member.split(".")[0] for d in self.dimensions} | {
                m.member.split(".")[0] for m in self.draft.mentions if not self.meta.is_number(m.member)
            }
            if (
                label is None
                or relation in taken
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

    def raw_number(self, mention: Mention) -> bool:
        return self.meta.is_number(mention.member) and not self.meta.is_key(mention.member)

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
        self.along_time()
        self.compared()
        if draft.counting and not self.measures:
            self.measures.append(self.count_of(None))
        if draft.bins or draft.spread:
            mentions = self.take_bins(mentions)
        if self.measures:
            self.beside_measures(mentions)
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
        """``compare JFK and LGA``: the member of the values becomes the grouping."""
        if not self.draft.compare or self.dimensions:
            return
        by_member: dict[str, int] = {}
        for _, condition, _ in self.conditions:
            if condition.operator in ("in", "=") and condition.part is None:
                by_member[condition.member] = by_member.get(condition.member, 0) + len(condition.values)
        for member, count in by_member.items():
            if count > 1:
                self.dimensions.append(Dimension(member))
                self.draft.mentions = [m for m in self.draft.mentions if m.member != member]

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

    def bin_width(self, member: str) -> float:
        if self.draft.bin_width:
            return self.draft.bin_width
        profile = self.meta.profile(member)
        try:
            spread = float(profile.high) - float(profile.low)
        except (TypeError, ValueError):
            return 1.0
        return nice_width(spread, self.draft.bin_count or 10)

    def names_rows(self, member: str) -> bool:
        """Whether a text member is the name of a row (model, title), so that a bare mention only says what is counted."""
        if self.meta.member(member).primary_key:
            return True
        return (
            self.meta.member(member).type == "string"
            and self.meta.profile(member).unique
            and self.meta.cardinality(member) > 30
        )

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
                only_counts = all(m.aggregate in ("count", "count_values") for m in self.measures)
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

    def as_dimension(self, member: str) -> Dimension:
        return Dimension(member, self.time_grain(member)) if self.meta.is_time(member) else Dimension(member)

    def time_grain(self, member: str) -> str | None:
        grain = next((d.split(":")[1] for d in self.draft.doubts if d.startswith("grain:")), None)
        return grain or auto_grain(self.meta, member)

    def without_measures(self, mentions: list[Mention]) -> None:
        draft, meta = self.draft, self.meta
        drawn = bool(draft.mark or draft.spread or draft.bins or draft.drawing)
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
        if len(numbers) == 1 and draft.top is None and not grouped and cats and self.near_rows(cats, numbers):
            self.as_rows(mentions)
            return
        small = [m for m in numbers if m not in big]
        if small and not big and grouped and (drawn or draft.stacked or self.said_number_of()):
            self.dimensions[:0] = [Dimension(m.member) for m in small]
            self.measures.append(self.count_of(None))
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
            and draft.entities
            and (draft.conditions or draft.mark == "arc")
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

    def timed(self, mentions: list[Mention]) -> bool:
        named = [m.member for m in mentions] + [d.member for d in self.dimensions]
        return any(self.meta.is_time(m) or self.meta.is_year(m) for m in named)

    def said_number_of(self) -> bool:
        """Whether a count was said of a member that is a number itself (``how many cylinders``)."""
        return any(item.is_cue("count") for item in self.draft.items)

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
        return not any(m.role for m in mentions) and not self.dimensions and self.draft.listing

    def as_rows(self, mentions: list[Mention]) -> None:
        self.shape = "rows"
        self.columns = list(
            dict.fromkeys([d.member for d in self.dimensions if d.grain is None] + [m.member for m in mentions])
        )
        self.dimensions = []

    def default_aggregate(self, member: str) -> Aggregate:
        time = (
            any(self.meta.is_time(d.member) or self.meta.is_year(d.member) for d in self.dimensions) or self.draft.trend
        )
        time = time or any(self.meta.is_time(m.member) or self.meta.is_year(m.member) for m in self.draft.mentions)
        share = "share" in self.draft.calculations or self.draft.mark == "arc"
        if any(m.member == member and m.counted for m in self.draft.mentions):
            return "sum"
        return (
            "sum"
            if self.meta.is_flow(member) and (time or share or self.meta.member(member).currency) or share
            else "avg"
        )

    def count_of(self, relation: str | None) -> Measure:
        if relation is None:
            named = [r for r, _ in self.draft.entities if r in self.scope]
            relation = named[0] if named else self.scope[0] if len(self.scope) == 1 else None
        return Measure(None, "count", entity=relation)

    # ---- superlatives, order, limits ----

    def superlatives(self) -> None:
        """``highest``, ``most``, ``top 10``: an extreme of a number, or an order with a limit."""
        top = self.draft.top
        if top is None:
            return
        direction, number, place = top
        order = next((o for o in self.draft.orders if o.descending is None and o.measure is not None), None)
        self.adjective_measure(place)
        if direction == "worst":
            direction = "desc" if self.bad_when_high(order) else "asc"
        descending = direction == "desc"
        if order is not None and order.measure is not None:
            order.descending = descending
            self.default_limit(number, place)
            return
        if self.shape == "rows" and self.columns:
            numeric = self.numeric_after(place)
            if (
                numeric is not None
                and number is None
                and not self.draft.which
                and len(self.columns) == 1
                and not self.draft.listing
            ):
                self.shape, self.columns = "aggregate", []
                self.measures = [Measure(numeric, "max" if descending else "min")]
                return
            if numeric is not None:
                plain = [c for c in self.columns if c != numeric]
                if number is None and not plain:
                    self.shape, self.columns = "aggregate", []
                    self.measures = [Measure(numeric, "max" if descending else "min")]
                    return
                if (
                    plain
                    and not any(self.meta.profile(c).unique for c in plain)
                    and len(plain) <= 2
                    and not self.draft.listing
                ):
                    self.shape, self.columns = "aggregate", []
                    self.dimensions = [self.as_dimension(c) for c in plain]
                    self.measures = [Measure(numeric, self.default_aggregate(numeric))]
                    self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
                    self.default_limit(number, place)
                    return
                self.draft.orders.append(OrderWish(descending, member=numeric))
                self.default_limit(number, place)
                return
            self.shape, self.dimensions, self.columns = "aggregate", [self.as_dimension(c) for c in self.columns], []
            self.measures = [self.count_of(self.counted_after(place))]
            self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
            self.default_limit(number, place)
            return
        grouped_number = self.numeric_after(place, near=True)
        if grouped_number is not None and number is None and not self.draft.which:
            for i, measure in enumerate(self.measures):
                if (
                    measure not in self.draft.measures
                    and measure.member == grouped_number
                    and measure.aggregate in ("avg", "sum")
                ):
                    self.measures[i] = Measure(grouped_number, "max" if descending else "min")
                    return
        if not self.measures:
            self.measures.append(self.count_of(self.counted_after(place)))
        if self.dimensions:
            self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
            self.default_limit(number, place)

    def adjective_measure(self, place: int) -> None:
        """``most profitable``, ``cheapest``: the adjective names the number."""
        words = [w for w in self.draft.items[place].text.lower().split() if w not in ("most", "least", "the")]
        targets = related(stem(words[-1])) if words else frozenset()
        if not targets or self.measures or any(self.raw_number(m) for m in self.draft.mentions):
            return
        for relation in self.scope:
            for member in self.meta.relation(relation).members.values():
                path = member.path
                if path not in self.meta.members or not {stem(p) for p in self.meta.parts(path)} & targets:
                    continue
                if member.kind == "measure":
                    self.measures.append(Measure(path, "measure"))
                elif self.meta.is_number(path) and not self.meta.is_key(path) and self.columns != [path]:
                    self.measures.append(Measure(path, self.default_aggregate(path)))
                else:
                    continue
                if self.shape == "rows":
                    self.shape, self.dimensions, self.columns = (
                        "aggregate",
                        [self.as_dimension(c) for c in self.columns],
                        [],
                    )
                return

    def bad_when_high(self, order: OrderWish | None) -> bool:
        members = [order.measure.member] if order and order.measure and order.measure.member else []
        members += [m.member for m in self.measures if m.member] + [m.member for m in self.draft.mentions]
        return any(part in _WORSE_HIGH for member in members for part in self.meta.parts(member))

    def numeric_after(self, place: int, near: bool = False) -> str | None:
        """The number (or date) named right after a superlative."""
        from .lexicon import Candidate

        for at in range(place + 1, len(self.draft.items)):
            chosen = self.draft.resolution.choice.get(at)
            if isinstance(chosen, Candidate) and chosen.member is not None:
                if (
                    self.meta.is_number(chosen.member)
                    and not self.meta.is_key(chosen.member)
                    or self.meta.is_time(chosen.member)
                ):
                    return chosen.member
                if near:
                    return None
            if self.draft.items[at].is_cue("group") and near:
                return None
        for mention in self.draft.mentions:
            if not near and self.meta.is_number(mention.member) and not self.meta.is_key(mention.member):
                return mention.member
        return None

    def counted_after(self, place: int) -> str | None:
        return next((relation for relation, at in self.draft.entities if at > place), None)

    def default_limit(self, number: int | None, place: int) -> None:
        text = self.draft.items[place].text.lower() if place < len(self.draft.items) else ""
        number = number if number is not None else self.draft.noun_number
        value = number if number is not None else 10 if text in ("top", "bottom") or self.plural_subject(place) else 1
        each = [i for i, d in enumerate(self.dimensions) if d.member in self.draft.each or d.member in self.each_labels]
        if len(self.dimensions) == 2 and len(each) == 1:
            self.limit_per = each[0]
        self.limit = value

    def plural_subject(self, place: int) -> bool:
        """``which countries have the most``: several are asked for."""
        for at, item in enumerate(self.draft.items[:place]):
            if (
                item.kind == "name"
                and at
                and (
                    self.draft.items[at - 1].is_cue("ask", "which")
                    or self.draft.items[at - 1].text.lower() in ("which", "what", "are", "are the", "the")
                )
            ):
                last = self.draft.tokens[item.end - 1]
                return last.lower != singular(last.lower)
        return False

    def unify(self) -> None:
        """Numbers that the model defines itself take the model's definition; the same number twice is one."""
        self.draft.orders = [
            replace(o, measure=self.own(o.measure)) if o.measure is not None else o for o in self.draft.orders
        ]
        self.draft.having = [(self.own(m), operator, numbers) for m, operator, numbers in self.draft.having]
        unified: list[Measure] = []
        for measure in map(self.own, self.measures):
            if measure not in unified and not any(_same_count(measure, known) for known in unified):
                unified.append(measure)
        self.measures = unified

    def own(self, measure: Measure) -> Measure:
        """The model's measure for a plain aggregate: its ``count``, or ``avg_x`` for the average of x."""
        if measure.conditions or measure.aggregate not in ("count", "sum", "avg", "min", "max"):
            return measure
        relation = measure.member.split(".", 1)[0] if measure.member else measure.entity or self.scope[0]
        members = self.meta.relation(relation).members
        if measure.member is None:
            names = ["count"]
        else:
            short = measure.member.split(".", 1)[1]
            names = [
                f"{head}_{short}"
                for head in (
                    {"avg": ("avg", "average", "mean"), "sum": ("total", "sum")}.get(
                        measure.aggregate, (measure.aggregate,)
                    )
                )
            ]
        for name in names:
            known = members.get(name)
            if (
                known is not None
                and known.kind == "measure"
                and known.agg_type == measure.aggregate
                and known.path in self.meta.members
            ):
                return Measure(known.path, "measure", entity=relation)
        return measure

    def ratios(self) -> None:
        """``ratio of A to B``: of two counts under different conditions, or of two numbers."""
        draft = self.draft
        if "ratio" not in draft.calculations:
            return
        start = next(i for i, item in enumerate(draft.items) if item.is_cue("calc", "ratio"))
        joint = next(
            (
                i
                for i in range(start + 1, len(draft.items))
                if draft.items[i].text.lower() in ("to", "to the", "out of", "out", "over")
            ),
            None,
        )
        numbers = [m for m in draft.mentions if m.place > start and self.raw_number(m)]
        if len(numbers) >= 2 and not self.measures:
            self.measures = [Measure(numbers[0].member, "ratio", other=numbers[1].member)]
            draft.mentions = [m for m in draft.mentions if m not in numbers[:2]]
            return
        if joint is None:
            return
        above = [c for _, c, place in self.conditions if start < place < joint]
        same = {c.member for c in above}
        below = [c for _, c, place in self.conditions if place > joint and c.member in same]
        if not above:
            return
        self.conditions = [entry for entry in self.conditions if entry[1] not in above and entry[1] not in below]
        self.measures = [Measure(None, "ratio", tuple(above), divided_by=tuple(below))]
        draft.mentions = [m for m in draft.mentions if m.member not in same]

    def absences(self) -> None:
        """``drugs not used in any treatment``: rows without a row in another relation."""
        self.exists: list[Exists] = []
        for doubt in self.draft.doubts:
            if doubt.startswith("exists:"):
                _, relation, _ = doubt.split(":")
                self.exists.append(Exists(relation, True))

    def limits(self) -> None:
        if self.limit is not None and self.limit <= 0:
            self.limit = None

    def having(self) -> None:
        for measure, operator, numbers in self.draft.having:
            if self.shape != "aggregate":
                dims = [self.as_dimension(c) for c in self.columns]
                self.shape, self.columns, self.dimensions = "aggregate", [], dims
                self.measures = []
            place = next(
                (
                    i
                    for i, m in enumerate(self.measures)
                    if m.aggregate == measure.aggregate and m.member == measure.member
                ),
                None,
            )
            if place is None:
                self.measures.append(measure)
                place = len(self.measures) - 1
                self.hidden_measures.append(place)
            self.havings.append(Having(place, operator, numbers))

    def order_wishes(self) -> None:
        for wish in self.draft.orders:
            if wish.implied and wish.descending is None:
                continue
            order = self.order_of(wish)
            if order is not None and all(
                (o.by, o.place, o.member) != (order.by, order.place, order.member) for o in self.orders
            ):
                self.orders.append(order)

    def order_of(self, wish: OrderWish) -> Order | None:
        descending = bool(wish.descending)
        if wish.measure is not None:
            place = next(
                (
                    i
                    for i, m in enumerate(self.measures)
                    if m == wish.measure
                    or m.member == wish.measure.member
                    and m.member
                    or m.aggregate == wish.measure.aggregate == "count"
                ),
                None,
            )
            if place is not None and self.shape == "aggregate":
                return Order("measure", place, descending)
            if self.shape == "aggregate":
                if (
                    wish.measure.member is not None
                    and any(d.member == wish.measure.member for d in self.dimensions)
                    and wish.measure.aggregate == "count_values"
                    and self.measures
                ):
                    return Order("measure", 0, descending)
                return Order("measure", 0, descending, measure=wish.measure)
            if wish.measure.member in self.columns:
                return Order("column", self.columns.index(wish.measure.member or ""), descending)
            return Order("measure", 0, descending, measure=wish.measure) if self.dimensions else None
        if wish.member is not None:
            return self.order_by_member(wish.member, descending)
        if self.shape in ("rows", "distinct"):
            if not self.columns:
                return None
            if wish.axis == "y" and len(self.columns) > 1:
                return Order("column", self.y_column(), descending)
            return Order("column", self.x_column(), descending)
        if wish.axis == "x" and self.dimensions:
            return Order("dimension", 0, descending)
        if wish.axis == "y" and self.measures:
            return Order("measure", 0, descending)
        if self.dimensions and wish.descending is not None:
            return (
                Order("measure", 0, descending)
                if self.measures and not self.draft.mark
                else Order("dimension", 0, descending)
            )
        return Order("measure", 0, descending) if self.measures and self.dimensions else None

    def x_column(self) -> int:
        text = [i for i, c in enumerate(self.columns) if not self.meta.is_number(c)]
        return text[0] if text else 0

    def y_column(self) -> int:
        numbers = [i for i, c in enumerate(self.columns) if self.meta.is_number(c) and i != self.x_column()]
        return numbers[0] if numbers else 1

    def order_by_member(self, member: str, descending: bool) -> Order:
        for i, dimension in enumerate(self.dimensions):
            if dimension.member == member:
                return Order("dimension", i, descending)
        for i, measure in enumerate(self.measures):
            if measure.member == member:
                return Order("measure", i, descending)
        if member in self.columns:
            return Order("column", self.columns.index(member), descending)
        if self.shape == "aggregate" and self.meta.is_number(member):
            return Order("measure", 0, descending, measure=Measure(member, "avg"))
        return Order("member", 0, descending, member=member)

    def calculate(self) -> None:
        if "yoy" in self.draft.calculations:
            self.draft.calculations = [c for c in self.draft.calculations if c != "growth"]
        if self.draft.cumulative and self.timed([]) and "running" not in self.draft.calculations:
            self.draft.calculations.append("running")
        kinds = {
            "share": "share",
            "growth": "growth",
            "yoy": "year_ago_growth",
            "difference": "difference",
            "running": "running_total",
            "moving": "moving_average",
            "rank": "rank",
        }
        for said in dict.fromkeys(self.draft.calculations):
            if said in kinds and self.measures and self.dimensions and self.shape == "aggregate":
                if said == "share" and (
                    self.measures[0].aggregate == "share_true"
                    or self.draft.mark == "arc"
                    or self.measures[0].aggregate == "measure"
                    and self.meta.member(self.measures[0].member or "").format == "percent"
                ):
                    continue
                self.calculations.append(Calculation(kinds[said], 0, self.draft.window or 3))

    # ---- the rest ----

    def fall_back(self) -> None:
        """Only entities or conditions were named: a count, a list, or yes and no."""
        draft = self.draft
        if draft.having:
            counted = {m.entity for m, _, _ in draft.having}
            other = next((r for r, _ in draft.entities if r not in counted), None)
            label = self.meta.label_of(other) if other else None
            if label is not None:
                self.dimensions.append(Dimension(label))
                self.measures.append(draft.having[0][0])
                return
        if (draft.entities or self.conditions) and not (draft.listing or draft.which):
            self.measures.append(self.count_of(None))
            return
        if draft.counting or draft.spread or self.dimensions or draft.yesno or draft.trend:
            self.measures.append(self.count_of(None))
            return
        entity = next((relation for relation, _ in draft.entities), None)
        if entity is not None and (draft.which or draft.listing) or self.conditions:
            relation = entity or self.scope[0]
            label = self.meta.label_of(relation)
            if draft.which and label is not None and len(draft.entities) > 0:
                self.columns, self.shape = [label], "distinct"
                return
            shown = [
                m.path
                for m in self.meta.relation(relation).members.values()
                if m.kind == "dimension" and m.path in self.meta.members
            ]
            self.columns, self.shape = shown[:12], "rows"

    def needed_scope(self) -> tuple[str, ...]:
        used = [m.member for m in self.measures if m.member] + [m.other for m in self.measures if m.other]
        used += [c.member for m in self.measures for c in (*m.conditions, *(m.divided_by or ()))]
        used += [d.member for d in self.dimensions] + self.columns + [c.member for _, c, _ in self.merged]
        used += [c.other for _, c, _ in self.merged if c.other] + [o.member for o in self.orders if o.member]
        used += [o.measure.member for o in self.orders if o.measure is not None and o.measure.member]
        relations = [path.split(".", 1)[0] for path in used if path]
        relations += [o.measure.entity for o in self.orders if o.measure is not None and o.measure.entity]
        relations += [m.entity for m in self.measures if m.entity and m.aggregate != "measure"]
        relations += [r for r, _ in self.draft.entities if self.meta.is_marker(r) and r in self.scope]
        absent = {e.relation for e in self.exists}
        relations = [r for r in relations if r not in absent]
        if any(m.member is None and m.entity is None for m in self.measures) or not relations:
            relations += [relation for relation, _ in self.draft.entities if relation not in absent][:1] or [
                self.scope[0]
            ]
        scope = self.meta.scope(list(dict.fromkeys(relations)), [m.entity for m in self.measures if m.entity])
        return scope or self.scope

    def chart_wish(self) -> ChartWish:
        draft = self.draft
        channels = [(axis, member) for axis, member in draft.axes.items()]
        channels += [("color", member) for member in draft.series] + [("facet", member) for member in draft.facets]
        return ChartWish(
            draft.mark, draft.stacked, False, draft.horizontal, bool(draft.facets), draft.table, tuple(channels)
        )


def _distinct(mentions: Iterable[Mention]) -> list[Mention]:
    seen: dict[str, Mention] = {}
    for mention in mentions:
        if mention.member not in seen or mention.role and not seen[mention.member].role:
            seen[mention.member] = mention
    return list(seen.values())


def _same_count(one: Measure, other: Measure) -> bool:
    """Two counts of the same rows, one said as distinct."""
    counts = ("count", "count_distinct", "measure")
    return (
        one.entity is not None
        and one.entity == other.entity
        and one.aggregate in counts
        and other.aggregate in counts
        and all(m.member is None or m.member.endswith(".count") for m in (one, other))
    )


def nice_width(spread: float, bins: int) -> float:
    """A width of 1, 2 or 5 times a power of ten that cuts ``spread`` into about ``bins`` pieces."""
    import math

    if spread <= 0 or not math.isfinite(spread):
        return 1.0
    raw = spread / bins
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor for factor in (1, 2, 5, 10) if raw <= factor * power * 1.0001)
    return step * power
