"""``which agents?`` after a number: told apart by them, and no list of all there are."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import UNANSWERED, Followed, Unmet, earlier, passed_over
from ..dialogue.grouping import looked_at
from ..dialogue.tails import as_answered
from ..forms import Limit
from ..understood import Understood
from ..words.leads import LEAD
from .asked import AskedTurn

__all__ = ["which_kinds"]

_SAID = re.compile(
    LEAD + r"(?:(?:in|at|on|for|by)\s+)?(?:which|what)\s+"
    r"(?!(?:one|ones|else|about|if|next|now|exactly|is|are|was|were|do|does|did|of)\b)(?P<kind>[a-z]+(?:\s+[a-z]+)?)\W*$",
    re.IGNORECASE,
)


def which_kinds(asked: AskedTurn) -> Understood | None:
    """The number that was shown by what is asked for; None for other turns, and behind a list, which has it beside."""
    said = _SAID.match(asked.question) if asked.turn.history else None
    if said is None:
        return None
    if passed_over(asked.turn):
        return asked.nothing(unmet=Unmet(UNANSWERED))
    forms = earlier(asked.turn, asked.metadata.catalog)
    before = forms[0].form if forms else None
    if before is None or not before.measures or not (before.where or before.limit == Limit(1)):
        return None  # without a condition, all there are
    few = looked_at(forms[0]) if before.limit == Limit(1) else None
    if before.limit is not None and few is None:
        return None  # of the few that were shown it is told beside them
    shown = () if few is None else (as_answered(asked.turn, Followed(few.form, few, "", sure=few.sure)),)
    history = (*asked.turn.history, *shown)  # of the one that was shown, and not of all
    return asked.anew(replace(asked.turn, question=f"by {said['kind']}", history=history, typed=""))
