"""What names say of how numbers were made, and of whom: *average temperature* of ``avg_temp_c``, *age of patients*."""

from __future__ import annotations

from ...words.numbers import exact_unit
from ...words.rewriting import Found
from ...words.text import singular, stem
from ...words.thesaurus import expand
from .wording import Wording

__all__ = ["made_so", "of_all_those"]

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


def of_all_those(w: Wording, at: int) -> Found | None:
    """``average age of patients``: of all rows, where no table lists them and none is asked for by itself."""
    noun = at + 1 + (w.at(at + 1) in ("the", "our", "all"))
    if w.at(at) != "of" or singular(w.at(noun)) == w.at(noun) or w.at(noun + 1) not in _ENDS or len(w.cubes) != 1:
        return None
    named = any(w.number_end(place) == at for place in range(max(0, at - 3), at))
    keys = [path for path in w.meta.members if w.meta.is_key(path) and not w.meta.members[path].primary_key]
    called = any(tuple(map(stem, w.meta.parts(path)[:-1])) == (w.tokens[noun].stem,) for path in keys)
    return ([], noun + 1) if named and called else None


def _end(w: Wording, path: str, at: int) -> int:
    """The place behind a number's name, with or without its unit, that begins at a place; or 0."""
    parts = w.meta.parts(path)
    short = parts[:-1] if len(parts) > 2 and exact_unit(parts[-1]) is not None or len(parts[-1]) == 1 else parts
    for name in (parts, short):
        said = [word for token in w.words[at : at + len(name)] for word in expand((token,))]
        if len(name) > 1 and tuple(said) == tuple(name):
            return at + len(name)
    return 0
