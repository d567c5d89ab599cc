"""``by operator``, ``only Vy``, ``per week`` after an average number per day: of the days' numbers, averaged again."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import Followed, earlier, passed_over
from ..dialogue.expressing import is_time, paths_of
from ..forms import Aggregate, Clause, Form, Output, Part, to_sql
from ..forms.expressions import Expression
from ..understood import Understood
from .asked import AskedTurn
from .forming import as_edit, form_shown, is_sayable

__all__ = ["within_average"]

_BY = re.compile(r"\bby (?:the )?(?:hour|day|weekday|week|month|quarter|season|year)s?\b", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:compare[ds]?|versus|vs|against|side by side)\b", re.IGNORECASE)


def within_average(asked: AskedTurn) -> Understood | None:
    """An edit of what an average was made of; None where none was shown, or the turn changes more than its rows."""
    if not asked.turn.history or asked.is_own or passed_over(asked.turn) or _BESIDE.search(asked.turn.asked):
        return None
    forms = earlier(asked.turn, asked.metadata.catalog)
    unit = _unit(forms[0].form) if forms else None
    if unit is None or not isinstance(inner := forms[0].form.root, Form):
        return None
    shown = replace(forms[0].turn, memory={**forms[0].turn.memory, "reading": to_sql(inner.settled()), "plan": None})
    history = tuple(shown if past is forms[0].turn else past for past in asked.turn.history)
    found = asked.anew(replace(asked.turn, history=history))
    made = form_shown(found) if found.followed is not None and not (found.lost or found.unread) else None
    if made is None or not _differs_in_rows(made, inner):
        return None
    units = [clause for clause in made.groups if clause.expression == unit]
    units = units or [clause for clause in made.groups if _is_unit(clause.expression, unit, asked)]
    if not units or units[0].expression != unit and _divides(units[0].expression, asked.question):
        # Another group took its place, or a longer unit that tells the days apart.
        units = [clause for clause in inner.groups if clause.expression == unit]
        made = made.with_(groups=(*made.groups, *units))
    if len(units) != 1:
        return None
    others = tuple(
        Clause(Output(clause.expression), name=clause.name) for clause in made.groups if clause is not units[0]
    )
    form = forms[0].form.with_(root=made, groups=others, order=())
    if form.key == forms[0].form.key or not is_sayable(form, asked.metadata):
        return None
    return as_edit(Followed(form, forms[0], "", sure=forms[0].sure), asked.reading, asked.metadata)


def _unit(form: Form) -> Expression | None:
    """What a form takes an average over, where it does no more than that: the days of an average per day."""
    inner, plain = form.root, not (form.where or form.having or form.joins or form.columns or form.compare)
    of = form.measures[0].expression if len(form.measures) == 1 else None
    if not isinstance(inner, Form) or not plain or form.limit is not None:
        return None
    if not isinstance(of, Aggregate) or not isinstance(of.of, Output) or of.where is not None:
        return None
    outer = [clause.expression.of for clause in form.groups if isinstance(clause.expression, Output)]
    left = [clause.expression for clause in inner.groups if clause.expression not in outer]
    return left[0] if len(left) == 1 and len(outer) == len(form.groups) and isinstance(left[0], Expression) else None


def _differs_in_rows(made: Form, inner: Form) -> bool:
    """Whether the numbers are the same, of other rows or other groups."""
    same = [clause.expression for clause in made.measures] == [clause.expression for clause in inner.measures]
    return same and not (made.limit or made.having or made.compare or made.columns)


def _divides(of: Expression, question: str) -> bool:
    """Whether a time tells units apart and is no other unit: *by weekday*, *by month*, and not *per week*."""
    return isinstance(of, Part) or _BY.search(question) is not None


def _is_unit(of: Expression, unit: Expression, asked: AskedTurn) -> bool:
    if of == unit:
        return True
    return is_time(unit, asked.metadata) and is_time(of, asked.metadata) and paths_of(of) == paths_of(unit)
