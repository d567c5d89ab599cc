"""Relations by their names: counted, ranked, grouped by, marked, or asked for their amount."""

from __future__ import annotations

from ..plans.plan import Aggregate, Measure
from ..schema.lexicon import Candidate
from ..words.text import singular
from .draft import Mention, OrderWish
from .measured import Measured
from .segments import Item
from .walker import EACH, PLAIN_BY, SMALL_WORDS

__all__ = ["Entities"]

_RANKING = frozenset("top bottom best worst leading strongest weakest biggest largest smallest".split())
_RANKED_BY = frozenset({"by", "based on", "in terms of", "according to"})


class Entities(Measured):
    """What the name of a relation says."""

    def entity(self, relation: str) -> None:
        # Before anything else is made of it: a denied relation is neither counted nor shown.
        if self.negated and self.is_absent(relation):
            self.draft.doubts.append(f"exists:{relation}:no")
            self.negated = False
            return
        if (
            self.draft.resolution.scope
            and relation not in self.draft.resolution.scope
            and self.meta.is_marker(relation)
        ):
            self.marker(relation)
            return
        self.draft.entities.append((relation, self.at))
        # What stands before the comma only says which rows.
        if self.prefix:
            return
        if self.takes_amount(relation):
            return
        if self.counting and not self.next_is_member_of(relation):
            aggregate: Aggregate = "count_distinct" if self.counting == "distinct" else "count"
            measure = Measure(None, aggregate, entity=relation)
            self.draft.counted_entities.append((relation, self.at))
            if self.order is not None:
                self.order.measure = measure
            elif self.group in ("by",) and self.group_text in PLAIN_BY and self.draft.top is not None:
                self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
                self.draft.add_measure(measure)
                self.group_used = True
            # An aggregate of a count: of each first, and then over all.
            elif self.agg in ("avg", "max", "min", "sum", "median") and not self.agg_used:
                self.draft.doubts.append(f"nested:{self.agg}")
                self.draft.add_measure(measure)
                self.agg_used = True
            else:
                self.draft.add_measure(measure)
            self.counting = None
            return
        if self.ranks_its_groups(relation):
            self.draft.counted_entities.append((relation, self.at))
            self.draft.add_measure(Measure(None, "count", entity=relation))
            return
        within = self.group_text in EACH and self.group is not None and not self.group_used
        if self.subject_of_superlative(relation) and not within:
            self.draft.grouped_entities.append((relation, self.at))
            return
        if self.is_ranked_by():
            measure = Measure(None, "count", entity=relation)
            self.draft.counted_entities.append((relation, self.at))
            self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
            self.draft.add_measure(measure)
            self.group_used = True
            return
        joined = self.group == "by" and self.group_used and bool(self.draft.dimensions) and self.continues()
        if self.group is not None and (not self.group_used or joined) and not self.next_is_member_of(relation):
            self.draft.grouped_entities.append((relation, self.at))
            label = self.meta.label_of(relation)
            if label is not None and self.group_text in EACH:
                self.draft.each.add(label)
            self.group_used = True

    def marker(self, relation: str) -> None:
        """``loss payment``: one of several relations that only mark rows of another, whose amount is meant."""
        self.draft.markers.append((relation, self.at))
        self.agg_used = self.agg_used or self.agg == "sum"
        after = self.peek()
        # The word belongs to the marked rows' amount, and would count them again.
        if after is not None and (after.is_cue("count") or after.text.lower() in ("amount", "amounts")):
            self.absorbed.add(self.at + 1)
        self.counting = None

    def heads_markers(self, item: Item) -> bool:
        """``total loss, which is the sum of loss payment, loss reserve``: a word that what is summed has in common."""
        named = [c for c in self.draft.resolution.choice.values() if isinstance(c, Candidate) and c.member is None]
        sharing = {c.relation for c in named if singular(item.text.lower()) in self.meta.words_of(c.relation)}
        return len({relation for relation in sharing if self.meta.is_marker(relation)}) > 1

    def takes_amount(self, relation: str) -> bool:
        """``total amount of premiums``, ``loss payment amount``: the amount of what is named."""
        at = self.at - 1
        while at > 0 and self.items[at].kind == "value":  # the total amount of *open* invoices
            at -= 1
        before, after = self.items[at] if at >= 0 else None, self.peek()
        summed = (
            self.agg in ("sum", "avg", "max", "min", "median")
            and not self.agg_used
            and before is not None
            and before.is_cue("agg")
            and "amount" in before.text.lower()
        )
        headed = (
            after is not None
            and (
                after.is_cue("count")
                and after.text.lower() in ("amount of", "the amount of")
                or self.is_amount_of(relation)
            )
            and not self.counting
        )
        amount = self.meta.amount_of(relation) if summed or headed else None
        if amount is None:
            return False
        if summed:
            self.agg_used = True
            self.measure_named(Measure(amount, self.agg))  # type: ignore[arg-type]  # a cue's aggregate
        else:
            self.absorbed.add(self.at + 1)
            self.draft.mentions.append(Mention(amount, self.at))
        return True

    def is_amount_of(self, relation: str) -> bool:
        """``expense reserve amount``: the amount of rows that a relation of keys only marks."""
        after = self.peek()
        return after is not None and after.text.lower() in ("amount", "amounts") and self.meta.is_marker(relation)

    def is_ranked_by(self) -> bool:
        """``bottom 3 plans by members``: what the superlative ranks is named already, and by how many of these."""
        top = self.draft.top
        by = self.group == "by" and not self.group_used and self.group_text in _RANKED_BY
        if top is None or not by or self.items[top[2]].text.lower() not in _RANKING:
            return False
        between = [self.chosen(place) for place in range(top[2] + 1, self.at)]
        named = [c for c in between if isinstance(c, Candidate)]
        last = self.draft.tokens[self.items[self.at].end - 1].lower
        many = last != singular(last)  # "by shop" groups
        return many and len(named) == 1 and not self.draft.measures and self.next_is_end()

    def next_is_end(self) -> bool:
        """Whether nothing is named behind this place that might be grouped by."""
        return not any(isinstance(self.chosen(place), Candidate) for place in range(self.at + 1, len(self.items)))

    def ranks_by_number(self, back: int) -> bool:
        """``best shop by revenue``: an adjective that says nothing of its own, and the number to go by behind it."""
        cue, by = self.items[back], self.peek()
        if back < 0 or not cue.is_cue("top") or cue.text.lower() not in _RANKING or by is None:
            return False
        return by.is_cue("group") and by.text.lower() in _RANKED_BY and self.next_is_number(self.at + 2)

    def next_is_number(self, place: int) -> bool:
        while place < len(self.items) and (
            self.items[place].text.lower() in SMALL_WORDS or self.items[place].is_cue("agg")
        ):
            place += 1
        named = self.chosen(place) if place < len(self.items) else None
        if not isinstance(named, Candidate):
            return place < len(self.items) and self.items[place].is_cue("count")
        path = named.member
        return path is None or self.meta.is_measure(path) or self.meta.is_number(path) and not self.meta.is_key(path)

    def subject_of_superlative(self, relation: str) -> bool:
        """``top 2 airlines``, ``which airline has the most flights``: the noun is what is ranked."""
        if self.next_is_member_of(relation) or self.draft.grouped_entities or self.counting:
            return False
        back = self.at - 1
        while back >= 0 and (self.items[back].kind == "number" or self.items[back].text.lower() in SMALL_WORDS):
            back -= 1
        named = self.chosen(back) if back > 0 else None
        if (
            isinstance(named, Candidate)
            and named.member is not None
            and self.meta.is_measure(named.member)
            and self.items[back - 1].is_cue("top")
        ):
            return True
        if self.ranks_by_number(back):
            return True
        if (
            back >= 0
            and self.items[back].is_cue("top")
            and self.items[back].text.lower() in ("top", "bottom")
            or back >= 0
            and self.draft.top is not None
            and self.draft.top[1] is not None
            and self.draft.top[2] in (back, back + 1)
        ):
            return True
        # A superlative later on ranks the noun that the question opened with.
        later = any(item.is_cue("top") for item in self.items[self.at + 1 :])
        return (
            later
            and (back < 0 or self.items[back].is_cue("ask") or self.draft.noun_number is not None)
            and len(self.draft.dimensions) == 0
        )

    def ranks_its_groups(self, relation: str) -> bool:
        """``repairs by fuel, top 2``: the groups of what is named are ranked, by how many of it they have."""
        if self.at > 0 or not any(item.is_cue("top") for item in self.items[self.at + 1 :]):
            return False
        by, group = self.peek(), self.chosen(self.at + 2)
        if by is None or not by.is_cue("group") or not isinstance(group, Candidate):
            return False
        comma = self.peek(3)
        groups = group.relation != relation if group.member is None else self.meta.is_category(group.member)
        return comma is not None and comma.text == "," and groups
