"""Orders that values have by themselves: days, months and seasons of the calendar, sizes and degrees from the least."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["along_scale", "are_weekdays", "declared_order"]

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
# As the year has them; a year's first two months are of winter.
_SEASONS = (("winter",), ("spring",), ("summer",), ("autumn", "fall"))
_SIZES = (
    ("xxxs", "3xs"), ("xxs", "2xs"), ("xs",), ("s",), ("m",), ("l",), ("xl",), ("xxl", "2xl"), ("xxxl", "3xl"),
    ("xxxxl", "4xl"), ("xxxxxl", "5xl"),
)  # fmt: skip
_DEGREES = (("very low",), ("low",), ("medium", "moderate", "normal"), ("high",), ("very high",))
_EXTENTS = (("tiny", "extra small"), ("small",), ("medium",), ("large",), ("extra large", "huge"))
_LEAST_SHORT = 3  # letters of a day's or month's short name


def along_scale(values: Sequence[Any]) -> list[str] | None:
    """Different texts in the order that they have by themselves.

    Parameters
    ----------
    values
        All the texts of a group, each once.

    Returns
    -------
    list of str or None
        None where they are no texts, fewer than two, or not all on one scale.
    """
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) < 2 or len(texts) != len(values):
        return None
    for names in (_DAYS, _MONTHS):
        places = {text: _place(text, names) for text in texts}
        if all(place is not None for place in places.values()):
            return sorted(places, key=lambda text: places[text] or 0)
    scales = (_SEASONS, _SIZES, _DEGREES, _EXTENTS)
    return next((found for scale in scales if (found := _along(scale, texts)) is not None), None)


def are_weekdays(values: Sequence[Any]) -> bool:
    """Whether texts are days of the week, all of them."""
    texts = [value for value in values if isinstance(value, str)]
    return bool(values) and len(texts) == len(values) and all(_place(text, _DAYS) is not None for text in texts)


def declared_order(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The order of its values that a model gives a dimension (``meta: order: [new, paid, sent]``)."""
    told = meta.get("order") if meta else None
    return tuple(map(str, told)) if isinstance(told, (list, tuple)) else ()


def _along(scale: Sequence[tuple[str, ...]], texts: Sequence[str]) -> list[str] | None:
    """Texts in the order of a scale that has a step for each of them."""
    steps = {name: step for step, names in enumerate(scale) for name in names}
    places = [steps.get(text.strip().lower(), -1) for text in texts]
    if min(places) < 0 or len(set(places)) < len(places):
        return None
    return [text for _, text in sorted(zip(places, texts, strict=True))]


def _place(text: str, names: Sequence[str]) -> int | None:
    low = text.strip().lower().rstrip(".")
    if len(low) < _LEAST_SHORT:
        return None
    return next((place for place, name in enumerate(names) if name.startswith(low)), None)
