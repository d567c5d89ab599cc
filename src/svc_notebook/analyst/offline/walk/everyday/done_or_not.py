"""What was done to some rows alone, and who does most of what: *cancellation rate*, *which town drinks the least*."""

from __future__ import annotations

from ...words.families import is_same_deed
from ...words.rewriting import Found
from ...words.text import is_participle
from .wording import Wording

__all__ = ["done_at_all", "rate_of_dated", "rate_of_deed", "verb_most", "without_what"]

_ENDS = frozenset({"", "?", ".", "!", "by", "per"})
_TIMES = frozenset({"day", "week", "month", "year", "time", "rate", "date", "days", "weeks", "months", "years"})
_ASKING = frozenset({"which", "what"})
_MOST = {"most": "highest", "least": "lowest", "fewest": "lowest"}
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


def rate_of_deed(w: Wording, at: int) -> Found | None:
    """``readmission rate``: of what a flag calls *readmitted*, where nothing is called so."""
    if w.at(at + 1) not in ("rate", "rates") or w.tokens[at].stem in w.meta.vocabulary or not w.at(at).isalpha():
        return None
    flags = [path for path, m in w.meta.members.items() if m.kind == "dimension" and m.type == "boolean"]
    named = [path for path in flags if is_same_deed(w.meta.parts(path)[-1], w.at(at))]
    return (w.said(at, *w.meta.parts(named[0]), "rate"), at + 2) if len(named) == 1 else None


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


def without_what(w: Wording, at: int) -> Found | None:
    """``missing readings``: rows without the one number that some of them lack."""
    if w.at(at) != "missing" or not w.rows_at(at + 1) or len(w.cubes) != 1:
        return None
    lacking = [path for path in w.numbers if w.meta.profile(path).missing]
    if len(lacking) != 1:
        return None
    return [*w.said(at, "number", "of"), w.tokens[at + 1], *w.said(at, "without", *w.meta.parts(lacking[0]))], at + 2
