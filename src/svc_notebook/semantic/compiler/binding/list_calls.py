"""Lists that a column holds: one of them, how many, whether something is among them, all as one text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from ...dialects import duckdb as say
from ...dialects.nodes import among_words
from ...errors import InvalidQuery
from ..refusals import check_args, instead_of, refuse
from ..values import Bound
from .binding import Binder

__all__ = ["LIST_CALLS", "NAMED_LIST_CALLS", "holds"]


def holds(b: Binder, held: Bound, value: Bound) -> Bound:
    """Whether a value is among those of a list; compared as texts, so that none fails to be read as another kind."""
    b.risky(held, value)
    return Bound.of(say.held_text(held.sql, value.sql), "boolean", held, value, growth=1)


def _one(b: Binder, node: exp.Bracket) -> Bound:
    """``tags[1]``: the first; NULL where there are fewer."""
    check_args(node, ("this", "expressions", "offset", "safe", "returns_list_for_maps"))
    held, place = b.bind(node.this), node.expressions[0] if len(node.expressions) == 1 else None
    if not held.listed:
        raise refuse(node)
    # Nine digits fit the engine's 32 bits.
    if not isinstance(place, exp.Literal) or place.is_string or not place.this.isdecimal() or len(place.this) > 9:
        raise InvalidQuery("One of a list is named by a constant place, the first by 1.")
    b.risky(held)
    # The parser counts from 0. As text: the engine's own type of what is in the list is not known here.
    return Bound.of(say.one_of_list(held.sql, int(place.this) + 1), "string", held)


def _size(b: Binder, node: exp.Expr) -> Bound:
    """``array_length(tags)``, ``cardinality(tags)``; PostgreSQL's second argument names a dimension: there is one."""
    if isinstance(node, exp.Anonymous):
        inner, dimension = node.expressions[0] if len(node.expressions) == 1 else None, None
    else:
        check_args(node, ("this", "expression"))
        inner, dimension = node.this, node.args.get("expression")
    held = b.bind(inner) if isinstance(inner, exp.Expr) else None
    if held is None or not held.listed or (dimension is not None and dimension != exp.Literal.number(1)):
        raise instead_of("array_size") or refuse(node)
    return Bound.of(say.size_of_list(held.sql), "number", held)


def _text(b: Binder, node: exp.Expr) -> Bound:
    """``array_to_string(tags, ', ')``"""
    check_args(node, ("this", "expression"))
    held = b.bind(node.this)
    between = b.bind(node.args["expression"]) if node.args.get("expression") is not None else b.literal(",")
    if not held.listed or not isinstance(between.literal, str):
        raise InvalidQuery(
            "array_to_string takes a column of lists and a constant text to stand between, such as ', '."
        )
    return Bound.of(
        say.as_one_text(held.sql, between.sql),
        "string",
        held,
        growth=2 + len(between.literal),
    )


def _contains(b: Binder, node: exp.Expr) -> Bound:
    """``array_contains(tags, 'x')``, ``list_contains(tags, 'x')``."""
    pair = node.expressions if isinstance(node, exp.Anonymous) else [node.this, node.args.get("expression")]
    if len(pair) != 2 or not all(isinstance(part, exp.Expr) for part in pair):
        raise InvalidQuery("Write 'x' = ANY (tags).")
    held = b.bind(pair[0])
    if not held.listed:
        raise InvalidQuery("Only a column of lists contains values; write x IN (…) for a column of one value.")
    return holds(b, held, b.bind(pair[1]))


def _contains_all(b: Binder, node: exp.Expr) -> Bound:
    """``tags @> ARRAY['x', 'y']``, ``list_has_all(tags, ARRAY['x', 'y'])``."""
    return _several(b, node, "@>", " AND ")


def _contains_any(b: Binder, node: exp.Expr) -> Bound:
    """``tags && ARRAY['x', 'y']``, ``list_has_any(tags, ARRAY['x', 'y'])``."""
    return _several(b, node, "&&", " OR ")


def _several(b: Binder, node: exp.Expr, operator: str, between: str) -> Bound:
    if isinstance(node, exp.Anonymous):
        pair = node.expressions
    else:
        check_args(node, ("this", "expression"))
        pair = [node.this, node.args["expression"]]
    wanted = pair[1] if len(pair) == 2 else None
    # 1000, as in an IN list.
    held = b.bind(pair[0]) if isinstance(wanted, exp.Array) and 0 < len(wanted.expressions) <= 1000 else None
    if wanted is None or held is None or not held.listed:
        raise InvalidQuery(f"{operator} takes a column of lists and constants: tags {operator} ARRAY['x', 'y'].")
    parts = [holds(b, held, b.bind(value)) for value in wanted.expressions]
    test = among_words("({})", between, [part.sql for part in parts])
    return Bound.of(test, "boolean", *parts, growth=1)


LIST_CALLS: Mapping[type[exp.Expr], Callable[..., Bound]] = {
    exp.Bracket: _one,
    exp.ArraySize: _size,
    exp.ArrayToString: _text,
    exp.ArrayContains: _contains,
    exp.ArrayContainsAll: _contains_all,
    exp.ArrayOverlaps: _contains_any,
}

NAMED_LIST_CALLS: Mapping[str, Callable[[Binder, exp.Anonymous], Bound]] = {
    "cardinality": _size,
    "list_contains": _contains,
    "list_has": _contains,
    "list_has_all": _contains_all,
    "list_has_any": _contains_any,
}
