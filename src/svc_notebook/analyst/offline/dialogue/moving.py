"""``and the year before?``, ``and the other way round?``: the period that was looked at moved, two roles exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations

from .... import patterns as re
from ..calendar.units import shift
from ..forms import Compare, Condition, Expression, Form, Member, OneOf, Part, Range, Truncated, Value
from ..schema.metadata import Metadata
from ..schema.twins import are_roles, names_same
from .conditions import conditions_of, ends_of, with_conditions
from .editing import Unfit
from .expressing import is_time
from .grouping import focus_of
from .thread import Earlier

__all__ = ["last_of", "moved_period", "other_way", "same_thing", "swapped_roles", "within_period"]

_UNIT = r"(?P<{}>year|quarter|month|week|day)"
_MOVES = re.compile(
    rf"^\W*(?:(?:and|but|so|then|now|for|in|on|what|how|about|show|me|the|a|an|of|from|one|was|is|it|that|this|did|do|look"
    rf"|same|(?:month|quarter|week|day|period|time|days|months|weeks)(?=\s+(?:a|one|the|of the)\s+year\b)"
    rf"|thing|again|much|many|like)\s+)*"
    rf"(?:{_UNIT.format('a')}\s+(?P<way_a>before|earlier|prior|previously|preceding|after|afterwards|later|following"
    rf"|ago(?<=\byear ago))"
    rf"(?:\s+(?:that|it|this))?"
    rf"|(?P<way_b>previous|prior|preceding|next|following)\s+{_UNIT.format('b')}"
    rf"|(?P<way_c>before|after)\s+(?:that|this)\s+{_UNIT.format('c')}"
    rf"|(?:shift|move|go|step|take|set)\s+(?:(?:it|that|this|everything)\s+)?(?:by\s+)?"
    rf"(?:(?P<way_d>back|backwards?|forward)\s+)?(?:by\s+)?(?:a|an|one)\s+{_UNIT.format('d')}"
    rf"(?:\s+(?P<way_e>back|backwards?|forward|earlier|later))?)"
    rf"(?:\s+(?:any\s+)?(?:different|better|worse|like|too|also|as well|please))*\W*$",
    re.IGNORECASE,
)
_LAST = re.compile(r"^\W*(?:(?:for|in|of|during|the)\s+)*last\s+(?P<unit>year|quarter|month|week)\W*$", re.IGNORECASE)
_LATER = frozenset(("forward", "after", "afterwards", "later", "following", "next"))
_YEAR_SAID = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:this|last|next|past|previous|current|coming|ago|since)\b", re.IGNORECASE
)


def swapped_roles(one: Condition, other: Condition, metadata: Metadata) -> bool:
    """Whether two conditions name a value each of the same in two roles: from where, and to where."""
    if not isinstance(one, Compare) or not isinstance(other, Compare) or {one.operator, other.operator} != {"="}:
        return False
    if not isinstance(one.left, Member) or not isinstance(other.left, Member):
        return False
    return are_roles(metadata, one.left.path, other.left.path)


def same_thing(one: Condition, other: Condition, metadata: Metadata) -> Member | None:
    """The member that names it in more words, where two conditions name the same kind of thing: by code, by name."""
    left, right = _named_by(one), _named_by(other)
    if left is None or right is None or not names_same(metadata, left.path, right.path):
        return None
    return max((left, right), key=lambda member: max(map(_length, metadata.values.members.get(member.path, ("",)))))


def _length(value: object) -> int:
    return len(str(value))


def _named_by(condition: Condition) -> Member | None:
    """The member whose values are named."""
    of: Expression | None = None
    if isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.right, Value):
        of = condition.left
    elif isinstance(condition, OneOf) and not condition.negated:
        of = condition.of
    return of if isinstance(of, Member) else None


def other_way(form: Form, metadata: Metadata) -> Form | None:
    """The form from there to here, where it was from here to there; None where it names no two roles."""
    known = conditions_of(form)
    pairs = [(a, b) for a, b in combinations(range(len(known)), 2) if swapped_roles(known[a], known[b], metadata)]
    if len(pairs) != 1:
        return None
    one, other = (known[place] for place in pairs[0])
    if not isinstance(one, Compare) or not isinstance(other, Compare) or one.right == other.right:
        return None
    turned = {pairs[0][0]: replace(one, right=other.right), pairs[0][1]: replace(other, right=one.right)}
    return with_conditions(form, [turned.get(place, condition) for place, condition in enumerate(known)])


def moved_period(words: str, before: Earlier, metadata: Metadata) -> Form | None:
    """The form over the period before or after the one that was looked at; None where words say no such.

    Raises
    ------
    Unfit
        If no period was looked at.
    """
    said = _MOVES.match(words)
    if said is None:
        return None
    unit = next(said[name] for name in "abcd" if said[name]).lower()
    way = next((said[f"way_{name}"] for name in "abcde" if said[f"way_{name}"]), "").lower()
    if not way:
        return None
    count = 1 if way in _LATER else -1
    known = conditions_of(before.form)
    for place, condition in enumerate(known):
        moved = _moved(condition, unit, count, metadata)
        if moved is not None and (before.form.limit is None or not _grouped_by(before.form, unit)):
            return with_conditions(before.form, [*known[:place], moved, *known[place + 1 :]])
    pointed = [moved for one in focus_of(before) if (moved := _moved(one, unit, count, metadata)) is not None]
    if len(pointed) != 1 or not any(isinstance(clause.expression, Truncated) for clause in before.form.groups):
        raise Unfit(f"no one period was looked at that a {unit} could come before or after; say which you mean")
    rest = [c for c in known if ends_of(c) is None]
    return with_conditions(before.form, [*rest, *pointed]).with_(order=(), limit=None)


def _grouped_by(form: Form, unit: str) -> bool:
    """Whether it is one of such units that was picked out: ``and the month before?`` of the best month."""
    groups = [clause.expression for clause in form.groups]
    return any(isinstance(group, Truncated) and group.grain == unit for group in groups)


def _moved(condition: Condition, unit: str, count: int, metadata: Metadata) -> Range | None:
    ends = ends_of(condition)
    if ends is None or not isinstance(condition, Range) or not is_time(condition.of, metadata):
        return None
    low, high = (shift(end, unit, count) for end in ends)
    return replace(condition, low=Value(low), high=Value(high))


def last_of(new: Condition, known: Sequence[Condition], rest: str) -> Condition:
    """``and last year?`` of March is that year's March; of last year itself it is the one before."""
    said, ends = _LAST.match(rest), ends_of(new)
    if said is None or ends is None or not isinstance(new, Range):
        return new
    for condition in known:
        old = ends_of(condition)
        if old is None or not isinstance(condition, Range) or condition.of != new.of:
            continue
        if said["unit"].lower() != "year":
            moved = ends
        elif len(_years(old)) == 1:
            moved = (
                shift(old[0], "year", ends[0].year - old[0].year),
                shift(old[1], "year", ends[0].year - old[0].year),
            )
        else:
            return new
        if (_plain(moved[0]), _plain(moved[1])) == (_plain(old[0]), _plain(old[1])):
            moved = (shift(old[0], said["unit"].lower(), -1), shift(old[1], said["unit"].lower(), -1))
        return replace(new, low=Value(moved[0]), high=Value(moved[1]))
    return new


