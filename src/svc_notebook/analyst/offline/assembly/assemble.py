"""From what was said to a plan: which mentions are measured, grouped by or listed, in what order, how many, drawn
how.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ..grammar.kinds import doers, labels_of, people
from ..plans.plan import Calculation, ChartWish, Condition, Dimension, Measure, Nested, Order, Plan
from ..schema.deeds import is_deed
from ..schema.lexicon import Candidate
from ..schema.states import STILL, end_in
from ..schema.superiors import superior_of, under_or_over
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..walk.lasting import ends_in
from ..walk.times import auto_grain
from .denials import denied_of_groups
from .periods_with import periods_with
from .qualities import Qualities

__all__ = ["assemble"]


_DENIALS = frozenset({"not", "never", "no", "without"})
_KEYS = frozenset({"id", "ids", "key", "keys", "code", "codes"})
_TOGETHER = frozenset({"together", "combined", "or", "all", "overall"})  # one number of several values
_KINDS = frozenset({"type", "types", "kind", "kinds", "category", "categories"})
_FREE, _CHARGED = frozenset({"free", "free of charge"}), frozenset({"charge", "charges", "charged", "cost"})
_BEING_THERE = frozenset("from come comes came live lives lived based located".split())
_PLACES = ("country", "nationality", "origin", "hometown", "state", "region", "city", "town")
_PRICES = frozenset("price fee cost fare charge postage rent amount paid tuition rate".split())
_HALVES_SAID = frozenset("first last given family forename forenames surname surnames".split())
_JOINED = 2  # items from one value to the next with an *and* between
_LINES = 6  # that are told apart at a glance
_MOMENTS = 400  # more different moments than these are not listed one by one


def assemble(draft: Draft) -> Plan | None:
    """The plan of a draft; None when nothing in it can be computed."""
    return _Assembly(draft).plan()


class _Assembly(Qualities):
    """The steps from a draft to its plan, in their order."""

    def plan(self) -> Plan | None:
        draft = self.draft
        self.conditions = self.bound_conditions()
        denied = denied_of_groups(draft, self.conditions)
        if denied is not None:
            return denied
        spans = periods_with(draft, self.conditions)
        if spans is not None:
            return spans
        self.superiors()
        self.free_of_charge()
        self.both_ways()
        self.sides()
        self.join_periods()
        self.conditional_measures()
        self.ratios()
        self.per_number()
        self.marked_amounts()
        self.judge()
        self.spans()
        self.absences()
        self.take_grains()
        self.said_extreme()
        self.first_to()
        self.qualities()
        self.entity_extreme()
        self.take_entities()
        self.claimed()
        self.most_frequent()
        self.restricting()
        self.states()
        self.deeds()
        self.who()
        self.take_mentions()
        self.listed_by()
        self.counted_deeds()
        self.superlatives()
        self.list_of_unique()
        if not self.measures and not self.columns:
            self.fall_back()
        if not self.measures and not self.columns and not self.dimensions:
            return None
        if self.shape == "aggregate" and not self.measures:
            self.measures.append(self.count_of(None))
        self.headed_by_kind()
        self.count_facts()
        self.count_kinds()
        self.speak_for_rows()
        self.refuse_sums_of_keys()
        self.merge()
        self.every_value()
        self.names_for_keys()
        self.whole_names()
        self.without_links()
        self.coarsen()
        self.nest()
        self.unify()
        self.having()
        self.order_wishes()
        self.limits()
        self.calculate()
        if self.nested is not None and not self.dimensions:
            self.orders = []  # one row
        if self.shape == "rows" and self.draft.unique and not any(o.by == "member" for o in self.orders):
            self.shape = "distinct"
        if (
            self.shape == "rows"
            and len(self.columns) == 1
            and not self.meta.is_number(self.columns[0])
            and not any(o.by == "member" for o in self.orders)
        ):
            self.shape = "distinct"
        told = {c.kind for c in self.calculations} | {m.aggregate for m in self.measures}
        percent = any(
            m.aggregate == "measure" and self.meta.member(m.member or "").format == "percent" for m in self.measures
        )
        if (
            self.shape == "aggregate"
            and "share" in draft.calculations
            and not percent
            and not told & {"share", "share_true", "ratio"}
            and draft.mark != "arc"
        ):
            draft.unmet.append("share")
        if len(draft.roles) > 1:
            draft.unmet.extend(sorted(draft.roles))  # a row has one role: two at once need the table twice
        scope = self.needed_scope()
        self.exists.extend(self.present(scope))
        return Plan(
            scope=scope,
            shape=self.shape,
            measures=tuple(self.measures),
            dimensions=tuple(self.dimensions),
            columns=tuple(self.columns),
            conditions=self.apart_from_shares(self.all_conditions()),
            alternatives=self.any_conditions(),
            exists=tuple(self.exists),
            having=tuple(self.havings),
            order=tuple(self.orders),
            limit=self.limit,
            limit_per=self.limit_per,
            calculations=tuple(self.calculations),
            hidden=tuple(self.hidden_measures),
            nested=self.nested,
            chart=self.chart_wish(),
            compare=draft.compare,
            claim=self.claim,
            unread=tuple(self.unread),
            notes=tuple(self.notes),
        )

    def apart_from_shares(self, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        """``return rate by shop``: a share of all rows, and not of those that have what it is a share of."""
        shared = {
            (c.member, c.operator, c.values)
            for m in self.measures
            if m.aggregate == "share_true" and m.divided_by is None
            for c in m.conditions
        }
        return tuple(c for c in conditions if (c.member, c.operator, c.values) not in shared)

    def superiors(self) -> None:
        """``who reports to Bruno``: those whose superior is called so; ``the manager of Clara``: hers."""
        draft = self.draft
        said = under_or_over(draft.tokens)
        if said is None:
            return
        side, at = said
        named = [c.member.split(".", 1)[0] for _, c, place in self.conditions if draft.items[place].start > at]
        superior = superior_of(self.meta, named[0]) if len(set(named)) == 1 else None
        if superior is None:
            return
        relation = named[0]
        words = {draft.tokens[place].text for place in (at, at + 1)}
        self.conditions = [entry for entry in self.conditions if draft.items[entry[2]].start > at]
        asked = superior
        if side == "under":
            asked = relation
            self.conditions = [
                (joint, replace(c, member=f"{superior}.{c.member.split('.', 1)[1]}"), place)
                for joint, c, place in self.conditions
            ]
        self.unread = [word for word in self.unread if word not in words]
        draft.mentions = []
        if not (draft.counting or draft.counted_entities):
            self.shape, self.columns = "rows", list(labels_of(self.meta, asked))

    def free_of_charge(self) -> None:
        """``free screenings``, ``sent free of charge``: what cost nothing, where one price says what a row cost."""
        said = {word.lower() for word in (*self.unread, *self.draft.unread)}
        place = next((p for p, item in enumerate(self.draft.items) if item.text.lower() in _FREE), None)
        if place is None or not said & _FREE:
            return
        members = [m.path for m in self.meta.relation(self.scope[0]).members.values() if m.kind == "dimension"]
        prices = [p for p in members if p in self.meta.members and self.meta.is_number(p) and self.is_price(p)]
        known = [p for p in prices if self.meta.profile(p).low == 0]
        if len(prices) == len(known) == 1:
            self.conditions.append(("and", Condition(known[0], "=", (0,), words="free"), place))
            self.unread = [word for word in self.unread if word.lower() not in _FREE | _CHARGED]
            self.draft.unread = [word for word in self.draft.unread if word.lower() not in _FREE | _CHARGED]

    def is_price(self, path: str) -> bool:
        return bool(self.meta.member(path).currency) or bool(_PRICES & set(self.meta.parts(path)))

    def headed_by_kind(self) -> None:
        """``fuel type`` where the column is called fuel: the noun behind says no more."""
        for place, item in enumerate(self.draft.items[1:], 1):
            named = self.draft.resolution.choice.get(place - 1)
            path = named.member if isinstance(named, Candidate) and named.full else None
            beside = self.draft.items[place - 1].end == item.start
            said = item.kind == "word" and item.text.lower() in _KINDS and item.text in self.unread
            if said and beside and path is not None and self.meta.member(path).type == "string":
                self.unread.remove(item.text)

    def first_to(self) -> None:
        """``the first customer to sign up``: what is done after *to* says by which time the first is told."""
        draft = self.draft
        entity = self.ranked_entity(draft.top[2]) if draft.top is not None else None
        done = [m for m in draft.mentions if self.meta.is_time(m.member) and self.is_infinitive(m.place)]
        if entity is None or draft.top is None or len(done) != 1 or done[0].member.split(".", 1)[0] != entity:
            return
        direction, number, place = draft.top
        if draft.items[place].text.lower() in ("first", "last", "earliest", "latest", "most recent"):
            draft.mentions = [m for m in draft.mentions if m is not done[0]]
            self.rank_rows(entity, done[0].member, direction == "desc", number, place)

    def is_infinitive(self, place: int) -> bool:
        start = self.draft.items[place].start
        return start > 0 and self.draft.tokens[start - 1].lower == "to"

    def states(self) -> None:
        """``active subscriptions``, ``how many are still open``: rows whose end is not known, where nothing of them is
        called so.
        """
        draft = self.draft
        for place, item in enumerate(draft.items):
            word = item.text.lower().removeprefix("still ")
            chosen = draft.resolution.choice.get(place)
            relation = self.subject_near(place) if word in STILL else None
            if relation is None or self.denied_before(place):
                continue
            if isinstance(chosen, ValueMatch) and chosen.member.split(".", 1)[0] == relation:
                continue  # it is a value of theirs
            if isinstance(chosen, Candidate) and chosen.member is not None:
                continue
            end = end_in(self.meta, relation, word)
            if end is None or self.said_of(end):
                continue
            self.conditions = [entry for entry in self.conditions if entry[2] != place]
            self.conditions.append(("and", Condition(end, "null", words=item.text), place))
            self.described.add(place)
            self.unread = [text for text in self.unread if text != item.text]

    def subject_near(self, place: int) -> str | None:
        """The relation that a word is said of: the one named nearest to it."""
        named = [(abs(at - place), relation) for relation, at in self.draft.entities + self.draft.counted_entities]
        named += [
            (abs(at - place), c.relation)
            for at, c in self.draft.resolution.choice.items()
            if isinstance(c, Candidate) and c.member is None
        ]
        return min(named)[1] if named else self.scope[0] if len(self.scope) == 1 else None

    def deeds(self) -> None:
        """``how many were admitted``: the rows for which a time is known, which nobody asks to see or to group by."""
        draft, kept = self.draft, []
        for mention in draft.mentions:
            place = mention.place
            said = draft.items[place].text.split() if place < len(draft.items) else []
            said = said[:1] if said[1:] in (["at"], ["on"], ["in"]) else said  # played at the hall
            before = draft.items[place - 1] if place else None
            ranked = (
                before is not None
                and before.is_cue("superlative")
                or draft.top is not None
                and draft.top[2] == place - 1
            )
            if said == ["open"] and not mention.role and (end := self.end_of(mention.member)) is not None:
                self.conditions.append(("and", Condition(end, "null"), place))  # "open tickets"
                self.described.add(place)
            elif mention.role or mention.axis or draft.when or ranked or not is_deed(self.meta, mention.member, said):
                kept.append(mention)
            elif self.denied_before(place):
                draft.unmet.append(draft.items[place].text)
            elif self.meta.profile(mention.member).missing and not self.said_of(mention.member):
                self.conditions.append(("and", Condition(mention.member, "not null"), place))
        draft.mentions = kept

    def counted_deeds(self) -> None:
        """``how many employees left``: those of whom it is known when, and not the different days."""
        chosen = [(at, c.member) for at, c in self.draft.resolution.choice.items() if isinstance(c, Candidate)]
        said = {path: at for at, path in chosen if path and is_deed(self.meta, path, self.draft.items[at].text.split())}
        for place, measure in enumerate(self.measures):
            member = measure.member
            if member not in said or measure.aggregate not in ("count_distinct", "count_values"):
                continue
            self.measures[place] = Measure(None, "count", entity=member.split(".", 1)[0])
            if self.meta.profile(member).missing and not self.said_of(member):
                self.conditions.append(("and", Condition(member, "not null"), said[member]))

    def every_value(self) -> None:
        """``salary of men and women``: all the values there are leave nothing out, so they are groups; so are those of
        which each has the number said again.
        """
        if self.shape != "aggregate" or _TOGETHER & {token.lower for token in self.draft.tokens}:
            return
        named: dict[str, set[str]] = {}
        for _, condition, _ in self.conditions:
            if condition.operator in ("=", "in") and condition.part is None:
                named.setdefault(condition.member, set()).update(map(str, condition.values))
        values, again = self.meta.values, self.measured_again()
        for member, said in named.items():
            every = set(map(str, values.members.get(member, ()))) if member in values.complete else set()
            each = again or self.averaged_of_each(member) or len(said) <= _LINES and self.each_over_time(member)
            if len(said) > 1 and each and not any(d.member == member for d in self.dimensions):
                self.dimensions.append(Dimension(member))
            elif len(said) > 1 and said == every and not any(d.member == member for d in self.dimensions):
                self.conditions = [entry for entry in self.conditions if entry[1].member != member]
                self.dimensions.append(Dimension(member))

    def averaged_of_each(self, member: str) -> bool:
        """``average age of male and female drivers``: nobody asks for one average of the two."""
        items, measures = self.draft.items, [self.meta.plain(m) for m in self.measures]
        if not measures or any(m.aggregate not in ("avg", "median") for m in measures) or self.draft.top is not None:
            return False
        places = [place for _, c, place in self.conditions if c.member == member]
        return any(
            two - one == _JOINED and items[one + 1].is_cue("logic", "and") and items[one].kind == items[two].kind
            for one, two in pairwise(sorted(places))
        )

    def each_over_time(self, member: str) -> bool:
        """``by month for Delta and JetBlue``: a line for each; *or* would say one for both."""
        places = [
            place for place, chosen in self.draft.resolution.choice.items()
            if isinstance(chosen, ValueMatch) and chosen.member == member
        ]  # fmt: skip
        grained = [d for d in self.dimensions if d.grain is not None]
        if len(self.dimensions) != 1 or not grained or len(places) < 2:
            return False
        between = self.draft.items[min(places) + 1 : max(places)]
        return any(item.is_cue("logic", "and") for item in between) and not any(
            i.is_cue("logic", "or") for i in between
        )

    def measured_again(self) -> bool:
        """``revenue in Rome and revenue in Paris``: what is said for each of two is not one number of both."""
        chosen = [c for c in self.draft.resolution.choice.values() if isinstance(c, Candidate)]
        named = [c.member for c in chosen if c.member is not None]
        measured = {self.meta.plain(m).member for m in self.measures} | {m.member for m in self.measures}
        return any(named.count(member) > 1 for member in measured if member is not None)

    def names_for_keys(self) -> None:
        """``in each ward``: groups are told by their names, unless their ids are asked for."""
        said = {token.lower for token in self.draft.tokens}
        for place, dimension in enumerate(self.dimensions):
            member = dimension.member
            keyed = self.meta.is_key(member) and not said & {*_KEYS, self.meta.parts(member)[-1]}
            label = self.meta.named_by(member) if keyed and not self.draft.axes else None
            if label is not None and all(d.member != label for d in self.dimensions):
                self.dimensions[place] = Dimension(label)

    def without_links(self) -> None:
        """``how many courses does each professor teach``: a professor, and whom a course points at, are one."""
        owners = {d.member.split(".", 1)[0]: d.member for d in self.dimensions if d.grain is None}
        for dimension in list(self.dimensions):
            here = dimension.member.split(".", 1)[0]
            others = [o for o in owners if o != here and (self.meta.join_keys(here, o) or ("",))[0] == dimension.member]
            if others and dimension.grain is None and len(self.dimensions) > 1:
                self.dimensions.remove(dimension)

    def end_of(self, start: str) -> str | None:
        """When what began then ended, where some of it has not."""
        ends = ends_in(self.meta, start.split(".", 1)[0])
        known = ends is not None and ends[0] == start and self.meta.profile(ends[1]).missing
        return ends[1] if ends is not None and known else None

    def denied_before(self, place: int) -> bool:
        """Whether a negation stands shortly before an item."""
        near = " ".join(item.text.lower() for item in self.draft.items[max(0, place - 3) : place]).split()
        return any(word in _DENIALS or word.endswith("n't") for word in near)

    def said_of(self, member: str) -> bool:
        return any(c.member == member for _, c, _ in self.conditions)

    def count_facts(self) -> None:
        """``top destinations of each airline``: rows counted by their own name are one each; those that point at them
        are meant.
        """
        for place, measure in enumerate(self.measures):
            counted = measure.entity if measure.member is None else (measure.member or "").split(".", 1)[0]
            own = counted is not None and any(self.tells_apart(d, counted) for d in self.dimensions)
            if not own or not self.is_count(measure) or self.shape != "aggregate":
                continue
            named = {d.member.split(".", 1)[0] for d in self.dimensions} | {r for r, _ in self.draft.entities}
            facts = [r for r in self.scope if r in named and r != counted and counted in self.meta.edges.get(r, ())]
            pointing = self.meta.facts_of(counted or "") if self.draft.top is not None else None
            if facts or pointing is not None:
                self.measures[place] = Measure(None, "count", entity=next(iter(facts), pointing))
            elif not self.draft.mark:
                self.draft.unmet.append(counted or "")

    def tells_apart(self, dimension: Dimension, relation: str) -> bool:
        """Whether a grouping has one row of a relation in each group."""
        whole = dimension.grain is None and dimension.bin is None and not self.meta.is_time(dimension.member)
        return whole and dimension.member.split(".", 1)[0] == relation and self.meta.profile(dimension.member).unique

    def count_kinds(self) -> None:
        """``in how many countries``: a member's different values are counted, not the rows that have one."""
        if self.draft.mark is not None or self.shape != "aggregate":
            return
        grouped = {d.member for d in self.dimensions}
        for place, measure in enumerate(self.measures):
            member = measure.member
            if measure.aggregate != "count_values" or member is None or member in grouped:
                continue
            kept = ("in", "=", "period") if self.meta.is_time(member) else ("in", "=")
            if any(c.member == member and c.operator in kept for _, c, _ in self.conditions):
                self.measures[place] = self.count_of(member.split(".", 1)[0])  # ``how many paid by card``: rows
            else:
                self.measures[place] = replace(measure, aggregate="count_distinct")

    def refuse_sums_of_keys(self) -> None:
        """Ids, codes and years are neither added up nor averaged, unless just that was said."""
        said = any(item.is_cue("agg") for item in self.draft.items)
        for measure in self.measures:
            member = measure.member
            if member is None or not (self.meta.is_key(member) or self.meta.is_year(member)):
                continue
            if measure.aggregate in ("sum", "avg") and not said:
                self.draft.unmet.append(member)

    def coarsen(self) -> None:
        """Moments of very many different values are grouped by a unit that gives a readable line."""
        for i, dimension in enumerate(self.dimensions):
            whole = dimension.grain is None and self.meta.is_time(dimension.member)
            if whole and self.meta.profile(dimension.member).distinct > _MOMENTS:
                self.dimensions[i] = Dimension(dimension.member, auto_grain(self.meta, dimension.member))

    def nest(self) -> None:
        """``average number of flights per day by carrier``: the count per day comes first, then its average."""
        said = next((d.split(":")[1] for d in self.draft.doubts if d.startswith("nested:")), None)
        said = said or self.averaged()
        if said is None or self.shape != "aggregate" or len(self.measures) != 1:
            return
        units = {unit for unit, _, adverb in self.draft.grains if not adverb}
        inner = next((d for d in self.dimensions if d.grain in units), None)
        inner = inner or next((d for d in self.dimensions if d.member in self.draft.each), None)
        if inner is None and len(self.dimensions) == 1 and self.draft.grouped_entities:
            inner = self.dimensions[0]
        inner = self.each_row(inner) if inner is not None else None
        counted = self.measures[0].entity or (self.measures[0].member or "").split(".", 1)[0]
        if inner is not None and self.is_count(self.measures[0]) and self.tells_apart(inner, counted):
            self.draft.unmet.append("per")  # one of each: something else is counted
        if inner is None:
            self.unread.append({"avg": "average", "min": "minimum", "max": "maximum"}.get(said, said))
        else:
            self.dimensions = [
                d for d in self.dimensions if d.member not in (inner.member, self.label_for(inner.member))
            ]
            if self.is_known_missing(inner.member):  # rows of nobody are no group that has a number
                self.merged.append(("and", Condition(inner.member, "not null"), len(self.draft.items)))
            self.nested = Nested(said, inner)  # type: ignore[arg-type]  # one of the aggregates that entity() notes

    def each_row(self, inner: Dimension) -> Dimension:
        """``visits per pet``: of each, also where many are called alike."""
        owner = inner.member.split(".", 1)[0]
        spoken = {relation for relation, _ in (*self.draft.grouped_entities, *self.draft.entities)}
        key = self.meta.key_of(owner)
        named = owner in spoken and inner.grain is None and inner.member == self.meta.label_of(owner)
        return Dimension(key) if named and key and not self.meta.profile(inner.member).unique else inner

    def label_for(self, key: str) -> str | None:
        """The name of the rows that a key tells apart."""
        owner = key.split(".", 1)[0]
        return self.meta.label_of(owner) if self.meta.key_of(owner) == key else None

    def is_known_missing(self, member: str) -> bool:
        known = {c.member for _, c, _ in self.merged if c.operator == "not null"}
        return member not in known and not self.meta.is_time(member) and bool(self.meta.profile(member).missing)

    def averaged(self) -> str | None:
        """``how many flights per week on average``: an average said of nothing but a number per unit or per thing."""
        if not any(doubt == "aggregate:avg" for doubt in self.draft.doubts):
            return None
        counted = (
            self.draft.counting or self.draft.counted_entities or self.measures and self.is_count(self.measures[0])
        )
        if len(self.draft.grains) == 1:
            return "avg" if (counted or self.adds_up()) and not self.draft.grains[0][2] else None
        self.take_owner()
        each = [d for d in self.dimensions if d.member in self.draft.each]
        alone = len(self.dimensions) == 1 and (bool(each) or bool(self.draft.grouped_entities))
        return "avg" if alone and (counted or self.adds_up()) else None

    def take_owner(self) -> None:
        """``how many visits does a member have on average``: whose they are, where nothing is grouped by."""
        counted = {relation for relation, _ in self.draft.counted_entities}
        others = [(r, place) for r, place in self.draft.entities if r not in counted]
        label = self.meta.label_of(others[0][0]) if len(others) == 1 and counted and not self.dimensions else None
        if label is not None and not self.exists:
            self.draft.grouped_entities = [others[0]]
            self.dimensions = [Dimension(label)]

    def adds_up(self) -> bool:
        """Whether the number is a sum, of which each group has its own."""
        return len(self.measures) == 1 and self.meta.plain(self.measures[0]).aggregate in ("sum", "count")

    def calculate(self) -> None:
        if "yoy" in self.draft.calculations:
            self.draft.calculations = [c for c in self.draft.calculations if c != "growth"]
        if self.draft.cumulative and self.timed([]) and "running" not in self.draft.calculations:
            self.draft.calculations.append("running")
        kinds = {
            "share": "share",
            "growth": "growth",
            "yoy": "year_ago_growth",
            "difference": "difference",
            "running": "running_total",
            "moving": "moving_average",
            "rank": "rank",
        }
        for said in dict.fromkeys(self.draft.calculations):
            if said in kinds and self.measures and self.dimensions and self.shape == "aggregate":
                if said == "share" and (
                    self.measures[0].aggregate == "share_true"
                    or self.draft.mark == "arc"
                    or self.measures[0].aggregate == "measure"
                    and self.meta.member(self.measures[0].member or "").format == "percent"
                ):
                    continue
                self.calculations.append(Calculation(kinds[said], 0, self.draft.window or 3))
                if said == "rank" and not self.orders:
                    self.orders = [Order("measure", 0, descending=True)]  # the first is told first

    def fall_back(self) -> None:
        """Only entities or conditions were named: a count, a list, or yes and no."""
        draft = self.draft
        if draft.having:
            counted = {m.entity for m, _, _ in draft.having}
            other = next((r for r, _ in draft.entities if r not in counted), None)
            label = self.meta.label_of(other) if other else None
            if label is not None:
                self.dimensions.append(Dimension(label))
                self.measures.append(draft.having[0][0])
                return
        if (place := self.asked_where()) is not None:
            self.dimensions.append(Dimension(place))
            self.measures.append(self.count_of(place.split(".", 1)[0]))
            said = {token.text for token in draft.tokens if token.lower in _BEING_THERE}
            self.unread = [word for word in self.unread if word not in said]
            return
        out = any(c.operator in ("above_average", "below_average") for _, c, _ in self.conditions)
        subject = next((r for r, _ in draft.entities if r not in {e.relation for e in self.exists}), None)
        label = self.meta.label_of(subject) if subject is not None else None
        if label is not None and (self.exists or out) and not (draft.counting or draft.yesno):
            self.columns, self.shape = [label], "distinct"
            return
        if (draft.entities or self.conditions) and not (draft.listing or draft.which):
            self.measures.append(self.count_of(None))
            return
        if draft.having and self.dimensions and not (draft.counting or draft.spread or draft.trend):
            self.measures, self.hidden_measures = [draft.having[0][0]], [0]  # which groups there are is asked, no more
            return
        if draft.counting or draft.spread or self.dimensions or draft.yesno or draft.trend:
            self.measures.append(self.count_of(None))
            return
        entity = next((relation for relation, _ in draft.entities), None)
        if entity is not None and (draft.which or draft.listing) or self.conditions:
            relation = entity or self.scope[0]
            label = self.meta.label_of(relation)
            if self.asks_who() and (near := self.asked_near(relation)):
                self.columns, self.shape = list(near), "distinct"
                self.unread = [word for word in self.unread if word != draft.tokens[1].text or not word.endswith("s")]
                return
            if draft.which and label is not None and len(draft.entities) > 0:
                self.columns, self.shape = [label], "distinct"
                return
            if self.asks_who() and (asked := self.asked_whom(relation)):
                self.columns, self.shape = list(asked), "distinct"
                return
            shown = [
                m.path
                for m in self.meta.relation(relation).members.values()
                if m.kind == "dimension" and m.path in self.meta.members
            ]
            self.columns, self.shape = shown[:12], "rows"

    def asked_whom(self, relation: str) -> tuple[str, ...]:
        """``who painted Still Life``: whom a row belongs to, where its own relation names nobody."""
        if people(self.meta, [relation]):
            return ()
        doer = doers(self.meta, [relation])
        return labels_of(self.meta, doer) if doer is not None and self.meta.leads_to(relation, doer) else ()

    def asked_where(self) -> str | None:
        """``where do our students come from``: the place that is known of each of them."""
        words = [token.lower for token in self.draft.tokens]
        named = {relation for relation, _ in self.draft.entities}
        if words[:1] != ["where"] or not set(words) & _BEING_THERE or len(named) != 1 or self.conditions:
            return None
        own = [m.path for m in self.meta.relation(next(iter(named))).members.values() if m.type == "string"]
        texts = [path for path in own if path in self.meta.members and not self.meta.is_key(path)]
        ends = [(self.meta.parts(path)[-1], path) for path in texts if self.meta.parts(path)]
        places = [(_PLACES.index(end), path) for end, path in ends if end in _PLACES]
        return min(places)[1] if places else None

    def asked_near(self, relation: str) -> tuple[str, ...]:
        """``who works in Chicago``: those whose rows point at the place, where nobody is named."""
        if people(self.meta, [relation]):
            return ()
        doer = doers(self.meta, [relation])
        near = doer is not None and self.meta.leads_to(doer, relation)
        return labels_of(self.meta, doer) if near and doer is not None else ()

    def whole_names(self) -> None:
        """``names of the professors``: a first name is half of one."""
        if self.shape not in ("rows", "distinct") or {t.lower for t in self.draft.tokens} & _HALVES_SAID:
            return
        for column in list(self.columns):
            pair = labels_of(self.meta, column.split(".", 1)[0])
            if len(pair) == 2 and column in pair and not set(pair) <= set(self.columns):
                at = self.columns.index(column)
                self.columns[at : at + 1] = pair

    def needed_scope(self) -> tuple[str, ...]:
        used = [m.member for m in self.measures if m.member] + [m.other for m in self.measures if m.other]
        used += [c.member for m in self.measures for c in (*m.conditions, *(m.divided_by or ()))]
        used += [self.nested.dimension.member] if self.nested is not None else []
        used += [d.member for d in self.dimensions] + self.columns + [c.member for _, c, _ in self.merged]
        used += [c.other for _, c, _ in self.merged if c.other] + [o.member for o in self.orders if o.member]
        used += [o.measure.member for o in self.orders if o.measure is not None and o.measure.member]
        used += [self.nested.dimension.member] if self.nested is not None else []
        relations = [path.split(".", 1)[0] for path in used if path]
        relations += [o.measure.entity for o in self.orders if o.measure is not None and o.measure.entity]
        relations += [m.entity for m in self.measures if m.entity and m.aggregate != "measure"]
        relations += [r for r, _ in self.draft.entities if self.meta.is_marker(r) and r in self.scope]
        self.exists = [e for e in self.exists if e.relation not in relations]
        absent = {e.relation for e in self.exists}
        if any(m.member is None and m.entity is None for m in self.measures) or not relations:
            relations += [relation for relation, _ in self.draft.entities if relation not in absent][:1] or [
                self.scope[0]
            ]
        scope = self.meta.scope(list(dict.fromkeys(relations)), [m.entity for m in self.measures if m.entity])
        if any(e.negated and e.relation in (scope or ()) for e in self.exists):
            self.draft.unmet.append("not")  # a condition leads through the very rows that there are none of
        return scope or self.scope

    def chart_wish(self) -> ChartWish:
        draft = self.draft
        channels = [(axis, member) for axis, member in draft.axes.items()]
        channels += [("color", member) for member in draft.series] + [("facet", member) for member in draft.facets]
        return ChartWish(
            draft.mark, draft.stacked, draft.grouped and not draft.stacked, draft.horizontal, draft.panels, draft.table,
            tuple(channels),
        )  # fmt: skip
