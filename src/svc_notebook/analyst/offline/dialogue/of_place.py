"""One of the few that were shown, by its place: ``and the first of them, by month``, ``by month for number two``."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ...base import PastTurn
from ..forms import to_sql
from .conditions import added, conditions_of, with_conditions
from .editing import Unfit
from .grouping import focus_of, looked_at
from .hearing import hear
from .tails import content
from .thread import Earlier

__all__ = ["of_place", "said_of_place"]

_PLACES = {
    "first": 0, "1st": 0, "top": 0, "number one": 0, "number 1": 0, "second": 1, "2nd": 1, "number two": 1,
    "number 2": 1, "third": 2, "3rd": 2, "number three": 2, "number 3": 2, "last": -1, "bottom": -1,
}  # fmt: skip
_ONE = (
    r"(?:the\s+)?(?:(?P<place>first|second|third|last|top|bottom|1st|2nd|3rd)\s+(?:one|of\s+(?:them|those|these))"
    r"|(?P<number>number\s+(?:one|two|three|1|2|3)))"
)
_SHOWN = r"(?:and|now|then|so|ok|okay|please|show|give|me|us|it|that|take|how|does|do|look|looks|the|for|of)"
_BEFORE = re.compile(
    rf"^\W*(?:{_SHOWN}\s+)*{_ONE}(?P<more>[\s,;:–-]+(?:(?:and|show|it|that|now|then)\s+)*\S.*)$", re.IGNORECASE
)
_BEHIND = re.compile(rf"^(?P<more>\S.*?)[\s,]+(?:just\s+|only\s+)?(?:for|of|about|with)\s+{_ONE}\W*$", re.IGNORECASE)


def said_of_place(text: str) -> tuple[int, str] | None:
    """The place of the one that is meant, and the group that is asked of it; None where a turn says no such thing."""
    found = _BEHIND.match(text) or _BEFORE.match(text)
    if found is None:
        return None
    more = re.sub(r"^\W*(?:(?:and|show|give|me|us|it|that|now|then|the|how|does|do|looks?)\s+)*", "", found["more"])
    more = re.sub(r"^(?=(?:days|weeks|months|quarters|years)\W*$)", "by ", more, flags=re.IGNORECASE)
    heard = hear(more)
    if not heard.is_group and not _BY_UNIT.match(more) or not content(more):
        return None
    place = found["place"] or found["number"]
    return _PLACES[" ".join(place.lower().split())], more


_BY_UNIT = re.compile(r"^\W*(?:(?P<unit>day|week|month|quarter|year) by (?P=unit)|\w+ly)\W*$", re.IGNORECASE)


def of_place(before: Earlier, place: int) -> PastTurn:
    """The answer before, over nothing but the one at that place.

    Raises
    ------
    Unfit
        If it showed no few in an order of their own.
    """
    few, focus = looked_at(before), before.focus
    if few is None or len(focus) != 1 or not -len(focus[0][1]) <= place < len(focus[0][1]):
        raise Unfit("which of them that is, is not told by the answer before; say its name")
    (of,) = focus_of(replace(before, focus=((focus[0][0], focus[0][1][place : place + 1 or None]),)))
    form = with_conditions(before.form, added(conditions_of(before.form), [of])).with_(limit=None, order=(), having=())
    return PastTurn(before.turn.question, memory={"reading": to_sql(form), "chart": before.chart, "sure": before.sure})
