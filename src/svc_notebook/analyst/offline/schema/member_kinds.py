"""What kind of thing a member is, as the rules see it."""

from __future__ import annotations

from collections.abc import Sequence

from ..lexicon import customers, persons
from ..words.families import root
from ..words.text import stem
from .derivations import is_derived
from .lasting import ends_in, span_of
from .metadata import Metadata
from .money import amounts, is_amount

__all__ = ["AMOUNTS", "adjective_members", "doers", "is_column", "is_of_days", "kind_of", "labels_of", "people"]

AMOUNTS = frozenset(("measure", "time", "year", "number"))  # kinds that one thing can have more of than another
_DAY = 10  # letters of ``2024-01-31``
_FIRST = (("first", "last"), ("fname", "lname"), ("forename", "surname"))


def kind_of(metadata: Metadata, path: str) -> str:
    """``measure``, ``time``, ``key``, ``flag``, ``year``, ``number`` or ``text``."""
    if path not in metadata.kinds:
        metadata.kinds[path] = _kind(metadata, path)
    return metadata.kinds[path]


def is_of_days(metadata: Metadata, path: str) -> bool:
    """Whether a time says days and no hours: each of its values is at midnight."""
    profile = metadata.profile(path)
    ends = [str(end) for end in (profile.low, profile.high) if end is not None]
    # Midnight at both ends: the data hold days.
    return len(ends) == 2 and all(len(end) <= _DAY or end[_DAY + 1 :].startswith("00:00:00") for end in ends)


def _kind(metadata: Metadata, path: str) -> str:
    if is_derived(path):
        return "number"
    member = metadata.members[path]
    if member.kind != "dimension":
        return "flag" if member.kind == "segment" else "measure"
    if member.type == "time":
        return "time"
    if member.type == "boolean":
        return "flag"
    if metadata.is_key(path):
        return "key"
    if metadata.is_year(path):
        return "year"
    return "number" if member.type == "number" or metadata.is_numeric_text(path) else "text"


def labels_of(metadata: Metadata, relation: str) -> tuple[str, ...]:
    """The members that name a row: its label, first and last name, or its key."""
    if relation not in metadata.labels:
        metadata.labels[relation] = _labels(metadata, relation)
    return metadata.labels[relation]


def _labels(metadata: Metadata, relation: str) -> tuple[str, ...]:
    label = metadata.label_of(relation)
    dimensions = [
        m.path for m in metadata.relation(relation).members.values() if m.kind == "dimension" and not m.masked
    ]
    texts = [p for p in dimensions if metadata.members[p].type == "string"]
    for first, last in _FIRST:
        pair = [next((p for p in texts if part in p.split(".", 1)[1].lower()), None) for part in (first, last)]
        # Two texts that are called so are a person's name, whatever else names the row.
        if pair[0] and pair[1]:
            return pair[0], pair[1]
    if label is not None:
        return (label,)
    return tuple(texts[:1] or dimensions[:1])


def adjective_members(
    metadata: Metadata, relations: list[str], hints: frozenset[str], turned: frozenset[str]
) -> list[tuple[str, bool]]:
    """Members whose names hold what an adjective measures, and whether its direction is the other way for them.

    Words like ``date`` speak of any time: the one that says when a row happened comes first.
    """
    wanted, other = {stem(w) for w in hints}, {stem(w) for w in turned}
    lengthy = bool({"duration"} & (hints | turned))  # how long something takes, never when
    priced, paced = "price" in hints | turned, "speed" in hints | turned
    found: list[tuple[int, int, str, bool]] = []
    # By relation in the order they are asked of, then times that only "when" names, last.
    for place, relation in enumerate(relations):
        times = metadata.times([relation])
        for member in metadata.relation(relation).members.values():
            if member.path not in metadata.members or kind_of(metadata, member.path) not in ("number", "year", "time"):
                continue
            if lengthy and kind_of(metadata, member.path) == "time":
                continue
            parts = {stem(part) for part in metadata.parts(member.path)}
            of_calendar = parts & _OF_CALENDARS and "of" in metadata.parts(member.path) or member.meta.get("ordinal")
            if of_calendar and kind_of(metadata, member.path) == "number":
                continue  # the hour of a day is no time that anything takes
            if paced and parts & _PAID:
                continue  # what an hour costs is no time that anything takes
            dated = member.path in times
            # Any word of time fits any time; one that says which (birth year) must be in the name.
            if dated and (wanted | other) & _WHEN and not parts & (wanted | other) - _WHEN:
                found.append((place, 1 + times.index(member.path), member.path, not wanted & _WHEN))
            elif parts & wanted:
                found.append((place, 0, member.path, False))
            elif parts & other:
                found.append((place, 0, member.path, True))
        if priced and not any(at == place for at, *_ in found):  # what is dear has a price, whatever it is called
            found.extend((place, 0, path, "price" in turned) for path in _prices(metadata, relation))
        # How long somebody has been there says nothing of how fast they are.
        employed = paced and metadata.is_of_people(relation)
        ends = ends_in(metadata, relation) if lengthy and not employed else None
        if ends is not None:
            found.append((place, 1, span_of(metadata, *ends), "duration" in turned))
    return [(path, reverse) for *_, path, reverse in sorted(found, key=lambda item: item[:2])]


