"""What is measured, where rows hold a number called no more than a value: *average noise*, *no2 by hour of day*."""

from __future__ import annotations

from ...schema.values import ValueMatch
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording, named_rows

__all__ = ["series_bounded", "series_folded"]

_VALUES = frozenset({("value",), ("reading",), ("measurement",), ("measured",), ("measured", "value")})
_FOLDS = frozenset(
    "average avg mean median highest lowest maximum minimum max min peak largest smallest typical".split()
)
_BEHIND = frozenset(
    "by per in on at for from during since over between each every across vs versus rise fall increase decrease drop "
    "change go today yesterday last this and or than above below , ? . ! ) (".split()
)
_OPENING = frozenset({"by", "per", "over", "each", "every"})
_MANY = 60  # values of what may be a series


def series_folded(w: Wording, at: int) -> Found | None:
    """``average noise per month``, ``no2 by hour``, ``CO2 average``: of the value, where the rows hold one of each."""
    match = _series(w, at)
    if match is None or w.at(match.end) not in _BEHIND | {""} | _FOLDS:
        return None
    said = list(w.tokens[at : match.end])
    of = w.at(at - 1) == "of" or w.at(at - 1) == "the"
    folded = w.at(at - 1) in _FOLDS or of and w.at(at - 2) in _FOLDS
    if folded:
        return [*said, *w.said(at, *_value_name(w))], match.end
    if w.at(match.end) in _FOLDS and w.at(match.end + 1) in _BEHIND | {""}:
        fold = w.tokens[match.end]
        return [*said, fold, *w.said(match.end, *_value_name(w))], match.end + 1
    if not at and w.at(match.end) in _OPENING:
        return [*w.said(at, "average"), *said, *w.said(at, *_value_name(w))], match.end
    return None


def series_bounded(w: Wording, at: int) -> Found | None:
    """``pm25 readings above 30``: those with such a value."""
    number = at + w.bound(at)
    if not at or number == at or not w.is_number(number) or (found := _measured(w)) is None:
        return None
    rows = {singular(word) for word in named_rows(w.meta, found.split(".", 1)[0])}
    if singular(w.at(at - 1)) not in rows:
        return None
    unit = w.at(number + 1)
    if unit and w.tokens[number + 1].stem in w.meta.vocabulary and unit not in _BEHIND:
        return None
    return [*w.said(at, "with", *w.meta.parts(found)), w.tokens[at]], at + 1


def _value_name(w: Wording) -> tuple[str, ...]:
    found = _measured(w)
    assert found is not None
    return w.meta.parts(found)


def _measured(w: Wording) -> str | None:
    """The only number of the model that is called no more than a value, of rows with a time."""
    found = [path for path in w.numbers if w.meta.parts(path) in _VALUES and path.split(".", 1)[0] in w.cubes]
    found = [path for path in found if w.meta.times([path.split(".", 1)[0]])]
    return found[0] if len(found) == 1 else None


def _series(w: Wording, at: int) -> ValueMatch | None:
    """What a word names of the kinds of things that are measured, where that says nothing else."""
    if w.tokens[at].kind != "word" or (found := _measured(w)) is None:
        return None
    relation = found.split(".", 1)[0]
    near = {relation, *w.meta.edges.get(relation, ())}
    for match in w.meta.values.find(w.tokens, at):
        few = len(w.meta.values.members.get(match.member, ())) <= _MANY
        if match.quality >= 0.9 and few and match.member.split(".", 1)[0] in near:
            return match
    return None
