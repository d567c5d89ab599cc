"""Shares whose whole is said apart: *of all tickets, what proportion is …*, *the proportion of A among B*."""

from __future__ import annotations

from .rules import said_so

__all__ = ["share_of"]

_SHARE = r"(?P<share>proportion|percentage|share|fraction|percent)"
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
    r"(?:part|share|percentage|proportion|fraction|%) of (?:all |the |our |total )*(?P<number>[\w\s-]+?)(?P<end>\W*)$"
)  # fmt: skip
_AS_ITS = said_so(r"^(?:has|have|had) (?P<value>[\w\s'-]+?) (?:as|for) (?:its|their) (?P<name>[\w\s-]+)$")


def share_of(question: str) -> str:
    """A question for a share with its whole where it belongs: *what share of the whole is so*."""
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


def _such(rest: str) -> str:
    """``has phone as its channel`` → ``has channel phone``."""
    said = _AS_ITS.match(rest)
    return f"has {said['name']} {said['value']}" if said is not None else rest
