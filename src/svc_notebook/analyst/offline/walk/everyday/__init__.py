"""Everyday wordings in the words that names have: *how far is it*, *left early*, *older than 20 years*, *over 2013*."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from ...schema.metadata import Metadata
from ...words.rewriting import Found, rewritten
from ...words.text import Token
from .amounts import (
    how_far,
    how_long,
    how_many_on_average,
    how_often,
    in_percent,
    named_extreme,
    on_average,
    ordered_by_amount,
    per_row,
    share_so,
    size_of_trade,
    weather,
    worth,
)
from .columns import columns_compared, more_of_one
from .deadlines import done_so, in_time, past_due
from .doings import (
    did,
    did_most,
    known_at_all,
    never_did,
    nobody_did,
    of_ours,
    on_file,
    over_whom,
    so_many_times,
    with_out,
)
from .joined import joined_by_deed, who_of_rows
from .judged import best_to
from .numbered import number_sign, numbered_row, total_number
from .only import of_these_alone
from .people import full_name, half_of_a_name, two_halves
from .per_each import each_has
from .rows import everywhere, got, more_of_two, same_kind, which_of_two, who
from .shares import shares_bounded
from .since import longest_here, since_when
from .times import how_late, late, leaving, of_the_year, older, over_a_year, so_late
from .ways import end_of_ways
from .with_extreme import with_extreme
from .wording import Wording

__all__ = ["in_everyday_words"]

_Rule = Callable[[Wording, int], Found | None]


def in_everyday_words(
    tokens: Sequence[Token], metadata: Metadata, now: datetime, default_year: int | None
) -> list[Token]:
    """The tokens with what people say every day in the words that the model's names have.

    Each wording is put otherwise only where the model has exactly what it speaks of, and where no name or value of the
    model is written so.
    """
    for rules in (_FRAMES, _RULES):
        wording = Wording(tokens, metadata, now, default_year)
        tokens = rewritten(tokens, partial(_first, rules, wording))
    return list(tokens)


def _first(rules: Sequence[_Rule], wording: Wording, place: int, _: Sequence[Token]) -> Found | None:
    return next((made for rule in rules if (made := rule(wording, place)) is not None), None)


_FRAMES: Sequence[_Rule] = (
    in_percent, which_of_two, more_of_two, best_to, each_has, shares_bounded, since_when, longest_here,
)  # fmt: skip


_RULES: Sequence[_Rule] = (
    with_extreme, number_sign, numbered_row, total_number, of_these_alone, columns_compared, more_of_one, who_of_rows,
    done_so, in_time, past_due, of_ours, on_file, did_most, over_whom, never_did, nobody_did, did, so_many_times,
    joined_by_deed, known_at_all, with_out, size_of_trade, worth,
    ordered_by_amount, named_extreme, weather, everywhere, same_kind, share_so, on_average, over_a_year, of_the_year,
    how_far, how_long, how_many_on_average, how_often, how_late, so_late, leaving, late, older, per_row, got, who,
    full_name, two_halves, half_of_a_name, end_of_ways,
)  # fmt: skip
