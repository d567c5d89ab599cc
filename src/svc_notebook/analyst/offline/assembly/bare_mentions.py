"""Mentions without a measure: whether they are grouped by, measured, counted or listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ....records import dataclass
from ..plans.plan import Dimension, Measure
from ..walk.draft import Mention
from ..words.text import singular
from .assembly import Assembly
from .listings import as_rows, listed, near_rows, scatter
from .timelines import add_trend

__all__ = ["without_measures"]


@dataclass(frozen=True)
class _Bare:
    """What a sentence without measures names, and how it asks for it.

    ``numbers`` are columns of numbers, ``big`` those of many different values, ``small`` those of few; ``cats`` are the
    other mentions. ``grouped`` is said where groups stand already, ``drawn`` where a picture is asked for.
    """

    mentions: list[Mention]
    numbers: list[Mention]
    big: list[Mention]
    small: list[Mention]
    cats: list[Mention]
    grouped: bool
    drawn: bool


def without_measures(state: Assembly, mentions: list[Mention]) -> None:
    """Takes the mentions as the first kind of sentence that they make; rows of them where they make none."""
    bare = _bare(state, mentions)
    # A line needs something to go along: time, if nothing said is one.
    if state.draft.mark == "line" and bare.numbers and not state.timed(bare.mentions):
        add_trend(state)
        bare = replace(bare, grouped=bool(state.dimensions))
    if scatter(state, bare.mentions, bare.numbers, bare.big, bare.cats) or not bare.mentions:
        return
    if not any(taken(state, bare) for taken in _KINDS):
        as_rows(state, bare.mentions)


def _bare(state: Assembly, mentions: list[Mention]) -> _Bare:
    draft, meta = state.draft, state.meta
    drawn = bool(draft.mark or draft.spread or draft.bins or draft.drawing or draft.trend)
    # In a picture a name of single rows only says what is counted, unless nothing else is a number.
    if drawn and len(mentions) + len(state.dimensions) > 1:
        measured = any(meta.is_number(m.member) for m in mentions)
        mentions = [m for m in mentions if m.role or measured or not state.names_rows(m.member)]
    numbers = [m for m in mentions if state.raw_number(m) and not meta.is_year(m.member)]
    big = [m for m in numbers if not meta.is_small(m.member)]
    small = [m for m in numbers if m not in big]
    cats = [m for m in mentions if m not in numbers]
    return _Bare(mentions, numbers, big, small, cats, bool(state.dimensions), drawn)


def _bars_of_an_amount(state: Assembly, bare: _Bare) -> bool:
    """One amount and one column that repeats, as bars."""
    # Only this exact pair: anything more makes groups or rows of its own (below).
    alone = len(bare.big) == len(bare.cats) == 1 and len(bare.mentions) == 2 and not bare.grouped
    if not alone or state.draft.mark != "bar" or state.draft.top is not None:
        return False
    group, amount = bare.cats[0].member, bare.big[0].member
    # A key or a name has one row per bar: its amount is that row's, not a sum.
    if state.meta.is_key(group) or state.meta.profile(group).unique:
        return False
    state.measures.append(Measure(amount, state.default_aggregate(amount)))
    state.dimensions.append(state.as_dimension(group))
    return True


def _sum_alone(state: Assembly, bare: _Bare) -> bool:
    if not _summed_alone(state, bare.mentions, bare.numbers):
        return False
    state.measures.append(Measure(bare.numbers[0].member, "sum"))
    return True


def _rows_with_a_number(state: Assembly, bare: _Bare) -> bool:
    """One number beside columns that tell rows apart."""
    if len(bare.numbers) != 1 or not bare.cats or bare.grouped or state.draft.top is not None:
        return False
    if not near_rows(state, bare.cats):
        return False
    as_rows(state, bare.mentions)
    return True


def _counted_by_few(state: Assembly, bare: _Bare) -> bool:
    """Numbers of few values beside groups are groups too."""
    if not bare.small or bare.big or not bare.grouped:
        return False
    if not (bare.drawn or state.draft.stacked or state.said_number_of()):
        return False
    state.dimensions[:0] = [Dimension(m.member) for m in bare.small]
    state.measures.append(state.count_of(None))
    return True


def _sums_of_what_is_counted(state: Assembly, bare: _Bare) -> bool:
    """``how many animals per town``, where a column holds how many."""
    counted = [m for m in bare.big if m.counted]
    if not counted or not bare.cats or bare.grouped or state.draft.top is not None:
        return False
    state.measures.extend(Measure(m.member, "sum") for m in counted)
    state.dimensions.extend(state.as_dimension(m.member) for m in bare.cats)
    return True


def _by_a_number(state: Assembly, bare: _Bare) -> bool:
    """``by age`` alone."""
    alone = len(bare.mentions) == len(bare.numbers) == 1 and not bare.grouped
    if not alone or bare.mentions[0].role != "by" or state.draft.top is not None:
        return False
    _count_in_bins(state, bare.mentions[0].member)
    return True


def _measured_by_the_others(state: Assembly, bare: _Bare) -> bool:
    """Numbers over groups: those of many values are measured, all else groups them."""
    if not bare.numbers or not _is_measured(state, bare) or listed(state, bare.mentions):
        return False
    measured = bare.big or bare.numbers[:1]
    for mention in measured:
        state.measures.append(Measure(mention.member, state.default_aggregate(mention.member)))
    for mention in (*bare.cats, *(m for m in bare.numbers if m not in measured)):
        state.dimensions.append(state.as_dimension(mention.member))
    return True


def _is_measured(state: Assembly, bare: _Bare) -> bool:
    draft = state.draft
    of_role = any(m.role for m in bare.mentions)
    if bare.big and bare.small and (draft.mark in ("bar", "line", "area") or draft.relate or of_role):
        return True
    return bare.grouped or bool(bare.cats) and of_role or bool(draft.trend)


def _more_groups(state: Assembly, bare: _Bare) -> bool:
    """No number, and groups beside it: each is a group too, or they are rows where a list is asked for."""
    if not bare.grouped or bare.numbers or not bare.cats:
        return False
    if state.draft.listing and not state.draft.mark and not state.draft.spread:
        as_rows(state, bare.mentions)
    else:
        state.dimensions.extend(state.as_dimension(m.member) for m in bare.cats)
    return True


def _rows_as_bars(state: Assembly, bare: _Bare) -> bool:
    """One number of chosen rows, drawn: a bar or slice for each of them, by its name."""
    draft = state.draft
    if bare.grouped or draft.bins or not len(bare.mentions) == len(bare.numbers) == 1:
        return False
    chosen = draft.mark in ("bar", "arc") and draft.conditions or draft.mark == "arc" and draft.entities
    member = bare.numbers[0].member
    label = state.meta.label_of(member.split(".")[0]) if chosen else None
    if label is None:
        return False
    state.shape, state.columns = "rows", [label, member]
    return True


def _spread_of_a_number(state: Assembly, bare: _Bare) -> bool:
    """One number alone: how many there are of each value, or of each bin of them."""
    draft = state.draft
    if bare.grouped or draft.top or not len(bare.mentions) == len(bare.numbers) == 1:
        return False
    if draft.mark != "bar" and (draft.which or draft.conditions):
        return False
    member = bare.numbers[0].member
    if state.meta.is_small(member):
        state.dimensions.append(Dimension(member))
        state.measures.append(state.count_of(None))
    else:
        _count_in_bins(state, member)
    return True


def _rows_by_key(state: Assembly, bare: _Bare) -> bool:
    """A key that is a number, drawn against one other column."""
    if bare.numbers or len(bare.cats) != 2 or bare.grouped or state.draft.mark not in ("bar", "point", "line"):
        return False
    if sum(state.meta.is_number(m.member) and state.meta.is_key(m.member) for m in bare.cats) != 1:
        return False
    as_rows(state, bare.mentions)
    return True


def _counted_in_groups(state: Assembly, bare: _Bare) -> bool:
    """A picture of columns without numbers: how many there are of each."""
    if bare.numbers or not bare.cats or not (bare.drawn or state.draft.trend or state.draft.relate):
        return False
    state.dimensions.extend(state.as_dimension(m.member) for m in bare.cats)
    state.measures.append(state.count_of(None))
    return True


def _count_in_bins(state: Assembly, member: str) -> None:
    state.dimensions.append(Dimension(member, None, state.bin_width(member)))
    state.measures.append(state.count_of(None))


_KINDS: tuple[Callable[[Assembly, _Bare], bool], ...] = (
    _bars_of_an_amount, _sum_alone, _rows_with_a_number, _counted_by_few, _sums_of_what_is_counted, _by_a_number,
    _measured_by_the_others, _more_groups, _rows_as_bars, _spread_of_a_number, _rows_by_key, _counted_in_groups,
)  # fmt: skip
"""In the order in which they are tried; each tells whether the sentence was one of its kind, and has then taken it."""


def _summed_alone(state: Assembly, mentions: list[Mention], numbers: list[Mention]) -> bool:
    """``revenue in Spain``: an amount that the model says is summed, and nothing asks for rows or a picture."""
    draft = state.draft
    asked = draft.listing or draft.which or draft.mark or draft.spread or draft.bins or draft.top or state.dimensions
    told = numbers and state.meta.member(numbers[0].member).meta.get("aggregate") == "sum"
    if len(numbers) == 1 and draft.conditions and not asked:
        told = told or state.meta.is_flow(numbers[0].member)
    # A column that holds how many is called in the plural (`animals`), a size of each in the singular (`age`).
    if len(numbers) == 1 and numbers[0].counted:  # "how many animals": as many as they say
        last = state.meta.parts(numbers[0].member)[-1]
        told = told or singular(last) != last and not asked
    return bool(told) and len(mentions) == len(numbers) == 1 and not asked and not draft.unique
