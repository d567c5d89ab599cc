"""Stretches of time that are said around a question: *since the start of May*, *…, January through October*."""

from __future__ import annotations

from .rules import Rules, applied, said_so

__all__ = ["on_its_stretch"]

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?"
_RULES: Rules = (
    (
        said_so(rf"\b(?:on (?:an? |the )?)?{_DAY} (?P<part>morning|afternoon|evening)s?\b"),
        r"on \g<day>s in the \g<part>",
    ),
    (said_so(rf"\b(?:on (?:an? |the )?)?{_DAY} nights?\b"), r"on \g<day>s at night"),
    (said_so(r"\b(since|from) the (?:very )?(?:start|beginning) of (?=(?:last |this )?(?:\d{4}\b|[a-z]))"), r"\1 "),
    (
        said_so(
            r"\b(?P<one>(?:the )?first half)(?: of the year)?,? "
            r"(?P<against>vs\.?|versus|against|compared (?:with|to)|and) (?:in )?"
            r"(?P<other>(?:the )?second half) of the year\b"
        ),
        r"\g<one> \g<against> \g<other>",
    ),
    (said_so(r"\bsince (?:the )?(?:this )?(year|month|quarter|week)\b(?! before| of)"), r"this \1"),
    (
        said_so(
            r"\bthis year(?P<so>(?: so far)?,? (?:compared (?:with|to)|against|vs|versus|than|as) .*?\bsame .*?)"
            rf",? (?:from |i\.?e\.? )?(?P<months>{_MONTH}) (?:to|through|till|until|-) (?P<last>{_MONTH})(?P<end>\W*)$"
        ),
        r"\g<months> to \g<last> this year\g<so>\g<end>",
    ),
)


def on_its_stretch(question: str) -> str:
    """A question with the months that are named behind it where its year stands, and ``since May`` for its start."""
    return applied(_RULES, question)
