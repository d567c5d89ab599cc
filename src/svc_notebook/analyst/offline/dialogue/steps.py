"""``in steps of 50``, ``as a histogram``: a number put in bins, or in other ones."""

from __future__ import annotations

from dataclasses import replace

from ..assembly.assembly import nice_width
from ..forms import ROWS, Aggregate, Arithmetic, Bin, Call, Clause, Difference, Expression, Form, Member, Ratio
from ..plans.plan import Measure
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from .editing import Unfit

__all__ = ["histogram", "in_steps"]

_MOST = 500  # steps that can be looked at
_BINS = 15
_COMPUTED = (Arithmetic, Call, Difference, Ratio)  # an amount, an age, the time between two times


def in_steps(form: Form, step: float, metadata: Metadata) -> Form:
    """The form with the number it is grouped by in steps of that size; a number alone is counted in them.

    Raises
    ------
    Unfit
        If it is grouped by no number, or there would be too many steps.
    """
    groups = [clause.expression for clause in form.groups]
    place = next((at for at, of in enumerate(groups) if _number_in(of, metadata) is not None), None)
    of = _number_in(groups[place], metadata) if place is not None else _of_measure(form, metadata)
    if of is None:
        raise Unfit("it is not grouped by a number that could be put in steps; name the number, too")
    new = Bin(of, step)
    _checked(new, metadata)
    if place is None:
        return form.with_(groups=(Clause(new),), measures=(Clause(ROWS),), order=(), having=(), limit=None)
    clauses = tuple(Clause(new) if at == place else clause for at, clause in enumerate(form.groups))
    order = tuple(replace(one, by=new) if one.by == groups[place] else one for one in form.order)
    return form.with_(groups=clauses, order=order, limit=None)


def histogram(form: Form, metadata: Metadata) -> Form:
    """How the values of a number lie; groups that are counted already are drawn as they are."""
    if form.groups:
        return form
    of = _of_measure(form, metadata) or next(
        (c.expression for c in form.columns if _number_in(c.expression, metadata) is not None), None
    )
    if not isinstance(of, Member):
        raise Unfit("there is no number in it whose values could be put in bins")
    low, high = _ends(of, metadata)
    counted = form.with_(columns=(), measures=(Clause(Aggregate("avg", of)),), order=(), limit=None)
    return in_steps(counted, nice_width(high - low, _BINS), metadata)


def _number_in(group: Expression, metadata: Metadata) -> Expression | None:
    of = group.of if isinstance(group, Bin) else group
    is_number = isinstance(of, Member) and of.path in metadata.members and kind_of(metadata, of.path) == "number"
    return of if is_number or isinstance(group, (Bin, *_COMPUTED)) else None


def _of_measure(form: Form, metadata: Metadata) -> Expression | None:
    """The number that the only measure of a form without groups is made of."""
    if form.groups or len(form.measures) != 1:
        return None
    number = form.measures[0].expression
    inner = number.of if isinstance(number, Aggregate) else None
    if isinstance(number, Aggregate) and number.function == "measure" and isinstance(inner, Member):
        plain = metadata.plain(Measure(inner.path, "measure"))
        inner = Member(plain.member) if plain.member is not None else None
    return _number_in(inner, metadata) if inner is not None else None


def _checked(new: Bin, metadata: Metadata) -> None:
    low, high = _ends(new.of, metadata)
    if (high - low) / new.width > _MOST:
        raise Unfit(f"that would be more than {_MOST} steps: the values lie between {low:g} and {high:g}")


def _ends(of: Expression, metadata: Metadata) -> tuple[float, float]:
    profile = metadata.profile(of.path) if isinstance(of, Member) and of.path in metadata.members else None
    low, high = (as_number(end) for end in (profile.low, profile.high)) if profile is not None else (None, None)
    return (low, high) if low is not None and high is not None else (0.0, 0.0)
