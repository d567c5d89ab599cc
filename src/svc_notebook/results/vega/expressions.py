"""The part of Vega's expression language that a chart may use, parsed and written anew.

Only what the grammar below knows comes through: literals, ``datum.field`` and ``datum['field']``, declared parameters,
operators, the conditional, and calls of a closed list of pure functions. No regular expression, no member access on
anything but ``datum``, no assignment, no event, no object. Field names are repaired on the way (see ``vega_fields``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence

from ... import patterns as re

__all__ = ["FUNCTIONS", "ExpressionRefused", "safe_expression"]

FUNCTIONS = frozenset({
    "abs", "acos", "asin", "atan", "atan2", "ceil", "clamp", "cos", "cumulativeLogNormal", "cumulativeNormal",
    "cumulativeUniform", "date", "datetime", "day", "dayAbbrevFormat", "dayFormat", "dayofyear", "densityLogNormal",
    "densityNormal", "densityUniform", "exp", "extent", "floor", "format", "hcl", "hours", "hsl", "hypot", "if",
    "indexof",
    "inrange", "isArray", "isBoolean", "isDate", "isDefined", "isFinite", "isNaN", "isNumber", "isObject", "isString",
    "isValid", "join", "lab", "lastindexof", "length", "lerp", "log", "lower", "luminance", "max", "milliseconds",
    "min",
    "minutes", "month", "monthAbbrevFormat", "monthFormat", "now", "parseFloat", "parseInt", "peek", "pow",
    "quantileLogNormal",
    "quantileNormal", "quantileUniform", "quarter", "random", "reverse", "rgb", "round", "sampleLogNormal",
    "sampleNormal",
    "sampleUniform", "seconds", "sin", "slice", "sort", "span", "split", "sqrt", "substring", "tan", "time",
    "timeFormat",
    "timeOffset", "toBoolean", "toDate", "toNumber", "toString", "trim", "truncate", "upper", "utc", "utcFormat",
    "utcOffset", "utcdate", "utcday", "utchours", "utcminutes", "utcmonth", "utcquarter", "utcweek", "utcyear",
    "week", "year",
})  # fmt: skip
"""Vega's functions that read nothing but their arguments and end soon.

Left out: what reads the data or the page (``data``, ``event``, ``item``, ``screen``, …), regular expressions (which
can take for ever on a cell), and what makes lists of any length (``sequence``, ``pad``, ``repeat``).
"""

_CONSTANTS = frozenset({
    "true", "false", "null", "PI", "E", "NaN", "SQRT1_2", "SQRT2", "LN2", "LN10", "LOG2E", "LOG10E", "MIN_VALUE",
    "MAX_VALUE", "width", "height",
})  # fmt: skip
_BINARY = {
    "||": 1, "&&": 2, "==": 3, "!=": 3, "===": 3, "!==": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5,
    "*": 6, "/": 6, "%": 6,
}  # fmt: skip
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<name>[A-Za-z_$][\w$]*)"""
    r"""|(?P<op>===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:(),.\[\]]))"""
)
_ADDRESS = re.compile(r"//|javascript:|data:", re.IGNORECASE)
_FORBIDDEN = frozenset({"__proto__", "constructor", "prototype"})
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_MAX_CHARS = 2_000
_MAX_DEPTH = 40


class ExpressionRefused(ValueError):
    """The expression uses something that a chart may not use."""


def safe_expression(
    text: str, *, params: Collection[str] = (), path: Callable[[list[str | int]], list[str | int]] = list
) -> str:
    """The same expression, written anew from its parsed form.

    Parameters
    ----------
    text : str
        A Vega expression.
    params : collection of str
        Names of the chart's own parameters that may be used.
    path : callable
        Resolves the steps behind ``datum`` (repairs a field's name).

    Raises
    ------
    ExpressionRefused
        With what was met and is not allowed.
    """
    if len(text) > _MAX_CHARS:
        raise ExpressionRefused(f"longer than {_MAX_CHARS} characters")
    return _Parser(_tokens(text), frozenset(params), path).whole()


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, position = [], 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionRefused(f"not allowed here: {text[position : position + 20]!r}")
        kind = match.lastgroup or ""
        tokens.append((kind, match[kind]))
        position = match.end()
    return tokens


