"""Queries: SELECT with its clauses, set operations, common table expressions."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from .kinds import BOOL, NULL, Kind, Value, together
from .operators import constant_of
from .ordering import ordered
from .parts import refuse_unread
from .refusal import Unsaid, not_declared
from .scope import Column, Relation, Scope
from .sources import written_from
from .writer import Query, Statement, Writer

__all__ = ["written"]

_CLAUSES = frozenset({
    "expressions", "from_", "joins", "laterals", "where", "group", "having", "qualify", "distinct", "order", "limit",
    "offset", "with_", "kind", "hint", "windows",
})  # fmt: skip
_WORDS: Mapping[type[exp.Expr], str] = {exp.Union: "UNION", exp.Except: "EXCEPT", exp.Intersect: "INTERSECT"}


def written(statement: Statement, node: exp.Expr, outer: Scope | None) -> Query:
    """A query inside the scope around it."""
    refuse_unread(node)
    if isinstance(node, exp.Subquery):
        if node.args.get("alias") is None and not any(node.args.get(name) for name in ("order", "limit", "offset")):
            return written(statement, node.this, outer)
        raise not_declared(node)
    if isinstance(node, exp.SetOperation):
        return _combined(statement, node, outer)
    if isinstance(node, exp.Select):
        return _select(statement, node, outer)
    if isinstance(node, exp.Values):
        return _select(statement, exp.select("*").from_(node), outer)
    raise not_declared(node)


# --- WITH ----------------------------------------------------------------------------------------------------------


def _with(statement: Statement, node: exp.Expr, outer: Scope | None) -> tuple[str, Scope | None]:
    clause = node.args.get("with_")
    if clause is None:
        return "", outer
    if clause.args.get("recursive"):
        raise Unsaid("WITH RECURSIVE")
    texts, scope = [], outer
    identifier = statement.tongue.identifier
    for cte in clause.expressions:
        refuse_unread(cte)
        query = written(statement, cte.this, scope)
        alias = cte.args["alias"]
        names = [column.name for column in alias.columns]
        name = identifier(alias.name)
        columns = [
            Column(names[i] if i < len(names) else own, f"{name}.", kind) for i, (own, kind) in enumerate(query.columns)
        ]
        # One scope inside the other: each expression sees those before it, and hides them.
        scope = Scope(outer=scope, named={alias.name.lower(): Relation(alias.name, columns)})
        listed = f"({', '.join(map(identifier, names))})" if names else ""
        kept = ""
        if "MATERIALIZED" in statement.tongue.knows:
            kept = {True: "MATERIALIZED ", False: "NOT MATERIALIZED "}.get(cte.args.get("materialized"), "")
        texts.append(f"{name}{listed} AS {kept}({query.sql})")
    return f"WITH {', '.join(texts)} ", scope


# --- set operations ------------------------------------------------------------------------------------------------


def _combined(statement: Statement, node: exp.SetOperation, outer: Scope | None) -> Query:
    if node.args.get("by_name") or node.args.get("on"):
        raise Unsaid("UNION BY NAME")
    head, scope = _with(statement, node, outer)
    branches = _branches(node)
    queries = [written(statement, branch, scope) for branch in branches]
    if len({len(query.columns) for query in queries}) != 1:
        raise Unsaid("queries of different numbers of columns in one")
    kinds = [together(query.columns[i][1] for query in queries) for i in range(len(queries[0].columns))]
    word = _WORDS[type(node)] + ("" if node.args.get("distinct") else " ALL")
    w = Writer(statement, Scope(outer=scope))
    text = f" {word} ".join(f"({_in_kinds(w, query, kinds)})" for query in queries)
    columns = tuple((name, kind) for (name, _), kind in zip(queries[0].columns, kinds, strict=True))
    tail = _tail(w, node, columns)
    return Query(f"{head}{text}{tail}", columns)


def _branches(node: exp.SetOperation) -> list[exp.Expr]:
    """The branches of a chain of the same operation; of EXCEPT, of which the order counts, the two."""
    out: list[exp.Expr] = []
    stack: list[exp.Expr] = [node]
    while stack:
        each = stack.pop()
        plain = each is node or (
            type(each) is type(node)
            and isinstance(each, exp.Union)
            and each.args.get("distinct") == node.args.get("distinct")
            and not any(each.args.get(name) for name in ("order", "limit", "offset", "with_"))
        )
        if plain and isinstance(each, exp.SetOperation):
            # The right side first: the left one is taken off the stack next.
            stack += [each.expression, each.this]
        else:
            out.append(each)
    return out


def _in_kinds(w: Writer, query: Query, kinds: list[Kind]) -> str:
    """The query with its columns in these kinds."""
    if all(own.name == kind.name for (_, own), kind in zip(query.columns, kinds, strict=True)):
        return query.sql
    # Under names of our own: two columns of a branch may have one name.
    names = [f"c{i}" for i in range(len(kinds))]
    values = [
        w.as_kind(Value(f"svc_branch.{name}", own) if own != NULL else Value("NULL", NULL), kind).sql
        for name, (_, own), kind in zip(names, query.columns, kinds, strict=True)
    ]
    identifier = w.tongue.identifier
    shown = ", ".join(f"{value} AS {identifier(own)}" for value, (own, _) in zip(values, query.columns, strict=True))
    return f"SELECT {shown} FROM ({query.sql}) AS svc_branch({', '.join(names)})"


# --- SELECT --------------------------------------------------------------------------------------------------------


def _select(statement: Statement, node: exp.Select, outer: Scope | None) -> Query:
    for name, value in node.args.items():
        if name not in _CLAUSES and value:
            raise Unsaid(f"SELECT with '{name.rstrip('_')}'")
    if node.args.get("kind") or node.args.get("windows"):
        raise Unsaid("a named window", "write it where it is used")
    head, scope = _with(statement, node, outer)
    w = Writer(statement, Scope(outer=scope))
    source = written_from(w, node).sql
    items = _items(w, node)
    columns = tuple((name, value.kind) for name, value in items)
    text = f"{f' FROM {source}' if source else ''}{_where(w, node, 'where', 'WHERE')}{_group(w, node, items)}"
    text += _where(w, node, "having", "HAVING")
    listed = ", ".join(f"{_shown(value)} AS {w.tongue.identifier(name)}" for name, value in items)
    distinct = _distinct(w, node)
    if node.args.get("qualify") is not None:
        return _qualified(w, node, items, text, head, distinct)
    rows = f"{head}SELECT {distinct}{listed}{text}{_tail(w, node, columns, items)}"
    return Query(w.tongue.barrier(rows) if _is_barrier(node) else rows, columns)


def _shown(value: Value) -> str:
    return "NULL" if value.kind == NULL else value.sql


def _items(w: Writer, node: exp.Select) -> list[tuple[str, Value]]:
    found: list[tuple[str, Value]] = []
    for place, item in enumerate(node.expressions):
        star = item if isinstance(item, exp.Star) else item.this if isinstance(item, exp.Column) else None
        if isinstance(star, exp.Star):
            if any(star.args.get(name) for name in ("except_", "replace", "rename")):
                raise Unsaid("* with EXCLUDE or REPLACE", "write the columns")
            table = item.table if isinstance(item, exp.Column) else ""
            relations = [w.scope.relation(table)] if table else w.scope.relations
            seen: set[str] = set()
            for relation in relations:
                for column in relation.columns:
                    if column.name.lower() in w.scope.merged & seen:
                        continue
                    seen.add(column.name.lower())
                    value = Value("NULL", NULL) if column.kind == NULL else Value(column.sql, column.kind)
                    found.append((column.name, value))
        else:
            # No matter which: nothing refers to a column without a name.
            name = item.alias_or_name or f"column{place + 1}"
            found.append((name, w.value(item.unalias())))
    return found


def _where(w: Writer, node: exp.Select, clause: str, word: str) -> str:
    found = node.args.get(clause)
    if found is None:
        return ""
    value = w.value(found.this)
    if value.kind.is_number:
        return f" {word} {value.sql} <> 0"
    return f" {word} {w.as_kind(value, BOOL).sql}"


def _group(w: Writer, node: exp.Select, items: list[tuple[str, Value]]) -> str:
    group = node.args.get("group")
    if group is None:
        return ""
    refuse_unread(group)
    if group.args.get("all"):
        raise Unsaid("GROUP BY ALL", "write the columns")
    sets = [each for name in ("rollup", "cube", "grouping_sets") for each in group.args.get(name) or []]
    parts = [_key(w, key, items) for key in [*group.expressions, *sets]]
    return f" GROUP BY {', '.join(parts)}" if parts else ""


_SETS: Mapping[type[exp.Expr], str] = {exp.Rollup: "ROLLUP", exp.Cube: "CUBE", exp.GroupingSets: "GROUPING SETS"}


def _set(w: Writer, node: exp.Expr, items: list[tuple[str, Value]]) -> str:
    if isinstance(node, exp.Tuple):
        return f"({', '.join(_key(w, key, items) for key in node.expressions)})"
    if isinstance(node, exp.Paren):
        return f"({_key(w, node.this, items)})"
    return _key(w, node, items)


def _key(w: Writer, node: exp.Expr, items: list[tuple[str, Value]]) -> str:
    if type(node) in _SETS:
        return f"{_SETS[type(node)]} ({', '.join(_set(w, key, items) for key in node.expressions)})"
    if isinstance(node, exp.Literal) and not node.is_string:
        place = int(node.this)
        # A NULL without a type cannot be grouped by; by nothing at all there is still one group.
        if items[place - 1][1].kind == NULL:
            return "()" if len(items) == 1 else w.null()
        return str(place)
    if isinstance(node, exp.Column) and not node.table:
        named = [value for name, value in items if name.lower() == node.name.lower()]
        own = any(relation.column(node.name) for relation in w.scope.relations)
        if named and not own:
            return named[0].sql
    value = w.value(node)
    return w.null() if value.kind == NULL else value.sql


def _distinct(w: Writer, node: exp.Select) -> str:
    found = node.args.get("distinct")
    if found is None:
        return ""
    if found.args.get("on") is not None:
        if "DISTINCT ON" not in w.tongue.knows:
            raise Unsaid("DISTINCT ON", "write row_number() OVER (…) and QUALIFY")
        keys = found.args["on"].expressions if isinstance(found.args["on"], exp.Tuple) else [found.args["on"]]
        return f"DISTINCT ON ({', '.join(w.value(key).sql for key in keys)}) "
    return "DISTINCT "


def _qualified(
    w: Writer, node: exp.Select, items: list[tuple[str, Value]], text: str, head: str, distinct: str
) -> Query:
    """QUALIFY, which there is none of: the windows are computed inside, and looked at outside."""
    keep = w.as_kind(w.value(node.args["qualify"].this), BOOL).sql
    names = [f"c{i}" for i in range(len(items))]
    inner = ", ".join([*(f"{_shown(value)} AS {name}" for name, (_, value) in zip(names, items, strict=True))])
    columns = tuple((name, value.kind) for name, value in items)
    identifier = w.tongue.identifier
    shown = ", ".join(f"svc_kept.{own} AS {identifier(name)}" for own, (name, _) in zip(names, items, strict=True))
    tail = _tail(w, node, columns)
    return Query(
        f"{head}SELECT {distinct}{shown} FROM (SELECT {inner}, {keep} AS keep{text}) AS svc_kept "
        f"WHERE svc_kept.keep{tail}",
        columns,
    )


def _tail(
    w: Writer,
    node: exp.Expr,
    columns: tuple[tuple[str, Kind], ...],
    items: list[tuple[str, Value]] | None = None,
) -> str:
    """ORDER BY, LIMIT and OFFSET. Without ``items`` only columns of the result can be ordered by."""
    text, order = "", node.args.get("order")
    if order is not None:
        text += " ORDER BY " + ", ".join(_order(w, term, columns, items) for term in order.expressions)
    for name, word in (("limit", "LIMIT"), ("offset", "OFFSET")):
        clause = node.args.get(name)
        if clause is None:
            continue
        # The barrier is said in the engine's own way.
        if name == "offset" and _is_barrier(node):
            continue
        if not isinstance(clause, (exp.Limit, exp.Offset)) or clause.args.get("limit_options") is not None:
            raise Unsaid(f"{word} with options")
        count = w.value(clause.expression)
        whole = constant_of(count)
        text += f" {word} {whole if isinstance(whole, int) else count.sql}"
    return text


def _is_barrier(node: exp.Expr) -> bool:
    """``OFFSET 0`` without a LIMIT: nobody asks for that but the compiler, and it means that rows end here."""
    offset = node.args.get("offset")
    return (
        isinstance(node, exp.Select)
        and isinstance(offset, exp.Offset)
        and isinstance(offset.expression, exp.Literal)
        and offset.expression.this == "0"
        and node.args.get("limit") is None
    )


def _order(
    w: Writer, term: exp.Expr, columns: tuple[tuple[str, Kind], ...], items: list[tuple[str, Value]] | None
) -> str:
    inner = term.this if isinstance(term, exp.Ordered) else term
    name = inner.name if isinstance(inner, exp.Column) and not inner.table else None
    at = next((i for i, (own, _) in enumerate(columns) if name is not None and own.lower() == name.lower()), None)
    # By its place: a name of the result may be a column of a table as well.
    if at is not None:
        place = exp.Literal.number(at + 1)
        moved = replace_this(term, place)
        return ordered(w, [moved])
    if items is None and not (isinstance(inner, exp.Literal) and not inner.is_string):
        raise Unsaid("ORDER BY something that is no column of the result")
    return ordered(w, [term])


def replace_this(term: exp.Expr, this: exp.Expr) -> exp.Expr:
    """The term of an ORDER BY over something else."""
    if not isinstance(term, exp.Ordered):
        return exp.Ordered(this=this)
    return exp.Ordered(this=this, desc=term.args.get("desc"), nulls_first=term.args.get("nulls_first"))
