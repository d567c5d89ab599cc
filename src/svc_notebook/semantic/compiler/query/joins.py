"""JOIN: by the model, or by a condition between columns."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from .... import patterns as re
from ...dialects.nodes import joined_by, sql
from ...errors import InvalidQuery, NotAllowed
from ..binding.binding import Binder
from ..binding.types import comparable
from ..join_tree.context import Compilation
from ..refusals import check_args
from ..values import Bound
from .from_clause import FromClause
from .from_items import Reader, piece
from .join_order import Joined
from .ranges import terms_of
from .relations import cube_named, join_cubes
from .scope import Scope

__all__ = ["add_join", "joined_by_model", "model_join"]

# Cube's SQL API writes joins so: ON a.__cubeJoinField = b.__cubeJoinField.
_HINT = re.compile(r"\A__\w*joinfield\Z", re.IGNORECASE)


def _is_hint(on: exp.Expr | None) -> bool:
    return isinstance(on, exp.EQ) and all(
        isinstance(s, exp.Column) and _HINT.match(s.name) for s in (on.this, on.expression)
    )


def joined_by_model(compilation: Compilation, first: exp.Expr, joins: list[exp.Join], scope: Scope) -> bool:
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


def model_join(compilation: Compilation, first: exp.Expr, joins: list[exp.Join], clause: FromClause) -> FromClause:
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


def add_join(compilation: Compilation, reader: Reader, clause: FromClause, join: exp.Join, scope: Scope) -> None:
    check_args(join, ("this", "on", "using", "kind", "side", *(("method",) if _is_natural(join) else ())))
    kind, side = str(join.args.get("kind") or "").upper(), str(join.args.get("side") or "").upper()
    filtering = kind in ("SEMI", "ANTI")
    if kind not in ("", "INNER", "OUTER", "CROSS", "SEMI", "ANTI") or side not in (
        ("", "LEFT") if filtering else ("", "LEFT", "RIGHT", "FULL")
    ):
        raise NotAllowed(
            f"{(side + ' ' + kind).strip()} JOIN is not available; use INNER, LEFT, RIGHT, FULL, CROSS, SEMI or ANTI."
        )
    relation = reader.read(join.this, clause.relations)
    if isinstance(join.this, exp.Lateral) and (filtering or side in ("RIGHT", "FULL")):
        raise NotAllowed("LATERAL follows a comma, CROSS JOIN, JOIN or LEFT JOIN.")
    on, using = join.args.get("on"), join.args.get("using")
    if _is_natural(join):
        using = _shared(clause.relations, relation)
    if _is_hint(on):
        raise InvalidQuery(
            "A join by the model's join field is for cubes only; join these by a condition between columns."
        )
    left = list(clause.relations)
    clause.relations.append(relation)
    inner = Scope(relations=clause.relations, parent=scope.parent, ctes=scope.ctes, run=scope.run, merged=clause.merged)
    binder = Binder(compilation, inner)
    if using:
        condition = _using(binder, clause, left, relation, using)
    elif on is not None:
        condition = binder.condition(on, "ON").sql
    else:
        condition = ""
    if kind == "CROSS" or not condition:
        if side or (kind in ("INNER", "SEMI", "ANTI")) or (kind == "CROSS" and condition):
            raise InvalidQuery("This JOIN needs ON.")
        word = "CROSS"
    else:
        word = kind if filtering else side or "INNER"
    joined = Joined.of(relation, piece(compilation, relation), word, condition)
    joined.compare(clause.joined, clause.relations, _equalities(on, using))
    clause.joined.append(joined)
    if filtering:
        clause.relations.remove(relation)  # it only decides which rows stay; none of its columns can be named
    scope.seen_outside |= inner.seen_outside
    scope.used_outside = scope.used_outside or inner.used_outside


def _is_natural(join: exp.Join) -> bool:
    return str(join.args.get("method") or "").upper() == "NATURAL"


def _shared(left: list[Any], right: Any) -> list[exp.Expr]:
    """The columns that both sides of a NATURAL JOIN have."""
    known = {name.lower() for relation in left for name in relation.star()}
    shared: list[exp.Expr] = [exp.to_identifier(name, quoted=True) for name in right.star() if name.lower() in known]
    if not shared:
        raise InvalidQuery("NATURAL JOIN finds no column of one name on both sides; write JOIN … ON ….")
    return shared


def _equalities(on: exp.Expr | None, using: list[exp.Expr] | None) -> list[tuple[exp.Expr, exp.Expr]]:
    """The pairs of operands that all joined rows have equal."""
    if using or on is None:
        return []
    return [(term.this, term.expression) for term in terms_of(on) if isinstance(term, exp.EQ)]


def _using(binder: Binder, clause: FromClause, left: list[Any], right: Any, columns: list[exp.Expr]) -> str:
    conditions: list[str] = []
    for column in columns:
        name = column.name
        both = [next((r.find(name) for r in left if r.find(name) is not None), None), right.find(name)]
        if not all(isinstance(c, Bound) for c in both):
            raise InvalidQuery(f"USING ({name}): both sides must have that column.")
        one, other = comparable(binder, both[0], both[1])
        conditions.append(sql("{} = {}", one.sql, other.sql))
        clause.merged.add(name.lower())
    return joined_by(" AND ", conditions)


def _check_table(node: exp.Table) -> None:
    check_args(node, ("this", "db", "catalog", "alias"))
    alias = node.args.get("alias")
    if alias is not None:
        check_args(alias, ("this",))
