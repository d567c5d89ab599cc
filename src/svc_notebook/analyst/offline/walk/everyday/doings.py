"""What rows of another table say was done: *who never scored*, *who gave the most*, *more than three times*."""

from __future__ import annotations

from ...schema.acts import acts_of
from ...schema.nouns import plural
from ...words.families import root
from ...words.numbers import number_word
from ...words.rewriting import Found
from ...words.text import singular, stem
from .wording import Wording, named_rows

__all__ = [
    "by_deeds", "did", "did_most", "never_did", "nobody_did", "of_ours", "often", "over_whom", "so_many_times",
    "subject_at", "things_done",
]  # fmt: skip

_WHO = frozenset({"who", "that", "which"})
_HAVE = frozenset({"have", "has", "had", "ever", "were", "was", "been", "got"})
_NEVER = (("did", "not"), ("have", "not"), ("has", "not"))
_NOT = frozenset({"never", "didn't", "haven't", "hasn't"})
_OBJECT = frozenset({"anything", "something", "any", "a", "thing", "once", "at", "all", "single", "yet", "ever"})
_ANYTHING = frozenset({"anything", "any", "once"})
_WHOM = frozenset({"us", "me", "them"})
_WITH_US = frozenset({"with", "in", "this", "last", "during", "since"})
_OFTEN = {"once": 1, "twice": 2, "thrice": 3}
_ENDS = frozenset({"", "?", ".", "!", ",", "in", "this", "last", "during", "since", "for", "so", "and", "on", "at"})
_NOBODY = (("nobody",), ("no", "one"), ("no", "-", "one"))
_WHOSE = frozenset({"that", "which", "where", "has", "have", "had", "did"})
_RODE = frozenset("rode ridden drove driven flew flown bought sold wore worn ate eaten drank sang sung".split())
_TAKING = frozenset(
    "take took taken want wanted use used choose chose chosen pick picked come came join joined attend attended read "
    "watch watched see saw sign signed apply applied".split()
)
"""What people do with what there is to be had, whatever the rows that say so are called."""
_KEPT_OF_ALL = (("event",), ("log",), ("history",), ("change",), ("update",), ("note",))
_PARTICLES = frozenset({"out", "up", "for", "in", "on", "off"})
_KEPT = frozenset("manage own run operate have keep hold track employ carry offer maintain serve".split())


def _named(w: Wording, at: int) -> str | None:
    """The relation that a noun is for the rows of, where one alone is."""
    noun = singular(w.at(at))
    tables = w.cubes
    found = [name for name in tables if noun and noun in w.meta.words_of(name)[-1:]]
    found = found or [name for name in tables if noun and noun in _other_names(w, name)]
    found = found or [name for name in w.rows_at(at) if name in tables]
    return min(found, key=len) if found else None  # one in a role has a longer name


def _other_names(w: Wording, relation: str) -> list[str]:
    return [singular(word) for word in w.meta.relation(relation).synonyms]


def _subject(w: Wording, before: int) -> str | None:
    """The relation whose rows were named last before a place."""
    return next((name for at in range(before - 1, -1, -1) if (name := _named(w, at)) is not None), None)


def _rows_done(w: Wording, at: int, of: str | None) -> str | None:
    """The one relation that says that what a verb means was done by rows of another, or by people."""
    if not w.at(at):
        return None
    found = [r for r in acts_of(w.at(at), w.meta) if r != of]
    found = [r for r in found if w.meta.leads_to(r, of)] if of else [r for r in found if _people_of(w, r)]
    if len(found) != 1:
        return None
    known = {w.meta.phrases[place].relation for place in w.meta.postings.get(w.tokens[at].stem, ())}
    return found[0] if known <= {found[0]} else None  # what was done is no other relation's


def things_done(w: Wording, at: int, of: str | None) -> list[str] | None:
    """What the rows are called, in the plural, that alone say that what a verb means was done."""
    rows = _rows_done(w, at, of) or (_dated_so(w, at, of) if of is not None else None)
    return _plural(w, rows) if rows is not None else None


