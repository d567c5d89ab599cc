"""What turns about rows that were shown are read with: how they begin, what stands for those rows, and them alone."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, Followed
from ..dialogue.expressing import relations_of
from ..forms import Form
from ..understood import Understood
from ..words.leads import lead
from .asked import AskedTurn
from .forming import as_edit, form_of_plan, is_sayable

__all__ = ["ASKS", "STANDS", "THOSE", "edit_of", "root_of", "whole_form"]

ASKS = lead("please")
THOSE = r"(?:those|them|these)"
STANDS = re.compile(r"\b(?:that|those|these|they|them|it|its|their|he|she|his|her)\b", re.IGNORECASE)


def root_of(form: Form) -> str:
    return (relations_of(form) or ("",))[0]


def whole_form(asked: AskedTurn, words: str) -> Form | None:
    """What a question asks at the start of a thread, where it is answered and nothing of it is left out."""
    seen = asked.anew(replace(asked.turn, question=words, history=()))
    if seen.options or seen.unread or seen.analysis is not None or seen.lost:
        return None
    if seen.plan is not None:
        return form_of_plan(seen.plan, asked.metadata) if not seen.plan.unread else None
    return seen.form


def edit_of(asked: AskedTurn, before: Earlier, form: Form | None) -> Understood | None:
    if form is None or not is_sayable(form, asked.metadata):
        return None
    return as_edit(Followed(form, before, "", sure=before.sure), asked.reading, asked.metadata)
