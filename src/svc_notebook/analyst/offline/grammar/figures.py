"""Numbers that are kept as texts, read as numbers where something is computed, compared or ordered by them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..forms import (
    Aggregate,
    Arithmetic,
    Bin,
    Cast,
    Compare,
    Expression,
    Form,
    Member,
    OneOf,
    Order,
    Range,
    Ratio,
    Value,
)
from ..forms.walking import changed
from ..schema.metadata import Metadata

__all__ = ["with_figures"]

_COMPUTED = frozenset({"sum", "avg", "min", "max", "median", "quantile", "stddev", "variance", "correlation"})


def with_figures(form: Form, metadata: Metadata) -> Form:
    """The form with texts that hold numbers cast where numbers are meant."""

    def figure(of: Expression | None) -> Any:
        if isinstance(of, Member) and of.path in metadata.members and metadata.is_numeric_text(of.path):
            return Cast(of, "number")
        return of

    def change(part: Any) -> Any:
        if isinstance(part, Aggregate) and part.function in _COMPUTED:
            return replace(part, of=figure(part.of), other=figure(part.other))
        # A text compared with a text stays one.
        if isinstance(part, Compare) and (_is_number(part.right) or not isinstance(part.right, Value)):
            return replace(part, left=figure(part.left))
        if isinstance(part, (Range, Bin)):
            return replace(part, of=figure(part.of))
        if isinstance(part, OneOf) and all(map(_is_number, part.values)):
            return replace(part, of=figure(part.of))
        if isinstance(part, Arithmetic):
            return replace(part, left=figure(part.left), right=figure(part.right))
        if isinstance(part, Ratio):
            return replace(part, above=figure(part.above), below=figure(part.below))
        if isinstance(part, Order):
            return replace(part, by=figure(part.by))
        return part

    return changed(form, change) if metadata.has_numeric_texts else form


def _is_number(value: Expression) -> bool:
    return isinstance(value, Value) and isinstance(value.value, (int, float)) and not isinstance(value.value, bool)
