"""Bounds in per cent of what is kept in per cent: *battery below 20%* where its values go from 0 to 100."""

from __future__ import annotations

from dataclasses import replace

from ...schema.profiles import as_number
from ...words.percents import is_fraction
from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["of_a_hundred"]

_KEPT = 1.5  # values beyond it are no shares of one
_BEFORE = frozenset({"between", "and", "or", "to", "is", "was", "at"})


def of_a_hundred(w: Wording, at: int) -> Found | None:
    """The 20 of ``20%``, where the number that is spoken of is counted in hundredths and no other is a share of one."""
    token = w.tokens[at]
    bounded = any(w.bound(place) == at - place for place in range(max(0, at - 4), at)) or w.at(at - 1) in _BEFORE
    if not is_fraction(token) or not bounded or token.value is None:
        return None
    said = {one.stem for one in w.tokens}
    named = [path for path in w.numbers if said & set(map(stem, w.meta.parts(path))) and _is_of_hundred(w, path)]
    if not named or any(said & set(map(stem, w.meta.parts(path))) and _is_share(w, path) for path in w.numbers):
        return None
    text = f"{token.value * 100:g}"
    return [replace(token, text=text, lower=text, stem=text, value=float(text))], at + 1


def _is_of_hundred(w: Wording, path: str) -> bool:
    high = as_number(w.meta.profile(path).high)
    return (w.meta.members[path].meta or {}).get("unit") == "%" and high is not None and high > _KEPT


def _is_share(w: Wording, path: str) -> bool:
    return w.meta.members[path].format == "percent"
