"""Policy expressions: what ``{ userAttributes.x }`` in a filter value, and ``if:`` in a condition, may say.

The language is small on purpose, and everything outside it is refused when the model is loaded::

    value       { userAttributes.a } | { securityContext.a.b } | { groups } | literal
    condition   or: ||  and: &&  not: !  == != < <= > >=  in  .includes(…)  ( )  'text'  1.5  true  false  null

Truth has three values. An attribute that is missing, null or NaN is unknown, and so is every comparison with it,
its negation too; a condition holds only if it is true. Thus nothing a user lacks can widen what the user sees.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .context import SecurityContext

__all__ = [
    "MISSING",
    "AttributeReference",
    "Expression",
    "ExpressionError",
    "attribute_value",
    "evaluate_condition",
    "parse_condition",
    "parse_value",
    "references_of",
]  # fmt: skip

Scope: TypeAlias = Literal["userAttributes", "securityContext", "groups"]
_SCOPES: Mapping[str, Scope] = {
    "userAttributes": "userAttributes",
    "user_attributes": "userAttributes",
    "securityContext": "securityContext",
    "security_context": "securityContext",
    "SECURITY_CONTEXT": "securityContext",
    "groups": "groups",
    "userGroups": "groups",
}
_HOW = "write { userAttributes.name } or { securityContext.name }"
MISSING = object()


class ExpressionError(ValueError):
    """The expression is not one of those understood; the message says what to write instead."""


@dataclass(frozen=True, slots=True)
class AttributeReference:
    """A value that comes from the asker; ``str()`` is the name used in messages."""

    scope: Scope
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join((self.scope, *self.path))


@dataclass(frozen=True, slots=True)
class Expression:
    """A node: ``op`` is one of ``or and not == != < <= > >= in literal attribute``; ``args`` are nodes or one leaf."""

    op: str
    args: tuple[Any, ...]


_BRACES = re.compile(r"\A\s*\$?\{(.*)\}\s*\Z", re.DOTALL)
_LOOKS_LIKE = re.compile(
    r"\b(userAttributes|user_attributes|securityContext|security_context|SECURITY_CONTEXT|COMPILE_CONTEXT)\b"
)


def parse_value(value: object) -> object:
    """A filter value: an :class:`AttributeReference` for ``{ userAttributes.x }``, else the literal itself.

    Raises
    ------
    ExpressionError
        If the text looks like an expression and is none of ours (it would silently match nothing, or everything).
    """
    if not isinstance(value, str):
        return value
    if (inside := _BRACES.match(value)) is not None:
        return _attribute(inside[1].strip())
    if _LOOKS_LIKE.search(value):
        raise ExpressionError(
            f"'{value}' mixes text and a reference, which is not supported; {_HOW} as the whole value"
        )
    return value


def _attribute(text: str) -> AttributeReference:
    parts = text.replace("?.", ".").split(".")
    scope = _SCOPES.get(parts[0])
    if scope is None or not all(re.fullmatch(r"[A-Za-z_][\w-]*", part) for part in parts[1:]):
        raise ExpressionError(f"'{{ {text} }}' is not understood; {_HOW}")
    if scope == "groups" and len(parts) > 1:
        raise ExpressionError(f"'{{ {text} }}': groups have no properties; write {{ groups }}")
    if scope != "groups" and len(parts) == 1:
        raise ExpressionError(f"'{{ {text} }}' names no attribute; {_HOW}")
    if scope == "userAttributes" and len(parts) > 2:
        raise ExpressionError(f"'{{ {text} }}': user attributes are not nested; write {{ userAttributes.{parts[1]} }}")
    return AttributeReference(scope, tuple(parts[1:]))


# --- conditions -----------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?\d+(?:\.\d+)?)|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<name>[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)*)|(?P<op>===|!==|==|!=|<=|>=|&&|\|\||[<>!()\[\],]))"
)
_COMPARISONS = {"==": "==", "===": "==", "!=": "!=", "!==": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_MAX_LENGTH = 2000


def parse_condition(text: object) -> Expression:
    """Read one ``if:`` of a policy's conditions; the braces around it may be left out.

    Raises
    ------
    ExpressionError
        If it is not understood whole.
    """
    if isinstance(text, bool):
        return Expression("literal", (text,))
    if not isinstance(text, str) or not text.strip():
        raise ExpressionError("a condition is a text such as '{ userAttributes.is_manager }'")
    if len(text) > _MAX_LENGTH:
        raise ExpressionError(f"a condition may have at most {_MAX_LENGTH} characters")
    inside = _BRACES.match(text)
    return _Parser(inside[1] if inside is not None else text, text).whole()


class _Parser:
    def __init__(self, text: str, shown: str) -> None:
        self._shown = shown
        self._tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            token = _TOKEN.match(text, at)
            if token is None:
                raise self._error(f"'{text[at:].strip()[:20]}'")
            self._tokens.append((str(token.lastgroup), token[str(token.lastgroup)]))
            at = token.end()
        self._at = 0
        self._depth = 0

    def _error(self, found: str) -> ExpressionError:
        return ExpressionError(
            f'the condition "{self._shown.strip()}" is not understood at {found}; it may compare userAttributes.x, '
            "securityContext.x and groups with == != < <= > >= in .includes(), joined by && || !"
        )

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _kind(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _accept(self, *tokens: str) -> str | None:
        return self._take() if self._kind() != "text" and self._peek() in tokens else None

    def whole(self) -> Expression:
        expression = self._or()
        if self._at < len(self._tokens):
            raise self._error(f"'{self._peek()}'")
        return expression

    def _or(self) -> Expression:
        args = [self._and()]
        while self._accept("||", "or"):
            args.append(self._and())
        return args[0] if len(args) == 1 else Expression("or", tuple(args))

    def _and(self) -> Expression:
        args = [self._not()]
        while self._accept("&&", "and"):
            args.append(self._not())
        return args[0] if len(args) == 1 else Expression("and", tuple(args))

    def _not(self) -> Expression:
        self._depth += 1
        if self._depth > 50:
            raise self._error("this depth (more than 50 levels)")
        try:
            return Expression("not", (self._not(),)) if self._accept("!", "not") else self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> Expression:
        left = self._primary()
        if (operator := self._accept(*_COMPARISONS)) is not None:
            return Expression(_COMPARISONS[operator], (left, self._primary()))
        if self._accept("in"):
            return Expression("in", (left, self._primary()))
        return left

    def _primary(self) -> Expression:
        kind = self._kind()
        if kind == "number":
            token = self._take()
            return Expression("literal", (float(token) if "." in token else int(token),))
        if kind == "text":
            return Expression("literal", (re.sub(r"\\(.)", r"\1", self._take()[1:-1]),))
        if kind == "name":
            return self._name(self._take())
        if self._accept("("):
            inside = self._or()
            self._expect(")")
            return inside
        if self._accept("["):
            return Expression("literal", (tuple(self._items()),))
        raise self._error(f"'{self._peek()}'" if self._peek() else "its end")

    def _items(self) -> list[Any]:
        items: list[Any] = []
        while not self._accept("]"):
            item = self._primary()
            if item.op != "literal":
                raise self._error("a list, which may hold only literals")
            items.append(item.args[0])
            if not self._accept(","):
                self._expect("]")
                break
        return items

    def _name(self, token: str) -> Expression:
        token = token.replace("?.", ".")  # a missing step is unknown here in any case
        if token in _WORDS:
            return Expression("literal", (_WORDS[token],))
        if token.endswith(".includes") and self._accept("("):
            needle = self._primary()
            self._expect(")")
            return Expression("in", (needle, Expression("attribute", (_attribute(token.removesuffix(".includes")),))))
        try:
            return Expression("attribute", (_attribute(token),))
        except ExpressionError:
            raise self._error(f"'{token}'") from None

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            raise self._error(
                f"'{self._peek()}', where '{token}' is missing"
                if self._peek()
                else f"its end, where '{token}' is missing"
            )


def references_of(expression: Expression) -> list[AttributeReference]:
    """Every attribute an expression reads."""
    if expression.op == "attribute":
        return [expression.args[0]]
    return [r for arg in expression.args if isinstance(arg, Expression) for r in references_of(arg)]


# --- evaluation -----------------------------------------------------------------------------------------------------


def attribute_value(reference: AttributeReference, ctx: SecurityContext) -> Any:
    """The asker's value, or :data:`MISSING` where it is absent, null or NaN."""
    if reference.scope == "groups":
        return tuple(sorted(ctx.groups))
    value: Any = ctx.user_attributes if reference.scope == "userAttributes" else ctx.security_context
    for name in reference.path:
        if not isinstance(value, Mapping) or name not in value:
            return MISSING
        value = value[name]
    return MISSING if value is None or (isinstance(value, float) and math.isnan(value)) else value


