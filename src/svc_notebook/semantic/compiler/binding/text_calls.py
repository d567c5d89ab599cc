"""Functions of texts with a grammar of their own: above all, those whose result may be longer than what they take."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from ...dialects import duckdb as say
from ...errors import InvalidQuery, TooComplex
from ..refusals import check_args
from ..values import Bound
from . import types
from .binding import Binder
from .patterns import matched_part

__all__ = ["TEXT_CALLS"]

# The text searched for may be one character, so the text grows by as much.
_GROWTH_OF_REPLACE = 8
_LONGEST_PAD = 100


def _concat(b: Binder, node: exp.Expr) -> Bound:
    check_args(node, ("expressions", "safe", "coalesce"))
    if not isinstance(node, exp.ConcatWs):
        return types.concat(b, b.all(node.expressions), "concat")
    parts = [types.expect(b, b.to(p, "string"), "string", "concat_ws") for p in b.all(node.expressions)]
    # The first part is the separator, which stands between all others.
    growth = sum(p.growth for p in parts) + parts[0].growth * len(parts)
    return Bound.of(say.concat_ws([p.sql for p in parts]), "string", *parts, growth=growth)


def _replace(b: Binder, node: exp.Replace) -> Bound:
    check_args(node, ("this", "expression", "replacement"))
    parts = [
        types.expect(b, b.to(b.bind(n), "string"), "string", "replace") for n in (node.this, node.args["expression"])
    ]
    new = b.bind(node.args["replacement"]) if node.args.get("replacement") is not None else b.literal("")
    if not new.is_literal or not isinstance(new.literal, str):
        raise InvalidQuery("replace wants a constant text as replacement.")
    if len(new.literal) > _GROWTH_OF_REPLACE:
        raise TooComplex(f"The replacement text of replace may have at most {_GROWTH_OF_REPLACE} characters.")
    # Replacing by nothing does not grow the text, and a factor of 0 would hide the growth of what is around it.
    growth = parts[0].growth * max(1, len(new.literal))
    return Bound.of(say.replaced(parts[0].sql, parts[1].sql, new.sql), "string", *parts, new, growth=growth)


def _substring(b: Binder, node: exp.Substring) -> Bound:
    check_args(node, ("this", "start", "length", "zero_start"))
    text = types.expect(b, b.to(b.bind(node.this), "string"), "string", "substring")
    start = node.args.get("start")
    # substring(x FROM 'pattern') is parsed with the pattern as its start.
    if isinstance(start, exp.Literal) and start.is_string:
        if node.args.get("length") is not None:
            raise InvalidQuery("substring(x FROM pattern FOR escape) is not read; write substring(x FROM 'pattern').")
        return matched_part(b, text, b.bind(start))
    numbers = [b.bind(node.args[n]) for n in ("start", "length") if node.args.get(n) is not None]
    whole = [Bound.of(say.safe_cast(n.sql, say.WHOLE), "number", n) for n in numbers]
    b.risky(*whole)  # beyond 2^32 it fails; a constant does so for everybody alike
    return Bound.of(say.substring([p.sql for p in (text, *whole)]), "string", text, *whole)


def _trim(b: Binder, node: exp.Trim) -> Bound:
    check_args(node, ("this", "expression", "position"))
    parts = [types.expect(b, b.to(b.bind(node.this), "string"), "string", "trim")]
    if node.args.get("expression") is not None:
        parts.append(types.expect(b, b.to(b.bind(node.args["expression"]), "string"), "string", "trim"))
    side = str(node.args.get("position") or "").upper()
    return Bound.of(say.trimmed([p.sql for p in parts], side), "string", *parts)


def _pad(b: Binder, node: exp.Pad) -> Bound:
    """``lpad(x, 8, '0')``: as long as it says, whatever ``x`` is."""
    check_args(node, ("this", "expression", "fill_pattern", "is_left"))
    name = "lpad" if node.args.get("is_left") else "rpad"
    text = types.expect(b, b.to(b.bind(node.this), "string"), "string", name)
    size = b.bind(node.args["expression"]).literal
    fill = b.bind(node.args["fill_pattern"]) if node.args.get("fill_pattern") is not None else b.literal(" ")
    if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= _LONGEST_PAD:
        raise InvalidQuery(f"{name} wants a constant length of at most {_LONGEST_PAD}.")
    if not fill.is_literal or not isinstance(fill.literal, str) or not fill.literal:
        raise InvalidQuery(f"{name} wants a constant text to fill with.")
    sql = say.padded(text.sql, size, fill.sql, left=bool(node.args.get("is_left")))
    return Bound.of(sql, "string", text, growth=max(size, 1))


def _translate(b: Binder, node: exp.Translate) -> Bound:
    check_args(node, ("this", "from_", "to"))
    parts = [
        types.expect(b, b.to(b.bind(node.args[n]), "string"), "string", "translate") for n in ("this", "from_", "to")
    ]
    return Bound.of(say.translated([p.sql for p in parts]), "string", *parts, growth=parts[0].growth)


TEXT_CALLS: Mapping[type[exp.Expr], Callable[..., Bound]] = {
    exp.Concat: _concat,
    exp.ConcatWs: _concat,
    exp.Replace: _replace,
    exp.Substring: _substring,
    exp.Trim: _trim,
    exp.Pad: _pad,
    exp.Translate: _translate,
}
