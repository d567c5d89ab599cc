"""What stands behind *which*, *how many* and *whose* is what is asked for: nothing else is told in its place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..lexicon import any_kinds, persons
from ..plans.plan import Plan
from ..plans.walking import conditions_of, measures_of
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.states import end_in
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..walk.segments import Item
from ..words.families import root
from ..words.text import singular, stem

__all__ = ["heads_missed"]

_ASKING = frozenset({"which", "what"})
_DOING = frozenset("do does did have has had is are was were can could would will should".split())
_BEFORE_HEAD = frozenset("is are was were the our my your their s".split())
_CALLED_SO = 0.95  # how well a noun fits rows that are called by it
_NOW = frozenset({"current", "currently"})
_PEOPLE = frozenset({"people", "persons"})


def heads_missed(plan: Plan, draft: Draft) -> Iterator[str]:
    """The words for what is asked for, where a plan tells of something else."""
    if draft.axes or draft.mark or draft.yesno or plan.claim:
        return
    for place, item in enumerate(draft.items[:-1]):
        if item.text.lower() in _ASKING:
            yield from _which(place + 1, plan, draft)
            yield from _which_is_with(place + 1, plan, draft)
    yield from _whose(plan, draft)
    yield from _who_is_here(plan, draft)
    yield from _lies_elsewhere(draft)
    yield from _how_many_people(plan, draft)


def _which(place: int, plan: Plan, draft: Draft) -> Iterator[str]:
    item, said = draft.items[place], draft.resolution.choice.get(place)
    values = [said.value] if isinstance(said, ValueMatch) else []
    if item.kind == "word":  # a form may read it so
        values = [value for condition in conditions_of(plan) for value in condition.values]
    if _ends(place, draft) and any(_is_a_word_of(item, str(value)) for value in values):
        yield item.text
    if item.kind != "name" or not isinstance(said, Candidate):
        return
    if not _is_told(item, said, plan, draft.metadata):
        yield item.text
    behind = draft.resolution.choice.get(place + 1)
    if isinstance(behind, Candidate) and _is_another_kind(place, said, behind, plan, draft):
        yield f"{item.text} {draft.items[place + 1].text}"


def _which_is_with(place: int, plan: Plan, draft: Draft) -> Iterator[str]:
    """``what is our product with the most sales``: a product, and no number of sales alone."""
    while place < len(draft.items) - 1 and draft.items[place].text.lower() in _BEFORE_HEAD:
        place += 1
    behind = draft.items[place + 1].text.lower().split() if place + 1 < len(draft.items) else []
    if behind[:1] in (["with"], ["has"], ["have"]):
        yield from _which(place, plan, draft)


def _ends(place: int, draft: Draft) -> bool:
    """Whether a noun stands alone: ``which street has``, and not ``which Delta flights``."""
    behind = draft.items[place + 1] if place + 1 < len(draft.items) else None
    return behind is None or behind.kind not in ("name", "value", "grain")


def _is_a_word_of(item: Item, value: str) -> bool:
    """``which street``: a noun that is a word of some name (*Quay Street*), and no value."""
    whole, said = ([stem(word) for word in text.lower().split()] for text in (value, item.text))
    return item.text.islower() and len(whole) > len(said) and set(said) <= set(whole)


def _is_told(item: Item, said: Candidate, plan: Plan, meta: Metadata) -> bool:
    """Whether a plan shows what a noun is for, or something that is called like it."""
    number = said.member in meta.members and (meta.is_measure(said.member) or meta.is_number(said.member))
    if number or item.text.lower().split()[0] in _DOING:
        return True  # "what revenue did we have", "what did we take": a number, whatever it is told of
    shown = [path for path in _shown(plan, meta) if path in meta.members]
    words = {one for word in item.text.lower().split() for one in (stem(singular(word)), root(singular(word)))}
    own = {stem(one) for one in meta.parts(said.member)} if said.member in meta.members else set()
    own |= {stem(one) for one in meta.words_of(said.relation)} if said.member is None else set()
    if shown and said.member is None and said.quality < _CALLED_SO and _are_people(item):
        return any(_owns(path, meta) for path in shown)  # a rider is no ride
    for path in shown:
        relation = path.split(".", 1)[0]
        called = {one for part in _words(path, meta) for one in (stem(part), root(part))}
        if path == said.member or said.member is None and relation == said.relation or called & (words | own):
            return True
    return not shown


def _are_people(item: Item) -> bool:
    return stem(singular(item.text.lower())) in persons()


def _words(path: str, meta: Metadata) -> set[str]:
    """Every word that a member is called by."""
    member = meta.members[path]
    named = " ".join((*meta.parts(path), member.title.lower(), *member.synonyms, *meta.words_of(member.relation)))
    return {one for word in named.split() for one in (word, singular(word))}


def _shown(plan: Plan, meta: Metadata) -> set[str]:
    plans = [plan, *plan.parts]
    groups = {d.member for p in plans for d in (*p.dimensions, *((p.nested.dimension,) if p.nested else ()))}
    numbers = [one for p in plans for m in measures_of(p) for one in (m, meta.plain(m))]
    measured = {path for m in numbers for path in (m.member, m.other) if path}
    kept = {c.member for p in plans for c in p.conditions if c.operator == "in"}  # one of several that are asked about
    return groups or measured | kept | {column for p in plans for column in p.columns}


def _is_another_kind(place: int, said: Candidate, behind: Candidate, plan: Plan, draft: Draft) -> bool:
    """``which panel brand`` of inverters: a word before a name that is read in part makes another thing of it."""
    meta, items = draft.metadata, draft.items
    beside = items[place].end == items[place + 1].start and said.member is not None
    if not beside or behind.member is None or behind.full or behind.member == said.member:
        return False
    grouped = any(d.member == behind.member for d in plan.dimensions) or behind.member in plan.columns
    before = {stem(part) for part in meta.parts(behind.member)[:-1]}
    return grouped and bool(before) and before.isdisjoint(map(stem, items[place].text.lower().split()))


def _who_is_here(plan: Plan, draft: Draft) -> Iterator[str]:
    """``current employees``: those who have not left, where it is known of some that they have."""
    tested = {c.member for c in conditions_of(plan)}
    for token in draft.tokens if plan.scope else ():
        ends = (end_in(draft.metadata, name, "currently") for name in plan.scope)
        if token.lower in _NOW and (left := {end for end in ends if end is not None}) and tested.isdisjoint(left):
            yield token.text


def _lies_elsewhere(draft: Draft) -> Iterator[str]:
    """``airports that lie in Alaska``: a place, and nobody who is called after it."""
    for place, item in enumerate(draft.items):
        said, before = draft.resolution.choice.get(place), [t.lower for t in draft.tokens[: item.start]][-2:]
        lies = len(before) == len(_LYING) and before[0] in _LYING[0] and before[1] in _LYING[1]
        if lies and isinstance(said, ValueMatch) and any_kinds()["company"] & _words(said.member, draft.metadata):
            yield item.text


_LYING = (frozenset("lie lies located situated lying".split()), frozenset({"in", "near", "at"}))


def _whose(plan: Plan, draft: Draft) -> Iterator[str]:
    """``whose cars are the oldest``: somebody's, and no car."""
    if draft.tokens[0].lower != "whose":
        return
    meta = draft.metadata
    if not any(_owns(path, meta) for path in _shown(plan, meta) if path in meta.members):
        yield draft.tokens[0].text


