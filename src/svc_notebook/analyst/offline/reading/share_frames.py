"""The frames in which a share of rows is asked for: what it is of, by what group, how it is ranked or bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....records import dataclass
from ..turning.chances import CHANCE
from ..turning.rules import said_so
from ..words.numbers import number_word
from ..words.parts_said import PART, part_said
from ..words.shares_said import SHARE

__all__ = ["ShareSaid", "is_of_theirs", "shares_said"]

_ASKED = (
    r"(?:(?:what(?:['’]?s)?|which|show(?: me)?|give me|tell me|list|how (?:big|large|high|great|small|good)) "
    r"(?:(?:is|was|are|were) )?)?(?:the |a |my |our )?"
)
_ONE = r"(?:an?|the|my|any|some|one|your|each|every) "
_END = r"\W*$"
_BOUND = (
    r"(?P<bound>at least|at most|no (?:more|less|fewer) than|(?:more|less|fewer) than|over|above|under|below|up to"
    r"|exactly) "
)
_HIGH = r"(?P<rank>highest|largest|biggest|greatest|lowest|smallest|worst|best)"
_GROUP = r"(?P<group>[\w][\w '’-]*?)"
_THEIR = r"(?:its|their|his|her|each [\w ]+?['’]s?|(?:the|that) [\w ]+?['’]s?)"

_CONTEXT = said_so(r"^(?P<context>[^:?]{2,60}): (?P<rest>.+)$")
_GROUP_FIRST = said_so(
    r"^(?:for|in|at|by|per|on|from)(?: each| every| any)? (?P<group>[\w -]+?)\s*[,:]\s*(?P<rest>.+)$"
)
_PLAIN = said_so(rf"^{_ASKED}{SHARE} of (?P<body>.+?){_END}")
_NUMBERED = said_so(
    rf"^(?:{_ASKED}(?:number|count|numbers)|how many)\s*(?:,|&|\+|and|plus|/)\s*(?:the |what |which )?"
    rf"(?:{SHARE}|rate) of (?P<body>.+?){_END}"
)
_OF_THEIRS = said_so(
    rf"^(?P<head>.+?),? (?:and|with|plus|&|\+|as well as|along with) (?:(?:what|which|the|also|show|give|a) )*{SHARE} "
    rf"(?:of )?(?:all )?{_THEIR} (?:own |total |overall )?(?P<rows>\w+)(?: (?:that|this|it|they|those|these|which))?"
    rf"(?: (?:is|are|was|were|makes?|made|represents?|comes? to)(?: up)?)?"
    rf"(?: (?:that|this|it|they|those|these))?(?P<group> (?:by|per|for each) .+?)?{_END}"
)
_AND_RATE = said_so(
    r"^(?P<head>.+?)(?: |\s*[,:(-]+\s*)(?:as |in |both |the )*(?:numbers?|counts?|how many|totals?)\s*"
    rf"(?:,|&|\+|/|and|plus)\s*(?:as )?(?:the )?(?:{SHARE}|rate)s?{_END}"
)
_RANKED = said_so(
    rf"^(?:(?:which|what|show(?: me)?|list|give me) )?(?:the |top )*(?:(?P<first>\d+|[a-z]+) )?{_GROUP} "
    rf"(?:has|have|had|with|by|show|shows|showed|sees?|saw) (?:the )?{_HIGH} {SHARE} of (?P<body>.+?){_END}"
)
_IF = said_so(
    rf"^(?:if|when|once|given that) {_ONE}(?P<whole>.+?),? (?:then )?(?:{_ASKED}{CHANCE} (?:(?:that|of|for) )?"
    rf"|how (?:likely|probable) (?:is|are|was) (?:it )?(?:that )?)(?:it|they|the \w+)(?:['’]s)? (?P<so>.+?){_END}"
)
_ASKING = (
    r"^(?:(?:on|in|at|for|during|from|to|with|by) )?(?:(?:how many|which|what|list|show(?: me)?|name|number of) )?"
)
_WHERE = (
    r"(?:where|with|whose|having|have|has|had|was|were|is|are|did|do|got|(?:(?:on|in|for|at|to|from) which"
    r"|that|who)(?: (?:had|have|has|was|were|is|are))?)"
)
_SO_MANY = said_so(
    rf"{_ASKING}(?:the |all |our )?{_GROUP} {_WHERE} (?:{_BOUND})?(?P<part>{PART}) (?:of )?"
    rf"(?:(?:the|its|their|all|our) )*(?P<body>.+?){_END}"
)
_DOING = r"(?:is|are|was|were|has|have|had|gets?|got|arrives?|leaves?|runs?|comes?|goes?|pays?|paid|[a-z]+ed)"
_SO_OFTEN = said_so(
    rf"{_ASKING}(?:the |all |our )?{_GROUP} (?:(?:that|which|who) )?(?P<so>{_DOING} .+?) (?:in |on )?(?:{_BOUND})?"
    rf"(?P<part>{PART}) (?:of )?(?:the |all |its |their )*(?P<rows>[a-z]+){_END}"
)
_TIMES = frozenset({"time", "times", "cases", "occasions", "instances"})
_SIGNS = {
    "at least": ">=", "no less than": ">=", "no fewer than": ">=", "at most": "<=", "no more than": "<=", "up to": "<=",
    "more than": ">", "over": ">", "above": ">", "less than": "<", "fewer than": "<", "under": "<", "below": "<",
    "exactly": "=",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShareSaid:
    """A share of rows, as it is said.

    Attributes
    ----------
    body
        The rows that it is of and behind them, or as an adjective before them, what some of them are; where ``so``
        is given, only the rows, and where both are empty all rows there are.
    head
        A question for the number of some rows of which the share is told beside that number; then there is no body.
    group, context
        What each share is of (*airline*), and what is said ahead of all (*at JFK: …*).
    numbered
        How many they are is told beside what share that is.
    supposed
        What is said behind the rows in the body holds of all that the share is of.
    sign, part
        The bound of the groups that are asked for, and a part of one.
    rank, first
        The end that groups are ranked from, and how many are asked for.
    """

    body: str = ""
    so: str = ""
    head: str = ""
    group: str = ""
    context: str = ""
    numbered: bool = False
    supposed: bool = False
    sign: str = ""
    part: float = 0.0
    rank: str = ""
    first: int = 1


def is_of_theirs(question: str) -> bool:
    """Whether rows are counted with their share of those of the same group: *and what part of its flights that is*."""
    return _OF_THEIRS.match(" ".join(question.split())) is not None


def shares_said(question: str) -> Iterator[ShareSaid]:
    """The shares that a question may ask for; of *what share of flights was late* the flights and what some were."""
    text = " ".join(question.split()).rstrip("?.! ")
    yield from _framed(text)
    if (said := _GROUP_FIRST.match(text)) is not None:
        yield from (replace(one, group=said["group"]) for one in _framed(said["rest"]) if not one.group)
    if (said := _CONTEXT.match(text)) is not None:
        yield from (replace(one, context=said["context"]) for one in _framed(said["rest"]))


def _framed(text: str) -> Iterator[ShareSaid]:
    for frame in (_ranked, _conditional, _plain, _beside, _so_many, _so_often):
        yield from frame(text)


def _plain(text: str) -> Iterator[ShareSaid]:
    for frame in (_NUMBERED, _PLAIN):
        if (said := frame.match(text)) is not None:
            yield ShareSaid(body=said["body"], numbered=frame is _NUMBERED)


def _conditional(text: str) -> Iterator[ShareSaid]:
    """``if a ride leaves late, what are the odds it arrives on time``: of those that leave late."""
    if (said := _IF.match(text)) is not None:
        yield ShareSaid(body=said["whole"], so=said["so"], supposed=True)


def _beside(text: str) -> Iterator[ShareSaid]:
    for frame in (_OF_THEIRS, _AND_RATE):
        if (said := frame.match(text)) is not None:
            yield ShareSaid(head=f"{said['head']}{said.groupdict().get('group') or ''}", numbered=True)


def _ranked(text: str) -> Iterator[ShareSaid]:
    said = _RANKED.match(text)
    if said is None:
        return
    first = _first(said["first"] or "1")
    group = said["group"] if first else f"{said['first']} {said['group']}"
    yield ShareSaid(body=said["body"], group=group, rank=said["rank"].lower(), first=first or 1)


def _first(word: str) -> int:
    """How many groups are asked for; 0 for a word that says no number."""
    return int(word) if word.isdigit() else int(number_word(word.lower()) or 0)


def _so_many(text: str) -> Iterator[ShareSaid]:
    """``on how many days was at least every tenth ride cancelled``."""
    if (said := _SO_MANY.match(text)) is not None and (part := part_said(said["part"])) is not None:
        yield ShareSaid(body=said["body"], group=said["group"], sign=_sign(said["bound"]), part=part)


def _so_often(text: str) -> Iterator[ShareSaid]:
    """``which towns are on time more than 85 % of the time``: of all that is theirs."""
    if (said := _SO_OFTEN.match(text)) is not None and (part := part_said(said["part"])) is not None:
        rows = "" if said["rows"].lower() in _TIMES else said["rows"]
        yield ShareSaid(body=rows, so=said["so"], group=said["group"], sign=_sign(said["bound"]), part=part)


def _sign(bound: str | None) -> str:
    return _SIGNS[" ".join(bound.lower().split())] if bound else ">="
