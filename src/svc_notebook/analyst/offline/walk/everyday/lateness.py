"""How late rows are: *delayed more than 15 minutes*, *over 3 hours late arriving*, *how late is Delta on average*."""

from __future__ import annotations

from ...schema.directions import fit_of
from ...words.numbers import dimension_of, unit_of
from ...words.rewriting import Found
from ...words.text import Token, is_participle, name_parts, stem
from .amounts import THEY
from .wording import Wording

__all__ = ["COMING", "GOING", "how_late", "late", "leaving_there", "rows_so", "so_late", "were_so"]

GOING = frozenset(map(stem, ("leave", "left", "leaving", "depart")))
COMING = frozenset(map(stem, ("land", "arrive")))
_BEING = frozenset({"is", "was", "are", "were"})
_DOING = frozenset({"do", "does", "did"})
_CAME = frozenset({"came", "come", "arrived", "arrive", "ran", "run"})
_SO = frozenset({"late", "early", "overdue", "absent", "idle"})
_BEFORE = frozenset({"how", "too", "as", "so", "very", "minutes", "hours", "days", "average", "total"})
_LATENESS = frozenset({"delay", "delays", "lateness"})


def _bound(w: Wording, at: int) -> int:
    return w.bound(at) or 2 * (w.words[at : at + 2] == ["longer", "than"])


def late(w: Wording, at: int) -> Found | None:
    """``delayed more than 15 minutes``: by the number that is called a delay."""
    word = w.at(at)
    by = at + 1 + (w.at(at + 1) == "by")
    bound = _bound(w, by)
    if not (is_participle(word) and bound and w.is_number(by + bound)):
        return None
    unit = unit_of(w.at(by + bound + 1)) if w.at(by + bound + 1) else None
    if unit is None or dimension_of(unit) != "time":
        return None
    noun = stem(word)
    fitting = [tuple(w.meta.parts(path)) for path in w.numbers if stem(w.meta.parts(path)[-1]) == noun]
    coming = any(token.stem in COMING for token in w.tokens)
    fitting.sort(key=lambda name: coming and "arrival" not in name)
    return (w.said(at, "with", *fitting[0]), by) if fitting else None


def rows_so(w: Wording, at: int) -> Found | None:
    """``late deliveries`` of a number that is called ``minutes_late``: those that it is above zero of."""
    told = _above_zero(w, at)
    if told is None or not w.rows_at(at + 1) or at and (w.at(at - 1) in _BEFORE or unit_of(w.at(at - 1)) is not None):
        return None
    return ([w.tokens[at + 1], *told], at + 2) if told[1].lower != w.at(at - 1) else None


def were_so(w: Wording, at: int) -> Found | None:
    """``deliveries that were late``, ``how many trains came late in May``: those that it is above zero of."""
    start = at + (w.at(at) in ("that", "which"))
    if not at or w.at(start) not in _BEING | _CAME or not w.rows_at(at - 1):
        return None
    denied = w.at(start + 1) in ("not", "never")
    end = start + 1 + denied
    told = _above_zero(w, end)
    if told is None or w.at(end + 1) in ("by", "for") and (_bound(w, end + 2) or w.is_number(end + 2)):
        return None
    return [*told[:-2], *w.said(at, "at", "most", "0")] if denied else told, end + 1


def _above_zero(w: Wording, at: int) -> list[Token] | None:
    """The number that says by how many minutes or days rows are so, where nothing else of the model says it."""
    word = w.at(at)
    if word not in _SO or w.meta.values.find(w.tokens, at):
        return None
    names = {tuple(w.meta.parts(path)) for path in w.numbers if word in w.meta.parts(path)}
    spans = [name for name in names if len(name) == 2 and dimension_of(unit_of(name[name[0] == word]) or "") == "time"]
    members = (member for member in w.meta.members.values() if word in w.meta.parts(member.path))
    flags = any(member.type == "boolean" or member.agg_type == "count" for member in members)
    return w.said(at, "with", *spans[0], "over", "0") if len(names) == 1 and spans and not flags else None


