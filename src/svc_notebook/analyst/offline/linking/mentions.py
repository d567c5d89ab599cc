"""Mentions: stretches of a question with what they may speak of."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ....records import dataclass
from ..calendar.periods import Period

__all__ = ["Mention", "MentionKind", "Named", "Valued"]

MentionKind = Literal["name", "value", "number", "period", "grain", "operator", "quoted"]


class Named(Struct, frozen=True):
    """A relation (``member`` None) or member that words may name.

    ``quality`` is 1 for the name as written, ``gap`` how far it lies behind the best of its mention, ``rank`` its
    place.
    """

    relation: str
    member: str | None
    quality: float
    full: bool
    gap: float = 0.0
    rank: int = 0


class Valued(Struct, frozen=True):
    """A value of a member that words may spell; several of one member where the words fit them all."""

    member: str
    values: tuple[Any, ...]
    quality: float
    gap: float = 0.0
    rank: int = 0
    shared: bool = False  # by one word that all of them have: they are one thing


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens ``start`` to ``end`` read in one way.

    ``kind`` and ``operator`` with ``argument`` (``compare``, ``>``) say which; ``hints`` are words that the name of
    what an adjective measures may hold, ``turned`` those for which its direction is the other way.
    """

    kind: MentionKind
    start: int
    end: int
    text: str
    names: tuple[Named, ...] = ()
    values: tuple[Valued, ...] = ()
    operator: str = ""
    argument: str = ""
    hints: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()
    number: float | None = None
    unit: str | None = None
    period: Period | None = None
