"""Extremes of entities: the busiest store, the most expensive product, the last ten sales."""

from __future__ import annotations

from dataclasses import replace

from ..lexicon import load_lexicon
from ..plans.plan import Dimension, Measure
from ..schema.lasting import DUE
from ..schema.member_kinds import adjective_members, labels_of, people
from ..schema.money import amounts, goes_out, is_amount
from ..schema.polarity import is_judging, marks
from ..schema.values import ValueMatch
from ..walk.draft import OrderWish
from ..walk.measurements import measured_in, measured_scope
from ..walk.resolve import RANKED
from ..walk.walker import SMALL_WORDS
from ..words.text import singular, stem
from ..words.thesaurus import related
from .assembly import Assembly
from .row_keys import tells_of

__all__ = [
    "adjective_member",
    "entity_extreme",
    "first_of_all",
    "how_many",
    "main_measure",
    "numbers_named",
    "rank_alone",
    "rank_rows",
    "ranked_entity",
    "ranking_member",
    "several",
    "speak_for_rows",
]


_LATE = frozenset({"latest", "newest", "most recent", "most recently", "last", "youngest"})
_EARLY = frozenset({"earliest", "oldest", "first", "least recent"})
_ADDING_UP = frozenset({"top", "best", "biggest", "largest", "leading", "strongest", "bottom", "worst", "smallest"})
_JUDGING = frozenset({"top", "best", "worst", "bottom", "strongest", "weakest", "leading"})
_AGED = frozenset({"oldest", "youngest", "newest"})
_MADE = frozenset("built founded established constructed made published released painted composed written".split())
_BIRTH = frozenset({"birth", "born", "birthday"})
_SHOWN, _WHOLE = 2, 6  # columns that nobody asked for, and what is seen of rows that nothing names


def entity_extreme(state: Assembly) -> None:
    """Rank the rows of the entity a superlative speaks of, by a member of theirs or by what points at them."""
    draft = state.draft
    if draft.top is None or draft.measures or draft.counting or draft.orders or numbers_named(state):
        return
    direction, number, place = draft.top
    entity = ranked_entity(state, place)
    # "who" asks for people: a superlative over rows of things is ranked by who did them, elsewhere.
    if entity is None or state.draft.tokens[0].lower == "who" and not people(state.meta, [entity]):
        return
    text = draft.items[place].text.lower()
    member, flipped = ranking_member(state, entity, text)
    if member is not None:
        descending = (direction == "desc") != flipped
        if draft.when and state.meta.is_time(member):
            state.measures, draft.grouped_entities = [Measure(member, "max" if descending else "min")], []
            draft.top = None
            return
        rank_rows(state, entity, member, descending, number, place)
        return
    label, fact = state.meta.label_of(entity), state.scope[0]
    # Only where the scope begins with what points at the entity: those rows are counted or added up.
    if text in RANKED and label is not None and fact != entity and state.meta.facts_of(entity) == fact:
        draft.grouped_entities = [g for g in draft.grouped_entities if g[0] != entity]
        state.dimensions.append(Dimension(label))
        state.measures = [main_measure(state, fact) if text in _ADDING_UP else Measure(None, "count", entity=fact)]


def numbers_named(state: Assembly) -> bool:
    return any(state.raw_number(m) or state.meta.is_time(m.member) and not m.role for m in state.draft.mentions)


def ranked_entity(state: Assembly, place: int) -> str | None:
    """The relation right after a superlative, or the one a question with *which* opens with."""
    items, entities = state.draft.items, {at: name for name, at in state.draft.entities}
    at = place + 1
    while at < len(items) and (items[at].kind == "number" or items[at].text.lower() in SMALL_WORDS):
        at += 1
    if at in entities:
        return entities[at]
    if (kind := _kind_before(state, at, entities)) is not None:
        return kind
    said = state.draft.resolution.choice.get(at)
    if isinstance(said, ValueMatch) and not entities:
        return said.member.split(".", 1)[0]  # the longest documentary: what has that value
    first = min(entities, default=None)
    after = [at for at in range(place + 1, len(items)) if items[at].kind in ("name", "value", "quoted")]
    asks = state.draft.which and first is not None and first < place and not after
    return entities[first] if asks and first is not None else None


def _kind_before(state: Assembly, at: int, entities: dict[int, str]) -> str | None:
    """The relation named right behind values of its own: the cheapest frozen *product*."""
    said = state.draft.resolution.choice.get(at)
    behind = at
    while isinstance(state.draft.resolution.choice.get(behind), ValueMatch):
        behind += 1
    own = isinstance(said, ValueMatch) and entities.get(behind) == said.member.split(".", 1)[0]
    return entities[behind] if own else None