def _owns(path: str, meta: Metadata) -> bool:
    words = _words(path, meta)
    return bool(words & any_kinds()["company"]) or not persons().isdisjoint(map(stem, words))


def _how_many_people(plan: Plan, draft: Draft) -> Iterator[str]:
    """``how many people flew``: nobody knows from how many flights there were; ``how many guests used a voucher``: no
    number of vouchers.
    """
    for place, (one, two) in enumerate(pairwise(draft.items), 1):
        if one.is_cue("count") and (two.kind == "word" and two.text.lower() in _PEOPLE or _are_listed(place, draft)):
            meta = draft.metadata
            counted = [m for m in measures_of(plan) if meta.plain(m).aggregate.startswith("count")]
            paths = {path for m in counted for path in (m.member,) if path in meta.members}
            rows = {m.entity or plan.scope[0] for m in counted if not m.member}
            told = any(_is_a_person(path, meta) for path in paths) or any(map(meta.is_of_people, rows)) and not paths
            if counted and not told:  # "how many people were injured" may be a number of the rows
                yield two.text


def _are_listed(place: int, draft: Draft) -> bool:
    """Whether a noun is for the people of one table, and no part of a longer name."""
    said, item = draft.resolution.choice.get(place), draft.items[place]
    if item.kind != "name" or not isinstance(said, Candidate) or said.member is not None or not _ends(place, draft):
        return False
    return _are_people(item) and said.relation in draft.metadata.lists_of_people


def _is_a_person(path: str, meta: Metadata) -> bool:
    """Whether a column tells one of some people from another: its key or name, or whom it is called after."""
    relation = path.split(".", 1)[0]
    counted = meta.is_measure(path) or meta.is_key(path) or path == meta.label_of(relation)
    own = not persons().isdisjoint(map(stem, meta.parts(path)))
    return own or counted and meta.is_of_people(relation)
