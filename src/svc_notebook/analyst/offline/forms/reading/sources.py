"""FROM and JOIN in SQL as the root and joins of a form."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from sqlglot import exp

from .....records import dataclass
from ..conditions import And, Compare, Condition
from ..expressions import Expression, Member, Output
from ..form import Form, Join, Pair, Role, SetOf
from ..walking import conjuncts, parts
from .conditions import read_condition
from .names import NoForm
from .scope import Scope, Source

__all__ = ["From", "read_from", "role_names", "take_pairs"]


@dataclass
class _Joined:
    source: Source
    on: list[Pair] = field(default_factory=list)
    outer: bool = False
    also: list[Condition] = field(default_factory=list)
    by_model: bool = False


@dataclass
class From:
    """FROM as read; ``rest``: what ON says beyond equal members, for WHERE."""

    root: Source
    joins: list[_Joined] = field(default_factory=list)
    rest: list[Condition] = field(default_factory=list)

    def join_clauses(self) -> tuple[Join, ...]:
        found = []
        for join in self.joins:
            alone = not join.on and not join.also
            if alone and not join.by_model and join.source.relation is not None:
                raise NoForm(f"Nothing joins '{join.source.relation.name}' to what stands before it.")
            also = None if not join.also else join.also[0] if len(join.also) == 1 else And(tuple(join.also))
            crossed = alone and not join.by_model
            found.append(Join(join.source.read(), tuple(join.on), join.outer, also, crossed))
        return tuple(found)


def read_from(select: exp.Select, scope: Scope) -> From:
    """FROM with its joins; all names are known to ``scope`` afterwards."""
    node = select.args.get("from_") or select.args.get("from")
    if node is None:
        raise NoForm("A SELECT without FROM reads no rows.")
    clause = From(_source(node.this, scope))
    for join in select.args.get("joins") or []:
        _add(clause, join, scope)
    return clause


def _source(node: exp.Expr, scope: Scope) -> Source:
    from .query import read_query

    if node.args.get("sample"):
        raise NoForm("A sample of rows is none a form has.")
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        name, alias = node.name, node.alias or node.name
        if not node.args.get("db") and name.lower() in scope.ctes:
            return scope.add_form(scope.ctes[name.lower()], alias)
        full = f"{node.args['db'].name}.{name}" if node.args.get("db") else name
        relation = scope.names.relation(full) or scope.names.relation(name)
        if relation is None:
            raise NoForm(f"'{full[:60]}' is no relation of the model.")
        return scope.add_relation(relation, alias, full)
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
        columns = [c.name for c in (node.args["alias"].args.get("columns") or [])] if node.args.get("alias") else []
        source = scope.add_form(read_query(node.this, scope.inner()), node.alias or "")
        if columns:
            source.columns = dict(zip((c.lower() for c in columns), source.columns.values(), strict=False))
        return source
    raise NoForm("FROM reads relations and subqueries.")


def _add(clause: From, join: exp.Join, scope: Scope) -> None:
    side, kind = str(join.args.get("side") or "").upper(), str(join.args.get("kind") or "").upper()
    if side not in ("", "LEFT") or kind not in ("", "INNER", "CROSS", "OUTER"):
        raise NoForm(f"A {side} {kind} JOIN is none a form has.")
    left = list(scope.sources)
    joined = _Joined(_source(join.this, scope), outer=side == "LEFT")
    clause.joins.append(joined)
    on, using = join.args.get("on"), join.args.get("using")
    joined.by_model = kind == "CROSS" and scope.dialect == "svc" and joined.source.relation is not None
    if using:
        joined.on = [_using(name.name, left, joined.source, scope) for name in using]
    if on is not None:
        rest: list[Condition] = []
        for term in conjuncts(read_condition(on, scope)):
            pair = _pair(term, clause, scope, joined.source if joined.outer else None)
            if pair is None:
                rest.append(term)
            else:
                pair[0].on.append(pair[1])
        (joined.also if joined.outer else clause.rest).extend(rest)


def _using(name: str, left: list[Source], right: Source, scope: Scope) -> Pair:
    near = next((c for s in left if (c := s.column(name, scope.names)) is not None), None)
    far = right.column(name, scope.names)
    if near is None or far is None:
        raise NoForm(f"USING ({name[:40]}) names no column of both sides.")
    return near, far


def _pair(term: Condition, clause: From, scope: Scope, only: Source | None) -> tuple[_Joined, Pair] | None:
    """The join (the later one of the two) and the pair that an equality of two sources' columns is."""
    if not isinstance(term, Compare) or term.operator != "=":
        return None
    sides = (term.left, term.right)
    if not all(isinstance(s, (Member, Output)) for s in sides):
        return None
    places = [_place(s, clause, scope) for s in sides]
    if None in places or places[0] == places[1]:
        return None
    near, far = sides if places[0] < places[1] else sides[::-1]  # type: ignore[operator]  # both are numbers
    joined = clause.joins[max(places) - 1]  # type: ignore[type-var,operator]
    return (joined, (near, far)) if only is None or joined.source is only else None


def _place(of: Expression, clause: From, scope: Scope) -> int | None:
    source = scope.source_of(of)
    every = [clause.root, *(j.source for j in clause.joins)]
    return next((i for i, s in enumerate(every) if s is source), None)


def take_pairs(clause: From, where: list[Condition], scope: Scope) -> list[Condition]:
    """What is left of WHERE when equalities between sources have become pairs of their joins."""
    if any(j.outer for j in clause.joins):
        return where
    left = []
    for term in where:
        pair = _pair(term, clause, scope, None)
        if pair is None:
            left.append(term)
        else:
            pair[0].on.append(pair[1])
            pair[0].by_model = False
    return left


def role_names(root: Role | Form | SetOf, joins: tuple[Join, ...]) -> dict[str, str]:
    """Names for the roles that were numbered while reading: the member that leads there."""
    relations = [r.relation for r in (root, *(j.role for j in joins)) if isinstance(r, Role)]
    names: dict[str, str] = {}
    taken: set[tuple[str, str]] = {(root.relation, root.name)} if isinstance(root, Role) else set()
    for join in joins:
        role: Any = join.role
        if not isinstance(role, Role) or relations.count(role.relation) == 1:
            continue
        near = next((m.name for near, _ in join.on for m in parts(near) if isinstance(m, Member)), "other")
        name, number = near, 1
        while (role.relation, name) in taken:
            number += 1
            name = f"{near}_{number}"
        taken.add((role.relation, name))
        names[f"{role.relation} {role.name}"] = name
    return names
