"""Aggregates that the model's author wrote out (``SUM(COALESCE(x, 1)) / COUNT(*)``): found, taken apart, held to rows.

Each is evaluated over the rows it belongs to, as if it were a measure of its own; where a join found no row there is
nothing to sum and nothing to count, whatever the expression makes of NULL.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.errors import SqlglotError

from ...references import Reference, substitute

__all__ = ["among", "apart", "held"]

# Spelt as a reference in braces, so that what places the author's references places these as well.
_AGGREGATE = "svc_aggregate_"
# exp.func() takes these for functions it does not know: sqlglot parses them by rules of their own.
_OWN_GRAMMAR = frozenset({"STRING_AGG", "GROUP_CONCAT", "LISTAGG"})


@lru_cache(maxsize=8_192)  # measures are few, and taken apart again by every query
def apart(text: str) -> tuple[str, tuple[str, ...]] | None:
    """``text`` with a reference in place of each aggregate, and those; None where they are nested or in windows.

    :func:`held` tells which of them a reference is.
    """
    flat, kept = _held(text)
    tokens = sqlglot.tokenize(flat, read="duckdb")
    spans = [(tokens[at].start, _end(tokens, at)) for at in _aggregates(tokens)]
    after = [end for _, end in spans]
    nested = any(one[0] < other[0] < tokens[one[1]].end for one in spans for other in spans)
    if nested or not spans or any(_is(tokens, end + 1, "OVER") for end in after):
        return None
    found: list[str] = []
    # From the back, so that the places found before stay right.
    for start, end in reversed(spans):
        stop = tokens[end].end + 1
        found.append(_given(flat[start:stop], kept))
        flat = f"{flat[:start]}{{{_AGGREGATE}{len(spans) - len(found)}}}{flat[stop:]}"
    return _given(flat, kept), tuple(reversed(found))


def held(reference: Reference) -> int | None:
    """Which aggregate of a text that was taken apart stands here; None for what the author refers to."""
    name = reference.path[0]
    return int(name.removeprefix(_AGGREGATE)) if name.startswith(_AGGREGATE) else None


@lru_cache(maxsize=8_192)
def among(text: str, condition: str) -> str:
    """``text`` with ``FILTER (WHERE condition)`` at each aggregate; those of nested queries are left alone."""
    flat, kept = _held(text)
    tokens = sqlglot.tokenize(flat, read="duckdb")
    edits: list[tuple[int, str]] = []
    for at in _aggregates(tokens):
        end = _end(tokens, at)
        if inside := next((i for i in range(at, end) if _is(tokens, i, "FILTER") and _close(tokens, i + 1) == end), 0):
            edits += [(tokens[inside + 2].end + 1, f" {condition} AND ("), (tokens[end].start, ")")]
        else:
            edits.append((tokens[end].end + 1, f" FILTER (WHERE {condition})"))
    for place, new in sorted(edits, reverse=True):
        flat = flat[:place] + new + flat[place:]
    return _given(flat, kept)


def _held(text: str) -> tuple[str, list[str]]:
    """References replaced by words, so that the rest can be read as SQL."""
    kept: list[str] = []

    def hold(reference: object) -> str:
        kept.append(str(reference))
        # The x ends the number: with digits of the author's next to it, svcref1 would be read as svcref12.
        return f"svcref{len(kept) - 1}x"

    return substitute(text, hold), kept


def _given(flat: str, kept: list[str]) -> str:
    return re.sub(r"\bsvcref(\d+)x\b", lambda found: kept[int(found[1])], flat)


def _end(tokens: list[Token], at: int) -> int:
    """The last token of the aggregate at ``at``, with WITHIN GROUP (…) and FILTER (…)."""
    end = _close(tokens, at + 1)
    if _is(tokens, end + 1, "WITHIN"):
        end = _close(tokens, end + 3)
    return _close(tokens, end + 2) if _is(tokens, end + 1, "FILTER") else end


def _aggregates(tokens: list[Token]) -> list[int]:
    """Where aggregates stand, outside nested queries."""
    found: list[int] = []
    at = 0
    while at < len(tokens):
        # A nested query aggregates rows of its own, over which the condition has no meaning.
        if tokens[at].token_type == TokenType.L_PAREN and _is(tokens, at + 1, "SELECT"):
            at = _close(tokens, at)
        elif at + 1 < len(tokens) and tokens[at + 1].token_type == TokenType.L_PAREN and _aggregate(tokens[at].text):
            found.append(at)
        at += 1
    return found


def _is(tokens: list[Token], at: int, word: str) -> bool:
    return at < len(tokens) and tokens[at].text.upper() == word


def _close(tokens: list[Token], at: int) -> int:
    """The parenthesis that closes the one at ``at``."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(tokens[i].token_type, 0)
        if not depth:
            return i
    return len(tokens) - 1


@lru_cache(maxsize=1000)
def _aggregate(name: str) -> bool:
    if name.upper() in _OWN_GRAMMAR:
        return True
    # Some aggregates are known to sqlglot with two arguments only, such as CORR or ARG_MAX.
    for arguments in (("x",), ("x", "y")):
        with suppress(SqlglotError, ValueError, TypeError, IndexError):
            if isinstance(exp.func(name, *map(exp.column, arguments), dialect="duckdb"), exp.AggFunc):
                return True
    return False
