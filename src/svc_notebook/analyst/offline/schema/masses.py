"""Rows that are so much of something each: a downtime of so many minutes, which in the singular is a mass."""

from __future__ import annotations

from ..words.numbers import dimension_of, exact_unit
from ..words.text import singular, stem
from .metadata import Metadata

__all__ = ["is_always_a_mass", "is_what_is_won", "mass_called"]

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
    if is_what_is_won(metadata, word):  # *milk* of milkings: so many litres each
        poured = [path for path in numbers if _measure_of(metadata.parts(path)[-1]) in ("mass", "volume")]
        return poured[0] if len(poured) == 1 else None
    lasting = [path for path in numbers if all(_is_of_time(part) or part in own for part in metadata.parts(path))]
    return lasting[0] if len(lasting) == 1 else None


def is_what_is_won(metadata: Metadata, word: str) -> bool:
    """Whether rows are called after the doing and a noun is for what it gives: *milk* of milkings, *dye* of dyeings."""
    rows = metadata.kind_names.rows.get(stem(word), ())
    return bool(rows) and all(_is_doing(singular(metadata.words_of(name)[-1]), word) for name in rows)


def _is_doing(noun: str, word: str) -> bool:
    return noun.endswith("ing") and noun != word and noun.startswith(word.removesuffix("e"))


def _measure_of(part: str) -> str:
    return dimension_of(exact_unit(part) or "")


def _is_cube(metadata: Metadata, name: str) -> bool:
    return metadata.catalog.relations[name].kind == "cube"


def _is_of_time(part: str) -> bool:
    return dimension_of(exact_unit(part) or "") == "time"
