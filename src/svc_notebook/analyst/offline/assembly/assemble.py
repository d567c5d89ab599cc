"""From what was said to a plan: which mentions are measured, grouped by or listed, in what order, how many, drawn
how.
"""

from __future__ import annotations

from ..plans.plan import Calculation, ChartWish, Condition, Order, Plan
from ..schema.acts import scope_of_deeds
from ..walk.draft import Draft
from .assembly import Assembly
from .called_either_way import called_either_way
from .conditions import (
    absences,
    all_but_one_person,
    all_conditions,
    any_conditions,
    both_ways,
    bound_conditions,
    conditional_measures,
    join_periods,
    merge,
    per_number,
    ratios,
)
from .counted_kinds import count_facts, count_kinds, headed_by_kind, not_by_what_is_counted, refuse_sums_of_keys
from .counted_so import counted_so
from .denials import denied_of_groups
from .extremes import entity_extreme, first_of_all, speak_for_rows
from .fallbacks import fall_back
from .group_labels import coarsen, every_value, names_for_keys, whole_names, without_links
from .groupings import take_entities, take_mentions
from .listings import list_of_unique, listed_by, not_by_what_is_missing
from .named_extremes import said_extreme
from .nesting import nest, on_units_without
from .nothing_else import nothing_else
from .periods_with import periods_with
from .projections import marked_amounts, present, restricting
from .qualities import qualities
from .rankings import called_by_its_end, having, limits, named_values, order_wishes, unify
from .row_states import counted_deeds, deeds, first_to, free_of_charge, states, superiors
from .rows_beside import rows_beside
from .spans import spans
from .superlatives import claimed, judge, limited_noun, limited_within, most_frequent, superlatives, who
from .timelines import periods_beside, take_grains
from .times_of_all import dated_by_all

__all__ = ["assemble"]


def assemble(draft: Draft) -> Plan | None:
    """The plan of a draft; None when nothing in it can be computed."""
    return _plan(Assembly(draft))


def _plan(state: Assembly) -> Plan | None:
    draft = state.draft
    # The order of the steps is what this module is for: each takes what it understands out of the mentions, and what
    # is left for take_mentions is grouped by, measured or listed.
    state.conditions = bound_conditions(state)
    # Whole plans of their own, tried while the draft is as it was said: the steps below take mentions away.
    denied = denied_of_groups(draft, state.conditions) or nothing_else(draft, state.conditions)
    if denied is not None:
        return denied
    told_of = periods_with(draft, state.conditions)
    if told_of is not None:
        return told_of
    superiors(state)
    free_of_charge(state)
    both_ways(state)
    called_either_way(state)
    all_but_one_person(state)
    # Before shares, which are refused over alternatives: two periods may become an either-or.
    join_periods(state)
    conditional_measures(state)
    ratios(state)
    per_number(state)
    marked_amounts(state)
    # Says whether best means high or low, for all steps below that read the direction of the top.
    judge(state)
    spans(state)
    absences(state)
    # Before the superlatives, which count the groups there are.
    take_grains(state)
    said_extreme(state)
    first_to(state)
    qualities(state)
    entity_extreme(state)
    take_entities(state)
    claimed(state)
    most_frequent(state)
    restricting(state)
    states(state)
    deeds(state)
    who(state)
    take_mentions(state)
    listed_by(state)
    counted_deeds(state)
    superlatives(state)
    list_of_unique(state)
    if not state.measures and not state.columns:
        fall_back(state)
    if not state.measures and not state.columns and not state.dimensions:
        return None
    if state.shape == "aggregate" and not state.measures:
        state.measures.append(state.count_of(None))
    rows_beside(state)
    counted_so(state)
    headed_by_kind(state)
    count_facts(state)
    count_kinds(state)
    not_by_what_is_counted(state)
    speak_for_rows(state)
    refuse_sums_of_keys(state)
    # Only now: comparisons and shares need to see each value by itself. What is added later goes to `merged`.
    merge(state)
    every_value(state)
    names_for_keys(state)
    whole_names(state)
    without_links(state)
    coarsen(state)
    nest(state)
    first_of_all(state)
    unify(state)
    periods_beside(state)
    # Behind nesting and unifying: its bounds and orders name measures as they are in the end.
    having(state)
    called_by_its_end(state)
    order_wishes(state)
    limits(state)
    named_values(state)
    _calculate(state)
    # An order asked for groups would name a column that the one row does not have.
    if state.nested is not None and not state.dimensions:
        state.orders = []  # one row
    if state.shape == "rows" and _shows_values(state):
        state.shape = "distinct"
    not_by_what_is_missing(state)
    if _share_lost(state):
        draft.unmet.append("share")
    if len(draft.roles) > 1:
        draft.unmet.extend(sorted(draft.roles))  # a row has one role: two at once need the table twice
    # Last: which group the limit is within depends on the groups that are left.
    limited_within(state)
    scope = _needed_scope(state)
    state.exists.extend(present(state, scope))
    plan = Plan(
        scope=scope,
        shape=state.shape,
        measures=tuple(state.measures),
        dimensions=tuple(state.dimensions),
        columns=tuple(state.columns),
        conditions=_apart_from_shares(state, all_conditions(state)),
        alternatives=any_conditions(state),
        exists=tuple(state.exists),
        having=tuple(state.havings),
        order=tuple(state.orders),
        limit=state.limit,
        limit_per=state.limit_per,
        limit_of=limited_noun(state),
        calculations=tuple(state.calculations),
        hidden=tuple(state.hidden_measures),
        nested=state.nested,
        chart=_chart_wish(state),
        compare=draft.compare,
        claim=state.claim,
        unread=tuple(state.unread),
        notes=tuple(state.notes),
    )
    return dated_by_all(on_units_without(plan, state.meta), draft)


