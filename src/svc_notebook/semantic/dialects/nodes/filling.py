"""Forms as trees: each is read once in a process, and made anew with the trees of its parts in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import sqlglot
from sqlglot import exp

from .piece import Clauses, Tree, tree_of

__all__ = ["filled", "together", "without"]

_AROUND = {
    "value": "SELECT ", "query": "", "item": "SELECT 1 FROM ", "rows": "SELECT 1 FROM ", "clause": "SELECT 1 FROM t",
}  # fmt: skip
_MARK, _DATE = "svc_part_", "svc_date_"
_NAMES = (Clauses, exp.Column, exp.Identifier, exp.Table, exp.Subquery, exp.Values, exp.Lateral)


@lru_cache(maxsize=20_000)  # forms are few; those of the model's author are as many as its fragments
def _read(kind: str, form: str, marks: tuple[str, ...]) -> exp.Expr:
    return sqlglot.parse_one(_AROUND[kind] + form.format(*marks), read="duckdb")


def filled(kind: str, form: str, parts: Sequence[str]) -> exp.Expr:
    """The reading of a form, which is part of a statement of a kind, with trees in place of its parts.

    Raises
    ------
    ValueError
        If a part is not in it, or not whole.
    """
    filling = _Filling([tree_of(part) for part in parts])
    found = filling.node(_read(kind, form, tuple(map(_mark, range(len(parts)), filling.trees))))
    if len(filling.given) != len(parts):
        raise ValueError(f"Not every part stands in its form: {form[:200]}")
    return found


def _mark(number: int, tree: Tree) -> str:
    """What stands for a part while its form is read."""
    if _is_in_parentheses(tree):
        # A mark of the same shape as what it stands for, so that the form is parsed as the whole would be.
        return f"(SELECT {_MARK}{number})"
    if isinstance(tree, exp.Query):
        return f"SELECT {_MARK}{number}"
    if isinstance(tree, exp.Cast) and tree.to.this == exp.DType.DATE:
        return f"CAST({_DATE}{number} AS DATE)"  # the parser reads functions of a date in another way
    if isinstance(tree, exp.Placeholder):
        return f"${_MARK}{number}"
    # What is no name may be taken for one, where a name would be the word for a unit.
    return f"{_MARK}{number}" if isinstance(tree, _NAMES) else f"{_MARK}{number}()"


def _is_in_parentheses(tree: Tree) -> bool:
    """Whether it is a query in parentheses and nothing more."""
    return isinstance(tree, exp.Subquery) and not any(value for name, value in tree.args.items() if name != "this")


class _Filling:
    """Makes a node anew with trees in place of the marks in it."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self.trees = trees
        self.given: set[int] = set()

    def node(self, node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Select):
            return self._select(node)
        number = _number(node)
        if number is None:
            return type(node)(**{name: self._value(value) for name, value in node.args.items()})
        tree = self._tree(number)
        found = _joined(tree) if isinstance(tree, Clauses) else tree
        # The form names the item: FROM {} AS x.
        if isinstance(node, exp.Table) and (alias := node.args.get("alias")) is not None:
            if found.args.get("alias") is not None:
                raise ValueError("An item of FROM has two names.")
            found.set("alias", self.node(alias))
        return found

    def _value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._value(each) for each in value]
        return self.node(value) if isinstance(value, exp.Expr) else value

    def _select(self, node: exp.Select) -> exp.Expr:
        # A query that is a part stands in the form as SELECT svc_part_n: its mark is the whole of that SELECT.
        listed, source = node.expressions, node.args.get("from_")
        number = _number(listed[0]) if len(listed) == 1 and source is None else None
        if number is not None and (found := self._query(number)) is not None:
            if (common := node.args.get("with_")) is not None:
                if found.args.get("with_") is not None:
                    raise ValueError("A query has two lists of common table expressions.")
                found.set("with_", self.node(common))
            return found
        args = {name: self._value(value) for name, value in node.args.items() if name != "from_"}
        number = _number(source.this) if source is not None else None
        if number is not None and isinstance(self.trees[number], Clauses):
            return exp.Select(**together([self._tree(number), Clauses(args)]))
        return exp.Select(**args, from_=self.node(source)) if source is not None else exp.Select(**args)

    def _query(self, number: int) -> exp.Expr | None:
        """The query that a part is; None if it is a value."""
        if not isinstance(self.trees[number], exp.Query):
            return None
        bare = _is_in_parentheses(self.trees[number])
        found = self._tree(number)
        assert isinstance(found, exp.Expr)
        return found.this if bare else found

    def _tree(self, number: int) -> Tree:
        tree = self.trees[number]
        if number in self.given and isinstance(tree, exp.Expr):
            # A node has one parent; a part that stands twice is copied.
            return tree.copy()
        self.given.add(number)
        return tree


def _number(node: exp.Expr) -> int | None:
    """The part that a node stands for."""
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Column) and node.this.name.startswith(_DATE):
        return int(node.this.name[len(_DATE) :])
    if isinstance(node, (exp.Anonymous, exp.Placeholder)) and str(node.this).startswith(_MARK):
        return int(node.this[len(_MARK) :])
    if not isinstance(node, (exp.Column, exp.Table)) or node.args.get("table") or node.args.get("db"):
        return None
    name = node.this
    if not isinstance(name, exp.Identifier) or not name.this.startswith(_MARK):
        return None
    return int(name.this[len(_MARK) :])


def _joined(rows: Clauses) -> exp.Expr:
    """An item of FROM with joins of its own."""
    if not {"from_"} <= set(rows.args) <= {"from_", "joins"}:
        raise ValueError(f"These are no rows to join with: {', '.join(rows.args)}")
    found: exp.Expr = rows.args["from_"].this
    found.set("joins", rows.args.get("joins"))
    return found


def together(pieces: Iterable[Tree]) -> dict[str, Any]:
    """The clauses of several pieces, none of them twice but joins."""
    found: dict[str, Any] = {}
    for piece in pieces:
        clauses = piece.args if isinstance(piece, Clauses) else {"from_": exp.From(this=piece)}
        for name, value in clauses.items():
            if name == "joins":
                found[name] = [*found.get(name, []), *value]
            elif found.get(name):
                raise ValueError(f"A query has two clauses of one kind: {name}")
            else:
                found[name] = value
    return found


def without(node: exp.Expr, *names: str) -> Clauses:
    """What a SELECT has but for some of its clauses."""
    return Clauses({name: value for name, value in node.args.items() if name not in names and value not in (None, [])})
