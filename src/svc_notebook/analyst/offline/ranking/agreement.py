"""Where a form and the reading of the rules agree, clause by clause."""

from __future__ import annotations

from collections.abc import Hashable

from ..forms import Form, SetOf
from ..forms.canonical import key
from ..forms.walking import conjuncts
from ..grammar.partial import Features

__all__ = ["agreement"]

_PARTS = ("root", "joins", "groups", "measures", "columns", "where", "having", "order", "limit", "compare")


def agreement(form: Form | SetOf | None, rules: Form | SetOf | None, doubt: str) -> Features:
    """Clause by clause, whether the rules read the same, less or more; ``doubt`` marks rules that leave words out."""
    if not isinstance(rules, Form):
        return ()
    if not isinstance(form, Form):
        return ((f"rules{doubt}:other", 1.0),)
    found = []
    for part in _PARTS:
        mine, theirs = _said(form, part), _said(rules, part)
        if mine == theirs:
            found.extend([(f"rules{doubt}:{part}", 1.0)] if theirs else [])
            continue
        found.append((f"rules{doubt}:{part}:differ", 1.0))
        if mine < theirs:
            found.append((f"rules{doubt}:{part}:less", 1.0))
        elif mine > theirs:
            found.append((f"rules{doubt}:{part}:more", 1.0))
    return tuple(found)


def _said(form: Form, part: str) -> frozenset[Hashable]:
    value = getattr(form, part)
    if part in ("where", "having"):
        return frozenset(key(term) for item in value for term in conjuncts(item.condition))
    if isinstance(value, tuple):
        return frozenset(key(getattr(item, "expression", item)) for item in value if not getattr(item, "hidden", False))
    return frozenset() if value is None else frozenset({key(value)})
