"""SQL without its comments: what an author noted beside it is no part of what it is put into."""

from __future__ import annotations

from ... import patterns as re

__all__ = ["without_comments"]

_PIECES = re.compile(
    # Texts come first in the choice, so that -- inside of one is passed over with it; $$…$$ is a text of PostgreSQL.
    r"""[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$).*?\1|(?P<comment>--[^\n]*|/\*.*?\*/)""",
    re.DOTALL,
)


def without_comments(sql: str) -> str:
    """The SQL with a blank for each comment; texts and quoted names keep what looks like one.

    For the dialects in which a backslash says nothing in a plain text.
    """
    if "--" not in sql and "/*" not in sql:
        return sql
    return _PIECES.sub(lambda found: " " if found["comment"] else found[0], sql)
