"""Chances as the shares that they are: *the odds that a ride is late*, *how likely is a ride to be late*."""

from __future__ import annotations

from .rules import said_so

__all__ = ["CHANCE", "chance_as_share"]

CHANCE = r"(?:chances?|odds|probability|probabilities|likelihood|risk)"
_ASKED = (
    r"(?:(?:what(?:['’]?s)?|show(?: me)?|give me|tell me|how (?:big|large|high|great|small|good)) )?"
    r"(?:(?:is|was|are|were) )?(?:the |my |our )?"
)
_ONE = r"(?:an?|any|some|one|my|your) "
_AHEAD = r"(?P<ahead>(?:[^:?]{2,60}: |(?:per|by|for each|for every|in each) [\w ]{2,40}?, )?)"
_CHANCE_OF = said_so(
    rf"^{_AHEAD}{_ASKED}{CHANCE} (?:(?:is it|are there) )?(?:(?:that|of|for) (?:{_ONE}|the )?|{_ONE})(?P<body>.+)$"
)
_LIKELY = said_so(
    rf"^{_AHEAD}how (?:likely|probable) (?:is|are|was|were) (?:it )?(?:(?:that|for) )?(?:{_ONE}|the )?(?P<body>.+)$"
)


def chance_as_share(question: str) -> str:
    """A question for the chance that one of some rows is so, as what share of them is.

    >>> chance_as_share("How likely is a parcel to arrive late?")
    'what share of parcel to arrive late?'
    """
    said = _CHANCE_OF.match(question) or _LIKELY.match(question)
    return f"{said['ahead']}what share of {said['body']}" if said is not None else question
