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
    kind = type(part)
    if kind is str or part is None:
        return part  # type: ignore[no-any-return]
    if issubclass(kind, (tuple, list)):
        return tuple([key(item) for item in part])
    if hasattr(part, "__dataclass_fields__"):
        return _of(part)
    return _plain(part)


def _of(part: Any) -> Hashable:
    name = type(part).__name__
    if name in ("And", "Or"):
        terms = set(_terms(part, name))
        return next(iter(terms)) if len(terms) == 1 else (name, _sorted(terms))
    if _is_half_open(part):
        return _range(part)
    content: list[Any] = []
    product = _inner(part) if name == "Form" else None
    for field in _compared(part.__class__):
        if product is not None and field in ("root", "joins"):
            content.append(product if field == "root" else ())
            continue
        value = getattr(part, field)
        if field in ("where", "having") and name == "Form":
            content.append(_sorted({term for item in value for term in _flat(item.condition, "And")}))
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


def _inner(form: Any) -> Hashable:
    """Relations that hang together by inner joins alone: which of them stands first says nothing. Else None."""
    sources = [form.root, *(join.role for join in form.joins)]
    plain = all(join.on and not join.outer and join.also is None for join in form.joins)
    if not form.joins or not plain or any(type(source).__name__ != "Role" for source in sources):
        return None
    pairs = {_sorted(map(key, pair)) for join in form.joins for pair in join.on}
    return ("Joined", _sorted(map(key, sources)), _sorted(pairs))


@cache
def _compared(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls) if field.compare)


def _terms(part: Any, name: str) -> list[Hashable]:
    found: list[Hashable] = []
    for term in part.terms:
        found.extend(_flat(term, name))
    return found


def _flat(term: Any, name: str) -> list[Hashable]:
    """The terms of a connection, and of those of its kind inside it; a half-open range is two that both hold."""
    if type(term).__name__ == name:
        return _terms(term, name)
    if name == "And" and _is_half_open(term) and not term.negated:
        return [("Compare", key(term.of), ">=", key(term.low)), ("Compare", key(term.of), "<", key(term.high))]
    return [key(term)]


def _is_half_open(part: Any) -> bool:
    return type(part).__name__ == "Range" and not part.closed


def _range(part: Any) -> Hashable:
    both = ("And", _sorted({("Compare", key(part.of), ">=", key(part.low)),
                            ("Compare", key(part.of), "<", key(part.high))}))  # fmt: skip
    return ("Not", both) if part.negated else both


def _sorted(items: Any) -> tuple[Hashable, ...]:
    found = list(items)
    if len(found) > 1:
        found.sort(key=repr)
    return tuple(found)


def _plain(value: Any) -> Hashable:
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, (dt.datetime, dt.date)):
        return (type(value).__name__, value.isoformat())
    return value  # type: ignore[no-any-return]  # a number, a text or None