def evaluate_condition(expression: Expression, ctx: SecurityContext) -> bool:
    """Whether the condition is true for this asker; unknown is not true."""
    return _truth(expression, ctx) is True


def _truth(expression: Expression, ctx: SecurityContext) -> bool | None:
    op, args = expression.op, expression.args
    if op == "or":
        truths = [_truth(arg, ctx) for arg in args]
        return True if True in truths else None if None in truths else False
    if op == "and":
        truths = [_truth(arg, ctx) for arg in args]
        return False if False in truths else None if None in truths else True
    if op == "not":
        truth = _truth(args[0], ctx)
        return None if truth is None else not truth
    if op in ("literal", "attribute"):
        value = _value(expression, ctx)
        return None if value is MISSING or value is None else _truthy(value)
    return _compare(op, _value(args[0], ctx), _value(args[1], ctx))


def _truthy(value: Any) -> bool:
    # Attributes arrive as text more often than not: "false" and "0" were meant as they read.
    if isinstance(value, str):
        return value.strip().lower() not in ("", "false", "0", "no")
    return bool(value)


def _value(expression: Expression, ctx: SecurityContext) -> Any:
    if expression.op == "attribute":
        return attribute_value(expression.args[0], ctx)
    if expression.op == "literal":
        return expression.args[0]
    truth = _truth(expression, ctx)
    return MISSING if truth is None else truth


