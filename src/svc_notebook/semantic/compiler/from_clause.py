"""FROM: cubes, views, CTEs, subqueries and VALUES, and the joins between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from ..errors import InvalidQuery, NotAllowed
from .context import Compilation
from .expressions import Binder
from .filter_contexts import refuse_inside
from .names import Names, fold
from .parts import Filter
from .passing import computes, pass_columns, renamed
from .refusals import check_args, refuse
from .relations import cube_named, join_cubes, model_relation
from .scope import ModelRelation, OutColumn, PassRelation, RowRelation, Scope
from .source import ModelSource
from .types import common, unified
from .values import Bound, quote

__all__ = ["CteQuery", "FromClause", "read_from"]

Run = Callable[[exp.Expr, Scope], tuple[str, list[OutColumn]]]
_HINT = re.compile(r"\A__\w*joinfield\Z", re.IGNORECASE)
_PASSED = frozenset({"expressions", "from_", "joins", "where", "order", "with_"})


@dataclass
class CteQuery:
    """A CTE: looked through where it only passes a model's rows on, otherwise compiled once under ``name``."""

    query: exp.Expr
    columns: list[str]
    scope: Scope
    name: str
    out: list[OutColumn] | None = None


@dataclass
class FromClause:
    """FROM as read. ``single`` is the model source if it is all there is; ``filters`` came with subqueries."""

    relations: list[Any] = field(default_factory=list)
    pieces: list[Any] = field(default_factory=list)
    single: ModelSource | None = None
    alone: ModelSource | None = None  # the same where its rows are wanted, not its measures
    filters: list[Bound] = field(default_factory=list)
    merged: set[str] = field(default_factory=set)
    ons: list[tuple[str, str]] = field(default_factory=list)

    def sql(self, filters: Sequence[Filter]) -> str:
        """FROM and WHERE; model sources are written by marks, with every column anybody has used by the end."""
        if self.single is not None or self.alone is not None:
            source = self.single or self.alone
            assert source is not None
            safe, rest = [f.bound.sql for f in filters if f.safe], [f.bound.sql for f in filters if not f.safe]
            return f" FROM {source.all_filtered(safe, rest)}"
        text = ""
        for piece, (word, on) in zip(self.pieces, self.ons or [("", "")], strict=False):
            text += f"{word}{piece() if callable(piece) else piece}{on}"
        where = f" WHERE {' AND '.join(f.bound.sql for f in filters)}" if filters else ""
        return (f" FROM {text}" if text else "") + where


def read_from(compilation: Compilation, select: exp.Select, scope: Scope, run: Run, *, materialise: bool) -> FromClause:
    """Read FROM and JOINs, binding ON conditions on the way."""
    clause = FromClause()
    node = select.args.get("from_")
    joins = select.args.get("joins") or []
    if node is None:
        if joins:
            raise InvalidQuery("A JOIN needs a FROM before it.")
        return clause
    check_args(node, ("this",))
    compilation.count_sources(1 + len(joins))
    reader = _Reader(compilation, scope, run, materialise)
    if _joined_by_model(compilation, node.this, joins, scope):
        return _model_join(compilation, node.this, joins, clause)
    first = reader.read(node.this)
    clause.relations.append(first)
    if not joins:
        _only(clause, first, materialise)
        return clause
    clause.pieces.append(_piece(compilation, first))
    clause.ons.append(("", ""))
    for join in joins:
        _add_join(compilation, reader, clause, join, scope)
    return clause


def _only(clause: FromClause, relation: Any, materialise: bool) -> None:
    if isinstance(relation, RowRelation):
        clause.pieces.append(_piece(None, relation))
        return
    clause.filters = list(relation.filters) if isinstance(relation, PassRelation) else []
    clause.single = None if materialise else relation.source
    clause.alone = relation.source


def _rows_of(source: ModelSource) -> Callable[[], str]:
    return lambda: source.all_rows()


