"""Everyday wordings in the words that names have: *how far is it*, *left early*, *older than 20 years*, *over 2013*."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property

from ..calendar.grains import is_superlative
from ..calendar.units import UNITS
from ..plans.plan import Measure
from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from ..words.families import root
from ..words.numbers import dimension_of, number_word, unit_of
from ..words.text import Token, name_parts, singular, stem
from .lasting import age_in, ends_in

__all__ = ["in_everyday_words"]

_Found = tuple[list[Token], int]

_BEING = frozenset({"is", "was", "are", "were"})
_DOING = frozenset({"do", "does", "did"})
_IT = frozenset({"it", "this", "that"})
_TIMED = frozenset({"before", "after", "between", "in", "during", "at", "from", "until", "since", "on"})
_ENDS = frozenset({"", "?", ".", "!", ",", "as", "by", "per", "in", "for", "with"})
_GOING = frozenset(map(stem, ("leave", "left", "leaving", "depart")))
_COMING = frozenset(map(stem, ("land", "arrive")))
_LENGTHS = frozenset({"duration", "length", "runtime", "time", "elapsed"})
_PLANNED = frozenset({"planned", "scheduled", "expected", "estimated", "due"})
_BEGUN = frozenset(
    "built founded opened established launched introduced released made constructed manufactured".split()
)
_COMPARING = frozenset({
    ("more", "than"), ("less", "than"), ("longer", "than"), ("over",), ("under",), ("above",), ("at", "least"),
    ("at", "most"),
})  # fmt: skip
_BOUNDS = {"older": "below", "younger": "above", "newer": "above"}
_COMPANIES = frozenset(
    map(stem, "airline carrier operator company firm supplier vendor brand manufacturer maker publisher team club "
        "agency organization organisation shop store branch".split())
)  # fmt: skip
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
_CAPITALS = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)+")
_RATED = frozenset({"share", "rate", "percentage", "percent", "proportion", "ratio"})
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")
_LONGEST_NAME = 4  # words between "average" and "per"
_OLDEST = 120


def in_everyday_words(
    tokens: Sequence[Token], metadata: Metadata, now: datetime, default_year: int | None
) -> list[Token]:
    """The tokens with what people say every day in the words that the model's names have.

    Each wording is put otherwise only where the model has exactly what it speaks of, and where no name or value of the
    model is written so.
    """
    wording = _Wording(tokens, metadata, now, default_year)
    whole: list[Token] = []
    place = 0
    while place < len(tokens):
        found = next((made for rule in _RULES if (made := rule(wording, place)) is not None), None)
        if found is None:
            whole.append(tokens[place])
            place += 1
        else:
            whole.extend(found[0])
            place = found[1]
    return whole


@dataclass(frozen=True)
class _Wording:
    """A question's words and the model they are asked of."""

    tokens: Sequence[Token]
    meta: Metadata
    now: datetime
    default_year: int | None

    @cached_property
    def words(self) -> list[str]:
        return [token.lower for token in self.tokens]

    def at(self, place: int) -> str:
        return self.words[place] if 0 <= place < len(self.words) else ""

    def said(self, place: int, *words: str) -> list[Token]:
        """Words in the place of a token."""
        token = self.tokens[place]
        plain = replace(token, kind="word", value=None)
        number = replace(token, kind="number")
        return [
            replace(number, text=word, lower=word, stem=word, value=float(word))
            if word.isdigit()
            else replace(plain, text=word, lower=word, stem=stem(word))
            for word in words
        ]

    @cached_property
    def numbers(self) -> list[str]:
        """The numbers of the model's rows."""
        known = [p for p, m in self.meta.members.items() if m.kind == "dimension" and self.meta.is_number(p)]
        return [path for path in known if self.meta.parts(path) and not self.meta.is_key(path)]

    def name(self, fits: Callable[[str], bool]) -> list[str] | None:
        """The words of the one name that numbers which fit have: the shortest, where it is the end of all others."""
        names = sorted({tuple(self.meta.parts(path)) for path in self.numbers if fits(path)}, key=len)
        alike = bool(names) and all(name[-len(names[0]) :] == names[0] for name in names)
        return list(names[0]) if alike else None

    def is_number(self, place: int) -> bool:
        word = self.at(place)
        return bool(word) and (self.tokens[place].kind == "number" or number_word(word) is not None)

    @cached_property
    def facts(self) -> list[str]:
        """The relations whose rows have a time."""
        return [name for name in self.meta.catalog.relations if self.meta.times([name])]

    @cached_property
    def places(self) -> list[str]:
        """What the relations with a time are described by, where all of them are described by it."""
        told = [self.meta.relation(name).description or "" for name in self.facts]
        capitals = [set(_CAPITALS.findall(text)) for text in told if text]
        both = set.intersection(*capitals) if capitals else set[str]()
        return [name.lower() for name in both]

    def times(self) -> list[str]:
        """The time that is meant where none is named, of each relation."""
        found = [self.meta.times([name])[:1] for name in self.meta.catalog.relations]
        return [path for each in found for path in each]