def _dated_so(w: Wording, at: int, of: str) -> str | None:
    """The one relation whose rows are dated by a verb: *rentals* of ``rented_on``."""
    noun = w.tokens[at].stem
    times = [path for path, member in w.meta.members.items() if member.type == "time"]
    found = {path.split(".", 1)[0] for path in times if stem(w.meta.parts(path)[0]) == noun}
    found = {name for name in found if name in w.cubes and name != of and w.meta.leads_to(name, of)}
    known = {w.meta.phrases[place].relation for place in w.meta.postings.get(noun, ())}
    return next(iter(found)) if len(found) == 1 and known <= found else None


def subject_at(w: Wording, at: int) -> str | None:
    """The relation that the noun at a place is for the rows of, or whose one text it names."""
    found = _named(w, at)
    if found is not None:
        return found
    kinds = {p.relation for p in w.meta.phrases if p.stems == (w.tokens[at].stem,) and p.member is not None}
    return next(iter(kinds)) if len(kinds) == 1 else None


def _is_doer(noun: str, verb: str) -> bool:
    """Whether a noun is for who does what a verb says: a supervisor supervises, a referrer referred."""
    if verb.endswith("ed") and noun == f"{verb[:-1]}r":
        return True
    return noun.endswith(("er", "or")) and noun[:-2].removesuffix("e") in (root(verb), stem(singular(verb)), stem(verb))


def _people_of(w: Wording, relation: str) -> list[str]:
    return [other for other in w.meta.edges.get(relation, ()) if w.meta.is_of_people(other)]


def _plural(w: Wording, relation: str) -> list[str]:
    return [*w.meta.words_of(relation)[:-1], plural(w.meta.words_of(relation)[-1])]


def _begun(w: Wording, at: int) -> tuple[int, bool] | None:
    """Where the verb stands behind *who never*, *that have*, *who*, and whether it is denied."""
    pronoun = w.at(at) in _WHO
    if not at or not pronoun and _named(w, at - 1) is None:
        return None
    place, denied = at + pronoun, False
    while w.at(place) in _HAVE | _NOT or tuple(w.words[place : place + 2]) in _NEVER:
        denied = denied or w.at(place) in _NOT or w.at(place + 1) == "not"
        place += 1 + (tuple(w.words[place : place + 2]) in _NEVER)
    return (place, denied) if pronoun or denied else None


def never_did(w: Wording, at: int) -> Found | None:
    """``players who never scored``: without goals."""
    begun = _begun(w, at) or _done_by(w, at)
    if begun is None or not begun[1]:
        return None
    of = _subject(w, at)
    rows = _rows_done(w, begun[0], of) or (_anything_of(w, begun[0], of) if of is not None else None)
    end = begun[0] + 1 + (w.at(begun[0] + 1) in _WHOM)
    while w.at(end) in _OBJECT:
        end += 1
    end += _named(w, end) == rows and rows is not None
    if w.at(end) == "by" and w.at(end + 1) in _OBJECT and w.at(end + 3) in _ENDS:
        end += 3  # by whom, each of them was
    return (w.said(at, "without", *_plural(w, rows)), end) if rows is not None and w.at(end) in _ENDS else None


def _done_by(w: Wording, at: int) -> tuple[int, bool] | None:
    """``sensors never visited``, ``vendors we've never paid``: where the verb stands behind *never*."""
    place = at
    if w.at(place) in _SPEAKERS:
        place += 1 + (w.at(place + 1) == "have")
    return (place + 1, True) if at and w.at(place) == "never" and _named(w, at - 1) is not None else None


_SPEAKERS = frozenset({"we've", "we", "they", "they've"})


