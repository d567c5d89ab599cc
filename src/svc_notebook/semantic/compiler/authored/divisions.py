"""Divisions in the model author's SQL give NULL for zero, as those of a query do.

The engine gives infinity or NaN for floating divisions, which come first in a descending order and pass a HAVING.
The text is kept as written but for a NULLIF around what is divided by.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import Token, TokenType
from sqlglot.dialects import DuckDB
from sqlglot.errors import SqlglotError

__all__ = ["guarded"]

_PAIRS = {TokenType.L_PAREN: TokenType.R_PAREN, TokenType.L_BRACKET: TokenType.R_BRACKET, TokenType.CASE: TokenType.END}
_NOT_FIRST = {
    TokenType.R_PAREN,
    TokenType.R_BRACKET,
    TokenType.COMMA,
    TokenType.SLASH,
    TokenType.STAR,
    TokenType.SELECT,
}
_SUFFIXES = ("FILTER", "OVER")


def guarded(text: str) -> str:
    """The expression with ``a / b`` as ``a / NULLIF(b, 0)``; one that is not read is left as it is."""
    try:
        tokens = list(DuckDB().tokenize(text)) if "/" in text else []
    except SqlglotError:
        return text
    edits: list[tuple[int, str]] = []
    for at, token in enumerate(tokens):
        if token.token_type is not TokenType.SLASH or at + 1 == len(tokens) or _is_safe(tokens[at + 1]):
            continue
        last = _end(tokens, at + 1)
        if last is not None:
            edits += [(tokens[at + 1].start, "NULLIF("), (tokens[last].end + 1, ", 0)")]
    for place, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
        text = text[:place] + new + text[place:]
    return text


def _is_safe(token: Token) -> bool:
    number = token.token_type is TokenType.NUMBER and any(c in "123456789" for c in token.text)
    # A divisor that is a constant other than 0, or guarded by its author, stays as it was written.
    return number or token.text.upper() == "NULLIF"


def _end(tokens: Sequence[Token], at: int) -> int | None:
    """The last token of the operand that begins at ``at``."""
    # a / -b: the sign belongs to the operand.
    while at < len(tokens) and tokens[at].token_type in (TokenType.DASH, TokenType.PLUS):
        at += 1
    if at >= len(tokens) or tokens[at].token_type in _NOT_FIRST:
        return None
    end: int | None = _closing(tokens, at) if tokens[at].token_type in _PAIRS else at
    while end is not None and end + 1 < len(tokens):
        following = tokens[end + 1]
        if following.token_type in (TokenType.DOT, TokenType.DCOLON) and end + 2 < len(tokens):
            end += 2
        elif following.token_type in (TokenType.L_PAREN, TokenType.L_BRACKET):
            end = _closing(tokens, end + 1)
        elif following.text.upper() in _SUFFIXES and end + 2 < len(tokens):
            end += 1
        else:
            break
    return end


def _closing(tokens: Sequence[Token], at: int) -> int | None:
    opening, closing = tokens[at].token_type, _PAIRS[tokens[at].token_type]
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].token_type is opening) - (tokens[place].token_type is closing)
        if depth == 0:
            return place
    return None
