"""Amounts by their adjectives and by the row: *how far is it*, *how long does it take*, *the warmest month*."""

from __future__ import annotations

from ...calendar.units import UNITS
from ...schema.metadata import Metadata
from ...schema.profiles import as_number
from ...words.numbers import dimension_of, unit_of
from ...words.rewriting import Found
from ...words.text import name_parts, singular, stem
from ..lasting import ends_in
from .wording import Wording, called, named_rows

__all__ = ["how_far", "how_long", "how_often", "on_average", "per_row", "share_so", "weather"]

_BEING = frozenset({"is", "was", "are", "were"})
_DOING = frozenset({"do", "does", "did"})
_IT = frozenset({"it", "this", "that"})
_LENGTHS = frozenset({"duration", "length", "runtime", "time", "elapsed"})
_PLANNED = frozenset({"planned", "scheduled", "expected", "estimated", "due"})
_MEASURED = {
    "far": frozenset({"distance"}), "hot": frozenset({"temperature"}), "warm": frozenset({"temperature"}),
    "cold": frozenset({"temperature"}), "heavy": frozenset({"weight", "mass"}), "tall": frozenset({"height"}),
    "fast": frozenset({"speed"}), "deep": frozenset({"depth"}),
}  # fmt: skip # what an adjective asks for the amount of
_EXTREMES = {
    "warmest": (frozenset({"temperature"}), ("highest", "average")),
    "hottest": (frozenset({"temperature"}), ("highest", "average")),
    "coldest": (frozenset({"temperature"}), ("lowest", "average")),
    "rainiest": (frozenset({"precipitation", "rain", "rainfall"}), ("highest", "total")),
    "wettest": (frozenset({"precipitation", "rain", "rainfall"}), ("highest", "total")),
    "windiest": (frozenset({"wind"}), ("highest", "average")),
}
_ASKING = frozenset({"what", "what's", "which", "was", "is", "the", "show", "me"})
_LEAD = 5  # words before the superlative
_RATED = frozenset({"share", "rate", "percentage", "percent", "proportion", "ratio"})
_LONGEST_NAME = 4  # words between "average" and "per"


def how_far(w: Wording, at: int) -> Found | None:
    """``how far is it``, ``how hot was it``: the average of what the adjective measures."""
    hints = _MEASURED.get(w.at(at + 1)) if w.at(at) == "how" else None
    if hints is None or w.at(at + 2) not in _BEING or w.at(at + 3) not in _IT:
        return None
    named = w.name(lambda path: bool(hints & set(w.meta.parts(path))))
    return (w.said(at, "average", *named), at + 4) if named else None


def how_long(w: Wording, at: int) -> Found | None:
    """``how long does it take to fly``, ``how long do flights take``: the average of the number that says how long."""
    if w.words[at : at + 2] != ["how", "long"]:
        return None
    named = w.name(lambda path: _says_length(w.meta, path))
    if named is None or w.at(at + 2) not in _DOING | _BEING:
        return None
    told = w.said(at, "average", *named)
    if w.at(at + 2) in _DOING and w.at(at + 3) in _IT and w.at(at + 4) == "take":
        infinitive = w.at(at + 5) == "to" and w.at(at + 6).isalpha() and w.at(at + 7) in ("from", "to", "by", "with")
        return told, at + (7 if infinitive else 5)
    taken = next((p for p in range(at + 3, len(w.words)) if w.at(p) in ("take", "takes", "last", "lasts")), None)
    rows = {noun for path in w.numbers if _says_length(w.meta, path) for noun in w.meta.words_of(path.split(".", 1)[0])}
    noun = at + 3 + (w.at(at + 3) in ("the", "a", "an"))
    if singular(w.at(noun)) not in rows or w.at(at + 2) in _DOING and taken is None:
        return None
    middle = [token for place, token in enumerate(w.tokens[noun:], noun) if place != taken and not _averaged(w, place)]
    return [*told, *w.said(at, "of"), *middle], len(w.tokens)


def _averaged(w: Wording, place: int) -> bool:
    """Whether a word says once more that an average is asked for: ``on average``."""
    return w.words[place : place + 2] == ["on", "average"] or w.words[place - 1 : place + 1] == ["on", "average"]


def _says_length(meta: Metadata, path: str) -> bool:
    """Whether a number says how long a row takes: not a delay, and where no two times of the row say it better."""
    unit = unit_of(str((meta.members[path].meta or {}).get("unit", "")))
    if unit is None or dimension_of(unit) != "time" or not _LENGTHS & set(meta.parts(path)):
        return False
    ends = ends_in(meta, path.split(".", 1)[0])
    return ends is None or all(_PLANNED & set(meta.parts(end)) for end in ends)


