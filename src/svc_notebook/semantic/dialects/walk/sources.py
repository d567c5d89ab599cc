"""FROM: tables, subqueries, values; and how they are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import Struct
from sqlglot import exp

from ...errors import NotPlanned
from .kinds import BOOL, NULL, Kind, Value
from .operators import equal
from .parts import refuse_unread
from .refusal import Unsaid, not_declared
from .scope import Column, PhysicalColumn, Relation, Scope
from .writer import Writer

__all__ = ["From", "written_from"]

_EMPTY = {"text": "''", "bool": "FALSE", "date": "DATE '2000-01-01'", "timestamp": "TIMESTAMP '2000-01-01'"}


class From(Struct, frozen=True):
    """The text after FROM, ``""`` where there is none."""

    sql: str


def written_from(w: Writer, select: exp.Select) -> From:
    """FROM and its joins; each relation is added to the scope as it is read."""
    item = select.args.get("from_")
    if item is None:
        if select.args.get("joins"):
            raise not_declared(select)
        return From("")
    text = _item(w, item.this)
    # An item that was made of rows with joins keeps them with itself.
    for join in [*(item.this.args.get("joins") or []), *(select.args.get("joins") or [])]:
        text += _join(w, join)
    for lateral in select.args.get("laterals") or []:
        text += f" CROSS JOIN {_item(w, lateral)}"
    return From(text)


def _add(w: Writer, name: str, columns: Sequence[tuple[str, Kind]]) -> None:
    identifier = w.tongue.identifier
    alias = identifier(name)
    made = [Column(column, f"{alias}.{identifier(column)}", kind) for column, kind in columns]
    w.scope.relations.append(Relation(name, made))


def _item(w: Writer, node: exp.Expr) -> str:
    refuse_unread(node)
    if isinstance(node, exp.Table):
        return _table(w, node)
    if isinstance(node, exp.Subquery):
        return _subquery(w, node, replace(w, scope=Scope(outer=w.scope.outer)))
    if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
        return "LATERAL " + _subquery(w, node, w)
    if isinstance(node, exp.Values):
        return _values(w, node)
    raise Unsaid(f"{type(node).__name__.lower()} in FROM")


def _alias(node: exp.Expr) -> tuple[str, list[str]]:
    alias = node.args.get("alias")
    if not isinstance(alias, exp.TableAlias):
        return node.alias_or_name, []
    return alias.name, [column.name for column in alias.columns]


def _subquery(w: Writer, node: exp.Expr, inside: Writer) -> str:
    inner = node.this
    name, columns = _alias(node)
    if isinstance(inner, exp.Table):
        raise not_declared(inner)
    query = inside.query(inner.this if isinstance(node, exp.Lateral) and isinstance(inner, exp.Subquery) else inner)
    named = [(columns[i] if i < len(columns) else own, kind) for i, (own, kind) in enumerate(query.columns)]
    name = name or f"svc_unnamed{len(w.scope.relations)}"
    _add(w, name, named)
    identifier = w.tongue.identifier
    listed = f"({', '.join(map(identifier, columns))})" if columns else ""
    return f"({query.sql}) AS {identifier(name)}{listed}"


def _values(w: Writer, node: exp.Values) -> str:
    name, columns = _alias(node)
    rows = [w.all(row.expressions if isinstance(row, exp.Tuple) else [row]) for row in node.expressions]
    unified = [w.together([row[i] for row in rows]) for i in range(len(rows[0]))]
    texts = ["(" + ", ".join(_typed(w, values[at], kind) for values, kind in unified) + ")" for at in range(len(rows))]
    names = [columns[i] if i < len(columns) else f"col{i}" for i in range(len(unified))]
    name = name or f"svc_unnamed{len(w.scope.relations)}"
    _add(w, name, [(names[i], kind) for i, (_, kind) in enumerate(unified)])
    identifier = w.tongue.identifier
    return f"(VALUES {', '.join(texts)}) AS {identifier(name)}({', '.join(map(identifier, names))})"


def _typed(w: Writer, value: Value, kind: Kind) -> str:
    return w.null() if kind == NULL else value.sql


def _table(w: Writer, node: exp.Table) -> str:
    if not isinstance(node.this, exp.Identifier):
        raise Unsaid("a function in the place of a table")
    for name, value in node.args.items():
        if name not in ("this", "db", "catalog", "alias", "joins") and value:
            raise Unsaid(f"a table with '{name}'")
    schema, alias = node.args.get("db"), _alias(node)[0]
    if schema is None and (common := w.scope.common(node.name)) is not None:
        _add(w, alias, [(column.name, column.kind) for column in common.columns])
        # The written name of the expression: it may have been shortened to what the engine takes.
        return f"{common.columns[0].sql.partition('.')[0]} AS {w.tongue.identifier(alias)}"
    columns = w.statement.tables(schema.name if schema is not None else "", node.name)
    if columns is None:
        raise NotPlanned(f"There is no table '{node.name[:60]}', or it may not be read.")
    return _scanned(w, columns, schema.name if schema is not None else "", node.name, alias)


def _scanned(w: Writer, columns: Sequence[PhysicalColumn], schema: str, table: str, alias: str) -> str:
    """A table as it is, if its columns are read as they are; a selection of them otherwise."""
    quoted, name = w.tongue.quoted, w.tongue.identifier(alias)
    made = [Column(column.name, f"{name}.{quoted(column.name)}", column.kind) for column in columns]
    w.scope.relations.append(Relation(alias, made))
    place = w.tongue.place(w, schema, table)
    if all(column.read is None for column in columns):
        return f"{place} AS {name}"
    listed = ", ".join(
        quoted(column.name)
        if column.read is None
        else f"{column.read.format(quoted(column.name))} AS {quoted(column.name)}"
        for column in columns
    )
    return f"(SELECT {listed} FROM {place}) AS {name}"


# --- joins ---------------------------------------------------------------------------------------------------------


def _join(w: Writer, node: exp.Join) -> str:
    refuse_unread(node)
    side, kind = str(node.args.get("side") or "").upper(), str(node.args.get("kind") or "").upper()
    if node.args.get("method") or kind not in ("", "INNER", "OUTER", "CROSS"):
        raise Unsaid(f"{node.args.get('method') or ''} {kind} JOIN".strip())
    item = _item(w, node.this)
    using, on = node.args.get("using"), node.args.get("on")
    if using:
        names = [name.name for name in using]
        w.scope.merged |= {name.lower() for name in names}
        return f" {side} JOIN {item} USING ({', '.join(w.tongue.quoted(w.scope.find(n, None).name) for n in names)})"
    if on is None:
        return f" CROSS JOIN {item}" if not side else f" {side} JOIN {item} ON TRUE"
    if kind == "CROSS":
        raise not_declared(node)
    if side == "FULL" and "FULL JOIN" not in w.tongue.knows and not any(_equates(term, node) for term in _terms(on)):
        raise Unsaid("a FULL JOIN without an equation of a column of each side")
    return f" {side} JOIN {item} ON {' AND '.join(_on(w, term) for term in _terms(on))}".replace("  ", " ")


def _equates(term: exp.Expr, join: exp.Join) -> bool:
    """Whether a term equates something of the joined rows with something of those before them."""
    if not isinstance(term, (exp.EQ, exp.NullSafeEQ)):
        return isinstance(term, exp.Boolean)
    joined = join.this.alias_or_name.lower()
    sides = [
        {column.table.lower() == joined for column in side.find_all(exp.Column)}
        for side in (term.this, term.expression)
    ]
    # One side reads the joined rows alone, the other none of them.
    return sorted(map(sorted, sides)) == [[False], [True]]


def _terms(node: exp.Expr) -> list[exp.Expr]:
    node = node.unnest()
    if isinstance(node, exp.And):
        return [*_terms(node.this), *_terms(node.expression)]
    return [node]


def _on(w: Writer, node: exp.Expr) -> str:
    """One term of a join. NULL beside NULL is written as two equations, which a hash can look up."""
    if isinstance(node, exp.NullSafeEQ):
        one, other = w.value(node.this), w.value(node.expression)
        (one, other), kind = w.together([one, other])
        empty = "0" if kind.is_number else _EMPTY.get(kind.name)
        if kind == NULL:
            return "TRUE"
        if empty is not None:
            pair = equal(
                w, Value(f"COALESCE({one.sql}, {empty})", kind), Value(f"COALESCE({other.sql}, {empty})", kind)
            )
            return f"({one.sql} IS NULL) = ({other.sql} IS NULL) AND {pair}"
    value = w.as_kind(w.value(node), BOOL)
    return value.sql
