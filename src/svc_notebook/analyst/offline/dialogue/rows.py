"""``list them``, ``when was that?``: the rows behind a number, and the moment of the one that is spoken of."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Aggregate, Clause, Expression, Form, Limit, Member, Order, Over, Range
from ..plans.plan import Measure
from ..reading.reading import Reading
from ..schema.member_kinds import kind_of, labels_of
from ..schema.metadata import Metadata
from .conditions import conditions_of
from .editing import Unfit
from .expressing import is_time, paths_of, relations_of, time_of, widened
from .grouping import looked_at
from .thread import Earlier

__all__ = ["behind", "listed", "moment", "rows_shown"]

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
    """The rows that a number counts; what is listed already stays as it is.

    Raises
    ------
    Unfit
        If it is not rows of one table that the number is made of.
    """
    if form.groups or form.columns:
        return form
    known = relations_of(form)
    if not known or form.having or any(_has_own_rows(clause.expression) for clause in form.measures):
        raise Unfit("it is not a number of rows that could be listed; say which rows you mean")
    own = [m.path for m in metadata.relation(known[0]).members.values() if m.kind == "dimension" and not m.masked]
    numbers = [path for clause in form.measures for path in _made_of(clause.expression, metadata)]
    same = {path for one in conditions_of(form) if not isinstance(one, Range) for path in paths_of(one)} - set(numbers)
    plain = [path for path in own if kind_of(metadata, path) != "key" and path not in same]
    names = [path for path in (metadata.key_of(known[0]), *labels_of(metadata, known[0])) if path is not None]
    shown = list(dict.fromkeys([*names, *numbers, *plain]))[:_SHOWN]
    return form.with_(columns=tuple(Clause(Member(path)) for path in shown), measures=(), order=(), limit=None)


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
    return listed(form.with_(groups=(), order=(), measures=tuple(counted)), metadata)


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
    return listed(form.with_(groups=(), order=(), having=()) if not form.having else form, metadata)


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
    number = form.measures[0].expression
    inner, function = number, ""
    if isinstance(number, Aggregate) and isinstance(number.of, Member):
        inner, function = number.of, number.function
        if function == "measure":
            plain = metadata.plain(Measure(number.of.path, "measure"))
            inner, function = (Member(plain.member) if plain.member else number.of), plain.aggregate
    if function not in ("max", "min") or not isinstance(inner, Member):
        raise Unfit("it speaks of more than one moment; ask for the number by month or day")
    columns = (Clause(Member(path)), Clause(inner))
    return form.with_(measures=(), columns=columns, order=(Order(inner, function == "max"),), limit=Limit(1))