def ranking_member(state: Assembly, entity: str, text: str) -> tuple[str | None, bool]:
    """The number or time of an entity that an adjective compares by, and whether a high one means a low rank."""
    words = [word for word in text.split() if word not in ("most", "least", "the")]
    targets = related(stem(words[-1])) if words else frozenset()
    own = [
        m.path
        for m in state.meta.relation(entity).members.values()
        if m.kind == "dimension" and m.path in state.meta.members
    ]
    numbers = [p for p in own if state.meta.is_number(p) and not state.meta.is_key(p)]
    for path in numbers:
        if {stem(part) for part in state.meta.parts(path)} & targets and not state.meta.is_year(path):
            return path, False
    # Only words of early and late fall back on a time; any other adjective on what the lexicon says it measures.
    if text not in _LATE | _EARLY:
        return adjective_member(state, entity, text) or (None, False)
    years = [p for p in numbers if state.meta.is_year(p)]
    # When something will be due says nothing of how old it is, and a year of birth nothing of what came last.
    times = [p for p in state.meta.times([entity]) if p in own and not DUE & set(state.meta.parts(p))]
    times = times or [p for p in years if text in _AGED or not _BIRTH & set(state.meta.parts(p))]
    # "oldest" of things goes by when they came to be, before any other date of theirs.
    made = [p for p in [*times, *numbers] if _is_made(state, p)]
    if made and text in _AGED:
        return made[0], text in ("oldest", "youngest")
    dated = [*times, *years]
    born = [p for p in dated if _BIRTH & set(state.meta.parts(p))]
    # Of persons by their birth; else the relation's first time.
    chosen = (born or times)[:1] if text in ("oldest", "youngest") else times[:1]
    return (chosen[0], text in ("oldest", "youngest")) if chosen else (None, False)


def adjective_member(state: Assembly, entity: str, text: str) -> tuple[str, bool] | None:
    """The one member of an entity that an adjective measures, and whether a high one means a low rank."""
    for size, entry in load_lexicon().at(tuple(text.split())):
        if entry.operator == "superlative" and entry.hints and size == len(text.split()):
            found = [
                (path, turned)
                for path, turned in adjective_members(state.meta, [entity], entry.hints, entry.turned)
                if path in state.meta.members
            ]
            return found[0] if found else None
    return None


def _is_made(state: Assembly, path: str) -> bool:
    """Whether a time or year says when something came to be, and not when it came here."""
    parts = set(state.meta.parts(path))
    # "created" alone may be when the row was written down: only a year of creation is the thing's own.
    if state.meta.is_year(path):
        return bool(parts & (_MADE | {"created", "creation"}))
    return state.meta.is_time(path) and bool(parts & _MADE)


def rank_rows(state: Assembly, entity: str, member: str, descending: bool, number: int | None, place: int) -> None:
    draft = state.draft
    draft.grouped_entities = [g for g in draft.grouped_entities if g[0] != entity]
    # With groups or columns asked for beside it, other steps rank.
    if state.dimensions or draft.mentions:
        return
    rank_alone(state, entity, member, descending, number, place)


def rank_alone(state: Assembly, entity: str, member: str, descending: bool, number: int | None, place: int) -> None:
    """Rows of an entity in the order of a member, with all they are known by where they have no name."""
    draft, label = state.draft, state.meta.label_of(entity) or member
    also: list[str] = []
    own = [m.path for m in state.meta.relation(entity).members.values() if state.meta.members.get(m.path) is m]
    named = any(state.meta.members[path].type == "string" and state.meta.profile(path).unique for path in own)
    more = _WHOLE if label == member and not named else _SHOWN
    if label == member or state.meta.is_key(label):
        known = [p for p in own if state.meta.member(p).kind == "dimension" and not state.meta.is_key(p)]
        also = [p for p in (*tells_of(entity, (label, member), state.meta), *known) if p not in (label, member)]
    state.shape, state.columns = "rows", list(dict.fromkeys([label, member, *list(dict.fromkeys(also))[:more]]))
    draft.orders.append(OrderWish(descending, member=member))
    draft.top, state.limit = None, how_many(state, number, place)


def first_of_all(state: Assembly) -> None:
    """``which driver has the earliest start``: the one, and not the earliest of each who has no other."""
    draft = state.draft
    place = next((at for at, item in enumerate(draft.items) if item.text.lower() in _LATE | _EARLY), None)
    if place is None or state.shape != "aggregate" or not len(state.measures) == len(state.dimensions) == 1:
        return
    measure = state.measures[0]
    timed = measure.aggregate in ("min", "max") and measure.member is not None and state.meta.is_time(measure.member)
    # Only times: the largest of each is a group's number, the earliest is one event.
    if not timed or measure.member is None:
        return
    entity = measure.member.split(".", 1)[0]
    behind = draft.resolution.choice.get(place + 1)
    grouped = any(item.is_cue("group") for item in draft.items)
    known = state.dimensions[0].member in labels_of(state.meta, entity)
    if known and not grouped and getattr(behind, "member", None) == measure.member:
        state.dimensions, state.measures = [], []
        rank_alone(state, entity, measure.member, measure.aggregate == "max", None, place)


