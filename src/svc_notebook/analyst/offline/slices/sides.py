"""Two slices of rows from their words: each by its conditions, or as all that the other is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from .... import patterns as re
from ..forms.partings import PARTINGS
from ..plans.plan import Condition, Plan
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..words.period_words import whole_period
from ..words.text import stem
from .lexicon import in_other_words, load_comparing, one_of

__all__ = ["Slice", "Slices", "slice_of", "slices"]

Reader = Callable[[str], Plan | None]
_SHORT = 3
_NOT = frozenset({"non", "not", "no"})
_ORDINARY = frozenset({"normal", "ordinary", "regular", "standard", "usual"})


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
    def conditions(self) -> tuple[Condition, ...]:
        return (*self.one.conditions, *self.other.conditions, *self.common)

    @property
    def scope(self) -> tuple[str, ...]:
        return (*self.one.scope, *self.other.scope)


def slices(one: str, other: str, relation: str, metadata: Metadata, read: Reader) -> Slices | None:
    """The two slices that words name among the rows of a relation; None where either is not wholly read."""
    first = None if is_rest(one) else _elliptic(one, other, relation, metadata, read)
    if first is None:
        return _turned(one, other, relation, metadata, read)
    if is_rest(other) or _is_day(other) and _is_of_night(first):
        return _against_rest(first)
    if _denies(one, other):
        against = _against_rest(first)
        return against._replace(other=Slice(_name(_bare(other)))) if against is not None else None
    second = _elliptic(other, one, relation, metadata, read)
    if second is None and _is_ordinary(other):
        return _against_rest(first)
    if second is None:
        return None
    told = _as_told(first, second, metadata)
    return None if _are_unlike(first, told, metadata) else _apart(first, told)


def _are_unlike(one: Slice, other: Slice, metadata: Metadata) -> bool:
    """Names of two kinds: a patient and a treatment are nothing to set beside each other, an airport and a code are."""
    named = [side.conditions[0] for side in (one, other) if len(side.conditions) == 1]
    if len(named) < len((one, other)) or any(c.operator != "in" or c.part is not None for c in named):
        return False
    words = [{stem(part) for part in metadata.parts(c.member)} for c in named]
    return words[0].isdisjoint(words[1])


def _elliptic(words: str, beside: str, relation: str, metadata: Metadata, read: Reader) -> Slice | None:
    """A slice by its words, or with the noun that stands in the other one: ``insured vs uninsured animals``."""
    found = slice_of(words, relation, metadata, read)
    noun = beside.split()[-1:] if len(words.split()) < len(beside.split()) else []
    if found is not None or not noun or noun[0].lower() in load_comparing().words["anybody"]:
        return found
    found = slice_of(f"{words} {noun[0]}", relation, metadata, read)
    return found._replace(name=_name(words)) if found is not None else None


def _denies(one: str, other: str) -> bool:
    """``insured`` against ``uninsured``, ``local`` against ``non local``."""
    ones = [word for word in _bare(one).lower().split() if len(word) > _SHORT]
    said = _bare(other).lower().replace("-", " ").split()
    denied = {word for word in ones for no in ("un", "in", "im", "dis", "non") if f"{no}{word}" in said}
    told = any(word in said[place + 1 : place + 2] for word in ones for place, no in enumerate(said) if no in _NOT)
    return bool(denied) or told


def _is_ordinary(words: str) -> bool:
    """``rush jobs`` against ``normal ones``."""
    return bool(set(words.lower().split()) & _ORDINARY)


def _as_told(first: Slice, second: Slice, metadata: Metadata) -> Slice:
    """The second slice by the member of the first, where that has the value as well: both countries of customers."""
    ones = {c.member for c in first.conditions if c.operator == "in" and c.part is None}
    if len(ones) != 1 or len(second.conditions) != 1:
        return second
    (member,), told = ones, second.conditions[0]
    held = metadata.values.members.get(member, ())
    if told.operator != "in" or told.part is not None or told.member == member or not set(told.values) <= set(held):
        return second
    return second._replace(conditions=(told.__class__(member, "in", told.values, words=told.words),), scope=first.scope)


def _turned(one: str, other: str, relation: str, metadata: Metadata, read: Reader) -> Slices | None:
    """``during the day than at night``, ``the others than Delta``: the first is what the second is not."""
    if not (one.strip() and (is_rest(one) or _is_day(one))) or is_rest(other):
        return None
    second = slice_of(other, relation, metadata, read)
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
    """Whether words stand for all other rows: ``the rest``, ``the other agencies``, ``those without``."""
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


def slice_of(words: str, relation: str, metadata: Metadata, read: Reader) -> Slice | None:
    """A slice by the conditions that its words have among the rows of a relation."""
    for text in _ways(words, relation, metadata):
        plan = read(text)
        if plan is not None and _is_slice(plan, metadata):
            return Slice(_period(plan) or _name(words), plan.conditions, plan.scope)
    return _of_kind(words, relation, metadata, read)


def _period(plan: Plan) -> str:
    """What a slice is called that is one whole month, quarter or year; else nothing."""
    ends = plan.conditions[0].values if len(plan.conditions) == 1 and plan.conditions[0].operator == "period" else ()
    if not ends or None in ends:
        return ""
    low, high = (datetime.fromisoformat(str(end)) for end in ends)
    return whole_period(low, high)


def _of_kind(words: str, relation: str, metadata: Metadata, read: Reader) -> Slice | None:
    """``company accounts``: a value, and behind it what its values are kinds of."""
    *said, last = _bare(words).split() or [""]
    rows = " ".join((*metadata.words_of(relation)[:-1], plural(metadata.words_of(relation)[-1])))
    plan = read(f"number of {rows} {' '.join(said)}") if said else None
    if plan is None or not _is_slice(plan, metadata):
        return None
    named = {stem(part) for c in plan.conditions for part in metadata.parts(c.member)}
    return Slice(_name(words), plan.conditions, plan.scope) if stem(last) in named else None


def _ways(words: str, relation: str, metadata: Metadata) -> Iterator[str]:
    rows = " ".join((*metadata.words_of(relation)[:-1], plural(metadata.words_of(relation)[-1])))
    for bare in in_other_words(_bare(words)):
        yield f"number of {rows} {bare}"
        yield f"number of {rows} on {bare}"
        yield f"number of {rows} of {bare}"
        yield f"number of {rows} at {bare}"
    if bare != words:
        yield f"number of {rows} {words}"
    yield f"number of {bare}"


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
    while len(said) > 1 and said[0].lower() in (
        *load_comparing().words["articles"],
        "on",
        "in",
        "at",
        "during",
        "with",
    ):
        said = said[1:]
    return " ".join(said)


def _is_slice(plan: Plan, metadata: Metadata) -> bool:
    """Whether a plan counts rows, and says of them what can be said of a row."""
    if plan.shape != "aggregate" or len(plan.measures) != 1 or plan.dimensions or plan.calculations or plan.nested:
        return False
    if (
        plan.exists
        or plan.alternatives
        or plan.having
        or plan.limit
        or plan.parts
        or plan.hidden
        or not plan.conditions
    ):
        return False
    plain = metadata.plain(plan.measures[0])
    return (
        bool(plan.conditions)
        and plain.aggregate in ("count", "count_distinct")
        and not (plain.conditions or plain.exists)
    )


def _against_rest(first: Slice) -> Slices | None:
    periods = tuple(c for c in first.conditions if c.operator == "period")
    own = tuple(c for c in first.conditions if c not in periods) or periods
    common = periods if own is not periods else ()
    if len(own) != 1:
        return None
    return Slices(first._replace(name=_called(own[0], first.name), conditions=own), Slice(_rest_of(own)), common)


def _called(condition: Condition, said: str) -> str:
    """A side as the data call it, where it is one value."""
    plain = condition.operator == "in" and condition.part is None and len(condition.values) == 1
    return str(condition.values[0]) if plain else said


def _rest_of(own: tuple[Condition, ...]) -> str:
    parting = PARTINGS["part_of_day"]
    values = set(own[0].values)
    if own[0].part == parting.condition and values == set(parting.values(("night",))):
        return "day"
    if own[0].part == "weekday":
        return "other days"
    return "others" if own[0].operator == "in" and own[0].part is None else "the rest"


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
