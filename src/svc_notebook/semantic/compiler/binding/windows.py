"""Window functions and frames."""

from __future__ import annotations

from sqlglot import exp

from ...dialects import duckdb as say
from ...dialects.nodes import holes, sql
from ...errors import InvalidQuery
from ..refusals import check_args
from ..values import Bound
from . import types
from .aggregate_calls import aggregate_call, is_aggregate
from .binding import Binder
from .ordering import no_ordinal, ordering

__all__ = ["window"]


def window(b: Binder, node: exp.Window) -> Bound:
    check_args(node, ("this", "partition_by", "order", "spec", "over", "alias"))
    base = None
    if node.args.get("alias") is not None:
        base = b.windows.get(node.args["alias"].name.lower())
        if base is None:
            raise InvalidQuery(f"The window '{node.args['alias'].name}' is not defined.")
    text, kind, parts = _windowed(b, node.this)
    narrow = bool(parts) and Bound.of("", kind, *parts).narrow
    clauses: list[str] = []
    pieces: list[str] = []
    partition = [*((base.args.get("partition_by") or []) if base else []), *(node.args.get("partition_by") or [])]
    if partition:
        by = b.all(partition)
        parts += by
        clauses.append(f"PARTITION BY {holes(len(by))}")
        pieces += [no_ordinal(v) for v in by]
    order = node.args.get("order") or (base.args.get("order") if base else None)
    if order is not None:
        form, values, used = ordering(b, order.expressions)
        parts += used
        clauses.append(f"ORDER BY {form}")
        pieces += values
    spec = node.args.get("spec") or (base.args.get("spec") if base else None)
    if spec is not None:
        form, distances = _frame(b, spec)
        clauses.append(form)
        pieces += distances
    row = Bound.of("", kind, *parts) if parts else Bound("", kind)
    over = sql(f"({{}} OVER ({' '.join(clauses)}))", text, *pieces)
    return Bound(over, kind, row.uses, True, growth=row.growth, narrow=narrow)


def _windowed(b: Binder, node: exp.Expr) -> tuple[str, str, list[Bound]]:
    nulls = ""
    if isinstance(node, (exp.IgnoreNulls, exp.RespectNulls)):
        nulls = " IGNORE NULLS" if isinstance(node, exp.IgnoreNulls) else ""
        node = node.this
    if type(node) in say.WINDOW_ONLY:
        name, kind, most = say.WINDOW_ONLY[type(node)]
        check_args(node, ("this", "offset", "default", "expressions", "from_first"))
        args = [node.args[a] for a in ("this", "offset", "default") if isinstance(node.args.get(a), exp.Expr)]
        if len(args) > most or node.args.get("expressions"):
            raise InvalidQuery(f"{name} takes fewer arguments.")
        bound = b.all(args)
        # The offset of LAG and LEAD and the place of NTH_VALUE; a size of NTILE that differs by row has no meaning.
        for extra in bound[1:2] if name != "NTILE" else bound[:1]:
            if not extra.is_literal or not isinstance(extra.literal, int):
                raise InvalidQuery(f"{name} wants a constant whole number.")
        if name == "NTILE" and (not bound or bound[0].literal < 1):
            raise InvalidQuery("NTILE wants a number above 0.")
        if len(bound) == 3:
            # LAG's default stands in the column of its values.
            bound[2] = types.unified(b, [bound[0], bound[2]], name)[1]
        return (
            sql(f"{name}({holes(len(bound))}{nulls})", *(v.sql for v in bound)),
            bound[0].kind if kind == "same" and bound else kind,
            bound,
        )
    # DuckDB has no ordered-set aggregate over a window.
    if not is_aggregate(node) or isinstance(node, exp.WithinGroup):
        raise InvalidQuery("OVER follows a window function or an aggregate.")
    inner = aggregate_call(b, node)
    return inner.render([a.sql for a in inner.args]), inner.kind, list(inner.args)


def _frame(b: Binder, spec: exp.WindowSpec) -> tuple[str, list[str]]:
    """The form of a frame, and the distances in it."""
    check_args(spec, ("kind", "start", "start_side", "end", "end_side", "exclude"))
    left_out = str(getattr(spec.args.get("exclude"), "name", "") or "").upper()
    if left_out not in ("", "NO OTHERS", "CURRENT ROW", "GROUP", "TIES"):
        raise InvalidQuery("EXCLUDE in a window frame takes CURRENT ROW, GROUP, TIES or NO OTHERS.")
    kind = str(spec.args["kind"]).upper()
    if kind not in ("ROWS", "RANGE", "GROUPS"):
        raise InvalidQuery("A window frame is ROWS, RANGE or GROUPS.")
    start, first = _bound_of_frame(b, spec.args.get("start"), spec.args.get("start_side"))
    end, last = (
        _bound_of_frame(b, spec.args.get("end"), spec.args.get("end_side"))
        if spec.args.get("end") is not None
        else ("CURRENT ROW", [])
    )
    # A frame with one bound ends at the current row, which is written out.
    return f"{kind} BETWEEN {start} AND {end}" + (f" EXCLUDE {left_out}" if left_out else ""), [*first, *last]


def _bound_of_frame(b: Binder, value: object, side: object) -> tuple[str, list[str]]:
    direction = str(side or "").upper()
    if isinstance(value, str):
        word = value.upper()
        if word == "CURRENT ROW":
            return word, []
        if word == "UNBOUNDED" and direction in ("PRECEDING", "FOLLOWING"):
            return f"UNBOUNDED {direction}", []
    elif isinstance(value, exp.Expr) and direction in ("PRECEDING", "FOLLOWING"):
        distance = b.bind(value)
        if distance.kind == "interval" or (distance.is_literal and isinstance(distance.literal, int)):
            return f"{{}} {direction}", [distance.sql]
    raise InvalidQuery("A window frame is bounded by UNBOUNDED, CURRENT ROW, or a constant number or interval.")
