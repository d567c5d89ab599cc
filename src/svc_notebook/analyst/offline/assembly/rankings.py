"""Rankings of a plan: orders, limits, conditions on measures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from .... import patterns as re
from ..plans.plan import Condition, Dimension, Exists, Having, Measure, Order
from ..schema.lexicon import Candidate
from ..walk.draft import OrderWish
from ..words.percents import PERCENT, is_fraction
from .assembly import Assembly

__all__ = ["called_by_its_end", "having", "limits", "named_values", "order_wishes", "unify"]

_COMMON = frozenset({"most common", "least common", "most frequent", "least frequent", "commonest"})


def unify(state: Assembly) -> None:
    """Numbers that the model defines itself take the model's definition; the same number twice is one."""
    state.draft.orders = [
        replace(o, measure=_own(state, o.measure)) if o.measure is not None else o for o in state.draft.orders
    ]
    state.draft.having = [(_own(state, m), operator, numbers) for m, operator, numbers in state.draft.having]
    unified: list[Measure] = []
    for measure in map(partial(_own, state), state.measures):
        if not any(measure == known or _same_count(measure, known) or _same(measure, known) for known in unified):
            unified.append(measure)
    state.measures = unified


_END = re.compile(r"\b(?:most|fewest|least|\w{2,}est)\b", re.IGNORECASE)


def called_by_its_end(state: Assembly) -> None:
    """``which airport is the coldest``: the one with the lowest temperature; *on average*, by that."""
    at = next((at for at, item in enumerate(state.draft.items) if _END.search(item.text)), None)
    chosen = state.draft.resolution.choice.get(at) if at is not None else None
    path = chosen.member if isinstance(chosen, Candidate) else None
    end = state.meta.members[path].agg_type if path is not None and state.meta.is_measure(path) else None
    if path is None or end not in ("min", "max") or state.draft.orders:
        return
    plain = state.meta.plain(Measure(path, "measure"))
    own = [place for place, m in enumerate(state.measures) if m.member == path or m == plain]
    averaged = len(state.measures) == 1 and any(item.is_cue("agg", "avg") for item in state.draft.items)
    if averaged and plain.aggregate == end and plain.member is not None:
        state.measures, own = [_own(state, Measure(plain.member, "avg"))], [0]
    grouped = any(item.is_cue("group") for item in state.draft.items)
    asked = any(item.is_cue("ask", "which") for item in state.draft.items[:at]) or at == 0 and not grouped
    if asked and own and len(state.dimensions) == 1 and state.limit is None and state.shape == "aggregate":
        state.draft.orders.append(OrderWish(end == "max", measure=state.measures[own[0]]))
        state.limit = 1


def _own(state: Assembly, measure: Measure) -> Measure:
    """The model's measure for a plain aggregate: its ``count``, or ``avg_x`` for the average of x."""
    if measure.aggregate == "count" and measure.member is None and not measure.conditions:
        # The columns say how many there are in each row (a table of tallies): rows are not counted there, but added
        # up.
        tally = state.meta.tally_of(measure.entity or state.scope[0])
        measure = Measure(tally, "sum") if tally is not None else measure
    # With conditions of its own it is another number than the model defines.
    if measure.conditions or measure.exists or measure.aggregate not in ("count", "sum", "avg", "min", "max"):
        return measure
    relation = measure.member.split(".", 1)[0] if measure.member else measure.entity or state.scope[0]
    members = state.meta.relation(relation).members
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
            and known.path in state.meta.members
        ):
            return Measure(known.path, "measure", entity=relation)
    return measure


def limits(state: Assembly) -> None:
    if state.shape != "aggregate" and state.limit is None and state.draft.top is None:
        state.limit = state.draft.noun_number
    if state.limit is not None and state.limit <= 0:
        state.limit = None


def having(state: Assembly) -> None:
    _against_all(state)
    for measure, operator, numbers in state.draft.having:
        if _counts_holders(state, measure):
            state.exists.append(Exists(measure.entity or "", False, (), operator, numbers))
            continue
        # A bound on groups without any: those that are spoken of beside what is counted are the groups.
        if state.shape == "aggregate" and not state.dimensions:
            spoken = measure.entity or (measure.member or ".").split(".", 1)[0]
            subject = next((r for r, _ in state.draft.entities if r != spoken), None)
            label = state.meta.label_of(subject) if subject is not None and not state.draft.counting else None
            state.dimensions += [Dimension(label)] if label is not None else []
        # Rows were to be listed: with a bound on how many there are they are groups.
        if state.shape != "aggregate":
            dims = [state.as_dimension(c) for c in state.columns]
            state.shape, state.columns, state.dimensions = "aggregate", [], dims
            state.measures = []
        place = next(
            (
                i
                for i, m in enumerate(state.measures)
                if m.aggregate == measure.aggregate and m.member == measure.member
            ),
            None,
        )
        if place is None:
            state.measures.append(measure)
            place = len(state.measures) - 1
            # Bounded by and not asked for: it is worked out and not shown.
            state.hidden_measures.append(place)
        state.havings.append(Having(place, operator, _as_kept(state, measure, numbers)))


def _as_kept(state: Assembly, measure: Measure, numbers: tuple[float, ...]) -> tuple[float, ...]:
    """``a cancellation rate above 3 percent``: of a share, which is kept as a fraction, 0.03."""
    known = state.meta.members.get(measure.member or "")
    if known is None or not str(known.format or "").startswith("percent"):
        return numbers
    fractions = {token.value for token in state.draft.tokens if is_fraction(token)}
    said = any(token.lower in PERCENT for token in state.draft.tokens)
    return tuple(round(number / 100, 8) if said and number not in fractions else number for number in numbers)


