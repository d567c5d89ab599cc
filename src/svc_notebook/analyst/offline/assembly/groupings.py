"""Groupings, measures and columns of a plan: the use of every bare mention."""

from __future__ import annotations

from collections.abc import Iterable

from ..plans.plan import Dimension, Measure
from ..walk.draft import Mention
from ..walk.times import default_time
from ..words.text import singular
from .assembly import Assembly
from .bare_mentions import without_measures
from .timelines import add_trend, along_time, compared

__all__ = ["take_entities", "take_mentions"]


def take_entities(state: Assembly) -> None:
    for relation, place in state.draft.grouped_entities:
        label = state.meta.label_of(relation)
        taken = {d.member.split(".")[0] for d in state.dimensions} | {
            m.member.split(".")[0] for m in state.draft.mentions if not state.meta.is_number(m.member)
        }
        # Not where one of its columns is named already: the name of each row would divide those groups further.
        if (
            label is None
            or relation in taken
            and not _ranked(state, place)
            or any(d.member == label for d in state.dimensions)
            or state.draft.spread
            and not state.draft.measures
            or state.draft.mark == "point"
            and len(state.draft.mentions) >= 2
        ):
            continue
        if len(state.scope) == 1 and not state.measures and state.draft.counting is None and state.dimensions:
            continue
        state.dimensions.append(Dimension(label))
        if (
            len(state.draft.grouped_entities) == 1
            and state.draft.top is not None
            # Two items behind the top is the noun it ranks itself; any later one is what it is ranked within.
            and state.draft.grouped_entities[0][1] > state.draft.top[2] + 2
        ):
            state.each_labels.add(label)


def _ranked(state: Assembly, place: int) -> bool:
    """Whether an entity is what a superlative with a number ranks (``top 2 products in each category``)."""
    top = state.draft.top
    return top is not None and top[1] is not None and top[2] < place <= top[2] + 2


def take_mentions(state: Assembly) -> None:
    draft, meta = state.draft, state.meta
    mentions = _distinct(
        m for m in draft.mentions if not any(d.member == m.member and d.grain is None for d in state.dimensions)
    )
    # A line was asked for and nothing to draw it along: over time, then.
    if draft.mark == "line" and state.measures and not state.dimensions and not mentions:
        draft.trend = True
    if (
        draft.trend
        and not any(meta.is_time(d.member) or meta.is_year(d.member) for d in state.dimensions)
        and not any(meta.is_time(m.member) or meta.is_year(m.member) for m in mentions)
    ):
        add_trend(state)
    if draft.mark == "point" and not state.measures and mentions:
        crossed = [d for d in state.dimensions if meta.is_number(d.member) and not meta.is_key(d.member) and not d.bin]
        # A scatter by a number is a scatter of two numbers: the second had been taken for a group.
        if len(crossed) == 1 and any(state.raw_number(m) for m in mentions) and not meta.is_year(crossed[0].member):
            state.dimensions.remove(crossed[0])
            mentions.append(Mention(crossed[0].member, len(draft.items), "by"))
    along_time(state)
    compared(state)
    if draft.counting and not state.measures:
        state.measures.append(state.count_of(None))
    if draft.bins or draft.spread:
        mentions = _take_bins(state, mentions)
    if state.measures:
        _beside_measures(state, mentions)
        _side_by_side(state)
        by = {d.member for d in state.dimensions}
        # A number that groups is not measured too, unless it is all that is measured.
        averaged = [m for m in state.measures if m.aggregate in ("avg", "sum") and m.member in by]
        if len(averaged) < len(state.measures):
            state.measures = [m for m in state.measures if m not in averaged]
    else:
        without_measures(state, mentions)


def _take_bins(state: Assembly, mentions: list[Mention]) -> list[Mention]:
    """A number alone under ``distribution``, ``histogram`` or ``bins`` is cut into bins and counted."""
    meta, draft = state.meta, state.draft
    # `distribution of population over countries`: a bar for each, and no bins.
    pair = len(mentions) == 2 and draft.spread and not state.dimensions and sum(map(state.raw_number, mentions)) == 1
    if pair and any(state.names_rows(m.member) for m in mentions) and not draft.bins:
        return mentions
    mentions = [m for m in mentions if m.role or not state.names_rows(m.member) or len(mentions) == 1]
    binned = [d for d in state.dimensions if meta.is_number(d.member) and not meta.is_category(d.member)]
    for dimension in binned:
        place = state.dimensions.index(dimension)
        state.dimensions[place] = Dimension(dimension.member, None, state.bin_width(dimension.member))
    if binned:
        state.measures = state.measures or [state.count_of(None)]
        return mentions
    member = _to_cut(state, mentions)
    if member is None:
        return mentions
    state.dimensions.insert(0, Dimension(member, None, state.bin_width(member)))
    state.measures = [state.count_of(None)]
    return [m for m in mentions if m.member != member and meta.is_category(m.member)]


