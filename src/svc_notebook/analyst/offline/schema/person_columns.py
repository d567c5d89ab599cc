"""Persons that are only columns of what they did: ``filed_by``, ``assigned_to``, ``requester_name``, ``bidder``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..lexicon import persons
from ..words.families import PAST, root
from ..words.text import is_participle, singular, stem

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["PersonColumn", "done_by", "person_columns", "verb_root"]

_ACTS = tuple(
    frozenset(verbs.split())
    for verbs in (
        "raise report open log file submit lodge request create complain", "assign handle own work process",
        "resolve close solve fix repair mend", "send ship post", "deliver bring carry drive drop",
        "teach instruct train", "bid offer", "buy purchase order", "borrow rent hire loan",
        "take attend join enrol enroll study learn register", "approve sign authorise authorize", "write author",
        "give donate", "sell list", "inspect check visit", "make place",
    )
)  # fmt: skip
_DOERS = {
    "learner": "take", "student": "take", "pupil": "take", "attendee": "attend", "participant": "join",
    "customer": "buy", "client": "buy", "shopper": "buy", "instructor": "teach", "tutor": "teach", "author": "write",
    "courier": "deliver", "donor": "give", "guest": "book", "tenant": "rent", "assignee": "assign",
    "technician": "repair", "mechanic": "repair", "salesperson": "sell", "recipient": "receive", "patient": "visit",
    "agent": "handle", "requestor": "request", "passenger": "travel", "witness": "see", "applicant": "apply",
}  # fmt: skip # what they do, where it is not made of their noun
_LIGHT = frozenset("make do have use get place be leave take".split())
_SERVING = frozenset("assign handle resolve deliver teach approve inspect sell list check show answer close".split())
"""What is done for somebody: who uses a thing is not who brings it."""
_BY, _TO = "by", "to"
_FEWEST, _LONGEST = 3, 4  # values that a column of persons has, and words of one
_NAMED = frozenset({"name", "names", "fullname"})


class PersonColumn(Struct, frozen=True):
    """A text that says who did something (``passive``: whom it was done to), by the root of the verb."""

    relation: str
    path: str
    verb: str
    passive: bool = False


def verb_root(word: str) -> str:
    """What the forms of a verb have in common."""
    return root(PAST.get(word, word))


def person_columns(metadata: Metadata) -> tuple[PersonColumn, ...]:
    """The columns of cubes whose values are persons that no table lists."""
    found = []
    for path, member in metadata.members.items():
        told = member.kind == "dimension" and member.type == "string" and not member.masked
        if told and metadata.relation(member.relation).kind == "cube" and _is_own(metadata, path):
            known = _known(metadata.parts(path))
            if known is not None and _are_names(metadata.values.members.get(path, ()), known[1]):
                # Handed to whoever is named: what was done was done to them.
                found.append(PersonColumn(member.relation, path, known[0], metadata.parts(path)[-1] == _TO))
    return tuple(found)


def _is_own(metadata: Metadata, path: str) -> bool:
    """Whether no row of another relation says more of a person, and the relation itself is of none."""
    relation = path.split(".", 1)[0]
    refers = any(
        here == path
        for other in metadata.joins.links.get(relation, {})
        for here, _ in metadata.joins.between(relation, other)
    )
    return not refers and not metadata.is_of_people(relation)


def _known(parts: Sequence[str]) -> tuple[str, bool] | None:
    """The verb of what a column is called, and whether it must hold names to be one of persons."""
    if (
        len(parts) == 2
        and parts[1] in (_BY, _TO)
        and (is_participle(parts[0]) or parts[0] in PAST or parts[0] in _IRREGULAR)
    ):
        # "paid by" may be a kind of payment, and "to" a place: there values must look like names.
        return verb_root(parts[0]), parts[0] == "paid" or parts[1] == _TO
    words = [singular(part) for part in parts if part not in _NAMED]
    if len(words) != 1:
        return None
    noun = words[0]
    if stem(noun) in persons() or noun in _DOERS:
        return _verb_of(noun), True
    doing = noun.endswith(("er", "or")) and len(noun) > _SHORTEST and noun not in _THINGS
    return (_verb_of(noun), True) if doing else None


_THINGS = frozenset(
    "weather number letter order quarter semester trimester paper color floor sector factor error center chapter "
    "folder layer meter container trailer summer winter power server computer printer boiler cover matter corner "
    "river water offer filter cluster header footer marker parameter diameter register charter newspaper flavor "
    "odor behavior vector sensor motor tractor monitor router scanner charger locker elevator generator "
    "transformer feeder freezer cooler heater burner wrapper sticker banner poster cylinder ladder timber rubber "
    "leather copper silver membership transfer wear".split()
)
"""What ends as those who do something do, and is nobody."""
_IRREGULAR = frozenset({"taught", "sold", "bought", "paid", "given", "driven", "flown", "caught", "read"})
_SHORTEST = 4


def _verb_of(noun: str) -> str:
    if noun in _DOERS:
        return verb_root(_DOERS[noun])
    for end in ("er", "or"):
        if noun.endswith(end):
            base = noun.removesuffix(end)
            # Doubled before the ending (shipper, planner) but for letters that verbs double themselves (seller).
            base = base[:-1] if len(base) > _FEWEST and base[-1] == base[-2] and base[-1] not in "ls" else base
            return root(base)
    return root(noun)


def _are_names(values: Sequence[Any], strictly: bool) -> bool:
    """Whether values are names of people; where the column is called so that it must be, whether there are several."""
    texts = [str(value) for value in values]
    if not texts:
        return False
    if not strictly:
        return len(texts) >= _FEWEST
    named = sum(_is_name(text) for text in texts)
    # Seven of ten: some rows of such columns hold a firm or a lower-case name.
    return len(texts) >= _FEWEST and 10 * named > 7 * len(texts)


def _is_name(text: str) -> bool:
    """Whether a text may be somebody's name: a word or up to four, each with a capital, and no digit."""
    words = text.split()
    return 0 < len(words) <= _LONGEST and all(word[:1].isupper() for word in words) and not any(map(str.isdigit, text))


