"""Rows and groups said in an order: *mugs from oldest to newest* is *mugs, oldest first*; *potters ranked by number of
mugs* is *number of mugs by potter, highest first*.
"""

from __future__ import annotations

import re

__all__ = ["in_order"]

_ENDS = re.compile(
    r"^(?P<what>.+?),? from (?:the )?(?P<first>oldest|earliest|newest|latest|youngest) "
    r"to (?:the )?(?:oldest|earliest|newest|latest|youngest)(?P<rest>\W*)$",
    re.IGNORECASE,
)
_LEAD = r"^\W*(?:(?P<command>rank|sort|order|list|show|give)(?: me| us)? )?(?:all )?(?:our |the |my )?"
_NUMBER = r"(?:the |their )?(?P<number>(?:number of|total|average|mean|median) [a-z_ ]+?)"
_RANKED = re.compile(
    rf"{_LEAD}(?P<what>[a-z_]+)(?P<verb> ranked| sorted| ordered)? by {_NUMBER}"
    r"(?P<when> (?:in|since|before|after|last|this) .+?)?\W*$",
    re.IGNORECASE,
)
_DIRECTED = re.compile(
    r"\b(?:first|order|ascending|descending|asc|desc|low|high|(?:low|high|small|larg|few|mo|lea)[a-z]*st)\b",
    re.IGNORECASE,
)
_COMMANDS = frozenset({"rank", "sort", "order"})


def in_order(question: str) -> str:
    """The question with its order said at the end, where it is said otherwise and nothing but it stands behind."""
    ends = _ENDS.match(question)
    if ends is not None:
        first = "newest" if ends["first"].lower() == "youngest" else ends["first"]
        return f"{ends['what']}, {first} first{ends['rest']}"
    ranked = _RANKED.match(question)
    if ranked is None or _DIRECTED.search(question):
        return question
    if not ranked["verb"] and (ranked["command"] or "").lower() not in _COMMANDS:
        return question
    return f"{ranked['number']}{ranked['when'] or ''} by {ranked['what']}, highest first"
