"""The tokens of a question, in the words that the names of the model are made of."""

from __future__ import annotations

from datetime import datetime

from ..budget import Budget
from ..schema.metadata import Metadata
from ..words.days_listed import days_in_full
from ..words.spoken import joined, phrasal
from ..words.standing_in_order import in_order
from ..words.text import Token, tokenize
from .coded import codes_as_words
from .everyday import in_everyday_words, with_flows
from .idioms import named_plainly
from .other_time import of_other_time
from .own_nouns import with_own_nouns
from .shared_heads import with_heads
from .slips import without_slips
from .somebody import with_how_many

__all__ = ["worded"]


def worded(
    question: str, metadata: Metadata, now: datetime, default_year: int | None, budget: Budget | None
) -> list[Token]:
    """What the rules and the forms read alike; a text too long for a question is refused before any of it is.

    Raises
    ------
    ReadingTooLong
        If it has more words than the budget admits.
    """
    tokens = tokenize(
        in_order(days_in_full(question)), lambda word: word in metadata.values.first or word in metadata.vocabulary
    )
    # Before any rule looks at it: each of them goes over all words.
    (budget or Budget()).admit(len(tokens))
    # Codes first, as everything behind takes numbers for numbers; everyday wordings last, over the names as they then
    # stand.
    tokens = with_flows(tokens, metadata, now)
    tokens = phrasal(joined(codes_as_words(tokens, metadata)), metadata.vocabulary)
    tokens = with_own_nouns(without_slips(tokens, metadata), metadata)
    tokens = named_plainly(tokens, metadata.amount_words, metadata.measured_by, metadata.late_by)
    tokens = with_how_many(of_other_time(with_heads(tokens, metadata), metadata), metadata)
    return in_everyday_words(tokens, metadata, now, default_year)