def _piece(compilation: Compilation | None, relation: Any) -> Any:
    if isinstance(relation, RowRelation):
        return relation.text
    filters = relation.filters if isinstance(relation, PassRelation) else []
    source: ModelSource = relation.source
    if not filters:
        return _rows_of(source)
    condition = " AND ".join(f.sql for f in filters)
    return lambda: f"(SELECT * FROM {source.all_rows()} WHERE {condition}) AS {source.alias}"


# --- joins --------------------------------------------------------------------------------------------------------


def _is_hint(on: exp.Expr | None) -> bool:
    return isinstance(on, exp.EQ) and all(
        isinstance(s, exp.Column) and _HINT.match(s.name) for s in (on.this, on.expression)
    )


def _joined_by_model(compilation: Compilation, first: exp.Expr, joins: list[exp.Join], scope: Scope) -> bool:
    if not joins:
        return False
    tables = [first, *(j.this for j in joins)]
    if not all(
        isinstance(t, exp.Table) and not t.args.get("catalog") and scope.ctes.get(t.name) is None for t in tables
    ):
        return False
    cubes = [cube_named(compilation, t.name) for t in tables]
    if any(c is None for c in cubes) or len({c.name for c in cubes if c}) < len(cubes):
        return False
    if any(_is_hint(j.args.get("on")) for j in joins):
        return all(_is_hint(j.args.get("on")) or str(j.args.get("kind") or "").upper() == "CROSS" for j in joins)
    index = compilation.index
    names = [c.name for c in cubes if c]
    crossed = all(str(j.args.get("kind") or "").upper() == "CROSS" and j.args.get("on") is None for j in joins)
    return crossed and any(all(index.path(a, b) is not None for b in names) for a in names)


def _model_join(compilation: Compilation, first: exp.Expr, joins: list[exp.Join], clause: FromClause) -> FromClause:
    for join in joins:
        check_args(join, ("this", "on", "kind", "side"))
    named = []
    for table in (first, *(j.this for j in joins)):
        cube = cube_named(compilation, table.name)
        assert cube is not None
        _check_table(table)
        named.append((cube, table.alias or table.name))
    relations = join_cubes(compilation, named)
    clause.relations = list(relations)
    clause.single = relations[0].source
    return clause


def _add_join(compilation: Compilation, reader: _Reader, clause: FromClause, join: exp.Join, scope: Scope) -> None:
    check_args(join, ("this", "on", "using", "kind", "side"))
    kind, side = str(join.args.get("kind") or "").upper(), str(join.args.get("side") or "").upper()
    filtering = kind in ("SEMI", "ANTI")
    if kind not in ("", "INNER", "OUTER", "CROSS", "SEMI", "ANTI") or side not in (
        ("", "LEFT") if filtering else ("", "LEFT", "RIGHT", "FULL")
    ):
        raise NotAllowed(
            f"{(side + ' ' + kind).strip()} JOIN is not available; use INNER, LEFT, RIGHT, FULL, CROSS, SEMI or ANTI."
        )
    relation = reader.read(join.this)
    on, using = join.args.get("on"), join.args.get("using")
    if _is_hint(on):
        raise InvalidQuery(
            "A join by the model's join field is for cubes only; join these by a condition between columns."
        )
    left = list(clause.relations)
    clause.relations.append(relation)
    clause.pieces.append(_piece(compilation, relation))
    inner = Scope(relations=clause.relations, parent=scope.parent, ctes=scope.ctes, run=scope.run, merged=clause.merged)
    binder = Binder(compilation, inner)
    if using:
        condition = _using(binder, clause, left, relation, using)
    elif on is not None:
        condition = binder.condition(on, "ON").sql
    else:
        condition = ""
    if filtering and condition:
        clause.ons.append((f" {kind} JOIN ", f" ON {condition}"))
        clause.relations.remove(relation)  # it only decides which rows stay; none of its columns can be named
    elif kind == "CROSS" or not condition:
        if side or (kind in ("INNER", "SEMI", "ANTI")) or (kind == "CROSS" and condition):
            raise InvalidQuery("This JOIN needs ON.")
        clause.ons.append((" CROSS JOIN ", ""))
    else:
        clause.ons.append((f" {side or 'INNER'} JOIN ", f" ON {condition}"))
    scope.seen_outside |= inner.seen_outside
    scope.used_outside = scope.used_outside or inner.used_outside


