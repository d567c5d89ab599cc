"""Whose something is: names, attributes and times of one thing are never taken for those of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from ..lexicon import persons
from ..plans.plan import Plan
from ..schema.directions import ends_of
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..words.text import name_parts, stem
from ..words.thesaurus import related

__all__ = ["borrowed", "is_of_another"]

_CALLED = frozenset({"name", "names", "title", "titles"})
_KINDS_OF_NAME = frozenset({"first", "last", "full", "given", "family"})
_PASSED = frozenset("the all every each our my their its these those any of".split())
_GIVEN, _FAMILY = frozenset({"first", "given", "forename"}), frozenset({"last", "family", "surname"})
_SURE = 0.9


def is_of_another(plan: Plan, draft: Draft) -> bool:
    """Whether a plan takes something for what only another thing has."""
    ends = _at_the_other_end(plan, draft) or _joined_at_the_other_end(plan, draft)
    return _halves_of_two(draft) or ends or borrowed(plan, draft) is not None


def borrowed(plan: Plan, draft: Draft) -> str | None:
    """The member of another thing that a plan takes for what is asked about."""
    return (
        _names_of_another(plan, draft)
        or _of_other_people(plan, draft)
        or _in_their_lives(plan, draft)
        or _from_where_it_went(draft)
        or _of_what_was_joined(plan, draft)
    )


def _names_of_another(plan: Plan, draft: Draft) -> str | None:
    """``names of the cities``: of cities, and not of the counties that they lie in."""
    meta, subject, shown = draft.metadata, _named_thing(draft), _shown(plan)
    if subject is None or any(path.split(".", 1)[0] == subject for path in shown):
        return None
    return next((path for path in shown if not _is_one(meta, subject, path.split(".", 1)[0])), None)


def _named_thing(draft: Draft) -> str | None:
    """The relation whose names are asked for: ``names of the professors``, ``the first names of all students``."""
    words = [token.lower for token in draft.tokens]
    for at, word in enumerate(words):
        if word not in _CALLED or words[at + 1 : at + 2] != ["of"]:
            continue
        before = at
        while before and words[before - 1] in _KINDS_OF_NAME:
            before -= 1
        if before and _item_named(draft, before - 1):
            continue  # "city names of the customers"
        behind = at + 2
        while behind < len(words) and words[behind] in _PASSED:
            behind += 1
        found = _relation_at(draft, behind)
        if found is not None:
            return found
    return None


def _item_named(draft: Draft, token: int) -> bool:
    return any(item.start <= token < item.end and item.kind in ("name", "value") for item in draft.items)


def _relation_at(draft: Draft, token: int) -> str | None:
    """The relation that is named by the words at a place, by itself."""
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        if item.start <= token < item.end and isinstance(said, Candidate) and said.member is None:
            return said.relation if said.quality >= _SURE else None
    return None


def _of_other_people(plan: Plan, draft: Draft) -> str | None:
    """``emails of all customers``: not those of whoever looks after them. Groups of people who only met others are
    meant (``patients per specialty``).
    """
    meta, spoken = draft.metadata, _spoken(draft)
    asked = [name for name in spoken if _is_people(meta, name)]
    grouped = {d.member for d in plan.dimensions}
    for path in _shown(plan) if asked else ():
        owner = path.split(".", 1)[0]
        if owner in spoken or not _is_people(meta, owner) or path == meta.label_of(owner) or _is_said(draft, owner):
            continue
        if path in grouped and not any(meta.leads_to(name, owner) for name in asked):
            continue
        if not any(_is_one(meta, name, owner) for name in asked):
            return path
    return None


def _in_their_lives(plan: Plan, draft: Draft) -> str | None:
    """``sales per month``: not by when those who sell were hired."""
    meta, spoken = draft.metadata, _spoken(draft)
    for path in _times(plan, meta):
        owner = path.split(".", 1)[0]
        lived = _is_people(meta, owner) and owner not in spoken and not _is_said(draft, owner)
        if lived and owner not in _counted(plan) and not _words_of_time(draft, path):
            return path
    return None


def _from_where_it_went(draft: Draft) -> str | None:
    """``flights from Rome``: not those to it."""
    for place in range(len(draft.items)):
        said = draft.resolution.choice.get(place)
        before = _way_before(draft, place)
        if isinstance(said, ValueMatch) and ends_of(draft.metadata, said.member) == _OTHER_END.get(before, before):
            return said.member
    return None


def _way_before(draft: Draft, place: int) -> str:
    """The word for a way that leads to a value, past the noun for where it leads: *from airports in the hills*."""
    words = [token.lower for token in draft.tokens[: draft.items[place].start]]
    if words[-1:] and words[-1] not in _WITHIN:
        return words[-1]
    named = draft.resolution.choice.get(place - 2)
    at = draft.items[place - 2].start - 1 if place > 1 and isinstance(named, Candidate) else -1
    return words[at] if at >= 0 and words[at] in _OTHER_END else words[-1] if words else ""


_WITHIN = frozenset({"in", "at", "of", "the", "near"})


def _of_what_was_joined(plan: Plan, draft: Draft) -> str | None:
    """``the fastest flight`` where a view shows the wind's speed beside the flights: that is the weather's.

    What a view takes from another cube is told apart there by a word (*wind*) that neither the question nor that cube
    itself is called by.
    """
    meta = draft.metadata
    asked = {token.stem for token in draft.tokens}
    for path in _shown(plan):
        member = meta.members.get(path)
        if member is None or member.type != "number" or member.cube in ("", member.relation):
            continue
        parts = {stem(part) for part in meta.parts(path)}
        unsaid = parts - asked - _FOLDS
        if parts & asked and unsaid <= {one for word in asked for one in related(word)}:
            continue  # "the destination that lies highest": whose it is was said, and what by its adjective
        # A name of one word tells nobody apart.
        if len(parts) == 1 or not unsaid or "year" in meta.parts(path):
            continue
        named = [{stem(w) for w in phrase.lower().split()} for phrase in (member.title, *member.synonyms)]
        if any(phrase <= asked for phrase in named):
            continue
        cubes = Counter(m.cube for m in meta.relation(member.relation).members.values() if m.kind == "measure")
        # The cube that most measures are of is the view's own: its numbers are those of its rows.
        if member.cube == (cubes.most_common(1) or [("", 0)])[0][0]:
            continue
        own = _called(meta, member.relation, member.cube)
        if unsaid - own - _about(own):
            return path
    return None


_FOLDS = frozenset(map(stem, "average avg mean median total sum max min highest lowest count number".split()))


def _called(metadata: Metadata, relation: str, cube: str) -> set[str]:
    """What a cube itself is called within a view: by its name, its own relation, and before most of its members."""
    found = {stem(word) for word in name_parts(cube)}
    for other in metadata.catalog.relations:
        if _is_of(metadata, other, cube):
            found |= {stem(word) for word in metadata.words_of(other)}
    theirs = [m for m in metadata.relation(relation).members.values() if m.cube == cube and m.kind == "dimension"]
    counted = Counter(stem(part) for m in theirs for part in set(name_parts(m.name)))
    return found | {word for word, times in counted.items() if times > 1 and times * 2 > len(theirs)}


def _is_of(metadata: Metadata, relation: str, cube: str) -> bool:
    """Whether a relation shows a cube and no other."""
    return {m.cube for m in metadata.relation(relation).members.values() if m.cube} == {cube}


def _about(words: set[str]) -> set[str]:
    return {other for word in words for other in related(word)}


_OTHER_END = {"from": "to", "to": "from"}


def _at_the_other_end(plan: Plan, draft: Draft) -> bool:
    """``depots with no parcels going to them``: not those that none goes from."""
    words = [token.lower for token in draft.tokens]
    said = {one for one, two in pairwise(words) if one in _OTHER_END and two in _POINTING}
    if len(said) != 1 or not plan.exists:
        return False
    meta, subject = draft.metadata, {c.split(".", 1)[0] for c in _shown(plan)} | _counted(plan)
    keys = [meta.join_keys(e.relation, other) for e in plan.exists for other in subject if other != e.relation]
    ends = {ends_of(meta, pair[0]) for pair in keys if pair is not None}
    return _OTHER_END[said.pop()] in ends


def _joined_at_the_other_end(plan: Plan, draft: Draft) -> bool:
    """``flights to airports in the hills``: not those that begin there."""
    meta, words = draft.metadata, [token.lower for token in draft.tokens]
    for place, item in enumerate(draft.items):
        said, at = draft.resolution.choice.get(place), item.start - 1
        while at > 0 and words[at] in _PASSED:
            at -= 1
        if not isinstance(said, Candidate) or said.member is not None or at < 1 or words[at] not in _OTHER_END:
            continue
        joined = [meta.join_keys(one, said.relation) for one in plan.scope if one != said.relation]
        keys = [pair[0] for pair in joined if pair is not None] if said.relation in plan.scope else []
        if len(keys) == 1 and ends_of(meta, keys[0]) == _OTHER_END[words[at]]:
            return True
    return False


_POINTING = frozenset({"them", "it", "there", "here"})


def _halves_of_two(draft: Draft) -> bool:
    """``Steve Johnson``: one person, and not a Steve with a Johnson beside him."""
    found = [
        (item, said)
        for place, item in enumerate(draft.items)
        if isinstance(said := draft.resolution.choice.get(place), ValueMatch)
    ]
    for (one, first), (two, last) in pairwise(found):
        halves = set(draft.metadata.parts(first.member)) & _GIVEN and set(draft.metadata.parts(last.member)) & _FAMILY
        if one.end == two.start and halves and first.member.split(".", 1)[0] != last.member.split(".", 1)[0]:
            return True
    return False


def _shown(plan: Plan) -> list[str]:
    """What the answer tells of its rows: columns, groups, and numbers of values."""
    numbers = [m.member for m in plan.measures if m.member is not None]
    return [*plan.columns, *(d.member for d in plan.dimensions if d.grain is None), *numbers]


def _times(plan: Plan, metadata: Metadata) -> Iterator[str]:
    """The times by which rows are grouped or chosen."""
    yield from (d.member for d in plan.dimensions if d.grain is not None)
    yield from (c.member for c in plan.conditions if c.operator in ("period", "not period") or c.part is not None)


def _counted(plan: Plan) -> set[str]:
    """Whose rows are counted, or whose numbers added up."""
    found = {m.member.split(".", 1)[0] for m in plan.measures if m.member is not None}
    return found | {m.entity for m in plan.measures if m.entity is not None}


def _spoken(draft: Draft) -> set[str]:
    """The relations that the question names by themselves."""
    chosen = draft.resolution.choice.values()
    return {c.relation for c in chosen if isinstance(c, Candidate) and c.member is None and c.quality >= _SURE}


def _is_said(draft: Draft, relation: str) -> bool:
    """Whether a word of a relation, or a value of its rows, stands in the question."""
    said = {token.stem for token in draft.tokens}
    valued = (c.member for c in draft.resolution.choice.values() if isinstance(c, ValueMatch))
    rows = draft.metadata.kind_names.rows
    called = {stem(word) for word in draft.metadata.words_of(relation)}
    return any(word in called or relation in rows.get(word, ()) for word in said) or any(
        member.split(".", 1)[0] == relation for member in valued
    )


def _words_of_time(draft: Draft, path: str) -> bool:
    """Whether the question says what happened then: ``hired`` of a ``hire_date``."""
    own = {stem(part) for part in draft.metadata.parts(path)} - _ANY_TIME
    rows = {
        at
        for place, item in enumerate(draft.items)
        if isinstance(c := draft.resolution.choice.get(place), Candidate) and c.member is None
        for at in range(item.start, item.end)
    }  # "enrolments" say nothing of when somebody enrolled
    return bool(own & {token.stem for at, token in enumerate(draft.tokens) if at not in rows})


_ANY_TIME = frozenset(map(stem, ("date", "time", "at", "on", "day", "month", "year", "timestamp")))


def _is_people(metadata: Metadata, relation: str) -> bool:
    """Whether the rows of a relation are people: it is called so, or they have a first and a last name."""
    called = {stem(word) for word in metadata.words_of(relation)} & persons()
    return bool(called) or _has_halves(metadata, relation)


def _has_halves(metadata: Metadata, relation: str) -> bool:
    """Whether rows have a first and a last name."""
    parts = _parts(metadata, relation)
    return any(p & _GIVEN and "name" in p for p in parts) and any(p & _FAMILY for p in parts)


def _is_one(metadata: Metadata, relation: str, other: str) -> bool:
    """Whether each row is one of the other, as a professor is an employee: people that have no name of their own."""
    if not (_is_people(metadata, relation) and _is_people(metadata, other) and metadata.leads_to(relation, other)):
        return False
    return not any(parts & _CALLED for parts in _parts(metadata, relation))


def _parts(metadata: Metadata, relation: str) -> list[set[str]]:
    known = (member.path for member in metadata.relation(relation).members.values())
    return [set(metadata.parts(path)) for path in known if path in metadata.members]