def _compare(op: str, left: Any, right: Any) -> bool | None:
    if left is MISSING or right is MISSING:
        return None
    if left is None or right is None:  # `x != null` asks for presence; `x == null` may not reward absence
        return None if left is right or op not in ("==", "!=") else op == "!="
    if op == "in":
        return _contains(right, left)
    if op in ("==", "!="):
        same = _equal(left, right)
        return None if same is None else same == (op == "==")
    if isinstance(left, str) and isinstance(right, str):
        less, equal = left < right, left == right
    else:
        pair = _numbers(left, right)
        if pair is None:
            return None
        less, equal = pair[0] < pair[1], pair[0] == pair[1]
    return {"<": less, "<=": less or equal, ">": not less and not equal, ">=": not less}[op]


def _contains(many: Any, one: Any) -> bool | None:
    if isinstance(many, str) or not isinstance(many, Sequence):
        return None
    found = [_equal(item, one) for item in many if item is not None]
    return True if True in found else None if None in found else False


def _equal(left: Any, right: Any) -> bool | None:
    """Equality of like with like; text that reads as a number equals that number; a one-element list its element."""
    if isinstance(left, (list, tuple)) and len(left) == 1 and not isinstance(right, (list, tuple)):
        left = left[0]
    if isinstance(right, (list, tuple)) and len(right) == 1 and not isinstance(left, (list, tuple)):
        right = right[0]
    if isinstance(left, bool) or isinstance(right, bool):
        words = {"true": True, "false": False}
        pair = [words.get(v.strip().lower()) if isinstance(v, str) else v for v in (left, right)]
        return pair[0] is pair[1] if all(isinstance(v, bool) for v in pair) else None
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    numbers = _numbers(left, right)
    return None if numbers is None else numbers[0] == numbers[1]


def _numbers(left: Any, right: Any) -> tuple[float, float] | None:
    if isinstance(left, str) and isinstance(right, str):
        return None
    try:
        pair = tuple(float(v) for v in (left, right) if not isinstance(v, (bool, list, tuple, Mapping)))
    except (TypeError, ValueError):
        return None
    return (pair[0], pair[1]) if len(pair) == 2 and not any(map(math.isnan, pair)) else None
