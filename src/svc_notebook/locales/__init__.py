"""How numbers, dates and the cells of tables are written in a language: one data file each, loaded and typed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from .. import word_tables

__all__ = ["ENGLISH", "LOCALES", "Locale", "locale_of"]

LOCALES = ("en", "de", "fr")


@dataclass(frozen=True)
class Locale:
    """The signs and names of one language.

    Attributes
    ----------
    decimal, thousands
        The signs in numbers.
    dates
        How a moment is written at each grain.
    short_months, short_weekdays, axis_day, axis_quarter
        How they are written along an axis; the last two as formats of d3.
    units
        What units are called, by their English names.
    cells
        What stands in a table for true, false and nothing, how a part of one is written, and how many rows it has.
    reading
        What stands on the chips of a reading besides its own words; nothing where the page has them itself.
    """

    decimal: str
    thousands: str
    months: Sequence[str]
    weekdays: Sequence[str]
    dates: Mapping[str, str]
    short_months: Sequence[str]
    short_weekdays: Sequence[str]
    axis_day: str
    axis_quarter: str
    units: Mapping[str, str]
    cells: Mapping[str, str]
    reading: Mapping[str, Any]

    def digits(self, text: str) -> str:
        """``1,234.5`` with this language's signs."""
        if self.thousands == ",":
            return text
        whole, dot, rest = text.partition(".")
        return whole.replace(",", self.thousands) + (self.decimal + rest if dot else "")


@lru_cache(maxsize=len(LOCALES))
def locale_of(code: str | None) -> Locale:
    """The locale of a code of :data:`LOCALES`; English for any other, and for none."""
    told = word_tables.loads((files(__package__) / f"{code if code in LOCALES else 'en'}.toml").read_text("utf8"))
    dates = {name: told[name] for name in ("year", "quarter", "month", "week", "day", "moment")}
    return Locale(
        told["decimal"], told["thousands"], told["months"], told["weekdays"], dates, told["short_months"],
        told["short_weekdays"], told["axis_day"], told["axis_quarter"], told.get("units", {}), told["cells"],
        told.get("reading", {}),
    )  # fmt: skip


ENGLISH = locale_of("en")
