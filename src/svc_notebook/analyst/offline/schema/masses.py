"""Rows that are so much of something each: a downtime of so many minutes, which in the singular is a mass."""

from __future__ import annotations

from ..words.numbers import dimension_of, exact_unit
from ..words.text import singular, stem
from .metadata import Metadata

__all__ = ["is_always_a_mass", "mass_called"]

_MASSES = frozenset(
    "absence leave training sickness practice sleep exercise rain work travel teaching maintenance parking care".split()
)


def is_always_a_mass(word: str) -> bool:
    """Whether a noun in the singular is one of a mass whatever stands before it: *total downtime*, no *trip*."""
    return word.endswith("time") or word in _MASSES


def mass_called(metadata: Metadata, word: str) -> str | None:
    """The one number of the rows that a noun in the singular is for, where it is called by nothing but a unit of time
    and what the rows are called.
    """
    rows = [name for name in metadata.kind_names.rows.get(stem(word), ()) if _is_cube(metadata, name)]
    if len(rows) != 1 or singular(word) != word:
        return None
    own = set(metadata.words_of(rows[0]))
    numbers = [path for path in metadata.number_names.paths if path.split(".", 1)[0] == rows[0]]
    lasting = [path for path in numbers if all(_is_of_time(part) or part in own for part in metadata.parts(path))]
    return lasting[0] if len(lasting) == 1 else None


def _is_cube(metadata: Metadata, name: str) -> bool:
    return metadata.catalog.relations[name].kind == "cube"


def _is_of_time(part: str) -> bool:
    return dimension_of(exact_unit(part) or "") == "time"
