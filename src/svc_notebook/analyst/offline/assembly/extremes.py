"""Extremes of entities: the busiest store, the most expensive product, the last ten sales."""

from __future__ import annotations

from dataclasses import replace

from ..grammar.kinds import adjective_members, people
from ..linking.lexicon import load_lexicon
from ..plans.plan import Dimension, Measure
from ..schema.money import amounts, goes_out, is_amount
from ..schema.polarity import is_judging, marks
from ..schema.values import ValueMatch
from ..walk.draft import OrderWish
from ..walk.measurements import measured_in, measured_scope
from ..walk.resolve import RANKED
from ..walk.walker import SMALL_WORDS
from ..words.text import singular, stem
from ..words.thesaurus import related
from .spans import Spans

__all__ = ["Extremes"]

_LATE = frozenset({"latest", "newest", "most recent", "most recently", "last", "youngest"})
_EARLY = frozenset({"earliest", "oldest", "first", "least recent"})
_ADDING_UP = frozenset({"top", "best", "biggest", "largest", "leading", "strongest", "bottom", "worst", "smallest"})
_JUDGING = frozenset({"top", "best", "worst", "bottom", "strongest", "weakest", "leading"})
_AGED = frozenset({"oldest", "youngest", "newest"})
_MADE = frozenset("built founded established constructed made published released painted composed written".split())
_BIRTH = frozenset({"birth", "born", "birthday"})
_SHOWN = 6


