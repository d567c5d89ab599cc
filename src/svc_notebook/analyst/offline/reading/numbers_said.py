"""Numbers in a frame of their own: *how long is the average delay*, *average delay of delayed flights only*."""

from __future__ import annotations

from functools import lru_cache

from .... import patterns as re
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import tokenize

__all__ = ["as_numbers"]

_LONGEST = 300  # characters
_NAME = 4  # words of a name, at most
_SIZE = r"(?:long|high|big|large|great|low|short|small|bad|strong|heavy|much)"
_END = r"(?:average|mean|median|typical|maximum|minimum|longest|highest|largest|shortest|lowest)"
_HOW = said_so(rf"^(?P<how>how {_SIZE}) (?P<is>is|are|was|were) the (?P<what>{_END} .+)$")
_FOLDED = r"(?:average|avg|mean|median|typical|total|maximum|minimum|max|min|longest|shortest|highest|lowest|largest)"
_NUMBER_OF = said_so(rf"\b{_FOLDED} [\w -]+? (?:of|for) ")
_ONLY = said_so(r" only\b")


def as_numbers(question: str, metadata: Metadata) -> str:
    """A question for a number of the model with that number in front, and the rows that it is of behind it."""
    if len(question) > _LONGEST:
        return question
    return _of_such(_asked_for(question, metadata), metadata)


def _asked_for(question: str, metadata: Metadata) -> str:
    """``how long is the average delay`` → ``what is the average delay``: where a number has that name."""
    said = _HOW.match(question)
    if said is None or not _is_number(said["what"], metadata):
        return question
    return f"what {said['is']} the {said['what']}"


def _is_number(text: str, metadata: Metadata) -> bool:
    """Whether a text begins with the name of a number, or with what an average or an end of one is called."""
    stems = tuple(token.stem for token in tokenize(text)[:_NAME])
    return any(_names_number(said, metadata) for said in (stems, stems[1:]))


def _names_number(stems: tuple[str, ...], metadata: Metadata) -> bool:
    if any(stems[:1] == name[-1:] for name in metadata.number_names.whole.values()):
        return bool(stems)  # the *delay* of a departure delay
    begun = (metadata.phrases[number] for number in metadata.postings.get(stems[0], ())) if stems else ()
    named = (one for one in begun if one.member is not None and one.stems == stems[: len(one.stems)])
    return any(_tells(one.member, metadata) for one in named if one.member is not None)


def _tells(path: str, metadata: Metadata) -> bool:
    """Whether a member is a number of rows, and not how many of them there are."""
    member = metadata.members[path]
    return not str(member.agg_type).startswith("count") if member.kind == "measure" else metadata.is_number(path)


def _of_such(question: str, metadata: Metadata) -> str:
    """``average delay of delayed flights`` → ``average delay of flights that were delayed``."""
    if _NUMBER_OF.search(question) is None:
        return question
    for rows in metadata.counted_rows:
        said = _number_of(rows.called).search(question)
        if said is not None:
            rest = _ONLY.sub("", question[said.end() :], 1)
            return f"{question[: said.start()]}{said['number']} of {rows.noun} that were {rows.so}{rest}"
    return question


@lru_cache(128)
def _number_of(called: str) -> re.Pattern[str]:
    """The pattern of a number that is made of the rows that are called so."""
    rows = re.escape(called).replace("\\ ", r"[\s-]+")
    return said_so(rf"(?P<number>\b{_FOLDED} [\w -]+?) (?:of|for) (?:all |only |just )?(?:the |our )?{rows}\b")
