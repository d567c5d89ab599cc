"""Amounts by their adjectives and by the row: *how far is it*, *how long does it take*, *the warmest month*."""

from __future__ import annotations

from ...calendar.grains import is_superlative
from ...calendar.units import UNITS
from ...schema.lasting import ends_in
from ...schema.members import BEGUN
from ...schema.metadata import Metadata
from ...schema.profiles import as_number
from ...words.numbers import dimension_of, unit_of
from ...words.rewriting import Found
from ...words.shares_said import SHARE_WORDS
from ...words.text import name_parts, singular, stem
from ...words.thesaurus import TRADES
from .wording import Wording, called, named_rows

__all__ = [
    "THEY", "how_far", "how_long", "how_many_on_average", "how_often", "in_each_row", "in_percent", "named_extreme",
    "on_average", "ordered_by_amount", "per_row", "says_length", "share_so", "size_of_trade",  "worth",
]  # fmt: skip

_BEING = frozenset({"is", "was", "are", "were"})
_DOING = frozenset({"do", "does", "did"})
_IT = frozenset({"it", "this", "that"})
_USUALLY = frozenset({"usually", "normally", "typically", "generally", "actually", "really"})
THEY = frozenset({"they", "we", "you", "it", "he", "she", "those", "these"})
_HAVING = frozenset({"have", "has", "had"})
_LENGTHS = frozenset({"duration", "length", "runtime", "time", "elapsed"})
_PLANNED = frozenset({"planned", "scheduled", "expected", "estimated", "due"})
_MEASURED = {
    "far": frozenset({"distance"}), "hot": frozenset({"temperature"}), "warm": frozenset({"temperature"}),
    "cold": frozenset({"temperature"}), "heavy": frozenset({"weight", "mass"}), "tall": frozenset({"height"}),
    "fast": frozenset({"speed"}), "deep": frozenset({"depth"}),
}  # fmt: skip # what an adjective asks for the amount of
_ASKING = frozenset({"what", "what's", "which", "was", "is", "the", "show", "me"})
_LEAD = 5  # words before the superlative
_WORTH = frozenset({"amount", "total", "value", "sum", "price", "amt"})
_AGED = frozenset({"oldest", "newest", "youngest"})
_SHOWN = 10  # of those that are most so
_ORDERING = frozenset({"ascending", "descending", "increasing", "decreasing", "sorted", "ordered", "order", "sort"})
_AS_PERCENT = frozenset(
    {("in", "percent"), ("in", "%"), ("in", "per", "cent"), ("as", "percentage"), ("as", "a", "percentage")}
)
_RATED = SHARE_WORDS | {"rate", "ratio"}
_GROUPED = frozenset("by for per each".split())
_FOLDED = frozenset("average mean avg median total sum maximum minimum highest lowest most fewest of and many".split())
_LONGEST_NAME = 4  # words between "average" and "per"


def size_of_trade(w: Wording, at: int) -> Found | None:
    """``average invoice size``: the one amount of money that each invoice has, where nothing is called a size."""
    noun = singular(w.at(at))
    if w.at(at + 1) not in ("size", "sizes") or noun not in TRADES or w.tokens[at + 1].stem in w.meta.vocabulary:
        return None
    rows = [name for name in w.meta.catalog.relations if noun in w.meta.words_of(name)[-1:]]
    named = [path for path in w.numbers if path.split(".", 1)[0] in rows and _is_worth(w, path)]
    named = [path for path in named if path not in (w.meta.flows or ())]
    return (w.said(at, noun, *w.meta.parts(named[0])), at + 2) if len(rows) == len(named) == 1 else None


def worth(w: Wording, at: int) -> Found | None:
    """``courses worth more than 4 credits``, ``gifts worth over 30``: with so much, where nothing is called a worth."""
    if not at or w.at(at) != "worth" or w.tokens[at].stem in w.meta.vocabulary:
        return None
    number = at + 1 + w.bound(at + 1)
    if not w.is_number(number):
        return None
    named = number + 1 < len(w.tokens) and w.tokens[number + 1].stem in w.meta.amount_words
    return w.said(at, "with") if named and w.at(at - 1) not in _BEING else [], at + 1


