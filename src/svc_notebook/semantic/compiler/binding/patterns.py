"""Patterns in texts: regular expressions and SIMILAR TO. A pattern is a constant: it fails for everybody alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from ...dialects import duckdb as say
from ...errors import InvalidQuery, TooComplex
from ..refusals import check_args
from ..values import Bound
from . import types
from .binding import Binder

__all__ = ["PATTERN_CALLS", "matched_part", "similar"]

# With this the text grows at most 22 times, see `growth` below.
_LONGEST_REPLACEMENT = 20
# DuckDB: "Group index must be between 0 and 9".
_MAX_GROUP = 9


def _text(b: Binder, node: exp.Expr, where: str) -> Bound:
    return types.expect(b, b.to(b.bind(node), "string"), "string", where)


def _pattern(b: Binder, node: exp.Expr, where: str) -> Bound:
    pattern = b.bind(node)
    if not pattern.is_literal or not isinstance(pattern.literal, str):
        raise InvalidQuery(f"{where} wants a constant pattern.")
    return pattern


def similar(b: Binder, node: exp.SimilarTo) -> Bound:
    """``x SIMILAR TO 'a(b|c)%'``: the whole text, by SQL's patterns."""
    text = _text(b, node.this, "SIMILAR TO")
    pattern = _pattern(b, node.args["expression"], "SIMILAR TO")
    b.risky(text)
    form = b.compilation.params.add(_as_regex(pattern.literal))
    return Bound.of(say.matches_wholly(text.sql, form), "boolean", text, growth=1)


def _as_regex(pattern: str) -> str:
    """SQL's pattern as a regular expression: ``%`` and ``_`` are wildcards, ``|*+?{}()[]`` mean what they do there."""
    out: list[str] = []
    at, bracket = 0, False
    while at < len(pattern):
        c = pattern[at]
        if c == "\\":
            at += 1
            if at == len(pattern):
                raise InvalidQuery("The pattern of SIMILAR TO ends in an escape character.")
            # A letter or digit behind a backslash would be a class of the regular expression, such as \d.
            out.append(pattern[at] if pattern[at].isalnum() else "\\" + pattern[at])
        elif bracket:
            bracket = c != "]"
            out.append(c)
        elif c in "%_":
            out.append(".*" if c == "%" else ".")
        elif c in ".^$":
            out.append("\\" + c)
        elif c == "(":
            # Groups that capture would count for nothing but time.
            out.append("(?:")
        else:
            bracket = c == "["
            out.append(c)
        at += 1
    return "".join(out)


def matched_part(b: Binder, text: Bound, pattern: Bound) -> Bound:
    """``substring(x FROM 'a(b+)')``: the group in the pattern if it has one, else the match; NULL without a match."""
    form = str(pattern.literal)
    # Escaped backslashes go first: in \\( the parenthesis is none that is escaped.
    plain = form.replace("\\\\", "").replace("\\(", "")
    group = 1 if any(plain[i : i + 1] == "(" and plain[i + 1 : i + 2] != "?" for i in range(len(plain))) else 0
    b.risky(text)
    return Bound.of(say.matched_part(text.sql, pattern.sql, group), "string", text)


def _regexp_replace(b: Binder, node: exp.RegexpReplace) -> Bound:
    check_args(node, ("this", "expression", "replacement", "modifiers", "single_replace"))
    text = _text(b, node.this, "regexp_replace")
    pattern = _pattern(b, node.args["expression"], "regexp_replace")
    new = _pattern(b, node.args.get("replacement") or exp.Literal.string(""), "regexp_replace")
    flags = node.args.get("modifiers")
    if flags is not None and (not isinstance(flags, exp.Literal) or set(flags.this) - set("gi")):
        raise InvalidQuery("regexp_replace takes the flags 'g' (every match) and 'i' (without regard to case).")
    if len(new.literal) > _LONGEST_REPLACEMENT:
        raise TooComplex(f"The replacement text of regexp_replace may have at most {_LONGEST_REPLACEMENT} characters.")
    b.risky(text)
    options = "".join(sorted(set(flags.this))) if flags is not None else ""
    sql = say.replaced_matches(text.sql, pattern.sql, new.sql, options)
    # A pattern may match between any two characters, and each reference in the replacement may be all that matched.
    return Bound.of(sql, "string", text, growth=text.growth * (len(new.literal) + 2))


def _regexp_extract(b: Binder, node: exp.RegexpExtract) -> Bound:
    check_args(node, ("this", "expression", "position"))
    text, pattern = _text(b, node.this, "regexp_extract"), _pattern(b, node.args["expression"], "regexp_extract")
    group = b.bind(node.args["position"]).literal if node.args.get("position") is not None else 0
    if not isinstance(group, int) or not 0 <= group <= _MAX_GROUP:
        raise InvalidQuery("regexp_extract wants the number of a group, 0 to 9.")
    b.risky(text)
    return Bound.of(say.part_of_match(text.sql, pattern.sql, group), "string", text)


def _regexp_substr(b: Binder, node: exp.RegexpSubstr) -> Bound:
    check_args(node, ("this", "expression"))
    text, pattern = _text(b, node.this, "regexp_substr"), _pattern(b, node.args["expression"], "regexp_substr")
    b.risky(text)
    return Bound.of(say.matched_part(text.sql, pattern.sql), "string", text)


PATTERN_CALLS: Mapping[type[exp.Expr], Callable[..., Bound]] = {
    exp.RegexpReplace: _regexp_replace,
    exp.RegexpExtract: _regexp_extract,
    exp.RegexpSubstr: _regexp_substr,
}