def _against_all(state: Assembly) -> None:
    """``stores whose number of sales is above the overall average``: of the rows that are named, where no group is."""
    operator = state.draft.against_all
    if operator is None or state.shape != "aggregate" or not state.measures:
        return
    if not state.dimensions:
        spoken = state.measures[0].entity or (state.measures[0].member or ".").split(".", 1)[0]
        subject = next((relation for relation, _ in state.draft.entities if relation != spoken), None)
        label = state.meta.label_of(subject) if subject is not None else None
        state.dimensions += [Dimension(label)] if label is not None else []
    if state.dimensions:
        state.havings.append(Having(0, operator, ()))


def _counts_holders(state: Assembly, measure: Measure) -> bool:
    """``how many authors have more than 3 papers``: the condition is on each author, who is counted."""
    counted = {relation for relation, _ in state.draft.counted_entities}
    counted |= {m.member.split(".", 1)[0] for m in state.draft.measures if m.member and m.member.endswith(".count")}
    other = measure.entity
    plain = measure.aggregate in ("count", "measure") and (measure.member or ".count").endswith(".count")
    if not plain or other is None or len(counted) != 1 or other in counted or state.dimensions:
        return False
    way = state.meta.joins.way(next(iter(counted)), other)
    return way is not None and len(way) <= 4


def order_wishes(state: Assembly) -> None:
    for wish in state.draft.orders:
        # It came of other words and waits for a superlative to say which way: without one it is no order.
        if wish.implied and wish.descending is None:
            continue
        order = _order_of(state, wish)
        if order is not None and all(
            (o.by, o.place, o.member) != (order.by, order.place, order.member) for o in state.orders
        ):
            state.orders.append(order)


def _order_of(state: Assembly, wish: OrderWish) -> Order | None:
    descending = bool(wish.descending)
    if wish.measure is not None:
        place = next(
            (
                i
                for i, m in enumerate(state.measures)
                if m == wish.measure
                or m.member == wish.measure.member
                and m.member
                or m.aggregate == wish.measure.aggregate == "count"
            ),
            None,
        )
        if place is not None and state.shape == "aggregate":
            return Order("measure", place, descending)
        if state.shape == "aggregate":
            if (
                wish.measure.member is not None
                and any(d.member == wish.measure.member for d in state.dimensions)
                and wish.measure.aggregate == "count_values"
                and state.measures
            ):
                return Order("measure", 0, descending)
            alone = state.measures and _is_one_each(state, wish.measure)
            return Order("measure", 0, descending, measure=None if alone else wish.measure)
        if wish.measure.member in state.columns:
            return Order("column", state.columns.index(wish.measure.member or ""), descending)
        return Order("measure", 0, descending, measure=wish.measure) if state.dimensions else None
    if wish.member is not None:
        return _order_by_member(state, wish.member, descending)
    if state.shape in ("rows", "distinct"):
        if not state.columns:
            return None
        if wish.axis == "y" and len(state.columns) > 1:
            return Order("column", state.y_column(), descending)
        return Order("column", state.x_column(), descending)
    if wish.axis == "x" and state.dimensions:
        return Order("dimension", 0, descending)
    if wish.axis == "y" and state.measures:
        return Order("measure", 0, descending)
    if state.dimensions and wish.descending is not None:
        return (
            Order("measure", 0, descending)
            if state.measures and not state.draft.mark
            else Order("dimension", 0, descending)
        )
    return Order("measure", 0, descending) if state.measures and state.dimensions else None


def _is_one_each(state: Assembly, measure: Measure) -> bool:
    """Whether the groups are the very rows that are counted: each farm is one farm, and none has the most."""
    of, meta = measure.entity, state.meta
    counts = measure.aggregate in ("count", "measure") and (measure.member or ".count").endswith(".count")
    if of is None or not counts or measure.conditions:
        return False
    own = {meta.label_of(of), meta.key_of(of)}
    return bool(state.dimensions) and all(dimension.member in own for dimension in state.dimensions)


def _order_by_member(state: Assembly, member: str, descending: bool) -> Order:
    for i, dimension in enumerate(state.dimensions):
        if dimension.member == member:
            return Order("dimension", i, descending)
    for i, measure in enumerate(state.measures):
        if measure.member == member:
            return Order("measure", i, descending)
    if member in state.columns:
        return Order("column", state.columns.index(member), descending)
    if state.shape == "aggregate" and state.meta.is_number(member):
        # A number that is not shown: of a group its average is the one that stands for it.
        return Order("measure", 0, descending, measure=Measure(member, "avg"))
    return Order("member", 0, descending, member=member)


def _same(one: Measure, other: Measure) -> bool:
    """One measure of the model, named for two entities."""
    return one.aggregate == other.aggregate == "measure" and one.member == other.member


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


def named_values(state: Assembly) -> None:
    """``the most common issue`` is one: that most rows have none is no answer."""
    common = any(item.is_cue("top") and item.text.lower() in _COMMON for item in state.draft.items)
    groups = [d.member for d in state.dimensions if d.grain is None and d.bin is None]
    if common and len(groups) == 1 == len(state.dimensions) and state.meta.profile(groups[0]).missing:
        state.merged.append(("and", Condition(groups[0], "not null"), len(state.draft.items)))
