"""What the names of one SELECT mean while it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sqlglot import exp

from .....records import dataclass
from .....semantic.catalog import Relation
from ..expressions import Expression, Member, Output
from ..form import Form, Role, SetOf
from ..names import column_names
from .names import Names, NoForm

__all__ = ["Outer", "Scope", "Source", "first_of"]


@dataclass(frozen=True, slots=True)
class Outer:
    """A member of the query outside, as a correlated subquery names it (only while reading)."""

    member: Member


@dataclass
class Source:
    """One item of FROM: a relation in a role, or the columns of a form."""

    alias: str
    table: str = ""
    relation: Relation | None = None
    role: str = ""
    form: Form | SetOf | None = None
    place: int = 0
    columns: dict[str, Expression] = field(default_factory=dict)

    def column(self, name: str, names: Names) -> Expression | None:
        if self.relation is not None:
            member = names.member(self.relation, name, self.table)
            return Member(member.path, self.role) if member is not None else None
        return self.columns.get(name.lower())

    def read(self) -> Role | Form | SetOf:
        if self.relation is not None:
            return Role(self.relation.name, self.role)
        assert self.form is not None
        return self.form


@dataclass
class Scope:
    """The sources of a SELECT, its CTEs, and the SELECT outside of a correlated one."""

    names: Names
    dialect: str
    outer: Scope | None = None
    ctes: Mapping[str, Form | SetOf] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    shown: dict[str, exp.Expr] = field(default_factory=dict)  # select list by alias
    by_alias: bool = False  # ORDER BY means an alias before a column
    following: set[str] = field(default_factory=set)  # aliases that are being looked through
    counter: list[int] = field(default_factory=lambda: [0])

    def inner(self, *, correlated: bool = False) -> Scope:
        return Scope(self.names, self.dialect, self if correlated else None, dict(self.ctes), counter=self.counter)

    def add_relation(self, relation: Relation, alias: str, table: str) -> Source:
        twice = any(s.relation is not None and s.relation.name == relation.name for s in self.sources)
        self.counter[0] += 1
        source = Source(alias.lower(), table, relation, f"~{self.counter[0]}" if twice else "")
        self.sources.append(source)
        return source

    def add_form(self, form: Form | SetOf, alias: str) -> Source:
        place = sum(1 for s in self.sources if s.form is not None)
        source = Source(alias.lower(), form=form, place=place)
        shown = first_of(form).shown
        for clause, name in zip(shown, column_names(shown), strict=True):
            source.columns.setdefault(name.lower(), Output(clause.expression, place))
        self.sources.append(source)
        return source

    def column(self, node: exp.Column) -> Expression | Outer | None:
        """What a column means; None where it is no column of any source."""
        table, name = node.table.lower(), node.name
        for source in self.sources:
            if table in ("", source.alias) and (found := source.column(name, self.names)) is not None:
                return found
        if table and not any(source.alias == table for source in self.sources):
            for source in self.sources:
                if source.table.lower() == table and (found := source.column(name, self.names)) is not None:
                    return found
        if self.outer is not None:
            found_outside = self.outer.column(node)
            if isinstance(found_outside, Member):
                return Outer(found_outside)
            if found_outside is not None:
                raise NoForm(f"'{name}' is a column of a query outside that is no member.")
        return None

    def source_of(self, expression: Expression) -> Source | None:
        """The source an expression's column belongs to."""
        for source in self.sources:
            named = (source.relation.name, source.role) if source.relation is not None else None
            if isinstance(expression, Member) and named == (expression.relation, expression.role):
                return source
            if isinstance(expression, Output) and source.form is not None and source.place == expression.source:
                return source
        return None


def first_of(form: Form | SetOf) -> Form:
    """The form whose columns a set operation shows."""
    while isinstance(form, SetOf):
        form = form.forms[0]
    return form
