"""What rows or groups must meet: comparisons, lists, ranges, texts, related rows, and their and, or and not."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ....records import dataclass
from .vocabulary import ComparisonName, MatchName

if TYPE_CHECKING:
    from .expressions import Expression, Member
    from .form import Form

__all__ = [
    "And",
    "Compare",
    "Condition",
    "Extreme",
    "Holds",
    "Like",
    "Missing",
    "Not",
    "OneOf",
    "Or",
    "Range",
    "Related",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compare:
    """``left operator right``; a value stands on the right."""

    left: Expression
    operator: ComparisonName
    right: Expression


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of two or more values, in any order."""

    of: Expression
    values: tuple[Expression, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """From ``low`` up to ``high``, which is included only where ``closed`` (a period is half-open)."""

    of: Expression
    low: Expression
    high: Expression
    closed: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Like:
    """A text that contains, starts or ends with ``text``; ``like``: its pattern with ``%`` and ``_``."""

    of: Expression
    how: MatchName
    text: str
    negated: bool = False
    cased: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Without a value (``negated``: with one)."""

    of: Expression
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Holds:
    """A boolean expression that is true."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Extreme:
    """Rows that have the largest (smallest) value: all of them, where several share it.

    ``among``: the form whose rows are looked at, with ``of`` not yet shown; None: the rows of this form's own root.
    """

    of: Expression
    largest: bool = True
    among: Form | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """Rows whose ``keys`` are (not) among the rows of another form: rows that have, have not, have at least n.

    ``correlated``: members of this form and of the other that must be equal, as ``EXISTS`` writes it; then ``keys``
    is empty.
    """

    form: Form
    keys: tuple[Expression, ...] = ()
    negated: bool = False
    correlated: tuple[tuple[Member, Member], ...] = ()


@dataclass(frozen=True, slots=True)
class And:
    """Every one of the terms."""

    terms: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of the terms."""

    terms: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Not the term (written only where the term has no ``negated`` of its own)."""

    term: Condition


Condition: TypeAlias = (
    Compare | OneOf | Range | Like | Missing | Holds | Extreme | Related | And | Or | Not
)  # fmt: skip
