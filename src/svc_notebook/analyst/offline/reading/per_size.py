"""All of one number by how large what it belongs to is: *kWh per square metre by building*, *units sold per m2*."""

from __future__ import annotations

from collections.abc import Callable

from .... import patterns as re
from ..plans.plan import Condition, Measure, Plan
from ..schema.metadata import Metadata
from ..words.numbers import dimension_of, exact_unit
from ..words.text import stem
from .one_number import LONGEST

__all__ = ["AREAS", "per_size", "sizes"]

AREAS = (("m", "2"), ("m2",), ("sqm",), ("qm",), ("ft", "2"), ("ft2",), ("sqft",))
"""What names of areas end in."""
_SAID = re.compile(
    r"^\W*(?:(?:show(?: me)?|give me|list|what(?:['’]s| is| are| was| were))\s+)?(?:the\s+|our\s+)?(?:total\s+)?"
    r"(?P<above>[\w ]+?)\s+(?:per|for each|for every)\s+(?P<unit>(?:square|sq)\.?\s+\w+|[a-z]+\d?)"
    r"(?P<of>\s+(?:in|of|for|at|during|since|from|last|this)\s+[\w ]+?)??"
    r"(?:[ ,]+(?:by|per|for each|in each|for every)\s+(?:the\s+)?(?P<group>[\w ]+?))?[?.! ]*$",
    re.IGNORECASE,
)
_FOLDED = re.compile(r"\b(?:average|avg|mean|median|highest|lowest|most|least|top|share|number|count)\b", re.IGNORECASE)
_SQUARE = re.compile(r"^(?:(?:square|sq)\b|sqm$|m2$|sqft$|ft2$)", re.IGNORECASE)


def per_size(question: str, metadata: Metadata, number: Callable[[str], Plan | None]) -> Plan | None:
    """The plan of all of a number over the size of what its rows belong to, each size once and not once for each row.

    ``number`` reads a text as one number, per group or of all rows.
    """
    said = _SAID.match(question) if len(question) <= LONGEST else None
    found = sizes(said["unit"], metadata) if said is not None and not _FOLDED.search(said["above"]) else []
    if said is None or len(found) != 1:
        return None
    group = f" by {said['group']}" if said["group"] else ""
    top = number(f"total {said['above']}{said['of'] or ''}{group}")
    bottom = number(f"total {' '.join(metadata.parts(found[0]))}{group}")
    home = found[0].split(".", 1)[0]
    if top is None or bottom is None or top.dimensions != bottom.dimensions or bottom.scope[0] != home:
        return None
    theirs = _of_home(top, home, metadata)
    if (
        theirs is None
        or not _adds_up(top, said["above"], metadata)
        or top.scope[0] == home
        or bottom.conditions
        or not metadata.leads_to(top.scope[0], home)
    ):
        return None
    parts = (top, bottom.with_(conditions=theirs))
    return Plan(
        scope=top.scope, measures=(Measure(None, "ratio"),), dimensions=top.dimensions, conditions=theirs, parts=parts,
        chart=top.chart,
    )  # fmt: skip


def _adds_up(top: Plan, above: str, metadata: Metadata) -> bool:
    """Whether a number is a sum, or counts the rows that were named: a value alone names what is measured of it."""
    how = metadata.plain(top.measures[0]).aggregate
    return how == "sum" or how == "count" and stem(above.split()[-1].lower()) in metadata.kind_names.rows


def sizes(unit: str, metadata: Metadata) -> list[str]:
    """The numbers of the model's rows that are kept in a unit, which is none of time."""
    kept = exact_unit(unit.lower())
    if kept is not None and dimension_of(kept) == "time":
        return []
    square = _SQUARE.match(unit) is not None
    named = {path: tuple(metadata.parts(path)) for path in metadata.number_names.paths}
    names = {path: name for path, name in named.items() if "per" not in name}  # a rate is no size
    if square:
        return [path for path, name in names.items() if any(name[-len(end) :] == end for end in AREAS)]
    return [path for path, name in names.items() if kept is not None and exact_unit(name[-1]) == kept]


def _of_home(top: Plan, home: str, metadata: Metadata) -> tuple[Condition, ...] | None:
    """The conditions on what the size is of, which it is held to as well; None where they are on what that is of."""
    homes = {one: one.member.split(".", 1)[0] for one in top.conditions}
    if any(name != home and metadata.leads_to(home, name) for name in homes.values()):
        return None
    return tuple(one for one, name in homes.items() if name == home)
