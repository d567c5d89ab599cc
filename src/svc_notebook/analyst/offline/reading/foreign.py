"""Statements of other languages: SQL that changes or reads tables, and code, are no questions."""

from __future__ import annotations

from .... import patterns as re

__all__ = ["is_statement"]

_THINGS = "table|view|database|schema|index|user|role|function|column"
_STATEMENT = re.compile(
    rf"""^\s*(?:
      (?:drop|truncate|alter)\s+(?:{_THINGS})\s+(?:if\s+exists\s+)?["`\w.]+
    | create\s+(?:or\s+replace\s+)?(?:temp\w*\s+)?(?:{_THINGS})\s+["`\w.]+\s*(?:\(|as\s+select\b)
    | delete\s+from\s+["`\w.]+
    | insert\s+into\s+["`\w.]+
    | merge\s+into\s+["`\w.]+
    | update\s+["`\w.]+\s+set\s+["`\w.]+\s*=
    | select\s+(?:\*|[^?]*[(*][^?]*)\s*from\s+["`\w.]+
    | with\s+\w+\s+as\s*\(
    | grant\s+\w+\s+on\s
    | from\s+[\w.]+\s+import\s
    | import\s+[\w.]+\s*(?:;|$|\n|as\s)
    | (?:async\s+)?def\s+\w+\s*\(
    | for\s+\w+\s+in\s+[\w.]+\s*\(
    | (?:const|let|var)\s+\w+\s*=
    | function\s*\w*\s*\(
    | (?:print|console\.log|eval|exec|system)\s*\(
    | <\s*(?:script|\?php|!doctype|html)\b
    | \#!\s*/
    | (?:sudo\s+\w|rm\s+-\w)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BEHIND = re.compile(
    rf";\s*(?:(?:drop|truncate|alter)\s+(?:{_THINGS})\b|delete\s+from\b|insert\s+into\b|update\s+\w+\s+set\b)",
    re.IGNORECASE,
)


def is_statement(text: str) -> bool:
    """Whether a text is a statement in another language rather than a question (``DROP TABLE t``, ``print(x)``)."""
    return bool(_STATEMENT.match(text) or _BEHIND.search(text))