def _over_a_year(w: _Wording, at: int) -> _Found | None:
    """``over 2013``: during it, where the data are of that year and no number was named that could be above it."""
    if w.at(at) != "over" or not _YEAR.fullmatch(w.at(at + 1)) or w.at(at + 2) not in _ENDS:
        return None
    if at and (w.is_number(at - 1) or any(w.tokens[at - 1].stem == stem(w.meta.parts(path)[-1]) for path in w.numbers)):
        return None
    ends = [(w.meta.profile(path).low, w.meta.profile(path).high) for path in w.times()]
    covered = any(
        isinstance(low, date) and isinstance(high, date) and low.year <= int(w.at(at + 1)) <= high.year
        for low, high in ends
    )
    return (w.said(at, "in"), at + 1) if covered else None


def _of_the_year(w: _Wording, at: int) -> _Found | None:
    """``the longest delay of the year``: of all rows, where these are of one year."""
    if w.words[at : at + 3] != ["of", "the", "year"] or w.at(at + 3) not in _ENDS or w.at(at - 1) in UNITS:
        return None
    if not any(is_superlative(word) for word in w.words[:at]):
        return None
    ends = [(w.meta.profile(path).low, w.meta.profile(path).high) for path in w.times()]
    single = bool(ends) and all(
        isinstance(low, date) and isinstance(high, date) and low.year == high.year for low, high in ends
    )
    return ([], at + 3) if single else None


def _how_far(w: _Wording, at: int) -> _Found | None:
    """``how far is it``, ``how hot was it``: the average of what the adjective measures."""
    hints = _MEASURED.get(w.at(at + 1)) if w.at(at) == "how" else None
    if hints is None or w.at(at + 2) not in _BEING or w.at(at + 3) not in _IT:
        return None
    named = w.name(lambda path: bool(hints & set(w.meta.parts(path))))
    return (w.said(at, "average", *named), at + 4) if named else None


def _how_long(w: _Wording, at: int) -> _Found | None:
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


def _averaged(w: _Wording, place: int) -> bool:
    """Whether a word says once more that an average is asked for: ``on average``."""
    return w.words[place : place + 2] == ["on", "average"] or w.words[place - 1 : place + 1] == ["on", "average"]


def _says_length(meta: Metadata, path: str) -> bool:
    """Whether a number says how long a row takes: not a delay, and where no two times of the row say it better."""
    unit = unit_of(str((meta.members[path].meta or {}).get("unit", "")))
    if unit is None or dimension_of(unit) != "time" or not _LENGTHS & set(meta.parts(path)):
        return False
    ends = ends_in(meta, path.split(".", 1)[0])
    return ends is None or all(_PLANNED & set(meta.parts(end)) for end in ends)


def _how_often(w: _Wording, at: int) -> _Found | None:
    """``how often does it rain``: in how many rows there is some of it."""
    if at or w.words[:2] != ["how", "often"] or w.at(2) not in _DOING or w.at(3) not in _IT:
        return None
    verb = w.tokens[4].stem if len(w.tokens) > 4 else ""
    found = [path for path in w.numbers if verb in _called(w.meta, path) and as_number(w.meta.profile(path).low) == 0]
    own = [path for path in found if verb in {stem(word) for word in _named(w.meta, path.split(".", 1)[0])}] or found
    if len({path.split(".", 1)[0] for path in own}) != 1:
        return None
    relation = w.meta.relation(own[0].split(".", 1)[0])
    counts = [m.title for m in relation.members.values() if m.kind == "measure" and m.agg_type == "count"]
    rows = name_parts(counts[0]) if counts else w.meta.words_of(relation.name)
    told = ["how", "many", *rows, "where", *w.meta.parts(own[0]), "above", "0"]
    return w.said(4, *told), 5


def _called(meta: Metadata, path: str) -> set[str]:
    """Stems of a member's own words and of those that it is called by as well."""
    return {stem(word) for word in (*meta.parts(path), *meta.members[path].synonyms)}


