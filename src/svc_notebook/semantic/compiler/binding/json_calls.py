"""Fields of JSON that a column holds: ``->``, ``->>``, ``#>``, ``#>>`` and the functions that mean the same.

The path is constant. What is no JSON, or has no such field, is NULL: an error could tell of rows that a policy hides. A
piece of JSON is a text, so that whatever reads texts reads it, another ``->>`` too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from sqlglot import exp, jsonpath
from sqlglot.errors import SqlglotError

from ...dialects import duckdb as say
from ...errors import InvalidQuery
from ..refusals import check_args, refuse
from ..values import Bound
from .binding import Binder

__all__ = ["JSON_CALLS", "NAMED_JSON_CALLS"]

Step: TypeAlias = "str | int"
_HOLDERS = ("string", "any", "null")
_OPERATOR = ("this", "expression", "only_json_types")
_WRITE = "write a constant path, such as info->'address'->>'city' or json_extract_string(info, '$.address.city')"


def _field(b: Binder, node: exp.Expr) -> Bound:
    """``->``, ``#>``: a piece of JSON."""
    check_args(node, _OPERATOR)
    return _taken(b, node.this, _path(node.args["expression"]), say.json_field, "string")


def _text(b: Binder, node: exp.Expr) -> Bound:
    """``->>``, ``#>>``: the text of a field."""
    check_args(node, _OPERATOR)
    return _taken(b, node.this, _path(node.args["expression"]), say.json_text, "string")


def _has_key(b: Binder, node: exp.Expr) -> Bound:
    check_args(node, ("this", "expression"))
    return _taken(b, node.this, [_key(node.args["expression"])], say.has_field, "boolean")


def _lambda(b: Binder, node: exp.Lambda) -> Bound:
    """``f(info->'tags'->0)``: between parentheses the parser takes the first arrow for that of a lambda."""
    names = [name for name in node.expressions if isinstance(name, exp.Identifier)]
    # The arrow that was taken for a lambda's is the first one of a chain; the rest of the chain hangs above it.
    body = node.this.copy()
    first = body
    while isinstance(first, exp.Binary):
        first = first.this
    if len(names) != 1 or len(node.expressions) != 1 or not isinstance(first, (exp.Literal, exp.Neg)):
        raise refuse(node)
    field = exp.JSONExtract(this=exp.Column(this=names[0].copy()), expression=first.copy())
    if first is body:
        return b.bind(field)
    first.replace(field)
    return b.bind(body)


def _taken(b: Binder, holder: exp.Expr, path: Sequence[Step], form: Callable[[str, str], str], kind: str) -> Bound:
    json = b.bind(holder)
    if json.kind not in _HOLDERS:
        raise InvalidQuery(f"-> wants a text that holds JSON, not a {json.kind}.")
    # Bound: a key is the asker's text.
    where = b.compilation.params.add(_written(path))
    b.risky(json)
    return Bound.of(say.of_json(json.sql, form(json.sql, where)), kind, json)


def _written(path: Sequence[Step]) -> str:
    """The path for the engine: a JSON pointer, in which nothing of a key has a meaning, unless it counts backwards."""
    if not any(isinstance(step, int) and step < 0 for step in path):
        return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
    # In a JSONPath these have a meaning.
    if any(isinstance(step, str) and set(step) & set('"\\*') for step in path):
        raise InvalidQuery('A path with a place counted from the end takes no keys with ", \\ or *.')
    steps = (f'."{s}"' if isinstance(s, str) else f"[{s}]" if s >= 0 else f"[#{s}]" for s in path)
    return "$" + "".join(steps)


def _path(node: exp.Expr) -> list[Step]:
    """The steps of a path as the parser leaves it: read already, one key or place, or ``'{a,0}'``."""
    if isinstance(node, exp.JSONPath):
        return [_step(part) for part in node.expressions if not isinstance(part, exp.JSONPathRoot)]
    if isinstance(node, exp.Literal) and node.is_string and node.this[:1] == "{" and node.this[-1:] == "}":
        keys = [key.strip().strip('"') for key in node.this[1:-1].split(",")]
        return [int(key) if key.removeprefix("-").isdecimal() else key for key in keys if key]
    return [_key(node)]


def _step(part: exp.Expr) -> Step:
    held = part.args.get("this")
    if isinstance(part, exp.JSONPathKey) and isinstance(held, str):
        return held
    if isinstance(part, exp.JSONPathSubscript) and isinstance(held, int):
        return held
    raise InvalidQuery(f"A path in JSON has no wildcards; {_WRITE}.")


def _key(node: exp.Expr) -> Step:
    negative, held = isinstance(node, exp.Neg), node.this if isinstance(node, exp.Neg) else node
    if isinstance(held, exp.Literal) and held.is_string and not negative:
        return str(held.this)
    # Nine digits fit the engine's 32 bits.
    if isinstance(held, exp.Literal) and not held.is_string and held.this.isdecimal() and len(held.this) < 10:
        return -int(held.this) if negative else int(held.this)
    raise InvalidQuery(f"A field of JSON is named by a constant; {_WRITE}.")


def _extract_string(b: Binder, node: exp.Anonymous) -> Bound:
    if len(node.expressions) != 2 or not isinstance(node.expressions[1], exp.Literal):
        raise InvalidQuery("Write json_extract_string(info, '$.address.city').")
    holder, written = node.expressions
    try:
        path: exp.Expr = jsonpath.parse(written.this) if written.this[:1] == "$" else written
    except SqlglotError:
        raise InvalidQuery(f"'{written.this[:60]}' is no path in JSON; {_WRITE}.") from None
    return _taken(b, holder, _path(path), say.json_text, "string")


def _extract_path_text(b: Binder, node: exp.Anonymous) -> Bound:
    if len(node.expressions) < 2:
        raise InvalidQuery("Write json_extract_path_text(info, 'address', 'city').")
    path = [_key(part) for part in node.expressions[1:]]
    return _taken(b, node.expressions[0], path, say.json_text, "string")


def _array_length(b: Binder, node: exp.Anonymous) -> Bound:
    if len(node.expressions) != 1:
        raise InvalidQuery("Write json_array_length(info->'tags').")
    return _taken(b, node.expressions[0], [], say.json_length, "number")


JSON_CALLS: Mapping[type[exp.Expr], Callable[..., Bound]] = {
    exp.JSONExtract: _field,
    exp.JSONBExtract: _field,
    exp.JSONExtractScalar: _text,
    exp.JSONBExtractScalar: _text,
    exp.JSONBContainsTopKey: _has_key,
    exp.Lambda: _lambda,
}

NAMED_JSON_CALLS: Mapping[str, Callable[[Binder, exp.Anonymous], Bound]] = {
    "json_extract_string": _extract_string,
    "jsonb_extract_path_text": _extract_path_text,
    "json_array_length": _array_length,
    "jsonb_array_length": _array_length,
}