def done_by(metadata: Metadata, spoken: Sequence[str], verb: str, passive: bool) -> list[PersonColumn]:
    """The columns that say who did what a verb says: by that verb, by one for the same act, or where it says little,
    those of whom it is done for; of rows that are ``spoken`` of before any that have to do with them.
    """
    near = [column for column in metadata.person_columns if metadata.scope([column.relation, *spoken]) is not None]
    said = verb_root(verb)
    acts = next((act for act in _ROOTS if said in act), frozenset[str]())

    def same(column: PersonColumn) -> bool:
        return column.verb == said and column.passive == passive

    def alike(column: PersonColumn) -> bool:
        return column.verb in acts and (column.passive == passive or not passive)

    def own(column: PersonColumn) -> bool:  # "who complained" of complaints
        return not (passive or column.passive) and said == root(metadata.words_of(column.relation)[-1])

    listed = any(map(metadata.is_of_people, metadata.catalog.relations))

    def served(column: PersonColumn) -> bool:
        # Where a table lists people, what they had or took is told of rows that are not spoken of by nobody else.
        if listed and column.relation not in spoken and column.path != metadata.label_of(column.relation):
            return False
        return not (passive or column.passive or column.verb in _SERVING_ROOTS) and said in _LIGHT_ROOTS

    # The rows that are spoken of first, for each way of fitting: a better fit elsewhere is another deed.
    for fits in (same, alike, own, served):
        own_rows = [column for column in near if column.relation in spoken]
        # Who has or took what is told of rows with people of their own is nobody of other rows.
        for columns in (own_rows, [] if fits is served and own_rows else near):
            found = [column for column in columns if fits(column)]
            if found:
                return found
    return []


_ROOTS = tuple(frozenset(map(root, act)) for act in _ACTS)
_LIGHT_ROOTS = frozenset(map(root, _LIGHT))
_SERVING_ROOTS = frozenset(map(root, _SERVING))
