"""Medians and continuous percentiles in the model author's SQL lie between two values, as those of a query do.

The engine gives the middle of two decimals as many digits as they have themselves: 28.57 between 2.01 and 55.14. The
text is kept as written but for a cast around what is ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlglot import Token, TokenType
from sqlglot.dialects import DuckDB
from sqlglot.errors import SqlglotError

from ...dialects import duckdb as say

__all__ = ["widened"]

# DuckDB takes what lies between two decimals in the decimals' own digits: of 1.0 and 1.1 it answers 1.0.
_OF_FIRST = {"MEDIAN", "QUANTILE_CONT"}
_OF_ORDER = {"PERCENTILE_CONT"}
_OPEN = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSED = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
_ENDS = {"ASC", "DESC", "NULLS", "ORDER"}
# sqlglot's tokenizer makes one token of ORDER BY.
_ORDERED_BY = ("WITHIN", "GROUP", "(", "ORDER BY")


def widened(text: str, is_number: Callable[[str], bool]) -> str:
    """The expression with the numbers that such aggregates order as doubles; one that is not read is left as it is."""
    if not any(name in text.upper() for name in _OF_FIRST | _OF_ORDER):
        return text
    try:
        tokens = list(DuckDB().tokenize(text))
    except SqlglotError:
        return text
    for start, end in sorted(_ordered(tokens), reverse=True):
        value = text[start:end]
        if is_number(value):
            text = f"{text[:start]}{say.cast(value, say.DOUBLE)}{text[end:]}"
    return text


def _ordered(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where what each such aggregate orders begins and ends."""
    for at, token in enumerate(tokens[:-1]):
        if tokens[at + 1].token_type is not TokenType.L_PAREN:
            continue
        name, first = token.text.upper(), at + 2
        if name in _OF_ORDER:
            after = _end(tokens, first, set()) + 1
            if tuple(t.text.upper() for t in tokens[after : after + 4]) != _ORDERED_BY:
                continue
            first = after + 4
        elif name not in _OF_FIRST:
            continue
        first += first < len(tokens) and tokens[first].token_type is TokenType.DISTINCT
        last = _end(tokens, first, _ENDS) - 1
        if first <= last < len(tokens):
            yield tokens[first].start, tokens[last].end + 1


def _end(tokens: Sequence[Token], at: int, words: set[str]) -> int:
    """The place of the comma, word or closing bracket that ends what begins at ``at``."""
    depth = 0
    while at < len(tokens):
        token = tokens[at]
        if depth == 0 and (
            token.token_type in _CLOSED
            or (words and (token.token_type is TokenType.COMMA or token.text.upper().split(" ")[0] in words))
        ):
            return at
        depth += (token.token_type in _OPEN) - (token.token_type in _CLOSED)
        at += 1
    return at
