"""``what share is card?`` after amounts by way of paying: what that one has of those that were shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, Followed, Unfit
from ..dialogue.tails import as_answered
from ..dialogue.wishes import wished
from ..forms import Form, Over, Ratio
from ..words.leads import LEAD
from ..words.shares_said import SHARE
from .asked import AskedTurn
from .of_last_answer import of_last_answer

__all__ = ["share_of_one"]

_SAID = re.compile(
    rf"{LEAD}(?:what|which|how much|how many) {SHARE} "
    r"(?:is|was|are|were|comes? from|came from|goes? to|went to|does|did|do) "
    r"(?!(?:that|this|those|these|it|they|there|of|each|every|all|the)\b)(?P<one>\w[\w'’ -]*?)"
    r"(?: (?:have|has|make(?: up)?|get|account for))?\W*$",
    re.IGNORECASE,
)


@of_last_answer(_SAID)
def share_of_one(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """What the one of the groups that is named has of all that were shown."""
    shown = forms[0]
    if not shown.form.groups or shown.form.limit is not None:
        return None
    try:
        shares = wished("share", shown.form, asked.metadata)
    except Unfit:
        return None
    if shares is None or not all(isinstance(clause.expression, Over) for clause in shares.measures):
        return None
    past = as_answered(asked.turn, Followed(shares, shown, "", sure=shown.sure))
    turn = replace(asked.turn, question=f"only {said['one']}", history=(*asked.turn.history, past), typed="")
    followed = asked.anew(turn).followed
    form = followed.form if followed is not None else None
    return form if form is not None and all(isinstance(one.expression, Ratio) for one in form.measures) else None
