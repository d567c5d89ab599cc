"""What a form computes: members and values, aggregates over rows, arithmetic, grains and parts of time."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, TypeAlias

from ....records import dataclass
from .vocabulary import AggregateName, CallName, Grain, OperatorName, PartName, TypeName, WindowName

if TYPE_CHECKING:
    from .conditions import Condition
    from .form import Form

__all__ = [
    "ROWS", "Aggregate", "Arithmetic", "Bin", "Call", "Case", "Cast", "Difference", "Expression", "Member", "Moved",
    "Now", "Output", "Over", "Part", "Ratio", "Scalar", "Sort", "Test", "Truncated", "Value", "measure",
]  # fmt: skip

Plain: TypeAlias = "str | int | float | bool | dt.date | dt.datetime | None"


@dataclass(frozen=True, slots=True)
class Member:
    """``relation.member``; ``role`` only where the relation stands in the form more than once."""

    path: str
    role: str = ""

    @property
    def relation(self) -> str:
        return self.path.partition(".")[0]

    @property
    def name(self) -> str:
        return self.path.partition(".")[2]


@dataclass(frozen=True, slots=True)
class Output:
    """A column of a form that this one is made over, by what it shows there.

    ``source``: which of several such forms, by place (0 is the root, or the first that is joined).
    """

    of: Expression
    source: int = 0


@dataclass(frozen=True, slots=True)
class Value:
    """A constant. Dates and moments are values of :mod:`datetime`, never texts."""

    value: Plain


@dataclass(frozen=True, slots=True)
class Now:
    """Today, or this moment."""

    moment: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An aggregate over the rows of a group, of those alone that meet ``where``.

    ``at``: which quantile (0 to 1). ``other``: the second number of a correlation.
    """

    function: AggregateName
    of: Expression | None = None
    where: Condition | None = None
    at: float | None = None
    other: Expression | None = None


ROWS = Aggregate("rows")


def measure(path: str, role: str = "") -> Aggregate:
    """A number that the model defines."""
    return Aggregate("measure", Member(path, role))


@dataclass(frozen=True, slots=True)
class Arithmetic:
    operator: OperatorName
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Ratio:
    """One number divided by another, missing where that is zero; ``percent``: times 100."""

    above: Expression
    below: Expression
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """Time from ``start`` to ``end`` in whole boundaries of ``unit``; ``exact``: in fractions of it."""

    unit: Grain
    start: Expression
    end: Expression
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """A time ``amount`` units later (earlier, where it is negative)."""

    of: Expression
    amount: int
    unit: Grain


@dataclass(frozen=True, slots=True)
class Truncated:
    """A time at a grain: the month it lies in."""

    of: Expression
    grain: Grain


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a time as a number: its month (1 to 12), weekday (0 Sunday to 6), hour."""

    of: Expression
    part: PartName


@dataclass(frozen=True, slots=True)
class Bin:
    """The lower bound of the bin of ``width`` that a number lies in."""

    of: Expression
    width: float


@dataclass(frozen=True, slots=True)
class Case:
    """The value of the first condition that holds, else ``otherwise``."""

    branches: tuple[tuple[Condition, Expression], ...]
    otherwise: Expression | None = None


@dataclass(frozen=True, slots=True)
class Test:
    """Whether a condition holds, as a value."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Call:
    """One of a closed list of functions."""

    name: CallName
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Cast:
    of: Expression
    type: TypeName


@dataclass(frozen=True, slots=True)
class Sort:
    """An expression to sort by."""

    by: Expression
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Over:
    """Something computed over the rows of the result: a share of their total, a running sum, a rank, the row before.

    ``within``: the groups that are taken apart. ``count``: rows of a moving window, or steps back. ``order`` makes a
    sum a running one.
    """

    function: WindowName
    of: Expression | None = None
    within: tuple[Expression, ...] = ()
    order: tuple[Sort, ...] = ()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Scalar:
    """The one number of another form (``more than the average``)."""

    form: Form


Expression: TypeAlias = (
    Member | Output | Value | Now | Aggregate | Arithmetic | Ratio | Difference | Moved | Truncated | Part | Bin | Case
    | Test | Call | Cast | Over | Scalar
)  # fmt: skip
