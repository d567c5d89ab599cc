"""The form that a query says, read once: the rules' reading is looked at from several sides, and told in the end."""

from __future__ import annotations

from ..forms import Form, NoForm, SetOf, from_sql
from ..schema.metadata import Metadata

__all__ = ["read_back"]


def read_back(sql: str, metadata: Metadata) -> Form | SetOf | None:
    """What SQL over the model asks; None where no form says it."""
    known = metadata.forms.get(sql, lambda: _read(sql, metadata))
    return known[0] if known else None


def _read(sql: str, metadata: Metadata) -> tuple[Form | SetOf, ...]:
    try:
        return (from_sql(sql, metadata.catalog),)
    except NoForm:
        return ()