def how_many(state: Assembly, number: int | None, place: int) -> int:
    return number or state.draft.noun_number or (10 if several(state, place) else 1)


def several(state: Assembly, place: int) -> bool:
    """Whether the noun after a superlative is in the plural."""
    items, entities = state.draft.items, {at for _, at in state.draft.entities}
    named = [at for at in range(place + 1, len(items)) if items[at].kind == "name"]
    noun = next((items[at] for at in named if at in entities), items[named[0]] if named else None)
    last = state.draft.tokens[noun.end - 1].lower if noun is not None else ""
    return last != singular(last)


def speak_for_rows(state: Assembly) -> None:
    """``best month``, ``top product``, ``France against Spain``: where nothing is said to be counted, the amount
    that speaks for the rows is meant, not their number.
    """
    draft = state.draft
    if state.shape != "aggregate" or [m.aggregate for m in state.measures] != ["count"]:
        return
    said = bool(draft.measures or draft.counting or draft.counted_entities or state.measures[0].conditions)
    counted = {relation for relation, _ in draft.entities}
    # Rows that were named are counted (`complaints per month`); where values alone imply them, what they measure is
    # meant.
    if not said and state.scope[0] not in counted and (path := _measured_alone(state)) is not None:
        _rank_by_measured(state, Measure(path, "sum" if state.meta.adds_up(path) else "avg"))
        return
    said = said or bool(draft.mark) or not state.dimensions
    judged = any(item.kind == "cue" and item.text.lower() in _JUDGING for item in draft.items)
    against = any(item.is_cue("group", "versus") for item in draft.items) or draft.compare
    # Money or marks answer "best" and "against": a plain list of groups by count is what was said.
    if not said and state.scope[0] not in counted and (judged or against):
        _rank_by_measured(state, main_measure(state, state.scope[0]))


def _measured_alone(state: Assembly) -> str | None:
    """``electricity per month``: what rows that are measurements measure, where values alone say which."""
    chosen = state.draft.resolution.choice.items()
    known = measured_scope(chosen, state.draft.items, state.meta) == state.scope
    return measured_in(state.meta, state.scope[0]) if known else None


def _rank_by_measured(state: Assembly, measure: Measure) -> None:
    count, state.measures = state.measures[0], [measure]
    state.draft.orders = [replace(o, measure=measure) if o.measure == count else o for o in state.draft.orders]


def _amount_of(state: Assembly, relation: str) -> str | None:
    """The one number of a relation's rows that is called an amount of money that comes in."""
    own = [p for p in amounts(state.meta) if p.split(".", 1)[0] == relation and p in state.meta.members]
    taken = [p for p in own if is_amount(state.meta, p) and not goes_out(state.meta, p)]
    # Without a time rows are things that have a price, not sales that bring it.
    return taken[0] if len(taken) == 1 and state.meta.times([relation]) else None


def main_measure(state: Assembly, relation: str) -> Measure:
    """The sum of money that a relation's model defines first (of those that bring some, where there are any), else
    the marks its rows were given where they are judged, else its ``headline``, else the number of its rows.
    """
    members = [m for m in state.meta.relation(relation).members.values() if m.path in state.meta.members]
    flows = [path for path in state.meta.flows or () if path.split(".", 1)[0] == relation]
    if flows:  # of an account it is what went out
        return Measure(flows[0], "sum")
    sums = [m.path for m in members if m.kind == "measure" and m.agg_type == "sum" and m.currency]
    # What comes in speaks for how a business does; what goes out only where nothing comes in.
    brought = [path for path in sums if not goes_out(state.meta, path)]
    top = state.draft.top
    if not brought and top is not None and is_judging(state.draft.items[top[2]].text):
        given = marks(state.meta, [relation])
        if given:
            return Measure(given[0], "avg")
    if sums:
        return Measure((brought or sums)[0], "measure")
    if (amount := _amount_of(state, relation)) is not None:
        return Measure(amount, "sum")
    headline = f"{relation}.{(state.meta.relation(relation).meta or {}).get('headline')}"
    if headline in state.meta.members and state.meta.is_measure(headline):
        return Measure(headline, "measure")
    return Measure(None, "count", entity=relation)
