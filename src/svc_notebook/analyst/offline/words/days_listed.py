"""*8 and 9 February*, *July 1 through 7*, *24/12*, *mid July*: days whose month is said once, each with its month."""

from __future__ import annotations

from .... import patterns as re

__all__ = ["days_in_full"]

_LONG = "january february march april june july august september october november december".split()
_MONTHS = [*_LONG[:4], "may", *_LONG[4:]]
_MONTH = rf"(?:{'|'.join(_LONG)}|May|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
_DAY = r"(?:[12]?\d|3[01])(?:st|nd|rd|th)?"
_BEHIND = r"(?!\s*(?:st|nd|rd|th)?\d|\s*[:.]\d|\s*(?:am|pm|%|o'clock)\b)"
_DAYS = rf"(?P<days>{_DAY}(?:\s*,\s*(?:the\s+)?{_DAY})*)"
_FIRST = re.compile(
    r"(?P<lead>\b(?:on|for|of|and|or|between|during|versus|vs)\s+(?:the\s+)?)"
    rf"{_DAYS}\s*,?\s+(?P<joint>and|or)\s+(?:the\s+)?(?P<last>{_DAY})\s+(?:of\s+)?(?P<month>{_MONTH})\b",
    re.IGNORECASE,
)
_JOINT = r"(?P<joint>,|\band\b|\bor\b|\bto\b|\bthrough\b|\btill\b|\buntil\b|-|–)"
_BEHIND_MONTH = re.compile(
    rf"\b(?P<month>{_MONTH})\s+(?:the\s+)?(?P<first>{_DAY})\s*{_JOINT}\s*(?:the\s+)?(?P<last>{_DAY})\b"
    rf"{_BEHIND}(?!\s*,?\s*(?:{_MONTH})\b)",
    re.IGNORECASE,
)
_SLASHED = re.compile(
    r"(?P<lead>\b(?:on|for|of|before|after|since|until|from|to|and)\s+(?:the\s+)?)"
    r"(?P<one>\d\d?)/(?P<two>\d\d?)(?![/\d])",
    re.IGNORECASE,
)
_PIECE = re.compile(rf"\b(?:in\s+)?(?P<piece>early|mid|late)[\s-]+(?P<month>{_MONTH})(?!\s+\d)\b", re.IGNORECASE)
_PIECES = {"early": "from 1 to 10", "mid": "from 11 to 20", "late": "from 21 to {last}"}
_LAST = dict(zip(_MONTHS, (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), strict=True))
_MOST = 12  # months


def days_in_full(question: str) -> str:
    """A question in which each day of a list has its month.

    >>> days_in_full("flights on 8 and 9 February")
    'flights on 8 February and 9 February'
    >>> days_in_full("flights July 1 through 7")
    'flights 1 July through 7 July'
    """
    question = _FIRST.sub(_each_before, question)
    question = _BEHIND_MONTH.sub(_each_behind, question)
    return _PIECE.sub(_piece, _SLASHED.sub(_named, question))


def _each_before(said: re.Match[str]) -> str:
    first, last = re.findall(r"\d+", said["days"]), re.findall(r"\d+", said["last"])
    days = [f"{day} {said['month']}" for day in (*first, *last)]
    return said["lead"] + f" {said['joint']} ".join(days)


def _each_behind(said: re.Match[str]) -> str:
    joint = "and" if said["joint"] == "," else said["joint"]
    first, last = (re.findall(r"\d+", said[end])[0] for end in ("first", "last"))
    return f"{first} {said['month']} {joint} {last} {said['month']}"


def _named(said: re.Match[str]) -> str:
    """A day and a month between slashes, where only one of both can be the month."""
    one, two = int(said["one"]), int(said["two"])
    day, month = (one, two) if two <= _MOST else (two, one)
    if not 1 <= month <= _MOST < day <= _LAST["january"]:
        return said.group()
    return f"{said['lead']}{day} {_MONTHS[month - 1].title()}"


def _piece(said: re.Match[str]) -> str:
    """A third of a month, told by its days."""
    whole = next(month for month in _MONTHS if month.startswith(said["month"].lower()[:3]))
    return f"{_PIECES[said['piece'].lower()].format(last=_LAST[whole])} {said['month']}"