def _named(meta: Metadata, relation: str) -> Iterator[str]:
    yield from meta.words_of(relation)
    yield from meta.relation(relation).synonyms


def _leaving(w: _Wording, at: int) -> _Found | None:
    """``leave before 8 am``: when it begins, where a time is called departure; ``left early``: a delay below nought."""
    end = "departure" if w.tokens[at].stem in _GOING else "arrival" if w.tokens[at].stem in _COMING else ""
    times = [path for path in w.times() if end in w.meta.parts(path)] if end else []
    late = w.meta.late_by.get(root(end)) if end else None
    if late is not None and w.at(at + 1) == "early":
        known = [path for path in w.numbers if tuple(w.meta.parts(path)[:2]) == late]
        if any((as_number(w.meta.profile(path).low) or 0) < 0 for path in known):
            return w.said(at, "with", *late, "below", "0"), at + 2
    if times and end == "departure" and w.at(at + 1) in _TIMED:
        return w.said(at, "are"), at + 1
    return None


def _late(w: _Wording, at: int) -> _Found | None:
    """``delayed more than 15 minutes``: by the number that is called a delay."""
    word = w.at(at)
    by = at + 1 + (w.at(at + 1) == "by")
    bound = next((size for size in (2, 1) if tuple(w.words[by : by + size]) in _COMPARING), 0)
    if not (word.endswith("ed") and bound and w.is_number(by + bound)):
        return None
    unit = unit_of(w.at(by + bound + 1)) if w.at(by + bound + 1) else None
    if unit is None or dimension_of(unit) != "time":
        return None
    noun = stem(word)
    fitting = [tuple(w.meta.parts(path)) for path in w.numbers if stem(w.meta.parts(path)[-1]) == noun]
    coming = any(token.stem in _COMING for token in w.tokens)
    fitting.sort(key=lambda name: coming and "arrival" not in name)
    return (w.said(at, "with", *fitting[0]), by) if fitting else None


def _older(w: _Wording, at: int) -> _Found | None:
    """``older than 20 years``: built, founded or opened before the year that is so long ago."""
    start = at
    if w.at(at) in ("with", "of", "by", "on") and w.at(at + 2) in _BOUNDS:  # "flights with planes older than …"
        noun = singular(w.at(at + 1))
        own = any(w.meta.is_year(path) and noun in w.meta.parts(path) for path in w.numbers)
        at += 2 * own
    bound = _BOUNDS.get(w.at(at)) if w.at(at + 1) == "than" else None
    if bound is None or not w.is_number(at + 2) or w.at(at + 3) not in ("year", "years"):
        return None
    token = w.tokens[at + 2]
    number = token.value if token.kind == "number" else number_word(token.lower)
    ages = any(age_in(w.meta, name, w.now.date()) for name in w.meta.catalog.relations)
    ages = ages or any("age" in w.meta.parts(path) for path in w.numbers)
    if ages or number is None or not 0 < number <= _OLDEST:
        return None
    named = w.name(lambda path: w.meta.is_year(path) and bool(_BEGUN & set(w.meta.parts(path))))
    if named is None:
        return None
    year = (w.default_year or w.now.year) - int(number)
    return w.said(start, "with", *named, bound, str(year)), at + 4


def _per_row(w: _Wording, at: int) -> _Found | None:
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
        and row in [singular(word) for word in _named(w.meta, path.split(".", 1)[0])]
    ]  # fmt: skip
    named = tuple(w.meta.parts(fitting[0])) if len(fitting) == 1 else ()
    return (w.said(at, "average", *named), per + 2) if named else None


def _got(w: _Wording, at: int) -> _Found | None:
    """``got cancelled``: were."""
    done = w.at(at) in ("got", "gotten", "get", "gets") and w.at(at + 1).endswith("ed") and len(w.at(at + 1)) > 4
    return (w.said(at, "were"), at + 1) if done else None


def _who(w: _Wording, at: int) -> _Found | None:
    """``who flies to Oslo most often``: which company, where the model knows no people and one kind of companies."""
    if at or w.at(0) != "who" or w.at(1) in ("is", "are", "was", "were") or len(w.words) < 3:
        return None
    if w.meta.knows_people:
        return None
    texts = [p for p, m in w.meta.members.items() if m.kind == "dimension" and m.type == "string" and not m.masked]
    called = [path for path in texts if {stem(part) for part in w.meta.parts(path)} & _COMPANIES]
    done = root(w.at(1)) if w.at(1) else ""
    doing = [p for p in called if done in {root(word) for word in w.meta.words_of(p.split(".", 1)[0])}]
    found = [path for path in doing or called if w.meta.label_of(path.split(".", 1)[0]) != path] or called
    whole = [path for path in found if len(w.meta.parts(path)) == 1] or found
    named = sorted(whole, key=lambda path: -len(w.meta.members[path].synonyms))[:1]
    return (w.said(0, "which", *w.meta.parts(named[0])), 1) if named else None


