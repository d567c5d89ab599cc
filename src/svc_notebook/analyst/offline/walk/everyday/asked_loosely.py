"""Questions as they are typed: *which team scored the most goals*, *the single highest bill*, *least used channel*."""

from __future__ import annotations

from ...lexicon import load_lexicon, persons
from ...words.families import is_same_deed
from ...words.rewriting import Found
from ...words.text import is_participle, singular, stem
from .wording import Wording

__all__ = [
    "aged_so", "among_those", "average_one", "breakdown_in_percent", "range_of", "rate_of_deed",
    "rate_of_state", "single_extreme", "top_units", "used_most", "verb_the_most",
]  # fmt: skip

_ENDS = frozenset({"", "?", ".", "!"})
_BEHIND = _ENDS | {"in", "by", "per", "at", "from", "during", "over", "with", "for", "on", "of", "among", "since"}
_ASKING = frozenset({"which", "what"})
_MOST = frozenset({"most", "fewest", "least", "highest", "lowest", "largest", "smallest"})
_VERBS = frozenset(
    "scored scores gave gives uses used consumes consumed produces produced makes made gets got takes took receives "
    "received records recorded sees saw collects collected generates generated reports reported burns burned".split()
)
"""What is done with what there is then: nothing is lost, missed or saved by it."""
_EXTREMES = frozenset(
    {"highest", "lowest", "largest", "smallest", "biggest", "longest", "shortest", "most", "best", "worst"}
)
_PERCENT = (("in", "percent"), ("in", "%"), ("in", "percentage"), ("in", "percentages"), ("as", "percent"),
            ("as", "a", "percentage"), ("as", "percentages"), ("as", "percentage"), ("by", "percent"))  # fmt: skip
_SPLIT = frozenset({"breakdown", "split", "distribution"})
_YOUNG = frozenset({"kids", "children", "minors", "adults", "people", "persons", "teenagers", "teens", "seniors"})
_OLDEST = 120
_FEW = 3  # words before a verb, or of a name
_ASKED = frozenset("which what what's is was are the show me give list our who".split())
_DIVIDED = frozenset({"by", "per", "each", "every", "bins", "distribution"})
_UNITS = frozenset({"days", "weeks", "months", "hours", "years"})


def verb_the_most(w: Wording, at: int) -> Found | None:
    """``which team scored the most home goals``: has the most of them, where no name is the verb's."""
    if not 2 <= at <= _FEW or w.at(0) not in _ASKING or w.at(at) not in _VERBS:
        return None
    unknown = w.tokens[at].stem not in w.meta.vocabulary and not w.meta.values.find(w.tokens, at)
    end = w.number_end(at + 3) if at + 3 < len(w.tokens) else 0
    if w.at(at + 1) != "the" or w.at(at + 2) not in _MOST or not (unknown and end and w.at(end) in _BEHIND):
        return None
    return w.said(at, "has"), at + 1


def among_those(w: Wording, at: int) -> Found | None:
    """``share of smokers among patients``: of their rows, and not for each of them."""
    noun = at + 1 + (w.at(at + 1) in ("the", "our", "all"))
    if w.at(at) != "among" or len(w.cubes) != 1 or singular(w.at(noun)) == w.at(noun):
        return None
    keys = [path for path in w.meta.members if w.meta.is_key(path)]
    return (w.said(at, "for"), noun) if any(w.meta.parts(p)[:-1] == (singular(w.at(noun)),) for p in keys) else None


def rate_of_state(w: Wording, at: int) -> Found | None:
    """``success rate``: of the state *successful*; ``failure rate of games``: of those rows, and no part of them."""
    if w.at(at + 1) not in ("rate", "rates") or w.tokens[at].stem in w.meta.vocabulary or not w.at(at).isalpha():
        return None
    state = _state_called(w, w.at(at))
    if state is None:
        return None
    of = w.at(at + 2) == "of"
    return [*w.said(at, state, "rate"), *(w.said(at + 2, "for") if of else ())], at + 2 + of


def _state_called(w: Wording, noun: str) -> str | None:
    """The one state of rows that a noun is for: *success* of ``successful``, *failure* of ``failed``."""
    if len(noun) < _SHORTEST_NOUN or _REST & set(w.words):  # "vs others" would set the state apart, and not the rows
        return None
    few = ((path, values) for path, values in w.meta.values.members.items() if len(values) <= _STATES)
    words = {(path, str(value).lower()) for path, values in few for value in values if str(value).isalpha()}
    found = [value for _, value in words if value.startswith(noun) or is_same_deed(value, noun)]
    return found[0] if len(found) == 1 else None


_SHORTEST_NOUN = 5
_REST = frozenset({"others", "rest"})
_STATES = 12  # values of a column that says what became of rows


def single_extreme(w: Wording, at: int) -> Found | None:
    """``the single highest bill``: the highest."""
    alone = w.at(at) == "single" and w.at(at + 1) in _EXTREMES and w.at(at - 1) in ("the", "our", "")
    return ([], at + 1) if alone and not w.meta.values.find(w.tokens, at) else None


