"""Whether there is somebody, as who it is: *did anyone leave this year*, *anybody who failed twice*."""

from __future__ import annotations

from .... import patterns as re
from ..words.families import PAST
from .rules import applied, said_so

__all__ = ["who_it_was"]

_ANY = r"any(?:one|body| one)"
_DID = said_so(rf"^did {_ANY} (?:ever )?(?P<verb>[a-z]+)\b(?P<rest>.*)$")
_RULES = (
    (said_so(rf"^(?:is|are|was|were) there {_ANY} (?=(?:who|that|with|without|from|in)\b)"), ""),
    (said_so(rf"^(?:do|did) we have {_ANY} (?=(?:who|that|with|without)\b)"), ""),
    (said_so(rf"^(?:have we (?:got )?)?{_ANY} (?:who|that) "), "who "),
    (said_so(rf"^(?:has|have) {_ANY} (?=[a-z]+(?:ed|en|ne|ft|ght)\b)"), "who "),
    (said_so(r"^who (?:who|that) "), "who "),
)  # fmt: skip
_ANYONE = re.compile(
    r"(?<!\bwhich )(?<!\bthat )(?<!\bthis )(?<!\bno )(?<!\bany )(?<!\bevery )(?<!\beach )(?<!\bthe )(?<!est )\bone"
    r"(?=\s+(?:can|could|may|might|must|should)\s+[a-z])",
    re.IGNORECASE,
)  # "the distance one can fly": anybody, and no number
_PASTS = {"leave": "left", "come": "came", "give": "gave", "take": "took", "win": "won", "lose": "lost", "pay": "paid",
          "buy": "bought", "sell": "sold", "begin": "began", "quit": "quit", "break": "broke", "make": "made",
          "die": "died", "send": "sent"}  # fmt: skip


def who_it_was(question: str) -> str:
    """A question whether anybody is or did something, as the question who: an empty answer says that nobody did."""
    plain = applied(_RULES, _ANYONE.sub("you", question))
    said = _DID.match(plain)
    if said is None:
        return plain
    return f"who {_past(said['verb'].lower())}{said['rest']}"


def _past(verb: str) -> str:
    if verb in _PASTS:
        return _PASTS[verb]
    known = [past for past, base in PAST.items() if base == verb]
    if known:
        return known[0]
    return f"{verb}d" if verb.endswith("e") else re.sub(r"(?<=[^aeiou])y$", "i", verb) + "ed"
