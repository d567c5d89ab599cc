"""``list them``, ``when was that?``: the rows behind a number, and the moment of the one that is spoken of."""

from __future__ import annotations

from collections.abc import Sequence

from .... import patterns as re
from ..forms import (
    Aggregate,
    Clause,
    Compare,
    Condition,
    Expression,
    Filter,
    Form,
    Limit,
    Member,
    Missing,
    Order,
    Over,
    Range,
)
from ..plans.plan import Measure
from ..reading.reading import Reading
from ..schema.member_kinds import kind_of, labels_of
from ..schema.metadata import Metadata
from .conditions import conditions_of, with_conditions
from .editing import Unfit
from .expressing import is_time, paths_of, relations_of, time_of, widened
from .grouping import looked_at
from .numbers import plainly
from .things_counted import things_counted
from .thread import Earlier

__all__ = ["behind", "listed", "moment", "row_at_end", "rows_shown"]

_SHOWN = 7
_LISTS = re.compile(
    r"^\W*(?:(?:and|now|so|ok|okay|please|can you|could you|then)\W+)*(?:list|show|give|display|see|which|what)\s+"
    r"(?:(?:me|all|only|just|of|are|were|the)\s+)*(?P<those>(?:those|these)\s+)?(?P<rows>\w+)"
    r"(?P<there>\s+(?:of|in|on|from|for|by|with|at) (?:that|those|these|the same)(?: \w+)?"
    r"|\s+(?:are|were) (?:those|these|they|that)"
    r"|\s+(?:behind|underlying|that make up|that made up|that go into|that went into) (?:that|this|it|those|these|them)"
    r"(?: \w+)?)?\W*$",
    re.IGNORECASE,
)


def listed(form: Form, metadata: Metadata) -> Form:
    """The rows or things that a number counts; what is listed already stays as it is.

    Raises
    ------
    Unfit
        If it is not rows of one table that the number is made of.
    """
    if form.groups or form.columns:
        return form
    known = relations_of(form)
    if (things := things_counted(form, metadata)) is not None:
        there = (Filter(Missing(things, negated=True)),) if metadata.may_be_missing(things.path) else ()
        return form.with_(groups=(Clause(things),), measures=(), where=(*form.where, *there), order=(), limit=None)
    if not known or form.having or any(_has_own_rows(clause.expression) for clause in form.measures):
        raise Unfit("it is not a number of rows that could be listed; say which rows you mean")
    own = [m.path for m in metadata.relation(known[0]).members.values() if m.kind == "dimension" and not m.masked]
    numbers = [path for clause in form.measures for path in _made_of(clause.expression, metadata)]
    same = {path for one in conditions_of(form) if not isinstance(one, Range) for path in paths_of(one)} - set(numbers)
    bounds = [path for one in conditions_of(form) for path in _bounded(one) if path in own and path not in numbers]
    plain = [path for path in own if kind_of(metadata, path) != "key" and path not in same]
    plain = [path for path in plain if metadata.is_time(path) or not is_time(Member(path), metadata)]
    names = [path for path in (metadata.key_of(known[0]), *labels_of(metadata, known[0])) if path is not None]
    shown = list(dict.fromkeys([*names, *numbers, *bounds, *plain]))[: _SHOWN + len(bounds)]
    return form.with_(columns=tuple(Clause(Member(path)) for path in shown), measures=(), order=(), limit=None)


def _bounded(condition: Condition) -> list[str]:
    """The numbers that rows were chosen by: how late they are is told of those that are an hour late."""
    bound = isinstance(condition, Compare) and condition.operator in ("<", "<=", ">", ">=")
    return sorted(paths_of(condition)) if bound else []


def behind(form: Form, metadata: Metadata) -> Form:
    """The rows that all groups together are made of.

    Raises
    ------
    Unfit
        If only some groups were shown, or it is not rows of one table.
    """
    if form.limit is not None or form.having:
        raise Unfit("only some of the groups were shown; say which rows you mean")
    of = [clause.expression for clause in form.measures]
    counted = [Clause(one.of) if isinstance(one, Over) and one.of is not None else Clause(one) for one in of]
    return listed(_valued(form.with_(groups=(), order=(), measures=tuple(counted)), metadata), metadata)


def _valued(form: Form, metadata: Metadata) -> Form:
    """The rows that have the number which is put together: those without one are not behind an average."""
    known = relations_of(form) or ()
    of = [plainly(clause.expression, metadata) for clause in form.measures]
    made = [one.of for one in of if isinstance(one, Aggregate) and not one.function.startswith("count")]
    numbers = [member for member in made if isinstance(member, Member) and member.path.split(".")[0] in known[:1]]
    lacking = [member for member in numbers if metadata.profile(member.path).missing]
    if len(numbers) != len(form.measures) or not lacking:
        return form
    held = [Missing(member, negated=True) for member in lacking]
    return with_conditions(form, [*conditions_of(form), *(one for one in held if one not in conditions_of(form))])


