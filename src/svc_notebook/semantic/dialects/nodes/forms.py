"""Pieces that are made by a form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .filling import filled, without
from .piece import Sql, Tree, escaped, made

__all__ = [
    "NOTHING", "ONE", "among", "among_words", "clause", "distinct", "formed", "formed_item", "holes", "item",
    "joined_by", "query", "rows", "sql", "statement", "where", "word",
]  # fmt: skip


def sql(form: str, *parts: str) -> Sql:
    """A value, with ``{}`` in its form for each part."""
    return made(form.format(*parts), _value, form, parts)


def query(form: str, *parts: str) -> Sql:
    """A whole query."""
    return made(form.format(*parts), _query, form, parts)


def item(form: str, *parts: str) -> Sql:
    """One item of FROM."""
    return made(form.format(*parts), _item, form, parts)


def rows(form: str, *parts: str) -> Sql:
    """What stands behind FROM."""
    return made(form.format(*parts), _rows, form, parts)


def clause(form: str, *parts: str) -> Sql:
    """Clauses of a SELECT behind its FROM, joins among them; they begin with a blank."""
    return made(form.format(*parts), _clause, form, parts)


def distinct(form: str, *parts: str) -> Sql:
    """What stands between SELECT and its list, with a blank behind it."""
    return made(form.format(*parts), _distinct, form, parts)


def word(text: str) -> Sql:
    """A value that is a form without parts."""
    # The text is no form yet: its braces are escaped when the tree is asked for.
    return made(text, _word, text, ())


def statement(text: str) -> Sql:
    """A whole query that is a form without parts."""
    return query(escaped(text))


# --- the model's author ---------------------------------------------------------------------------------------------


def formed(text: str, places: Iterable[tuple[int, int, str]]) -> Sql:
    """A value in the model's SQL: ``text`` with pieces, or names, in place of what stands between places."""
    form, parts = _with_holes(text, places)
    return sql(form, *parts)


def formed_item(text: str, places: Iterable[tuple[int, int, str]]) -> Sql:
    """The same for an item of FROM."""
    form, parts = _with_holes(text, places)
    return item(form, *parts)


def _with_holes(text: str, places: Iterable[tuple[int, int, str]]) -> tuple[str, list[Sql]]:
    form: list[str] = []
    parts: list[Sql] = []
    at = 0
    for start, end, piece in places:
        form.append(escaped(text[at:start]))
        if isinstance(piece, Sql):
            form.append("{}")
            parts.append(piece)
        else:
            form.append(escaped(piece))
        at = end
    return "".join([*form, escaped(text[at:])]), parts


# --- lists ----------------------------------------------------------------------------------------------------------


def holes(number: int, between: str = ", ") -> str:
    """As many holes of a form."""
    return between.join(["{}"] * number)


def joined_by(between: str, parts: Sequence[str]) -> str:
    """Values with a word between them; one alone is itself."""
    return parts[0] if len(parts) == 1 else sql(holes(len(parts), between), *parts)


def among(form: str, parts: Sequence[str]) -> Sql:
    """A value over a list: ``{}`` in its form is all of them with commas."""
    return among_words(form, ", ", parts)


def among_words(form: str, between: str, parts: Sequence[str]) -> Sql:
    """The same with a word between them."""
    return sql(form.replace("{}", holes(len(parts), between)), *parts)


def where(tests: Sequence[str]) -> str:
    """WHERE, if there are any conditions."""
    return clause(f" WHERE {holes(len(tests), ' AND ')}", *tests) if tests else NOTHING


# --- their trees ----------------------------------------------------------------------------------------------------


def _value(form: str, parts: tuple[str, ...]) -> Tree:
    # pop() takes the node off the SELECT that was put around it to be parsed.
    (found,) = filled("value", form, parts).expressions
    return found.pop()  # type: ignore[no-any-return]


def _word(form: str, parts: tuple[str, ...]) -> Tree:
    return _value(escaped(form), ())


def _query(form: str, parts: tuple[str, ...]) -> Tree:
    return filled("query", form, parts)


def _item(form: str, parts: tuple[str, ...]) -> Tree:
    return filled("item", form, parts).args["from_"].this.pop()  # type: ignore[no-any-return]


def _rows(form: str, parts: tuple[str, ...]) -> Tree:
    return without(filled("rows", form, parts), "expressions")


def _clause(form: str, parts: tuple[str, ...]) -> Tree:
    return without(filled("clause", form, parts), "expressions", "from_")


def _distinct(form: str, parts: tuple[str, ...]) -> Tree:
    # DISTINCT needs a list behind it to be parsed.
    return without(filled("value", f"{form}1", parts), "expressions")


ONE = word("1 AS one")
"""The column of rows that are only counted."""

NOTHING = clause("")
"""No clause at all."""
