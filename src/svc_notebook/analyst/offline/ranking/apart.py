"""Near readings that a person could choose among: the likeliest whose results differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence

from .... import patterns as re
from ..forms import Compare, Expression, Form, Member, OneOf, SetOf, Value
from ..forms.walking import parts
from .outcome import FAILED, UNKNOWN
from .standing import Standing

__all__ = ["NEAR", "alike", "apart", "elsewhere"]

# Each of them is a query.
_TRIED = 8  # forms that are run at most
NEAR = 6.0  # how far behind the best a reading may be


def apart(
    found: Sequence[Standing], result_of: Callable[[Form], Hashable | None], *, answered: bool, most: int = 3,
    near: float = NEAR,
) -> list[Form]:  # fmt: skip
    """The likeliest of ``found`` (best first) that score at most ``near`` below the first and give different results.

    ``result_of`` runs a form and returns its rows as something to compare. What failed or found nothing is offered only
    as the first one, where that is ``answered``.
    """
    seen: list[Hashable] = []
    kept: list[Form] = []
    for place, reading in enumerate(found[:_TRIED]):
        if len(kept) == most:
            break
        if isinstance(reading.form, Form) and (place == 0 or reading.score >= found[0].score - near):
            result = result_of(reading.form)
            stands = place == 0 and answered
            if stands or result not in (None, UNKNOWN, FAILED) and not any(alike(result, other) for other in seen):
                seen.append(result)
                kept.append(reading.form)
    return kept


def elsewhere(found: Sequence[Standing]) -> list[Standing]:
    """The first of ``found``, and the likeliest that asks for its values in other columns: a name that several columns
    hold is ambiguous, however sure the rest is. Nothing where there is none.
    """
    first = found[0].form if found else None
    asked = _values_of(first)
    texts = {text for _, text in asked}
    for other in found[1:] if texts else ():
        rival = _values_of(other.form)
        same = rival != asked and {text for _, text in rival} == texts and not other.unread
        if same and isinstance(first, Form) and isinstance(other.form, Form) and _shows(first) == _shows(other.form):
            # One rival is enough to ask; the likeliest is the best known.
            return [found[0], other]
    return []


def _shows(form: Form) -> tuple[Hashable, ...]:
    """What an answer looks like; a measure of the model and the same put together here are one."""
    groups = tuple(clause.expression for clause in form.groups if not clause.hidden)
    return len(form.measures), groups, tuple(clause.expression for clause in form.columns), form.limit


def _values_of(form: Form | SetOf | None) -> frozenset[tuple[str, str]]:
    """The texts that a form compares members with."""
    inside = list(parts(form)) if isinstance(form, Form) else []
    compared: list[tuple[Expression, tuple[Expression, ...]]]
    compared = [(p.left, (p.right,)) for p in inside if isinstance(p, Compare)]
    compared += [(p.of, p.values) for p in inside if isinstance(p, OneOf)]
    return frozenset(
        (of.path, value.value.casefold())
        for of, values in compared
        for value in values
        if isinstance(of, Member) and isinstance(value, Value) and isinstance(value.value, str)
    )


def alike(one: Hashable, other: Hashable) -> bool:
    """Whether two results say the same: also where one shows the first rows of the other, or the share in per cent."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return one == other
    few, many = sorted(({_said(row) for row in result[1:]} for result in (one, other)), key=len)
    # The first rows of a longer list say nothing else; nor does a share once in per cent.
    return few <= many


def _said(row: str) -> tuple[str, tuple[float, ...]]:
    """A row as its texts and its numbers with decimals, these without the powers of 100 that per cent puts there."""
    numbers = (float(found[0] or found[1]) for found in _DECIMAL.findall(row))
    return _DECIMAL.sub("", row), tuple(sorted(map(_of_one, numbers)))


def _of_one(number: float) -> float:
    if not number or not math.isfinite(number):
        return number
    # Powers of 100 out: 0.25 and 25 % are one number; six digits, since sums of floats differ behind.
    return float(f"{number / 100.0 ** math.floor(math.log10(abs(number)) / 2):.6g}")


_DECIMAL = re.compile(r"Decimal\('([^']+)'\)|(?<![\w.'])(-?\d+\.\d+(?:e[+-]?\d+)?)(?![\w.'])")
