"""What was taken for what when a model was made, for its owner to look at: columns, joins, remarks, doubts."""

from __future__ import annotations

from dataclasses import field
from html import escape

from msgspec import Struct

from ...records import dataclass

__all__ = ["ColumnNote", "DataNotes"]

_HEADINGS = ("column", "taken for", "because")


class ColumnNote(Struct, frozen=True):
    """One column: what it was taken for, and the reason in a few words."""

    table: str
    column: str
    taken_for: str
    because: str = ""

    @property
    def cells(self) -> tuple[str, str, str]:
        return f"{self.table}.{self.column}", self.taken_for, self.because


@dataclass(slots=True)
class DataNotes:
    """What was taken for what, and what could not be told; prints as a table, in a notebook too.

    Attributes
    ----------
    columns
        Each column with what it was taken for.
    joins
        Each join in words, with how it was found.
    remarks
        What was changed or left out while reading: lines above a header, totals, columns of several kinds.
    doubts
        What could not be told, with what to write in the model to say it.
    """

    columns: list[ColumnNote] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @property
    def sections(self) -> list[tuple[str, list[str]]]:
        """The lists with their headings, empty ones left out."""
        named = [("Joins", self.joins), ("While reading", self.remarks), ("Could not be told", self.doubts)]
        return [(title, items) for title, items in named if items]

    def __str__(self) -> str:
        lines = _table([note.cells for note in self.columns]) if self.columns else []
        for title, items in self.sections:
            lines += ["", title, *(f"- {item}" for item in items)]
        return "\n".join(lines).strip()

    def _repr_html_(self) -> str:
        parts = []
        if self.columns:
            head = "".join(f'<th scope="col">{heading}</th>' for heading in _HEADINGS)
            rows = "".join(
                f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in note.cells)}</tr>" for note in self.columns
            )
            parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
        for title, items in self.sections:
            parts.append(f"<p>{title}</p><ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>")
        return "".join(parts)


def _table(rows: list[tuple[str, str, str]]) -> list[str]:
    widths = [max(len(row[at]) for row in (*rows, _HEADINGS)) for at in range(2)]
    lines = [_HEADINGS, tuple("-" * len(heading) for heading in _HEADINGS), *rows]
    return [f"{line[0]:{widths[0]}}  {line[1]:{widths[1]}}  {line[2]}".rstrip() for line in lines]