def _using(binder: Binder, clause: FromClause, left: list[Any], right: Any, columns: list[exp.Expr]) -> str:
    from .types import comparable

    conditions: list[str] = []
    for column in columns:
        name = column.name
        both = [next((r.find(name) for r in left if r.find(name) is not None), None), right.find(name)]
        if not all(isinstance(c, Bound) for c in both):
            raise InvalidQuery(f"USING ({name}): both sides must have that column.")
        one, other = comparable(binder, both[0], both[1])
        conditions.append(f"{one.sql} = {other.sql}")
        clause.merged.add(name.lower())
    return " AND ".join(conditions)


def passes(compilation: Compilation, cte: CteQuery, run: Run) -> bool:
    """Whether a CTE only passes a model's rows on (asked once; its names are checked with it)."""
    return _Reader(compilation, cte.scope, run, False)._passed(cte.query, cte.scope, None, cte.columns) is not None


# --- relations ----------------------------------------------------------------------------------------------------


def _check_table(node: exp.Table) -> None:
    check_args(node, ("this", "db", "catalog", "alias"))
    alias = node.args.get("alias")
    if alias is not None:
        check_args(alias, ("this",))


class _Reader:
    def __init__(self, compilation: Compilation, scope: Scope, run: Run, materialise: bool) -> None:
        self.compilation = compilation
        self.scope = scope
        self.run = run
        self.materialise = materialise

    def read(self, node: exp.Expr) -> Any:
        if isinstance(node, exp.Table):
            return self._table(node)
        if isinstance(node, exp.Subquery):
            return self._subquery(node)
        if isinstance(node, exp.Values):
            return self._values(node)
        raise refuse(node)

    def _table(self, node: exp.Table) -> Any:
        check_args(node, ("this", "db", "catalog", "alias"))
        if not isinstance(node.this, exp.Identifier):
            raise NotAllowed("Table functions are not available; select from a cube or view.")
        alias = node.args.get("alias")
        columns = [c.name for c in alias.args.get("columns") or []] if alias is not None else []
        if alias is not None:
            check_args(alias, ("this", "columns"))
        shown = node.alias or node.name
        if alias is not None and not alias.this.args.get("quoted") and node.alias.upper() in ("POSITIONAL", "ASOF"):
            raise NotAllowed(f"{node.alias.upper()} JOIN is not available; use INNER, LEFT, RIGHT, FULL or CROSS JOIN.")
        schema = node.args.get("db")
        if node.args.get("catalog") is not None or (schema is not None and fold(schema.name) != "public"):
            from .relations import unknown_relation

            raise unknown_relation(self.compilation, ".".join(p.name for p in node.parts))
        cte = self.scope.ctes.get(node.name) if schema is None else None
        if cte is not None:
            return self._cte(cte, shown, columns)
        relation = model_relation(self.compilation, node.name, shown)
        return renamed(relation, columns) if columns else relation

    def _cte(self, cte: CteQuery, alias: str, columns: list[str]) -> Any:
        names = columns or cte.columns
        passed = self._passed(cte.query, cte.scope, alias, names)
        if passed is not None:
            return passed
        if cte.out is None:
            raise InvalidQuery(f"The CTE '{alias}' refers to itself; recursive queries are not available.")
        return self._row_relation(alias, quote(cte.name), cte.out, names, named=True)

    def _subquery(self, node: exp.Subquery) -> Any:
        check_args(node, ("this", "alias", "with_"))
        alias = node.args.get("alias")
        if alias is not None:
            check_args(alias, ("this", "columns"))
        columns = [c.name for c in alias.args.get("columns") or []] if alias is not None else []
        name = alias.this.name if alias is not None and alias.this is not None else None
        inner = Scope(parent=None, ctes=self.scope.ctes, run=self.scope.run)
        if isinstance(node.this, (exp.Table, exp.Join)):
            raise refuse(node)
        passed = self._passed(node.this, inner, name, columns)
        if passed is not None:
            return passed
        sql, out = self.run(node.this, inner)
        return self._row_relation(name, f"({sql})", out, columns)

    def _row_relation(
        self, alias: str | None, text: str, out: list[OutColumn], names: list[str], named: bool = False
    ) -> RowRelation:
        if names and len(names) > len(out):
            raise InvalidQuery(f"{len(names)} column names are given for {len(out)} columns.")
        sql_alias = self.compilation.fresh("t")
        columns: Names[OutColumn] = Names()
        for i, column in enumerate(out):
            columns.add(names[i] if i < len(names) else column.name, column)
        return RowRelation(alias, sql_alias, columns, f"{text} AS {sql_alias}")

    def _values(self, node: exp.Values) -> RowRelation:
        check_args(node, ("expressions", "alias"))
        binder = Binder(self.compilation, Scope(ctes=self.scope.ctes, run=self.scope.run))
        rows = [binder.all(r.expressions if isinstance(r, exp.Tuple) else [r]) for r in node.expressions]
        width = len(rows[0]) if rows else 0
        if not rows or any(len(r) != width for r in rows) or len(rows) > 1000:
            raise InvalidQuery("VALUES wants up to 1000 rows of one length.")
        for i in range(width):
            for row, value in zip(rows, unified(binder, [r[i] for r in rows], "VALUES"), strict=True):
                row[i] = value
        alias = node.args.get("alias")
        names = [c.name for c in alias.args.get("columns") or []] if alias is not None else []
        out = [OutColumn(f"col{i}", Bound("", common([r[i] for r in rows]))) for i in range(width)]
        text = ", ".join("(" + ", ".join(v.sql for v in r) + ")" for r in rows)
        relation = self._row_relation(alias.this.name if alias is not None and alias.this else None, "", out, names)
        relation.text = f"(VALUES {text}) AS {relation.sql_alias}({', '.join(quote(c.name) for c in out)})"
        return relation

    # --- looking through -------------------------------------------------------------------------------------------

    def _passed(self, query: exp.Expr, scope: Scope, alias: str | None, names: list[str]) -> PassRelation | None:
        """The query as a passed-on model source, if it does no more than choose, name and filter its rows."""
        while isinstance(query, exp.Subquery) and {k for k, v in query.args.items() if v} <= {"this"}:
            query = query.this
        if not isinstance(query, exp.Select) or any(v and k not in _PASSED for k, v in query.args.items()):
            return None
        if query.args.get("with_") is not None or computes(query):
            return None
        node = query.args.get("from_")
        if node is None or query.args.get("joins"):
            return None
        inner = Scope(parent=None, ctes=scope.ctes, run=scope.run)
        below = _Reader(self.compilation, inner, self.run, False).read(node.this)
        if not isinstance(below, (ModelRelation, PassRelation)):
            return None
        if below.source.policy.view is not None and below.source.policy.view.default_filters:
            return None  # they are applied where the view stands
        self.compilation.fresh("s")
        inner.relations = [below]
        binder = Binder(self.compilation, inner)
        filters = list(below.filters) if isinstance(below, PassRelation) else []
        if (where := query.args.get("where")) is not None:
            filters.append(binder.condition(where.this, "WHERE"))
            refuse_inside(inner, filters[-1])
        passed = PassRelation(alias, below.source, Names(), [], filters)
        pass_columns(query, below, binder, inner, passed, names)
        return passed
