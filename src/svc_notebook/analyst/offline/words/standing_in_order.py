"""Rows and groups said in an order: *mugs from oldest to newest* is *mugs, oldest first*; *potters ranked by number of
mugs* is *number of mugs by potter, highest first*.
"""

from __future__ import annotations

from .... import patterns as re

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
_LONGEST = 300  # characters


_HIGH = r"(?:most|biggest|largest|highest|greatest|longest|busiest)(?: (?:common|frequent|popular|often))?"
_LOW = r"(?:fewest|least|smallest|lowest|shortest|rarest|quietest)(?: (?:common|frequent|popular|often))?"
# Not "vans by number of jobs": that is the order itself.
_BY = r"\w (?:by|per) (?!(?:the |their )?(?:number|total|average)\b)[^,;]+?"
_GROUPED = rf"^(?P<what>.*{_BY})(?:\s*[,;]\s*(?:and )?|\s+[-–]\s+)(?:with )?(?:the )?"
_WAY_FIRST = re.compile(rf"{_GROUPED}(?:(?P<high>{_HIGH})|{_LOW}) (?:ones )?first\W*$", re.IGNORECASE)
_MANY = r"(?P<many>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)"
_FEW_LAST = re.compile(rf"{_GROUPED}{_MANY} (?:(?P<high>{_HIGH})|{_LOW})(?: ones)?\W*$", re.IGNORECASE)
_FIRST_FEW = re.compile(
    rf"^(?P<what>.*\b(?:most|highest|biggest|largest|fewest|lowest|smallest)\b.*?)\s*[,;]\s*(?:the )?first {_MANY}\W*$",
    re.IGNORECASE,
)


def _at_the_end(question: str) -> str:
    """An order, or how many of them, at the end of groups: *repairs by town, fewest first*, *…, the two biggest*."""
    if len(question) > _LONGEST:  # the patterns try every place of a long text with every other
        return question
    if (way := _WAY_FIRST.match(question)) is not None:
        return f"{way['what']}, {'highest' if way['high'] else 'lowest'} first"
    if (few := _FEW_LAST.match(question)) is not None:
        return f"{few['what']}, {'top' if few['high'] else 'bottom'} {few['many']}"
    if (first := _FIRST_FEW.match(question)) is not None:
        return f"{first['what']}, top {first['many']}"
    return question


def in_order(question: str) -> str:
    """The question with its order said at the end, where it is said otherwise and nothing but it stands behind."""
    ends = _ENDS.match(question)
    if ends is not None:
        first = "newest" if ends["first"].lower() == "youngest" else ends["first"]
        return f"{ends['what']}, {first} first{ends['rest']}"
    if (told := _at_the_end(question)) != question:
        return told
    ranked = _RANKED.match(question)
    if ranked is None or _DIRECTED.search(question):
        return question
    if not ranked["verb"] and (ranked["command"] or "").lower() not in _COMMANDS:
        return question
    return f"{ranked['number']}{ranked['when'] or ''} by {ranked['what']}, highest first"
