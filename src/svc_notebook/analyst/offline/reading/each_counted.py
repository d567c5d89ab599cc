"""*How many flights were cancelled and how many diverted*: two counts of the same rows, neither within the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from .... import patterns as re
from ..forms import Form
from ..plans.plan import Condition
from .one_number import LONGEST, OneNumber, one_number
from .several import beside

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from .reading import Reading

__all__ = ["each_counted"]

_BE = r"(?:were|was|are|is|have been|had been|got|did|do|does|have|has|had)"
_BOTH = re.compile(
    r"^\W*how many (?P<first>.+?),? (?:and|but) (?:also )?how many (?!of\b|of which\b)(?P<second>.+?)"
    r"(?P<group> (?:by|per|for each|in each|at each) [\w -]{2,40}?)?\W*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(rf"^(?P<rows>.+?) (?P<be>{_BE}) (?P<so>.+)$", re.IGNORECASE)
_PLACED = re.compile(r"^(?:from|to|in|at|with|without|by|for|on|of|during|before|after)\b", re.IGNORECASE)
_BEGINS = re.compile(rf"^{_BE} ", re.IGNORECASE)


def each_counted(question: str, metadata: Metadata, read: Callable[[str], Reading]) -> Form | None:
    """The form of two counts that are asked for one beside the other, where each of them is read whole by itself."""
    said = _BOTH.match(" ".join(question.split())) if len(question) <= LONGEST else None
    if said is None:
        return None
    group = said["group"] or ""
    first = one_number(f"how many {said['first']}{group}", metadata, read, of_model=True)
    if first is None or not _counts(first, metadata):
        return None
    texts = (f"how many {words}{group}" for words in _second(said["first"], said["second"], metadata))
    numbers = (one_number(text, metadata, read, of_model=True) for text in texts)
    second = next((one for one in numbers if one is not None and _are_beside(first, one, metadata)), None)
    return beside([*_at_one_time(first, second)], metadata) if second is not None else None


_COUNTS = frozenset({"count", "count_values"})


def _second(first: str, second: str, metadata: Metadata) -> Iterator[str]:
    """What is counted in the second place, with the rows and the verb that are only said in the first."""
    clause = _CLAUSE.match(first)
    if clause is None:
        yield f"{first.split()[0]} {second}" if _PLACED.match(second) else second
    elif any(map(metadata.kind_names.are_rows, second.split())):
        yield second
    elif _BEGINS.match(second):
        yield f"{clause['rows']} {second}"
    else:
        yield f"{clause['rows']} {clause['be']} {second}"
        yield f"{second} {clause['rows']}"


def _are_beside(first: OneNumber, second: OneNumber, metadata: Metadata) -> bool:
    """Whether two numbers count the same rows, each with something of its own to say of them."""
    same = first.relation == second.relation and first.plan.scope[:1] == second.plan.scope[:1]
    same = same and first.plan.dimensions == second.plan.dimensions and _counts(second, metadata)
    of_one = {c.member for c in first.beyond(second)} & {c.member for c in second.beyond(first)}
    same = same and not of_one  # two values of one column are two groups of it
    return same and all(one.beyond(other) or _is_own(one) for one, other in ((first, second), (second, first)))


def _counts(one: OneNumber, metadata: Metadata) -> bool:
    known = metadata.members.get(one.plain.member or "")
    return one.plain.aggregate in _COUNTS or _is_own(one) and known is not None and known.agg_type == "count"


def _is_own(one: OneNumber) -> bool:
    """Whether the model itself says of which rows a number is."""
    return one.plain.aggregate == "measure"


def _at_one_time(first: OneNumber, second: OneNumber) -> Iterator[OneNumber]:
    """Both, where a time that is said of one alone is meant of both."""
    for one, other in ((first, second), (second, first)):
        own, lent = _times(one), _times(other)
        yield one if own or not lent else one.with_conditions((*one.plan.conditions, *lent))


def _times(one: OneNumber) -> tuple[Condition, ...]:
    return tuple(c for c in one.plan.conditions if c.operator == "period")
