"""The most there was in one unit of time: *the maximum number of flights in a day*."""

from __future__ import annotations

from .rules import Rules, applied, said_so

__all__ = ["most_in_a_unit"]

_ASKED = r"^(?:what(?:['’]?s| is| was| are| were)? )?(?:the )?"
_OF_UNIT = (
    r"(?:number|count) of (?P<what>[a-z][\w ]*?) (?:in|on|per|during|within) (?:a |an |any |one |every |each )?"
    r"(?:single |given )?(?P<unit>hour|day|week|month|quarter|year)(?P<end>\W*)$"
)
_RULES: Rules = (
    (said_so(rf"{_ASKED}(?:maximum|max|highest|largest|greatest|biggest|record|peak) {_OF_UNIT}"),
     r"which \g<unit> has the most \g<what>\g<end>"),
    (said_so(rf"{_ASKED}(?:minimum|min|lowest|smallest|fewest) {_OF_UNIT}"),
     r"which \g<unit> has the fewest \g<what>\g<end>"),
)  # fmt: skip


def most_in_a_unit(question: str) -> str:
    """A question for the most or the fewest in a unit as one for that unit.

    >>> most_in_a_unit("What is the maximum number of orders in a day?")
    'which day has the most orders?'
    """
    return applied(_RULES, question)
