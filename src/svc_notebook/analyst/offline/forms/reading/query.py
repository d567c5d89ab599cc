"""A query in SQL as a form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from .....semantic.catalog import Catalog
from .....semantic.compiler.query.left_over import taken
from .....semantic.errors import QueryError
from ..conditions import Compare, Condition
from ..expressions import Expression, Member, Output, Over, Sort, Value
from ..form import Clause, Filter, Form, Limit, Order, Role, SetOf
from ..vocabulary import SetName
from ..walking import changed, conjuncts, has_aggregate, parts
from .conditions import merged, read_condition
from .expressions import read_expression
from .names import Names, NoForm
from .scales import sorted_by
from .scope import Outer, Scope, first_of
from .sources import From, read_from, role_names, take_pairs

__all__ = ["from_sql", "read_query"]


def from_sql(sql: str, names: Catalog | Names, dialect: str = "svc") -> Form | SetOf:
    """The form that a query says.

    Parameters
    ----------
    sql
        One SELECT, over the model (``svc``), or over its tables in ``sqlite``, ``duckdb`` or ``postgres``.
    names
        The asker's catalog; :class:`Names` where tables and columns are called otherwise there.

    Raises
    ------
    NoForm
        If no form says it; the message tells what of it.
    """
    known = names if isinstance(names, Names) else Names(names)
    try:
        tree: Any = taken(sql) if dialect == "svc" else sqlglot.parse_one(sql, read=dialect)
    except (QueryError, SqlglotError) as error:
        raise NoForm(f"The text is no query: {error}") from None
    try:
        form = read_query(tree, Scope(known, dialect))
    except RecursionError:
        raise NoForm("The query is nested too deeply.") from None
    if any(isinstance(part, Outer) for part in parts(form)):
        raise NoForm("A subquery names members of the query outside in a way no form has.")
    return form


def read_query(node: exp.Expr, scope: Scope) -> Form | SetOf:
    """One query, with its CTEs."""
    with_ = node.args.get("with_") or node.args.get("with")
    for cte in with_.expressions if with_ is not None else []:
        if with_ is not None and with_.args.get("recursive"):
            raise NoForm("A recursive query is no form.")
        form = read_query(cte.this, scope.inner())
        columns = cte.args["alias"].args.get("columns") or []
        if columns:
            raise NoForm("A CTE with names for its columns is none a form reads.")
        scope.ctes = {**scope.ctes, cte.alias.lower(): form}
    if isinstance(node, exp.Subquery):
        return read_query(node.this, scope)
    if isinstance(node, exp.SetOperation):
        return _set(node, scope)
    if not isinstance(node, exp.Select):
        raise NoForm("Only a SELECT is read.")
    from ..comparing import compared

    return compared(_Select(node, scope).read())


def _set(node: exp.SetOperation, scope: Scope) -> Form | SetOf:
    name = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}.get(type(node))
    if name is None:
        raise NoForm("This set operation is none a form has.")
    operator: SetName = "union all" if name == "union" and not node.args.get("distinct") else name  # type: ignore[assignment]
    forms: list[Form | SetOf] = []
    for side in (node.this, node.args["expression"]):
        inner = scope.inner()
        form = read_query(side, inner)
        same = isinstance(form, SetOf) and form.operator == operator and (operator != "except" or not forms)
        forms += form.forms if isinstance(form, SetOf) and same else [form]
    if len({len(first_of(f).shown) for f in forms}) > 1:
        raise NoForm("The parts of a set operation show as many columns.")
    whole = SetOf(operator, tuple(forms))
    if not any(node.args.get(k) for k in ("order", "limit", "offset")):
        return whole
    outer = exp.select("*").from_(exp.Subquery(this=exp.select("1"), alias=exp.TableAlias(this="s")))
    for part in ("order", "limit", "offset"):
        outer.set(part, node.args.get(part))
    return _Select(outer, scope.inner(), whole).read()


class _Select:
    def __init__(self, node: exp.Select, scope: Scope, whole: SetOf | None = None) -> None:
        self.node = node
        self.scope = scope
        self.whole = whole

    def read(self) -> Form:
        node, scope = self.node, self.scope
        for part in ("windows", "laterals", "pivots", "match", "sample", "connect", "cluster", "sort", "distribute"):
            if node.args.get(part):
                raise NoForm(f"'{part}' of a SELECT is none a form has.")
        if self.whole is not None:
            source = From(scope.add_form(self.whole, "s"))
        else:
            source = read_from(node, scope)
        items = self._items()
        scope.shown = {i.alias.lower(): i.this for i in node.expressions if isinstance(i, exp.Alias)}
        where = [*source.rest, *self._conditions("where")]
        where = take_pairs(source, where, scope)
        shown = [(read_expression(item, scope), alias) for item, alias in items]
        groups = self._groups([e for e, _ in shown], [item for item, _ in items])
        having = self._conditions("having")
        order = self._order([e for e, _ in shown])
        form = self._form(source, shown, groups, having, order)
        form = form.with_(where=tuple(Filter(c) for c in where))
        return self._named(self._limited(form))

    def _items(self) -> list[tuple[exp.Expr, str]]:
        items: list[tuple[exp.Expr, str]] = []
        for item in self.node.expressions:
            inner = item.this if isinstance(item, exp.Alias) else item
            if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)):
                items += [(column, "") for column in self._every(getattr(inner, "table", "") or "")]
            else:
                items.append((inner, item.alias or (inner.name if isinstance(inner, exp.Column) else "")))
        return items

    def _every(self, table: str) -> Iterable[exp.Expr]:
        for source in self.scope.sources:
            if table.lower() not in ("", source.alias):
                continue
            if source.relation is not None:
                names = [m.name for m in source.relation.members.values() if m.kind == "dimension"]
            else:
                names = list(source.columns)
            for name in names:
                yield exp.column(exp.to_identifier(name, quoted=True), table=source.alias or None)

    def _conditions(self, part: str) -> list[Condition]:
        clause = self.node.args.get(part)
        return [] if clause is None else merged(list(conjuncts(read_condition(clause.this, self.scope))))

    def _groups(self, shown: list[Expression], items: list[exp.Expr]) -> list[Expression] | None:
        clause = self.node.args.get("group")
        if clause is None:
            return None
        if any(v for k, v in clause.args.items() if k != "expressions"):
            if clause.args.get("all"):
                return [e for e in shown if not has_aggregate(e)]
            raise NoForm("Subtotals of several groupings are none a form has.")
        found = []
        for node in clause.expressions:
            if isinstance(node, exp.Literal) and not node.is_string:
                found.append(self._at(node, shown))
            else:
                found.append(read_expression(node, self.scope))
        return list(dict.fromkeys(found))

    def _at(self, node: exp.Expr, shown: list[Expression]) -> Expression:
        place = int(node.name)
        if not 1 <= place <= len(shown):
            raise NoForm(f"There is no column {place}.")
        return shown[place - 1]

    def _order(self, shown: list[Expression]) -> list[Order]:
        clause = self.node.args.get("order")
        found: dict[Expression, Order] = {}
        self.scope.by_alias = True
        for item in clause.expressions if clause is not None else []:
            by = item.this
            plain = isinstance(by, exp.Literal) and not by.is_string
            expression, ends = (self._at(by, shown), ()) if plain else sorted_by(by, self.scope)
            if not isinstance(expression, Value):
                found.setdefault(expression, Order(expression, bool(item.args.get("desc")), ends=ends))
        self.scope.by_alias = False
        return list(found.values())

    def _form(
        self,
        source: From,
        shown: list[tuple[Expression, str]],
        groups: list[Expression] | None,
        having: list[Condition],
        order: list[Order],
    ) -> Form:
        """The clauses that are shown: columns of a list of rows, or groups and numbers of them."""
        base = Form(
            source.root.read(), source.join_clauses(), having=tuple(Filter(c) for c in having), order=tuple(order)
        )
        computed = [e for e, _ in shown] + list(having) + [o.by for o in order]
        plain = groups is None and not any(has_aggregate(e) for e in computed)
        distinct = self.node.args.get("distinct") is not None
        if distinct and self.node.args["distinct"].args.get("on"):
            raise NoForm("DISTINCT ON is none a form has.")
        if plain and not distinct:
            return base.with_(columns=_clauses(shown))
        if groups is None and not distinct and any(not has_aggregate(e) and not _is_constant(e) for e, _ in shown):
            raise NoForm("A column beside an aggregate stands in GROUP BY.")
        numbers = [(e, a) for e, a in shown if has_aggregate(e) or (not plain and _is_constant(e))]
        others = [(e, a) for e, a in shown if (e, a) not in numbers]
        if plain and any(_is_window(e) for e, _ in shown):
            raise NoForm("Distinct rows of a window function are none a form has.")
        hidden = [g for g in groups or [] if g not in [e for e, _ in others]]
        by = (*_clauses(others), *(Clause(g, hidden=True) for g in hidden))
        return base.with_(groups=by, measures=_clauses(numbers))

    def _limited(self, form: Form) -> Form:
        qualify, limit = self.node.args.get("qualify"), self.node.args.get("limit")
        skip = self.node.args.get("offset")
        if qualify is not None:
            return self._top(form, read_condition(qualify.this, self.scope), limit is None and skip is None)
        if limit is None and skip is None:
            return form
        if limit is None or isinstance(limit, exp.Fetch):
            raise NoForm("A limit is a number of rows.")
        count = limit.args["expression"]
        offset = skip.args["expression"] if skip is not None else limit.args.get("offset")
        if not all(
            isinstance(each, exp.Literal) and each.name.isdigit() for each in (count, offset) if each is not None
        ):
            raise NoForm("A limit is a number of rows.")
        return form.with_(limit=Limit(int(count.name), skip=int(offset.name) if offset is not None else 0))

    def _top(self, form: Form, condition: Condition, alone: bool) -> Form:
        """The first rows of each group, as QUALIFY says them."""
        if alone and isinstance(condition, Compare) and condition.operator in ("<=", "=", "<"):
            number, count = condition.left, condition.right
            if isinstance(number, Over) and number.function in ("row_number", "rank") and isinstance(count, Value):
                most = int(count.value) - (condition.operator == "<")  # type: ignore[arg-type]
                order = tuple(Order(s.by, s.descending) for s in number.order)
                after = [Sort(o.by, o.descending) for o in form.order]
                kept = [*(Sort(e) for e in number.within), *number.order]
                if number.within and (not after or after == kept) and (condition.operator != "=" or most == 1):
                    return form.with_(order=order, limit=Limit(most, number.within))
        raise NoForm("This QUALIFY is none a form has.")

    def _named(self, form: Form) -> Form:
        """The form with roles named by the members that lead to them."""
        names = role_names(form.root, form.joins)
        if not names:
            return form

        def change(part: Any) -> Any:
            if isinstance(part, Role) and (name := names.get(f"{part.relation} {part.name}")):
                return Role(part.relation, name)
            if isinstance(part, Member) and (name := names.get(f"{part.relation} {part.role}")):
                return Member(part.path, name)
            if isinstance(part, Outer) and (name := names.get(f"{part.member.relation} {part.member.role}")):
                return Outer(Member(part.member.path, name))
            return part

        return changed(form, change)


def _clauses(shown: Iterable[tuple[Expression, str]]) -> tuple[Clause, ...]:
    return tuple(Clause(expression, name=alias) for expression, alias in shown)


def _is_constant(of: Expression) -> bool:
    return not any(isinstance(p, (Member, Output)) for p in parts(of, inner=False))


def _is_window(of: Expression) -> bool:
    return any(isinstance(p, Over) for p in parts(of, inner=False))
