"""Bounds of all rows of a group: *films that sold over 300 tickets in all*, *makes averaging 5 hours*, *9 times*."""

from __future__ import annotations

from ...lexicon.bounds import MORE, bound_at
from ...schema.deeds import PARTICIPLES
from ...schema.profiles import as_number
from ...words.families import root
from ...words.rewriting import Found
from ...words.text import is_participle, stem
from .wording import Wording

__all__ = ["averaging_beyond", "costing_beyond", "done_so_many_times", "together_beyond"]

_LINKING = frozenset({"that", "which", "who", "with", "have", "has", "were", "was", "are"})
_TOGETHER = (("in", "all"), ("in", "total"), ("all", "together"), ("altogether",), ("overall",))
_SO_FAR = (*_TOGETHER, ("so", "far"), ("up", "to", "now"))
_AVERAGING = frozenset({"average", "averaged", "averages", "averaging"})
_FOR = frozenset({"on", "in", "for", "of"})
_EACH = frozenset({"a", "an", "per", "each", "every"})
_ENDS = frozenset({"", "?", ".", "!"})


def together_beyond(w: Wording, at: int) -> Found | None:
    """``films that sold over 300 tickets in all``: with total tickets above that; without the last words too, where no
    single row has as many.
    """
    verb = at + (w.at(at) in _LINKING)
    bound = _bound(w, verb + 1)
    if w.kind_start(at) is None or not _is_past(w, verb) or not bound:
        return None
    number = verb + 1 + bound
    noun = number + 1 + (w.at(number + 1) in _FOR)
    path = _number(w, noun)
    if path is None:
        return None
    behind = next((noun + 1 + len(t) for t in _TOGETHER if tuple(w.words[noun + 1 : noun + 1 + len(t)]) == t), 0)
    end = behind or (noun + 1 if _is_beyond(w, path, verb + 1, number) else 0)
    if not end or w.at(end) not in _ENDS:
        return None
    return [*w.said(at, "with", "total"), *w.said(at, *w.meta.parts(path)), *w.tokens[verb + 1 : number + 1]], end


def costing_beyond(w: Wording, at: int) -> Found | None:
    """``horses that cost more than 800 so far``: with a total cost above that, where no single bill of theirs is."""
    verb = at + (w.at(at) in _LINKING)
    bound, start = _bound(w, verb + 1), w.kind_start(at)
    path = _number(w, verb) if bound and start is not None else None
    if path is None or start is None:
        return None
    number = verb + 1 + bound
    behind = next((number + 1 + len(t) for t in _SO_FAR if tuple(w.words[number + 1 : number + 1 + len(t)]) == t), 0)
    end = behind or number + 1
    relation = path.split(".", 1)[0]
    of = [name for name in w.rows_at(at - 1) if name != relation and w.meta.leads_to(relation, name)]
    if not of or w.at(end) not in _ENDS or not _is_beyond(w, path, verb + 1, number):
        return None
    return [*w.said(at, "with", "total", *w.meta.parts(path)), *w.tokens[verb + 1 : number + 1]], end


def averaging_beyond(w: Wording, at: int) -> Found | None:
    """``makes averaging more than 5 hours a job``: with average hours above that."""
    verb = at + (w.at(at) in _LINKING)
    bound = _bound(w, verb + 1)
    if w.kind_start(at) is None or w.at(verb) not in _AVERAGING or not bound:
        return None
    number = verb + 1 + bound
    path = _number(w, number + 1)
    if path is None:
        return None
    end = number + 2
    if w.at(end) in _EACH and path.split(".", 1)[0] in w.rows_at(end + 1):
        end += 2
    if w.at(end) not in _ENDS:
        return None
    return [*w.said(at, "with", "average", *w.meta.parts(path)), *w.tokens[verb + 1 : number + 1]], end


def done_so_many_times(w: Wording, at: int) -> Found | None:
    """``guests who booked more than 9 times``: with more than 9 bookings, where rows are called by what was done."""
    verb = at + (w.at(at) in _LINKING)
    bound = _bound(w, verb + 1)
    number = verb + 1 + bound
    if w.kind_start(at) is None or not _is_past(w, verb) or not bound or w.at(number + 1) != "times":
        return None
    deed = root(w.at(verb))
    nouns = {word for name in w.cubes for word in w.meta.words_of(name)[-1:] if root(word) == deed}
    if len(nouns) != 1 or w.at(number + 2) not in _ENDS:
        return None
    return [*w.said(at, "with"), *w.tokens[verb + 1 : number + 1], *w.said(at, *nouns)], number + 2


def _is_beyond(w: Wording, path: str, bound: int, number: int) -> bool:
    """Whether no single row has as many."""
    high, value = as_number(w.meta.profile(path).high), w.tokens[number].value
    return bound_at(w.words, bound)[1] in MORE and high is not None and value is not None and high < value


def _is_past(w: Wording, at: int) -> bool:
    return is_participle(w.at(at)) or w.at(at) in PARTICIPLES


def _bound(w: Wording, at: int) -> int:
    """How many words of a bound stand before a number, or 0."""
    size = w.bound(at)
    number = at + size
    return size if size and number < len(w.tokens) and w.tokens[number].kind == "number" else 0


def _number(w: Wording, at: int) -> str | None:
    """The one number of rows that a noun names whole."""
    if at >= len(w.tokens):
        return None
    said = w.tokens[at].stem
    cubes = set(w.cubes)
    found = {p for p in w.meta.number_names.called.get((said,), ()) if p.split(".", 1)[0] in cubes}
    plain = [p for p in found if w.meta.members[p].kind == "dimension" and stem(w.meta.parts(p)[-1]) == said]
    return plain[0] if len(plain) == 1 else None if plain else w.kept_in(w.at(at))