def _is_worth(w: Wording, path: str) -> bool:
    return bool(w.meta.member(path).currency) or not _WORTH.isdisjoint(w.meta.parts(path))


def how_far(w: Wording, at: int) -> Found | None:
    """``how far is it``, ``how far do they fly on average``: the average of what the adjective measures."""
    hints = _MEASURED.get(w.at(at + 1)) if w.at(at) == "how" else None
    being = w.at(at + 2) in _BEING and w.at(at + 3) in _IT
    usual = w.at(at + 4) in _USUALLY
    doing = w.at(at + 2) in _DOING and w.at(at + 3) in THEY and w.at(at + 4 + usual).isalpha()
    if hints is None or not (being or doing):
        return None
    named = w.name(lambda path: bool(hints & set(w.meta.parts(path))))
    end = at + 4 + (1 + usual) * doing
    end += 2 * (w.words[end : end + 2] == ["on", "average"])
    return (w.said(at, "average", *named), end) if named else None


def how_many_on_average(w: Wording, at: int) -> Found | None:
    """``how many people did they take on average``: the average of the number that each row holds."""
    if at or w.words[:2] != ["how", "many"] or w.at(3) not in _DOING | _HAVING or w.at(4) not in THEY:
        return None
    place = 5 + (w.at(5) != "on")  # a verb
    noun = w.tokens[2].stem
    rows = {stem(word) for name in w.meta.catalog.relations for word in named_rows(w.meta, name)}
    fitting = [path for path in w.numbers if stem(w.meta.parts(path)[-1]) == noun]
    if w.words[place : place + 2] != ["on", "average"] or noun in rows or len(fitting) != 1:
        return None
    return w.said(0, "average", *w.meta.parts(fitting[0])), place + 2


def how_long(w: Wording, at: int) -> Found | None:
    """``how long does it take to fly``, ``how long do flights take``: the average of the number that says how long."""
    if w.words[at : at + 2] != ["how", "long"]:
        return None
    named = w.name(lambda path: says_length(w.meta, path))
    if named is None or w.at(at + 2) not in _DOING | _BEING:
        return None
    told = w.said(at, "average", *named)
    if w.at(at + 2) in _DOING and w.at(at + 3) in _IT and w.at(at + 4) == "take":
        infinitive = w.at(at + 5) == "to" and w.at(at + 7) in ("from", "to", "by", "with")
        return told, at + (7 if infinitive else 5)
    taken = next((p for p in range(at + 3, len(w.words)) if w.at(p) in ("take", "takes", "last", "lasts")), None)
    rows = {noun for path in w.numbers if says_length(w.meta, path) for noun in w.meta.words_of(path.split(".", 1)[0])}
    noun = at + 3 + (w.at(at + 3) in ("the", "a", "an"))
    if singular(w.at(noun)) not in rows or w.at(at + 2) in _DOING and taken is None:
        return None
    middle = [token for place, token in enumerate(w.tokens[noun:], noun) if place != taken and not _averaged(w, place)]
    return [*told, *w.said(at, "of"), *middle], len(w.tokens)


def _averaged(w: Wording, place: int) -> bool:
    """Whether a word says once more that an average is asked for: ``on average``."""
    return w.words[place : place + 2] == ["on", "average"] or w.words[place - 1 : place + 1] == ["on", "average"]


def says_length(meta: Metadata, path: str) -> bool:
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


def ordered_by_amount(w: Wording, at: int) -> Found | None:
    """``sorted by number of visitors`` where a row says how many: by that, and by no count of rows."""
    if w.words[at : at + 2] != ["number", "of"] or not _ORDERING & set(w.words[max(0, at - 3) : at]):
        return None
    names = {stem(word) for name in w.meta.catalog.relations for word in named_rows(w.meta, name)}
    noun = w.tokens[at + 2].stem if at + 2 < len(w.tokens) else ""
    fitting = [path for path in w.numbers if noun in {stem(part) for part in w.meta.parts(path)}]
    return ([], at + 2) if noun and noun not in names and len(fitting) == 1 else None


