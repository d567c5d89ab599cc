"""``average monthly spend``: what is spent in a month on average, and not the average of each time it was spent."""

from __future__ import annotations

from .... import patterns as re
from ..schema.masses import is_what_is_won, mass_called
from ..schema.metadata import Metadata
from ..schema.money import taken_in
from ..turning.rules import said_so
from ..words.numbers import dimension_of, exact_unit
from ..words.text import Token, singular, tokenize

__all__ = ["summed_each_month"]

_UNITS = {
    "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year",
    "annual": "year",
}  # fmt: skip
_SMALL = r"(?!(?:by|per|of|for|in|from|since|at|over|on|with|where|between|this|last|and|vs|compared|each|every)\b)"
_EACH = said_so(
    r"\b(?:average|mean|typical|usual|avg\.?)(?: total)? ",
    r"(?P<unit>hourly|daily|weekly|monthly|quarterly|yearly|annual) ",
    rf"(?P<what>{_SMALL}[\w-]+(?: {_SMALL}[\w-]+){{0,2}})",
)
_TAKEN = frozenset("revenue turnover takings proceeds earnings income sales spend spending billing billings".split())
_ADDED = frozenset("mass volume".split())
_MASSES = frozenset("kwh mwh wh hour".split())
_SUMMED = frozenset(
    "revenue turnover takings proceeds earnings income sales spend spending billing amount cost expense expenditure "
    "usage use consumption production output yield volume mileage rainfall".split()
)


def summed_each_month(question: str, metadata: Metadata) -> str:
    """The question with the average of the sums of each unit of time, where a number is one that adds up."""
    said = _EACH.search(question)
    if said is None or said["unit"].lower() in _own_words(metadata):
        return question
    number = _adding_up(tokenize(said["what"]), metadata)
    if not number:
        return question
    unit = _UNITS[said["unit"].lower()]
    return f"{question[: said.start()]}average total {number} per {unit}{_by_each(question[said.end() :])}"


_PER = re.compile(r"^\s+(?:per|for each|of each)\b", re.IGNORECASE)


def _by_each(rest: str) -> str:
    return _PER.sub(" by", rest, count=1)


def _own_words(metadata: Metadata) -> set[str]:
    """The words that members are called by: a *monthly rent* is one of its own."""
    return {part for path in metadata.members for part in metadata.parts(path)}


def _adding_up(words: list[Token], metadata: Metadata) -> str:
    """The words for a number that adds up, where there is one that is called so."""
    stems = tuple(token.stem for token in words)
    paths = [path for path in metadata.number_names.called.get(stems, ()) if _is_of_rows(path, metadata)]
    if len(words) == 1 and is_what_is_won(metadata, words[0].lower):
        won = mass_called(metadata, words[0].lower)
        return " ".join(metadata.parts(won)) if won is not None else ""
    noun = singular(words[-1].lower)
    if not paths:
        taken = taken_in(metadata) if len(words) == 1 and {noun, words[-1].lower} & _TAKEN else None
        return " ".join(part for part in metadata.parts(taken) if part != "total") if taken is not None else ""
    sums = all(_adds_up(path, noun, metadata) for path in paths)
    return " ".join(token.text for token in words) if sums else ""


def _is_of_rows(path: str, metadata: Metadata) -> bool:
    return metadata.relation(path.split(".", 1)[0]).kind == "cube"


def _adds_up(path: str, noun: str, metadata: Metadata) -> bool:
    """Whether a number is of what adds up: money that was paid, what was used, hours that were worked."""
    if noun in _SUMMED or f"{noun}s" in _SUMMED:
        return True
    unit = exact_unit(metadata.parts(path)[-1]) or ""
    return singular(noun) in _MASSES or bool(unit) and (dimension_of(unit) in _ADDED or unit in _MASSES)
