"""Values of one thing that are said by its code and by its name: *JFK vs La Guardia*, *from JFK, Newark and LGA*."""

from __future__ import annotations

from dataclasses import replace

from ..plans.plan import Condition, Dimension
from ..schema.twins import names_same
from .assembly import Assembly

__all__ = ["called_either_way"]

_AGAINST = frozenset({"vs", "versus", "against", "compare", "compared", "comparing", "comparison"})
_LISTING = frozenset({"and", "or", ","})
_WAYS = frozenset({"from", "to", "in", "at", "the", "either", "both"})
_BOTH = 2


def called_either_way(state: Assembly) -> None:
    """A row has one of them, whichever way it was said; set against each other they are side by side."""
    if state.beside:
        return
    against = bool(_AGAINST & {token.lower for token in state.draft.tokens})
    said = _in_a_row(state) or (_two(state) if against else [])
    shown = {_name_of(state, said[0].member, c.member) for c in said if c.member != said[0].member}
    path = shown.pop() if len(shown) == 1 else None
    if path is None:
        return
    state.conditions = [entry for entry in state.conditions if entry[1] not in said]
    members = dict.fromkeys(c.member for c in said)
    state.beside = tuple((_as_one([c for c in said if c.member == member]),) for member in members)
    state.called = path
    if against:
        state.dimensions.append(Dimension(path))
        state.draft.compare = True


def _in_a_row(state: Assembly) -> list[Condition]:
    """Values of several members that are said one after the other, with *and*, *or*, a comma between them."""
    run: list[tuple[Condition, int]] = []
    for _, condition, place in state.conditions:
        if condition.operator != "in" or condition.part is not None:
            continue
        if run and not _are_listed(state, run[-1][1], place):
            if len({c.member for c, _ in run}) > 1:
                break
            run = []
        run.append((condition, place))
    return [condition for condition, _ in run] if len({c.member for c, _ in run}) > 1 else []


def _are_listed(state: Assembly, one: int, other: int) -> bool:
    items = state.draft.items
    between = {token.lower for token in state.draft.tokens[items[one].end : items[other].start]}
    return bool(_LISTING & between) and between <= _LISTING | _WAYS


def _two(state: Assembly) -> list[Condition]:
    """The two values that are set against each other, wherever they stand: a part of the calendar is none."""
    if any(joiner == "or" for joiner, _, _ in state.conditions):
        return []
    alone = [c for _, c, _ in state.conditions if c.operator == "in" and c.part is None]
    return alone if len(alone) == _BOTH and all(len(c.values) == 1 for c in alone) else []


def _as_one(said: list[Condition]) -> Condition:
    values = dict.fromkeys(value for condition in said for value in condition.values)
    return replace(said[0], values=tuple(values), words=", ".join(condition.words for condition in said))


def _name_of(state: Assembly, one: str, other: str) -> str | None:
    """Of two members that tell the same thing (``origin``, ``origin_airport``), the one that says it in words."""
    if one == other or one.split(".", 1)[0] != other.split(".", 1)[0]:
        return None
    first, second = sorted((one, other), key=lambda path: len(state.meta.parts(path)))
    shared = set(state.meta.parts(first)) < set(state.meta.parts(second))
    both = state.meta.profile(first).unique and state.meta.profile(second).unique
    if not shared and not both and not names_same(state.meta, one, other):
        return None
    long = {
        path: max((len(str(v)) for v in state.meta.values.members.get(path, ())), default=0) for path in (one, other)
    }
    return max(long, key=lambda path: long[path])
