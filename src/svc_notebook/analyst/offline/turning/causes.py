"""Reasons asked for as what causes something: *what causes a delivery to fail*."""

from __future__ import annotations

from ..schema.nouns import plural
from ..words.text import singular
from .rules import said_so

__all__ = ["why"]

# Behind a noun alone only what people do is known to be a verb.
_DEEDS = "fail|cancel|leave|complain|return|quit|wait|stop|switch|drop out|churn|refuse|decline|depart|resign|withdraw"
_CAUSED = said_so(
    r"^what (?:(?P<now>causes|leads|makes|drives)|caused|led|made|drove) (?P<many>so many |an? |the |our )?"
    r"(?P<noun>[\w-]+(?: (?!to\b)[\w-]+)??)"
    rf"(?: to (?P<be>be |get )?(?P<deed>[a-z]+)| (?P<does>{_DEEDS})\b)(?P<behind> .*?|)\W*$"
)
_DRIVEN = said_so(r"^what (?:drives|drove|is driving) (?=(?:the|our|their|up|down) )")


def why(question: str) -> str:
    """What causes rows to be so, as why they are; what drives a number is nobody's ride."""
    said = _CAUSED.match(question)
    if said is None:
        return _DRIVEN.sub("what affects ", question)
    noun = said["noun"]
    if said["many"] and singular(noun.lower()) == noun.lower():
        noun = plural(noun)
    be, do = ("are", "do") if said["now"] else ("were", "did")
    return f"why {be if said['be'] else do} {noun} {said['deed'] or said['does']}{said['behind']}"
