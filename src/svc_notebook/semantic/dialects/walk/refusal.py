"""What an engine cannot be asked as the model or the query has it."""

from __future__ import annotations

from sqlglot import exp

from ...errors import NotAllowed

__all__ = ["Unsaid", "name_of", "not_declared"]


class Unsaid(NotAllowed):
    """An operation that the engine below the model does not have, or has with another meaning."""

    def __init__(self, what: str, instead: str = "", *, engine: str = "this engine") -> None:
        self.what, self.instead = what, instead
        super().__init__(f"Over {engine} there is no way to say {what}{f'; {instead}' if instead else ''}.")

    def over(self, engine: str) -> Unsaid:
        """The same, with the engine named."""
        return Unsaid(self.what, self.instead, engine=engine)


def not_declared(node: exp.Expr) -> Unsaid:
    """For an operation that no table of a dialect has."""
    if isinstance(node, exp.Anonymous):
        return Unsaid(f"the function '{node.name.lower()[:40]}'")
    if isinstance(node, exp.Func):
        return Unsaid(f"the function '{node.sql_name().lower()[:40]}'")
    return Unsaid(f"'{type(node).__name__}' as it is written here")


def name_of(node: exp.Expr) -> str:
    """What a function, or any other operation, is called in a sentence."""
    return node.sql_name().lower() if isinstance(node, exp.Func) else type(node).__name__.lower()
