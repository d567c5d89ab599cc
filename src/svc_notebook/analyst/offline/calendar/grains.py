"""Units and parts of time that a question groups by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....records import dataclass
from ..forms.partings import named_parts
from ..words.text import Token
from .long_grains import DECADE, HALF_YEAR
from .units import UNITS

__all__ = ["Grain", "find_grains", "is_superlative"]

_PART_WORDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("hour", "of", "the", "day"), "hour_of_day"),
    (("hour", "of", "day"), "hour_of_day"),
    (("time", "of", "day"), "hour_of_day"),
    (("hour", "of", "departure"), "hour_of_day"),
    (("day", "of", "the", "week"), "weekday"),
    (("day", "of", "week"), "weekday"),
    (("days", "of", "the", "week"), "weekday"),
    (("weekday",), "weekday"),
    (("weekdays",), "weekday"),
    (("day", "of", "month"), "day_of_month"),
    (("day", "of", "the", "month"), "day_of_month"),
    (("month", "of", "year"), "month_of_year"),
    (("month", "of", "the", "year"), "month_of_year"),
    (("calendar", "month"), "month_of_year"),
    (("season",), "season"),
    (("part", "of", "the", "day"), "part_of_day"),
    (("part", "of", "day"), "part_of_day"),
    (("parts", "of", "the", "day"), "part_of_day"),
    (("quarter", "of", "the", "year"), "quarter_of_year"),
)
_SUPERLATIVE = 5  # letters, at least one more
_RELATIVE = frozenset({"last", "past", "this", "next", "previous", "first", "second"})  # of one unit, and no groups
_LONG = {
    "halfyear": HALF_YEAR, "halfyears": HALF_YEAR, "halfyearly": HALF_YEAR, "semiannual": HALF_YEAR,
    "semiannually": HALF_YEAR, "decade": DECADE, "decades": DECADE,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grain:
    """Tokens ``first`` to ``last`` name a unit (``by month``) or a part (``weekday``); ``adverb`` for ``monthly``."""

    first: int
    last: int
    unit: str
    adverb: bool = False


def find_grains(tokens: Sequence[Token], parted: Mapping[int, tuple[str, str]] | None = None) -> list[Grain]:
    """Units and parts of time that a question groups by; ``parted``: places of words that name parts side by side."""
    found: list[Grain] = []
    parted = named_parts([token.lower for token in tokens]) if parted is None else parted
    i = 0
    while i < len(tokens):
        grain = Grain(i, i + 1, parted[i][0]) if i in parted else _grain_at(tokens, i)
        if grain is None:
            i += 1
        else:
            found.append(grain)
            i = grain.last
    return found


def is_superlative(word: str) -> bool:
    """Whether a word says what comes first, so that ``second`` before it counts."""
    return word in ("most", "least", "best", "worst") or len(word) > _SUPERLATIVE and word.endswith("est")


def _grain_at(tokens: Sequence[Token], i: int) -> Grain | None:
    lowers = [t.lower for t in tokens[i : i + 4]]
    if lowers[0] in ("fiscal", "financial") and len(lowers) > 1 and lowers[1].rstrip("s") in ("year", "quarter"):
        return Grain(i, i + 2, f"fiscal_{lowers[1].rstrip('s')}")
    # Units of two or three words before those of one, which they hold.
    for size in range(min(3, len(lowers)), 0, -1) if not (i and tokens[i - 1].lower in _RELATIVE) else ():
        if (unit := _LONG.get("".join(lowers[:size]).replace("-", ""))) is not None:
            return Grain(i, i + size, unit)
    for words, part in _PART_WORDS:
        if tuple(lowers[: len(words)]) == words:
            return Grain(i, i + len(words), part)
    word = lowers[0]
    if word == "second" and len(lowers) > 1 and is_superlative(lowers[1]):
        return None  # "the second most common"
    # "monthly" tells a group where "month" may be a period: who reads it needs to know.
    plain = word[:-1] if word.endswith("s") and word[:-1] in UNITS else word
    if plain in UNITS:
        return Grain(i, i + 1, UNITS[plain], adverb=word.endswith("ly") or word == "annual")
    return None
