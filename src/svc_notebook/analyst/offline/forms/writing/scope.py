"""What the names in one SELECT stand for: aliases of relations, columns of the forms it is made over."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field

from sqlglot import exp

from .....records import dataclass
from ..canonical import key
from ..expressions import Member, Output
from ..form import Form, Role, SetOf
from ..names import alias_of, column_names

__all__ = ["CannotWrite", "Scope", "identifier"]


class CannotWrite(ValueError):
    """A form that names what it does not hold (a member of a relation it does not read)."""


def identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


@dataclass
class Scope:
    """Aliases of one SELECT; ``suffix`` keeps those of a correlated subquery apart from the outer ones."""

    suffix: str = ""
    aliases: dict[tuple[str, str], str] = field(default_factory=dict)
    derived: list[tuple[str, dict[Hashable, str]]] = field(default_factory=list)

    def add(self, source: Role | Form | SetOf) -> str:
        """The alias of a source from now on."""
        if isinstance(source, Role):
            alias = alias_of(source) + self.suffix
            if (source.relation, source.name) in self.aliases:
                raise CannotWrite(f"'{alias}' stands in the form twice; give the second a role.")
            self.aliases[source.relation, source.name] = alias
            return alias
        alias = f"per{len(self.derived) + 1 if self.derived else ''}{self.suffix}"
        first = source
        while isinstance(first, SetOf):
            first = first.forms[0]
        names = column_names(first.shown)
        columns = {key(clause.expression): name for clause, name in zip(first.shown, names, strict=True)}
        self.derived.append((alias, columns))
        return alias

    def column(self, member: Member) -> exp.Expr:
        alias = self.aliases.get((member.relation, member.role))
        if alias is None:
            raise CannotWrite(f"'{member.path}' belongs to a relation that the form does not read.")
        return exp.Column(this=identifier(member.name), table=identifier(alias))

    def output(self, output: Output) -> exp.Expr:
        alias, columns = self.derived[output.source] if output.source < len(self.derived) else ("", {})
        name = columns.get(key(output.of))
        if name is None:
            raise CannotWrite("A column is taken from an inner form that does not show it.")
        return exp.Column(this=identifier(name), table=identifier(alias))
