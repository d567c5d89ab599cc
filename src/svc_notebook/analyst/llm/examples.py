"""Certified queries as examples: those most like the question, of which the asker may see every member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...semantic.errors import SemanticError
from ..certified import CertifiedQuery, content_words

if TYPE_CHECKING:
    from ..toolbox import Toolbox

__all__ = ["like"]

_SHOWN = 3
_LEAST = 0.2


async def like(question: str, queries: Sequence[CertifiedQuery], toolbox: Toolbox) -> list[CertifiedQuery]:
    """The few of ``queries`` that share most words with ``question``, the likest first.

    One that the asker could not run is none: its SQL would tell what they may not see.
    """
    wanted = content_words(question)
    near = sorted(((_likeness(wanted, query), query) for query in queries), key=lambda pair: -pair[0])
    shown: list[CertifiedQuery] = []
    for likeness, query in near:
        if likeness < _LEAST or len(shown) == _SHOWN:
            break
        try:
            await toolbox.think(toolbox.sight.compile, query.sql, timezone=toolbox.timezone)
        except SemanticError:
            continue
        shown.append(query)
    return shown


def _likeness(wanted: frozenset[str], query: CertifiedQuery) -> float:
    """The share of words that both have, of all that either has; of the way it is asked that is nearest."""
    ways = [content_words(text) for text in (query.question, query.title, *query.also) if text]
    return max((len(wanted & way) / len(wanted | way) for way in ways if wanted | way), default=0.0)
