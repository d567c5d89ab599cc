"""Everyday wordings in the words that names have: *how far is it*, *left early*, *older than 20 years*, *over 2013*."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from ...schema.metadata import Metadata
from ...words.rewriting import Found, rewritten
from ...words.text import Token
from .amounts import how_far, how_long, how_often, on_average, per_row, share_so, weather
from .rows import everywhere, got, same_kind, who
from .times import late, leaving, of_the_year, older, over_a_year
from .wording import Wording

__all__ = ["in_everyday_words"]


def in_everyday_words(
    tokens: Sequence[Token], metadata: Metadata, now: datetime, default_year: int | None
) -> list[Token]:
    """The tokens with what people say every day in the words that the model's names have.

    Each wording is put otherwise only where the model has exactly what it speaks of, and where no name or value of the
    model is written so.
    """
    wording = Wording(tokens, metadata, now, default_year)
    return rewritten(
        tokens, lambda place, _: next((made for rule in _RULES if (made := rule(wording, place)) is not None), None)
    )


_RULES: Sequence[Callable[[Wording, int], Found | None]] = (
    weather, everywhere, same_kind, share_so, on_average, over_a_year, of_the_year, how_far, how_long,
    how_often, leaving, late, older, per_row, got, who,
)  # fmt: skip
