"""One item of FROM: a cube, a view, a CTE, a subquery or VALUES."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace
from sqlglot import exp

from ....records import dataclass
from ...dialects.nodes import from_, holes, item, run, select, where, word
from ...dialects.nodes import rows as rows_of
from ...dialects.nodes import sql as piece_of
from ...errors import InvalidQuery, NotAllowed
from ..binding.binding import Binder
from ..binding.types import common, unified
from ..join_tree.context import Compilation
from ..names import Names, fold
from ..plan.source import ModelSource
from ..refusals import check_args, refuse, table_function
from ..values import Bound, quote
from .columns import FactsRelation, ModelRelation, OutColumn, PassRelation, RowRelation
from .derived_tables import computes, pass_columns, renamed
from .filter_contexts import refuse_inside
from .relations import model_relation, unknown_relation
from .scope import Scope
from .series import listed_rows, series

__all__ = ["CteQuery", "Reader", "Run", "passes", "piece"]

Run = Callable[[exp.Expr, Scope], tuple[str, list[OutColumn]]]
_PASSED = frozenset({"expressions", "from_", "joins", "where", "order", "with_"})


@dataclass
class CteQuery:
    """A CTE: looked through where it only passes a model's rows on, otherwise compiled once under ``name``."""

    query: exp.Expr
    columns: list[str]
    scope: Scope
    name: str
    out: list[OutColumn] | None = None


def _rows_of(source: ModelSource) -> Callable[[], str]:
    return lambda: source.all_rows()


def piece(compilation: Compilation | None, relation: Any) -> Any:
    if isinstance(relation, RowRelation):
        return relation.text
    filters = relation.filters if isinstance(relation, PassRelation) else []
    source: ModelSource = relation.source
    if not filters:
        return _rows_of(source)
    tests = where([f.sql for f in filters])

    def narrowed() -> str:
        found = select([word("*")], run(from_(source.all_rows()), tests))
        return rows_of(f"({{}}) AS {source.alias}", found)

    return narrowed


def passes(compilation: Compilation, cte: CteQuery, run: Run) -> bool:
    """Whether a CTE only passes a model's rows on (asked once; its names are checked with it)."""
    return Reader(compilation, cte.scope, run, False)._passed(cte.query, cte.scope, None, cte.columns) is not None


