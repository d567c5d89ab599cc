"""``which was worse?``, ``which of them is higher?`` after two numbers were told: both, compared."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import earlier, passed_over
from ..understood import Understood
from ..words.leads import LEAD
from .asked import AskedTurn

__all__ = ["which_of_two"]

_SAID = re.compile(
    LEAD + r"(?:which|who|what)(?: one)?(?: of (?:them|those|these|the two|both))? (?:is|was|are|were|has|had|did) "
    r"(?:the )?(?:worse|better|higher|lower|larger|bigger|greater|smaller|more|less|fewer|busier|longer|shorter)"
    r"(?: one| of the two| of them)?\W*$",
    re.IGNORECASE,
)


def which_of_two(asked: AskedTurn) -> Understood | None:
    """The last two numbers beside each other; None where groups were shown, or no two of one kind."""
    if len(asked.turn.history) < len(("one", "other")) or passed_over(asked.turn) or not _SAID.match(asked.question):
        return None
    forms = [each.form for each in earlier(asked.turn, asked.metadata.catalog)[:2]]
    if len(forms) != len(("one", "other")) or any(form.groups or form.columns for form in forms):
        return None
    numbers = [[clause.expression for clause in form.measures] for form in forms]
    if numbers[0] != numbers[1] or len(numbers[0]) != 1:
        return None
    found = asked.anew(replace(asked.turn, question="compare the two", typed="compare the two"))
    return found if found.followed is not None else None
