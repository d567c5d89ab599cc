"""What each column was taken for, in words."""

from __future__ import annotations

from collections.abc import Sequence

from .elements import MadeDimension
from .notes import ColumnNote, DataNotes
from .profile import ColumnProfile, TableProfile

__all__ = ["note_cube"]

_USE = {
    "sum": "summed",
    "avg": "averaged",
    "none": "neither summed nor averaged",
    None: "averaged unless a sum is said",
}
_SHOWN = 6


def note_cube(name: str, made: Sequence[MadeDimension], profile: TableProfile, notes: DataNotes) -> None:
    """Add a table's columns, and what could not be told of them."""
    notes.columns += [_note(name, dim, profile.columns.get(dim.column.name)) for dim in made]
    open_ones = [dim.yaml["name"] for dim in made if dim.number is not None and dim.number.aggregate is None]
    if open_ones:
        shown = ", ".join(open_ones[:_SHOWN]) + (f" and {len(open_ones) - _SHOWN} more" if open_ones[_SHOWN:] else "")
        notes.doubts.append(
            f"{name}: whether {shown} may be added up; until the model says 'meta: {{aggregate: sum}}' (or avg), an "
            "average is taken"
        )


def _note(table: str, dim: MadeDimension, profile: ColumnProfile | None) -> ColumnNote:
    reading = profile.reading if profile is not None else None
    if dim.number is not None and dim.number.because:
        return ColumnNote(table, dim.yaml["name"], _number(dim), dim.number.because)
    if reading is not None:
        return ColumnNote(table, dim.yaml["name"], _number(dim), f"its values are written {reading.written}")
    if dim.yaml.get("primary_key"):
        return ColumnNote(table, dim.yaml["name"], "key", "every row has a value of its own")
    if not dim.yaml.get("public", True):
        return ColumnNote(table, dim.yaml["name"], "hidden", "its name says that it is secret")
    return ColumnNote(table, dim.yaml["name"], _number(dim), "")


def _number(dim: MadeDimension) -> str:
    if dim.number is None:
        return {"string": "text", "time": "time", "boolean": "yes or no", "number": "number"}[dim.kind]
    unit = dim.yaml.get("currency") or dim.number.unit
    kind = f"{dim.number.kind} in {unit}" if unit else dim.number.kind
    return f"{kind}, {_USE[dim.number.aggregate]}"
