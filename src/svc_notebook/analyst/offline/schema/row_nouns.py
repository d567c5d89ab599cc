"""Nouns for rows that no table is called by: *faults* of a ``fault_type``, *repairs* of ``repaired_at``, *films*."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from ..words.families import root
from ..words.numbers import exact_unit
from ..words.shortened import is_short_for
from ..words.text import is_participle, name_parts, singular, stem
from ..words.thesaurus import related
from .deeds import PARTICIPLES
from .sayable import Phrase

if TYPE_CHECKING:
    from .relations import Relations

__all__ = ["DEEDS", "row_nouns"]

_WEIGHT = 0.88
_KINDS = frozenset("type kind category class cause status code severity reason".split())
_EVENTS = frozenset(
    "accident activity alarm alert attack breakdown breach call case claim complaint crash crime defect defaults delay "
    "disaster error event failure fault fire incident injury inspection intervention issue malfunction offence offense "
    "outage problem query repair request sighting stop theft treatment violation visit".split()
)
"""What happens, so that the rows that have its type are it; a ``room_type`` may be of bookings."""
_DEEDS = {
    "repaired": "repair", "delivered": "delivery", "departed": "departure", "arrived": "arrival", "shipped": "shipment",
    "adopted": "adoption", "inspected": "inspection", "treated": "treatment", "rented": "rental", "borrowed": "loan",
    "loaned": "loan", "purchased": "purchase", "sold": "sale", "paid": "payment", "installed": "installation",
    "donated": "donation", "booked": "booking", "reserved": "reservation", "submitted": "submission",
    "admitted": "admission", "subscribed": "subscription", "registered": "registration", "visited": "visit",
    "ordered": "order", "invoiced": "invoice", "called": "call", "transferred": "transfer",
}  # fmt: skip
DEEDS = frozenset(_DEEDS.values())
"""Nouns for single rows by what was done to them: they name rows in the plural."""
_DATED = frozenset(("date", "time", "day", "timestamp", "datetime"))
_ASPECTS = frozenset(
    "start end begin finish due birth hire death update create close open expiry first last report event entry record "
    "local utc posting value effective join sign expiration validity maturity review".split()
)
"""What is dated of a row, and not the row itself."""
_TITLED = frozenset("film movie book novel song album paper article painting artwork play show opera game".split())
_GENERAL = frozenset(
    "title item submission entry work piece release catalog catalogue holding stock collection medium media record "
    "listing content entrant exhibit".split()
)
"""Names of tables that do not say what is titled."""
_TOLD_BY = {
    "species": ("animal",), "breed": ("pet", "animal"), "isbn": ("book",), "vin": ("vehicle", "car"),
    "mileage": ("vehicle",), "odometer": ("vehicle",), "sku": ("product", "item"),
    "bedrooms": ("property", "home", "house"), "sqm": ("property", "home", "house"),
    "sqft": ("property", "home", "house"), "tare": ("load", "truck"),
}  # fmt: skip
"""What rows are that have such a column, whatever their table is called."""
_LONG, _CLIPS = 8, range(3, 6)  # letters of a noun that is clipped, and of what is left of it


def row_nouns(metadata: Relations, named: Sequence[Phrase], tables: Collection[str]) -> list[Phrase]:
    """Phrases for the rows of a table, each where one table alone may be meant and nothing is called so."""
    taken = {phrase.stems for phrase in named if phrase.member is None}
    alone = {phrase.stems[0] for phrase in named if len(phrase.stems) == 1}
    nouns: dict[str, set[str]] = defaultdict(set)
    for relation in tables:
        for noun in _nouns(metadata, relation):
            if not (noun in _TITLED and _is_some_of_them(noun, relation, metadata)):
                nouns[noun].add(relation)
    found = []
    for noun, relations in nouns.items():
        said = (stem(noun),)
        kin = root(noun) in {root(word) for phrase in named if phrase.member is None for word in phrase.words}
        # A noun that two tables may be called by is neither's; one of the same family as a table's name is that
        # table's.
        if len(relations) == 1 and said not in taken and not kin and not (noun in _TITLED and said[0] in alone):
            found.append(Phrase(next(iter(relations)), None, said, _WEIGHT, (noun,)))
    return found


def _is_some_of_them(noun: str, relation: str, metadata: Relations) -> bool:
    """Whether some of the rows are called so by a kind of theirs: *movies* of titles are no series."""
    named = (found for word in (stem(noun), *related(stem(noun))) for found in metadata.values.whole.get((word,), ()))
    return any(path.startswith(f"{relation}.") for path, _, _ in named)


def _nouns(metadata: Relations, relation: str) -> Iterator[str]:
    name = singular(name_parts(relation)[-1])
    members = [m for m in metadata.relation(relation).members.values() if m.path in metadata.members]
    columns = [m for m in members if m.kind == "dimension"]
    if len(name) >= _LONG:
        yield from (name[:size] for size in _CLIPS if is_short_for(name[:size], name))  # *vets*, *reps*, *exams*
    # What some rows have no date of is not what they are: members who have not cancelled are no cancellations.
    times = [metadata.parts(m.path) for m in columns if m.type == "time" and not metadata.profile(m.path).missing]
    # One such time alone: of two dated nouns neither is the row.
    dated = [parts[0] for parts in times if len(parts) == 2 and parts[1] in _DATED and _is_event(parts[0])]
    if len(dated) == 1:
        yield dated[0]  # *jobs* of a ``job_date``, *invoices* of payments that have an ``invoice_date``
    for member in columns:
        parts = metadata.parts(member.path)
        yield from _TOLD_BY.get(" ".join(parts), _TOLD_BY.get(parts[0], ()) if _is_kept(parts) else ())
        if len(parts) == 2 and parts[1] in _KINDS and singular(parts[0]) in _EVENTS:
            yield singular(parts[0])
        if member.type == "time" and parts and parts[0] in _DEEDS:
            yield _DEEDS[parts[0]]
        if name in _GENERAL and metadata.parts(member.path)[-1:] == ("title",) and member.type == "string":
            yield from sorted(_TITLED)


def _is_kept(parts: Sequence[str]) -> bool:
    """Whether a name is a word and the unit it is kept in: ``tare_kg``."""
    return len(parts) == _TWO and exact_unit(parts[1]) is not None


_TWO = 2


def _is_event(noun: str) -> bool:
    return noun not in _ASPECTS | _DATED | PARTICIPLES and not is_participle(noun)
