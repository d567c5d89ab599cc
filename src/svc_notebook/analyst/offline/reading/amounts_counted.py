"""*How many fines were paid in March* of a ``fine_amount``: the rows, since nobody asks for money by how many."""

from __future__ import annotations

from .... import patterns as re
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..turning.rules import said_so
from ..words.text import singular

__all__ = ["amounts_counted"]

_MANY = said_so(
    r"\b(?P<many>how many|number of|(?:the|gets?|got|ha[sd]|have) (?:most|fewest)"
    r"|(?:share|percentage|proportion|percent) of(?: all)?"
    r"(?= [a-z]+ (?:that|which|with|who|were|are|was|is|not|un[a-z]+|paid|[a-z]+ed)\b)) (?P<noun>[a-z]{3,}s)\b"
)
_AMOUNTS = frozenset({"amount", "sum"})  # the price of a ticket is no reason to count rows


def amounts_counted(question: str, metadata: Metadata) -> str:
    """A question for how many of what a number is the amount of, as one for the rows."""
    return _MANY.sub(lambda said: _counted(said, metadata), question)


def _counted(said: re.Match[str], metadata: Metadata) -> str:
    noun = singular(said["noun"].lower())
    if any(noun in map(singular, metadata.words_of(name)) for name in metadata.catalog.relations):
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
