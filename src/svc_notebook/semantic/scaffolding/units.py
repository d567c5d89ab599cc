"""Units in the names of columns: ``price_usd``, ``duration_min``, ``Weight (kg)``."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["CURRENCIES", "unit_of"]

CURRENCIES = {
    "usd": "USD", "dollar": "USD", "dollars": "USD", "eur": "EUR", "euro": "EUR", "euros": "EUR", "gbp": "GBP",
    "chf": "CHF", "jpy": "JPY", "cad": "CAD", "aud": "AUD", "sek": "SEK", "pln": "PLN", "inr": "INR", "cny": "CNY",
}  # fmt: skip
_UNITS = {
    "ms": "milliseconds", "msec": "milliseconds", "millisecond": "milliseconds", "milliseconds": "milliseconds",
    "s": "seconds", "sec": "seconds", "secs": "seconds", "seconds": "seconds",
    "min": "minutes", "mins": "minutes", "minutes": "minutes", "h": "hours", "hr": "hours", "hrs": "hours", "hours":
    "hours", "days": "days", "weeks": "weeks", "months": "months", "years": "years", "yrs": "years",
    "km": "kilometers", "kilometer": "kilometers", "kilometers": "kilometers", "mi": "miles", "mile": "miles",
    "miles": "miles", "m": "meters", "meter": "meters", "meters": "meters", "ft": "feet", "feet": "feet", "cm":
    "centimeters", "mm": "millimeters", "inch": "inches", "inches": "inches", "nm": "nautical miles",
    "kg": "kilograms", "kgs": "kilograms", "g": "grams", "gram": "grams", "grams": "grams", "mg": "milligrams", "lb":
    "pounds", "lbs": "pounds", "tons": "tons", "tonnes": "tonnes", "oz": "ounces",
    "kwh": "kWh", "mwh": "MWh", "kw": "kW", "mw": "MW", "liters": "liters", "litres": "liters", "ml": "milliliters",
    "gb": "GB", "mb": "MB", "kb": "kB", "bytes": "bytes", "pct": "%", "percent": "%", "percentage": "%",
    "ppm": "ppm", "ppb": "ppb", "rpm": "rpm", "kcal": "kcal", "knots": "knots", "kn": "knots",
    "c": "°C", "f": "°F", "celsius": "°C", "fahrenheit": "°F",
    "kmh": "km/h", "kph": "km/h", "mph": "miles per hour", "hpa": "hPa",
}  # fmt: skip
_TIMES = "time duration delay length runtime wait ride trip travel elapsed latency air flight journey stay".split()
_WAYS = "distance dist length height altitude elevation depth width size visibility radius trip route".split()
_POWERS = {("m", "2"): "m²", ("m", "3"): "m³", ("km", "2"): "km²", ("cm", "2"): "cm²", ("cm", "3"): "cm³"}
_SIGNS = {"km": "km", "kg": "kg", "cm": "cm", "mm": "mm", "ml": "ml", "mg": "mg"}
_FITTING: dict[str, frozenset[str]] = {  # units that are other words as well, and what they measure
    **dict.fromkeys(("s", "sec", "h", "min"), frozenset(_TIMES)),
    **dict.fromkeys(("m", "mi", "nm"), frozenset(_WAYS)),
    **dict.fromkeys(("c", "f"), frozenset("temp temperature temperatur".split())),
    "kn": frozenset("speed wind gust".split()),
    **dict.fromkeys(("g", "mb", "kb", "gb"), frozenset("weight mass size memory file traffic storage data".split())),
}


def unit_of(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The unit that a name ends with, and the name without it; a name that is nothing but a unit keeps it."""
    rest = list(words)
    if not rest:
        return None, rest
    last = rest[-1].lower()
    # km per hour is no distance.
    if "per" in (word.lower() for word in rest[-2:-1]):
        return None, rest
    if len(rest) > 2 and (power := _POWERS.get((rest[-2].lower(), rest[-1]))) is not None:
        return power, rest[:-2]
    if last in CURRENCIES:
        return CURRENCIES[last], rest[:-1] or rest
    unit = _UNITS.get(last)
    # What was done to something lasts: lane_closed_min is no least of anything.
    lasts = last == "min" and len(rest) > 1 and rest[-2].lower().endswith("ed")
    if unit is None or last in _FITTING and not lasts and _FITTING[last].isdisjoint(w.lower() for w in rest[:-1]):
        return None, rest
    if len(rest) == 1 and last in _SIGNS:  # its title says so, and is not to say it twice: 19 km, not km (kilometers)
        return _SIGNS[last], rest
    return unit, rest[:-1] or rest
