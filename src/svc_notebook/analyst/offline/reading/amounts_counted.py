"""*How many fines were paid in March* of a ``fine_amount``: the rows, since nobody asks for money by how many; *unpaid
amount by ward*: the amount of the rows that are so.
"""

from __future__ import annotations

from .... import patterns as re
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..turning.rules import said_so
from ..words.text import singular, stem, tokenize
from .bounds_of_rows import headline_of

__all__ = ["amounts_counted"]

_MANY = said_so(
    r"\b(?P<many>how many|number of|(?:the|get|gets|got|gives|gave|has|had|have|issued|issues) (?:most|fewest)"
    r"|(?:share|percentage|proportion|percent) of(?: all)?"
    r"(?= [a-z]+ (?:that|which|with|who|were|are|was|is|not|un[a-z]+|paid|[a-z]+ed)\b)) (?P<noun>[a-z]{3,}s)\b"
)
_SO = said_so(
    r"^(?P<head>\W*(?:(?:what (?:is|was)|what's|show(?: me)?|the|total|sum of) )*)(?P<state>[a-z]{3,}) amounts?"
    r"(?P<rest>(?: (?:by|per|in|for|each|last|this|during) .+)?\W*)$"
)
_AMOUNTS = frozenset({"amount", "sum"})  # the price of a ticket is no reason to count rows


def amounts_counted(question: str, metadata: Metadata) -> str:
    """A question for how many of what a number is the amount of, as one for the rows."""
    said = _SO.match(question)
    return _MANY.sub(lambda said: _counted(said, metadata), _amount_so(said, metadata) if said else question)


def _amount_so(said: re.Match[str], metadata: Metadata) -> str:
    """``unpaid amount by ward``: the headline of the rows that are in that state, where no number is called so."""
    state, numbers = said["state"].lower(), [path for path in metadata.members if metadata.is_number(path)]
    if any(stem(state) in map(stem, metadata.parts(path)) for path in numbers):
        return said.string
    found = {value.member.split(".", 1)[0] for value in metadata.values.find(tokenize(state), 0)}
    number = headline_of(next(iter(found)), metadata) if len(found) == 1 else None
    if number is None:
        return said.string
    rows = plural(" ".join(metadata.words_of(number.split(".", 1)[0])))
    return f"total {' '.join(metadata.parts(number))} of {state} {rows}{said['rest']}"


def _counted(said: re.Match[str], metadata: Metadata) -> str:
    noun = singular(said["noun"].lower())
    relations = metadata.catalog.relations
    if any(noun in map(singular, metadata.words_of(name)) for name in relations):
        return said[0]
    held = [
        path for path, member in metadata.members.items() if member.kind == "dimension" and metadata.is_number(path)
    ]
    rows = {path.split(".", 1)[0] for path in held if _is_amount_of(noun, metadata.parts(path))}
    if len(rows) != 1:
        return said[0]
    return f"{said['many']} {plural(' '.join(metadata.words_of(rows.pop())))}"


def _is_amount_of(noun: str, parts: tuple[str, ...]) -> bool:
    return len(parts) > 1 and parts[0] == noun and set(parts[1:]) <= _AMOUNTS
