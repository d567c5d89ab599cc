"""And, or, not between conditions: what holds for all rows, and of what at least one holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ..plans.plan import Condition
from ..words.text import Token

__all__ = ["combine"]

_Group = tuple[Condition, ...]
_EXCLUDING = frozenset("but excluding except without besides ignoring exclude excludes ,".split())
_DENIED = frozenset({"not in", "!=", "false", "not period", "null", "not contains", "not starts", "not ends"})
# Parentheses multiply out: beyond this many nobody reads the condition, and SQL grows with their product.
_MOST = 16


def combine(
    entries: Sequence[tuple[str, Condition, int]], tokens: Sequence[Token]
) -> tuple[_Group, tuple[_Group, ...]]:
    """Conditions that all hold, and groups of which one holds.

    Parameters
    ----------
    entries
        In the order said: the joiner before a condition (``and`` or ``or``), the condition, and the token it was said
        at. And binds closer than or; parentheses bind closest; periods, and what is left out behind a comma or a *but*,
        hold for all that was said.
    """
    if not any(joiner == "or" for joiner, _, _ in entries):
        return _once(condition for _, condition, _ in entries), ()
    always = [number for number in range(len(entries)) if _for_all(number, entries, tokens)]
    rest = [entry for number, entry in enumerate(entries) if number not in always]
    groups = _alternatives(rest, tokens)
    # What is in every alternative holds always: said once, and checked so.
    shared = [c for c in groups[0] if all(c in group for group in groups)] if len(groups) > 1 else list(groups[0])
    everywhere = _once([*(entries[number][1] for number in always), *shared])
    if len(groups) == 1:
        return everywhere, ()
    return everywhere, tuple(tuple(c for c in group if c not in shared) for group in groups)


def _once(conditions: object) -> _Group:
    return tuple(dict.fromkeys(conditions))  # type: ignore[call-overload]  # any iterable of conditions


def _for_all(number: int, entries: Sequence[tuple[str, Condition, int]], tokens: Sequence[Token]) -> bool:
    """Whether a condition holds whichever side of an or does."""
    joiner, condition, place = entries[number]
    follower = entries[number + 1][0] if number + 1 < len(entries) else "and"
    # The first of two alternatives has no joiner of its own; a period before them is of both.
    if joiner == "or" or follower == "or" and number == 0 and condition.operator != "period":
        return False
    if condition.operator == "period":
        return follower != "or" or entries[number + 1][1].operator != "period"
    # Four words back: "but not from", ", excluding the".
    before = {token.lower for token in tokens[max(0, place - 4) : place]}
    return condition.operator in _DENIED and number > 0 and follower != "or" and bool(before & _EXCLUDING)


def _alternatives(entries: Sequence[tuple[str, Condition, int]], tokens: Sequence[Token]) -> list[_Group]:
    """The disjunctive form of what was said, parentheses kept."""
    pieces: list[str | Condition] = []
    at = 0
    for number, (joiner, condition, place) in enumerate(entries):
        opened = [token.text for token in tokens[at:place] if token.text in "()"]
        closing = [text for text in opened if text == ")"]
        pieces.extend(closing if number else [])
        if number:
            pieces.append(joiner if joiner == "or" else "and")
        pieces.extend(text for text in opened if text == "(")
        pieces.append(condition)
        at = place
    pieces.extend(token.text for token in tokens[at:] if token.text == ")")
    groups, _ = _either(pieces, 0)
    return [_once(group) for group in groups][:_MOST]


def _either(pieces: Sequence[str | Condition], place: int) -> tuple[list[_Group], int]:
    groups, place = _both(pieces, place)
    while place < len(pieces) and pieces[place] == "or":
        more, place = _both(pieces, place + 1)
        groups = [*groups, *more]
    return groups, place


def _both(pieces: Sequence[str | Condition], place: int) -> tuple[list[_Group], int]:
    groups, place = _one(pieces, place)
    while place < len(pieces) and pieces[place] not in ("or", ")"):
        # Whatever stands beside another without "or" goes with it, an "and" between or none.
        more, place = _one(pieces, place + (pieces[place] == "and"))
        groups = [(*one, *other) for one, other in product(groups, more)]
    return groups, place


def _one(pieces: Sequence[str | Condition], place: int) -> tuple[list[_Group], int]:
    piece = pieces[place] if place < len(pieces) else None
    if piece is None:
        return [()], place
    if piece == "(":
        groups, place = _either(pieces, place + 1)
        return groups, place + (place < len(pieces) and pieces[place] == ")")
    if isinstance(piece, str):
        return [()], place + 1
    return [(piece,)], place + 1
