"""What a form goes by, laid out as a plan whether or not a plan can say it: to look things up in, never to answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Any

from ..calendar.moments import iso
from ..forms import (
    Aggregate,
    Bin,
    Case,
    Compare,
    Difference,
    Extreme,
    Form,
    Holds,
    Join,
    Like,
    Member,
    Missing,
    Not,
    OneOf,
    Over,
    Part,
    Range,
    Ratio,
    Related,
    Role,
    SetOf,
    Truncated,
    Value,
)
from ..forms.walking import parts
from ..schema.metadata import Metadata
from .forms_as_plans import plan_of
from .plan import Calculation, Condition, Dimension, Exists, Having, Measure, Order, Plan

__all__ = ["LAID_OUT", "outline"]

LAID_OUT = "laid out"
"""Noted of a plan that only holds what a form is made of, and does not say it."""

_WINDOWS = {"share": "share", "avg": "moving_average", "rank": "rank", "dense_rank": "rank", "previous": "growth"}
_COUNTS = {"rows": "count", "count": "count_values"}
_PARTS = {"isoweekday": "weekday", "hour": "hour_of_day", "month": "month_of_year", "day": "day_of_month"}


def outline(form: Form | SetOf, metadata: Metadata) -> Plan:
    """The plan that says a form; where none does, one that holds all its numbers, groups, conditions and orders."""
    whole = plan_of(form, metadata) if isinstance(form, Form) else None
    return whole or _laid_out([part for part in parts(form) if isinstance(part, Form)], form)


def _laid_out(forms: list[Form], form: Form | SetOf) -> Plan:
    everything = list(parts(form))
    listed = not any(one.measures for one in forms[:1])
    limits = [one.limit for one in forms if one.limit is not None]
    orders = tuple(_order(order.by, order.descending) for one in forms for order in one.order)
    groups = [clause.expression for one in forms for clause in one.groups]
    scope = tuple(dict.fromkeys(part.relation for part in everything if isinstance(part, Role))) or ("",)
    tests = _tests(part for one in forms for test in one.where for part in parts(test.condition))
    within = tuple(test for test in _tests(everything) if test not in tests)
    divided = any(isinstance(part, (Ratio, Case)) for part in everything)
    shares = (Measure(None, "share_true" if divided else "count", within),) if divided or within else ()
    return Plan(
        scope, shape="rows" if listed else "aggregate", measures=(*_measures(everything, scope[0]), *shares),
        dimensions=tuple(_dimension(group) for group in groups if _paths(group)),
        columns=tuple(path for one in forms[:1] for clause in one.columns for path in _paths(clause.expression)),
        conditions=tests, order=orders,
        exists=tuple(_exists(part) for part in everything if isinstance(part, (Related, Extreme)))
        + _outer(everything) + _excepted(everything),
        having=_having(forms, everything),
        limit=next((limit.count for limit in limits), None),
        limit_per=0 if any(limit.per for limit in limits) else None,
        calculations=tuple(_calculation(part) for part in everything if isinstance(part, Over)),
        notes=(LAID_OUT,),
    )  # fmt: skip


def _having(forms: list[Form], everything: list[Any]) -> tuple[Having, ...]:
    """All numbers there are, where groups are tested or something is compared that is no member."""
    computed = any(isinstance(part, (Compare, Range)) and not _tests((part,)) for part in everything)
    at = [part.at for part in everything if isinstance(part, Aggregate) and part.at is not None]
    tested = computed or any(one.having for one in forms)
    return (Having(0, "<", (*_numbers(forms), *at, *(100 * part for part in at))),) if tested or at else ()


def _measures(everything: Iterable[Any], root: str) -> Iterator[Measure]:
    for part in everything:
        if isinstance(part, Difference):
            start, end = _path(part.start), _path(part.end)
            yield from (Measure(start, "span", other=end, fold=fold) for fold in ("avg", "min", "max", "sum", "median"))
        elif isinstance(part, Aggregate) and not any(isinstance(inner, Difference) for inner in parts(part.of)):
            fold: Any = _COUNTS.get(part.function, part.function)
            paths = _paths(part.of)
            yield from (Measure(path, fold) for path in paths)
            yield from () if paths else (Measure(None, fold, entity=root),)


def _dimension(expression: Any) -> Dimension:
    grained = next((part for part in parts(expression) if isinstance(part, (Truncated, Part, Bin))), None)
    match grained:
        case Truncated(grain=grain):
            return Dimension(_path(expression), grain)
        case Part(part=part):
            return Dimension(_path(expression), _PARTS.get(part, part))
        case Bin(width=width):
            return Dimension(_path(expression), bin=width)
        case _:
            return Dimension(_path(expression))


def _order(by: Any, descending: bool) -> Order:
    lasting = next((part for part in parts(by) if isinstance(part, Difference)), None)
    if lasting is not None:
        return Order("measure", 0, descending, measure=Measure(_path(lasting.start), "span", other=_path(lasting.end)))
    return Order("member", 0, descending, member=next(iter(_paths(by)), None))


def _conditions(everything: Sequence[Any]) -> Iterator[Condition]:
    """Every comparison there is, wherever it stands: of a denied one the operator says so."""
    denied = {id(part.term) for part in everything if isinstance(part, Not)}
    for part in everything:
        match part:
            case Compare(left=left, operator=operator, right=right):
                yield _tested(left, operator, right)
            case OneOf(of=of, negated=negated):
                yield Condition(_path(of), "not in" if negated else "in", _values(part), words=_words(part))
            case Range(of=of, negated=negated):
                dated = any(isinstance(value.value, date) for value in parts(part) if isinstance(value, Value))
                how = f"{'not ' if negated else ''}{'period' if dated else 'between'}"
                yield Condition(_path(of), how, _values(part), _part(of), _words(part))
            case Like(of=of, how=how, text=text, negated=negated):
                yield Condition(_path(of), f"{'not ' if negated else ''}{how}", (text,), words=text)
            case Missing(of=of, negated=negated):
                yield Condition(_path(of), "not null" if negated else "null")
            case Holds(of=of):
                yield Condition(_path(of), "false" if id(part) in denied else "true")


def _tests(of: Iterable[Any]) -> tuple[Condition, ...]:
    """The comparisons that are of a member."""
    return tuple(test for test in _conditions(tuple(of)) if test.member)


def _tested(left: Any, operator: str, right: Any) -> Condition:
    values = tuple(_plain(part.value) for part in parts(right) if isinstance(part, Value))
    if any(isinstance(part.value, date) for part in parts(right) if isinstance(part, Value)):
        operator = "period"
    other = next(iter(_paths(right)), None)
    words = " ".join(map(str, values))
    return Condition(_path(left), "in" if operator == "=" else operator, values, _part(left), words, other)


def _exists(part: Related | Extreme) -> Exists:
    relation = next((inner.relation for inner in parts(part) if isinstance(inner, Role)), "")
    return Exists(relation, isinstance(part, Related) and part.negated)


def _outer(everything: Iterable[Any]) -> tuple[Exists, ...]:
    """What stays without a partner: rows that have none may be meant."""
    return tuple(Exists(role.relation, True) for part in everything if isinstance(part, Join) and part.outer
                 for role in parts(part.role) if isinstance(role, Role))  # fmt: skip


def _excepted(everything: Iterable[Any]) -> tuple[Exists, ...]:
    """Rows of one set that are in no other."""
    return tuple(Exists("", True) for part in everything if isinstance(part, SetOf) and part.operator == "except")


def _calculation(part: Over) -> Calculation:
    running = part.function == "sum" and part.order and part.count is None
    return Calculation("running_total" if running else _WINDOWS.get(part.function, part.function))


def _part(of: Any) -> str | None:
    named = next((part.part for part in parts(of) if isinstance(part, Part)), None)
    return _PARTS.get(named, named) if named is not None else None


def _paths(of: Any) -> list[str]:
    return [part.path for part in parts(of) if isinstance(part, Member)] if of is not None else []


def _path(of: Any) -> str:
    return next(iter(_paths(of)), "")


def _values(of: Any) -> tuple[Any, ...]:
    return tuple(_plain(part.value) for part in parts(of) if isinstance(part, Value))


def _numbers(of: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in _values(tuple(of)) if isinstance(value, (int, float)))


def _words(of: Any) -> str:
    return " ".join(map(str, _values(of)))


def _plain(value: Any) -> Any:
    return iso(value) if isinstance(value, (date, datetime)) else value
