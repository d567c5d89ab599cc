"""Questions as they are typed: *which team scored the most goals*, *price range of houses*, *kids under 18*."""

from __future__ import annotations

from ...lexicon import persons
from ...words.families import is_same_deed
from ...words.rewriting import Found
from ...words.text import singular, stem
from .wording import Wording

__all__ = ["aged_so", "among_those", "range_of", "rate_of_state", "verb_the_most"]

_BEHIND = frozenset(
    {"", "?", ".", "!", "in", "by", "per", "at", "from", "during", "over", "with", "for", "on", "of", "among", "since"}
)
_ASKING = frozenset({"which", "what"})
_MOST = frozenset({"most", "fewest", "least", "highest", "lowest", "largest", "smallest"})
_VERBS = frozenset(
    "scored scores gave gives uses used consumes consumed produces produced makes made gets got takes took receives "
    "received records recorded sees saw collects collected generates generated reports reported burns burned".split()
)
"""What is done with what there is then: nothing is lost, missed or saved by it."""
_YOUNG = frozenset({"kids", "children", "minors", "adults", "people", "persons", "teenagers", "teens", "seniors"})
_OLDEST = 120
_FEW = 3  # words before a verb
_DIVIDED = frozenset({"by", "per", "each", "every", "bins", "distribution"})


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
