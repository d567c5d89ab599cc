"""Persons that only a column names, asked for by what they did: *who filed the most complaints*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...schema.money import amounts
from ...schema.nouns import plural
from ...schema.person_columns import PersonColumn, done_by
from ...words.numbers import number_word
from ...words.rewriting import Found
from ...words.text import Token, is_participle, singular
from .wording import Wording

__all__ = ["by_whom", "each_person", "with_who_behind"]

_PEOPLE = frozenset(
    "people person persons anyone anybody everyone everybody someone somebody those users staff folks".split()
)
_LEADS = frozenset({"a", "of", "which", "list", "show", "find", "all", "the", "me", "what", "any", "name"})
_LINKS = frozenset({"who", "that", "which"})
_BEING = frozenset({"is", "are", "was", "were", "been", "being", "be", "got", "get"})
_HELPING = _BEING | {"has", "have", "had", "did", "do", "does", "ever", "actually", "also", "currently", "personally"}
_PARTICLES = frozenset({"up", "in", "out", "for", "on", "to", "off", "down"})
_COUNTED = frozenset({("how", "many"), ("number", "of"), ("count", "of")})
_DIFFERENT = frozenset({"different", "distinct", "unique", "individual"})
_MOST = frozenset({"most", "fewest", "least"})
_OR_MORE = {"more": "least", "fewer": "most", "less": "most"}
_TIMES = frozenset({"times", "time"})
_TIMES_WORD = {"once": "1", "twice": "2", "thrice": "3"}
_ARTICLES = frozenset({"a", "an", "the", "any", "some", "their", "our"})
_NOTHING_MORE = frozenset({"something", "anything", "things", "stuff", "one", "it", "them"})
_MARKS = frozenset({"", "?", ".", "!"})
_PLACED = _MARKS | frozenset("in on at from for by to last this since with".split())
_BIDDING = frozenset({"bid", "bids", "offer", "offers", "offered"})
_PAYING = frozenset("pay pays paid spend spends spent give gives gave donate donates donated".split())
_ABOUT = frozenset({"about", "mentioning", "regarding", "concerning"})
_DENIED = frozenset({"not", "never", "n't", "didn't", "haven't", "hasn't", "don't", "doesn't", "no"})
_FARTHEST = 4  # words between a number and what there are so many of


class _Asked(NamedTuple):
    """Who is asked for: whether how many, and the places of the verb and behind it; whether it was done to them."""

    counted: bool
    verb: int
    end: int
    passive: bool


def with_who_behind(w: Wording, at: int) -> Found | None:
    """``number of people per ward who filed a complaint``: what stands between them and what they did comes behind."""
    if at or tuple(w.words[:2]) not in _COUNTED or w.at(2) not in _PEOPLE or w.at(3) not in ("per", "by", "in", "each"):
        return None
    who = next((place for place in range(4, 4 + _FARTHEST) if w.at(place) == "who"), None)
    if who is None:
        return None
    end = _sentence(w.tokens)
    return [*w.tokens[:3], *w.tokens[who:end], *w.tokens[3:who], *w.tokens[end:]], len(w.tokens)


def by_whom(w: Wording, at: int) -> Found | None:
    """A question for persons by what they did, in the words of the column that names them."""
    asked = _asked(w) if not at and w.meta.person_columns else None
    if asked is None or not _DENIED.isdisjoint(w.words[: asked.end + 1]):
        return None
    column = _column(w, asked)
    if column is None:
        return None
    made = _with_most(w, asked, column) or _with_so_many(w, asked, column) or _all_who(w, asked, column)
    return (made, len(w.tokens)) if made is not None else None


def _asked(w: Wording) -> _Asked | None:
    counted = tuple(w.words[:2]) in _COUNTED
    place = 2 + (w.at(2) in _DIFFERENT) if counted else 0
    while not counted and w.at(place) in _LEADS:
        place += 1
    if w.at(place) == "who" and not counted and not place:
        place += 1
    elif w.at(place) in _PEOPLE and w.tokens[place].stem not in w.meta.vocabulary:
        place += 1 + (w.at(place + 1) in _LINKS)
        if not counted and w.at(place - 1) not in _LINKS and not is_participle(w.at(place)):
            return None
    else:
        return None
    start = place
    while w.at(place) in _HELPING:
        place += 1
    if place >= len(w.tokens) or w.tokens[place].kind != "word":
        return (
            _Asked(counted, place - 1, place, False)
            if place > start and w.at(place - 1) in ("has", "have", "had")
            else None
        )
    being = not _BEING.isdisjoint(w.words[start:place])
    if w.at(place - 1) in ("has", "have", "had", "got") and place > start and not is_participle(w.at(place)):
        return _Asked(counted, place - 1, place, False)
    end = place + 1 + (w.at(place + 1) in _PARTICLES and not w.meta.values.find(w.tokens, place + 1))
    if (
        w.at(end - 1) == "in"
        and w.tokens[end : end + 1]
        and w.at(end) not in (*_ARTICLES, "at", "more")
        and not w.is_number(end)
    ):
        end -= 1  # "taking part in" aside, it says where
    return _Asked(counted, place, end, being and not w.at(place).endswith("ing"))


def _column(w: Wording, asked: _Asked) -> PersonColumn | None:
    """The one column that says who did so, of rows that are named behind the verb or else of any."""
    found = done_by(w.meta, _spoken(w, asked.end), w.at(asked.verb), asked.passive)
    return found[0] if len(found) == 1 else None


def _spoken(w: Wording, start: int) -> list[str]:
    """The relations of what is named first from a place on: rows, or else a column."""
    for at in range(start, len(w.tokens)):
        found = [name for name in w.rows_at(at) if name in w.cubes]
        if found:
            return found
    for at in range(start, len(w.tokens)):
        phrases = [w.meta.phrases[number] for number in w.meta.postings.get(w.tokens[at].stem, ())]
        whole = {p.relation for p in phrases if p.stems == (w.tokens[at].stem,) and p.relation in w.cubes}
        some = whole or {p.relation for p in phrases if p.member and p.stems[:1] == (w.tokens[at].stem,)} & {*w.cubes}
        if some:
            return sorted(some)[:1] if len(some) == 1 else []
    return []


def _with_most(w: Wording, asked: _Asked, column: PersonColumn) -> list[Token] | None:
    """``who filed the most complaints``, ``who complained most often``."""
    place = asked.end + (w.at(asked.end) == "the")
    if asked.counted or w.at(place) not in _MOST:
        return None
    often = w.at(place + 1) == "often"
    behind = place + 1 + often
    rest = w.tokens[behind:]
    noun = w.rows_at(behind)
    bare = often or w.at(behind) in _PLACED | _ABOUT
    amount = _amount(w, column) if bare and not often else None
    if amount is not None and w.at(asked.verb) in _BIDDING and (key := w.meta.key_of(column.relation)) is not None:
        one = w.meta.words_of(column.relation)
        shown = w.said(0, *w.meta.parts(key), "and", *w.meta.parts(column.path), "and", *w.meta.parts(amount))
        first = "highest" if w.at(place) == "most" else "lowest"
        return [*shown, *w.said(0, "of", "the", first, *one[:-1], singular(one[-1])), *rest]
    if amount is not None and w.at(asked.verb) in _PAYING:
        first = "highest" if w.at(place) == "most" else "lowest"
        return [
            *w.said(0, "which", *w.meta.parts(column.path), "has", "the", first, "total", *w.meta.parts(amount)),
            *rest,
        ]
    if bare:
        rest = [*w.said(0, *_rows(w, column)), *rest]
    elif not noun and (not _spoken(w, behind) or _is_person(w, behind, column)):
        return None
    said = w.said(0, "which", *w.meta.parts(column.path), "has", "the", w.at(place))
    return [*said, *rest[: _sentence(rest)], *_known(w, column)]


def _amount(w: Wording, column: PersonColumn) -> str | None:
    """The one amount of money of the rows, where how much it was is asked for and not how often."""
    found = [path for path in amounts(w.meta) if path.split(".", 1)[0] == column.relation and path in w.meta.members]
    return found[0] if len(found) == 1 else None


def _is_person(w: Wording, at: int, column: PersonColumn) -> bool:
    """Whether a noun is for those of another column of the same rows: ``who teaches the most learners``."""
    phrases = [w.meta.phrases[number] for number in w.meta.postings.get(w.tokens[at].stem, ())]
    others = {c.path for c in w.meta.person_columns if c.relation == column.relation and c.path != column.path}
    return any(phrase.member in others for phrase in phrases)


def _with_so_many(w: Wording, asked: _Asked, column: PersonColumn) -> list[Token] | None:
    """``people who sent more than 10 parcels``, ``twice or more``, ``a parcel at least 3 times``."""
    for at in range(asked.end, min(len(w.tokens), asked.end + 2 * _FARTHEST)):
        bound = _bound(w, at)
        if bound is None:
            continue
        said, behind, times = bound
        between = [t for t in w.tokens[asked.end : at] if t.lower not in _ARTICLES]
        if times:
            own = (n for n, t in enumerate(between) if column.relation in w.meta.kind_names.rows.get(t.stem, ()))
            first = next(own, None)
            what, rows = [], w.said(0, *_rows(w, column))
            rest = [*(t for n, t in enumerate(between) if n != first), *w.tokens[behind:]]
        else:
            noun = next((p for p in range(behind, behind + _FARTHEST) if w.rows_at(p)), None)
            if noun is None or between:
                return None
            what, rows, rest = list(w.tokens[behind:noun]), [w.tokens[noun]], list(w.tokens[noun + 1 :])
        whom = w.meta.parts(column.path)
        if asked.counted:
            return [*w.said(0, "how", "many", *whom, "with", *said), *what, *rows, *rest]
        lead = [*w.said(0, "number", "of"), *what, *rows, *w.said(0, "by", *whom, "with", *said)]
        return [*lead, *rows, *rest, *_known(w, column)]
    return None


def _bound(w: Wording, at: int) -> tuple[list[str], int, bool] | None:
    """A bound at a place: its words, the place behind, and whether it is on how often."""
    place = at + w.bound(at)
    said = w.words[at:place]
    number = _TIMES_WORD.get(w.at(place)) or _whole(w, place)
    if number is None:
        return None
    times = w.at(place) in _TIMES_WORD
    place += 1
    if w.at(place) in _TIMES:
        times, place = True, place + 1
    if not said:
        if w.at(place) != "or" or w.at(place + 1) not in _OR_MORE:
            return None
        said, place = ["at", _OR_MORE[w.at(place + 1)]], place + 2
        if w.at(place) in _TIMES:
            times, place = True, place + 1
    return [*said, number], place, times


def _whole(w: Wording, at: int) -> str | None:
    token = w.tokens[at] if at < len(w.tokens) else None
    value = None if token is None else token.value if token.kind == "number" else number_word(token.lower)
    return str(int(value)) if value is not None and value == int(value) and value >= 0 else None


def _all_who(w: Wording, asked: _Asked, column: PersonColumn) -> list[Token] | None:
    """``how many people used a coupon``, ``who filed complaints in May``: the persons of those rows."""
    place = asked.end
    while w.at(place) in _ARTICLES:
        place += 1
    rest = w.tokens[place:]
    named = column.relation in w.rows_at(place)
    if named or w.at(place) in _NOTHING_MORE:
        one = named and singular(w.at(place)) == w.at(place)
        if one and place > asked.end and w.at(place - 1) == "the" and not asked.counted:
            return None  # a single row
        rest = w.tokens[place + 1 :]
        if one and rest and rest[0].kind == "number" and (key := w.meta.key_of(column.relation)) is not None:
            which = w.said(0, *w.meta.parts(column.path), "where", *w.meta.parts(key), "is")
            return [*which, *rest]
    elif w.at(place) in _ABOUT:
        rest = [*w.said(0, "of", *_rows(w, column)), *rest]
    elif rest and rest[0].lower not in _PLACED:
        held = _held(w, place, column)
        if held is not None:
            end = _sentence(rest)
            there = w.said(0, "where", *w.meta.parts(held), "is", "not", "null")
            rest = [*(t for t in rest[1:end] if t.text != ","), *there, *rest[end:]]
        else:
            rest = [*w.said(0, "for"), *rest]
    if w.meta.values.find(w.tokens, asked.verb) and not named:
        return None
    lead = ("number", "of", "different") if asked.counted else ("different",)
    of = w.said(0, "of", *_rows(w, column)) if named and not asked.counted else []
    return [*w.said(0, *lead, *w.meta.parts(column.path)), *of, *rest]


def each_person(w: Wording, at: int) -> Found | None:
    """``top 5 people by complaints filed``, ``parcels per person``: those of the one column that says who did it."""
    if w.at(at) not in _PEOPLE or not at or w.tokens[at].stem in w.meta.vocabulary or not w.meta.person_columns:
        return None
    if w.at(at - 1) in ("per", "by", "each", "every"):
        spoken = [name for place in range(at) for name in w.rows_at(place) if name in w.cubes][:1]
        found = done_by(w.meta, spoken, "make", passive=False) if spoken else []
        whom = [column for column in found if column.relation in spoken]
        return (w.said(at, *w.meta.parts(whom[0].path)), at + 1) if len(whom) == 1 else None
    end = _sentence(w.tokens)
    if w.at(at + 1) != "by" or not is_participle(w.at(end - 1)):
        return None
    whom = done_by(w.meta, _spoken(w, at + 1), w.at(end - 1), passive=w.at(end - 1) == "assigned")
    if len(whom) != 1:
        return None
    return [*w.said(at, *w.meta.parts(whom[0].path)), *w.tokens[at + 1 : end - 1], *w.tokens[end:]], len(w.tokens)


def _held(w: Wording, at: int, column: PersonColumn) -> str | None:
    """The column of the same rows that a noun is for, where some have none: who used a coupon."""
    phrases = [w.meta.phrases[number] for number in w.meta.postings.get(w.tokens[at].stem, ())]
    found = {
        p.member for p in phrases if p.member and p.relation == column.relation and w.meta.profile(p.member).missing
    }
    return found.pop() if len(found) == 1 and not w.meta.values.find(w.tokens, at) else None


def _rows(w: Wording, column: PersonColumn) -> Sequence[str]:
    words = list(w.meta.words_of(column.relation))
    return [*words[:-1], plural(words[-1])]


def _known(w: Wording, column: PersonColumn) -> list[Token]:
    """That somebody did it: nobody is no person."""
    if not w.meta.profile(column.path).missing:
        return []
    return w.said(0, "where", *w.meta.parts(column.path), "is", "not", "null")


def _sentence(tokens: Sequence[Token]) -> int:
    """How many of some tokens stand before the mark that ends them."""
    return len(tokens) - (bool(tokens) and tokens[-1].text in "?.!")
