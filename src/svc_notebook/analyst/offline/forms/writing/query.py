"""A form as one SELECT (or a set operation of them) over the cubes and views of the model."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ..conditions import And, Condition
from ..expressions import Expression, Member, Sort, Value
from ..form import Filter, Form, Role, SetOf
from ..names import column_names
from ..walking import has_aggregate
from .conditions import write_condition
from .expressions import ordered, write_expression
from .scope import CannotWrite, Scope, identifier

__all__ = ["to_sql", "to_tree", "write_query"]

_SETS: dict[str, tuple[type[exp.SetOperation], bool]] = {
    "union": (exp.Union, True), "union all": (exp.Union, False), "intersect": (exp.Intersect, True),
    "except": (exp.Except, True),
}  # fmt: skip


def to_sql(form: Form | SetOf) -> str:
    """The form as text of the SQL over the data model.

    Raises
    ------
    CannotWrite
        If the form names what it does not hold.
    """
    return to_tree(form).sql(dialect="duckdb")


def to_tree(form: Form | SetOf) -> exp.Query:
    """The form as a tree of SQL."""
    return write_query(form)


def write_query(
    form: Form | SetOf, outer: Scope | None = None, correlated: Sequence[tuple[Member, Member]] = ()
) -> exp.Query:
    """A form as a query; ``correlated``: members of an ``outer`` SELECT and of this one that must be equal."""
    if isinstance(form, SetOf):
        return _set(form)
    if form.compare is not None:
        from ..comparing import beside

        form = beside(form)
    _one_of_two(form)
    scope = Scope(suffix=f"{outer.suffix}_in" if outer is not None else "")
    select = exp.Select()
    _from(select, form, scope)
    _shown(select, form, scope)
    ties: list[exp.Expr] = []
    for near, far in correlated:
        assert outer is not None
        ties.append(exp.EQ(this=scope.column(far), expression=outer.column(near)))
    where = [*_filters(form.where, scope), *ties]
    if where:
        select.set("where", exp.Where(this=_joined(where)))
    groups = [write_expression(c.expression, scope) for c in form.groups]
    if groups:
        select.set("group", exp.Group(expressions=groups))
    if form.having:
        select.set("having", exp.Having(this=_joined(_filters(form.having, scope))))
    _limit(select, form, scope)
    return select


def _one_of_two(form: Form) -> None:
    """A list of rows has no number of them all beside it: SQL has each column in GROUP BY, or in an aggregate."""
    rows = [
        c.expression for c in form.columns if not isinstance(c.expression, Value) and not has_aggregate(c.expression)
    ]
    if rows and (form.groups or has_aggregate((form.measures, form.having, form.order))):
        raise CannotWrite("A list of rows has no number of them all beside it.")


def _set(form: SetOf) -> exp.Query:
    kind, distinct = _SETS[form.operator]
    written = write_query(form.forms[0])
    for other in form.forms[1:]:
        written = kind(this=_part(written), expression=_part(write_query(other)), distinct=distinct)
    return written


def _part(query: exp.Query) -> exp.Query:
    plain = not isinstance(query, exp.SetOperation) and not query.args.get("order") and not query.args.get("limit")
    return query if plain else exp.Subquery(this=query)


def _from(select: exp.Select, form: Form, scope: Scope) -> None:
    select.set("from_", exp.From(this=_source(form.root, scope)))
    for join in form.joins:
        table = _source(join.role, scope)
        terms: list[exp.Expr] = [
            exp.EQ(this=write_expression(near, scope), expression=write_expression(far, scope)) for near, far in join.on
        ]
        if join.also is not None:
            terms += _terms(join.also, scope)
        if not terms:
            if join.outer and not isinstance(join.role, Role):
                raise CannotWrite("A form that is joined wants a condition.")
            select.append("joins", exp.Join(this=table, kind="CROSS"))
        else:
            side = {"side": "LEFT"} if join.outer else {}
            select.append("joins", exp.Join(this=table, on=_joined(terms), **side))


def _source(source: Role | Form | SetOf, scope: Scope) -> exp.Expr:
    alias = scope.add(source)
    if isinstance(source, Role):
        table = exp.Table(this=identifier(source.relation))
        if alias != source.relation:
            table.set("alias", exp.TableAlias(this=identifier(alias)))
        return table
    return exp.Subquery(this=write_query(source), alias=exp.TableAlias(this=identifier(alias)))


def _shown(select: exp.Select, form: Form, scope: Scope) -> None:
    shown = form.shown
    if not shown:
        select.append("expressions", exp.Alias(this=exp.Literal.number(1), alias=identifier("one")))
    for clause, name in zip(shown, column_names(shown), strict=True):
        written = write_expression(clause.expression, scope)
        select.append("expressions", exp.Alias(this=written, alias=identifier(name)))


def _limit(select: exp.Select, form: Form, scope: Scope) -> None:
    order = [Sort(o.by, o.descending) for o in form.order]
    limit = form.limit
    if limit is not None and limit.per:
        select.set("qualify", exp.Qualify(this=_ranked(limit.per, order, limit.count, scope)))
        order = [*(Sort(of) for of in limit.per), *order]
    if order:
        select.set("order", exp.Order(expressions=[ordered(s, scope) for s in order]))
    if limit is not None and not limit.per:
        select.set("limit", exp.Limit(expression=exp.Literal.number(limit.count)))
        if limit.skip:
            select.set("offset", exp.Offset(expression=exp.Literal.number(limit.skip)))


def _ranked(per: Sequence[Expression], order: Sequence[Sort], count: int, scope: Scope) -> exp.Expr:
    if not order:
        raise CannotWrite("The first rows of each group want an order.")
    number = exp.Window(
        this=exp.Rank(), partition_by=[write_expression(e, scope) for e in per],
        order=exp.Order(expressions=[ordered(s, scope) for s in order]), over="OVER",
    )  # fmt: skip
    return exp.LTE(this=number, expression=exp.Literal.number(count))


def _filters(filters: Sequence[Filter], scope: Scope) -> list[exp.Expr]:
    return [term for item in filters for term in _terms(item.condition, scope)]


def _terms(condition: Condition, scope: Scope) -> list[exp.Expr]:
    if isinstance(condition, And):
        return [term for item in condition.terms for term in _terms(item, scope)]
    written = write_condition(condition, scope)
    return [exp.Paren(this=written) if isinstance(written, exp.Or) else written]


def _joined(terms: Sequence[exp.Expr]) -> exp.Expr:
    written = terms[0]
    for term in terms[1:]:
        written = exp.And(this=written, expression=term)
    return written
