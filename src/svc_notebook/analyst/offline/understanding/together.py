"""Two forms of the same rows as one: the numbers, or the columns, of the second beside those of the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from ..dialogue.conditions import about, conditions_of, picked, with_conditions
from ..dialogue.expressing import paths_of, relations_of, time_of, widened
from ..dialogue.numbers import plainly
from ..forms import (
    ROWS,
    Aggregate,
    And,
    Arithmetic,
    Clause,
    Condition,
    Expression,
    Filter,
    Form,
    Limit,
    Member,
    Missing,
    Order,
    Range,
    Ratio,
    Related,
    Truncated,
    Value,
)
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata

__all__ = ["of_some", "part_of_its_rows", "relation_of", "told_together", "with_its_column"]


def relation_of(form: Form) -> str:
    """The relation whose rows a form is of; nothing where it is made over another form."""
    return (relations_of(form) or ("",))[0]


def told_together(one: Form, two: Form, metadata: Metadata) -> Form | None:
    """The first form with what the second tells of the same rows or groups; None where it tells that of others."""
    if not relation_of(one) or not relation_of(two) or two.having:
        return None
    if relation_of(one) != relation_of(two):
        return _in_its_periods(one, two, metadata)
    told = {clause.expression for clause in two.shown}
    if one.groups and told.issuperset(clause.expression for clause in one.groups) and len(told) > len(one.shown):
        return two
    if two.columns or two.groups and not one.groups:
        return _row_of(one, two)
    return _numbers_beside(one, two, metadata)


def part_of_its_rows(one: Form, metadata: Metadata) -> Iterator[Form]:
    """Which part of the rows of each group those are that a form counts: *and what share of their orders that is*."""
    number = one.measures[-1].expression if one.measures else None
    if not isinstance(number, Aggregate) or not one.groups:
        return
    apart = [c for c in conditions_of(one) if not _names_rows(c, metadata)]
    known = [c for c in conditions_of(one) if c not in apart]
    counts = plainly(number, metadata)
    told = metadata.members.get(number.of.path) if isinstance(number.of, Member) else None
    if apart and isinstance(counts, Aggregate) and counts.function == "rows" and counts.where is None:
        some: Expression = replace(ROWS, where=apart[0] if len(apart) == 1 else And(tuple(apart)))
    elif not apart and told is not None and told.agg_type == "count":
        some = number
    else:
        return
    share = Clause(Ratio(some, ROWS, percent=True))
    bare = with_conditions(one, known)
    yield bare.with_(measures=(Clause(some), share), order=_ordered(one, number, some))


def _ordered(one: Form, number: Expression, some: Expression) -> tuple[Order, ...]:
    return tuple(replace(order, by=some) if order.by == number else order for order in one.order)


def _names_rows(condition: Condition, metadata: Metadata) -> bool:
    """Whether a condition says when rows were, or of whom: that is said of all of them, as what joins them is."""
    if isinstance(condition, Missing) and all(metadata.is_key(path) for path in paths_of(condition)):
        return True
    chosen = picked(condition)
    if isinstance(condition, Range):
        return any(metadata.is_time(path) for path in paths_of(condition))
    return chosen is not None and all(kind_of(metadata, path) == "text" for path in paths_of(condition))


def with_its_column(one: Form, path: str, metadata: Metadata) -> Iterator[Form]:
    """A form with what is known of each of its groups, where the group is one of those rows: a film's studio."""
    home = path.split(".", 1)[0]
    own = [clause.expression for clause in one.groups if isinstance(clause.expression, Member)]
    of = [member for member in own if member.relation == home and metadata.label_of(home) == member.path]
    if of and Member(path) not in own:
        yield one.with_(groups=(*one.groups, Clause(Member(path))))


def _row_of(one: Form, two: Form) -> Form | None:
    """The row that the second tells, where it is that of the first and tells its number too."""
    if two.limit != Limit(1) or len(one.measures) > 1 or one.groups:
        return None
    shown = [clause.expression for clause in (*two.columns, *two.groups, *two.measures)]
    if one.columns:
        return two if all(clause.expression in shown for clause in one.columns) else None
    if not one.measures:
        return None
    number = one.measures[0].expression
    if number in shown:
        return two
    return two.with_(measures=(*two.measures, one.measures[0])) if two.groups else _in_its_unit(number, two)


def _in_its_unit(number: Expression, two: Form) -> Form | None:
    """The row with its own value told as the number was: in hours."""
    *_, last = two.columns
    if isinstance(number, Aggregate):
        return two
    if isinstance(number, Arithmetic) and isinstance(number.right, Value):
        told = Clause(replace(number, left=last.expression))
        return two.with_(columns=(*two.columns[:-1], told))
    return None


def _in_its_periods(one: Form, two: Form, metadata: Metadata) -> Form | None:
    """The numbers of other rows in the days, or months, that the first form tells."""
    group = one.groups[0].expression if len(one.groups) == 1 else None
    time = time_of(two, metadata) if two.measures and not (two.groups or two.columns) else None
    if not isinstance(group, Truncated) or one.limit is None or time is None:
        return None
    when = Truncated(Member(time), group.grain)
    told = Related(one.with_(measures=()), keys=(when,))
    return two.with_(groups=(Clause(when),), where=(*two.where, Filter(told)))


def _numbers_beside(one: Form, two: Form, metadata: Metadata) -> Form | None:
    groups = {clause.expression for clause in one.groups}
    if one.columns or not two.measures or any(clause.expression not in groups for clause in two.groups):
        return None
    known = conditions_of(one)
    more = [c for c in conditions_of(two) if c not in known and not _picks(c, groups)]
    if {about(c) for c in more} & {about(c) for c in known}:
        return None  # of other rows: those of April beside those of March
    wider = widened(one, paths_of((two.measures, tuple(more))), metadata)
    numbers = [of_some(clause, more) for clause in two.measures]
    told = [clause.expression for clause in one.measures]
    new = tuple(clause for clause in numbers if clause is not None and clause.expression not in told)
    if wider is None or not all(numbers) or not new:
        return None
    return wider.with_(measures=(*one.measures, *new))


def _picks(condition: Condition, groups: set[Expression]) -> bool:
    """Whether a condition only chooses among the groups that are shown."""
    chosen = picked(condition)
    return chosen is not None and chosen[0] in groups


def of_some(clause: Clause, conditions: Sequence[Condition]) -> Clause | None:
    """A number of those rows alone that meet the conditions; None where it is no number of rows."""
    if not conditions:
        return clause
    made = _narrowed(clause.expression, tuple(conditions))
    return Clause(made) if made is not None else None


def _narrowed(number: Expression, conditions: tuple[Condition, ...]) -> Expression | None:
    narrow = partial(_narrowed, conditions=conditions)
    if isinstance(number, Aggregate):
        terms = (*((number.where,) if number.where is not None else ()), *conditions)
        where = terms[0] if len(terms) == 1 else And(terms)
        return replace(number, where=where)
    if isinstance(number, Ratio):
        above, below = narrow(number.above), narrow(number.below)
        return replace(number, above=above, below=below) if above is not None and below is not None else None
    if isinstance(number, Arithmetic) and isinstance(number.right, Value):
        left = narrow(number.left)
        return replace(number, left=left) if left is not None else None
    return None
