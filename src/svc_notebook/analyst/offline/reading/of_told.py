"""A question about one of the rows that were just described: *which one is the highest*, after what there is to ask."""

from __future__ import annotations

from collections.abc import Sequence

from ...base import PastTurn
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import singular, tokenize
from .called import tables_called

__all__ = ["of_told"]

_ONE = said_so(r"^(?:and |so |ok )*(?P<ask>which|what) (?:one|ones|of them) (?P<rest>\w.*)$")


def of_told(question: str, history: Sequence[PastTurn], metadata: Metadata) -> str:
    """The question with the noun that the turn before it was about, where that was told of without a query."""
    said = _ONE.match(question)
    if said is None or not history:
        return question
    before = history[-1]
    if before.memory.get("reading") or before.memory.get("pending") or before.memory.get("choices"):
        return question
    named = {tuple(found): token.lower for token in tokenize(before.question)
             if token.kind == "word" and (found := tables_called(token.lower, metadata))}  # fmt: skip
    if len(named) != 1:
        return question
    [noun] = named.values()
    return f"{said['ask']} {singular(noun)} {said['rest']}"
