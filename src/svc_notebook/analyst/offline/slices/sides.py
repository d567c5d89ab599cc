"""Two slices of rows from their words: each by its conditions, or as all that the other is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .... import patterns as re
from ..forms.partings import PARTINGS
from ..plans.plan import Condition, Plan
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from .lexicon import load_comparing, one_of

__all__ = ["Slice", "Slices", "slices"]

Reader = Callable[[str], Plan | None]
_MOST = 4  # ways to put a slice


class Slice(NamedTuple):
    """Rows of one side: what they are called, and what they meet; nothing: all that the other side is not."""

    name: str
    conditions: tuple[Condition, ...] = ()
    scope: tuple[str, ...] = ()


class Slices(NamedTuple):
    """Both sides, and what is said of the rows of both."""

    one: Slice
    other: Slice
    common: tuple[Condition, ...] = ()
    turned: bool = False  # the one that was named first is all the other is not

    @property
    def scope(self) -> tuple[str, ...]:
        return (*self.one.scope, *self.other.scope)


def slices(one: str, other: str, relation: str, metadata: Metadata, read: Reader) -> Slices | None:
    """The two slices that words name among the rows of a relation; None where either is not wholly read."""
    first = _read(one, relation, metadata, read) if not is_rest(one) else None
    if first is None:
        return _turned(one, other, relation, metadata, read)
    if is_rest(other) or _is_day(other) and _is_of_night(first):
        return _against_rest(first)
    second = _read(other, relation, metadata, read)
    return _apart(first, second) if second is not None else None


def _turned(one: str, other: str, relation: str, metadata: Metadata, read: Reader) -> Slices | None:
    """``during the day than at night``, ``the others than Delta``: the first is what the second is not."""
    if not (one.strip() and (is_rest(one) or _is_day(one))) or is_rest(other):
        return None
    second = _read(other, relation, metadata, read)
    if second is None or _is_day(one) and not _is_of_night(second):
        return None
    found = _against_rest(second)
    return found._replace(turned=True) if found is not None else None


def _is_day(words: str) -> bool:
    return re.sub(r"^(?:in|at|during|by|on)\s+", "", words.lower().strip()) in load_comparing().words["day"]


def _is_of_night(found: Slice) -> bool:
    parting = PARTINGS["part_of_day"]
    night = set(parting.values(("night",)))
    return any(c.part == parting.condition and set(c.values) == night for c in found.conditions)


def is_rest(words: str) -> bool:
    """Whether words stand for all other rows: ``the rest``, ``everyone else``, ``the other agencies``, ``those without``."""
    said = load_comparing().words
    bare = " ".join(words.lower().split())
    bare = re.sub(rf"^(?:{one_of(('on', 'in', 'at', 'of', 'for', 'from', 'during', 'to', 'with', 'by'))})\s+", "", bare)
    if not bare or bare in said["rest"]:
        return True
    if re.match(r"^(?:all\s+)?(?:the\s+)?(?:rest|remainder)\s+of\s+\S+(?:\s+\S+)?$", bare):
        return True
    if re.match(r"^(?:all\s+|any\s+|the\s+)*other\s+\w+(?:\s+\w+)?$", bare):
        return True
    return re.sub(r"^(?:the\s+|those\s+|these\s+)?(?:ones?\s+|people\s+|who\s+|that\s+)*", "", bare) in said["opposite"]


def _read(words: str, relation: str, metadata: Metadata, read: Reader) -> Slice | None:
    """A slice by the conditions that its words have among the rows of a relation."""
    for text in _ways(words, relation, metadata):
        plan = read(text)
        if plan is not None and _is_slice(plan, metadata):
            return Slice(_name(words), plan.conditions, plan.scope)
    return None


def _ways(words: str, relation: str, metadata: Metadata) -> Iterator[str]:
    rows = " ".join((*metadata.words_of(relation)[:-1], plural(metadata.words_of(relation)[-1])))
    for bare in _in_other_words(_bare(words)):
        yield f"number of {rows} {bare}"
        yield f"number of {rows} on {bare}"
        yield f"number of {rows} of {bare}"
    if bare != words:
        yield f"number of {rows} {words}"
    yield f"number of {bare}"


def _in_other_words(words: str) -> Iterator[str]:
    """The words, and with others that the data may have for the same state: ``won`` quotes are ``accepted``."""
    yield words
    known = load_comparing().values
    said = next((word for word in words.lower().split() if word in known), None)
    for other in known.get(said or "", ()):
        yield re.sub(rf"\b{said}\b", other, words, flags=re.IGNORECASE)


def _bare(words: str) -> str:
    """Without articles before and words for anybody in it."""
    little = load_comparing().words
    said = words.split()
    while said and said[0].lower() in little["articles"]:
        said = said[1:]
    kept = [word for word in said if word.lower() not in little["anybody"]]
    return " ".join(kept or said)


def _name(words: str) -> str:
    said = words.split()
    while len(said) > 1 and said[0].lower() in (*load_comparing().words["articles"], "on", "in", "at", "during", "with"):
        said = said[1:]
    return " ".join(said)


def _is_slice(plan: Plan, metadata: Metadata) -> bool:
    """Whether a plan counts rows, and says of them what can be said of a row."""
    if plan.shape != "aggregate" or len(plan.measures) != 1 or plan.dimensions or plan.calculations or plan.nested:
        return False
    if plan.exists or plan.alternatives or plan.having or plan.limit or plan.parts or plan.hidden or not plan.conditions:
        return False
    plain = metadata.plain(plan.measures[0])
    return plain.aggregate in ("count", "count_distinct") and not (plain.conditions or plain.exists)


def _against_rest(first: Slice) -> Slices | None:
    periods = tuple(c for c in first.conditions if c.operator == "period")
    own = tuple(c for c in first.conditions if c not in periods) or periods
    common = periods if own is not periods else ()
    return Slices(first._replace(conditions=own), Slice(_rest_of(own)), common) if len(own) == 1 else None


def _rest_of(own: tuple[Condition, ...]) -> str:
    parting = PARTINGS["part_of_day"]
    values = set(own[0].values)
    if own[0].part == parting.condition and values == set(parting.values(("night",))):
        return "day"
    return "other days" if own[0].part == "weekday" else "the rest"


def _apart(one: Slice, other: Slice) -> Slices | None:
    """Both without what is said of both; a period that stands behind the second is meant of the first as well."""
    first = tuple(c for c in one.conditions if c not in other.conditions)
    second = tuple(c for c in other.conditions if c not in one.conditions)
    common = tuple(c for c in one.conditions if c in other.conditions)
    told = {c.member for c in first}
    late = tuple(c for c in second if c.operator == "period" and (c.member not in told) and len(second) > 1)
    second = tuple(c for c in second if c not in late)
    if not first or not second:
        return None
    scope = dict.fromkeys((*one.scope, *other.scope))
    return Slices(Slice(one.name, first, tuple(scope)), Slice(other.name, second), (*common, *late))
