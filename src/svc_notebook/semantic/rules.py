"""Rules of a data model about rows and members, as plain frozen data: filters, and the policies made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from ..records import dataclass

__all__ = [
    "NOWHERE", "AccessPolicy", "Filter", "FilterContext", "FilterGroup", "MemberLevel", "Policy", "RowLevel", "Source",
    "filters_in",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """Where something was declared; 1-based."""

    file: str = ""
    line: int = 0
    column: int = 0


NOWHERE = Source()


@dataclass(frozen=True, slots=True)
class Filter:
    """One row-level condition, ``member operator values``; values may hold ``{ userAttributes.x }`` references."""

    member: str
    operator: str
    values: tuple[Any, ...] = ()
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class FilterGroup:
    kind: Literal["and", "or"]
    filters: tuple[Filter | FilterGroup, ...]


@dataclass(frozen=True, slots=True)
class FilterContext:
    """The filters under which a multi-stage measure is evaluated, made from those of the query.

    ``exclude``: members whose filters are set aside; ``keep_only``: members whose filters alone are kept; ``include``:
    conditions put in. ``fixed`` starts from the query's filters, whatever measures around this one did to them.
    """

    exclude: tuple[str, ...] | None = None
    keep_only: tuple[str, ...] | None = None
    include: tuple[Filter | FilterGroup, ...] = ()
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class RowLevel:
    filters: tuple[Filter | FilterGroup, ...] = ()
    allow_all: bool = False


@dataclass(frozen=True, slots=True)
class MemberLevel:
    """``includes``/``excludes``: ``"*"`` or member names."""

    includes: tuple[str, ...] | Literal["*"] = "*"
    excludes: tuple[str, ...] | Literal["*"] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """One entry of ``access_policy``. ``groups`` is ``("*",)`` for everyone; ``conditions`` are kept as written."""

    groups: tuple[str, ...] = ("*",)
    conditions: tuple[str, ...] = ()
    member_level: MemberLevel | None = None
    member_masking: MemberLevel | None = None
    row_level: RowLevel | None = None
    source: Source = NOWHERE


AccessPolicy = tuple[Policy, ...]


def filters_in(filters: Iterable[Filter | FilterGroup]) -> Iterator[Filter]:
    """Every single filter, however they are nested."""
    for item in filters:
        if isinstance(item, FilterGroup):
            yield from filters_in(item.filters)
        else:
            yield item
