"""``how many of them were built before 1995?`` after how many planes there were: planes, and no flights of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, few_shown, narrowed_to
from ..dialogue.conditions import about, conditions_of, with_conditions
from ..dialogue.things_counted import noun_of_things
from ..forms import Form
from ..schema.nouns import plural
from ..words.leads import lead
from .asked import AskedTurn
from .forming import form_read_whole
from .of_last_answer import of_last_answer

__all__ = ["of_things"]

_SAID = re.compile(
    lead("please") + r"how many (?:(?:of |among )(?:those|them|these) )?"
    r"(?P<so>(?:is|are|was|were|has|have|had|do|did|got|went|came|left|ran|took|with|in|on|from|to|at)\b.*?)\W*$",
    re.IGNORECASE,
)
_STANDS = re.compile(r"\b(?:there|that|those|these|they|them|it|its|their|he|she|his|her)\b", re.IGNORECASE)


@of_last_answer(_SAID)
def of_things(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """How many of the different things that were counted are so."""
    few = few_shown(forms[0])
    noun = noun_of_things(few, asked.metadata) if few is not None and not few.groups else ""
    if few is None or not noun or _STANDS.search(said["so"]):
        return None
    so = said["so"] if " " in said["so"] else f"are {said['so']}"
    new = form_read_whole(asked.anew(replace(asked.turn, question=f"how many {plural(noun)} {so}", history=())))
    if new is None or new.groups or new.measures != few.measures or not new.where:
        return None
    told = {about(condition) for condition in conditions_of(new)}
    kept = with_conditions(few, [one for one in conditions_of(few) if about(one) not in told])
    return narrowed_to(kept, new, asked.metadata)
