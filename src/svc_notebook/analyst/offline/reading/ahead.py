"""How long before they begin rows are booked: *how far ahead do people book*, *how many days in advance*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .... import patterns as re
from ..forms import Aggregate, Clause, Form, Role
from ..schema.derivations import expression_of
from ..schema.lasting import BIRTH, DUE, ends_in, span_of, stay_in
from ..words.text import singular, stem
from .one_number import LONGEST

if TYPE_CHECKING:
    from ..schema.metadata import Metadata

__all__ = ["booked_ahead"]

_DEEDS = r"(?:book|booked|reserve|reserved|order|ordered)"
_SAID = re.compile(
    rf"^\W*(?:on average,?\s+)?how\s+(?:far|long|early|many\s+(?P<unit>days|weeks|hours|months))\s+"
    rf"(?:(?:ahead|in advance|before|beforehand|up front)\s+)?(?:do|does|did|are|is|were)\s+(?:the\s+|our\s+)?"
    rf"(?P<who>[a-z]+)\s+{_DEEDS}(?:\s+(?:ahead|in advance|beforehand|up front))?"
    r"(?:,?\s+(?:on average|usually|typically|normally|(?P<median>(?:in the )?median)))?[?.! ]*$",
    re.IGNORECASE,
)
_AHEAD = re.compile(r"\b(?:ahead|in advance|beforehand|up front|before)\b", re.IGNORECASE)
_ANYBODY = frozenset({"people", "they", "we", "you", "customers", "guests", "clients"})
_BOOKED = frozenset(map(stem, "booked booking bkd reserved reservation ordered order".split()))
_LATER = frozenset(map(stem, "cancelled canceled paid created updated modified invoiced refunded".split()))


def booked_ahead(question: str, metadata: Metadata) -> Form | None:
    """The form of the average time from when rows are booked to when they begin."""
    said = _SAID.match(question) if len(question) <= LONGEST else None
    if said is None or _AHEAD.search(question) is None:
        return None
    relations = metadata.kind_names.rows.get(stem(said["who"].lower()), ())
    anybody = said["who"].lower() in _ANYBODY
    if not anybody and not relations:
        return None
    cubes = [name for name, relation in metadata.catalog.relations.items() if relation.kind == "cube"]
    found = [(name, ends) for name in cubes if (ends := _ends(name, metadata)) is not None]
    found = [pair for pair in found if anybody or pair[0] in relations]
    if len(found) != 1:
        return None
    relation, (booked, begins) = found[0]
    span = span_of(metadata, booked, begins, singular((said["unit"] or "days").lower()))
    folded = Aggregate("median" if said["median"] else "avg", expression_of(span))
    return Form(Role(relation), measures=(Clause(folded),))


def _ends(relation: str, metadata: Metadata) -> tuple[str, str] | None:
    """When rows are booked and when what is booked begins: the only other time, or the first of its two ends."""
    own = [p for p in metadata.times([relation]) if p.split(".", 1)[0] == relation and p in metadata.members]
    words = {path: {stem(part) for part in metadata.parts(path)} for path in own}
    booked = [path for path in own if _BOOKED & words[path]]
    rest = [path for path in own if path not in booked and not (_LATER | DUE | BIRTH) & words[path]]
    if len(booked) != 1 or not rest:
        return None
    if len(rest) == 1:
        return booked[0], rest[0]
    ends = stay_in(metadata, relation) or ends_in(metadata, relation)
    return (booked[0], ends[0]) if ends is not None and ends[0] in rest else None