def nobody_did(w: Wording, at: int) -> Found | None:
    """``books nobody borrowed``, ``which books did nobody read``: those without loans."""
    place = at + (w.at(at) in _WHOSE)
    size = next((len(words) for words in _NOBODY if tuple(w.words[place : place + len(words)]) == words), 0)
    of = _subject(w, at) if size else None
    if of is None:
        return None
    verb = place + size
    while w.at(verb) in _HAVE:
        verb += 1
    end = verb + 1 + (w.at(verb + 1) in _PARTICLES)
    plain = w.tokens[verb].kind == "word" if verb < len(w.tokens) else False
    if not plain or w.at(end) not in _ENDS:
        return None
    rows = _rows_done(w, verb, of) or _only_rows_of(w, verb, of) or _rows_of_people(w, verb, of)
    return (w.said(at, "without", *_plural(w, rows)), end) if rows is not None else None


def _only_rows_of(w: Wording, verb: int, of: str) -> str | None:
    """The one relation whose rows point at those of another, where a verb says no more than that they were had."""
    if w.at(verb) not in _TAKING or w.tokens[verb].stem in w.meta.vocabulary:
        return None
    tables = w.cubes
    found = [r for r in tables if r != of and of in w.meta.edges.get(r, ())]
    # What is kept of all that happens to them says nothing of this.
    found = [r for r in found if w.meta.words_of(r)[-1:] not in _KEPT_OF_ALL]
    return found[0] if len(found) == 1 else None


def _rows_of_people(w: Wording, verb: int, of: str) -> str | None:
    """``horses nobody rode``: the one relation whose rows belong to them and to people, who use them so."""
    if w.at(verb) not in _RODE or w.tokens[verb].stem in w.meta.vocabulary or w.meta.values.find(w.tokens, verb):
        return None
    found = [r for r in w.cubes if r != of and of in w.meta.edges.get(r, ()) and _people_of(w, r)]
    return found[0] if len(found) == 1 and not w.meta.is_of_people(of) else None


def _anything_of(w: Wording, verb: int, of: str) -> str | None:
    """``accounts that haven't ordered anything``: whatever was done, the one relation of what was done is meant."""
    said, behind = w.at(verb), verb + 1 + (w.at(verb + 1) in _WHOM)
    if w.at(behind) not in _ANYTHING or not said.isalpha() or w.tokens[verb].stem in w.meta.vocabulary:
        return None
    found = [r for r in w.cubes if r != of and of in w.meta.edges.get(r, ())]
    return found[0] if len(found) == 1 else None


def did(w: Wording, at: int) -> Found | None:
    """``players who scored at least once``, ``how many guests stayed twice``: with goals, and how many of them."""
    begun = _begun(w, at) or _counted(w, at)
    of = _subject(w, at) if begun is not None and not begun[1] else None
    if begun is None or of is None:
        return None
    rows, end = _rows_done(w, begun[0], of), begun[0] + 1
    end += 2 * (w.words[end : end + 2] == ["with", "us"])
    if rows is None:
        return None
    times = often(w, end)
    if times is not None:
        return w.said(at, "with", *times[0], *_plural(w, rows)), times[1]
    return (w.said(at, "with", *_plural(w, rows)), end) if w.at(end) in _ENDS else None


def _counted(w: Wording, at: int) -> tuple[int, bool] | None:
    """``how many guests stayed more than twice``: the verb behind what is counted, where it is told how often."""
    asked = at > 2 and w.words[at - 3 : at - 1] == ["how", "many"] and _named(w, at - 1) is not None
    unknown = asked and w.tokens[at].stem not in w.meta.vocabulary and w.at(at + 1) in _WITH_US
    return (at, False) if asked and (unknown or often(w, at + 1) is not None) else None