def named_extreme(w: Wording, at: int) -> Found | None:
    """``which planes are the oldest``, where the model has a number *oldest*: which of them it is."""
    if at:
        return None
    place = next((p for p, word in enumerate(w.words[:_LEAD]) if word not in _ASKING and word != "are"), _LEAD)
    behind = w.at(place + 1) in _BEING
    extreme = place + 2 + (w.at(place + 2) == "the") if behind else place
    noun, end = (place, extreme + 1) if behind else (place + 1, place + 2)
    if not is_superlative(w.at(extreme)) or w.at(end) not in ("", "?", ".") or not w.at(noun).isalpha():
        return None
    named = [
        path for path, m in w.meta.members.items()
        if m.agg_type in ("min", "max") and w.at(extreme) in (m.name, *(word.lower() for word in m.synonyms))
    ]  # fmt: skip
    if w.at(extreme) in _AGED:
        named += [path for path in w.numbers if w.meta.is_year(path) and BEGUN & set(w.meta.parts(path))]
    if not named:
        return None
    if singular(w.at(noun)) in UNITS:
        return w.said(extreme, w.at(extreme), w.at(noun)), end
    rows = {singular(word) for path in named for word in named_rows(w.meta, path.split(".", 1)[0])}
    if singular(w.at(noun)) not in rows:
        return None
    many = str(_SHOWN if singular(w.at(noun)) != w.at(noun) else 1)
    if (said := _aged(w, noun, w.at(extreme))) is not None:
        return w.said(extreme, many, *said), end
    return w.said(extreme, many, w.at(extreme), w.at(noun)), end


def _aged(w: Wording, noun: int, extreme: str) -> list[str] | None:
    """``oldest``, ``newest`` by the one year in which each of what the noun names was begun."""
    of = [name for name in w.meta.catalog.relations if singular(w.at(noun)) in map(singular, named_rows(w.meta, name))]
    years = [p for p in w.numbers if w.meta.is_year(p) and BEGUN & set(w.meta.parts(p)) and p.split(".", 1)[0] in of]
    label = w.meta.label_of(of[0]) if len(of) == 1 and len(years) == 1 and extreme in _AGED else None
    if label is None:
        return None
    way = "lowest" if extreme == "oldest" else "highest"
    return [*w.meta.parts(label), "with", "the", way, *w.meta.parts(years[0])]


def per_row(w: Wording, at: int) -> Found | None:
    """``average number of seats per flight``, ``median load per trip``: that of what each row has so many of."""
    if w.at(at) not in ("average", "mean", "avg", "median"):
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
    fold = "median" if w.at(at) == "median" else "average"
    return (w.said(at, fold, *named), per + 2) if named else None


def in_each_row(w: Wording, at: int) -> Found | None:
    """``faults per visit by weekday``: of each group the average of what each row has so many of."""
    if w.at(at + 1) != "per" or w.at(at + 3) not in _GROUPED or w.at(at - 1) in _FOLDED or w.number_end(at) > at + 1:
        return None
    row = singular(w.at(at + 2))
    own = {
        path.split(".", 1)[0]
        for path in w.numbers
        if w.tokens[at].stem in {stem(part) for part in w.meta.parts(path)} and not w.meta.is_key(path)
    }
    rows = [name for name in own if row == w.at(at + 2) and row in map(singular, named_rows(w.meta, name))]
    return ([*w.said(at, "average"), w.tokens[at]], at + 3) if rows and not w.rows_at(at) else None


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


def in_percent(w: Wording, at: int) -> Found | None:
    """``over 30 minutes late, per airline, in percent``: the share of rows that are so."""
    end = len(w.words) - (w.words[-1:] in (["?"], ["."]))
    size = next((n for n in (2, 3) if tuple(w.words[end - n : end]) in _AS_PERCENT), 0)
    if not size or _RATED & set(w.words[: end - size]):
        return None
    counted = w.words[:2] == ["how", "many"]
    rows = _late_rows(w) if w.bound(0) and "late" in w.words else None
    if not counted and rows is None:
        return None
    if at == 0:
        return (w.said(0, "share", "of"), 2) if rows is None else ([*w.said(0, "share", "of", rows), w.tokens[0]], 1)
    return ([], end) if at == end - size - (w.at(end - size - 1) == ",") else None


def _late_rows(w: Wording) -> str | None:
    """What the rows are called that have a delay, where those of one relation have."""
    late = {path.split(".", 1)[0] for path in w.delays}
    return w.meta.words_of(late.pop())[-1] if len(late) == 1 else None


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