class Extremes(Spans):
    """Superlatives of a relation's rows, and of what other rows say of it."""

    def entity_extreme(self) -> None:
        """Rank the rows of the entity a superlative speaks of, by a member of theirs or by what points at them."""
        draft = self.draft
        if draft.top is None or draft.measures or draft.counting or draft.orders or self.numbers_named():
            return
        direction, number, place = draft.top
        entity = self.ranked_entity(place)
        if entity is None or self.draft.tokens[0].lower == "who" and not people(self.meta, [entity]):
            return
        text = draft.items[place].text.lower()
        member, flipped = self.ranking_member(entity, text)
        if member is not None:
            descending = (direction == "desc") != flipped
            if draft.when and self.meta.is_time(member):
                self.measures, draft.grouped_entities = [Measure(member, "max" if descending else "min")], []
                draft.top = None
                return
            self.rank_rows(entity, member, descending, number, place)
            return
        label, fact = self.meta.label_of(entity), self.scope[0]
        if text in RANKED and label is not None and fact != entity and self.meta.facts_of(entity) == fact:
            draft.grouped_entities = [g for g in draft.grouped_entities if g[0] != entity]
            self.dimensions.append(Dimension(label))
            self.measures = [self.main_measure(fact) if text in _ADDING_UP else Measure(None, "count", entity=fact)]

    def numbers_named(self) -> bool:
        return any(self.raw_number(m) or self.meta.is_time(m.member) and not m.role for m in self.draft.mentions)

    def ranked_entity(self, place: int) -> str | None:
        """The relation right after a superlative, or the one a question with *which* opens with."""
        items, entities = self.draft.items, {at: name for name, at in self.draft.entities}
        at = place + 1
        while at < len(items) and (items[at].kind == "number" or items[at].text.lower() in SMALL_WORDS):
            at += 1
        if at in entities:
            return entities[at]
        said = self.draft.resolution.choice.get(at)
        if isinstance(said, ValueMatch) and not entities:
            return said.member.split(".", 1)[0]  # the longest documentary: what has that value
        first = min(entities, default=None)
        after = [at for at in range(place + 1, len(items)) if items[at].kind in ("name", "value", "quoted")]
        asks = self.draft.which and first is not None and first < place and not after
        return entities[first] if asks and first is not None else None

    def ranking_member(self, entity: str, text: str) -> tuple[str | None, bool]:
        """The number or time of an entity that an adjective compares by, and whether a high one means a low rank."""
        words = [word for word in text.split() if word not in ("most", "least", "the")]
        targets = related(stem(words[-1])) if words else frozenset()
        own = [
            m.path
            for m in self.meta.relation(entity).members.values()
            if m.kind == "dimension" and m.path in self.meta.members
        ]
        numbers = [p for p in own if self.meta.is_number(p) and not self.meta.is_key(p)]
        for path in numbers:
            if {stem(part) for part in self.meta.parts(path)} & targets and not self.meta.is_year(path):
                return path, False
        if text not in _LATE | _EARLY:
            return self.adjective_member(entity, text) or (None, False)
        times = [p for p in own if self.meta.is_time(p)] or [p for p in numbers if self.meta.is_year(p)]
        made = [p for p in [*times, *numbers] if self.is_made(p)]
        if made and text in _AGED:
            return made[0], text in ("oldest", "youngest")
        dated = [*times, *(p for p in numbers if self.meta.is_year(p))]
        born = [p for p in dated if _BIRTH & set(self.meta.parts(p))]
        chosen = (born or times)[:1] if text in ("oldest", "youngest") else times[:1]
        return (chosen[0], text in ("oldest", "youngest")) if chosen else (None, False)

    def adjective_member(self, entity: str, text: str) -> tuple[str, bool] | None:
        """The one member of an entity that an adjective measures, and whether a high one means a low rank."""
        for size, entry in load_lexicon().at(tuple(text.split())):
            if entry.operator == "superlative" and entry.hints and size == len(text.split()):
                found = [
                    (path, turned)
                    for path, turned in adjective_members(self.meta, [entity], entry.hints, entry.turned)
                    if path in self.meta.members
                ]
                return found[0] if found else None
        return None

    def is_made(self, path: str) -> bool:
        """Whether a time or year says when something came to be, and not when it came here."""
        parts = set(self.meta.parts(path))
        if self.meta.is_year(path):
            return bool(parts & (_MADE | {"created", "creation"}))
        return self.meta.is_time(path) and bool(parts & _MADE)

    def rank_rows(self, entity: str, member: str, descending: bool, number: int | None, place: int) -> None:
        draft = self.draft
        draft.grouped_entities = [g for g in draft.grouped_entities if g[0] != entity]
        if self.dimensions or draft.mentions:
            return
        self.rank_alone(entity, member, descending, number, place)

    def rank_alone(self, entity: str, member: str, descending: bool, number: int | None, place: int) -> None:
        """Rows of an entity in the order of a member, with all they are known by where they have no name."""
        draft, label = self.draft, self.meta.label_of(entity) or member
        also: list[str] = []
        if label == member or self.meta.is_key(label):
            own = [m.path for m in self.meta.relation(entity).members.values() if self.meta.members.get(m.path) is m]
            also = [p for p in own if self.meta.member(p).kind == "dimension" and not self.meta.is_key(p)]
        self.shape, self.columns = "rows", list(dict.fromkeys([label, member, *also[:_SHOWN]]))
        draft.orders.append(OrderWish(descending, member=member))
        draft.top, self.limit = None, self.how_many(number, place)

    def how_many(self, number: int | None, place: int) -> int:
        return number or self.draft.noun_number or (10 if self.several(place) else 1)

    def several(self, place: int) -> bool:
        """Whether the noun after a superlative is in the plural."""
        items, entities = self.draft.items, {at for _, at in self.draft.entities}
        named = [at for at in range(place + 1, len(items)) if items[at].kind == "name"]
        noun = next((items[at] for at in named if at in entities), items[named[0]] if named else None)
        last = self.draft.tokens[noun.end - 1].lower if noun is not None else ""
        return last != singular(last)

    def speak_for_rows(self) -> None:
        """``best month``, ``top product``, ``France against Spain``: where nothing is said to be counted, the amount
        that speaks for the rows is meant, not their number.
        """
        draft = self.draft
        if self.shape != "aggregate" or [m.aggregate for m in self.measures] != ["count"]:
            return
        said = bool(draft.measures or draft.counting or draft.counted_entities or self.measures[0].conditions)
        counted = {relation for relation, _ in draft.entities}
        if not said and self.scope[0] not in counted and (path := self.measured_alone()) is not None:
            self.rank_by_measured(Measure(path, "sum" if self.meta.adds_up(path) else "avg"))
            return
        said = said or bool(draft.mark) or not self.dimensions
        judged = any(item.kind == "cue" and item.text.lower() in _JUDGING for item in draft.items)
        against = any(item.is_cue("group", "versus") for item in draft.items) or draft.compare
        if not said and self.scope[0] not in counted and (judged or against):
            self.rank_by_measured(self.main_measure(self.scope[0]))

    def measured_alone(self) -> str | None:
        """``electricity per month``: what rows that are measurements measure, where values alone say which."""
        chosen = self.draft.resolution.choice.items()
        known = measured_scope(chosen, self.draft.items, self.meta) == self.scope
        return measured_in(self.meta, self.scope[0]) if known else None

    def rank_by_measured(self, measure: Measure) -> None:
        count, self.measures = self.measures[0], [measure]
        self.draft.orders = [replace(o, measure=measure) if o.measure == count else o for o in self.draft.orders]

    def amount_of(self, relation: str) -> str | None:
        """The one number of a relation's rows that is called an amount of money that comes in."""
        own = [p for p in amounts(self.meta) if p.split(".", 1)[0] == relation and p in self.meta.members]
        taken = [p for p in own if is_amount(self.meta, p) and not goes_out(self.meta, p)]
        return taken[0] if len(taken) == 1 and self.meta.times([relation]) else None

    def main_measure(self, relation: str) -> Measure:
        """The sum of money that a relation's model defines first (of those that bring some, where there are any), else
        the marks its rows were given where they are judged, else its ``headline``, else the number of its rows.
        """
        members = [m for m in self.meta.relation(relation).members.values() if m.path in self.meta.members]
        sums = [m.path for m in members if m.kind == "measure" and m.agg_type == "sum" and m.currency]
        brought = [path for path in sums if not goes_out(self.meta, path)]
        top = self.draft.top
        if not brought and top is not None and is_judging(self.draft.items[top[2]].text):
            given = marks(self.meta, [relation])
            if given:
                return Measure(given[0], "avg")
        if sums:
            return Measure((brought or sums)[0], "measure")
        if (amount := self.amount_of(relation)) is not None:
            return Measure(amount, "sum")
        headline = f"{relation}.{(self.meta.relation(relation).meta or {}).get('headline')}"
        if headline in self.meta.members and self.meta.is_measure(headline):
            return Measure(headline, "measure")
        return Measure(None, "count", entity=relation)