def how_late(w: Wording, at: int) -> Found | None:
    """``how late were they on average``, ``how late is Delta``: the average of the number that is called a delay."""
    if w.words[at : at + 2] == ["how", "late"] and w.at(at + 2) in _DOING:
        return _how_late_they_do(w, at)
    if w.words[at : at + 2] != ["how", "late"] or w.at(at + 2) not in _BEING:
        return None
    names = {tuple(w.meta.parts(path)) for path in w.delays}
    ends = {name[-1] for name in names}
    named = names.pop() if len(names) == 1 else tuple(ends) if len(ends) == 1 else ()
    if not named or w.at(at + 3) not in THEY:
        return _how_late_rows(w, at, named) if named and at + 3 < len(w.words) else None
    end = at + 4 + 2 * (w.words[at + 4 : at + 6] == ["on", "average"])
    return w.said(at, "average", *named), end


def _how_late_they_do(w: Wording, at: int) -> Found | None:
    """``how late do flights to Oslo arrive on average``: the delay of that end."""
    verb = next((p for p in range(at + 3, len(w.words)) if w.tokens[p].stem in COMING | GOING), None)
    if verb is None:
        return None
    end = "departure" if w.tokens[verb].stem in GOING else "arrival"
    known = [tuple(w.meta.parts(path)) for path in w.delays]
    named = [name for name in known if end in name] or (known if len(known) == 1 else [])
    if len(set(named)) != 1:
        return None
    behind = verb + 1 + 2 * (w.words[verb + 1 : verb + 3] == ["on", "average"])
    rows = w.tokens[at + 3 : verb]
    return [*w.said(at, "average", *named[0]), *w.said(at, "of"), *rows, *w.tokens[behind:]], len(w.tokens)


def _how_late_rows(w: Wording, at: int, named: tuple[str, ...]) -> Found | None:
    """``how late is Delta on average``: nothing that is open late."""
    if "open" in w.words:
        return None
    usual = next((p for p in range(at + 3, len(w.words)) if w.words[p : p + 2] == ["on", "average"]), len(w.words))
    rest = [*w.tokens[at + 3 : usual], *w.tokens[usual + 2 :]]
    return [*w.said(at, "average", *named), *w.said(at, "of"), *rest], len(w.tokens)


def _plain_delay(w: Wording) -> str:
    """What is left or reached late, where the model calls a number of that alone a delay: ``average delay``."""
    ends = {end for path in w.delays for end in w.meta.parts(path)[:1]}
    found = [
        end for member in w.meta.members.values() if member.kind == "measure"
        for end in ends & set(w.meta.parts(member.path))
        if any(set(name_parts(name)) & _LATENESS and not set(name_parts(name)) & ends for name in member.synonyms)
    ]  # fmt: skip
    return found[0] if len(set(found)) == 1 else ""


def so_late(w: Wording, at: int) -> Found | None:
    """``more than 3 hours late arriving``, ``arrived over 20 minutes late``: by the number that is called a delay."""
    start = at
    if w.tokens[at].stem in COMING | GOING and at + 1 < len(w.words):
        at += 1  # "arrived more than …"
    bound = _bound(w, at)
    place = at + bound
    if not bound or not w.is_number(place) or w.at(place + 2) != "late":
        return None
    unit = unit_of(w.at(place + 1))
    known = [tuple(w.meta.parts(path)) for path in w.delays]
    if unit is None or dimension_of(unit) != "time" or not known:
        return None
    end = place + 3
    behind = next((p for p in range(end, end + 3) if p < len(w.words) and w.tokens[p].stem in COMING | GOING), None)
    verb = w.tokens[behind if behind is not None else start].stem
    if behind is not None and all(word in ("in", "on", "when") for word in w.words[end:behind]):
        end = behind + 1
    end_meant = "departure" if verb in GOING else "arrival" if verb in COMING else _plain_delay(w) or "arrival"
    known.sort(key=lambda name: end_meant not in name)
    told = [*w.said(start, "with", *known[0]), *w.tokens[at : place + 2]]
    return told, end


def leaving_there(w: Wording, at: int) -> Found | None:
    """``that left Oban``, ``reaching Tarbert``: from there, to there, where a column of that end has the value."""
    end = {stem: end for end, stems in _WAYS.items() for stem in stems}.get(w.tokens[at].stem)
    if end is None or not at:
        return None
    behind = at + 1 + (w.at(at + 1) == "the")
    there = [m for m in w.meta.values.find(w.tokens, behind) if fit_of(w.meta, m.member, end) >= 0]
    return (w.said(at, end), at + 1) if there else None


_WAYS = {"from": GOING, "to": COMING | {stem("reach")}}
