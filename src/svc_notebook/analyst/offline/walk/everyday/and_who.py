"""What is asked for besides: *heaviest parcel and who sent it*, *who works in Leeds and on which team*."""

from __future__ import annotations

from dataclasses import replace

from ...lexicon import load_lexicon
from ...schema.member_kinds import adjective_members, kind_of
from ...schema.person_columns import done_by
from ...words.rewriting import Found
from ...words.text import Token, singular
from .wording import Wording

__all__ = ["and_in_which", "and_who", "everybody_at", "who_the_extreme"]

_BEING = frozenset({"is", "was", "were", "are"})
_POINTING = frozenset({"it", "this", "that", "them", "those", "one"})
_ASKING = frozenset("what whats what's which who is was were are the show me give tell list find".split())
_PREPOSITIONS = frozenset({"in", "on", "at", "for", "from", "with", "of", "to"})
_WHICH = frozenset({"which", "what"})
_PEOPLE = frozenset({"everybody", "everyone", "people", "anyone", "anybody", "who"})
_LIVING = frozenset("work works working worked live lives living lived sit sits based".split())
_EXTREMES = frozenset("biggest largest highest smallest lowest dearest priciest cheapest".split())
_MARKS = frozenset({"?", ".", "!", ""})


def and_who(w: Wording, at: int) -> Found | None:
    """``heaviest parcel and who sent it``: the row, who did it, and the number that it is first by."""
    place = next((p for p in range(1, len(w.words)) if w.words[p : p + 2] == ["and", "who"]), None)
    if at or place is None:
        return None
    verb = place + 2 + (w.at(place + 2) in _BEING)
    end = verb + 1
    while w.at(end) in ("by", "to") or w.at(end) in _POINTING:
        end += 1
    start = 0
    while w.at(start) in _ASKING:
        start += 1
    rows = next((name for p in range(start, place) for name in w.rows_at(p) if name in w.cubes), None)
    if w.at(end) not in _MARKS or rows is None or start >= place:
        return None
    found = done_by(w.meta, [rows], w.at(verb), w.at(verb - 1) in _BEING)
    found = [column for column in found if column.relation == rows]
    if len(found) != 1:
        return None
    shown = [
        w.meta.parts(path) for path in (w.meta.key_of(rows), found[0].path, _measured(w, start, place, rows)) if path
    ]
    *first, last = shown
    said = [word for parts in first for word in (*parts, ",")][:-1]
    lead = [_comma(token) for token in w.said(0, *said, "and", *last, "of", "the")]
    return [*lead, *w.tokens[start:place], *w.tokens[end:]], len(w.tokens)


def who_the_extreme(w: Wording, at: int) -> Found | None:
    """``who made the biggest offer``: the largest of all, and not who made the most of them."""
    the, largest, noun = 2, 3, 4
    if at or w.at(0) != "who" or w.at(the) != "the" or w.at(largest) not in _EXTREMES or not w.rows_at(noun):
        return None
    row = w.at(noun)
    if singular(row) != row or _measured(w, largest, noun + 1, min(w.rows_at(noun), key=len)) is None:
        return None
    said = [*w.tokens[the : w.end], *w.said(0, "and"), *w.tokens[:the], *w.said(1, "it")]
    return and_who(replace(w, tokens=said), 0)


def _comma(token: Token) -> Token:
    return Token(",", ",", ",", "punctuation", token.start, token.end) if token.text == "," else token


def _measured(w: Wording, start: int, end: int, rows: str) -> str | None:
    """The one number of the rows that a superlative is of: by what it measures, or the only one there is."""
    words = tuple(w.words[start:end])
    for place in range(len(words)):
        for _, entry in load_lexicon().at(words[place:]):
            if entry.operator == "superlative":
                found = adjective_members(w.meta, [rows], entry.hints, entry.turned) if entry.hints else []
                numbers = [p for p in w.numbers if p.split(".", 1)[0] == rows and kind_of(w.meta, p) == "number"]
                return found[0][0] if found else numbers[0] if len(numbers) == 1 else None
    return None


def and_in_which(w: Wording, at: int) -> Found | None:
    """``who works in Leeds and on which team``: their names and teams."""
    if at or w.at(0) not in _PEOPLE:
        return None
    place = next((p for p in range(2, len(w.words)) if w.at(p) == "and"), 0)
    which = place + 1 + (w.at(place + 1) in _PREPOSITIONS)
    if not place or w.at(which) not in _WHICH:
        return None
    end = len(w.tokens) - (w.at(len(w.tokens) - 1) in _MARKS)
    stems = tuple(token.stem for token in w.tokens[which + 1 : end])
    kinds = [kind for kind in w.meta.kind_names.called.get(stems, ()) if kind.path is not None]
    labels = {label: kind.path for kind in kinds if (label := _label(w, kind.relation)) is not None}
    if len(labels) != 1:
        return None
    [(label, path)] = labels.items()
    start = 1 + (w.at(1) in _LIVING | _BEING)
    start += w.at(start) in _LIVING
    if w.at(start) not in _PREPOSITIONS:
        return None
    shown = w.said(0, *w.meta.parts(label), "and", *w.meta.parts(path or ""))
    return [*shown, *w.tokens[start:place], *w.tokens[end:]], len(w.tokens)


def everybody_at(w: Wording, at: int) -> Found | None:
    """``everybody on the night shift``: the names of those people, where one table is of any."""
    people = w.at(0) in _PEOPLE - {"who"} and w.tokens[0].stem not in w.meta.vocabulary
    place = 1 + (w.at(1) in ("who", "that")) + (w.at(1) in ("who", "that") and w.at(2) in _BEING | _LIVING)
    if at or not people or w.at(place) not in _PREPOSITIONS:
        return None
    labels = [label for name in w.cubes if (label := _label(w, name)) is not None]
    if len(labels) != 1:
        return None
    return [*w.said(0, *w.meta.parts(labels[0])), *w.tokens[place:]], len(w.tokens)


def _label(w: Wording, relation: str) -> str | None:
    """What the people of a relation are called."""
    return w.meta.label_of(relation) if w.meta.is_of_people(relation) else None
