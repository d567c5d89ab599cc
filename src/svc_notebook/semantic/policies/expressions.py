"""Conditions of policies, read: what ``if:`` may say.

The language is small on purpose, and everything outside it is refused when the model is loaded::

    condition   or: ||  and: &&  not: !  == != < <= > >=  in  .includes(…)  ( )  'text'  1.5  true  false  null

How they are judged is told in :mod:`.condition_evaluation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import patterns as re
from ...records import dataclass
from .attributes import ExpressionError, attribute

__all__ = ["Expression", "parse_condition"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A node: ``op`` is one of ``or and not == != < <= > >= in literal attribute``; ``args`` are nodes or one leaf."""

    op: str
    args: tuple[Any, ...]


_BRACES = re.compile(r"\A\s*\$?\{(.*)\}\s*\Z", re.DOTALL)
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
        # A quoted text may read like an operator.
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
            return Expression("in", (needle, Expression("attribute", (attribute(token.removesuffix(".includes")),))))
        try:
            return Expression("attribute", (attribute(token),))
        except ExpressionError:
            raise self._error(f"'{token}'") from None

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            raise self._error(
                f"'{self._peek()}', where '{token}' is missing"
                if self._peek()
                else f"its end, where '{token}' is missing"
            )
