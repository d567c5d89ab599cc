"""Rows by the number that speaks for them, where none is said: *orders over 300*, *unpaid tickets above 100 in May*,
*unpaid amount by ward*.
"""

from __future__ import annotations

from .... import patterns as re
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..turning.rules import said_so
from ..words.text import singular, stem, tokenize

__all__ = ["by_headline"]

_BARE = said_so(
    r"\b(?P<rows>[a-z]{3,}s) (?:(?:that are|which are|worth|of) )?"
    r"(?P<bound>over|above|under|below|more than|less than|at least|exceeding) (?P<number>\d[\d,.]*)"
    r"(?P<end>(?: (?:in|on|at|by|per|for|from|during|last|this|and|each)\b.*)?\W*)$"
)
_HAVING = said_so(r"\b(?:with|having|have|has|had|whose|where)(?: [a-z]+)? $")  # groups by how many rows they have
_SO = said_so(
    r"^\W*(?:(?:what (?:is|was)|what's|show(?: me)?|the|total|sum of) )*(?P<state>[a-z]{3,}) amounts?"
    r"(?P<rest>(?: (?:by|per|in|for|each|last|this|during) .+)?\W*)$"
)
_YEARS = range(1900, 2100)


def by_headline(question: str, metadata: Metadata) -> str:
    """A question for rows beyond a bare number, or for an amount in some state, by what speaks for the rows."""
    said = _SO.match(question)
    return _bounded(_amount_so(said, metadata) if said is not None else question, metadata)


def _bounded(question: str, metadata: Metadata) -> str:
    said = _BARE.search(question)
    if said is None or _is_year(said["number"]) or _HAVING.search(question[: said.start()]):
        return question
    rows = [name for name in metadata.catalog.relations if _are(said["rows"], name, metadata)]
    number = metadata.headline_number(rows[0]) if len(rows) == 1 else None
    if number is None:
        return question
    told = f"{said['rows']} with {' '.join(metadata.parts(number))} {said['bound']} {said['number']}"
    return f"{question[: said.start()]}{told}{said['end']}"


def _amount_so(said: re.Match[str], metadata: Metadata) -> str:
    """``unpaid amount by ward``: the headline of the rows that are in that state, where no number is called so."""
    state, numbers = said["state"].lower(), [path for path in metadata.members if metadata.is_number(path)]
    if any(stem(state) in map(stem, metadata.parts(path)) for path in numbers):
        return said.string
    found = {value.member.split(".", 1)[0] for value in metadata.values.find(tokenize(state), 0)}
    number = metadata.headline_number(next(iter(found))) if len(found) == 1 else None
    if number is None:
        return said.string
    rows = plural(" ".join(metadata.words_of(number.split(".", 1)[0])))
    return f"total {' '.join(metadata.parts(number))} of {state} {rows}{said['rest']}"


def _is_year(number: str) -> bool:
    return number.isdigit() and int(number) in _YEARS


def _are(noun: str, relation: str, metadata: Metadata) -> bool:
    words = metadata.words_of(relation)
    return bool(words) and singular(noun.lower()) == singular(words[-1])