def _prices(metadata: Metadata, relation: str) -> list[str]:
    """The one amount of money that each row of a relation has."""
    own = [path for path in amounts(metadata) if path in metadata.members and path.startswith(f"{relation}.")]
    known = [path for path in own if metadata.members[path].kind == "dimension"]
    known = [path for path in known if is_amount(metadata, path) or metadata.members[path].currency]
    whole = [path for path in known if not metadata.profile(path).missing]
    return (whole or known) if len(whole or known) == 1 else []


_OF_CALENDARS = frozenset(map(stem, ("day", "week", "month", "year")))
_PAID = frozenset(map(stem, ("rate", "price", "cost", "pay", "wage", "fee", "salary")))
_WHEN = frozenset(map(stem, ("date", "time", "year", "day", "month")))  # any time is called so


def people(metadata: Metadata, relations: Sequence[str]) -> list[tuple[str, ...]]:
    """What names people in the rows of relations: texts that are called like a person, else the labels of people."""
    known, found = persons(), []
    for relation in relations:
        if {stem(word) for word in metadata.words_of(relation)} & known:
            found.append(labels_of(metadata, relation))
        for member in metadata.relation(relation).members.values():
            path = member.path
            if path in metadata.members and kind_of(metadata, path) == "text" and not member.masked:
                named = {stem(part) for part in metadata.parts(path)} & known
                found.extend([(path,)] if named and (path,) not in found else [])
    return found


def doers(metadata: Metadata, relations: list[str], verb: str = "") -> str | None:
    """The nearest relation of people that ``who`` may ask for, where none is spoken of; ``verb``: what they do."""
    if people(metadata, relations) or any(column.relation in relations for column in metadata.person_columns):
        return None  # who it was is told of the rows themselves
    known = persons()
    called = [name for name in metadata.catalog.relations if {stem(w) for w in metadata.words_of(name)} & known]
    # Without a table called like people, one whose rows have two names is of some.
    called = called or [name for name in metadata.catalog.relations if len(labels_of(metadata, name)) > 1]
    ways = [(len(scope), name) for name in called if (scope := metadata.scope([*relations, name])) is not None]
    return min(_doing(ways, verb, metadata))[1] if ways else None


_AS_CUSTOMERS = frozenset(
    map(
        root, "book order buy bought purchase rent borrow visit cancel complain return spend spent pay paid owe".split()
    )
)


def _doing(ways: list[tuple[int, str]], verb: str, metadata: Metadata) -> list[tuple[int, str]]:
    """Of people who are as near, those who do it rather than those whom it is done for: drivers, and no customers,
    unless it is what customers do.
    """
    nouns, paying = customers()
    payers = {stem(noun) for noun in nouns} | paying
    near = [way for way in ways if way[0] == min(ways)[0]]
    pay = [way for way in near if not payers.isdisjoint(stem(word) for word in metadata.words_of(way[1]))]
    work = [way for way in near if way not in pay]
    return (pay if root(verb) in _AS_CUSTOMERS else work) or near


def is_column(noun: str, metadata: Metadata) -> bool:
    """Whether a noun is for values that rows have, and for none of the rows that happen."""
    said = tuple(map(stem, noun.lower().split()))
    kinds = metadata.kind_names.called.get(said, ())
    rows = metadata.kind_names.rows.get(said[-1], ()) if len(said) == 1 else ()
    return any(kind.path is not None for kind in kinds) and not any(metadata.times([name]) for name in rows)
