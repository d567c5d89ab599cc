"""A join that was found."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["FoundJoin"]


class FoundJoin(Struct, frozen=True):
    """``many`` refers to ``one``; ``relationship`` reads from ``many`` to ``one``. ``by_values``: the column
    says that somebody is meant, and only its values say who.
    """

    many: str
    many_columns: tuple[str, ...]
    one: str
    one_columns: tuple[str, ...]
    relationship: str = "many_to_one"
    by_values: bool = False
