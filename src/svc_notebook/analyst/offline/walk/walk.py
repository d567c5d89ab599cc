"""One walk over the items, left to right: every name, value and number gets its use from the cues around it."""

from __future__ import annotations

from collections.abc import Sequence

from ..budget import Budget
from ..plans.plan import Condition
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..words.text import Token
from .draft import Draft, OrderWish
from .operands import Operands
from .resolve import Resolution
from .segments import Item
from .walker import PLAIN_BY

__all__ = ["walk"]


def walk(
    tokens: Sequence[Token],
    items: Sequence[Item],
    resolution: Resolution,
    metadata: Metadata,
    budget: Budget | None = None,
) -> Draft:
    """Collect what the items say into a :class:`~.draft.Draft`."""
    walker = _Walker(Draft(tokens, items, metadata, resolution))
    budget = budget or Budget()
    while walker.at < len(items):
        budget.spend(len(items))
        walker.step()
    walker.finish()
    return walker.draft


_DENYING = frozenset("never|without|didn't|don't|doesn't|did not|do not|does not|are not|is not|not|no".split("|"))


class _Walker(Operands):
    """The cues: what they leave pending for the names and values that follow."""

    def step(self) -> None:
        item = self.items[self.at]
        self.note_clause(item)
        handler = getattr(self, f"on_{item.kind}")
        handler(item)
        self.at += 1

    def finish(self) -> None:
        self.close_order()
        if self.negated and self.denies_nothing():
            self.draft.unmet.append("not")
        if self.counting:
            self.draft.counting = self.counting
        if self.agg and not self.agg_used:
            self.draft.doubts.append(f"aggregate:{self.agg}")

    def denies_nothing(self) -> bool:
        """``drugs that were never prescribed``: a denial that is followed by a word nobody knows."""
        unread = set(self.draft.unread)
        place = next((i for i in range(len(self.items) - 1, -1, -1) if self.items[i].is_cue("neg")), None)
        after = self.items[place + 1] if place is not None and place + 1 < len(self.items) else None
        return after is not None and after.text in unread

    def on_cue(self, item: Item) -> None:
        cue = item.cue
        if self.at in self.absorbed and (item.is_cue("top") or item.is_cue("count") or item.is_cue("group")):
            return
        assert cue is not None
        getattr(self, f"cue_{cue.kind}", self.cue_other)(item, cue.value)

    def cue_other(self, item: Item, value: str) -> None:
        return None

    def cue_agg(self, item: Item, value: str) -> None:
        nxt = self.peek()
        self.draft.cumulative = self.draft.cumulative or item.text.lower().startswith(("cumulative", "accumulated"))
        if value == "sum" and nxt is not None and nxt.is_cue("count"):
            return
        if (
            self.order is not None
            and self.order.descending is None
            and self.order.axis is None
            and item.text.lower() in ("total",)
        ):
            self.order.axis = "y"
        # Two aggregates before one name: both are of it.
        self.aggs = [*self.aggs, self.agg] if self.agg and not self.agg_used and self.agg != value else []
        self.agg, self.agg_used, self.counting = value, False, None

    def cue_count(self, item: Item, value: str) -> None:
        before = self.chosen(self.at - 1) if self.at else None
        if (
            item.text.lower() in ("count", "counts")
            and isinstance(before, Candidate)
            and before.member is not None
            and self.meta.is_number(before.member)
            and self.meta.is_small(before.member)
        ):
            return
        if self.order is not None and self.order.measure is None and self.ends_order():
            # A count behind an order is what orders.
            self.order.axis = self.order.axis or "y"
            return
        self.counting = value
        self.draft.cumulative = self.draft.cumulative or item.text.lower().startswith("cumulative")
        if (
            self.order is not None
            and self.order.measure is None
            and self.order.axis is None
            and self.order.member is None
        ):
            self.order.axis = "y"

    def ends_order(self) -> bool:
        """``order by the total number in desc``: nothing is counted anew, the number shown is what orders."""
        after = self.peek()
        shown = self.draft.mentions or self.draft.measures or self.draft.dimensions
        return bool(shown) and (after is None or after.is_cue("order") or after.is_cue("logic", "break"))

    def cue_unique(self, item: Item, value: str) -> None:
        if self.counting == "count":
            # "how many different": a count said first.
            self.counting = "distinct"
        self.draft.unique = True

    def cue_group(self, item: Item, value: str) -> None:
        text = item.text.lower()
        if self.prefix or text == "by" and self.names_doer():
            return
        # What is counted before a grouping are rows.
        self.flush_count()
        if self.order is not None:
            if text in PLAIN_BY and not self.order.member and not self.order.measure:
                return
            self.close_order()
        after = self.peek()
        if text in ("group", "grouped") and after is not None and after.is_cue("style"):
            # "grouped bars" is a style.
            return
        self.group, self.group_text, self.group_used = value, text, False
        if text != "by":
            # A new grouping ends an aggregate that has found its number.
            self.agg = None if self.agg_used else self.agg

    def cue_series(self, item: Item, value: str) -> None:
        self.flush_count()
        if value == "stack":
            self.draft.stacked = True
        if value == "facet":
            self.draft.panels = True
        self.series = value
        self.group, self.group_text, self.group_used = "by", item.text.lower(), False

    def cue_order(self, item: Item, value: str) -> None:
        if value == "by":
            self.close_order()
            after = self.chosen(self.skip_small(self.at + 1))
            # "rank airlines by delay" ranks rows by a number behind: the noun is what is ranked.
            if (
                item.text.lower() == "rank"
                and isinstance(after, Candidate)
                and (
                    after.member is None
                    or not self.meta.is_number(after.member)
                    and not self.meta.is_measure(after.member)
                )
            ):
                self.draft.orders.append(OrderWish(True, place=self.at))
                self.group, self.group_text, self.group_used = "by", "rank", False
                return
            self.order = OrderWish(place=self.at)
            if self.axis:
                self.order.axis, self.axis = self.axis, None
            return
        descending = value == "desc"
        ranked = [wish for wish in self.draft.orders if self.items[wish.place].text.lower() == "rank"]
        if ranked:  # "rank airlines by delay, lowest first"
            ranked[-1].descending = descending
        elif self.order is None:
            self.order = OrderWish(descending, place=self.at)
            if self.axis:
                self.order.axis, self.axis = self.axis, None
            if "alphabet" in item.text.lower() or "chronolog" in item.text.lower() or "lexico" in item.text.lower():
                self.order.axis = self.order.axis or "x"
        else:
            self.order.descending = descending if self.order.descending is None else self.order.descending

    def cue_axis(self, item: Item, value: str) -> None:
        if self.order is not None:
            if self.order.axis is None and self.order.member is None:
                self.order.axis = value
            return
        text = item.text.lower()
        if text in ("abscissa", "ordinate", "in columns", "in rows") and self.draft.mentions:
            self.draft.mentions[-1].axis = value
            self.draft.axes[value] = self.draft.mentions[-1].member
            return
        self.axis = value

    def cue_top(self, item: Item, value: str) -> None:
        if self.order is not None and self.order.descending is None and value != "worst":
            self.order.descending = value == "desc"
            return
        number = None
        nxt = self.peek()
        pair = self.items[self.at + 2] if self.at + 2 < len(self.items) else None
        # "highest and lowest": both ends of one number.
        if nxt is not None and nxt.is_cue("logic", "and") and pair is not None and pair.is_cue("top"):
            self.aggs = ["max" if value == "desc" else "min"]
            self.agg, self.agg_used = ("max" if pair.is_cue("top", "desc") else "min"), False
            self.absorbed.update((self.at + 1, self.at + 2))
            return
        if nxt is not None and nxt.kind == "number" and nxt.number is not None and float(nxt.number).is_integer():
            number = int(nxt.number)
            self.absorbed.add(self.at + 1)
        before = self.items[self.at - 1] if self.at else None
        # A number before it counts where it is small and whole ("5 biggest"); it was no value then.
        if (
            number is None
            and before is not None
            and before.kind == "number"
            and before.number is not None
            and (self.at - 1) not in self.absorbed
        ):
            after = self.peek()
            if after is not None and float(before.number).is_integer() and 0 < before.number <= 1000:
                number = int(before.number)
                self.absorbed.add(self.at - 1)
                if self.draft.unread and self.draft.unread[-1] == before.text:
                    self.draft.unread.pop()
        # The first one that says how many stays: later ones are of something else.
        if self.draft.top is None or number is not None:
            self.draft.top = (value, number, self.at)
        elif self.draft.top[1] is not None:
            self.draft.top = (
                (value, self.draft.top[1], self.at)
                if value != self.draft.top[0] and item.text.lower() not in ("most",)
                else self.draft.top
            )
        else:
            self.draft.doubts.append(f"top:{value}:{self.at}")
        self.agg = None if self.agg_used else self.agg

    def cue_compare(self, item: Item, value: str) -> None:
        if value in ("contains", "starts", "ends", "null", "not null"):
            self.text_condition(value)
            return
        place = self.skip_small(self.at + 1)
        # "more than the average" has cues of its own.
        if place < len(self.items) and self.items[place].is_cue("average") or self.against_average(place, value):
            return
        if value == "between":
            low = self.number_at(place)
            if low is None:
                return
            joined = self.skip_joiner(low[1])
            high = self.number_at(joined)
            if high is None:
                return
            self.give_numbers("between", (low[0], high[0]), high[2], high[1])
            return
        number = self.number_at(place)
        if number is not None:
            self.give_numbers(value, (number[0],), number[2], number[1])
            return
        before = self.items[self.at - 1] if self.at else None
        if (
            before is not None
            and before.kind == "number"
            and before.number is not None
            and item.text.lower().startswith(("or ", "and "))
        ):
            self.give_numbers(value, (before.number,), None, self.at + 1)
            return
        # Equality with a column, or a denial of what follows.
        if value in ("=", "!="):
            if not self.compares_columns(item, value, place):
                self.negated = value == "!=" or self.negated
            return
        if item.text.lower() == "over":
            # "over" compares nothing without a number: it groups along something.
            self.cue_group(item, "over")
            return
        if (
            "than" not in item.text.lower()
            and item.text[0] not in "<>"
            and "exceed" not in item.text.lower()
            and "surpass" not in item.text.lower()
        ):
            return
        self.compares_columns(item, value, place)

    def compares_columns(self, item: Item, value: str, place: int) -> bool:
        """``cost more than planned cost``: one column of a row with another."""
        candidate = self.chosen(place) if place < len(self.items) else None
        if not isinstance(candidate, Candidate) or candidate.member is None or self.last_member is None:
            return False
        if not self.comparable(self.last_member, candidate.member):
            return False
        if value in ("=", "!=") and not (self.meta.is_number(candidate.member) and self.member_close_before()):
            return False
        self.drop_mention(self.last_member)
        self.add_condition(Condition(self.last_member, value, other=candidate.member, words=item.text))
        self.absorbed.add(place)
        return True

    # A denial of rows takes all words up to their name; any other waits for the next condition.
    def cue_neg(self, item: Item, value: str) -> None:
        lacked = self.lacking() if item.text.lower() in _DENYING else None
        if lacked is not None:
            self.deny(lacked)
            return
        self.negated = True

    def cue_calc(self, item: Item, value: str) -> None:
        if value == "proportion":
            self.draft.mark = self.draft.mark or "arc"
            return
        # The window may be said before or behind ("3 month moving average", "over 3 months").
        if value == "moving":
            for place in range(max(0, self.at - 3), min(len(self.items), self.at + 4)):
                if self.items[place].kind == "number" and self.items[place].number is not None:
                    self.draft.window = int(self.items[place].number or 3)
                    self.absorbed.add(place)
        if value == "rank":
            self.group, self.group_text, self.group_used = "by", "rank", False
        self.draft.calculations.append(value)

    def cue_both(self, item: Item, value: str) -> None:
        self.draft.compare = True

    def cue_relate(self, item: Item, value: str) -> None:
        self.draft.relate = True

    def cue_spread(self, item: Item, value: str) -> None:
        self.draft.spread = True
        if "histogram" in item.text.lower():
            self.draft.mark = self.draft.mark or "bar"
            self.draft.bins = True

    def cue_mark(self, item: Item, value: str) -> None:
        if value == "table":
            self.draft.table = True
            return
        if (
            value == "point"
            and item.text.lower() in ("points", "dots")
            or value in ("bar", "line")
            and item.text.lower() in ("bar", "line", "bars", "lines")
        ):
            if self.order is not None and value == "bar":
                self.order.axis = self.order.axis or "x"
                return
            self.draft.mark = self.draft.mark or value
            return
        if "horizontal" in item.text.lower():
            self.draft.horizontal = True
        if "stack" in item.text.lower():
            self.draft.stacked = True
        self.draft.mark = value

    def cue_style(self, item: Item, value: str) -> None:
        if value == "stacked":
            self.draft.stacked = True
        if value == "grouped":
            self.draft.grouped = True
        if value == "horizontal":
            self.draft.horizontal = True

    def cue_trend(self, item: Item, value: str) -> None:
        self.draft.trend = True

    def cue_ask(self, item: Item, value: str) -> None:
        if value == "which":
            self.draft.which = True
            self.draft.listing = self.draft.listing or item.text.lower().startswith("what are")
        elif value == "list":
            self.draft.listing = True
            if item.text.lower() in ("draw", "plot"):
                self.draft.drawing = True
            # A second verb of showing begins a sentence that names the columns.
            if self.at and item.text.lower().startswith(("return", "list", "give", "show", "find", "provide")):
                said = self.draft.mentions or self.draft.entities or self.draft.measures or self.draft.dimensions
                self.draft.returned = self.at if said and self.draft.mark is None else None
                self.close_order()
                self.group, self.series = None, None
        elif value in ("why", "when", "yesno"):
            setattr(self.draft, value, True)

    def cue_logic(self, item: Item, value: str) -> None:
        if self.prefix and value in ("break", ","):
            self.prefix = False
            self.group, self.agg, self.counting = None, None, None
        if value == "break":
            # A new sentence keeps nothing pending but a count that nothing has taken.
            self.close_order()
            self.group, self.series, self.joiner, self.negated = None, None, "and", False
            self.agg = None if self.agg_used else self.agg
            self.counting = None if self.draft.measures else self.counting
            return
        if value == "or":
            self.joiner = "or"
        if (
            # A list of what is ordered by ends where something else begins.
            value in ("and", ",")
            and self.order is not None
            and (self.order.descending is not None or self.order.member or self.order.measure)
        ):
            nxt = self.peek()
            if nxt is not None and not nxt.is_cue("order") and not nxt.is_cue("axis"):
                self.close_order()

    def cue_bins(self, item: Item, value: str) -> None:
        self.draft.bins = True
        for place in range(max(0, self.at - 2), min(len(self.items), self.at + 4)):
            number = self.items[place].number
            if self.items[place].kind == "number" and number is not None and place not in self.absorbed:
                self.absorbed.add(place)
                if "number of" in item.text.lower() or self.counts_bins(place, item):
                    self.draft.bin_count = int(number)
                else:
                    self.draft.bin_width = number
                for unit in (place + 1, place + 2):
                    if unit < len(self.items) and self.items[unit].kind == "unit":
                        self.absorbed.add(unit)
                break
        nxt = self.peek()
        if (
            nxt is not None
            and isinstance(self.chosen(self.at + 1), Candidate)
            or item.text.lower() in ("bin", "binning", "binned")
        ):
            self.group, self.group_text, self.group_used = "by", "bin", False

    def cue_average(self, item: Item, value: str) -> None:
        behind = self.chosen(self.skip_small(self.at + 1)) if self.at + 1 < len(self.items) else None
        named = isinstance(behind, Candidate) and behind.member is not None and self.meta.is_number(behind.member)
        if self.averaged_last() and value in (">", "<") and not named:
            self.draft.having.append((self.draft.measures[-1], value, ()))
            return
        if self.last_member is not None and self.meta.is_number(self.last_member):
            self.drop_mention(self.last_member)
            self.add_condition(Condition(self.last_member, "above_average" if value == ">" else "below_average"))
            again = self.chosen(self.at + 1)
            if isinstance(again, Candidate) and again.member == self.last_member:
                self.absorbed.add(self.at + 1)
            return
        place = self.skip_small(self.at + 1)
        chosen = self.chosen(place) if place < len(self.items) else None
        if isinstance(chosen, Candidate) and chosen.member is not None and self.meta.is_number(chosen.member):
            self.drop_mention(chosen.member)
            self.add_condition(Condition(chosen.member, "above_average" if value == ">" else "below_average"))
            self.absorbed.add(place)
