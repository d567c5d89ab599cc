"""Nights of those who come and go: *how many nights were sold*, *one-night stays*, *stays of more than five nights*."""

from __future__ import annotations

from datetime import datetime

from .... import patterns as re
from ..calendar.periods import find_periods
from ..linking.span_words import EXTREMES
from ..schema.lasting import stay_in
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.numbers import number_word
from ..words.text import stem, tokenize

__all__ = ["nights_as_days", "stayed_then"]

_SOLD = r"(?:sold|sell|booked|book|reserved|reserve|spent|slept|let|occupied|stayed)"
_ROWS = r"(?:stays?|bookings?|reservations?|visits?|trips?)"
_LENGTH = said_so(
    rf"\b(?:(?P<fold>average|avg|mean|typical|median|longest|shortest) )?"
    rf"(?:(?:length|duration) of (?:the |a |our |their )?{_ROWS}|"
    r"stay (?:length|duration)s?)\b"
)  # fmt: skip
_AVERAGED = said_so(
    r"\b(?P<fold>average|avg|mean|typical|median) (?:number of |count of )?(?:room )?nights",
    rf"(?: (?:per|for each|for every|a|in a) {_ROWS})?\b",
)
_IN_ALL = said_so(
    r"\b(?:how many (?:room )?nights (?:(?:did|do|have|were|are|was) )?(?:(?:we|they|people|there|been) )*", _SOLD,
    r"(?: in total)?|(?:the )?total (?:number of )?(?:room )?nights(?: ", _SOLD, r")?|(?:room )?nights ", _SOLD, r")\b",
)  # fmt: skip
_PER_GROUP = said_so(
    r"^(?P<lead>\W*(?:show (?:me )?)?(?:number of )?)(?:room )?nights(?= (?:by|per|for each|in each) )"
)
_SIZE = r"(?P<size>\d+|one|two|three|four|five|six|seven|eight|nine|ten)"
_SO_MANY = said_so(rf"\b{_SIZE}(?: |-)nights? (?P<rows>{_ROWS})\b")
_OF_SO_MANY = said_so(
    r"\b(?P<of>of|lasting|that lasted|lasted|for|longer than|that were|were)"
    r"(?: (?P<bound>exactly|only|just|more than|less than|fewer than|longer than|over|under|at least|at most))?",
    rf" {_SIZE} nights?\b",
)
_SPEAKS = re.compile(r"\b(?:nights?|length|duration)\b", re.IGNORECASE)
"""Without one of these nothing is looked for in the model."""


def nights_as_days(question: str, metadata: Metadata) -> str:
    """A question about nights as one about the days between coming and going, where no column counts them."""
    ends = _stay(metadata) if _SPEAKS.search(question) else None
    if ends is None or _is_counted(metadata):
        return question
    days = f"days from {' to '.join(' '.join(metadata.parts(path)) for path in ends)}"
    for pattern in (_LENGTH, _AVERAGED):
        question = pattern.sub(lambda said: f"{_fold(said)} {days}", question)
    question = _PER_GROUP.sub(rf"\g<lead>total {days}", _IN_ALL.sub(f"total {days}", question))
    question = _SO_MANY.sub(lambda said: f"{said['rows']} lasting exactly {_size(said)} days", question)
    return _OF_SO_MANY.sub(_lasting, question)


def stayed_then(question: str, metadata: Metadata, now: datetime | None) -> str:
    """``who stayed in July``: who came then, whenever that was booked."""
    ends = _stay(metadata) if now is not None and _STAYED.search(question) else None
    if ends is None or now is None:
        return question
    coming, tokens = ends[0], tokenize(question)
    if metadata.times([coming.split(".", 1)[0]])[0] == coming:
        return question  # rows are dated by it anyway
    said = next(place for place, token in enumerate(tokens) if _STAYED.match(token.lower))
    behind = [period for period in find_periods(tokens, now) if said < period.first <= said + _NEAR]
    if not behind or behind[0].part is not None:
        return question
    place = tokens[behind[0].first].start
    return f"{question[:place]}with {' '.join(metadata.parts(coming))} {question[place:]}"


_STAYED = re.compile(r"\b(?:stay(?:s|ed|ing)?|slept)\b", re.IGNORECASE)
_NEAR = 6  # words from a stay to when it was


def _stay(metadata: Metadata) -> tuple[str, str] | None:
    """When somebody comes and goes, where one table alone says so."""
    cubes = [name for name, relation in metadata.catalog.relations.items() if relation.kind == "cube"]
    found = [ends for name in cubes if (ends := stay_in(metadata, name)) is not None]
    return found[0] if len(found) == 1 else None


def _is_counted(metadata: Metadata) -> bool:
    """Whether a column counts nights itself."""
    parts = (metadata.parts(path) for path in metadata.number_names.paths)
    return any(stem(each[-1]) == stem("nights") and "per" not in each for each in parts if each)


def _fold(said: re.Match[str]) -> str:
    fold = (said["fold"] or "average").lower()
    return EXTREMES.get(fold, fold)


def _size(said: re.Match[str]) -> str:
    word = said["size"].lower()
    return word if word.isdigit() else f"{number_word(word) or 0:g}"


def _lasting(said: re.Match[str]) -> str:
    """``bookings for three nights``: those that lasted so long, exactly where no bound is said."""
    of = said["of"].lower()
    bound = said["bound"] or ("more than" if of == "longer than" else "exactly")
    verb = of if of in ("lasted", "that lasted", "lasting") else "lasting"
    return f"{verb} {bound} {_size(said)} days"
