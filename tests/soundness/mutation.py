"""Statements broken in a few places: what a parser and its checks must take or refuse, and never let through."""

from __future__ import annotations

import random
import re

__all__ = ["mutate"]

_TOKENS = re.compile(r"'[^']*'|\"[^\"]*\"|\d+\.\d+|\w+|<=|>=|<>|\|\||::|[^\w\s]")
_INTRUDERS = (
    "NULL", "*", "()", "(", ")", ",", ".", "'", '"', ";", "--", "/*", "1", "-1", "''", "SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY",
    "HAVING", "LIMIT", "OFFSET", "UNION", "EXCEPT", "WITH", "AS", "ON", "JOIN", "CROSS JOIN", "DISTINCT", "OVER", "OVER ()", "MEASURE",
    "count", "email", "internal_note", "orders", "customers", "raw", "secrets", "t", "x1", "CASE", "WHEN", "END", "IN", "NOT", "IS", "LIKE",
    "BETWEEN", "AND", "OR", "CAST", "INTERVAL", "DATE", "TRUE", "ALL", "ANY", "EXISTS", "FILTER", "PARTITION BY", "ROWS", "::", "||", "[1]",
    "{", "}", "$1", ":p", "?", "@", "\u200b", "\x00", "é", "LATERAL", "USING", "NATURAL", "RECURSIVE", "VALUES", "INTO", "QUALIFY",
)  # fmt: skip


def _sort(token: str) -> tuple[bool, bool, bool]:
    """Keywords are written in capitals here, names are not."""
    return token[0].isalpha(), token.islower(), token[0] in "'\"0123456789"


def mutate(sql: str, rng: random.Random) -> str:
    """Break a statement in a few places: drop, double, swap or replace pieces of it."""
    tokens = _TOKENS.findall(sql)
    for _ in range(rng.choice([1, 1, 2, 3])):
        at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        form = rng.randrange(24)
        alike = [n for n, token in enumerate(tokens) if _sort(token) == _sort(tokens[at])]
        if form >= 15:
            tokens[at] = tokens[rng.choice(alike)]
        elif form >= 6:
            swapped = rng.choice(alike)
            tokens[at], tokens[swapped] = tokens[swapped], tokens[at]
        elif form == 0:
            del tokens[at]
        elif form == 1:
            tokens.insert(at, tokens[other])
        elif form == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif form == 3:
            tokens[at] = rng.choice(_INTRUDERS)
        elif form == 4:
            tokens.insert(at, rng.choice(_INTRUDERS))
        else:
            low, high = sorted((at, other))
            tokens[low:high] = tokens[low:high][: rng.randrange(6)]
        if not tokens:
            return ""
    return " ".join(tokens)
