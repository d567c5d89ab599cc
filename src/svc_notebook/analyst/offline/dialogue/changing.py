"""``which went up most?`` after two periods beside each other: how much more the later has, group by group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time

from .... import patterns as re
from ..calendar.units import shift
from ..forms import (
    Aggregate,
    Arithmetic,
    Call,
    Clause,
    Compare,
    Condition,
    Expression,
    Filter,
    Form,
    Limit,
    Member,
    Or,
    Order,
    Range,
    Truncated,
    Value,
)
from ..plans.plan import Measure
from ..reading.reading import Reading
from ..schema.metadata import Metadata
from ..words.leads import LEAD
from .conditions import conditions_of, ends_of, with_conditions
from .editing import Unfit, is_bad
from .expressing import is_named

__all__ = ["change_between", "changed_most"]

_UP = (
    r"(?:(?:went|gone|goes|going|shot|moved) up|rose|risen|rises|grew|grown|grows|increased|increases|gained|gains"
    r"|jumped|climbed|put on)"
)
_DOWN = (
    r"(?:(?:went|gone|goes|going|came|come|moved) down|fell|fallen|falls|dropped|drops|decreased|decreases|declined"
    r"|declines|shrank|shrunk|shrinks|sank|lost|loses)"
)
_BETTER = r"(?:improved|improves|got better|bettered)"
_WORSE = r"(?:worsened|worsens|got worse|deteriorated)"
_ANY = r"(?:changed|changes|moved|differed|differs)"
_RISE = r"(?:rise|increase|growth|jump|gain|climb)"
_FALL = r"(?:fall|drop|decrease|decline|loss|dip)"
_CHANGE = r"(?:change|difference|move|shift)"
_LEAD = LEAD
_WHO = (
    r"(?:who|(?:which|what)(?: ones?)?(?: of (?:them|those|these))?"
    r"|(?:which|what) (?P<of>(?!ones?\b|of\b)[\w-]+(?: (?!has\b|had\b|have\b|did\b|saw\b)[\w-]+)?))"
)
_SINCE = (
    r"(?: (?:since|from|over|on|against|compared (?:to|with)) "
    r"(?:then|that|it|(?:the )?(?:year|quarter|month|week) before))?"
)
_MOST = re.compile(
    rf"{_LEAD}{_WHO} (?:(?:has|have|had) )?(?:(?P<up>{_UP})|(?P<down>{_DOWN})"
    rf"|(?P<better>{_BETTER})|(?P<worse>{_WORSE})|{_ANY}) (?:by )?(?:the )?most{_SINCE}\W*$",
    re.IGNORECASE,
)
_BIGGEST = re.compile(
    rf"{_LEAD}(?:{_WHO} (?:has|have|had|saw|shows?|showed|made|got|is|was|with) )?(?:the )?"
    rf"(?:biggest|largest|greatest|highest|strongest|steepest|most) "
    rf"(?:(?P<up>{_RISE})|(?P<down>{_FALL})|(?P<better>improvement)|(?P<worse>deterioration)|{_CHANGE}){_SINCE}\W*$",
    re.IGNORECASE,
)
_FOLDED = ("sum", "avg", "min", "max", "median", "count_distinct")
_TWO = 2


def changed_most(
    text: str, alone: Reading, form: Form, last_two: Callable[[], Form | None], metadata: Metadata
) -> Form | None:
    """The group whose number changed most between the two periods that are shown; None where no such thing is asked.

    ``last_two``: the last two answers as one, where they differ in their period only.

    Raises
    ------
    Unfit
        If it is not two periods that were shown, or of groups that were not.
    """
    said = _MOST.match(text) or _BIGGEST.match(text)
    if said is None or not form.measures:
        return None
    made = form.with_(having=(), order=(), limit=None) if _is_change(form) else change_between(form, metadata)
    both = last_two() if made is None else None
    made = change_between(both, metadata) if both is not None else made
    if made is None:
        raise Unfit("between which two periods, nothing says; compare them first")
    if said["of"] and not any(_is_of(clause.expression, said["of"], alone, metadata) for clause in made.groups):
        raise Unfit("it does not show the periods of those; compare them first")
    change = made.measures[0].expression
    up = _goes_up(said, is_bad(form.measures[0].expression, metadata, form))
    if up is None:
        return made.with_(order=(Order(Call("abs", (change,)), True),), limit=Limit(1))
    which = Filter(Compare(change, ">" if up else "<", Value(0)))
    return made.with_(having=(which,), order=(Order(change, up),), limit=Limit(1))


def _goes_up(said: re.Match[str], much_is_bad: bool) -> bool | None:
    """Whether what rose is asked for, or what fell; None: what changed. What gets better has less of what is bad."""
    if said["better"] or said["worse"]:
        return bool(said["better"]) != much_is_bad
    return bool(said["up"]) if said["up"] or said["down"] else None


def _is_change(form: Form) -> bool:
    """Whether a form shows such a difference already."""
    change = form.measures[0].expression
    sides = (change.left, change.right) if isinstance(change, Arithmetic) and change.operator == "-" else ()
    return bool(sides and form.groups) and all(isinstance(one, Aggregate) and one.where is not None for one in sides)


def _is_of(group: Expression, words: str, alone: Reading, metadata: Metadata) -> bool:
    """Whether words name a group, or whose it is."""
    named = [name for item in alone.items if item.text.lower() == words.lower() for name in item.names]
    own = isinstance(group, Member) and any(group.path == one.member or group.relation == one.relation for one in named)
    return own or is_named(group, words, metadata)


def change_between(form: Form, metadata: Metadata) -> Form | None:
    """Of each group the number of two periods, and their difference; None where it is not two periods of groups."""
    times = [clause.expression for clause in form.groups if isinstance(clause.expression, Truncated)]
    groups = tuple(clause for clause in form.groups if clause.expression not in times)
    if len(times) != 1 or not groups or len(form.measures) != 1 or form.having:
        return None
    periods, rest = _periods(times[0], conditions_of(form))
    number = _plain(form.measures[0].expression, metadata)
    if len(periods) != _TWO or number is None:
        return None
    earlier, later = (Aggregate(number.function, number.of, where=period) for period in periods)
    shown = (Arithmetic("-", later, earlier), later, earlier)
    both = form.with_(groups=groups, measures=tuple(Clause(one) for one in shown), order=(), limit=None)
    return with_conditions(both, [*rest, Or(tuple(periods))])


def _plain(number: Expression, metadata: Metadata) -> Aggregate | None:
    """A number as one that can be told of some rows only."""
    if not isinstance(number, Aggregate) or number.where is not None:
        return None
    if number.function != "measure":
        return number
    plain = metadata.plain(Measure(number.of.path, "measure")) if isinstance(number.of, Member) else None
    if plain is None or plain.conditions or plain.other is not None:
        return None
    if plain.aggregate == "count" and plain.member is None:
        return Aggregate("rows")
    if plain.member not in metadata.members or plain.aggregate not in _FOLDED:
        return None
    return Aggregate(plain.aggregate, Member(str(plain.member)))  # type: ignore[arg-type]  # one of those


def _periods(of: Truncated, known: Sequence[Condition]) -> tuple[list[Range], list[Condition]]:
    """The periods that are grouped by, one after the other, and the other conditions."""
    for condition in known:
        terms = condition.terms if isinstance(condition, Or) else (condition,)
        ranges = [term for term in terms if isinstance(term, Range) and term.of == of.of]
        ends = [ends_of(term) for term in ranges]
        if len(ranges) != len(terms) or None in ends:
            continue
        found = [each for one in ends if one is not None for each in _units(of, one)]
        return sorted(found, key=_starts), [one for one in known if one != condition]
    return [], []


def _starts(period: Range) -> str:
    low = period.low
    return low.value.isoformat() if isinstance(low, Value) and isinstance(low.value, date) else ""


def _units(of: Truncated, ends: tuple[date, date]) -> list[Range]:
    """The units that a period is made of; itself, where it is no longer than one."""
    start, end = (_moment(one) for one in ends)
    found: list[Range] = []
    while start < end and len(found) <= _TWO:
        following = shift(start, of.grain, 1)
        if following <= start:
            return []
        found.append(Range(of.of, Value(start), Value(min(following, end))))
        start = following
    return found


def _moment(one: date) -> datetime:
    return one if isinstance(one, datetime) else datetime.combine(one, time())
