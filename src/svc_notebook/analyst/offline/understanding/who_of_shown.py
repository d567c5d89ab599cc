"""``who took the most there`` after the days off of one department: the persons behind that number, by the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, few_shown, narrowed_to
from ..dialogue.expressing import relations_of
from ..forms import Form, Limit, Order
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..words.leads import LEAD
from .asked import AskedTurn
from .forming import form_shown
from .of_last_answer import of_last_answer

__all__ = ["who_of_shown"]

_SAID = re.compile(
    LEAD + r"(?P<who>who \w+(?: up| out)?) (?:the )?(?P<end>most|fewest|least)"
    r"(?: of (?:them|those|these|it|that))? (?:there|in (?:that|this|it)(?: \w+)?|of (?:them|those))\W*$",
    re.IGNORECASE,
)


@of_last_answer(_SAID)
def who_of_shown(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """Who has most of the number that was shown, within the one that it was shown of."""
    few = few_shown(forms[0])
    root = (relations_of(few) or ("",))[0] if few is not None else ""
    if few is None or not root or len(few.measures) != 1 or few.having:
        return None
    rows = plural(asked.metadata.words_of(root)[-1])
    seen = asked.anew(replace(asked.turn, question=f"{said['who']} the most {rows}", history=()))
    new = form_shown(seen) or next((option.form for option in seen.options), None)
    return _of_these(new, few, said["end"].lower() == "most", asked.metadata) if new is not None else None


def _of_these(new: Form, few: Form, most: bool, metadata: Metadata) -> Form | None:
    """The persons that a question of its own finds, by the number that was shown, of the rows that were looked at."""
    shown = {clause.expression for clause in few.groups}
    if (relations_of(new) or ("",))[0] != (relations_of(few) or ("",))[0]:
        return None  # guests have bookings, and none of the crossings that were looked at
    if not new.groups or shown & {clause.expression for clause in new.groups}:
        return None
    number = few.measures[0]
    people = new.with_(measures=(number,), having=(), order=(Order(number.expression, most),), limit=Limit(1))
    return narrowed_to(people, few, metadata)
