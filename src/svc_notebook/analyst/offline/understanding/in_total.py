"""``how many flights did it have in total?`` after its cancelled ones: of the same, all rows and not only those."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import Followed, earlier, few_shown, narrowed_to, passed_over, rows_of
from ..dialogue.conditions import conditions_of, says_so, with_conditions
from ..forms import Form
from ..understood import Understood
from ..words.leads import LEAD
from .asked import AskedTurn
from .forming import as_edit, form_shown, is_sayable

__all__ = ["in_total"]

_IN_ALL = r"(?:in total|in all|overall|altogether|all together|all in all)"
_THEY = r"(?:it|they|he|she|this one|that one|th(?:at|is|ese|ose) \w+)"
_SAID = re.compile(
    LEAD + r"how many"
    r"(?: (?P<rows>(?!of\b|were\b|are\b|did\b)[a-z]+(?: [a-z]+)?))?"
    rf" (?:(?:did|does|do|has|have|had) {_THEY}(?: (?:have|had|got|make|made|do|done|operate|fly|run))?"
    rf"|(?:were|are|was) there) {_IN_ALL}\W*$",
    re.IGNORECASE,
)


def in_total(asked: AskedTurn) -> Understood | None:
    """All rows of those that were shown, where the answer before told how many of them are so; None for other turns."""
    said = _SAID.match(asked.question) if asked.turn.history and not passed_over(asked.turn) else None
    forms = earlier(asked.turn, asked.metadata.catalog) if said is not None else []
    few = few_shown(forms[0]) if forms else None
    if said is None or few is None:
        return None
    rows = said["rows"] or rows_of(few, asked.metadata)
    if not rows or not said["rows"] and forms[0].form.groups:
        return None
    new = form_shown(asked.anew(replace(asked.turn, question=f"how many {rows} are there", history=())))
    if new is None or new.groups or new.where or not rows_of(new, asked.metadata):
        return None
    kept = [condition for condition in conditions_of(few) if not says_so(condition, asked.metadata)]
    form = narrowed_to(new, with_conditions(few, kept), asked.metadata)
    if form is None or not kept or not is_sayable(form, asked.metadata) or form.key == _counted(few).key:
        return None
    return as_edit(Followed(form, forms[0], "", sure=forms[0].sure), asked.reading, asked.metadata)


def _counted(few: Form) -> Form:
    return few.with_(groups=(), order=())
