"""Loose words for what the model has: *kids under 12* of whoever has a birth, *market share* of the rows there are,
*peak hours* as those with most of them, *how was the visibility in May* as its average.
"""

from __future__ import annotations

from .... import patterns as re
from ..schema.lasting import birth_in
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..turning.rules import said_so
from ..words.text import singular, stem

__all__ = ["in_model_words"]

_YOUNG = re.compile(
    r"\b(?P<who>kids|children|minors|adults|teenagers|teens|seniors|youngsters|people|pensioners)\s+"
    r"(?:aged\s+|who are\s+|that are\s+)?(?P<side>under|over|below|above|younger than|older than)\s+(?P<age>\d{1,2})\b"
    r"(?!\s*(?:%|percent|euros?|dollars|minutes|hours|days|months|weeks|k\b|[.,]\d))(?:\s+years old)?",
    re.IGNORECASE,
)
_SIDES = {"under": "below", "below": "below", "younger than": "below"}
_MARKET = re.compile(
    r"^(?:(?:who|which|what)\s+are\s+(?:the|our)\s+(?:biggest|largest|top|main)\s+(?P<first>[\w ]+?)\s*,?\s*"
    r"(?:and\s+|with\s+|by\s+|what is\s+)?(?:their\s+|its\s+|the\s+)?market\s+shares?"
    r"|(?:(?:show(?: me)?|what(?:['’]s| is| are))\s+)?(?:the\s+|their\s+)?market\s+shares?\s+"
    r"(?:of(?: each| every| the| our| all)?|by|per|for each)\s+(?P<then>[\w ]+?))(?:\s+(?:please|pls|plz))?\s*[?.! ]*$",
    re.IGNORECASE,
)
_HOW_WAS = said_so(
    r"^\W*how (?:is|are|was|were|has|have) (?:the |our )?(?P<what>[a-z]+(?: [a-z]+){0,2}?) (?:been |like |looking )?"
    r"(?P<rest>(?:on|in|at|for|during|last|this|since|by|per|between) .+|today|yesterday|so far.*)$"
)
_MOST_DO = said_so(
    r"^\W*(?:so )?(?:at |around |on |in )?(?:what|which) (?P<unit>(?:time|hour|day|weekday|month|season)"
    r"(?: of (?:the )?(?:day|week|year))?) (?:do|did|does) (?:the )?most (?P<rows>[a-z]+)"
    r"(?: (?:usually|typically|normally))? (?:leave|depart|start|begin|happen|occur|take place|go|run"
    r"|take off|get made|get placed|fall)(?P<rest>(?: .+)?)$"
)
_BARE = 2  # words of a turn that goes on with what was shown: "peak hour"
_PEAK = re.compile(r"\bpeak\s+(?P<unit>(?:hour|day|week|month|weekday|time)s?)\b", re.IGNORECASE)


def in_model_words(question: str, metadata: Metadata) -> str:
    """A question with loose words in those of the model, where it has one thing that they can be for."""
    return _when_most(_how_was(_peak(_young(_market(question, metadata), metadata), metadata), metadata), metadata)


def _when_most(question: str, metadata: Metadata) -> str:
    """``what time do most trains leave``: the hour of the day that has most of them."""
    said = _MOST_DO.match(question)
    if said is None or not metadata.kind_names.are_rows(said["rows"]):
        return question
    words = said["unit"].lower().split()
    unit = "hour" if words[0] in ("time", "hour") and words[-1] != "year" else words[0]
    unit = "weekday" if unit == "day" else "month" if unit == "time" else unit
    return f"which {unit} has the most {said['rows']}{said['rest']}"


def _how_was(question: str, metadata: Metadata) -> str:
    """``how was the visibility on 8 February``: its average then, where it is a number that does not add up."""
    said = _HOW_WAS.match(question)
    if said is None:
        return question
    named = metadata.number_names.called.get(tuple(stem(singular(word)) for word in said["what"].lower().split()), ())
    if not named or any(map(metadata.adds_up, named)):
        return question
    return f"average {said['what']} {said['rest']}"


def _peak(question: str, metadata: Metadata) -> str:
    said = _PEAK.search(question)
    if (
        said is None
        or len(question.split()) <= _BARE
        or stem("peak") in metadata.vocabulary
        or (stem("peak"),) in metadata.values.whole
    ):
        return question
    unit = said["unit"].lower()
    return f"{question[: said.start()]}busiest {'hour' if unit.startswith('time') else unit}{question[said.end() :]}"


def _market(question: str, metadata: Metadata) -> str:
    said, facts = _MARKET.match(question), metadata.main_facts()
    if said is None or facts is None or stem("market") in metadata.vocabulary:
        return question
    return (
        f"share of all {plural(' '.join(metadata.words_of(facts)))} by {said['first'] or said['then']}, largest first"
    )


def _young(question: str, metadata: Metadata) -> str:
    said = _YOUNG.search(question)
    if said is None or stem(said["who"].lower()) in metadata.vocabulary:
        return question
    cubes = [name for name, relation in metadata.catalog.relations.items() if relation.kind == "cube"]
    born = [name for name in cubes if birth_in(metadata, name) is not None]
    if len(born) != 1:
        return question
    rows, side = plural(" ".join(metadata.words_of(born[0]))), _SIDES.get(said["side"].lower(), "above")
    return f"{question[: said.start()]}{rows} with age {side} {said['age']}{question[said.end() :]}"
