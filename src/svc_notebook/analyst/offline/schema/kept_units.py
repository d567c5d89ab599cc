"""The units that numbers are kept in."""

from __future__ import annotations

from ..words.numbers import unit_of
from .derivations import is_derived, kept_unit
from .metadata import Metadata

__all__ = ["own_unit"]


def own_unit(metadata: Metadata, path: str) -> str | None:
    """The unit that a number is kept in, where its name or description says it."""
    if is_derived(path):
        return kept_unit(path)
    member = metadata.members[path]
    parts = metadata.parts(path)
    # Milliseconds before their second half is taken for the unit.
    if "milliseconds" in parts or "ms" in parts:
        return "millisecond"
    declared = str(member.meta.get("unit") or "")
    found = next((unit for part in (declared, *parts) if part and (unit := unit_of(part)) is not None), None)
    return found or (unit_of(member.description) if member.description else None)