def did_most(w: Wording, at: int) -> Found | None:
    """``who borrowed the most books``: which member has the most loans."""
    if at or w.at(0) != "who" or w.at(2) != "the" or w.at(3) not in ("most", "fewest", "least"):
        return None
    thing = _named(w, 4)
    if thing is not None and len(people := _people_of(w, thing)) > 1:
        doers = [r for r in people if any(_is_doer(word, w.at(1)) for word in w.meta.words_of(r))]
        if len(doers) == 1:  # "who taught the most lessons", where pupils took them
            return w.said(0, "which", *w.meta.words_of(doers[0]), "has", "the", w.at(3)), 4
    for rows in acts_of(w.at(1), w.meta) if thing is not None else ():
        others = [r for r in w.meta.edges.get(rows, ()) if r != thing]
        people = [r for r in _people_of(w, rows) if r != thing]
        whose = people if len(people) == 1 else others
        if thing in w.meta.edges.get(rows, ()) and len(whose) == 1:
            said = ["which", *w.meta.words_of(whose[0]), "has", "the", w.at(3), *_plural(w, rows)]
            return w.said(0, *said), 5
    return None


def often(w: Wording, at: int) -> tuple[list[str], int] | None:
    """``more than three times``, ``at least once``: the bound with its number, and the place behind."""
    place = at + w.bound(at)
    bound = w.words[at:place] or ["exactly"]
    number = _OFTEN.get(w.at(place))
    if number is not None:
        return ([*bound, str(number)], place + 1) if w.at(place + 1) in _ENDS else None
    token = w.tokens[place] if place < len(w.tokens) else None
    value = token.value if token is not None and token.kind == "number" else number_word(w.at(place))
    if value is None or value != int(value) or w.at(place + 1) != "times" or w.at(place + 2) not in _ENDS:
        return None
    return [*bound, str(int(value))], place + 2


def so_many_times(w: Wording, at: int) -> Found | None:
    """``tenants who paid late more than three times``: more than three payments."""
    times = often(w, at) if at else None
    if times is None:
        return None
    of = next((name for place in range(at) if (name := _named(w, place)) is not None), None)
    if of is None:
        return None
    near = [r for r in w.meta.catalog.relations if r != of and w.meta.leads_to(r, of)]
    said = {token.stem for token in w.tokens[:at]} - {stem(word) for word in named_rows(w.meta, of)}
    told = [r for r in near if said & _words(w, r)]
    rows = told if told else near
    return (w.said(at, *times[0], *_plural(w, rows[0])), times[1]) if len(rows) == 1 else None


def _words(w: Wording, relation: str) -> set[str]:
    """Stems of what a relation and what it knows are called."""
    paths = (m.path for m in w.meta.relation(relation).members.values() if m.path in w.meta.members)
    own = {stem(part) for path in paths if not w.meta.is_key(path) for part in w.meta.parts(path)}
    return own | {stem(word) for word in w.meta.words_of(relation)}


def over_whom(w: Wording, at: int) -> Found | None:
    """``who supervises the most people``: which supervisor has the most rows under them."""
    if at or w.at(0) != "who" or w.at(2) != "the" or w.at(3) not in ("most", "fewest", "least"):
        return None
    for name in w.meta.catalog.relations:
        for role in w.meta.edges.get(name, ()):
            noun = role.removesuffix(f"_{name}")
            same = set(w.meta.relation(role).members) == set(w.meta.relation(name).members)
            if noun != role and same and _is_doer(noun, w.at(1)):
                return w.said(0, "which", noun, "has", "the", w.at(3), *_plural(w, name)), 5
    return None


def of_ours(w: Wording, at: int) -> Found | None:
    """``how many units do we manage``: those there are."""
    asked = w.at(at) in ("do", "did") and w.at(at + 1) in ("we", "they", "you")
    if not asked or w.at(at + 2) not in _KEPT or w.at(at + 3) not in _ENDS or _named(w, at - 1) is None:
        return None
    return [], at + 3


def by_deeds(w: Wording, at: int) -> Found | None:
    """``top 3 agents by escalations``: by how many of them, where a value says that it was done."""
    noun = at + 1
    if w.at(at) != "by" or noun >= len(w.tokens) or singular(w.at(noun)) == w.at(noun):
        return None
    counted = {"top", "rank", "best", "bottom", "most"} & set(w.words[:at])
    if not counted or w.tokens[noun].stem in w.meta.vocabulary or not w.meta.values.deeds_at(w.tokens, noun):
        return None
    return w.said(at, "by", "number", "of"), at + 1
