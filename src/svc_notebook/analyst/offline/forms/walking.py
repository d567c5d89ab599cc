"""Going through the parts of a form: all of them, or changing some."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from .anchors import Anchor
from .conditions import And, Condition
from .expressions import Aggregate, Output
from .form import Form, SetOf

__all__ = ["changed", "conjuncts", "has_aggregate", "parts"]

T = TypeVar("T")


def parts(of: Any, *, inner: bool = True) -> Iterator[Any]:
    """Every part of a form, clause or expression, itself first; without ``inner`` not those of forms inside it."""
    waiting = [of]  # not by recursion: each level of generators would be gone through for every part below it
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(reversed(part))
            continue
        names = _parted(part.__class__)
        if names is None or not inner and isinstance(part, (Form, SetOf)):
            continue
        yield part
        if inner or not isinstance(part, Output):
            waiting.extend([getattr(part, name) for name in reversed(names)])


@cache
def _parted(kind: type) -> tuple[str, ...] | None:
    """The names of what things of a class are made of; None where they have no parts."""
    if not is_dataclass(kind) or issubclass(kind, Anchor):
        return None
    return tuple(field.name for field in fields(kind))


def changed(of: T, change: Callable[[Any], Any]) -> T:
    """The same with ``change`` applied to every part, innermost first."""
    if isinstance(of, tuple):
        return tuple(changed(item, change) for item in of)  # type: ignore[return-value]  # as long and of the same kinds
    kind: Any = of.__class__
    names = _parted(kind)
    if names is None:
        return of
    content = {name: getattr(of, name) for name in names}
    new = {name: changed(value, change) for name, value in content.items()}
    if any(new[name] is not content[name] for name in content):
        of = replace(of, **new)  # type: ignore[type-var]  # what has parts is a dataclass
    result: T = change(of)
    return result


def has_aggregate(of: Any) -> bool:
    """Whether something is an aggregate of the rows of this form (not of one inside it)."""
    return any(isinstance(part, Aggregate) for part in parts(of, inner=False))


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """The conditions that all hold where this one does."""
    if isinstance(condition, And):
        for term in condition.terms:
            yield from conjuncts(term)
    else:
        yield condition
