"""What is counted: rows, the kinds of them, or the facts that tell them apart."""

from __future__ import annotations

from dataclasses import replace

from ..plans.plan import Dimension, Measure
from ..schema.counted import counts_values_of
from ..schema.lexicon import Candidate
from .assembly import Assembly
from .most_kinds import ranked_by

__all__ = [
    "count_facts",
    "count_kinds",
    "headed_by_kind",
    "not_by_what_is_counted",
    "refuse_sums_of_keys",
    "tells_apart",
]


_KINDS = frozenset({"type", "types", "kind", "kinds", "category", "categories"})


def headed_by_kind(state: Assembly) -> None:
    """``fuel type`` where the column is called fuel: the noun behind says no more."""
    for place, item in enumerate(state.draft.items[1:], 1):
        named = state.draft.resolution.choice.get(place - 1)
        path = named.member if isinstance(named, Candidate) and named.full else None
        beside = state.draft.items[place - 1].end == item.start
        said = item.kind == "word" and item.text.lower() in _KINDS and item.text in state.unread
        if said and beside and path is not None and state.meta.member(path).type == "string":
            state.unread.remove(item.text)


def count_facts(state: Assembly) -> None:
    """``top destinations of each airline``: rows counted by their own name are one each; those that point at them
    are meant.
    """
    for place, measure in enumerate(state.measures):
        counted = measure.entity if measure.member is None else (measure.member or "").split(".", 1)[0]
        own = counted is not None and any(tells_apart(state, d, counted) for d in state.dimensions)
        if not own or not state.is_count(measure) or state.shape != "aggregate":
            continue
        named = {d.member.split(".", 1)[0] for d in state.dimensions} | {r for r, _ in state.draft.entities}
        facts = [r for r in state.scope if r in named and r != counted and counted in state.meta.edges.get(r, ())]
        # Only of the top of them: without a superlative a count of things by their name may be what is asked.
        pointing = state.meta.facts_of(counted or "") if state.draft.top is not None else None
        if facts or pointing is not None:
            state.measures[place] = Measure(None, "count", entity=next(iter(facts), pointing))
        # One row a group is no answer, except as a picture, where each has its bar; what there are most of is counted.
        elif not state.draft.mark and ranked_by(state.draft) not in {d.member for d in state.dimensions}:
            state.draft.unmet.append(counted or "")


def tells_apart(state: Assembly, dimension: Dimension, relation: str) -> bool:
    """Whether a grouping has one row of a relation in each group."""
    whole = dimension.grain is None and dimension.bin is None and not state.meta.is_time(dimension.member)
    return whole and dimension.member.split(".", 1)[0] == relation and state.meta.profile(dimension.member).unique


def count_kinds(state: Assembly) -> None:
    """``in how many countries``: a member's different values are counted, not the rows that have one."""
    if state.draft.mark is not None or state.shape != "aggregate":
        return
    grouped = {d.member for d in state.dimensions}
    for place, measure in enumerate(state.measures):
        member = measure.member
        if measure.aggregate != "count_values" or member is None or member in grouped:
            continue
        # A value or period that is said of the member leaves few of its values: then rows are meant.
        kept = ("in", "=", "period") if state.meta.is_time(member) else ("in", "=")
        if any(c.member == member and c.operator in kept for _, c, _ in state.conditions):
            state.measures[place] = state.count_of(member.split(".", 1)[0])  # ``how many paid by card``: rows
        else:
            state.measures[place] = replace(measure, aggregate="count_distinct")


def not_by_what_is_counted(state: Assembly) -> None:
    """``how many destinations does Delta serve``: there is one of each in the group of each."""
    counted = [m.member for m in state.measures if m.aggregate == "measure" and m.member is not None]
    if not counted or len(counted) < len(state.measures) or state.shape != "aggregate":
        return
    state.dimensions = [
        each for each in state.dimensions
        if each.grain or each.bin or not all(counts_values_of(state.meta, number, each.member) for number in counted)
    ]  # fmt: skip


def refuse_sums_of_keys(state: Assembly) -> None:
    """Ids, codes and years are neither added up nor averaged, unless just that was said."""
    said = any(item.is_cue("agg") for item in state.draft.items)
    for measure in state.measures:
        member = measure.member
        if member is None or not (state.meta.is_key(member) or state.meta.is_year(member)):
            continue
        if measure.aggregate in ("sum", "avg") and not said:
            state.draft.unmet.append(member)