def how_often(w: Wording, at: int) -> Found | None:
    """``how often does it rain``: in how many rows there is some of it."""
    if at or w.words[:2] != ["how", "often"] or w.at(2) not in _DOING or w.at(3) not in _IT:
        return None
    verb = w.tokens[4].stem if len(w.tokens) > 4 else ""
    found = [path for path in w.numbers if verb in called(w.meta, path) and as_number(w.meta.profile(path).low) == 0]
    own = [
        path for path in found if verb in {stem(word) for word in named_rows(w.meta, path.split(".", 1)[0])}
    ] or found
    if len({path.split(".", 1)[0] for path in own}) != 1:
        return None
    relation = w.meta.relation(own[0].split(".", 1)[0])
    counts = [m.title for m in relation.members.values() if m.kind == "measure" and m.agg_type == "count"]
    rows = name_parts(counts[0]) if counts else w.meta.words_of(relation.name)
    told = ["how", "many", *rows, "where", *w.meta.parts(own[0]), "above", "0"]
    return w.said(4, *told), 5


def weather(w: Wording, at: int) -> Found | None:
    """``the warmest month``: the one with the highest average of what the adjective measures, where no name says so."""
    place = next((p for p, word in enumerate(w.words[:_LEAD]) if word not in _ASKING), _LEAD) if at == 0 else _LEAD
    hints, how = _EXTREMES.get(w.at(place), (frozenset[str](), ("", "")))
    noun = w.at(place + 1)
    if not hints or w.tokens[place].stem in w.meta.vocabulary or singular(noun) not in UNITS:
        return None
    names = sorted({tuple(w.meta.parts(path)) for path in w.numbers if hints & set(w.meta.parts(path))}, key=len)
    said = w.said(place, "which", noun, "has", "the", *how, *names[0]) if names else []
    return (said, place + 2) if said else None


def per_row(w: Wording, at: int) -> Found | None:
    """``average number of seats per flight``: the average of what each row has so many of."""
    if w.at(at) not in ("average", "mean", "avg"):
        return None
    start = at + 1
    start += 2 * (w.words[start : start + 2] == ["number", "of"])
    per = next((p for p in range(start + 1, start + 1 + _LONGEST_NAME) if w.at(p) == "per"), None)
    if per is None:
        return None
    name, row = [stem(word) for word in w.words[start:per]], singular(w.at(per + 1))
    if stem(name[-1]) in {stem(word) for r in w.meta.catalog.relations for word in w.meta.words_of(r)[-1:]}:
        return None  # things of their own are counted
    fitting = [
        path for path in w.numbers
        if [stem(part) for part in w.meta.parts(path)][-len(name) :] == name
        and row in [singular(word) for word in named_rows(w.meta, path.split(".", 1)[0])]
    ]  # fmt: skip
    named = tuple(w.meta.parts(fitting[0])) if len(fitting) == 1 else ()
    return (w.said(at, "average", *named), per + 2) if named else None


def share_so(w: Wording, at: int) -> Found | None:
    """``percentage of flights on time``: the model's own share of those that are so."""
    if w.at(at) not in _RATED or w.at(at + 1) != "of":
        return None
    noun = at + 2 + (w.at(at + 2) in ("the", "all", "our"))
    for path, member in w.meta.members.items():
        kind = [part for part in w.meta.parts(path) if part not in _RATED]
        percent = member.kind == "measure" and str(member.format or "").startswith("percent")
        said = percent and len(kind) > 1 and w.words[noun + 1 : noun + 1 + len(kind)] == kind
        if said and singular(w.at(noun)) in {singular(word) for word in named_rows(w.meta, member.relation)}:
            return w.said(at, *w.meta.parts(path)), noun + 1 + len(kind)
    return None


def on_average(w: Wording, at: int) -> Found | None:
    """``how many parcels per courier on average``: the average number of them; of what rows hold it is their sum."""
    if w.words[:2] != ["how", "many"] or "per" not in w.words[2:] or w.words[-2:] != ["on", "average"]:
        return None
    noun = w.tokens[w.words.index("per", 2) - 1].stem
    if any(stem(w.meta.parts(path)[-1]) == noun for path in w.numbers):
        return None
    if at == 0:
        return w.said(0, "average"), 2
    return ([], at + 2) if at == len(w.words) - 2 else None