class Reader:
    def __init__(
        self, compilation: Compilation, scope: Scope, run: Run, materialise: bool, select: exp.Select | None = None
    ) -> None:
        self.compilation = compilation
        self.select = select  # the query whose FROM this is
        self.scope = scope
        self.run = run
        self.materialise = materialise

    def read(self, node: exp.Expr, left: Sequence[Any] = ()) -> Any:
        """The relation of one item; ``left`` are those before it, which only LATERAL may name."""
        if isinstance(node, exp.Table):
            if isinstance(node.this, exp.ExplodingGenerateSeries):
                return self._series(node)
            return self._table(node)
        if isinstance(node, exp.Lateral):
            return self._lateral(node, left)
        if isinstance(node, exp.Unnest) and (rows := listed_rows(node)) is not None:
            return self._unnested(node, rows)
        if isinstance(node, exp.Subquery):
            return self._subquery(node)
        if isinstance(node, exp.Values):
            return self._values(node)
        raise refuse(node)

    def _table(self, node: exp.Table) -> Any:
        check_args(node, ("this", "db", "catalog", "alias"))
        if not isinstance(node.this, exp.Identifier):
            raise table_function(node.this)
        alias = node.args.get("alias")
        columns = [c.name for c in alias.args.get("columns") or []] if alias is not None else []
        if alias is not None:
            check_args(alias, ("this", "columns"))
        shown = node.alias or node.name
        if alias is not None and not alias.this.args.get("quoted") and node.alias.upper() in ("POSITIONAL", "ASOF"):
            raise NotAllowed(f"{node.alias.upper()} JOIN is not available; use INNER, LEFT, RIGHT, FULL or CROSS JOIN.")
        schema = node.args.get("db")
        if node.args.get("catalog") is not None or (schema is not None and fold(schema.name) != "public"):
            raise unknown_relation(self.compilation, ".".join(p.name for p in node.parts))
        cte = self.scope.ctes.get(node.name) if schema is None else None
        if cte is not None:
            return self._cte(cte, shown, columns)
        relation = model_relation(self.compilation, node.name, shown, self.select)
        return renamed(relation, columns) if columns else relation

    def _cte(self, cte: CteQuery, alias: str, columns: list[str]) -> Any:
        names = columns or cte.columns
        passed = self._passed(cte.query, cte.scope, alias, names)
        if passed is not None:
            return passed
        if cte.out is None:
            raise InvalidQuery(f"The CTE '{alias}' refers to itself; recursive queries are not available.")
        return self._row_relation(alias, item(quote(cte.name)), cte.out, names, named=True)

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
        return self._row_relation(name, piece_of("({})", sql), out, columns)

    def _lateral(self, node: exp.Lateral, left: Sequence[Any]) -> RowRelation:
        """A subquery that may name columns of the relations before it, and sees their permitted rows."""
        check_args(node, ("this", "alias"))
        if not isinstance(node.this, exp.Subquery):
            raise refuse(node)
        check_args(node.this, ("this",))
        alias = node.args.get("alias")
        columns = [c.name for c in alias.args.get("columns") or []] if alias is not None else []
        outer = Scope(relations=list(left), parent=self.scope.parent, ctes=self.scope.ctes, run=self.scope.run)
        inner = Scope(parent=outer, ctes=self.scope.ctes, run=self.scope.run)
        sql, out = self.run(node.this.this, inner)
        self.scope.seen_outside |= outer.seen_outside
        self.scope.used_outside = self.scope.used_outside or outer.used_outside
        return self._row_relation(node.alias or None, item("LATERAL ({})", sql), out, columns)

    def _series(self, node: exp.Table) -> RowRelation:
        check_args(node, ("this", "alias"))
        alias = node.args.get("alias")
        names = [c.name for c in alias.args.get("columns") or []] if alias is not None else []
        binder = Binder(self.compilation, Scope(ctes=self.scope.ctes, run=self.scope.run))
        bound = series(binder, node.this)
        name = names[0] if names else node.alias or "generate_series"
        out = [OutColumn("n", replace(bound, sql=""))]
        return self._row_relation(node.alias or "generate_series", bound.sql, out, names or [name])

    def _unnested(self, node: exp.Unnest, rows: exp.Values) -> RowRelation:
        check_args(node, ("expressions", "alias"))
        alias = node.args.get("alias")
        name = exp.to_identifier(node.alias or "unnest", quoted=True)
        columns = [c.copy() for c in (alias.args.get("columns") if alias is not None else None) or [name]]
        rows.set("alias", exp.TableAlias(this=name, columns=columns))
        return self._values(rows)

    def _row_relation(
        self, alias: str | None, text: str, out: list[OutColumn], names: list[str], named: bool = False
    ) -> RowRelation:
        if names and len(names) > len(out):
            raise InvalidQuery(f"{len(names)} column names are given for {len(out)} columns.")
        sql_alias = self.compilation.fresh("t")
        columns: Names[OutColumn] = Names()
        for i, column in enumerate(out):
            columns.add(names[i] if i < len(names) else column.name, column)
        return RowRelation(alias, sql_alias, columns, item(f"{{}} AS {sql_alias}", text) if text else "")

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
        listed = ", ".join([f"({holes(width)})"] * len(rows))
        relation = self._row_relation(alias.this.name if alias is not None and alias.this else None, "", out, names)
        shown = ", ".join(quote(c.name) for c in out)
        form = f"(VALUES {listed}) AS {relation.sql_alias}({shown})"
        relation.text = item(form, *(value.sql for row in rows for value in row))
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
        below = Reader(self.compilation, inner, self.run, False, query).read(node.this)
        if not isinstance(below, (ModelRelation, PassRelation)) or isinstance(below, FactsRelation):
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
