"""Superlatives of a plan: ``highest``, ``most``, ``top 10``, ``busiest``, ``is A higher than B``."""

from __future__ import annotations

from ..forms.partings import PARTINGS
from ..grammar.kinds import adjective_members, doers, labels_of, people
from ..linking.lexicon import load_lexicon
from ..plans.plan import Dimension, Measure
from ..schema.lexicon import Candidate
from ..schema.polarity import BEST, is_bad_when_high, is_judging
from ..walk.draft import OrderWish
from ..walk.resolve import FREQUENT
from ..walk.segments import Item
from ..walk.walker import SMALL_WORDS
from ..words.text import name_parts, singular, stem, verb_of_who
from ..words.thesaurus import related
from .groupings import Groupings

__all__ = ["Superlatives"]

_ASKING = frozenset("is are was were do does did has have had".split())
_HAVING = frozenset(("with", "had", "has", "have", "having", "brought", "made", "saw"))
_TIMELY = frozenset({"punctual", "prompt", "timely", "reliable"})
_LESS = frozenset("less fewer lower smaller shorter quieter earlier cheaper lighter younger slower".split())
_EACH_COSTS = frozenset({"cost", "pay", "paid", "earn", "spend", "weigh"})  # said of each of them
_BY_MUCH = frozenset("more less fewer higher lower bigger smaller larger greater better worse".split())
_OF_ONE = frozenset({"highest", "largest", "biggest", "greatest", "lowest", "smallest"})  # of single rows