def _shows_values(state: Assembly) -> bool:
    """Whether the different values of what is listed are asked for, and not each row; an order by another column needs
    the rows.
    """
    if any(o.by == "member" for o in state.orders):
        return False
    return state.draft.unique or len(state.columns) == 1 and not state.meta.is_number(state.columns[0])


def _share_lost(state: Assembly) -> bool:
    """Whether a percentage was asked for and no number came of it: what is a percentage already, or a pie (whose angles
    are shares), needs none.
    """
    if state.shape != "aggregate" or "share" not in state.draft.calculations or state.draft.mark == "arc":
        return False
    if any(m.aggregate == "measure" and state.meta.member(m.member or "").format == "percent" for m in state.measures):
        return False
    told = {c.kind for c in state.calculations} | {m.aggregate for m in state.measures}
    return not told & {"share", "share_true", "ratio"}


def _apart_from_shares(state: Assembly, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """``return rate by shop``: a share of all rows, and not of those that have what it is a share of."""
    shared = {
        (c.member, c.operator, c.values)
        for m in state.measures
        if m.aggregate == "share_true" and m.divided_by is None
        for c in m.conditions
    }
    return tuple(c for c in conditions if (c.member, c.operator, c.values) not in shared)


def _calculate(state: Assembly) -> None:
    # A change against the year before is also called growth: it would be told twice.
    if "yoy" in state.draft.calculations:
        state.draft.calculations = [c for c in state.draft.calculations if c != "growth"]
    if state.draft.cumulative and state.timed([]) and "running" not in state.draft.calculations:
        state.draft.calculations.append("running")
    kinds = {
        "share": "share",
        "growth": "growth",
        "yoy": "year_ago_growth",
        "difference": "difference",
        "running": "running_total",
        "moving": "moving_average",
        "rank": "rank",
    }
    for said in dict.fromkeys(state.draft.calculations):
        # A calculation compares rows of the result with each other, so one number without a group has none.
        if said in kinds and state.measures and state.dimensions and state.shape == "aggregate":
            if said == "share" and (
                state.measures[0].aggregate == "share_true"
                or state.draft.mark == "arc"
                or state.measures[0].aggregate == "measure"
                and state.meta.member(state.measures[0].member or "").format == "percent"
            ):
                continue
            state.calculations.append(Calculation(kinds[said], 0, state.draft.window or 3))
            if said == "rank" and not state.orders:
                state.orders = [Order("measure", 0, descending=True)]  # the first is told first


def _used(state: Assembly) -> list[str | None]:
    """The members that a plan goes by; in this order, which is that of its joins."""
    measures, merged = state.measures, [condition for _, condition, _ in state.merged]
    ranked = [order.measure for order in state.orders if order.measure is not None]
    used: list[str | None] = [*(m.member for m in measures), *(m.other for m in measures)]
    used += [c.member for m in measures for c in (*m.conditions, *(m.divided_by or ()))]
    used += [state.nested.dimension.member] if state.nested is not None else []
    used += [*(d.member for d in state.dimensions), *state.columns, *(c.member for c in merged)]
    used += [c.member for group in state.beside for c in group]
    return [*used, *(c.other for c in merged), *(o.member for o in state.orders), *(m.member for m in ranked)]


def _needed_scope(state: Assembly) -> tuple[str, ...]:
    relations = [path.split(".", 1)[0] for path in _used(state) if path]
    relations += [o.measure.entity for o in state.orders if o.measure is not None and o.measure.entity]
    relations += [m.entity for m in state.measures if m.entity and m.aggregate != "measure"]
    # A relation that marks rows (of a kind) is named for the rows it keeps, though no column of it is shown.
    relations += [r for r, _ in state.draft.entities if state.meta.is_marker(r) and r in state.scope]
    if any(e.negated and e.relation in relations for e in state.exists):
        state.draft.unmet.append("without")  # what is said of rows that are not there would be asked of those that are
    # What is joined for a column has its row by the join.
    state.exists = [e for e in state.exists if e.relation not in relations]
    absent = {e.relation for e in state.exists}
    # With no count of a certain relation and no column, one of the relations that were named must be in the scope:
    # there is nothing else to count.
    if any(m.member is None and m.entity is None for m in state.measures) or not relations:
        relations += [relation for relation, _ in state.draft.entities if relation not in absent][:1] or [
            state.scope[0]
        ]
    scope = state.meta.scope(list(dict.fromkeys(relations)), [m.entity for m in state.measures if m.entity])
    scope = scope_of_deeds(state.draft.tokens, scope or (), relations, state.meta) or scope
    if any(e.negated and e.relation in (scope or ()) for e in state.exists):
        state.draft.unmet.append("not")  # a condition leads through the very rows that there are none of
    return scope or state.scope


def _chart_wish(state: Assembly) -> ChartWish:
    draft = state.draft
    channels = [(axis, member) for axis, member in draft.axes.items()]
    channels += [("color", member) for member in draft.series] + [("facet", member) for member in draft.facets]
    return ChartWish(
        draft.mark, draft.stacked, draft.grouped and not draft.stacked, draft.horizontal, draft.panels, draft.table,
        tuple(channels),
    )  # fmt: skip
