"""What was done to some rows alone, and who does most of what: *cancellation rate*, *which town drinks the least*."""

from __future__ import annotations

from ..... import patterns as re
from ...calendar.units import UNITS
from ...words.families import is_same_deed
from ...words.rewriting import Found
from ...words.shortened import is_short_for
from ...words.text import is_participle, stem
from .wording import Wording

__all__ = [
    "done_at_all", "in_their_thirties", "rate_of_dated", "unit_most_so", "verb_most", "without_what", "word_cut_short",
]  # fmt: skip

_ENDS = frozenset({"", "?", ".", "!", "by", "per"})
_TIMES = frozenset({"day", "week", "month", "year", "time", "rate", "date", "days", "weeks", "months", "years"})
_ASKING = frozenset({"which", "what"})
_MOST = {"most": "highest", "least": "lowest", "fewest": "lowest"}
_DECADE = re.compile(r"[1-9]0s")
_COSTLY = {
    "expensive": "highest", "costly": "highest", "costliest": "highest", "priciest": "highest", "cheapest": "lowest",
}  # fmt: skip
_MONEY = frozenset({"cost", "price", "fee", "amount", "spend", "expense", "charge", "bill"})
_FEW = 3  # words of a kind
_LONG = 4  # letters, at the most, that many words begin with
_CUT = 4  # letters, at the least, of a word that is cut


def _deeds(w: Wording, said: str) -> list[str]:
    """The dates that only some rows have, of what a word says was done."""
    times = [path for name in w.cubes for path in w.meta.times([name])]
    some = [path for path in times if w.meta.profile(path).missing and len(w.meta.parts(path)) > 1]
    return [path for path in some if _is_called(w.meta.parts(path)[0], said)]


def _is_called(verb: str, said: str) -> bool:
    """Whether a word says that it was done: ``cancellation`` and ``cancelled`` of *cancel*."""
    return is_same_deed(verb, said) or len(verb) > _LONG and said.startswith(verb)


def rate_of_dated(w: Wording, at: int) -> Found | None:
    """``cancellation rate by plan``: the share of rows that have a date of it, where some have none."""
    if (
        w.at(at + 1) not in ("rate", "rates")
        or not w.at(at).isalpha()
        or len(w.cubes) != 1
        or w.number_end(at) > at + 1
    ):
        return None
    dated = _deeds(w, w.at(at))
    if len(dated) != 1:
        return None
    return w.said(at, "share", "of", "rows", "with", "a", *w.meta.parts(dated[0])), at + 2


def done_at_all(w: Wording, at: int) -> Found | None:
    """``how many people cancelled``: the rows that have a date of it."""
    done = 3 + (w.at(3) in ("have", "has", "were", "was"))
    if at or w.words[:2] != ["how", "many"] or not is_participle(w.at(done)) or w.at(done + 1) not in _ENDS:
        return None
    noun = "rows" if w.at(2) in ("people", "persons") else w.at(2) if w.rows_at(2) else ""
    dated = _deeds(w, w.at(done)) if len(w.cubes) == 1 and noun else []
    if len(dated) != 1 or w.meta.values.find(w.tokens, done):
        return None
    return w.said(0, "how", "many", noun, "have", "a", *w.meta.parts(dated[0])), done + 1


def verb_most(w: Wording, at: int) -> Found | None:
    """``which town drinks the least``: the lowest number that is called by what is done, of all or on average."""
    way = _MOST.get(w.at(at + 2)) if w.at(at + 1) == "the" else None
    if (
        way is None
        or w.at(0) not in _ASKING
        or not 2 <= at <= _FEW + 1
        or w.at(at + 3) not in _ENDS | {"in", "on", "at"}
    ):
        return None
    named = [
        path for path in w.numbers
        if any(is_same_deed(part, w.at(at)) for part in w.meta.parts(path) if part not in _TIMES)
    ]  # fmt: skip
    if len(named) != 1 or len(w.cubes) != 1 or len(w.at(at)) < _CUT or w.meta.values.find(w.tokens, at):
        return None
    how = "total" if w.meta.adds_up(named[0]) else "average"
    return w.said(at, "has", "the", way, how, *w.meta.parts(named[0])), at + 3


def unit_most_so(w: Wording, at: int) -> Found | None:
    """``which month was the most expensive``: with the highest total of the one amount that is a cost."""
    if at or w.at(0) not in _ASKING or w.at(1) not in UNITS or w.at(2) not in ("is", "was"):
        return None
    said = 3 + (w.at(3) == "the")
    said += w.at(said) == "most"
    costs = [path for path in w.numbers if _MONEY & set(w.meta.parts(path)) and w.meta.adds_up(path)]
    if w.at(said) not in _COSTLY or len(costs) != 1:
        return None
    way = _COSTLY[w.at(said)]
    return w.said(0, "which", w.at(1), "has", "the", way, "total", *w.meta.parts(costs[0])), said + 1


def in_their_thirties(w: Wording, at: int) -> Found | None:
    """``members in their 30s``: of an age between 30 and 39."""
    if w.at(at) != "in" or w.at(at + 1) not in ("their", "his", "her") or not _DECADE.fullmatch(w.at(at + 2)):
        return None
    ages = w.name(lambda path: w.meta.parts(path)[-1] == "age")
    low = int(w.at(at + 2)[:-1])
    return (w.said(at, "with", *ages, "between", str(low), "and", str(low + 9)), at + 3) if ages is not None else None


def without_what(w: Wording, at: int) -> Found | None:
    """``missing readings``: rows without the one number that some of them lack."""
    if w.at(at) != "missing" or not w.rows_at(at + 1) or len(w.cubes) != 1:
        return None
    lacking = [path for path in w.numbers if w.meta.profile(path).missing]
    if len(lacking) != 1:
        return None
    return [*w.said(at, "number", "of"), w.tokens[at + 1], *w.said(at, "without", *w.meta.parts(lacking[0]))], at + 2


def word_cut_short(w: Wording, at: int) -> Found | None:
    """``test prep course`` of a ``test_preparation_course``: beside the word that stands beside it in the name."""
    word = w.at(at)
    if len(word) < _CUT or not word.isalpha() or w.tokens[at].stem in w.meta.vocabulary:
        return None
    found = set()
    for name in w.names:
        for place, part in enumerate(name):
            before = place and w.at(at - 1) and stem(name[place - 1]) == stem(w.at(at - 1))
            behind = place + 1 < len(name) and stem(name[place + 1]) == stem(w.at(at + 1) or "-")
            if (before or behind) and part.startswith(word) and is_short_for(word, part):
                found.add(part)
    return (w.said(at, found.pop()), at + 1) if len(found) == 1 else None