class Superlatives(Groupings):
    """An extreme of a number, or an order with a limit."""

    def superlatives(self) -> None:
        """``highest``, ``most``, ``top 10``: an extreme of a number, or an order with a limit."""
        top = self.draft.top
        if top is None:
            return
        direction, number, place = top
        order = next((o for o in self.draft.orders if o.descending is None and o.measure is not None), None)
        self.adjective_measure(place)
        descending = direction == "desc"
        if order is not None and order.measure is not None:
            order.descending = descending
            self.default_limit(number, place)
            return
        if self.shape == "rows" and self.columns:
            numeric = self.numeric_after(place)
            if (
                numeric is not None
                and number is None
                and not self.draft.which
                and len(self.columns) == 1
                and not self.draft.listing
            ):
                self.shape, self.columns = "aggregate", []
                self.measures = [Measure(numeric, "max" if descending else "min")]
                return
            if numeric is not None:
                plain = [c for c in self.columns if c != numeric]
                if number is None and not plain:
                    self.shape, self.columns = "aggregate", []
                    self.measures = [Measure(numeric, "max" if descending else "min")]
                    return
                if (
                    plain
                    and not any(self.meta.profile(c).unique for c in plain)
                    and len(plain) <= 2
                    and not self.draft.listing
                ):
                    self.shape, self.columns = "aggregate", []
                    self.dimensions = [self.as_dimension(c) for c in plain]
                    self.measures = [Measure(numeric, self.default_aggregate(numeric))]
                    self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
                    self.default_limit(number, place)
                    return
                if not plain:  # the top three: of whom?
                    self.columns = [*labels_of(self.meta, numeric.split(".", 1)[0]), *self.columns]
                self.draft.orders.append(OrderWish(descending, member=numeric))
                self.default_limit(number, place)
                return
            self.shape, self.dimensions, self.columns = "aggregate", [self.as_dimension(c) for c in self.columns], []
            self.measures = [self.count_of(self.counted_after(place))]
            self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
            self.default_limit(number, place)
            return
        grouped_number = self.numeric_after(place, near=True)
        ranking = self.draft.which or self.asks_who() or self.has_the(place) or self.names_group(place)
        if grouped_number is not None and number is None and not ranking:
            for i, measure in enumerate(self.measures):
                if (
                    measure not in self.draft.measures
                    and measure.member == grouped_number
                    and measure.aggregate in ("avg", "sum")
                ):
                    self.measures[i] = Measure(grouped_number, "max" if descending else "min")
                    return
        if not self.measures:
            self.measures.append(self.count_of(self.counted_after(place)))
        if not self.dimensions and number is None:
            self.single_extreme(place, descending)
        if self.dimensions:
            self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
            self.default_limit(number, place)

    def who(self) -> None:
        """``who paid the most fines``: people are ranked, by name, where nobody else is."""
        if not self.asks_who() or self.dimensions or self.draft.top is None:
            return
        deed = self.deed_of_who()
        told = [deed] if deed is not None else list(self.scope)
        known = people(self.meta, told)
        doer = doers(self.meta, told) if not known else None
        label = known[0] if known else labels_of(self.meta, doer) if doer is not None else ()
        if not label or any(m.member in label for m in self.draft.mentions):
            return
        if len(label) > 1 and not all(self.raw_number(m) for m in self.draft.mentions):
            return  # somebody else is named
        key = self.meta.key_of(label[0].split(".", 1)[0]) if len(label) > 1 else None  # two may be called alike
        self.dimensions.extend(Dimension(path) for path in (*label, *([key] if key is not None else [])))
        named = [m for m in self.draft.mentions if self.raw_number(m)]
        direction, _, place = self.draft.top
        if len(named) == 1 and self.draft.items[place].text.lower() in _OF_ONE and not self.measures:
            self.measures = [Measure(named[0].member, "max" if direction == "desc" else "min")]
        elif deed is not None and not (named or self.measures):
            self.measures = [Measure(None, "count", entity=deed)]
        if (verb := verb_of_who(self.draft.tokens)) is not None:
            self.unread = [word for word in self.unread if word != self.draft.tokens[verb].text]

    def deed_of_who(self) -> str | None:
        """``who borrowed``: the rows of which it is known when that was done."""
        said = stem(self.draft.tokens[1].lower) if len(self.draft.tokens) > 1 else ""
        times = self.meta.times(self.meta.catalog.relations)
        return next((p.split(".", 1)[0] for p in times if said in {stem(w) for w in self.meta.parts(p)}), None)

    def asks_who(self) -> bool:
        return bool(self.draft.tokens) and self.draft.tokens[0].lower == "who"

    def has_the(self, place: int) -> bool:
        """``month with the highest revenue``: groups are ranked, of which each has its number."""
        before = [token.lower for token in self.draft.tokens[: self.draft.items[place].start]]
        while before and before[-1] in ("the", "our"):
            before.pop()
        return bool(before) and before[-1] in _HAVING and bool(self.dimensions)

    def names_group(self, place: int) -> bool:
        """``best month for revenue``: what the superlative stands before is a group, of which each has its number."""
        items = self.draft.items
        after = next((at for at in range(place + 1, len(items)) if items[at].text.lower() not in SMALL_WORDS), None)
        if after is None or not self.dimensions:
            return False
        chosen = self.draft.resolution.choice.get(after)
        grouped = isinstance(chosen, Candidate) and chosen.member in [d.member for d in self.dimensions]
        return grouped or items[after].kind == "grain"

    def single_extreme(self, place: int, descending: bool) -> None:
        """``longest delay``: of all rows, not the average that the model defines."""
        plain = self.meta.plain(self.measures[0]) if len(self.measures) == 1 else Measure()
        near = any(isinstance(self.draft.resolution.choice.get(at), Candidate) for at in (place + 1, place + 2))
        averaged = any(item.is_cue("agg", "avg") for item in self.draft.items)
        if near and not averaged and plain.member is not None and plain.aggregate == "avg" and not plain.conditions:
            self.measures[0] = Measure(plain.member, "max" if descending else "min")

    def most_frequent(self) -> None:
        """``busiest hour``, ``most popular year``: rows are counted by what follows, also when that is a number."""
        draft = self.draft
        if draft.top is None or draft.items[draft.top[2]].text.lower() not in FREQUENT:
            return
        if self.measures or draft.counting or draft.orders:
            return
        place = draft.top[2]
        at, number = next(
            ((m.place, m) for m in draft.mentions if m.place > place and self.meta.is_number(m.member)), (0, None)
        )
        near = at and all(draft.items[p].text.lower() in SMALL_WORDS for p in range(place + 1, at))
        if number is not None and near and (self.meta.is_category(number.member) or self.meta.is_small(number.member)):
            draft.mentions = [m for m in draft.mentions if m is not number and not self.meta.is_time(m.member)]
            self.dimensions = [d for d in self.dimensions if not self.meta.is_time(d.member)]
            self.dimensions.append(Dimension(number.member))
        if self.dimensions:
            self.measures.append(self.count_of(self.counted_after(place)))

    def claimed(self) -> None:
        """``is the cost in A higher than in B``: the two are the groups, and the words say yes or no."""
        draft = self.draft
        than = next((i for i, token in enumerate(draft.tokens) if token.lower == "than"), None)
        if than is None or draft.tokens[0].lower not in _ASKING:
            return
        self.claimed_of_parts(than)
        self.as_often(than)
        if self.dimensions:
            return
        said = [(c, draft.items[p].start) for _, c, p in self.conditions if c.operator == "in" and c.part is None]
        said = [(c, start) for c, start in said if len(c.values) == 1]
        for one, start in said:
            for other, later in said:
                if one.member == other.member and start < than < later and one.values != other.values:
                    words = {token.lower for token in draft.tokens[start:than]}
                    less = bool(words & _LESS) or "worse" in words and not self.bad_when_high(None)
                    less = less or "better" in words and self.bad_when_high(None)
                    if words & _TIMELY and self.bad_when_high(None):  # the more punctual has less of a delay
                        less = not less
                    self.claim = ("<" if less else ">", one.values[0], other.values[0])
                    draft.compare = True
                    draft.mentions = [m for m in draft.mentions if m.member != one.member]
                    numbers = [m for m in draft.mentions if self.raw_number(m)]
                    if not self.measures and not numbers and self.compare_how_often(than):
                        return
                    if not self.measures and not numbers:
                        self.compare_by_adjective(one.member.split(".", 1)[0], start, than)
                    elif not self.measures and words & _EACH_COSTS:
                        draft.mentions = [m for m in draft.mentions if m not in numbers[:1]]
                        self.measures = [Measure(numbers[0].member, "avg")]
                    return

    def claimed_of_parts(self, than: int) -> None:
        """``are morning rides shorter than evening rides``: two parts of the day are the groups."""
        parts = [item for item in self.draft.items if item.grain is not None and item.grain.unit in PARTINGS]
        if len(parts) != 2 or not parts[0].start < than < parts[1].start or self.claim:
            return
        words = {token.lower for token in self.draft.tokens[parts[0].start : than]}
        less = bool(words & _LESS) != bool(words & _TIMELY and self.bad_when_high(None))
        self.claim = ("<" if less else ">", *(item.text.lower() for item in parts))
        self.draft.compare = True
        told = words & (_BY_MUCH | _LESS)
        self.unread = [word for word in self.unread if word.lower() not in told]
        self.draft.unread = [word for word in self.draft.unread if word.lower() not in told]
        if not self.measures and self.compare_how_often(than):
            self.draft.mentions = [m for m in self.draft.mentions if not self.meta.is_time(m.member)]

    def as_often(self, than: int) -> None:
        """``are A's orders returned more often than B's``: by the model's own rate of it, not by how many there are."""
        known = self.meta.members.get(self.measures[0].member or "") if len(self.measures) == 1 else None
        often = {token.lower for token in self.draft.tokens[max(0, than - 2) : than]} & {"often", "frequently"}
        if known is None or known.agg_type != "count" or not often:
            return
        kind = set(self.meta.parts(known.path)) - {"count", "number", "total"}
        rates = [
            m.path for m in self.meta.relation(known.relation).members.values()
            if m.kind == "measure" and str(m.format or "").startswith("percent") and m.path in self.meta.members
            and set(self.meta.parts(m.path)) - {"share", "rate", "percentage", "ratio"} == kind
        ]  # fmt: skip
        if kind and len(rates) == 1:
            self.measures = [Measure(rates[0], "measure")]

    def compare_how_often(self, than: int) -> bool:
        """``are JFK flights more delayed than others``, ``delayed more often``: how many of each, not how many."""
        draft = self.draft
        said = {token.lower for token in draft.tokens[max(0, than - 3) : than]}
        flags = [
            (c, place) for _, c, place in self.conditions
            if c.operator == "true" and draft.items[place].text.lower().endswith(("ed", "late"))
        ]  # fmt: skip
        near = [c for c, place in flags if draft.items[place].end == than or "often" in said]
        if len(near) != 1 or not said & (_BY_MUCH | {"often"}):
            return False
        self.measures = [Measure(None, "share_true", (near[0],), entity=near[0].member.split(".", 1)[0])]
        self.conditions = [entry for entry in self.conditions if entry[1] is not near[0]]
        told = _BY_MUCH | {"often", "than"}
        self.unread = [word for word in self.unread if word.lower() not in told]
        draft.unread = [word for word in draft.unread if word.lower() not in told]
        return True

    def compare_by_adjective(self, relation: str, start: int, than: int) -> None:
        """``are men heavier than women``: by what the adjective measures; by their number where it is ``more``."""
        words = [token.lower for token in self.draft.tokens[start : than + 1]]
        for at, word in enumerate(words):
            entry = next((e for n, e in load_lexicon().at(tuple(words[at:])) if e.hints and word not in _BY_MUCH), None)
            if entry is None:
                continue
            relations = [relation, *(r for r in self.scope if r != relation)]
            found = adjective_members(self.meta, relations, entry.hints, entry.turned)
            known = [p for p, turned in found if p in self.meta.members and not turned and self.meta.is_number(p)]
            if not known:
                self.draft.unmet.append(word)
                return
            self.draft.unread = [said for said in self.draft.unread if said.lower() != word]
            self.unread = [said for said in self.unread if said.lower() != word]
            self.measures.append(Measure(known[0], "avg"))
            return
        self.measures.append(self.count_of(None))

    def adjective_measure(self, place: int) -> None:
        """``most profitable``, ``cheapest``: the adjective names the number."""
        words = [w for w in self.draft.items[place].text.lower().split() if w not in ("most", "least", "the")]
        targets = related(stem(words[-1])) if words else frozenset()
        if not targets or self.measures or any(self.raw_number(m) for m in self.draft.mentions):
            return
        for relation in self.scope:
            for member in self.meta.relation(relation).members.values():
                path = member.path
                if path not in self.meta.members or not {stem(p) for p in self.meta.parts(path)} & targets:
                    continue
                if member.kind == "measure":
                    self.measures.append(Measure(path, "measure"))
                elif self.meta.is_number(path) and not self.meta.is_key(path) and self.columns != [path]:
                    self.measures.append(Measure(path, self.default_aggregate(path)))
                else:
                    continue
                if self.shape == "rows":
                    self.shape, self.dimensions, self.columns = (
                        "aggregate",
                        [self.as_dimension(c) for c in self.columns],
                        [],
                    )
                return

    def judge(self) -> None:
        """``best`` and ``worst`` point up or down by what they are said of."""
        top = self.draft.top
        if top is None or not is_judging(text := self.draft.items[top[2]].text):
            return
        order = next((o for o in self.draft.orders if o.descending is None and o.measure is not None), None)
        self.draft.top = ("desc" if (text.lower() in BEST) != self.bad_when_high(order) else "asc", *top[1:])
        self.judge_by_small()

    def judge_by_small(self) -> None:
        """``best topic by satisfaction``: a number of few values is what the best is known by, and groups nothing."""
        by = [d for d in self.dimensions if self.meta.is_number(d.member) and not d.bin and self.judges(d.member)]
        others = self.draft.mentions or self.draft.grains or self.draft.grouped_entities or len(self.dimensions) > 1
        if len(by) == 1 and others and not self.measures:
            self.dimensions = [d for d in self.dimensions if d is not by[0]]
            self.measures.append(Measure(by[0].member, self.default_aggregate(by[0].member)))

    def judges(self, member: str) -> bool:
        return self.meta.is_small(member) and not self.meta.is_key(member) and not self.meta.is_year(member)

    def bad_when_high(self, order: OrderWish | None) -> bool:
        """Whether much is bad of the number that is spoken of; of the rows that are meant, where there is none."""
        known = [*self.measures, *([order.measure] if order is not None and order.measure is not None else [])]
        members = [m.member for m in known if m.member] + [
            m.member for m in self.draft.mentions if self.raw_number(m) or self.meta.is_measure(m.member)
        ]
        said = [c for m in known for c in m.conditions]
        if not members and not said:
            said = [c for _, c, _ in (self.conditions or self.draft.conditions) if c.member]
            members = [m.member for m in self.draft.mentions if self.meta.member(m.member).type == "boolean"]
        counted = {m.entity for m in known if m.entity} | {r for r, _ in self.draft.counted_entities}
        counted = counted or {r for r, _ in self.draft.entities}  # "worst month for complaints"
        words = [part for path in members for part in self.meta.parts(path)]
        words += [part for c in said for part in (*self.meta.parts(c.member), *name_parts(str(c.values)))]
        words += [word for r in counted for word in self.meta.words_of(r)] if not members else []
        return is_bad_when_high(words)

    def numeric_after(self, place: int, near: bool = False) -> str | None:
        """The number (or date) named right after a superlative."""
        for at in range(place + 1, len(self.draft.items)):
            chosen = self.draft.resolution.choice.get(at)
            if isinstance(chosen, Candidate) and chosen.member is not None and at not in self.described:
                if (
                    self.meta.is_number(chosen.member)
                    and not self.meta.is_key(chosen.member)
                    or self.meta.is_time(chosen.member)
                ):
                    return chosen.member
                if near:
                    return None
            if self.draft.items[at].is_cue("group") and near:
                return None
        for mention in self.draft.mentions:
            asked = self.draft.which and mention.place < place and self.meta.is_category(mention.member)
            if asked:  # "which hours have the most delays": hours are told, not ranked by
                continue
            if not near and self.meta.is_number(mention.member) and not self.meta.is_key(mention.member):
                return mention.member
        return None

    def counted_after(self, place: int) -> str | None:
        """The rows named behind a superlative, which are no groups (``most popular class at each club``)."""
        items = self.draft.items
        behind = [(relation, at) for relation, at in self.draft.entities if at > place]
        return next((relation for relation, at in behind if not items[at - 1].is_cue("group")), None)

    def default_limit(self, number: int | None, place: int) -> None:
        text = self.draft.items[place].text.lower() if place < len(self.draft.items) else ""
        number = number if number is not None else self.draft.noun_number
        lone = self.right_after(place)
        several = lone if lone is not None else text in ("top", "bottom")
        several = not self.asks_who() and (several or self.plural_subject(place))
        value = number if number is not None else 10 if several else 1
        each = [i for i, d in enumerate(self.dimensions) if d.member in self.draft.each or d.member in self.each_labels]
        if len(self.dimensions) == 2 and len(each) == 1:
            self.limit_per = each[0]
        self.limit = value

    def right_after(self, place: int) -> bool | None:
        """Whether the noun right after a superlative is in the plural; None where no noun stands there."""
        items = self.draft.items
        noun = items[place + 1] if place + 1 < len(items) else None
        if (
            noun is None
            or noun.kind not in ("name", "grain")
            or items[place].text.lower() in ("most", "least", "fewest")
        ):
            return None
        last = self.head_of(noun)
        chosen = self.draft.resolution.choice.get(place + 1)
        if not isinstance(chosen, Candidate) or chosen.member is not None and not self.meta.is_category(chosen.member):
            return None
        if chosen.member is not None and self.meta.member(chosen.member).meta.get("kind") == "level":
            return None  # the worst ratings are of one
        return last != singular(last)

    def head_of(self, noun: Item) -> str:
        """The word that says what a noun is: *cause* of ``cause of the crashes``."""
        said = [token.lower for token in self.draft.tokens[noun.start : noun.end]]
        return said[said.index("of") - 1] if "of" in said[1:] else said[-1]

    def plural_subject(self, place: int) -> bool:
        """``which countries have the most``: several are asked for."""
        for at, item in enumerate(self.draft.items[:place]):
            if (
                item.kind == "name"
                and at
                and (
                    self.draft.items[at - 1].is_cue("ask", "which")
                    or self.draft.items[at - 1].text.lower() in ("which", "what", "are", "are the", "the")
                )
            ):
                last = self.draft.tokens[item.end - 1]
                return last.lower != singular(last.lower)
        return False
