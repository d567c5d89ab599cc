"""What a period or a unit of time may do to a partial reading."""

from __future__ import annotations

from collections.abc import Iterator

from ..calendar.periods import Period
from ..schema.member_kinds import kind_of
from ..schema.profiles import as_number
from .clauses import SOME_TIME, Grouped, Tested, Timed
from .partial import Features, Partial
from .situation import Situation, best_of

__all__ = ["grain", "period", "timeline", "week"]


def period(s: Situation) -> Iterator[Partial]:
    b, m = s.before, s.mention
    assert m.period is not None
    # Before the period: a column of years has no period to compare.
    if m.period.bare_year and b.operand and kind_of(s.metadata, b.operand) == "year" and m.period.low:
        operator = b.compare.argument if b.compare is not None else "in"
        test = Tested(s.at, b.operand, operator, (m.period.low.year,), b.negated, b.joined)
        yield s.add(test, (("period:year", 1.0),), compare=None, negated=False, joined="", operand="")
    if (
        b.operand
        and kind_of(s.metadata, b.operand) in ("year", "number", "text")
        and _may_be_year(s, b.operand)
        and (m.period.low is None) != (m.period.high is None)
    ):
        side, year = (">", m.period.low.year - 1) if m.period.low is not None else ("<", m.period.high.year)  # type: ignore[union-attr]  # one of both
        test = Tested(s.at, b.operand, side, (year,), b.negated, b.joined)
        yield s.add(test, (("period:year:side", 1.0),), negated=False, joined="")
    if b.operand and kind_of(s.metadata, b.operand) == "year" and not m.period.bare_year and (span := _years(m.period)):
        within = Tested(s.at, b.operand, "between", span, b.negated, b.joined)
        yield s.add(within, (("period:year", 1.0),), negated=False, joined="", operand="")
    path = b.operand if b.operand and kind_of(s.metadata, b.operand) == "time" else SOME_TIME
    relative = "relative" if m.period.relative else "year" if m.period.bare_year else "said"
    yield s.add(Timed(s.at, m.period, path, b.negated), ((f"period:{relative}", 1.0),), negated=False, joined="")


def _may_be_year(s: Situation, path: str) -> bool:
    """Whether some value of a member could be a year: budgets *since 2020* are none above 2,020."""
    if kind_of(s.metadata, path) != "number":
        return True
    low = as_number(s.metadata.profile(path).low) if path in s.metadata.members else None
    # A thousand and 2200: what people mean by a year.
    return low is None or _FIRST <= low <= _LAST


_FIRST, _LAST = 1000, 2200


def _years(period: Period) -> tuple[int, int] | None:
    """The first and the last of the whole years that a period is made of."""
    low, high = period.low, period.high
    if low is None or high is None or (low.month, low.day, high.month, high.day) != (1, 1, 1, 1):
        return None
    return low.year, high.year - 1


def grain(s: Situation) -> Iterator[Partial]:
    """A unit of time: grouped by, or ranked."""
    b, m = s.before, s.mention
    path = b.operand if b.operand and kind_of(s.metadata, b.operand) == "time" else SOME_TIME
    made = Grouped(s.at, path, m.argument)
    if b.best is not None:
        yield s.then((*s.near("best:grain"),), clauses=(*b.clauses, made, best_of(s)), best=None, limit=None)
    if b.group or m.operator == "adverb":
        cue = "adverb" if m.operator == "adverb" else b.group
        yield s.add(made, (*s.near(f"grain:{cue}"),), group="more" if b.group else "", since=m.end)
    elif b.asked:
        yield s.add(made, ((f"grain:asked:{b.asked}", 1.0),), asked="")
    else:
        yield s.add(made, (("grain:uncued", 1.0),))


def week(s: Situation) -> Iterator[Partial]:
    """Weekdays against weekends: two values of one part of a time, said as alternatives, are groups."""
    if any(isinstance(c, Grouped) and c.grain == "weekend" for c in s.before.clauses):
        # The other half adds nothing: one group holds both.
        yield s.then((), versus=False, joined="")
        return
    said = {m.argument for starting in s.lattice.starting for m in starting if m.operator == "week"}
    if len(said) > 1 or s.mention.argument == "end":
        alone: Features = (("grain:weekend:alone", 1.0),) if len(said) < 2 else ()
        yield s.add(Grouped(s.at, SOME_TIME, "weekend"), (("grain:weekend", 1.0), *alone), versus=False, joined="")


def timeline(s: Situation) -> Iterator[Partial]:
    """``over time``: by whatever unit of time gives a line, unless a unit is named as well."""
    if any(isinstance(c, Grouped) and c.grain for c in s.before.clauses):
        yield s.then()
        return
    yield s.add(Grouped(s.at, SOME_TIME, "auto"), (("grain:timeline", 1.0),))
