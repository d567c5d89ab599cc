"""Mentions without a measure: whether they are grouped by, measured, counted or listed."""

from __future__ import annotations

from ..plans.plan import Dimension, Measure
from ..walk.draft import Mention
from ..words.text import singular
from .assembly import Assembly
from .listings import as_rows, listed, near_rows, scatter
from .timelines import add_trend

__all__ = ["without_measures"]


def without_measures(state: Assembly, mentions: list[Mention]) -> None:
    draft, meta = state.draft, state.meta
    drawn = bool(draft.mark or draft.spread or draft.bins or draft.drawing or draft.trend)
    if drawn and len(mentions) + len(state.dimensions) > 1:
        mentions = [
            m
            for m in mentions
            if m.role or not state.names_rows(m.member) or any(meta.is_number(x.member) for x in mentions)
        ]
    numbers = [m for m in mentions if state.raw_number(m) and not meta.is_year(m.member)]
    if draft.mark == "line" and numbers and not state.timed(mentions):
        add_trend(state)
    big = [m for m in numbers if not meta.is_small(m.member)]
    cats = [m for m in mentions if m not in numbers]
    grouped = bool(state.dimensions)
    if draft.when and not grouped and not numbers:
        cats = cats or []
    if scatter(state, mentions, numbers, big, cats):
        return
    if not mentions:
        return
    repeated = len(cats) == 1 and not meta.is_key(cats[0].member) and not meta.profile(cats[0].member).unique
    if draft.mark == "bar" and not grouped and len(big) == 1 and len(mentions) == 2 and repeated and draft.top is None:
        state.measures.append(Measure(big[0].member, state.default_aggregate(big[0].member)))
        state.dimensions.append(state.as_dimension(cats[0].member))
        return
    if _summed_alone(state, mentions, numbers):
        state.measures.append(Measure(numbers[0].member, "sum"))
        return
    if len(numbers) == 1 and draft.top is None and not grouped and cats and near_rows(state, cats, numbers):
        as_rows(state, mentions)
        return
    small = [m for m in numbers if m not in big]
    if small and not big and grouped and (drawn or draft.stacked or state.said_number_of()):
        state.dimensions[:0] = [Dimension(m.member) for m in small]
        state.measures.append(state.count_of(None))
        return
    counted = [m for m in numbers if m.counted and not meta.is_small(m.member)]
    if counted and cats and not grouped and draft.top is None:
        state.measures.extend(Measure(m.member, "sum") for m in counted)
        state.dimensions.extend(state.as_dimension(m.member) for m in cats)
        return
    mixed = bool(
        big and small and (draft.mark in ("bar", "line", "area") or draft.relate or any(m.role for m in mentions))
    )
    if len(mentions) == 1 and mentions[0].role == "by" and numbers and not grouped and draft.top is None:
        state.dimensions.append(Dimension(mentions[0].member, None, state.bin_width(mentions[0].member)))
        state.measures.append(state.count_of(None))
        return
    if (
        numbers
        and (grouped or mixed or cats and any(m.role for m in mentions) or draft.trend)
        and not listed(state, mentions)
    ):
        measured = big or numbers[:1]
        small = [m for m in numbers if m not in measured]
        for mention in measured:
            state.measures.append(Measure(mention.member, state.default_aggregate(mention.member)))
        for mention in [*cats, *small]:
            state.dimensions.append(state.as_dimension(mention.member))
        return
    if grouped and not numbers and cats:
        if draft.listing and not draft.mark and not draft.spread:
            as_rows(state, mentions)
            return
        for mention in cats:
            state.dimensions.append(state.as_dimension(mention.member))
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
            state.shape, state.columns = "rows", [label, numbers[0].member]
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
            state.dimensions.append(Dimension(member))
        else:
            state.dimensions.append(Dimension(member, None, state.bin_width(member)))
        state.measures.append(state.count_of(None))
        return
    keys = [m for m in cats if meta.is_number(m.member) and meta.is_key(m.member)]
    if not numbers and len(keys) == 1 and len(cats) == 2 and draft.mark in ("bar", "point", "line") and not grouped:
        as_rows(state, mentions)
        return
    if not numbers and (drawn or draft.trend or draft.relate) and cats:
        for mention in cats:
            state.dimensions.append(state.as_dimension(mention.member))
        state.measures.append(state.count_of(None))
        return
    as_rows(state, mentions)


def _summed_alone(state: Assembly, mentions: list[Mention], numbers: list[Mention]) -> bool:
    """``revenue in Spain``: an amount that the model says is summed, and nothing asks for rows or a picture."""
    draft = state.draft
    asked = draft.listing or draft.which or draft.mark or draft.spread or draft.bins or draft.top or state.dimensions
    told = numbers and state.meta.member(numbers[0].member).meta.get("aggregate") == "sum"
    if len(numbers) == 1 and draft.conditions and not asked:
        told = told or state.meta.is_flow(numbers[0].member)
    if len(numbers) == 1 and numbers[0].counted:  # "how many animals": as many as they say
        last = state.meta.parts(numbers[0].member)[-1]
        told = told or singular(last) != last and not asked
    return bool(told) and len(mentions) == len(numbers) == 1 and not asked and not draft.unique
