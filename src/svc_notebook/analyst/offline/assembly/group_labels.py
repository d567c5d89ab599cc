"""What groups and rows are told by: names for keys, every value that was named, a readable unit of time."""

from __future__ import annotations

from itertools import pairwise

from ..plans.plan import Dimension
from ..schema.lexicon import Candidate
from ..schema.member_kinds import labels_of
from ..schema.values import ValueMatch
from ..walk.times import auto_grain
from .assembly import Assembly

__all__ = ["coarsen", "every_value", "names_for_keys", "whole_names", "without_links"]


_KEYS = frozenset({"id", "ids", "key", "keys", "code", "codes"})
_TOGETHER = frozenset({"together", "combined", "or", "all", "overall"})  # one number of several values
_HALVES_SAID = frozenset("first last given family forename forenames surname surnames".split())
_JOINED = 2  # items from one value to the next with an *and* between
_LINES = 6  # that are told apart at a glance
_MOMENTS = 400  # more different moments than these are not listed one by one


def every_value(state: Assembly) -> None:
    """``salary of men and women``: all the values there are leave nothing out, so they are groups; so are those of
    which each has the number said again.
    """
    # Said "together", values of one member are one number: nobody wants them apart.
    if state.shape != "aggregate" or _TOGETHER & {token.lower for token in state.draft.tokens}:
        return
    named: dict[str, set[str]] = {}
    for _, condition, _ in state.conditions:
        if condition.operator in ("=", "in") and condition.part is None:
            named.setdefault(condition.member, set()).update(map(str, condition.values))
    values, again = state.meta.values, _measured_again(state)
    sides = {c.member for some in state.beside for c in some}
    untold = state.called is not None and all(d.member != state.called for d in state.dimensions)
    if state.called is not None and untold and (again or _are_apart(state, sides)):
        state.dimensions.append(Dimension(state.called))
    for member, said in named.items():
        every = set(map(str, values.members.get(member, ()))) if member in values.complete else set()
        each = again or len(said) <= _LINES and _are_apart(state, {member})
        if len(said) > 1 and each and not any(d.member == member for d in state.dimensions):
            state.dimensions.append(Dimension(member))
        elif len(said) > 1 and said == every and not any(d.member == member for d in state.dimensions):
            state.conditions = [entry for entry in state.conditions if entry[1].member != member]
            state.dimensions.append(Dimension(member))


def _are_apart(state: Assembly, members: set[str]) -> bool:
    """``average age of male and female drivers``, ``by month for Delta and JetBlue``: a number, or a line, for each;
    *or* would say one for both.
    """
    items, choice = state.draft.items, state.draft.resolution.choice
    said = [p for p, chosen in choice.items() if isinstance(chosen, ValueMatch) and chosen.member in members]
    places = sorted(said or (p for _, c, p in state.conditions if c.member in members))
    if len(places) < 2:
        return False
    measures = [state.meta.plain(m) for m in state.measures]
    if measures and all(m.aggregate in ("avg", "median") for m in measures) and state.draft.top is None:
        return any(
            two - one == _JOINED and items[one + 1].is_cue("logic", "and") and items[one].kind == items[two].kind
            for one, two in pairwise(places)
        )
    grained = [d for d in state.dimensions if d.grain is not None]
    between = items[places[0] + 1 : places[-1]]
    joined = any(item.is_cue("logic", "and") for item in between) and not any(i.is_cue("logic", "or") for i in between)
    return len(state.dimensions) == 1 and bool(grained) and joined


def _measured_again(state: Assembly) -> bool:
    """``revenue in Rome and revenue in Paris``: what is said for each of two is not one number of both."""
    chosen = [c for c in state.draft.resolution.choice.values() if isinstance(c, Candidate)]
    named = [c.member for c in chosen if c.member is not None]
    measured = {state.meta.plain(m).member for m in state.measures} | {m.member for m in state.measures}
    return any(named.count(member) > 1 for member in measured if member is not None)


def names_for_keys(state: Assembly) -> None:
    """``in each ward``: groups are told by their names, unless their ids are asked for."""
    said = {token.lower for token in state.draft.tokens}
    for place, dimension in enumerate(state.dimensions):
        member = dimension.member
        # Ids are what is wanted where the question says id, code, or the key's own last word.
        keyed = state.meta.is_key(member) and not said & {*_KEYS, state.meta.parts(member)[-1]}
        # Axes were given by name: what was put there stays.
        label = state.meta.named_by(member) if keyed and not state.draft.axes else None
        if label is not None and all(d.member != label for d in state.dimensions):
            state.dimensions[place] = Dimension(label)


def without_links(state: Assembly) -> None:
    """``how many courses does each professor teach``: a professor, and whom a course points at, are one."""
    owners = {d.member.split(".", 1)[0]: d.member for d in state.dimensions if d.grain is None}
    for dimension in list(state.dimensions):
        here = dimension.member.split(".", 1)[0]
        # Only the group that is the foreign key itself: the name of whom it points at says the same.
        others = [o for o in owners if o != here and (state.meta.join_keys(here, o) or ("",))[0] == dimension.member]
        if others and dimension.grain is None and len(state.dimensions) > 1:
            state.dimensions.remove(dimension)


def coarsen(state: Assembly) -> None:
    """Moments of very many different values are grouped by a unit that gives a readable line."""
    for i, dimension in enumerate(state.dimensions):
        whole = dimension.grain is None and state.meta.is_time(dimension.member)
        if whole and state.meta.profile(dimension.member).distinct > _MOMENTS:
            state.dimensions[i] = Dimension(dimension.member, auto_grain(state.meta, dimension.member))


def whole_names(state: Assembly) -> None:
    """``names of the professors``: a first name is half of one."""
    if state.shape not in ("rows", "distinct") or {t.lower for t in state.draft.tokens} & _HALVES_SAID:
        return
    for column in list(state.columns):
        pair = labels_of(state.meta, column.split(".", 1)[0])
        if len(pair) == 2 and column in pair and not set(pair) <= set(state.columns):
            at = state.columns.index(column)
            state.columns[at : at + 1] = pair
