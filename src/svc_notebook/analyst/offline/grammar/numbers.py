"""What a number may do to a partial reading: it compares, limits, or equals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..schema.derivations import is_derived
from ..schema.lasting import age_in
from ..schema.member_kinds import adjective_members, kind_of
from ..schema.money import amounts
from ..schema.profiles import as_number, reaches
from ..schema.spans import span_in
from ..words.numbers import unit_of
from .clauses import Measured, Tested
from .partial import Features, Partial
from .situation import Situation
from .units import PLAIN, converted, has_no_unit, kept_in, measured_in

__all__ = ["number"]


def number(s: Situation) -> Iterator[Partial]:
    """A number: what is compared with, how many rows are shown, or an equal value."""
    b, m = s.before, s.mention
    assert m.number is not None
    # Up to a thousand: nobody asks for the first 2,500.
    whole = float(m.number).is_integer() and 0 < m.number < 1000 and m.unit is None
    if b.best is not None and b.limit is None and whole:
        yield s.then((("limit:after", 1.0),), limit=int(m.number))
    if b.compare is not None and b.number is None:
        yield from _compared(s)
    if b.compare is None and m.unit is None:
        yield from _one_more(s)
    # It may be a limit, or bound what is named behind it.
    if b.compare is None and b.best is None and whole:
        yield s.then((("number:waits", 1.0),), number=m, since=m.end)
    if (
        b.compare is None
        and b.operand
        and m.unit is None
        and kind_of(s.metadata, b.operand) in ("number", "key", "year", "text")
        and not (_may_be_year(s) and (kind_of(s.metadata, b.operand) == "number" or _says_when(s)))
    ):
        kind = kind_of(s.metadata, b.operand)
        shown = int(m.number) if float(m.number).is_integer() else m.number
        # As the data hold it: digits in a column of texts are compared as text.
        plain = str(shown) if kind == "text" else shown
        test = Tested(s.at, b.operand, "in", (plain,), b.negated, b.joined)
        yield s.add(test, ((f"number:equals:{kind}", 1.0),), operand="", negated=False, joined="")


def _may_be_year(s: Situation) -> bool:
    """Whether the number is read as a year as well: ``revenue in 2023`` is no revenue of 2023."""
    return any(m.kind == "period" for m in s.lattice.starting[s.at])


def _says_when(s: Situation) -> bool:
    """``invoices in 2023``: none whose number is 2023."""
    return s.lattice.tokens[s.at - 1].lower in ("in", "during", "since", "until", "before", "after")


def _one_more(s: Situation) -> Iterator[Partial]:
    """``department 70 or 90``: one more of the numbers before."""
    b, m = s.before, s.mention
    last = b.clauses[-1] if b.clauses else None
    assert m.number is not None
    if b.joined in ("or", "and", "comma") and isinstance(last, Tested) and last.operator == "in":
        plain = int(m.number) if float(m.number).is_integer() else m.number
        number_ = str(plain) if isinstance(last.values[-1], str) else plain
        if all(isinstance(v, str) == isinstance(number_, str) and v != number_ for v in last.values):
            more = replace(last, values=(*last.values, number_))
            yield s.then((("number:more", 1.0),), clauses=(*b.clauses[:-1], more), joined="")


def _compared(s: Situation) -> Iterator[Partial]:
    b, m = s.before, s.mention
    assert b.compare is not None
    assert m.number is not None
    if b.compare.argument == "between" and b.low is None:
        yield s.then((("between:low", 1.0),), low=m.number)
        return
    done: dict[str, object] = {"compare": None, "low": None, "negated": False, "joined": "", "operand": ""}
    for path, found in _compared_with(s):
        for value_, doubt in converted(s.metadata, path, m):
            values = (b.low, value_) if b.low is not None else (value_,)
            test = Tested(s.at, path, b.compare.argument, values, b.negated, b.joined)
            yield s.add(test, (*found, *doubt), **done)
    last = b.clauses[-1] if b.clauses else None
    counted = isinstance(last, Measured) and (
        last.function.startswith("count") or has_no_unit(s.metadata, last.path or "")
    )
    # A bound on a number that was said just before is one of groups.
    if isinstance(last, Measured) and not (counted and _said_in(s) not in PLAIN):
        bound = _as_kept(s, last)
        values = (bound,) if b.low is None else (b.low, bound)
        test = Tested(
            s.at, last.path, b.compare.argument, values, b.negated, "", last.function, last.relation
        )  # fmt: skip
        kept = b.clauses[:-1]
        yield s.then((("having", 1.0), ("having:measure-kept", 1.0)), clauses=(*b.clauses, test), **done)
        yield s.then((("having", 1.0),), clauses=(*kept, test), **done)
    if b.low is None:
        yield s.then((("number:compared-ahead", 1.0),), number=m, since=m.end)


def _as_kept(s: Situation, of: Measured) -> float:
    """The number in the unit of what is measured: ``average air time over 3 hours`` of one in minutes."""
    number = s.mention.number or 0.0
    if of.path is None or of.function.startswith("count") or s.mention.unit in PLAIN:
        return number
    return next((float(value) for value, _ in converted(s.metadata, of.path, s.mention)), number)


def _said_in(s: Situation) -> str | None:
    """The unit of a number, be it read with the number or left to other words (``30 minutes`` of a band)."""
    after = s.lattice.tokens[s.mention.end : s.mention.end + 1]
    return s.mention.unit or next((unit_of(token.lower) for token in after), None)


def _compared_with(s: Situation) -> Iterator[tuple[str, Features]]:
    """Members that a comparison may speak of: the one named before it, or what its adjective measures."""
    b = s.before
    assert b.compare is not None
    relations = [b.near] if b.near in s.metadata.catalog.relations else list(s.metadata.catalog.relations)
    if b.compare.hints:
        found = adjective_members(s.metadata, relations, b.compare.hints, frozenset())[:3]
        if s.mention.unit is not None:
            # A column kept in the unit that was said is what it is said of.
            own = [(column, False) for column in kept_in(s.metadata, relations, s.mention.unit)[:1]]
            found = [*own, *(each for each in found if each not in own)]
        if "age" in b.compare.hints:
            found = [(path, False) for path in _ages(s, relations)] + found
        for path, turned in found[:3]:
            yield _in_unit(s, path), (("test:adjective", 1.0), *((("turned", 1.0),) if turned else ()))
    elif b.operand and _comparable(s, b.operand) and not _is_far(s, b.operand):
        yield b.operand, (("test", 1.0),)
    elif s.mention.unit == "year":
        yield from ((path, (("test:unit", 1.0),)) for path in _ages(s, relations))
    elif s.mention.unit is not None:
        kept = [path for path in kept_in(s.metadata, relations, s.mention.unit) if _may_reach(s, path)]
        words = measured_in(s.mention.unit)
        named = [path for path, _ in adjective_members(s.metadata, relations, words, frozenset())] if words else []
        for path in list(dict.fromkeys([*kept, *named]))[:4]:
            yield _in_unit(s, path), (("test:unit", 1.0),)
    else:
        yield from ((path, (("test:unnamed", 1.0),)) for path in _meant(s, relations))


def _in_unit(s: Situation, path: str) -> str:
    """A time between two times in the unit that is said: 36 hours are no whole days."""
    span, unit = span_in(path), s.mention.unit
    return path if span is None or unit not in _UNITS else span.within(unit).path


_UNITS = frozenset({"minute", "hour", "day", "week"})
_OLDEST = 120


def _ages(s: Situation, relations: Sequence[str]) -> list[str]:
    """Ages that a number may be: those that are kept, and those of people that are counted from their births."""
    if not 0 < (s.mention.number or 0) <= _OLDEST:
        return []
    kept = [path for path, _ in adjective_members(s.metadata, list(relations), frozenset({"age"}), frozenset())]
    counted = [path for r in relations if (path := age_in(s.metadata, r, s.lattice.today))]
    return [*kept, *(path for path in counted if _is_some_age(s, path))]


def _is_some_age(s: Situation, path: str) -> bool:
    """Whether a number is an age that somebody has: no score below seven is one of grown-ups."""
    known = s.metadata.profile(path)
    low, high = as_number(known.low), as_number(known.high)
    if low is None or high is None:
        return True
    if high > _OLDEST:  # years of birth
        low, high = s.lattice.today.year - high - 1, s.lattice.today.year - low
    return low <= (s.mention.number or 0) <= high


def _meant(s: Situation, relations: Sequence[str]) -> list[str]:
    """What a number without a name or unit is compared with: the age of people, else the price of things."""
    ages = _ages(s, relations)
    prices = [path for path in amounts(s.metadata) if path.split(".", 1)[0] in relations and not is_derived(path)]
    fitting = [path for path in prices if _lies_within(s, path)]
    return (ages or fitting)[:1]


def _is_far(s: Situation, path: str) -> bool:
    """Whether every row is under the number: nobody speaks of less than 800 rooms."""
    high = None if is_derived(path) else as_number(s.metadata.profile(path).high)
    less = s.before.compare is not None and s.before.compare.argument[0] == "<"
    # Ten times the largest is no bound that anybody would set.
    return less and high is not None and (s.mention.number or 0) > 10 * max(high, 1)


def _may_reach(s: Situation, path: str) -> bool:
    """Whether any row is beyond the bound: no visibility, which is in miles too, is over 2000."""
    said = s.before.compare.argument if s.before.compare is not None else ""
    bounds = [value for value, _ in converted(s.metadata, path, s.mention)]
    return is_derived(path) or not bounds or reaches(s.metadata.profile(path), said, bounds)


def _lies_within(s: Situation, path: str) -> bool:
    """Whether some values are larger and some smaller than the number."""
    profile = s.metadata.profile(path)
    low, high = as_number(profile.low), as_number(profile.high)
    return low is not None and high is not None and low < (s.mention.number or 0) < high


def _comparable(s: Situation, path: str) -> bool:
    """Whether a number can be compared with a member: with a year only one that is a year."""
    kind, number_ = kind_of(s.metadata, path), s.mention.number or 0.0
    if kind == "key":  # a code is no number, and none is above another
        return is_derived(path) or s.metadata.is_number(path)
    return kind == "number" or (kind == "year" and s.mention.unit is None and number_ >= 1000)
