"""Numbers in words and figures, and the units that change their size."""

from __future__ import annotations

from .... import patterns as re

__all__ = [
    "CURRENCIES", "SCALES", "dimension_of", "exact_unit", "larger_and_smaller", "number_word", "plural_unit",
    "scale_of", "unit_factor", "unit_of",
]  # fmt: skip

_WORDS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "dozen": 12,
    "half": 0.5,
    "a hundred": 100,
}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000, "k": 1000}

CURRENCIES = frozenset(
    "euro euros eur dollar dollars usd bucks gbp franc francs chf krona kronor krone kroner crowns yen zloty rupee "
    "rupees peso pesos".split()
)
_UNITS = {
    "second": ("second", "seconds", "sec", "secs"),
    "minute": ("minute", "minutes", "min", "mins"),
    "hour": ("hour", "hours", "hr", "hrs"),
    "day": ("day", "days"),
    "week": ("week", "weeks"),
    "kilometer": ("km", "kilometer", "kilometers", "kilometre", "kilometres"),
    "mile": ("mile", "miles", "mi"),
    "meter": ("meter", "meters", "metre", "metres"),
    "centimeter": ("cm", "centimeter", "centimeters", "centimetre", "centimetres"),
    "millimeter": ("mm", "millimeter", "millimeters", "millimetre", "millimetres"),
    "inch": ("inch", "inches"),
    "foot": ("foot", "feet", "ft"),
    "kilogram": ("kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"),
    "gram": ("gram", "grams"),
    "ton": ("ton", "tons", "tonne", "tonnes"),
    "ounce": ("oz", "ounce", "ounces"),
    "liter": ("liter", "liters", "litre", "litres"),
    "milliliter": ("ml", "milliliter", "milliliters", "millilitre", "millilitres"),
    "pound": ("pound", "pounds", "lb", "lbs"),
    "mph": ("mph", "miles per hour"),
    "km/h": ("km/h", "kmh", "kph", "kilometers per hour", "kilometres per hour"),
    "m/s": ("m/s", "meters per second", "metres per second"),
    "knot": ("knot", "knots", "kn", "kts"),
    "byte": ("byte", "bytes"),
    "kilobyte": ("kb", "kilobyte", "kilobytes"),
    "megabyte": ("mb", "megabyte", "megabytes"),
    "gigabyte": ("gb", "gigabyte", "gigabytes"),
}
_BY_WORD = {word: unit for unit, words in _UNITS.items() for word in words}
_IN_SEVERAL = re.compile("|".join(rf"(?<!\w){word}(?!\w)" for word in _BY_WORD if not word.isalpha()))
_EXACT = 6  # digits that a factor is written with
_SCALED = {"thousands": 1e3, "millions": 1e6, "billions": 1e9}
_SIZE = {
    "millisecond": ("time", 0.001),
    "second": ("time", 1.0),
    "minute": ("time", 60.0),
    "hour": ("time", 3600.0),
    "day": ("time", 86400.0),
    "week": ("time", 604800.0),
    "meter": ("length", 1.0),
    "kilometer": ("length", 1000.0),
    "mile": ("length", 1609.344),
    "centimeter": ("length", 0.01),
    "millimeter": ("length", 0.001),
    "inch": ("length", 0.0254),
    "foot": ("length", 0.3048),
    "gram": ("mass", 1.0),
    "kilogram": ("mass", 1000.0),
    "ton": ("mass", 1_000_000.0),
    "ounce": ("mass", 28.3495),
    "liter": ("volume", 1.0),
    "milliliter": ("volume", 0.001),
    "pound": ("mass", 453.592),
    "km/h": ("speed", 1.0),
    "mph": ("speed", 1.609344),
    "m/s": ("speed", 3.6),
    "knot": ("speed", 1.852),
    "byte": ("data", 1.0),
    "kilobyte": ("data", 1e3),
    "megabyte": ("data", 1e6),
    "gigabyte": ("data", 1e9),
}


def number_word(word: str) -> float | None:
    """``seven`` → 7."""
    return _WORDS.get(word)


def exact_unit(word: str) -> str | None:
    """The unit that a word is (``hrs``), or the scale (``thousands``)."""
    return _BY_WORD.get(word) or (word if word in _SCALED else None)


def unit_of(text: str) -> str | None:
    """The unit a word, or a member's description, speaks of (``delay in minutes`` → minute)."""
    lowered = text.lower()
    if lowered in _BY_WORD:
        return _BY_WORD[lowered]
    if (several := _IN_SEVERAL.search(lowered)) is not None:  # miles per hour are no miles
        return _BY_WORD[several[0]]
    found = re.search(r"\b(?:in|unit:?|\()\s*(?:whole |full )?([a-z]+)\b", lowered)
    while found:
        if found.group(1) in _BY_WORD:
            return _BY_WORD[found.group(1)]
        found = re.compile(r"\b(?:in|unit:?|\()\s*([a-z]+)\b").search(lowered, found.end())
    return next((unit for word, unit in _BY_WORD.items() if len(word) > 4 and re.search(rf"\b{word}\b", lowered)), None)


def plural_unit(unit: str) -> str:
    """``hours``, ``feet``, ``inches``, ``mph``: several of a unit."""
    several = {"foot": "feet", "inch": "inches"}
    return several.get(unit, unit if unit in ("mph", "km/h", "m/s") else f"{unit}s")


def dimension_of(unit: str) -> str:
    """What a unit measures: ``time``, ``length``, ``mass``, ``volume``, ``speed``, ``data``; nothing for no unit."""
    return _SIZE[unit][0] if unit in _SIZE else ""


def scale_of(word: str) -> float | None:
    """What ``in thousands`` divides by."""
    return _SCALED.get(word)


def unit_factor(said: str, kept: str) -> float | None:
    """What to multiply a number said in one unit by to compare it with data kept in another."""
    if said not in _SIZE or kept not in _SIZE or _SIZE[said][0] != _SIZE[kept][0]:
        return None
    return _SIZE[said][1] / _SIZE[kept][1]


def larger_and_smaller(kept: str, size: float) -> tuple[str | None, str | None]:
    """The unit of which one is ``size`` times ``kept``, and the one that goes into ``kept`` so many times."""

    def is_size(factor: float | None) -> bool:
        return factor is not None and round(factor, _EXACT) == round(size, _EXACT)

    larger = next((unit for unit in _SIZE if is_size(unit_factor(unit, kept))), None)
    return larger, next((unit for unit in _SIZE if is_size(unit_factor(kept, unit))), None)
