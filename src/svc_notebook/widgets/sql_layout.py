"""SQL laid out as people write it: a line for each clause, and one for each item of a longer list.

Only white space outside of literals, names and comments changes. What holds line breaks already was laid out by
somebody and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["laid_out"]

_WIDTH = 88
_TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/|\w+|\s+|.", re.DOTALL)
_CLAUSE = re.compile(
    r"(?:SELECT|FROM|WHERE|HAVING|LIMIT|OFFSET|QUALIFY|WINDOW|GROUP\s+BY|ORDER\s+BY|UNION(?:\s+ALL)?|INTERSECT|EXCEPT"
    r"|(?:(?:LEFT|RIGHT|FULL|INNER|CROSS)\s+(?:OUTER\s+)?)?JOIN)\b",
    re.IGNORECASE,
)


def laid_out(sql: str) -> str:
    """The query with its clauses on lines of their own; short ones and those that have lines stay as they are."""
    text = sql.strip()
    if "\n" in text or len(text) <= _WIDTH // 2:
        return text
    return "\n".join(line for clause in _clauses(text) for line in _lines(clause))


def _clauses(text: str) -> Iterator[str]:
    """The text cut before every clause that stands outside of brackets."""
    start = depth = 0
    at = 0
    while at < len(text):
        if depth == 0 and at > start and (found := _CLAUSE.match(text, at)) is not None:
            yield text[start:at].strip()
            start, at = at, found.end()
            continue
        token = _TOKEN.match(text, at)
        assert token is not None
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        at = token.end()
    yield text[start:].strip()


def _lines(clause: str) -> Iterator[str]:
    if len(clause) <= _WIDTH:
        yield clause
        return
    head = _CLAUSE.match(clause)
    items = list(_items(clause[head.end() :] if head else clause))
    if head is None or len(items) == 1:
        yield clause
        return
    yield head[0]
    for item in items[:-1]:
        yield f"  {item},"
    yield f"  {items[-1]}"


def _items(text: str) -> Iterator[str]:
    start = depth = 0
    for token in _TOKEN.finditer(text):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if token[0] == "," and depth == 0:
            yield text[start : token.start()].strip()
            start = token.end()
    yield text[start:].strip()
