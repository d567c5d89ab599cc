"""*Orders over 300*, *unpaid tickets above 100 in May*: rows that are bounded by a number alone, which is theirs."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import singular

__all__ = ["bounds_of_rows", "headline_of"]

_BARE = said_so(
    r"\b(?P<rows>[a-z]{3,}s) (?:(?:that are|which are|worth|of) )?"
    r"(?P<bound>over|above|under|below|more than|less than|at least|exceeding) (?P<number>\d[\d,.]*)"
    r"(?P<end>(?: (?:in|on|at|by|per|for|from|during|last|this|and|each)\b.*)?\W*)$"
)
_HAVING = said_so(r"\b(?:with|having|have|has|had|whose|where)(?: [a-z]+)? $")  # groups by how many rows they have
_YEARS = range(1900, 2100)


def bounds_of_rows(question: str, metadata: Metadata) -> str:
    """A question for rows beyond a number that nothing is said of, as one for those whose headline is beyond it."""
    said = _BARE.search(question)
    if said is None or _is_year(said["number"]) or _HAVING.search(question[: said.start()]):
        return question
    rows = [name for name in metadata.catalog.relations if _are(said["rows"], name, metadata)]
    number = headline_of(rows[0], metadata) if len(rows) == 1 else None
    if number is None:
        return question
    told = f"{said['rows']} with {' '.join(metadata.parts(number))} {said['bound']} {said['number']}"
    return f"{question[: said.start()]}{told}{said['end']}"


def _is_year(number: str) -> bool:
    return number.isdigit() and int(number) in _YEARS


def _are(noun: str, relation: str, metadata: Metadata) -> bool:
    words = metadata.words_of(relation)
    return bool(words) and singular(noun.lower()) == singular(words[-1])


def headline_of(relation: str, metadata: Metadata) -> str | None:
    """The column that what rows are mostly asked for adds up."""
    path = f"{relation}.{(metadata.relation(relation).meta or {}).get('headline')}"
    measure = metadata.members.get(path)
    column = path.replace(".total_", ".", 1)
    return column if measure is not None and column in metadata.members and metadata.is_number(column) else None
