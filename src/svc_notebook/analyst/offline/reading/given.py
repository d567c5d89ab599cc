"""Amounts by what was done with them: *how much do freelancers earn in tips*, *average tip when a tip was given*,
*the most five star ratings*.
"""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..schema.polarity import marks
from ..turning.rules import said_so
from ..words.numbers import number_word
from ..words.text import stem

__all__ = ["given"]

_IN = said_so(
    r"^\W*how much (?:money )?(?:do|does|did|have|has) (?:the |our )?(?P<who>\S.*?) (?:earn|earned|make|made|get|got|"
    r"take|taken|receive|received|pay|paid|spend|spent|collect|collected) (?:in|on|as|from|through) (?:the )?"
    r"(?P<what>[a-z]+(?: [a-z]+)?)(?P<rest>(?: (?:in|on|last|this|during|since|per|by|for) .+?)?)(?P<end>\W*)$"
)
_WHEN = said_so(
    r"\b(?:when|where|if|whenever)(?: only)? (?:an?|any|some) (?P<what>[a-z]+(?: [a-z]+)?) "
    r"(?:was|is|were|has been|had been) (?:given|paid|left|made|charged|granted|added|applied)\b"
)
_THERE = said_so(
    r"\b(?P<fold>average|avg|mean|median|typical|lowest|smallest) (?P<what>[a-z]+(?: [a-z]+)?)(?P<more>(?: .+?)?),? "
    r"(?:when|where|if|whenever) there (?:was|is|were|are) (?:one|any|some)(?=\W*$| (?:by|per|in|for|on|at)\b)"
)
_STARS = said_so(
    r"\b(?P<many>[1-9]|one|two|three|four|five)(?: |-)stars? (?P<noun>ratings?|reviews?|scores?)\b"
)  # fmt: skip
_SHARE = said_so(r"\b(?:share|percentage|percent|proportion|rate|part) of\b")


def given(question: str, metadata: Metadata) -> str:
    """A question for what was given, in the names of its numbers."""
    said = _IN.match(question)
    if said is not None and (name := _named(said["what"], metadata)) and any(map(metadata.adds_up, name)):
        return f"total {said['what']} for {said['who']}{said['rest']}{said['end']}"
    told = _WHEN.search(question)
    if told is not None and _named(told["what"], metadata):
        return f"{question[: told.start()]}where {told['what']} is above 0{question[told.end() :]}"
    there = _THERE.search(question)
    if there is not None and _named(there["what"], metadata):
        above = f"{there['fold']} {there['what']}{there['more']} where {there['what']} is above 0"
        return f"{question[: there.start()]}{above}{question[there.end() :]}"
    return _starred(question, metadata)


def _named(words: str, metadata: Metadata) -> tuple[str, ...]:
    return metadata.number_names.called.get(tuple(map(stem, words.lower().split())), ())


def _starred(question: str, metadata: Metadata) -> str:
    """``five star ratings`` as the rows whose one mark is five."""
    said = _STARS.search(question)
    found = marks(metadata, metadata.catalog.relations) if said is not None else []
    cubes = [path for path in found if metadata.relation(path.split(".", 1)[0]).kind == "cube"]
    if said is None or len(cubes) != 1 or _SHARE.search(question):
        return question  # a share of ratings is one of rows that have any
    rows = plural(" ".join(metadata.words_of(cubes[0].split(".", 1)[0])))
    many = said["many"] if said["many"].isdigit() else f"{number_word(said['many']) or 0:g}"
    told = f"{rows} with {' '.join(metadata.parts(cubes[0]))} {many}"
    return f"{question[: said.start()]}{told}{question[said.end() :]}"
