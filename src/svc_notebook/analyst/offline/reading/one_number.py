"""A question about one number, of all rows or per group: what two questions in one are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ....records import dataclass
from ..plans.plan import Condition, Measure, Plan
from ..schema.metadata import Metadata

if TYPE_CHECKING:
    from .reading import Reading

__all__ = ["LONGEST", "OneNumber", "one_number", "together"]

_SURE = 0.5
LONGEST = 160  # letters of a question that is looked through for its parts
_TIMES = ("period",)


@dataclass(frozen=True, slots=True)
class OneNumber:
    """A plan that shows one number, and that number as an aggregate over the rows of ``relation``."""

    plan: Plan
    plain: Measure
    relation: str

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return (*self.plan.conditions, *self.plain.conditions)

    def with_conditions(self, conditions: tuple[Condition, ...]) -> OneNumber:
        """The same number of rows that meet these."""
        return replace(self, plan=self.plan.with_(conditions=conditions))

    def beyond(self, other: OneNumber) -> tuple[Condition, ...]:
        """What it says of its rows and ``other`` does not say; a time that is said of one is meant of both."""
        return tuple(c for c in self.conditions if c not in other.conditions and c.operator not in _TIMES)


def one_number(
    text: str, metadata: Metadata, read: Callable[[str], Reading], *, of_model: bool = False
) -> OneNumber | None:
    """What a text asks for, read whole, where that is one number; ``of_model``: also one that only the model makes."""
    found = read(text)
    plan = found.plan
    if plan is None or found.unfit or found.missed or found.lost or plan.unread or found.sure < _SURE:
        return None
    if plan.shape != "aggregate" or len(plan.measures) != 1 or plan.limit is not None or plan.alternatives:
        return None
    if plan.calculations or plan.nested or plan.parts or plan.having or plan.hidden or plan.exists or plan.claim:
        return None
    plain = metadata.plain(plan.measures[0])
    if plain.aggregate in ("ratio", "span") or plain.aggregate == "measure" and not of_model:
        return None
    relation = plain.member.split(".", 1)[0] if plain.member else plain.entity or plan.scope[0]
    return OneNumber(plan, plain, relation)


def together(whole: OneNumber, others: tuple[Measure, ...], plans: tuple[Plan, ...], metadata: Metadata) -> Plan | None:
    """The plan of ``whole`` with more numbers beside it, over all that the plans they come from speak of."""
    grouped = [plan for plan in (whole.plan, *plans) if plan.dimensions]
    if any(set(plan.dimensions) != set(grouped[0].dimensions) for plan in grouped):
        return None
    times = tuple(c for plan in plans for c in plan.conditions if c.operator in _TIMES)
    scope = metadata.scope([r for plan in (whole.plan, *plans) for r in plan.scope], whole.plan.scope[:1])
    if scope is None or scope[0] != whole.plan.scope[0]:
        return None
    conditions = tuple(dict.fromkeys((*whole.plan.conditions, *times)))
    dimensions = grouped[0].dimensions if grouped else ()
    return whole.plan.with_(
        scope=scope, dimensions=dimensions, conditions=conditions, measures=(whole.plan.measures[0], *others),
        order=(), near=(), confidence=min(plan.confidence for plan in (whole.plan, *plans)),
    )  # fmt: skip