def _weather(w: _Wording, at: int) -> _Found | None:
    """``the warmest month``: the one with the highest average of what the adjective measures, where no name says so."""
    place = next((p for p, word in enumerate(w.words[:_LEAD]) if word not in _ASKING), _LEAD) if at == 0 else _LEAD
    hints, how = _EXTREMES.get(w.at(place), (frozenset[str](), ("", "")))
    noun = w.at(place + 1)
    if not hints or w.tokens[place].stem in w.meta.vocabulary or singular(noun) not in UNITS:
        return None
    names = sorted({tuple(w.meta.parts(path)) for path in w.numbers if hints & set(w.meta.parts(path))}, key=len)
    said = w.said(place, "which", noun, "has", "the", *how, *names[0]) if names else []
    return (said, place + 2) if said else None


def _everywhere(w: _Wording, at: int) -> _Found | None:
    """``in New York``, where what the rows are is described so: that is said of all of them."""
    if w.at(at) not in ("in", "from", "at", "of", "around"):
        return None
    for size in (3, 2) if w.places else ():
        words = w.tokens[at + 1 : at + 1 + size]
        named = len(words) == size and all(t.kind == "word" and t.stem not in w.meta.vocabulary for t in words)
        text = " ".join(token.lower for token in words)
        if not named or not any(text in known for known in w.places):
            continue
        if not any(match.end > at + size for match in w.meta.values.find(w.tokens, at + 1)):
            return [], at + 1 + size
    return None


def _share_so(w: _Wording, at: int) -> _Found | None:
    """``percentage of flights on time``: the model's own share of those that are so."""
    if w.at(at) not in _RATED or w.at(at + 1) != "of":
        return None
    noun = at + 2 + (w.at(at + 2) in ("the", "all", "our"))
    for path, member in w.meta.members.items():
        kind = [part for part in w.meta.parts(path) if part not in _RATED]
        percent = member.kind == "measure" and str(member.format or "").startswith("percent")
        said = percent and len(kind) > 1 and w.words[noun + 1 : noun + 1 + len(kind)] == kind
        if said and singular(w.at(noun)) in {singular(word) for word in _named(w.meta, member.relation)}:
            return w.said(at, *w.meta.parts(path)), noun + 1 + len(kind)
    return None


def _on_average(w: _Wording, at: int) -> _Found | None:
    """``how many parcels per courier on average``: the average number of them."""
    if w.words[:2] != ["how", "many"] or "per" not in w.words[2:] or w.words[-2:] != ["on", "average"]:
        return None
    if at == 0:
        return w.said(0, "average"), 2
    return ([], at + 2) if at == len(w.words) - 2 else None


def _same_kind(w: _Wording, at: int) -> _Found | None:
    """``how many different planes``, ``per plane``: by what tells planes apart, and not by what they are like."""
    different = w.at(at) in ("different", "distinct", "unique") and w.at(at - 1) in ("many", "of")
    noun = singular(w.at(at + 1)) if different or w.at(at) == "per" else ""
    if not noun or any(noun == singular(" ".join(w.meta.parts(path))) for path in w.meta.members):
        return None
    if any(noun == singular(word) for name in w.facts for word in _named(w.meta, name)):
        return None  # rows of their own
    found = [
        path for path, m in w.meta.members.items()
        if m.agg_type == "count_distinct" and singular("".join(w.meta.parts(path)[:1])) == noun
    ]  # fmt: skip
    if different:
        return ([], at + 1) if len(found) == 1 else None
    of = {w.meta.plain(Measure(path, "measure")).member for path in found}
    (told,) = of if len(of) == 1 else (None,)
    known = told is not None and told in w.meta.members and not w.meta.is_measure(told)
    return (w.said(at, "per", *w.meta.parts(told)), at + 2) if known and told is not None else None


_RULES: Sequence[Callable[[_Wording, int], _Found | None]] = (
    _weather, _everywhere, _same_kind, _share_so, _on_average, _over_a_year, _of_the_year, _how_far, _how_long,
    _how_often, _leaving, _late, _older, _per_row, _got, _who,
)  # fmt: skip
