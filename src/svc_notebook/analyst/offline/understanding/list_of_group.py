"""``list the women`` after how many earn so much by gender: of these, or all there are? That is asked back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Between, earlier, narrowed_to, options_of, passed_over
from ..dialogue.conditions import conditions_of, with_conditions
from ..dialogue.expressing import paths_of
from ..forms import Aggregate, Condition, Form
from ..forms.walking import parts
from ..understood import Understood
from .asked import AskedTurn
from .forming import form_read_whole, is_sayable

__all__ = ["list_of_group"]

_LISTS = re.compile(
    r"^\W*(?:(?:and|now|then|please|ok|okay|so|can you|could you)\W+)*"
    r"(?:list|show|give|see|display|name)\s+(?:me\s+|us\s+)?"
    r"(?:all\s+)?the\s+(?!same\b|rows\b|ones\b)\w+",
    re.IGNORECASE,
)


def list_of_group(asked: AskedTurn) -> Understood | None:
    """Both lists that a turn may want of one of the groups that were shown; None for other turns."""
    if not asked.turn.history or passed_over(asked.turn) or not _LISTS.match(asked.question):
        return None
    forms = earlier(asked.turn, asked.metadata.catalog)
    if not forms or not forms[0].form.groups:
        return None
    alone = form_read_whole(asked.anew(replace(asked.turn, history=())))
    kept = list(_chosen(forms[0].form))
    if alone is None or not kept or not _is_of_group(alone, forms[0].form) or set(kept) <= set(conditions_of(alone)):
        return None
    same = narrowed_to(alone, with_conditions(forms[0].form, kept), asked.metadata)
    both = [form for form in (same, alone) if form is not None and is_sayable(form, asked.metadata)]
    if len(both) < 2:
        return None
    between = Between(tuple(both), anew=False, of=forms[0])
    return asked.nothing(options=options_of(both, asked.metadata.catalog, 1), between=between)


def _chosen(form: Form) -> Iterator[Condition]:
    """What the rows were chosen by that were looked at, or were counted of them."""
    yield from conditions_of(form)
    for number in parts(form.measures):
        if isinstance(number, Aggregate) and number.where is not None:
            yield number.where


def _is_of_group(alone: Form, shown: Form) -> bool:
    """Whether a list is of the rows of one of the groups that were shown, by nothing but which of them it is."""
    where = conditions_of(alone)
    return bool(alone.columns) and len(where) == 1 and paths_of(where[0]) <= paths_of(shown.groups)
