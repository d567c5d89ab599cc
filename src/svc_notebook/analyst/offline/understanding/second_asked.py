"""A second question that points back at the first: *which depot is slowest, and how many parcels did it send*."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from .... import patterns as re
from ...base import PastTurn
from ..forms import Form, to_sql
from ..plans.plan import Plan
from ..reader import is_writable
from ..schema.nouns import plural
from ..slices.lexicon import load_comparing
from ..slices.numbers import numbers
from ..slices.said import Said
from ..understood import Understood
from ..words.shares_said import SHARE, SHARE_OR_PART
from ..words.text import stem
from .asked import AskedTurn
from .forming import form_of_plan, form_read_whole, form_shown, query_of, told_instead
from .somebody import somebody_of
from .together import part_of_its_rows, relation_of, told_together, with_its_column
from .with_columns import path_called

__all__ = ["second_asked", "unless_first_alone"]

_ASKING = r"(?:who|whom|whose|which|what|when|where|how)"
_AT = r"(?:(?:on|at|in|for|from|to|by|with|of)\s+)?"
_PART = rf"(?:the\s+)?{SHARE}\s+of\s+(?:their|its|his|her|those|these)\b"
_THEIRS = r"(?:their|its|his|her)\s+(?:own\s+)?[a-z]"
_JOINT = re.compile(
    r"(?:\s*[,;.?!:–—]\s*|\s+-+\s+|\s+)(?:(?:and|plus|also|then|so)\s+)*(?:also\s+)?"
    rf"(?=(?P<asks>{_AT}{_ASKING}\b)|{_PART}|{_THEIRS})",
    re.IGNORECASE,
)
_MARKED = re.compile(r"^\s*(?:[,;.?!–—]|-+\s|(?:and|plus)\b)", re.IGNORECASE)
_POINTS = re.compile(
    r"\b(?:it|its|that|this|they|them|their|theirs|those|these|he|she|him|her|his|there)\b", re.IGNORECASE
)
_BESIDE = re.compile(
    r"\s+(?:(?:on|in|at|during|for|from|to|by|of|with)\s+(?:it|them|that|those|these|this|him|her)(?:\s+(?:day|date|week|"
    r"month|year|hour|one|ones))?|there|then)(?=\W*$|\s+(?:on average|in total|overall)\b)",
    re.IGNORECASE,
)
_DID = re.compile(
    r"^(?P<many>how\s+(?:many|much)\s+.+?)\s+(?:did|do|does|have|has|had)\s+(?:it|they|he|she|those|these|that)"
    r"(?:\s+(?:\w+\s+)?\w+)?\W*$",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:their|its|his|her)\s+(?:own\s+)?", re.IGNORECASE)
_THEY = re.compile(r"\b(?:they|them|those|these|it|he|she|him|her|that|this)\b", re.IGNORECASE)
_WHOSE = re.compile(
    r"^(?:whose\s+(?P<rows>\w+)\s+(?:was|is|were|are)\s+(?:it|that|this|they|those)"
    r"|who\s+(?:was|is|were|had|has|did|made|got|set|flew|ran|holds?|held)\s+(?:it|that|this))\W*$",
    re.IGNORECASE,
)
_THAT_PART = re.compile(
    rf"^(?:what|which|the)?\s*{SHARE_OR_PART}\s+of\s+"
    r"(?:all\s+)?(?:of\s+)?(?:their|its|his|her|the|those|these|all|them)\b(?:\s+(?:own\s+)?[a-z]+)?\s+"
    r"(?:(?:that|this|those|these|they|it)\s+(?:is|was|are|were|makes?(?:\s+up)?|represents?)"
    r"|(?:is|was|are|were)\s+(?:that|this|those|these|they|it))\W*$",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"^(?:what|who|which)\s+(?:is|was|are|were)\s+(?:the\s+)?(?:its|their|his|her)\s+(?P<what>[a-z][a-z ]*?)\W*$",
    re.IGNORECASE,
)
_PER = re.compile(r"\s+(?:per|by|for each|for every|in each)\s+[a-z]+(?:\s+[a-z]+)?\W*$", re.IGNORECASE)
_TOLD = re.compile(
    r"^(?:by\s+)?(?:how\s+[a-z]+|what)\s+(?:(?:of\s+(?:them|those|these))\s+)?(?:were|was|are|is|did|do)\s+"
    r"(?:there|it|they|(?:that|this|those|the)(?:\s+(?:number|figure|count|value|total)s?)?)(?:\s+(?:have|there|on\s+(?:it|that\s+day)|in\s+it))?\W*$",
    re.IGNORECASE,
)  # of the number that it is first by: "and how many were there?"
_LED = re.compile(rf"^\W*{_AT[:-1]}", re.IGNORECASE)
_ASKS = re.compile(rf"\b{_ASKING}\b", re.IGNORECASE)
_LEAST = 3  # words of a first question
_MOST_SPLITS = 3


class _Said(NamedTuple):
    """Both questions."""

    first: str
    second: str


def second_asked(asked: AskedTurn) -> Understood | None:
    """What is asked first with what is asked besides as a further column; None where no second one points back."""
    if _POINTS.search(asked.question) is None or _is_read_together(asked):
        return None
    for said in _splits(asked.question):
        first = asked.anew(replace(asked.turn, question=said.first))
        one = form_read_whole(first)
        if one is None:
            continue
        for two in _seconds(asked, said.second, one):
            both = told_together(one, two, asked.metadata)
            if both is not None and query_of(both, asked.metadata) is not None:
                return replace(told_instead(first, both), followed=None, taken=None)
    return None


def unless_first_alone(asked: AskedTurn, found: Understood) -> Understood:
    """What was understood, or a refusal where it is what the first of two questions asks alone."""
    shown = form_shown(found) if found.analysis is None else None
    for said in _splits(asked.question) if shown is not None else ():
        if (
            _TOLD.match(said.second) is None
            and form_shown(asked.anew(replace(asked.turn, question=said.first))) == shown
        ):
            return asked.nothing(lost=(said.second.strip(" ?.!"),))
    return found


def _is_read_together(asked: AskedTurn) -> bool:
    """Whether some of the rows stand beside all of them already: *orders per stall and how many of them were late*."""
    reading = asked.reading
    if reading.plan is None or reading.unfit or reading.unread or reading.missed or reading.lost:
        return False
    numbers = reading.plan.measures
    return len(numbers) > 1 and any(measure.conditions for measure in numbers[1:])


def _splits(question: str) -> Iterator[_Said]:
    """The ways to cut a question in two, the last first."""
    found = [m for m in _JOINT.finditer(question) if _MARKED.match(m[0])]
    for joint in found[::-1][:_MOST_SPLITS]:
        first, second = question[: joint.start()].strip(" ,;"), question[joint.end() :].strip()
        led = _LED.match(first) and not _ASKS.search(first)  # "for the gondola, how many …": of which rows it is
        if not led and len(first.split()) >= _LEAST and _POINTS.search(second):
            per = _PER.search(second)  # behind the second it is of both
            yield _Said(f"{first}{per[0]}", second[: per.start()]) if per is not None else _Said(first, second)


def _seconds(asked: AskedTurn, second: str, one: Form) -> Iterator[Form]:
    """What the second asks: of the rows that the first is of, and as it would be asked behind the first."""
    whose = _WHOSE.match(second)
    if whose is not None:
        own = asked.metadata.kind_names.rows.get(stem((whose["rows"] or "").lower()), ())
        yield from somebody_of(one, asked.metadata) if not whose["rows"] or relation_of(one) in own else ()
        return
    if _THAT_PART.match(second):
        yield from part_of_its_rows(one, asked.metadata)
        return
    called = _CALLED.match(second)
    path = path_called(called["what"], asked.metadata) if called is not None else ""
    if path:
        yield from with_its_column(one, path, asked.metadata)
    yield from _of_which(asked, second, one)
    rows = plural(" ".join(asked.metadata.words_of(relation_of(one)))) if relation_of(one) else ""
    for text in dict.fromkeys(_said_of(second, rows)):
        read = asked.anew(replace(asked.turn, question=text, history=()))
        form = None if _is_asked_back(read) else form_read_whole(read)
        if form is not None:
            yield form
    past = PastTurn(asked.question, memory={"reading": to_sql(one.settled())}) if is_writable(one) else None
    if past is not None:
        then = asked.anew(replace(asked.turn, question=second, history=(past,)))
        form = form_read_whole(then) if then.followed is not None else None
        if form is not None:
            yield form


def _of_which(asked: AskedTurn, second: str, one: Form) -> Iterator[Form]:
    """``who of them arrives less late on average``: by what a comparative measures of the groups that were named."""
    said = _which().match(second)
    if said is None or not one.groups:
        return
    so = Said(said["so"].lower(), said["about"] or "", said["verb"].lower(), "", "")
    for number in numbers(so, asked.metadata, asked.whole_plan):
        scope = asked.metadata.scope([number.relation, *number.scope], (number.relation,))
        plan = Plan(scope, measures=(number.measure,), conditions=number.conditions) if scope is not None else None
        form = form_of_plan(plan, asked.metadata) if plan is not None and not number.per_day else None
        if form is not None:
            yield form


@cache
def _which() -> re.Pattern[str]:
    return re.compile(
        r"^(?:who|which)(?:\s+one)?\s+of\s+(?:them|the\s+two|those|these|both)\s+(?P<verb>[a-z]+)\s+(?:the\s+)?"
        rf"(?P<so>{load_comparing().comparative})(?:\s+(?P<about>(?!on average\b)[a-z].*?))?(?:,?\s+on\s+average)?\W*$",
        re.IGNORECASE,
    )


def _is_asked_back(read: Understood) -> bool:
    return bool(read.options) and read.plan is None and read.form is None


def _said_of(second: str, rows: str) -> Iterator[str]:
    """The second question without what points back, or with the rows in the place of it."""
    bare = _BESIDE.sub("", second)
    did = _DID.match(bare)
    if did is not None:
        yield did["many"]
    own = _OWN.sub("", bare)
    if _THEY.search(own) is None:
        yield own
    elif rows:
        yield _THEY.sub(rows, own)
