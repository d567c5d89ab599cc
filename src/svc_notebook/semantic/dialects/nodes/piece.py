"""A piece of SQL: its text, and what its tree is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from sqlglot import exp

from ....records import dataclass

__all__ = ["Clauses", "Make", "Sql", "Tree", "escaped", "made", "quoted", "tree_of"]


@dataclass(frozen=True, slots=True)
class Clauses:
    """Parts of a SELECT by sqlglot's names for them: a FROM with its joins, a GROUP BY, the word DISTINCT."""

    args: Mapping[str, Any]


Tree: TypeAlias = "exp.Expr | Clauses"
Make: TypeAlias = Callable[[str, tuple[Any, ...]], Tree]


# A str, so that what only passes SQL on need not know of trees; DuckDB never asks for them.
class Sql(str):
    """A text with what it was made of: ``make`` gives its tree from ``form`` and ``parts``."""

    __slots__ = ("form", "make", "parts")
    make: Make
    form: str
    parts: tuple[Any, ...]


def made(text: str, make: Make, form: str, parts: tuple[Any, ...]) -> Sql:
    piece = Sql(text)
    piece.make, piece.form, piece.parts = make, form, parts
    return piece


def tree_of(text: str) -> Tree:
    """The tree of a piece, of its own.

    Raises
    ------
    TypeError
        If the text was put together by other means.
    ValueError
        If something of it would be lost in the tree.
    SqlglotError
        If the SQL of the model's author, which is a form as well, cannot be read.
    """
    if not isinstance(text, Sql):
        raise TypeError(f"This is a text alone: {text[:200]}")
    return text.make(text.form, text.parts)


def escaped(text: str) -> str:
    """A text as it stands in a form."""
    return text.replace("{", "{{").replace("}", "}}") if "{" in text or "}" in text else text


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
