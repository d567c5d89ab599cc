"""``when was the last one?``: when the first or the last of the rows was that were counted or listed."""

from __future__ import annotations

from .... import patterns as re
from ..dialogue import Earlier, few_shown, rows_of
from ..dialogue.expressing import time_of
from ..forms import Aggregate, Clause, Member
from ..understood import Understood
from .asked import AskedTurn
from .asked_of_those import ASKS, THOSE, edit_of

__all__ = ["ended", "other_end"]

_LAST = re.compile(
    rf"{ASKS}(?:when (?:was|is|were) (?:the|their|its|our) (?:very )?"
    r"(?:(?P<last>last|latest|newest|most recent)|first|earliest|oldest)"
    rf"(?: one| time(?: (?:that|this|it) happened)?| of {THOSE})?(?: (?P<deed>[a-z]+ed|made|sent|sold|taken|paid))?"
    r"|when did (?:that|this|it) (?:(?P<ended>last)|first) happen"
    r"|when did (?:that|this|it) happen (?:(?P<end>last|for the last time|most recently)|first|for the first time))"
    r"\W*$",
    re.IGNORECASE,
)
_OTHER_END = re.compile(rf"{ASKS}(?:what about |how about )?the (?P<end>first|last)(?: one)?\W*$", re.IGNORECASE)


def ended(asked: AskedTurn, before: Earlier) -> Understood | None:
    """When the first or the last of the rows was that were counted or listed: ``when was the last one?``"""
    said, few = _LAST.match(asked.question), few_shown(before)
    time = time_of(few, asked.metadata) if few is not None else None
    if said is None or few is None or time is None or not rows_of(before.form, asked.metadata):
        return None
    if said["deed"] and said["deed"].lower() not in asked.metadata.parts(time):
        return None  # another time than when they came about
    end = Aggregate("max" if said["last"] or said["ended"] or said["end"] else "min", Member(time))
    return edit_of(asked, before, few.with_(groups=(), columns=(), measures=(Clause(end),), order=(), limit=None))


def other_end(asked: AskedTurn, before: Earlier) -> Understood | None:
    """``and the first one?`` after when the last one was."""
    said = _OTHER_END.match(asked.question)
    shown = [clause.expression for clause in before.form.measures]
    number = shown[0] if said is not None and len(shown) == 1 and not before.form.groups else None
    if said is None or not isinstance(number, Aggregate) or number.function not in ("min", "max"):
        return None
    if not isinstance(number.of, Member) or not asked.metadata.is_time(number.of.path):
        return None
    end = Aggregate("min" if said["end"].lower() == "first" else "max", number.of)
    return edit_of(asked, before, before.form.with_(measures=(Clause(end),)))
