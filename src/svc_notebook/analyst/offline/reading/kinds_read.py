"""Kinds that a question asks for by their name, with what it says of their rows: *destinations you reach from JFK*."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....records import dataclass
from ..plans.plan import Condition, Dimension, Having, Measure, Plan
from ..schema.metadata import Metadata
from ..turning.rules import said_so

__all__ = ["BY", "GOING", "THAT", "Bound", "Kinds", "Read", "grouped", "is_kind", "kinds_of", "relation_of"]

BY = r"(?:out of|from|to|into|by|at|in|on|with|via|through|for)"
GOING = (
    "fly|flies|flew|flown|go|goes|went|serve|serves|served|reach|reaches|reached|reachable|operate|operates|operated|"
    "run|runs|travel|travels|depart|departs|leave|leaves|come|comes|available|offered|connected|flying|going|serving|"
    "operating|running|departing|leaving|coming"
)
THAT = r"(?: (?:that|which))?(?: (?:you|we|one|people|they) (?:can|could))?(?: (?:can be|are|is|was|were|do|does|did))?"
_GOES = said_so(rf"(?P<who>\w){THAT} (?:{GOING})(?= {BY}\b)")

Read = Callable[[str], Plan | None]
Bound = tuple[Measure, str, float]
"""A number of the rows of each kind, and what it is compared with."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Some kinds: the column that names them, the rows they have, and a number that is told of them."""

    plan: Plan
    path: str
    conditions: tuple[Condition, ...]
    measure: Measure | None = None

    @property
    def rows(self) -> Measure:
        """How many of these rows there are."""
        return Measure(None, "count", self.conditions, entity=self.plan.scope[0])


def kinds_of(text: str, metadata: Metadata, read: Read) -> Kinds | None:
    """The kinds that a text asks for by their name, also where it says how one gets there."""
    for said in dict.fromkeys((_GOES.sub(r"\g<who>", text), text)):
        plan = read(said)
        if plan is not None and (found := _of_plan(plan, metadata)) is not None:
            return found
    return None


def _of_plan(plan: Plan, metadata: Metadata) -> Kinds | None:
    shown = plan.columns if plan.shape == "distinct" else tuple(d.member for d in plan.dimensions)
    whole = not (plan.having or plan.exists or plan.alternatives or plan.parts or plan.nested or plan.calculations)
    if len(shown) != 1 or not whole or plan.limit is not None or not is_kind(shown[0], metadata):
        return None
    if any(relation_of(c.member) != plan.scope[0] for c in plan.conditions) or relation_of(shown[0]) != plan.scope[0]:
        return None
    if plan.shape == "distinct":
        return Kinds(plan, shown[0], plan.conditions)
    counts = len(plan.measures) == 1 and _counts(plan.measures[0], metadata)
    return Kinds(plan, shown[0], plan.conditions, plan.measures[0]) if counts else None


def _counts(measure: Measure, metadata: Metadata) -> bool:
    """Whether a number is one of rows, also of some of them that the model has a name for."""
    known = metadata.members.get(measure.member or "")
    return metadata.plain(measure).aggregate == "count" or known is not None and known.agg_type == "count"


def is_kind(path: str, metadata: Metadata) -> bool:
    """Whether many rows share each value of a column."""
    known = metadata.members.get(path)
    return known is not None and known.type == "string" and not known.primary_key and not metadata.profile(path).unique


def grouped(plan: Plan, path: str, conditions: Sequence[Condition], bounds: Sequence[Bound]) -> Plan:
    """The plan of kinds by their name alone, of which every bound holds."""
    places = range(len(bounds))
    having = tuple(Having(at, operator, (number,)) for at, (_, operator, number) in zip(places, bounds, strict=True))
    return Plan(
        scope=plan.scope, measures=tuple(measure for measure, _, _ in bounds), dimensions=(Dimension(path),),
        conditions=tuple(conditions), having=having, hidden=tuple(places), confidence=plan.confidence,
    )  # fmt: skip


def relation_of(path: str) -> str:
    """What a column is one of."""
    return path.split(".", 1)[0]
