"""The gate before the parser: length, characters, statement kind, nesting; then one parsed statement."""

from __future__ import annotations

import threading
import unicodedata
from typing import ClassVar

from sqlglot import TokenType, exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.errors import SqlglotError

from .... import patterns as re
from ...errors import NotAllowed, SqlSyntaxError, TooComplex

__all__ = ["WRITTEN", "parse_query", "read_query"]

WRITTEN = "written"
"""Under which a function keeps the name it was called by."""

MAX_LENGTH = 20_000
MAX_NODES = 5_000
MAX_DEPTH = 200
_FIRST = re.compile(r"(?:\s|\(|--[^\n]*\n|/\*.*?\*/)*([A-Za-z_]+)", re.DOTALL)
_PLAIN = re.compile(r"[ -~\t\n\r]*")
_TOLD = re.compile(r"['\"$`|()\[\]{}]")
_ONE = "Write one SELECT statement (it may begin with WITH)."


class _Asked(Postgres):
    """PostgreSQL's SQL, with NULLs sorted last in both directions, so that a top ten shows values, and ``//``."""

    NULL_ORDERING = "nulls_are_last"

    class Tokenizer(Postgres.Tokenizer):
        KEYWORDS: ClassVar[dict[str, TokenType]] = {**Postgres.Tokenizer.KEYWORDS, "//": TokenType.DIV}

    TIME_MAPPING: dict[str, str] = {}  # noqa: RUF012 - templates of times are read by time_formats, not by the parser


class _Reader(threading.local):
    """The parser of one thread: to make one takes as long as half a query, and it begins anew with each."""

    def __init__(self) -> None:
        dialect = _Asked()
        self.tokenizer, self.parser = dialect.tokenizer(), dialect.parser()

    def read(self, sql: str) -> list[exp.Expr | None]:
        return self.parser.parse(self.tokenizer.tokenize(sql), sql)


_reader = _Reader()


def parse_query(sql: str) -> exp.Query:
    """One query, or a refusal that says what is wrong.

    Raises
    ------
    SqlSyntaxError, NotAllowed, TooComplex
    """
    return read_query(sql)[0]


def read_query(sql: str) -> tuple[exp.Query, list[exp.Expr]]:
    """:func:`parse_query`, and all nodes of the query, in no order."""
    _check_characters(sql)
    first = _FIRST.match(sql)
    if first is not None and first[1].upper() not in ("SELECT", "WITH", "VALUES"):
        raise NotAllowed(f"'{first[1][:20]}' is not available. {_ONE}")
    try:
        statements = [s for s in _reader.read(sql) if s is not None]
    except SqlglotError as error:
        raise SqlSyntaxError(_syntax_message(error)) from None
    except (ValueError, TypeError, AttributeError, KeyError, IndexError):
        # The parser's own slips on malformed text; nothing has been run or generated yet.
        raise SqlSyntaxError(f"The text is not SQL as it is read here. {_ONE}") from None
    if len(statements) != 1:
        raise NotAllowed(
            f"There are {len(statements)} statements. {_ONE}" if statements else f"There is no statement. {_ONE}"
        )
    query = statements[0]
    if isinstance(query, exp.Values):
        query = exp.select("*").from_(query)
    if not isinstance(query, (exp.Select, exp.SetOperation, exp.Subquery)):
        raise NotAllowed(f"Only queries are answered. {_ONE}")
    return query, _checked_nodes(query, sql)


def _check_name(node: exp.Identifier, sql: str) -> None:
    """What the parser would let pass: a relation written as a text, and ``1_000``, read as ``1 AS _000``.

    Characters once more, as the parser read them: a quote in a comment ends no literal for it.
    """
    for c in () if _PLAIN.fullmatch(node.name) else node.name:
        if not _harmless(c):
            raise SqlSyntaxError(f"A character that cannot be seen (U+{ord(c):04X}) stands in a name.")
    start = node.meta.get("start")
    if not isinstance(start, int):
        return
    if sql[start] == "'" and isinstance(node.parent, exp.Table):
        raise SqlSyntaxError(f"'{node.name[:60]}' is a text; write a relation's name as it is, or in double quotes.")
    if start and "0" <= sql[start - 1] <= "9":
        raise SqlSyntaxError(f"A number ends before '{node.name[:20]}'; write digits alone, such as 1000.")


def _check_characters(sql: str) -> None:
    if not isinstance(sql, str):
        raise SqlSyntaxError("The query must be text.")
    if len(sql) > MAX_LENGTH:
        raise TooComplex(f"The query has {len(sql)} characters; at most {MAX_LENGTH} are read.")
    closing = ""
    depth = 0
    plain = _PLAIN.fullmatch(sql) is not None  # as nearly all are: only what opens, closes or is refused is looked at
    for i, c in ((found.start(), found[0]) for found in _TOLD.finditer(sql)) if plain else enumerate(sql):
        if closing:
            if c == closing:
                closing = ""
            elif closing == '"' and not _harmless(c):
                raise SqlSyntaxError(f"A character that cannot be seen (U+{ord(c):04X}) stands in a name.")
            elif c == "\0" or "\ud800" <= c <= "\udfff":
                raise SqlSyntaxError("A character that is no text stands in a literal.")
            continue
        if c in "'\"":
            closing = c
        elif not _harmless(c):
            raise SqlSyntaxError(f"A character that cannot be seen (U+{ord(c):04X}) stands outside a text literal.")
        elif c in "$`":
            raise NotAllowed(
                f"'{c}' is not read here; quote text with '…' and names with \"…\", and write parameters as :name."
            )
        elif c == "|" and sql[i : i + 2] == "|>":
            raise NotAllowed(f"Pipe syntax is not read here. {_ONE}")
        elif c in "([{":
            depth += 1
            # Before parsing: sqlglot goes down by recursion, and would end in a RecursionError.
            if depth > 150:
                raise TooComplex("The query is nested too deeply.")
        elif c in ")]}":
            depth -= 1


def _harmless(c: str) -> bool:
    if " " <= c <= "~" or c in "\t\n\r":
        return True
    # Letters of any language; not what is invisible, or turns text around: a name could look like another.
    return unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp", "Zs")


def _syntax_message(error: SqlglotError) -> str:
    details = getattr(error, "errors", None)
    if details:
        first = details[0]
        near = str(first.get("highlight") or "").strip()[:40]
        where = f" at line {first.get('line')}, column {first.get('col')}" if first.get("line") else ""
        return f"The SQL cannot be read{where}" + (f", near '{near}'." if near else ".")
    return "The SQL cannot be read (a quote or comment may be left open)."


def _checked_nodes(query: exp.Expr, sql: str) -> list[exp.Expr]:
    # By a stack of its own, which no depth overflows.
    stack: list[tuple[exp.Expr, int]] = [(query, 1)]
    nodes: list[exp.Expr] = []
    while stack:
        node, depth = stack.pop()
        nodes.append(node)
        if type(node) is exp.Identifier:
            _check_name(node, sql)
        elif isinstance(node, exp.Func) and isinstance(start := node.meta.get("start"), int):
            node.meta[WRITTEN] = sql[start : node.meta["end"] + 1]
        if len(nodes) > MAX_NODES or depth > MAX_DEPTH:
            raise TooComplex(f"The query is too large (more than {MAX_NODES} parts or {MAX_DEPTH} levels).")
        for child in node.args.values():
            if isinstance(child, exp.Expr):
                stack.append((child, depth + 1))
            elif isinstance(child, list):
                stack.extend((c, depth + 1) for c in child if isinstance(c, exp.Expr))
    return nodes
