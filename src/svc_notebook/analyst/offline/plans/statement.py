"""A statement and the columns of its result: their names, and what each is in the plan."""

from __future__ import annotations

from typing import Literal

from ....records import dataclass
from ..calendar.fiscal import fiscal_grain
from .plan import Dimension, Measure

__all__ = ["OutputColumn", "Statement", "dimension_alias", "measure_alias"]


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """A column of the result: its alias, what it is in the plan, and the member behind it."""

    name: str
    role: Literal["dimension", "measure", "column", "calculation"]
    place: int
    member: str | None


@dataclass(frozen=True, slots=True)
class Statement:
    sql: str
    columns: tuple[OutputColumn, ...]


def dimension_alias(dimension: Dimension) -> str:
    name = dimension.member.split(".", 1)[1]
    fiscal = fiscal_grain(dimension.grain)
    if fiscal is not None:
        return f"{name}_fiscal_{fiscal[0]}"
    return f"{name}_{dimension.grain}" if dimension.grain else name


def measure_alias(measure: Measure) -> str:
    if measure.aggregate == "share_true":
        return "percent" if measure.percent else "share"
    if measure.aggregate == "ratio":
        return "ratio"
    if measure.member is None:
        return "count"
    name = measure.member.split(".", 1)[1]
    if measure.exists:
        return "_and_".join(e.relation for e in measure.exists) if len(measure.exists) < 3 else f"sum_{name}"
    if measure.aggregate == "measure":
        return name
    if measure.aggregate in ("count_distinct", "count_values"):
        return f"count_{name}"
    if measure.aggregate == "span":
        return f"{measure.fold}_{measure.unit}s"
    return f"{measure.aggregate}_{name}"
