"""``show the count as well`` after shares: how many there are of the part that they are of, and of all."""

from __future__ import annotations

from collections.abc import Sequence

from .... import patterns as re
from ..dialogue import Earlier
from ..dialogue.wishes import counted_by
from ..forms import ROWS, Clause, Form
from .asked import AskedTurn
from .of_last_answer import of_last_answer

__all__ = ["counts_beside"]

_VERB = r"(?:show|add|give|include|list|put|have|see|display|with|i need|i want)"
_SAID = re.compile(
    rf"^\W*(?:(?:and|now|then|please|ok|okay|can you|could you|also)\W+)*(?:{_VERB}\W+)?"
    r"(?:me |us )?(?:the |their |its )?"
    r"(?:absolute |actual |raw |plain )?(?:counts?|numbers?|figures?)"
    r" (?:too|as well|also|in addition|next to (?:it|them|that)|beside (?:it|them|that)|along(?:side)?)\W*$",
    re.IGNORECASE,
)


@of_last_answer(_SAID)
def counts_beside(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """The shares that were shown with what they are shares of; nothing of numbers that are none."""
    if len(forms[0].form.measures) != 1:
        return None
    form, share = forms[0].form, forms[0].form.measures[0].expression
    part = counted_by(share, asked.metadata)
    if part is None or part == share:
        return None
    return form.with_(measures=tuple(Clause(one) for one in dict.fromkeys((share, part, ROWS))))
