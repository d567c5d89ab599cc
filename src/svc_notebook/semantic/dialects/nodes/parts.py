"""Pieces that hold a name or a value, that are put together of clauses, and that are known late."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from .filling import together
from .piece import Clauses, Sql, Tree, made, quoted, tree_of

__all__ = [
    "column", "ended", "exchanged", "from_", "is_read_so", "late", "literal", "name", "named", "number", "retold",
    "run", "select",
]  # fmt: skip


# --- names and values -----------------------------------------------------------------------------------------------


def column(relation: str, name: str) -> Sql:
    """A column of a relation in FROM, by its name as it is."""
    return made(f"{relation}.{quoted(name)}", _column, relation, (name,))


def _column(relation: str, parts: tuple[str, ...]) -> Tree:
    # Aliases of the compiler's own, such as s1, stand without quotes.
    owner = exp.Identifier(this=relation.strip('"'), quoted=relation[:1] == '"')
    return exp.Column(this=exp.Identifier(this=parts[0], quoted=True), table=owner)


def name(text: str) -> Sql:
    """A name by itself, such as a lambda's."""
    return made(text, _name, text, ())


def _name(text: str, parts: tuple[str, ...]) -> Tree:
    return exp.Identifier(this=text, quoted=False)


def literal(text: str) -> Sql:
    """A constant text."""
    return made("'" + text.replace("'", "''") + "'", _literal, text, ())


def _literal(text: str, parts: tuple[str, ...]) -> Tree:
    return exp.Literal.string(text)


def number(text: str) -> Sql:
    """A constant number; a negative one in parentheses."""
    return made(text, _number, text, ())


def _number(text: str, parts: tuple[str, ...]) -> Tree:
    digits = text.strip("()")
    found: exp.Expr = exp.Literal.number(digits.lstrip("-"))
    found = exp.Neg(this=found) if digits[:1] == "-" else found
    return exp.Paren(this=found) if text[:1] == "(" else found


# --- queries --------------------------------------------------------------------------------------------------------


def named(value: str, name: str) -> Sql:
    """An item of a select list under a name of any kind."""
    return made(f"{value} AS {quoted(name)}", _named, name, (value,))


def _named(name: str, parts: tuple[str, ...]) -> Tree:
    return exp.Alias(this=tree_of(parts[0]), alias=exp.Identifier(this=name, quoted=True))


def select(columns: Sequence[str], rest: str, distinct: str = "") -> Sql:
    """``SELECT`` with clauses behind its list; ``distinct`` is the word with a blank behind it."""
    return made(f"SELECT {distinct}{', '.join(columns)}{rest}", _select, "", (*columns, distinct, rest))


def _select(form: str, parts: tuple[str, ...]) -> Tree:
    *columns, distinct, rest = parts
    args = together(tree_of(piece) for piece in (distinct, rest) if piece)
    return exp.Select(expressions=[tree_of(each) for each in columns], **args)


def from_(found: str) -> Sql:
    """What stands behind FROM, with the word."""
    return made(f" FROM {found}", _run, "", (found,))


def run(*pieces: str) -> Sql:
    """Clauses one behind the other."""
    return made("".join(pieces), _run, "", pieces)


def _run(form: str, parts: tuple[str, ...]) -> Tree:
    return Clauses(together(tree_of(piece) for piece in parts if piece))


def ended(asked: str, tail: str) -> Sql:
    """A query with clauses behind it as a whole."""
    return made(f"{asked}{tail}", _ended, "", (asked, tail))


def _ended(form: str, parts: tuple[str, ...]) -> Tree:
    asked, tail = tree_of(parts[0]), tree_of(parts[1]) if parts[1] else Clauses({})
    if not isinstance(asked, exp.Query) or not isinstance(tail, Clauses):
        raise ValueError(f"This is no query with an end: {parts[0][:200]}")
    for clause, value in tail.args.items():
        if asked.args.get(clause) is not None:
            raise ValueError(f"A query has two clauses of one kind: {clause}")
        asked.set(clause, value)
    return asked


# --- what is known late ---------------------------------------------------------------------------------------------


def exchanged(piece: str, columns: Mapping[str, str]) -> Sql:
    """A piece with other values in place of columns, by the columns' text."""
    text = str(piece)
    for column_, value in columns.items():
        # The text by its text, and the tree below by its nodes: both are needed, for DuckDB is given the text.
        text = text.replace(column_, value)
    return made(text, _exchanged, "", (piece, columns))


def _exchanged(form: str, parts: tuple[Any, ...]) -> Tree:
    tree, columns = tree_of(parts[0]), parts[1]

    def other(node: exp.Expr) -> exp.Expr:
        found = columns.get(node.sql(dialect="duckdb")) if isinstance(node, exp.Column) else None
        return node if found is None else tree_of(found)  # type: ignore[return-value]

    if isinstance(tree, Clauses):
        raise ValueError(f"This is no value: {parts[0][:200]}")
    return tree.transform(other)


def retold(text: str, piece: str) -> Sql:
    """A piece whose text is known better by now."""
    return made(text, _retold, "", (piece,))


def _retold(form: str, parts: tuple[str, ...]) -> Tree:
    return tree_of(parts[0]) if parts[0] else Clauses({})


def late(text: str, give: Callable[[], str]) -> Sql:
    """A piece that is known later; until then its text is a mark."""
    return made(text, _late, "", (give,))


def _late(form: str, parts: tuple[Callable[[], str], ...]) -> Tree:
    found = parts[0]()
    return tree_of(found) if found else Clauses({})


def is_read_so(piece: str) -> bool:
    """Whether a parser that knows nothing of how it was made reads its tree in its text."""
    try:
        return bool(tree_of(piece) == sqlglot.parse_one(str(piece), read="duckdb"))
    except (SqlglotError, ValueError, TypeError, RecursionError):
        return False
