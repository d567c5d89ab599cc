"""``which month was the coldest?`` after average temperatures by month: of these, by the number that was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier
from ..dialogue.conditions import conditions_of
from ..dialogue.expressing import paths_of
from ..dialogue.numbers import plainly
from ..forms import Form, Limit, Order
from ..words.leads import LEAD
from .asked import AskedTurn
from .forming import form_shown
from .of_last_answer import of_last_answer

__all__ = ["extreme_of_shown"]

_WHICH = re.compile(
    LEAD + r"(?:(?:which|what)(?:['’]?s|\s+is|\s+was)\s+the\s+(?:\w{2,}est|most\s+\w+|least\s+\w+)\s+\w+(?:\s+\w+)?"
    r"|(?:which|what)\s+(?:of\s+(?:those|these|them|the)\s+)?\w+(?:\s+\w+)?\s+"
    r"(?:is|was|were|are)\s+(?:the\s+)?(?:\w{2,}est|most\s+\w+|least\s+\w+)(?:\s+one)?)\W*$",
    re.IGNORECASE,
)


@of_last_answer(_WHICH)
def extreme_of_shown(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """The one of the groups that were shown which has most of their number."""
    shown = forms[0].form
    if not shown.groups or len(shown.measures) != 1 or shown.limit is not None:
        return None
    alone = form_shown(asked.anew(replace(asked.turn, question=asked.question, history=())))
    if alone is None or not _is_of(alone, shown, asked):
        return None
    return shown.with_(order=(Order(shown.measures[0].expression, alone.order[0].descending),), limit=Limit(1))


def _is_of(alone: Form, shown: Form, asked: AskedTurn) -> bool:
    """Whether a question ranks the groups that were shown by what their number is put together of."""
    if len(alone.measures) != 1 or alone.limit is None or alone.limit.count != 1 or not alone.order:
        return False
    groups = [[clause.expression for clause in form.groups] for form in (alone, shown)]
    plain = [plainly(form.measures[0].expression, asked.metadata) for form in (alone, shown)]
    of, known = [paths_of(one) for one in plain], conditions_of(shown)
    same = of[0] == of[1] if of[0] else plain[0] == plain[1]  # how many rows there are has no column
    return groups[0] == groups[1] and same and all(c in known for c in conditions_of(alone))
