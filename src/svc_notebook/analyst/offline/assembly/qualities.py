"""Superlatives of a quality: *which airline flies the longest routes* ranks airlines by how long their routes are."""

from __future__ import annotations

from ..plans.plan import Dimension, Measure
from ..schema.lexicon import Candidate
from ..walk.draft import Mention, OrderWish
from ..walk.lasting import ends_in, usual_unit
from ..walk.resolve import FREQUENT
from ..walk.walker import SMALL_WORDS
from ..words.text import singular, stem
from ..words.thesaurus import ADJECTIVES
from .rankings import Rankings

__all__ = ["Qualities"]

_ON_THE_GROUND = frozenset(map(stem, "route way path road river trail trip ride journey street track line".split()))
_WAYS = frozenset({"distance", "km", "miles", "kilometers"})
_PACE = frozenset({"slowest", "fastest", "quickest"})
_JUDGED = frozenset({"best", "worst"})
_TWO_WORDS = frozenset({"windy", "windiest"})  # adjectives whose quality is said in two words, each of the other
_VAGUE = frozenset("highest lowest biggest largest greatest smallest most least best worst top bottom".split())


class Qualities(Rankings):
    """Adjectives that name a quality, said of one thing and asked of another."""

    def qualities(self) -> None:
        """Rank what was asked for by the number an adjective means; without such a number nothing is ranked."""
        draft = self.draft
        if draft.top is None or draft.measures or draft.counting or draft.orders:
            return
        if self.takes_longest() or self.numbers_named():
            return
        direction, number, place = draft.top
        text = draft.items[place].text.lower()
        if text in _JUDGED and self.is_judged_by_nothing():
            self.not_ranked(place)
            return
        adjective = text.split()[-1]
        if adjective not in ADJECTIVES or adjective in _VAGUE or text in FREQUENT or self.ranks_own_rows(place, text):
            return
        member = self.meant_number(adjective, place)
        if member is None:
            if adjective.endswith("st") or text.startswith(("most ", "least ")):
                self.not_ranked(place)
            return
        subject = self.asked_subject(place)
        if subject is None:
            return
        at, label = subject
        told = [m for m in draft.mentions if m.place > place and not self.is_condition_of(m)]
        draft.mentions = [m for m in draft.mentions if m not in told and m.place != at]
        draft.grouped_entities = [g for g in draft.grouped_entities if g[1] != at]
        self.dimensions.append(Dimension(label))
        known = self.meta.is_measure(member)
        self.measures.append(Measure(member, "measure") if known else Measure(member, "avg"))
        draft.orders.append(OrderWish(direction == "desc", measure=self.measures[-1]))
        noun = draft.tokens[draft.items[at].end - 1].lower
        draft.top, self.limit = None, number or draft.noun_number or (10 if singular(noun) != noun else 1)

    def takes_longest(self) -> bool:
        """``slowest courier``, ``which van delivers the fastest``: whose rows take longest from begin to end."""
        draft = self.draft
        assert draft.top is not None
        _, number, place = draft.top
        text = draft.items[place].text.lower()
        subject = self.asked_subject(place) or self.subject_behind(place)
        if text not in _PACE or subject is None or self.meant_number(text, place) is not None:
            return False
        at, label = subject
        relation = label.split(".", 1)[0]
        done = [m.member.split(".", 1)[0] for m in draft.mentions if m.place != at and self.meta.is_time(m.member)]
        fact = relation if ends_in(self.meta, relation) is not None else self.meta.facts_of(relation)
        fact = done[0] if done else fact
        ends = ends_in(self.meta, fact) if fact is not None else None
        others = [m for m in draft.mentions if m.place != at and m.member not in (ends or ())]
        if fact is None or ends is None or others or self.dimensions or self.has_ways(fact):
            return False
        scope = self.meta.scope([fact, relation], [fact])
        if scope is None:
            return False
        self.scope, self.shape, self.columns = scope, "aggregate", []
        draft.mentions, draft.grouped_entities = [], []
        self.dimensions = [Dimension(label)]
        self.measures = [Measure(ends[0], "span", other=ends[1], unit=usual_unit(self.meta, *ends), fold="avg")]
        draft.orders.append(OrderWish(text == "slowest", measure=self.measures[0]))
        noun = draft.tokens[draft.items[at].end - 1].lower
        draft.top, self.limit = None, number or (10 if singular(noun) != noun else 1)
        return True

    def has_ways(self, relation: str) -> bool:
        """Whether rows go some distance: how long that takes says nothing of how fast it is."""
        known = self.meta.relation(relation).members.values()
        return any(_WAYS & set(self.meta.parts(m.path)) for m in known if m.path in self.meta.members)

    def subject_behind(self, place: int) -> tuple[int, str] | None:
        """What stands right behind a superlative, and the member that names it."""
        at = place + 1
        while at < len(self.draft.items) and (
            self.draft.items[at].kind == "number" or self.draft.items[at].text.lower() in SMALL_WORDS
        ):
            at += 1
        chosen = self.draft.resolution.choice.get(at)
        if not isinstance(chosen, Candidate):
            return None
        member = chosen.member or self.meta.label_of(chosen.relation)
        return (at, member) if member is not None and self.meta.is_category(member) else None

    def not_ranked(self, place: int) -> None:
        """Say that a superlative has no number to rank by."""
        text = self.draft.items[place].text
        self.draft.unmet.append(text)
        self.unread.append(text)

    def is_judged_by_nothing(self) -> bool:
        """``worst airline``: neither a sum of money nor a number says what is good, nor rows that are bad."""
        judged = self.main_measure(self.scope[0])
        scores = [m for m in self.draft.mentions if self.raw_number(m)]
        known = scores or self.measures or self.draft.grains or self.bad_when_high(None)
        return judged.aggregate == "count" and not known

    def ranks_own_rows(self, place: int, text: str) -> bool:
        """Whether the rows of the entity right after an adjective have the number themselves."""
        entity = self.ranked_entity(place)
        asked = self.asked_subject(place)
        if entity is None or asked is not None and not self.names_entity(asked[0], entity):
            return False
        return self.ranking_member(entity, text)[0] is not None

    def names_entity(self, place: int, entity: str) -> bool:
        return (entity, place) in self.draft.entities

    def meant_number(self, adjective: str, place: int) -> str | None:
        """The number an adjective compares by: what it is said of tells a way from a time."""
        targets = ADJECTIVES[adjective].split()
        said = {self.draft.tokens[item.start].stem for item in self.draft.items if item.kind in ("name", "word")}
        if said & _ON_THE_GROUND and "distance" in targets:
            targets = ["distance", *(t for t in targets if t != "distance")]
        found: list[tuple[int, int, int, str]] = []
        for order, relation in enumerate(self.scope):
            for path in (m.path for m in self.meta.relation(relation).members.values()):
                if path not in self.meta.members or not self.is_comparable(path):
                    continue
                parts = {stem(part) for part in self.meta.parts(path)}
                rank = next((i for i, target in enumerate(targets) if stem(target) in parts), None)
                if rank is not None and not self.is_of_another(parts, adjective):
                    found.append((rank, order, self.meta.position[path], path))
        return min(found)[-1] if found else None

    def is_comparable(self, path: str) -> bool:
        if self.meta.is_measure(path):
            return self.meta.member(path).agg_type == "avg"
        return self.meta.is_number(path) and not self.meta.is_key(path) and not self.meta.is_year(path)

    def is_of_another(self, parts: set[str], adjective: str) -> bool:
        """Whether a number is what a more special adjective means (``wind speed`` of *windy*, not of *fast*)."""
        meant = (frozenset(map(stem, words.split())) for other, words in ADJECTIVES.items() if other in _TWO_WORDS)
        return adjective not in _TWO_WORDS and any(both <= parts for both in meant)

    def asked_subject(self, place: int) -> tuple[int, str] | None:
        """Where *which* asks for a thing, and the member that groups by it."""
        items = self.draft.items
        for at in range(1, place):
            if not (items[at - 1].is_cue("ask", "which") or items[at - 1].text.lower() in ("which", "what")):
                continue
            chosen = self.draft.resolution.choice.get(at)
            if not isinstance(chosen, Candidate):
                return None
            if chosen.member is None:
                label = self.meta.label_of(chosen.relation)
                return (at, label) if label is not None else None
            return (at, chosen.member) if self.meta.is_category(chosen.member) else None
        return None

    def is_condition_of(self, mention: Mention) -> bool:
        """Whether a name behind the adjective says a rule (``… from airports above …``)."""
        back = mention.place - 1
        while back >= 0 and self.draft.items[back].text.lower() in SMALL_WORDS:
            back -= 1
        return self.draft.top is None or back > self.draft.top[2]
