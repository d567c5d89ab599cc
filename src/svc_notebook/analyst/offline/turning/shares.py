"""Shares whose whole is said apart: *of all tickets, what proportion is …*, *the proportion of A among B*."""

from __future__ import annotations

from .... import patterns as re
from ..words.shares_said import SHARE, SHARE_OR_PART
from .rules import said_so

__all__ = ["as_ranked", "share_of"]

_SHARE = rf"(?P<share>{SHARE})"
_OF_WHOLE = said_so(
    r"^(?:of|out of|among|from among) (?:all )?(?:the |our |of the )?(?P<whole>[^,]+),\s*"
    rf"(?:what(?: is|'s)?(?: the)?|how (?:big|large|great|high|small) (?:is|was) (?:the|a)|the|show the|give the) "
    rf"{_SHARE}"
    r"(?: of (?:them|those|these))? (?P<rest>.+?)(?P<end>\W*)$"
)  # fmt: skip
_AMONG = said_so(
    rf"^(?:what(?: is|'s)? )?(?:the )?{_SHARE} of (?P<some>.+?),? (?:when|if) we only (?:look at|consider|count|take) "
    r"(?P<whole>.+?)(?P<end>\W*)$"
)  # fmt: skip
_AMONG_SUCH = said_so(
    rf"^(?:what(?: is|'s)? )?(?:the )?{_SHARE} of (?P<some>[\w\s-]*?(?P<noun>[\w-]+)) (?:among|out of) "
    r"(?:all )?(?:the |our )?(?P<whole>(?P=noun)\b.*?)(?P<end>\W*)$"
)  # fmt: skip
_AS_SHARE = said_so(
    rf"^(?:the )?(?:number of )?(?P<some>.+?),? as an? {_SHARE} of (?P<whole>all [\w-]+)(?P<end>\W*)$"
)  # fmt: skip
_ACCOUNT = said_so(
    r"^(?:which|what) (?P<group>[\w\s-]+?) (?:accounts?|accounted|stands?|stood) for (?:what|which|how much) "
    rf"{SHARE_OR_PART} of (?:all |the |our |total )*(?P<number>[\w\s-]+?)(?P<end>\W*)$"
)  # fmt: skip
_OF_THE_TIME = said_so(
    r"\b(?:is|are|was|were) (?P<so>[a-z][a-z-]*(?: [a-z-]+)?) (?P<bound>more than|over|at least|less than|under|above|"
    r"below|at most) (?P<part>\d+(?:\.\d+)?)\s*(?:%|percent|per cent) of the time\b"
)
_ABOVE = {"more than": "above", "over": "above", "less than": "below", "under": "below"}
_AS_ITS = said_so(r"^(?:has|have|had) (?P<value>[\w\s'-]+?) (?:as|for) (?:its|their) (?P<name>[\w\s-]+)$")


_HIGH = r"(?P<high>highest|largest|greatest|biggest|smallest|lowest|top|worst|best)"
_RANKED = said_so(rf"\b{_HIGH} (?:%|pct\b|proportion\b|fraction\b)(?P<of> of\b)?")
_AT_END = said_so(
    r"^(?:for|in|at|on|with|of) (?:which|what) (?P<group>[\w\s-]+?) (?:is|was|are|were) "
    rf"(?P<number>(?:the |our )[^,?]+?) (?:the )?{_HIGH}(?P<end>\W*)$"
)  # fmt: skip


def as_ranked(question: str) -> str:
    """A share that is ranked by, as it is mostly said: *the highest %*, *for which zone is the share the greatest*.

    >>> as_ranked("for which zone is the proportion of tickets in collections the greatest?")
    'which zone has the greatest share of tickets in collections?'
    """
    said = _AT_END.match(question)
    if said is not None:
        number = said["number"].split(None, 1)[1]
        question = f"which {said['group']} has the {said['high']} {number}{said['end']}"
    return _RANKED.sub(lambda found: f"{found['high']} share{found['of'] or ''}", question)


def share_of(question: str) -> str:
    """A question for a share with its whole where it belongs: *what share of the whole is so*."""
    question = _OF_THE_TIME.sub(_so_often, question)
    said = _ACCOUNT.match(question)
    if said is not None:
        return f"share of total {said['number']} by {said['group']}{said['end']}"
    said = _OF_WHOLE.match(question)
    if said is not None:
        return f"what {said['share']} of {said['whole']} {_such(said['rest'])}{said['end']}"
    said = _AMONG.match(question)
    if said is not None:
        whole = said["whole"] if " " in said["whole"] else f"{said['whole']} {said['some'].split()[-1]}"
        return f"what {said['share']} of {whole} are {said['some']}{said['end']}"
    said = _AMONG_SUCH.match(question) or _AS_SHARE.match(question)
    return f"what {said['share']} of {said['whole']} are {said['some']}{said['end']}" if said is not None else question


def _so_often(said: re.Match[str]) -> str:
    """``are late more than 20 % of the time`` → ``have a late rate above 20%``."""
    bound = " ".join(said["bound"].lower().split())
    return f"have a {said['so']} rate {_ABOVE.get(bound, bound)} {said['part']}%"


def _such(rest: str) -> str:
    """``has phone as its channel`` → ``has channel phone``."""
    said = _AS_ITS.match(rest)
    return f"has {said['name']} {said['value']}" if said is not None else rest