def rows_shown(text: str, alone: Reading, before: Earlier, metadata: Metadata) -> Form | None:
    """``list those jobs``, ``all episodes of that show``: the rows behind what was shown; None where none are named.

    Raises
    ------
    Unfit
        If it is not rows of one table that were counted.
    """
    said, root = _LISTS.match(text), (relations_of(before.form) or ("",))[0]
    if said is None or not (said["those"] or said["there"]) or not before.form.measures or not root:
        return None
    named = [name for item in alone.items if item.text.lower() == said["rows"].lower() for name in item.names]
    if not any(name.member is None and name.relation == root for name in named):
        return None
    few = looked_at(before)
    if few is None and before.form.limit is not None:
        raise Unfit("too many of them were shown; say which rows you mean")
    form = (few or before).form
    rows = form.with_(groups=(), order=(), having=()) if not form.having else form
    return listed(_valued(rows, metadata) if said["there"] else rows, metadata)


def _has_own_rows(number: Expression) -> bool:
    """Whether a number counts rows of its own, or fewer than the form has."""
    return not isinstance(number, Aggregate) or number.where is not None


def _made_of(number: Expression, metadata: Metadata) -> list[str]:
    """The members of the rows that a number is made of."""
    found = []
    for path in sorted(paths_of(number)):
        plain = metadata.plain(Measure(path, "measure")) if kind_of(metadata, path) == "measure" else None
        inner = plain.member if plain is not None else path
        if inner is not None and inner in metadata.members:
            found.append(inner)
    return found


def moment(form: Form, metadata: Metadata) -> Form:
    """When the one row, or the extreme that was asked for, was.

    Raises
    ------
    Unfit
        If more than one moment could be meant, or the rows have none.
    """
    if any(is_time(clause.expression, metadata) for clause in form.groups):
        return form.with_(order=form.order or _largest(form), limit=form.limit or Limit(1))
    path = time_of(form, metadata)
    if path is None:
        raise Unfit("these rows have no time")
    if form.columns:
        wider = widened(form, [path], metadata)
        if wider is None:
            raise Unfit("these rows have no time")
        if path in paths_of(form.columns):
            raise Unfit("when each of them was is shown already")
        columns = dict.fromkeys([*(clause.expression for clause in form.columns), Member(path)])
        return wider.with_(columns=tuple(Clause(of) for of in columns))
    if form.groups or len(form.measures) != 1:
        raise Unfit("it speaks of more than one moment; ask for the number by month or day")
    return _extreme(form, path, metadata)


def _largest(form: Form) -> tuple[Order, ...]:
    return (Order(form.measures[0].expression, True),) if form.measures else ()


def _extreme(form: Form, path: str, metadata: Metadata) -> Form:
    """The row that has the largest, or the smallest, value."""
    row = row_at_end(form, [path], metadata)
    if row is None:
        raise Unfit("it speaks of more than one moment; ask for the number by month or day")
    return row


def row_at_end(form: Form, paths: Sequence[str], metadata: Metadata, *, several: bool = False) -> Form | None:
    """The row that a largest or smallest value is of, with these columns of it; one that is told already stays so.

    ``several``: of several rows that were told.
    """
    told = form.limit is not None and not form.limit.per and (form.limit.count > 1) == several
    if len(form.columns) > 0 and told and form.order and not form.measures:
        wider = widened(form, paths, metadata)
        own = [clause.expression for clause in form.columns]
        asked = [Member(path) for path in paths]
        shown = dict.fromkeys(asked if set(asked) <= set(own) else [*own, *asked])  # what is shown already, alone
        return wider.with_(columns=tuple(Clause(of) for of in shown)) if wider is not None else None
    if form.groups or form.columns or form.having or len(form.measures) != 1 or several:
        return None
    number = plainly(form.measures[0].expression, metadata)
    wider = widened(form, paths, metadata)
    if (
        wider is None
        or not isinstance(number, Aggregate)
        or not isinstance(number.of, Member)
        or number.where is not None
    ):
        return None
    known = metadata.members.get(number.of.path)
    end = known.agg_type if number.function == "measure" and known is not None else number.function
    if end not in ("max", "min"):
        return None
    if number.function == "measure":  # of a column that nobody sees
        groups = tuple(Clause(Member(path)) for path in paths)
        return wider.with_(groups=groups, order=(Order(number, end == "max"),), limit=Limit(1))
    columns = tuple(Clause(Member(path)) for path in (*paths, number.of.path))
    order = (Order(number.of, number.function == "max"),)
    return wider.with_(measures=(), columns=columns, order=order, limit=Limit(1))