class _Parser:
    def __init__(
        self,
        tokens: list[tuple[str, str]],
        params: frozenset[str],
        path: Callable[[list[str | int]], list[str | int]],
    ) -> None:
        self.tokens, self.params, self.path = tokens, params, path
        self.at = 0
        self.depth = 0

    def whole(self) -> str:
        out = self.conditional()
        if self.at < len(self.tokens):
            raise ExpressionRefused(f"not allowed here: {self.tokens[self.at][1]!r}")
        return out

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "the end")

    def take(self, op: str) -> bool:
        if self.peek() == ("op", op):
            self.at += 1
            return True
        return False

    def need(self, op: str) -> None:
        if not self.take(op):
            raise ExpressionRefused(f"expected {op!r} before {self.peek()[1]!r}")

    def conditional(self) -> str:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise ExpressionRefused("nested too deeply")
        test = self.binary(1)
        if self.take("?"):
            yes = self.conditional()
            self.need(":")
            test = f"({test} ? {yes} : {self.conditional()})"
        self.depth -= 1
        return test

    def binary(self, level: int) -> str:
        left = self.unary()
        while (token := self.peek())[0] == "op" and _BINARY.get(token[1], 0) >= level:
            self.at += 1
            # In brackets throughout: the text that is written cannot be read otherwise than it was here.
            left = f"({left} {token[1]} {self.binary(_BINARY[token[1]] + 1)})"
        return left

    def unary(self) -> str:
        signs = ""
        while (token := self.peek()) in {("op", "-"), ("op", "+"), ("op", "!")}:
            self.at += 1
            # With a blank: '--' would be another operator.
            signs += token[1] + " "
            if len(signs) > _MAX_DEPTH:
                raise ExpressionRefused("nested too deeply")
        return signs + self.primary()

    def primary(self) -> str:
        """A value, and perhaps a place of the list that it is: ``split(datum.name, ' ')[0]``."""
        value = self.single()
        while self.peek() == ("op", "[") and self.at + 2 < len(self.tokens) and self.tokens[self.at + 2] == ("op", "]"):
            kind, text = self.tokens[self.at + 1]
            if kind != "number" or not text.isdecimal():
                break
            self.at += 3
            value += f"[{text}]"
        return value

    def single(self) -> str:
        kind, text = self.peek()
        self.at += 1
        if kind == "number":
            return text
        if kind == "string":
            if _ADDRESS.search(literal := _unquoted(text)):
                raise ExpressionRefused("an address may not stand in an expression")
            return json.dumps(literal)
        if kind == "name":
            return self.name(text)
        if (kind, text) == ("op", "("):
            inner = self.conditional()
            self.need(")")
            return f"({inner})"
        if (kind, text) == ("op", "["):
            return f"[{self.arguments(']')}]"
        raise ExpressionRefused(f"not allowed here: {text!r}")

    def name(self, name: str) -> str:
        if name == "datum":
            return self.member(name)
        if name in self.params:
            return self.read(name, self.steps())
        if self.take("("):
            if name not in FUNCTIONS:
                raise ExpressionRefused(f"function {name!r} is not allowed")
            return f"{name}({self.arguments(')')})"
        if name in _CONSTANTS:
            return name
        raise ExpressionRefused(f"{name!r} is not known here")

    def arguments(self, close: str) -> str:
        parts: list[str] = []
        if not self.take(close):
            parts.append(self.conditional())
            while self.take(","):
                parts.append(self.conditional())
            self.need(close)
        return ", ".join(parts)

    def member(self, root: str) -> str:
        """``datum.a``, ``datum['a']``, and ``datum.view.a``, which people write for the dotted column ``view.a``."""
        if not (steps := self.steps()) or not isinstance(steps[0], str):
            raise ExpressionRefused(f"{root} may only be read field by field")
        return self.read(root, self.path(steps))

    def steps(self) -> list[str | int]:
        """The names and places behind a root: ``.a``, ``['a']``, ``[0]``."""
        steps: list[str | int] = []
        while True:
            if self.take("."):
                kind, text = self.peek()
                if kind != "name":
                    raise ExpressionRefused(f"expected a name before {text!r}")
                steps.append(text)
                self.at += 1
            elif self.take("["):
                kind, text = self.peek()
                if kind != "string" and not (kind == "number" and text.isdecimal()):
                    raise ExpressionRefused("only a quoted field name or a place may stand in brackets")
                steps.append(_unquoted(text) if kind == "string" else int(text))
                self.at += 1
                self.need("]")
            else:
                break
        # The way from any value to JavaScript's own functions.
        if _FORBIDDEN.intersection(map(str, steps)):
            raise ExpressionRefused("only fields may be read")
        return steps

    def read(self, root: str, steps: Sequence[str | int]) -> str:
        return root + "".join(
            f".{step}" if isinstance(step, str) and _IDENTIFIER.fullmatch(step) else f"[{json.dumps(step)}]"
            for step in steps
        )


def _unquoted(text: str) -> str:
    body = text[1:-1]
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), body)
