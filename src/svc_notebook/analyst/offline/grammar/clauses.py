"""Clauses as they are found in a question, before they hang together: what rules add to a partial reading."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from ....records import dataclass
from ..calendar.periods import Period
from ..forms.vocabulary import AggregateName, ComparisonName, MatchName

__all__ = [
    "SOME_TIME",
    "Best",
    "Clause",
    "Grouped",
    "Measured",
    "Shown",
    "Sorted",
    "Subject",
    "Tested",
    "Timed",
    "With",
]  # fmt: skip

SOME_TIME = "@time"  # a time that is meant without being named


@dataclass(frozen=True, slots=True)
class Measured:
    """A number; ``path`` None for rows, of ``relation``."""

    place: int
    function: AggregateName | str
    path: str | None = None
    relation: str = ""
    outer: str = ""  # an aggregate over this number of each group: the average number of tracks per album


@dataclass(frozen=True, slots=True)
class Grouped:
    place: int
    path: str
    grain: str = ""
    relation: str = ""  # the relation whose label this is, where it was named instead
    test: Tested | None = None  # the rows that meet it and the rest, instead of the values of ``path``


class Shown(Struct, frozen=True):
    """What is shown of rows; ``owned``: beside the rows that were spoken of (``clients with their city``)."""

    place: int
    path: str
    owned: bool = False


class Subject(Struct, frozen=True):
    """Rows that are spoken of, one or many."""

    place: int
    relation: str
    many: bool = False


@dataclass(frozen=True, slots=True)
class Tested:
    """A condition on a member; ``function``: on its aggregate, or (``rows``) on how many rows of ``relation``.

    ``values`` of a comparison hold one number, of a range two, of equality any; ``average``: compared with the
    aggregate over all rows. ``joined``: by ``or`` to the one before.
    """

    place: int
    path: str | None
    operator: ComparisonName | MatchName | str
    values: tuple[Any, ...] = ()
    negated: bool = False
    joined: str = ""
    function: AggregateName | str = ""
    relation: str = ""
    average: AggregateName | str = ""
    shared: bool = False  # the values are one thing, said in one word


class Timed(Struct, frozen=True):
    """A condition on a time: a period."""

    place: int
    period: Period
    path: str = SOME_TIME
    negated: bool = False


class With(Struct, frozen=True):
    """Rows that have (or have not) rows of another relation."""

    place: int
    relation: str
    negated: bool


@dataclass(frozen=True, slots=True)
class Best:
    """The first by something: a member, how many rows of a relation, or what adjectives ``hints`` measure."""

    place: int
    descending: bool
    limit: int | None = None
    path: str | None = None
    relation: str = ""
    hints: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()
    often: bool = False
    judged: str = ""  # ``best`` or ``worst``, which point up or down by what they are said of


@dataclass(frozen=True, slots=True)
class Sorted:
    place: int
    descending: bool
    path: str | None = None
    relation: str = ""


Clause: TypeAlias = Measured | Grouped | Shown | Subject | Tested | Timed | With | Best | Sorted