def used_most(w: Wording, at: int) -> Found | None:
    """``least used channel``, ``most reported type``: which of them has the fewest rows, or the most."""
    verb = w.at(at + 1)
    used = is_participle(verb) or w.at(at) == "least" and verb in ("common", "frequent", "popular")
    if w.at(at) not in ("most", "least") or not used or at > _FEW or not _ASKED.issuperset(w.words[:at]):
        return None
    noun = at + 2
    end = next((place for place in range(noun, w.end) if w.at(place) in _BEHIND), w.end)
    known = 0 < end - noun <= _FEW and all(w.tokens[p].stem in w.meta.vocabulary for p in range(noun, end))
    if not known or w.tokens[at + 1].stem in w.meta.vocabulary or len(w.cubes) != 1:
        return None
    if any(w.rows_at(p) for p in range(noun, end)) or w.number_end(noun) or singular(w.at(end - 1)) != w.at(end - 1):
        return None
    rows = "most" if w.at(at) == "most" else "fewest"
    return [*w.said(at, "which"), *w.tokens[noun:end], *w.said(at, "has", "the", rows, "rows")], end


def breakdown_in_percent(w: Wording, at: int) -> Found | None:
    """``breakdown of complaints by channel in percent``: the share of complaints by channel."""
    size = next((len(words) for words in _PERCENT if tuple(w.words[w.end - len(words) : w.end]) == words), 0)
    start = next((place for place in range(3) if w.at(place) in _SPLIT), None) if not at and size else None
    if start is None or w.at(start + 1) != "of" or not {"by", "per"} & set(w.words):
        return None
    return [*w.said(0, "share", "of"), *w.tokens[start + 2 : w.end - size]], len(w.tokens)


def rate_of_deed(w: Wording, at: int) -> Found | None:
    """``readmission rate``: of what a flag calls *readmitted*, where nothing is called so."""
    if w.at(at + 1) not in ("rate", "rates") or w.tokens[at].stem in w.meta.vocabulary or not w.at(at).isalpha():
        return None
    flags = [
        p for p, m in w.meta.members.items() if m.kind == "dimension" and m.type == "boolean" and p in w.meta.members
    ]
    named = [p for p in flags if is_same_deed(w.meta.parts(p)[-1], w.at(at))]
    return (w.said(at, *w.meta.parts(named[0]), "rate"), at + 2) if len(named) == 1 else None


def range_of(w: Wording, at: int) -> Found | None:
    """``price range of houses``, ``range of prices``: from the lowest to the highest."""
    if _DIVIDED & set(w.words):
        return None
    if w.at(at) == "range" and w.at(at + 1) == "of" and at + 2 < len(w.tokens):
        end = w.number_end(at + 2)
        return ([*w.said(at, "lowest", "and", "highest"), *w.tokens[at + 2 : end]], end) if end else None
    end = w.number_end(at) if w.at(at - 1) not in ("the", "of") or at < 3 else 0
    if not end or w.at(end) != "range":
        return None
    return [*w.said(at, "lowest", "and", "highest"), *w.tokens[at:end]], end + 1


def average_one(w: Wording, at: int) -> Found | None:
    """``how old is the average patient``: the average of what is asked for."""
    if at or w.at(0) != "how" or w.at(2) not in ("is", "are", "was") or w.words[3:5] != ["the", "average"]:
        return None
    hints = {word for _, entry in load_lexicon().phrases.get(f"{w.at(1)}er", ()) for word in entry.hints}
    named = w.name(lambda path: w.meta.parts(path)[-1] in hints)
    if named is None or w.end < 6:
        return None
    *kind, noun = w.tokens[5 : w.end]
    many = w.said(0, f"{singular(noun.lower)}s")
    return [*w.said(0, "average", *named, "of"), *kind, *many, *w.tokens[w.end :]], len(w.tokens)


def top_units(w: Wording, at: int) -> Found | None:
    """``10 days with the highest wind speed``, ``top 10 windiest days``: of the units of time, by the number."""
    start = at + (w.at(at) == "top")
    if at > 2 or not w.is_number(start):
        return None
    if w.at(start + 1) in _UNITS and w.at(start + 2) == "with":
        most = start + 3 + (w.at(start + 3) == "the")
        end = w.number_end(most + 1) if most + 1 < len(w.tokens) else 0
        if not end or w.at(most) not in ("highest", "most", "largest"):
            return None
        return [
            *w.said(at, "top"),
            w.tokens[start],
            w.tokens[start + 1],
            *w.said(at, "by"),
            *w.tokens[most + 1 : end],
        ], end
    entries = [e for _, e in load_lexicon().phrases.get(w.at(start + 1), ()) if e.operator == "superlative"]
    if w.at(start + 2) not in _UNITS or not entries:
        return None
    named = w.name(lambda path: bool(entries[0].hints & set(w.meta.parts(path))))
    way = "top" if entries[0].argument == "desc" else "bottom"
    said = [*w.said(at, way), w.tokens[start], w.tokens[start + 2]]
    return ([*said, *w.said(at, "by", *named)], start + 3) if named is not None else None


def aged_so(w: Wording, at: int) -> Found | None:
    """``kids under 18``, ``patients over 70``: of that age, where rows have one and no other number is said."""
    sides = {"under": "below", "over": "above", "below": "below", "above": "above"}
    side, number = sides.get(w.at(at + 1)), at + 2
    someone = w.at(at) in _YOUNG and w.tokens[at].stem not in w.meta.vocabulary
    person = someone or singular(w.at(at)) != w.at(at) and stem(w.at(at)) in persons() or w.at(at) in ("men", "women")
    ages = w.name(lambda path: w.meta.parts(path)[-1] == "age")
    if side is None or not person or ages is None or len(w.cubes) != 1 or w.at(at + 3) not in _BEHIND | {"were", "who"}:
        return None
    value = w.tokens[number].value if w.is_number(number) else None
    if not isinstance(value, (int, float)) or not 0 < value <= _OLDEST:
        return None
    noun = w.said(at, "rows") if someone else [w.tokens[at]]
    return [*noun, *w.said(at, "with", *ages, side)], number
