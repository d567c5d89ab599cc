"""Values of the asker: ``{ userAttributes.a }``, ``{ securityContext.a.b }``, ``{ groups }``, alone or in text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from ... import patterns as re
from ...records import dataclass
from ..context import SecurityContext

__all__ = [
    "AMONG", "ATTRIBUTE_SCOPES", "CONTEXT_FILTER", "CONTEXT_VALUE", "MISSING", "AttributeReference", "AttributeText",
    "ExpressionError", "attribute", "attribute_value", "parse_value",
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
# Not None, which is a value of the asker's that some conditions ask for.
MISSING = object()
ATTRIBUTE_SCOPES = frozenset(_SCOPES)
AMONG = "svc_among"  # a call of it in a mask asks whether a text is among several of the asker's
CONTEXT_FILTER = "svc_context_filter"  # a call of it stands for a filter by the asker's value in a cube's SQL
CONTEXT_VALUE = "svc_context_value"  # a call of it stands for the asker's value itself, in a cube's SQL


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
class AttributeText:
    """A text with values of the asker in it: literals and references in turn."""

    parts: tuple[str | AttributeReference, ...]


_BRACES = re.compile(r"\A\s*\$?\{([^{}]*)\}\s*\Z", re.DOTALL)
_REFERENCE = re.compile(r"\$?\{([^{}]*)\}")
_LOOKS_LIKE = re.compile(
    r"\b(userAttributes|user_attributes|securityContext|security_context|SECURITY_CONTEXT|COMPILE_CONTEXT)\b"
)


def parse_value(value: object) -> object:
    """A filter value: an :class:`AttributeReference` for ``{ userAttributes.x }``, an :class:`AttributeText` for one
    among other text, else the literal itself.

    Raises
    ------
    ExpressionError
        If the text looks like an expression and is none of ours (it would silently match nothing, or everything).
    """
    return _parsed(value) if isinstance(value, str) else value


@lru_cache(maxsize=4096)  # a policy's values are the same in every query
def _parsed(value: str) -> object:
    if (inside := _BRACES.match(value)) is not None:
        return attribute(inside[1].strip())
    if not _LOOKS_LIKE.search(value):
        return value
    parts = _mixed(value)
    if any(isinstance(part, str) and _LOOKS_LIKE.search(part) for part in parts):
        raise ExpressionError(f"'{value}' holds a reference that is not understood; {_HOW}, with braces around each")
    return AttributeText(tuple(parts))


def _mixed(text: str) -> list[str | AttributeReference]:
    parts: list[str | AttributeReference] = []
    at = 0
    for found in _REFERENCE.finditer(text):
        if _LOOKS_LIKE.search(found[1]) is not None:
            parts += [text[at : found.start()], attribute(found[1].strip())]
            at = found.end()
    return [part for part in [*parts, text[at:]] if part != ""]


def attribute(text: str) -> AttributeReference:
    """The attribute a path such as ``userAttributes.x`` names."""
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
