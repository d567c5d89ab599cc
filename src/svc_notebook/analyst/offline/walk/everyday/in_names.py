"""What names say of how numbers were made: *average temperature* of an ``avg_temp_c``, *coldest temperature*."""

from __future__ import annotations

from ...words.numbers import exact_unit
from ...words.rewriting import Found
from ...words.text import stem
from ...words.thesaurus import expand
from .wording import Wording

__all__ = ["extreme_of_made", "made_so"]

_ENDED = {
    **dict.fromkeys(("highest", "hottest", "warmest", "largest", "maximum", "max"), ("highest", "maximum")),
    **dict.fromkeys(("lowest", "coldest", "smallest", "minimum", "min"), ("lowest", "minimum")),
}
_MADE = {"average": "average", "mean": "average", "maximum": "highest", "minimum": "lowest"}
_SAID = frozenset(
    "average avg mean highest lowest largest smallest max min maximum minimum median total sum top by with where when "
    "whose each per and vs versus list than of between range".split()
)
_BOUND = frozenset(
    "above below over under is was are were more less at least between exceeding and or vs versus minus than reached "
    "exceeded , - / distribution range".split()
)
_ENDS = frozenset({"", "?", ".", "!", "in", "by", "per", "at", "from", "during", "over", "with", "who", "since", "on"})


def made_so(w: Wording, at: int) -> Found | None:
    """``average temperature in July``: the average of what is called so, and no list of it."""
    way = _MADE.get(" ".join(expand((w.at(at),))))
    if way is None or w.at(at - 1 - (w.at(at - 1) == "the")) in _SAID or not _SAID.isdisjoint(w.words[:at]):
        return None
    end = max((_end(w, path, at) for path in w.numbers), default=0)
    if not end or w.at(end) in _BOUND or w.is_number(end):
        return None
    return [*w.said(at, way), *w.tokens[at:end]], end


def extreme_of_made(w: Wording, at: int) -> Found | None:
    """``coldest temperature``, ``highest temperature in May``: of the column that holds the lowest, or the highest."""
    way = _ENDED.get(w.at(at))
    if way is None or at + 1 >= len(w.tokens):
        return None
    said, kept = way
    whole = [w.meta.number_names.plain[path] for path in w.numbers]
    names = {name[1:] for name in whole if len(name) > 1 and name[0] == stem(kept)}
    end = next((at + 1 + n for n in (3, 2, 1) if tuple(t.stem for t in w.tokens[at + 1 : at + 1 + n]) in names), 0)
    if not end or w.at(end) not in _ENDS | {"ever", "recorded", "measured"}:
        return None
    far = next((place for place in range(end, end + 3) if w.at(place) not in ("ever", "recorded", "measured")), end)
    return [*w.said(at, said, kept), *w.tokens[at + 1 : end]], far


def _end(w: Wording, path: str, at: int) -> int:
    """The place behind a number's name, with or without its unit, that begins at a place; or 0."""
    parts = w.meta.parts(path)
    short = parts[:-1] if len(parts) > 2 and exact_unit(parts[-1]) is not None or len(parts[-1]) == 1 else parts
    for name in (parts, short):
        said = [word for token in w.words[at : at + len(name)] for word in expand((token,))]
        if len(name) > 1 and tuple(said) == tuple(name):
            return at + len(name)
    return 0
