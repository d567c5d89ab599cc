"""What makes two forms equal: the same clauses, whatever their anchors, names and the order of what has none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable
from dataclasses import fields
from functools import cache
from typing import Any

__all__ = ["key"]

# Fields whose items have no order, by class.
_UNORDERED = {
    "Form": {"joins", "groups", "measures", "columns", "where", "having"},
    "Join": {"on"},
    "OneOf": {"values"},
    "And": {"terms"},
    "Or": {"terms"},
    "Over": {"within"},
    "Limit": {"per"},
}
_COMMUTATIVE = {"+", "*"}


def key(part: Any) -> Hashable:
    """A form or a part of one as nested tuples that are equal exactly where the forms are.

    Conditions that are joined by ``and`` are conditions of the list they stand in; a term that is said twice counts
    once; ``a + b`` is ``b + a``.
    """
    if isinstance(part, (tuple, list)):
        return tuple(key(item) for item in part)
    if hasattr(part, "__dataclass_fields__"):
        return _of(part)
    return _plain(part)


def _of(part: Any) -> Hashable:
    name = type(part).__name__
    if name in ("And", "Or"):
        terms = set(_terms(part, type(part)))
        return next(iter(terms)) if len(terms) == 1 else (name, _sorted(terms))
    content: list[Any] = []
    for field in _compared(part.__class__):
        value = getattr(part, field)
        if field in ("where", "having") and name == "Form":
            content.append(_sorted({term for item in value for term in _conjuncts(item.condition)}))
        elif field in _UNORDERED.get(name, ()):
            items = [key(item) for item in value]
            content.append(_sorted(set(items) if name != "Form" else items))
        else:
            content.append(key(value))
    if name == "Arithmetic" and part.operator in _COMMUTATIVE:
        return (name, part.operator, _sorted([key(part.left), key(part.right)]))
    if name == "SetOf":
        first, *rest = content[1]
        return (name, content[0], (first, *_sorted(rest)) if part.operator == "except" else _sorted([first, *rest]))
    return (name, *content)


@cache
def _compared(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls) if field.compare)


def _terms(part: Any, cls: type) -> list[Hashable]:
    found: list[Hashable] = []
    for term in part.terms:
        found.extend(_terms(term, cls) if type(term) is cls else [key(term)])
    return found


def _conjuncts(condition: Any) -> list[Hashable]:
    if type(condition).__name__ == "And":
        return [term for item in condition.terms for term in _conjuncts(item)]
    return [key(condition)]


def _sorted(items: Any) -> tuple[Hashable, ...]:
    return tuple(sorted(items, key=repr))


def _plain(value: Any) -> Hashable:
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, (dt.datetime, dt.date)):
        return (type(value).__name__, value.isoformat())
    return value  # type: ignore[no-any-return]  # a number, a text or None