def within_period(new: Condition, known: Sequence[Condition], text: str) -> Condition:
    """``only March`` of a year that was looked at: that year's, where none is said; of several, each one's."""
    if isinstance(new, Compare):
        return _cut(new, known)
    ends = ends_of(new)
    if ends is None or not isinstance(new, Range) or _YEAR_SAID.search(text):
        return new
    for condition in known:
        old = ends_of(condition)
        if old is None or not isinstance(condition, Range) or condition.of != new.of:
            continue
        near = [year - ends[0].year for year in _years(old)]
        moves = [(shift(ends[0], "year", count), shift(ends[1], "year", count)) for count in near]
        inside = [move for move in moves if _plain(old[0]) <= _plain(move[0]) and _plain(move[1]) <= _plain(old[1])]
        if len(inside) > 1 and (month := _month(ends)) is not None:
            return Compare(Part(new.of, "month"), "=", Value(month))
        fits = inside if len(inside) == 1 or len(_years(old)) > 1 else moves[:1]
        if len(fits) == 1 and fits[0] != old:
            return replace(new, low=Value(fits[0][0]), high=Value(fits[0][1]))
    return new


def _month(ends: tuple[date, date]) -> int | None:
    """The month of the year that a period is, if it is one."""
    whole = ends[0].day == 1 and shift(ends[0], "month", 1) == ends[1]
    return ends[0].month if whole else None


def _cut(new: Compare, known: Sequence[Condition]) -> Condition:
    """``before June`` of a year that was looked at: its part up to then."""
    bound = new.right.value if isinstance(new.right, Value) else None
    if not isinstance(bound, date) or new.operator not in ("<", ">="):
        return new
    for condition in known:
        old = ends_of(condition)
        if old is None or not isinstance(condition, Range) or condition.of != new.left:
            continue
        if old[0].isoformat()[:10] < bound.isoformat()[:10] < old[1].isoformat()[:10]:
            cut = Value(bound)
            return replace(condition, high=cut) if new.operator == "<" else replace(condition, low=cut)
    return new


def _years(ends: tuple[date, date]) -> range:
    """The years that a period lies in; its end is the moment behind it."""
    first_day = (ends[1].month, ends[1].day) == (1, 1)
    return range(ends[0].year, ends[1].year + (not first_day))


def _plain(moment: date) -> str:
    return moment.isoformat()[:19]