def _to_cut(state: Assembly, mentions: list[Mention]) -> str | None:
    """The one number that is cut into bins; None where something else is measured, or groups are asked for."""
    meta, draft = state.meta, state.draft
    numbers = [m.member for m in mentions if meta.is_number(m.member) and _may_be_cut(state, m.member)]
    others = [m for m in state.measures if m.aggregate not in ("count", "count_values", "count_distinct")]
    named = [d.member for d in state.dimensions] + [m.member for m in mentions]
    if len(numbers) != 1 or others or any(map(meta.is_time, named)) or draft.mark == "point":
        return None
    if all(map(meta.is_number, named)):
        return numbers[0]
    in_bins = any("bin" in item.text.lower() or "bucket" in item.text.lower() for item in draft.items)
    # Bars alone ask for no bins: a width, or the word itself, does.
    return numbers[0] if draft.bins and (draft.mark != "bar" or draft.bin_width or in_bins) else None


def _may_be_cut(state: Assembly, member: str) -> bool:
    meta, width = state.meta, state.draft.bin_width
    return not meta.is_key(member) and bool(width or not meta.is_year(member) and not meta.is_small(member))


_OF_MANY = frozenset({"avg", "median", "min", "max", "share_true"})


def _of_all_those(state: Assembly, mention: Mention) -> bool:
    """``average age of cardiology patients``: whose rows they are is no grouping, unless each of them is asked for."""
    draft, meta = state.draft, state.meta
    said = draft.tokens[draft.items[mention.place].end - 1].lower if mention.place < len(draft.items) else ""
    plain = not (mention.role or mention.axis or draft.which or draft.listing or draft.top or draft.mark)
    if not plain or singular(said) == said or not meta.is_key(mention.member) or len(state.scope) > 1:
        return False
    kinds = [meta.plain(measure).aggregate for measure in state.measures]
    return bool(kinds) and _OF_MANY.issuperset(kinds)


def _is_what_is_shared(state: Assembly, mention: Mention) -> bool:
    """``share that completed the course``: the name of what there is a share of is no grouping of it."""
    shared = {c.member for m in state.measures if m.aggregate == "share_true" for c in m.conditions}
    return not mention.role and mention.member in shared


def _beside_measures(state: Assembly, mentions: list[Mention]) -> None:
    """Names beside a measure are groupings, numbers beside it further measures."""
    meta, draft = state.meta, state.draft
    for mention in mentions:
        member = mention.member
        if (
            any(m.member == member and m.aggregate not in ("count_values", "count_distinct") for m in state.measures)
            and not mention.role
        ):
            continue
        if _of_all_those(state, mention) or _is_what_is_shared(state, mention):
            continue
        # A bare name of rows beside others only says what is counted.
        if not mention.role and state.names_rows(member) and (state.dimensions or len(mentions) > 1):
            continue
        counted = any(m.member == member and m.aggregate in ("count_values", "count_distinct") for m in state.measures)
        if meta.is_time(member):
            state.dimensions.append(Dimension(member, state.time_grain(member)))
        elif state.raw_number(mention) and not meta.is_category(member):
            # A count by a number is counted in bins of it; beside another measure, the number is a measure too.
            only_counts = all(m.aggregate == "count_values" or state.is_count(m) for m in state.measures)
            if only_counts and (draft.spread or mention.role == "by" or not state.dimensions and not draft.top):
                state.dimensions.append(Dimension(member, None, state.bin_width(member)))
            else:
                state.measures.append(Measure(member, state.default_aggregate(member)))
        # Counted already by its values: it groups too only where it is said again, or with a word of grouping.
        elif not counted or mention.role or any(m.member == member for m in draft.mentions if m.place > mention.place):
            state.dimensions.append(Dimension(member))
    if not state.dimensions:
        counted_only = [m for m in state.measures if m.aggregate == "count_values" and m.member is not None]
        if counted_only and len(state.measures) == 1 and draft.mark is not None and draft.spread is False:
            state.dimensions.append(state.as_dimension(counted_only[0].member or ""))


def _side_by_side(state: Assembly) -> None:
    """``revenue vs units sold``: two measures without a group are set against each other along time, a measure
    and a number of another relation's rows by those rows.
    """
    draft = state.draft
    shown = [m for m in state.measures if m.member is not None or m.aggregate == "count"]
    said = draft.relate or draft.mark == "point" or any(i.is_cue("group", "versus") for i in draft.items)
    if state.dimensions or len(shown) != 2 or not said or draft.top is not None:
        return
    # An average of other rows than those of the measure: the two meet only in rows of that relation.
    own = next((m for m in shown if m.member and m.aggregate == "avg" and not state.meta.is_measure(m.member)), None)
    label = state.meta.label_of(own.member.split(".", 1)[0]) if own is not None and own.member else None
    if own is not None and label is not None and not label.startswith(f"{state.scope[0]}."):
        state.dimensions.append(Dimension(label))
    elif default_time(state.meta, state.scope) is not None:
        add_trend(state)


def _distinct(mentions: Iterable[Mention]) -> list[Mention]:
    seen: dict[str, Mention] = {}
    for mention in mentions:
        # A name said with a word of grouping is the one that counts, wherever it stands.
        if mention.member not in seen or mention.role and not seen[mention.member].role:
            seen[mention.member] = mention
    return list(seen.values())
