"""``and the longest one?`` after an average of all: the largest of the number that was put together."""

from __future__ import annotations

from collections.abc import Sequence

from .... import patterns as re
from ..dialogue import Earlier
from ..dialogue.editing import aggregate_of
from ..dialogue.expressing import with_function
from ..forms import Form
from ..words.leads import LEAD
from .asked import AskedTurn
from .of_last_answer import of_last_answer

__all__ = ["extreme_of_number"]

_SAID = re.compile(
    LEAD + r"(?:the )?(?:(?P<most>longest|highest|largest|biggest)|shortest|lowest|smallest)(?: one)?\W*$",
    re.IGNORECASE,
)
_FOLDED = frozenset(("avg", "median", "min", "max"))


@of_last_answer(_SAID)
def extreme_of_number(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """The largest or the smallest of a number of all rows, where one was shown and no groups."""
    form = forms[0].form
    if form.groups or form.columns or form.limit is not None or len(form.measures) != 1:
        return None
    if aggregate_of(form.measures[0].expression, asked.metadata) not in _FOLDED:
        return None
    made = with_function(form.measures[0], "max" if said["most"] else "min", asked.metadata)
    return form.with_(measures=(made,), order=()) if made is not None else None
