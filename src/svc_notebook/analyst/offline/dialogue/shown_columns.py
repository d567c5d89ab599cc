"""``only Hull`` of offices that were shown: a value is of the column that is looked at, whatever else is called so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from ..forms import Compare, Form, Member
from .conditions import conditions_of
from .expressing import paths_of
from .thread import Earlier

__all__ = ["of_what_is_shown"]


class _Edit(Protocol):
    @property
    def form(self) -> Form: ...

    @property
    def of(self) -> Earlier: ...

    @property
    def unread(self) -> tuple[str, ...]: ...


_Made = TypeVar("_Made", bound=_Edit)


def of_what_is_shown(made: Sequence[_Made]) -> list[_Made]:
    """The edits without those that look for a value in a column that was not looked at, where another has it in one
    that was.
    """
    shown = {key for one in made if not one.unread and (key := _looked_for(one, shown=True)) is not None}
    return [one for one in made if _looked_for(one, shown=False) not in shown]


def _looked_for(one: _Edit, *, shown: bool) -> object:
    """The earlier form and the one new value that an edit picks rows by, in a column that was told apart by, or not."""
    before = one.of.form
    known, columns = conditions_of(before), paths_of(before.groups)
    new = [condition for condition in conditions_of(one.form) if condition not in known]
    if (
        len(new) != 1
        or not isinstance(new[0], Compare)
        or not isinstance(new[0].left, Member)
        or new[0].operator != "="
    ):
        return None
    return (before.key, new[0].right) if (new[0].left.path in columns) == shown else None
