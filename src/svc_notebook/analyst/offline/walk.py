"""One walk over the items, left to right: every name, value and number gets its use from the cues around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .dates import iso
from .draft import Draft, Mention, OrderWish
from .lexicon import Candidate
from .metadata import Metadata
from .numbers import unit_factor, unit_of
from .plan import Aggregate, Condition, Measure
from .resolve import Resolution
from .segments import Item
from .text import Token, name_parts, singular, stem
from .thesaurus import FILLER, related
from .times import years
from .values import ValueMatch

__all__ = ["walk"]

_EACH = frozenset(
    {
        "per",
        "for each",
        "in each",
        "of each",
        "for every",
        "in every",
        "each",
        "by each",
        "within each",
        "from each",
        "every",
    }
)
_PLAIN_BY = frozenset({"by", "based on", "according to", "in terms of", "on", "of"})
_SMALL_WORDS = frozenset(
    {
        "of",
        "the",
        "a",
        "an",
        "all",
        "its",
        "their",
        "each",
        "is",
        "are",
        "was",
        "were",
        "be",
        "that",
        "in",
        "to",
        "with",
        "attribute",
        "column",
        "field",
        "value",
    }
)


def walk(tokens: Sequence[Token], items: Sequence[Item], resolution: Resolution, metadata: Metadata) -> Draft:
    """Collect what the items say into a :class:`~.draft.Draft`."""
    walker = _Walker(Draft(tokens, items, metadata, resolution))
    while walker.at < len(items):
        walker.step()
    walker.finish()
    return walker.draft


class _Walker:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.items = draft.items
        self.meta = draft.metadata
        self.at = 0
        self.agg: str | None = None
        self.agg_used = False
        self.counting: str | None = None
        self.group: str | None = None
        self.group_text = ""
        self.group_used = False
        self.negated = False
        self.joiner = "and"
        self.order: OrderWish | None = None
        self.axis: str | None = None
        self.series: str | None = None
        self.comparison: tuple[str, tuple[float, ...], str | None] | None = None
        self.absorbed: set[int] = set()
        self.last_member: str | None = None
        self.share = False
        self.average_side: str | None = None
        self.aggs: list[str] = []
        self.prefix = self.opens_with_prefix()

    def opens_with_prefix(self) -> bool:
        """``For those employees who …, show …``: what stands before the comma only restricts."""
        first = self.items[0].text.lower() if self.items else ""
        second = self.items[1].text.lower() if len(self.items) > 1 else ""
        if (
            not first.startswith("for")
            or "each" in first
            or "every" in first
            or second in ("each", "every")
            or first.startswith("form")
        ):
            return False
        place = next(
            (i for i, item in enumerate(self.items) if item.is_cue("logic", ",") or item.is_cue("logic", "break")), None
        )
        return place is not None and place < len(self.items) - 1

    # ---- moving ----

    def peek(self, ahead: int = 1) -> Item | None:
        place = self.at + ahead
        return self.items[place] if place < len(self.items) else None

    def skip_small(self, place: int) -> int:
        """The next place whose item is more than a little word."""
        while place < len(self.items) and (
            self.items[place].kind in ("word", "cue")
            and self.items[place].text.lower() in _SMALL_WORDS
            or self.items[place].is_cue("have")
            or self.items[place].is_cue("ask")
        ):
            place += 1
        return place

    def names_relation(self, place: int) -> bool:
        """Whether the item at ``place`` was chosen to name a relation, not a member."""
        candidate = self.chosen(place)
        return isinstance(candidate, Candidate) and candidate.member is None

    def value_of(self, place: int) -> str | None:
        """The member whose value the item at ``place`` was chosen to be."""
        match = self.chosen(place)
        return match.member if isinstance(match, ValueMatch) else None

    def chosen(self, place: int) -> Candidate | ValueMatch | None:
        return self.draft.resolution.choice.get(place)

    def step(self) -> None:
        item = self.items[self.at]
        handler = getattr(self, f"on_{item.kind}")
        handler(item)
        self.at += 1

    def finish(self) -> None:
        self.close_order()
        if self.counting:
            self.draft.counting = self.counting
        if self.agg and not self.agg_used:
            self.draft.doubts.append(f"aggregate:{self.agg}")

    # ---- cues ----

    def on_cue(self, item: Item) -> None:
        cue = item.cue
        if self.at in self.absorbed and (item.is_cue("top") or item.is_cue("count")):
            return
        assert cue is not None
        getattr(self, f"cue_{cue.kind}", self.cue_other)(item, cue.value)

    def cue_other(self, item: Item, value: str) -> None:
        return None

    def cue_agg(self, item: Item, value: str) -> None:
        nxt = self.peek()
        if value == "sum" and nxt is not None and nxt.is_cue("count"):
            return
        if (
            self.order is not None
            and self.order.descending is None
            and self.order.axis is None
            and item.text.lower() in ("total",)
        ):
            self.order.axis = "y"
        self.draft.cumulative = self.draft.cumulative or item.text.lower().startswith(("cumulative", "accumulated"))
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
        self.counting = value
        if (
            self.order is not None
            and self.order.measure is None
            and self.order.axis is None
            and self.order.member is None
        ):
            self.order.axis = "y"

    def cue_unique(self, item: Item, value: str) -> None:
        if self.counting == "count":
            self.counting = "distinct"
        self.draft.unique = True

    def cue_group(self, item: Item, value: str) -> None:
        text = item.text.lower()
        if self.prefix:
            return
        self.flush_count()
        if self.order is not None:
            if text in _PLAIN_BY and not self.order.member and not self.order.measure:
                return
            self.close_order()
        if text in ("group", "grouped") and self.peek() is not None and self.peek().is_cue("style"):  # type: ignore[union-attr]
            return
        self.group, self.group_text, self.group_used = value, text, False
        if text != "by":
            self.agg = None if self.agg_used else self.agg

    def flush_count(self) -> None:
        """A count that met a grouping before any noun counts rows."""
        if self.counting and self.order is None and not self.draft.measures:
            self.draft.add_measure(Measure(None, "count_distinct" if self.counting == "distinct" else "count"))
            self.counting = None

    def cue_series(self, item: Item, value: str) -> None:
        self.flush_count()
        if value == "stack":
            self.draft.stacked = True
        self.series = value
        self.group, self.group_text, self.group_used = "by", item.text.lower(), False

    def cue_order(self, item: Item, value: str) -> None:
        if value == "by":
            self.close_order()
            after = self.chosen(self.at + 1)
            if (
                item.text.lower() == "rank"
                and isinstance(after, Candidate)
                and (
                    after.member is None
                    or not self.meta.is_number(after.member)
                    and not self.meta.is_measure(after.member)
                )
            ):
                self.draft.calculations.append("rank")
                self.group, self.group_text, self.group_used = "by", "rank", False
                return
            self.order = OrderWish(place=self.at)
            if self.axis:
                self.order.axis, self.axis = self.axis, None
            return
        descending = value == "desc"
        if self.order is None:
            self.order = OrderWish(descending, place=self.at)
            if self.axis:
                self.order.axis, self.axis = self.axis, None
            if "alphabet" in item.text.lower() or "chronolog" in item.text.lower() or "lexico" in item.text.lower():
                self.order.axis = self.order.axis or "x"
        else:
            self.order.descending = descending if self.order.descending is None else self.order.descending

    def close_order(self) -> None:
        if self.order is not None and (
            self.order.descending is not None or self.order.axis or self.order.member or self.order.measure
        ):
            self.draft.orders.append(self.order)
        self.order = None

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
        number, place = None, self.at + 1
        nxt = self.peek()
        pair = self.items[self.at + 2] if self.at + 2 < len(self.items) else None
        if nxt is not None and nxt.is_cue("logic", "and") and pair is not None and pair.is_cue("top"):
            self.aggs = ["max" if value == "desc" else "min"]
            self.agg, self.agg_used = ("max" if pair.is_cue("top", "desc") else "min"), False
            self.absorbed.update((self.at + 1, self.at + 2))
            return
        if nxt is not None and nxt.kind == "number" and nxt.number is not None and float(nxt.number).is_integer():
            number = int(nxt.number)
            self.absorbed.add(self.at + 1)
        before = self.items[self.at - 1] if self.at else None
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
                self.comparison = None
                self.absorbed.add(self.at - 1)
                if self.draft.unread and self.draft.unread[-1] == before.text:
                    self.draft.unread.pop()
        del place
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
        if place < len(self.items) and self.items[place].is_cue("average"):
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
        if value in ("=", "!="):
            self.negated = value == "!=" or self.negated
            return
        if item.text.lower() == "over":
            self.cue_group(item, "over")
            return
        if (
            "than" not in item.text.lower()
            and item.text[0] not in "<>"
            and "exceed" not in item.text.lower()
            and "surpass" not in item.text.lower()
        ):
            return
        if place < len(self.items) and isinstance(self.chosen(place), Candidate) and self.last_member is not None:
            candidate = self.chosen(place)
            if (
                isinstance(candidate, Candidate)
                and candidate.member is not None
                and self.comparable(self.last_member, candidate.member)
            ):
                self.drop_mention(self.last_member)
                self.add_condition(Condition(self.last_member, value, other=candidate.member, words=item.text))
                self.absorbed.add(place)

    def comparable(self, one: str, other: str) -> bool:
        return (
            self.meta.member(one).type == self.meta.member(other).type
            and not self.meta.is_measure(one)
            and one != other
        )

    def number_at(self, place: int) -> tuple[float, int, str | None] | None:
        """Number at a place with the place after it and a unit said with it."""
        while (
            place < len(self.items) and self.items[place].kind == "word" and self.items[place].text in ("$", "€", "£")
        ):
            place += 1
        if place >= len(self.items):
            return None
        item = self.items[place]
        value = item.number if item.kind == "number" else None
        if value is None and item.kind == "period" and item.period is not None and item.period.bare_year:
            value = float(item.text)
        if value is None and item.kind == "value" and self.draft.tokens[item.start].value is not None:
            value = self.draft.tokens[item.start].value
        if value is None:
            return None
        after = place + 1
        if after < len(self.items) and self.items[after].kind == "unit":
            return value, after + 1, unit_of(self.items[after].text.lower())
        if after < len(self.items) and self.items[after].kind == "grain" and self.items[after].grain is not None:
            unit = unit_of(self.items[after].text.lower())
            if unit:
                return value, after + 1, unit
        return value, after, None

    def skip_joiner(self, place: int) -> int:
        while place < len(self.items) and (
            self.items[place].is_cue("logic", "and")
            or self.items[place].text.lower() in ("to", "and", "-", "–", "through")
        ):
            place += 1
        return place

    def give_numbers(self, operator: str, numbers: tuple[float, ...], unit: str | None, after: int) -> None:
        """Bind a comparison to the member before it, the noun after it, or a count."""
        for place in range(self.at, min(after, len(self.items))):
            self.absorbed.add(place)
        if self.negated:
            operator = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!=", "!=": "="}.get(operator, operator)
            self.negated = False
        place = self.skip_small(after)
        follower = self.chosen(place) if place < len(self.items) else None
        tied = self.items[self.at - 1] if self.at else None
        behind = self.measure_before()
        if behind is not None and (tied is None or not tied.is_cue("logic")):
            self.draft.having.append((behind, operator, numbers))
            return
        previous = self.last_member if self.member_close_before() else None
        if previous is not None and self.can_compare(previous):
            self.drop_mention(previous)
            self.add_condition(self.number_condition(previous, operator, numbers, unit))
            return
        if isinstance(follower, Candidate) and place <= after + 2:
            if follower.member is None:
                self.draft.having.append((Measure(None, "count", entity=follower.relation), operator, numbers))
                self.draft.entities.append((follower.relation, place))
                self.absorbed.add(place)
                return
            if self.meta.is_measure(follower.member):
                self.draft.having.append((Measure(follower.member, "measure"), operator, numbers))
                self.absorbed.add(place)
                return
            if self.can_compare(follower.member):
                self.add_condition(self.number_condition(follower.member, operator, numbers, unit))
                self.absorbed.add(place)
                return
            self.draft.having.append((Measure(follower.member, "count_distinct"), operator, numbers))
            self.absorbed.add(place)
            return
        if self.last_member is not None and self.can_compare(self.last_member):
            self.drop_mention(self.last_member)
            self.add_condition(self.number_condition(self.last_member, operator, numbers, unit))
            return
        measured = self.members_in(unit) if unit else []
        if len(measured) > 1:
            near = related(stem(self.items[self.at].text.lower().split()[0]))
            measured = [m for m in measured if {stem(p) for p in self.meta.parts(m)} & near]
        if len(measured) == 1:
            self.add_condition(self.number_condition(measured[0], operator, numbers, unit))
            return
        self.draft.doubts.append("comparison")
        self.draft.unread.extend(f"{number:g}" for number in numbers)

    def members_in(self, unit: str) -> list[str]:
        """Numbers of the scope that are kept in a unit (``longer than 2000 miles`` speaks of the one in miles)."""
        found = []
        for relation in self.draft.resolution.scope:
            for member in self.meta.relation(relation).members.values():
                if member.path in self.meta.members and self.meta.is_number(member.path):
                    kept = str(member.meta.get("unit", "")) if member.meta else ""
                    if (unit_of(kept) if kept else unit_of(member.title)) == unit:
                        found.append(member.path)
        return found

    def measure_before(self) -> Measure | None:
        """The measure spoken of just before a comparison (``average delay above 10``)."""
        back = self.at - 1
        while back >= 0 and (self.items[back].is_cue("have") or self.items[back].text.lower() in _SMALL_WORDS):
            back -= 1
        if back < 0 or not self.draft.measures:
            return None
        chosen = self.chosen(back)
        last = self.draft.measures[-1]
        if isinstance(chosen, Candidate) and (
            chosen.member == last.member and chosen.member or last.entity == chosen.relation and chosen.member is None
        ):
            return last
        return None

    def member_close_before(self) -> bool:
        """Whether the last member is what the comparison speaks of: nothing of weight stands between."""
        back = self.at - 1
        while back >= 0 and (
            self.items[back].is_cue("have")
            or self.items[back].kind in ("word", "unit")
            or self.items[back].is_cue("neg")
            or self.items[back].text.lower() in _SMALL_WORDS
        ):
            back -= 1
        chosen = self.chosen(back) if back >= 0 else None
        return isinstance(chosen, Candidate) and chosen.member == self.last_member

    def can_compare(self, member: str) -> bool:
        return self.meta.is_number(member) or self.meta.is_year(member)

    def number_condition(self, member: str, operator: str, numbers: tuple[float, ...], unit: str | None) -> Condition:
        known = self.meta.member(member)
        declared = str(known.meta.get("unit", "")) if known.meta else ""
        kept = unit_of(declared or f"{known.title} {known.description or ''}") if unit else None
        factor = unit_factor(unit, kept) if unit and kept else None
        if (
            unit
            and kept is None
            and any(word in ("delay", "duration", "time", "length") for word in self.meta.parts(member))
        ):
            factor = unit_factor(unit, "minute") if unit == "hour" else None
        scaled = tuple(_tidy(number * (factor or 1.0)) for number in numbers)
        return Condition(member, operator, scaled, words=" ".join(f"{number:g}" for number in numbers))

    def text_condition(self, operator: str) -> None:
        """``name contains "x"``, ``title starts with J``, ``phone is missing``."""
        if operator in ("null", "not null"):
            target = self.last_member if self.member_close_before() else None
            if target is None:
                place = self.skip_small(self.at + 1)
                chosen = self.chosen(place) if place < len(self.items) else None
                if isinstance(chosen, Candidate):
                    self.absorbed.add(place)
                    if chosen.member is None:
                        if operator == "null" and self.is_absent(chosen.relation):
                            self.draft.doubts.append(f"exists:{chosen.relation}:no")
                        else:
                            self.draft.entities.append((chosen.relation, place))
                        return
                    target = chosen.member
                else:
                    self.cue_neg(self.items[self.at], "not")
                    return
            if self.negated:
                operator, self.negated = {"null": "not null", "not null": "null"}[operator], False
            self.drop_mention(target)
            self.add_condition(Condition(target, operator))
            return
        place = self.at + 1
        texts: list[str] = []
        end = place
        while place < len(self.items):
            item = self.items[place]
            if (
                item.kind == "quoted"
                or item.kind in ("value", "word", "number")
                and len(item.text) == 1
                and item.text.isupper()
                or item.kind == "value"
                or (
                    item.kind == "word"
                    and not texts
                    and item.text.lower() not in _SMALL_WORDS
                    and operator != "contains"
                )
            ):
                texts.append(item.text)
                end = place + 1
                if item.kind == "word" and len(item.text) > 1:
                    place += 1
                    break
            elif (
                item.is_cue("logic", ",")
                and texts
                and not (
                    place + 1 < len(self.items)
                    and len(self.items[place + 1].text) == 1
                    and self.items[place + 1].text.isupper()
                )
            ):
                break
            elif (
                item.is_cue("logic")
                and texts
                or item.text.lower() in _SMALL_WORDS
                or item.text.lower() in ("letter", "letters", "word", "string")
            ):
                if item.is_cue("logic", "break"):
                    break
            elif len(item.text) == 1 and item.text.isupper():
                texts.append(item.text)
                end = place + 1
            else:
                break
            place += 1
        target = self.last_member if self.last_member is not None else None
        if target is not None and self.meta.member(target).type != "string":
            target = None
        ahead = self.skip_small(end)
        after = (
            self.chosen(ahead)
            if texts and ahead < len(self.items) and any(self.items[p].text.lower() == "in" for p in range(end, ahead))
            else None
        )
        if (
            isinstance(after, Candidate)
            and after.member is not None
            and self.meta.member(after.member).type == "string"
        ):
            target = after.member
            self.absorbed.add(ahead)
        if not texts or target is None:
            return
        for used in range(self.at, end):
            self.absorbed.add(used)
        self.drop_mention(target)
        if self.negated:
            operator, self.negated = "not " + operator, False
        self.add_condition(Condition(target, operator, tuple(texts)))

    def cue_neg(self, item: Item, value: str) -> None:
        self.negated = True

    def cue_calc(self, item: Item, value: str) -> None:
        if value == "proportion":
            self.draft.mark = self.draft.mark or "arc"
            return
        if value == "share":
            self.share = True
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
            if self.at and item.text.lower().startswith(("return", "list", "give", "show", "find", "provide")):
                self.close_order()
                self.group, self.series = None, None
        elif value in ("why", "when", "yesno"):
            setattr(self.draft, value, True)

    def cue_logic(self, item: Item, value: str) -> None:
        if self.prefix and value in ("break", ","):
            self.prefix = False
            self.group, self.agg, self.counting = None, None, None
        if value == "break":
            self.close_order()
            self.group, self.series, self.joiner, self.negated = None, None, "and", False
            self.agg = None if self.agg_used else self.agg
            self.counting = None if self.draft.measures else self.counting
            return
        if value == "or":
            self.joiner = "or"
        if (
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

    def counts_bins(self, place: int, item: Item) -> bool:
        """``into 8 buckets``: the number right before the bins says how many, unless a unit stands between."""
        number = self.items[place].number or 0
        return (
            place == self.at - 1
            and item.text.lower() in ("bins", "buckets", "intervals")
            and float(number).is_integer()
            and number <= 50
        )

    def cue_average(self, item: Item, value: str) -> None:
        if self.last_member is not None and self.meta.is_number(self.last_member):
            self.drop_mention(self.last_member)
            self.add_condition(Condition(self.last_member, "above_average" if value == ">" else "below_average"))
            return
        place = self.skip_small(self.at + 1)
        chosen = self.chosen(place) if place < len(self.items) else None
        if isinstance(chosen, Candidate) and chosen.member is not None and self.meta.is_number(chosen.member):
            self.add_condition(Condition(chosen.member, "above_average" if value == ">" else "below_average"))
            self.absorbed.add(place)

    # ---- names ----

    def on_name(self, item: Item) -> None:
        candidate = self.chosen(self.at)
        if self.at in self.absorbed:
            return
        if not isinstance(candidate, Candidate):
            self.draft.unread.append(item.text)
            return
        if self.modifies_next(item, candidate):
            return
        if candidate.member is None:
            self.entity(candidate.relation)
        else:
            self.member(candidate.member, item)

    def modifies_next(self, item: Item, candidate: Candidate) -> bool:
        """``plane manufacturer``: a half match right before a whole one only qualifies it."""
        follower = self.chosen(self.at + 1)
        nxt = self.peek()
        if nxt is None or nxt.kind != "name" or candidate.full or candidate.quality >= 0.8 or candidate.member is None:
            return False
        return (
            isinstance(follower, Candidate)
            and follower.full
            and follower.member is not None
            and follower.member != candidate.member
        )

    def entity(self, relation: str) -> None:
        if self.negated and self.is_absent(relation):
            self.draft.doubts.append(f"exists:{relation}:no")
            self.negated = False
            return
        self.draft.entities.append((relation, self.at))
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
            elif self.group in ("by",) and self.group_text in _PLAIN_BY and self.draft.top is not None:
                self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
                self.draft.add_measure(measure)
                self.group_used = True
            elif self.agg in ("avg", "max", "min", "sum", "median") and not self.agg_used:
                self.draft.doubts.append(f"nested:{self.agg}")
                self.draft.add_measure(measure)
                self.agg_used = True
            else:
                self.draft.add_measure(measure)
            self.counting = None
            return
        if self.subject_of_superlative(relation):
            self.draft.grouped_entities.append((relation, self.at))
            return
        if self.group is not None and not self.group_used and not self.next_is_member_of(relation):
            self.draft.grouped_entities.append((relation, self.at))
            self.group_used = True

    def is_absent(self, relation: str) -> bool:
        """Whether ``relation`` is denied of one named before, which its rows point at (``customers without orders``)."""
        earlier = [r for r, _ in self.draft.entities] + [m.member.split(".")[0] for m in self.draft.mentions]
        return any(r != relation and self.meta.join_keys(relation, r) is not None for r in earlier)

    def takes_amount(self, relation: str) -> bool:
        """``total amount of premiums``, ``loss payment amount``: the amount of what is named."""
        before, after = self.items[self.at - 1] if self.at else None, self.peek()
        summed = (
            self.agg in ("sum", "avg", "max", "min", "median")
            and not self.agg_used
            and before is not None
            and before.is_cue("agg")
            and "amount" in before.text.lower()
        )
        headed = (
            after is not None
            and after.is_cue("count")
            and after.text.lower() in ("amount of", "the amount of")
            and not self.counting
        )
        amount = self.meta.amount_of(relation) if summed or headed else None
        if amount is None:
            return False
        if summed:
            self.agg_used = True
            self.measure_named(Measure(amount, self.agg))  # type: ignore[arg-type]
        else:
            self.absorbed.add(self.at + 1)
            self.draft.mentions.append(Mention(amount, self.at))
        return True

    def subject_of_superlative(self, relation: str) -> bool:
        """``top 2 airlines``, ``which airline has the most flights``: the noun is what is ranked."""
        if self.next_is_member_of(relation) or self.draft.grouped_entities or self.counting:
            return False
        back = self.at - 1
        while back >= 0 and (self.items[back].kind == "number" or self.items[back].text.lower() in _SMALL_WORDS):
            back -= 1
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
        later = any(item.is_cue("top") for item in self.items[self.at + 1 :])
        return (
            later
            and (back < 0 or self.items[back].is_cue("ask") or self.draft.noun_number is not None)
            and len(self.draft.dimensions) == 0
        )

    def next_is_member_of(self, relation: str) -> bool:
        """Whether the noun only qualifies the member that follows (``customer name``)."""
        nxt = self.peek()
        chosen = self.chosen(self.at + 1)
        return (
            nxt is not None
            and nxt.kind == "name"
            and isinstance(chosen, Candidate)
            and chosen.member is not None
            and chosen.relation == relation
        )

    def member(self, member: str, item: Item) -> None:
        if self.try_condition(member):
            self.last_member = member
            return
        self.last_member = member
        meta = self.meta
        known = meta.member(member)
        if self.prefix and known.type != "boolean" and known.kind != "segment":
            return
        if self.is_hint(item):
            return
        if (
            known.kind == "segment"
            or known.type == "boolean"
            and not (self.group and not self.group_used)
            and not (self.draft.listing and not self.negated and self.counting is None)
        ):
            self.add_condition(Condition(member, "false" if self.negated else "true"))
            self.negated = False
            return
        if self.order is not None and self.axis is None:
            self.order_by_member(member)
            return
        if self.axis is not None and not (self.agg and not self.agg_used) and not self.counting:
            self.draft.axes[self.axis] = member
            self.mention(member, axis=self.axis)
            self.axis = None
            return
        if known.kind == "measure":
            self.agg_used, self.counting = True, None
            self.measure_named(Measure(member, "measure"))
            return
        if self.counting and not (meta.is_number(member) and not meta.is_key(member)):
            self.count_member(member)
            return
        counted = self.counting is not None
        self.counting = None
        number = meta.is_number(member) and not (meta.is_key(member) and self.agg not in ("min", "max", "sum", "avg"))
        if self.agg and (number or self.agg in ("min", "max") and meta.is_time(member)) and self.agg_open():
            self.agg_used = True
            for aggregate in (*self.aggs, self.agg):
                self.measure_named(Measure(member, aggregate))  # type: ignore[arg-type]
            self.aggs = []
            if self.axis is not None:
                self.draft.axes[self.axis], self.axis = member, None
            return
        if self.series and not self.group_used:
            (self.draft.facets if self.series == "facet" else self.draft.series).append(member)
            self.draft.add_dimension(member, self.grain_after()) if not meta.is_number(member) or meta.is_category(
                member
            ) else self.mention(member)
            self.group_used = True
            self.draft.grouped_places.add(self.at)
            return
        if self.group is not None and (not self.group_used or self.continues()):
            direct, self.group_used = not self.group_used, True
            self.grouped(member, direct, counted)
            return
        self.mention(member, counted=counted)

    def is_hint(self, item: Item) -> bool:
        """A verb that only touches a name (``invoices billed from each state``) says where to look, not what to show."""
        token = self.draft.tokens[item.start]
        chosen = self.chosen(self.at)
        if item.end - item.start > 1 or not isinstance(chosen, Candidate) or chosen.quality >= 0.8 or chosen.full:
            return False
        parts = (
            (*self.meta.parts(chosen.member or ""), *name_parts(self.meta.member(chosen.member or "").title))
            if chosen.member
            else ()
        )
        return (
            token.lower.endswith(("ed", "ing"))
            and token.lower not in parts
            and singular(token.lower) not in parts
            and not (self.agg and not self.agg_used)
            and self.draft.top is None
            and self.order is None
        )

    def agg_open(self) -> bool:
        """Whether the aggregate still reaches this member (``average of age and salary``, not past a grouping)."""
        if not self.agg_used:
            return True
        return self.continues() and not (self.group and self.group_used)

    def continues(self) -> bool:
        """Whether the item before joins this one to its neighbour (``by A and B``, ``by A, B``)."""
        back = self.at - 1
        while back >= 0 and (
            self.items[back].text.lower() in _SMALL_WORDS
            or back in self.absorbed
            and self.items[back].kind != "name"
            or (self.items[back].kind == "word" and self.draft.tokens[self.items[back].start].stem in FILLER)
            or self.names_relation(back)
        ):
            back -= 1
        return back >= 0 and (self.items[back].is_cue("logic", "and") or self.items[back].is_cue("logic", ","))

    def mention(self, member: str, axis: str = "", counted: bool = False) -> None:
        role = self.group if self.group and not self.group_used else ""
        self.draft.mentions.append(Mention(member, self.at, role or "", axis, counted))

    def drop_mention(self, member: str) -> None:
        """Take back the last bare mention of a member: it belongs to a condition."""
        for number in range(len(self.draft.mentions) - 1, -1, -1):
            if self.draft.mentions[number].member == member:
                del self.draft.mentions[number]
                return

    def grouped(self, member: str, direct: bool, counted: bool) -> None:
        self.draft.grouped_places.add(self.at)
        few = (
            direct and 0 < self.meta.profile(member).distinct <= 30 and self.group == "by"
            if self.meta.is_number(member)
            else True
        )
        if self.group_text in _EACH:
            self.draft.each.add(member)
        if not few and not self.meta.is_category(member) and not self.draft.bins:
            self.draft.mentions.append(Mention(member, self.at, self.group or "by"))
            return
        if self.group == "versus":
            self.draft.mentions.append(Mention(member, self.at, "versus", "", counted))
            return
        if self.group == "over" and self.meta.is_number(member) and not self.meta.is_year(member):
            self.draft.mentions.append(Mention(member, self.at, "over"))
            return
        self.draft.add_dimension(member, self.grain_after() if self.meta.is_time(member) else None)

    def grain_after(self) -> str | None:
        return None

    def measure_named(self, measure: Measure) -> None:
        if self.order is not None:
            self.order.measure = measure
            return
        if self.group is not None and not self.group_used and self.group_text in _PLAIN_BY:
            self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
            self.group_used = True
        self.draft.add_measure(measure)

    def count_member(self, member: str) -> None:
        aggregate: Aggregate = "count_distinct" if self.counting == "distinct" else "count_values"
        measure = Measure(member, aggregate)
        self.counting = None
        if self.order is not None:
            self.order.measure = measure
            return
        if (
            self.group is not None
            and not self.group_used
            and self.group_text in _PLAIN_BY
            and self.draft.top is not None
        ):
            self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
            self.group_used = True
        self.draft.add_measure(measure)

    def order_by_member(self, member: str) -> None:
        assert self.order is not None
        if self.meta.is_measure(member):
            self.order.measure = Measure(member, "measure")
        elif self.counting and not (self.meta.is_number(member) and not self.meta.is_key(member)):
            self.order.measure = Measure(member, "count_distinct" if self.counting == "distinct" else "count_values")
            self.counting = None
        elif self.agg and not self.agg_used:
            self.order.measure = Measure(member, self.agg)  # type: ignore[arg-type]
            self.agg_used = True
        elif self.order.member is None:
            self.order.member = member

    def try_condition(self, member: str) -> bool:
        """A member that is followed (or led) by what it is compared with."""
        meta, kind = self.meta, self.meta.member(member).type
        if meta.is_measure(member):
            return False
        place = self.skip_small(self.at + 1)
        negated = self.negated
        if place < len(self.items) and self.items[place].is_cue("neg"):
            negated, place = True, self.skip_small(place + 1)
        if place < len(self.items) and (
            self.items[place].is_cue("compare", "=") or self.items[place].is_cue("compare", "!=")
        ):
            negated = negated or self.items[place].is_cue("compare", "!=")
            place = self.skip_small(place + 1)
            direct = True
        else:
            direct = place == self.at + 1 or any(self.items[p].is_cue("have") for p in range(self.at + 1, place))
        if place >= len(self.items) or place in self.absorbed:
            return self.leading_number(member)
        item = self.items[place]
        if (
            kind == "time"
            and item.kind == "period"
            and item.period is not None
            and not item.period.bare_year
            and item.period.part is None
        ):
            self.absorbed.add(place)
            self.add_condition(
                Condition(member, "period", (_iso(item.period.low), _iso(item.period.high)), words=item.text)
            )
            return not self.wants_grouping()
        if kind == "time" and item.kind == "period" and item.period is not None and direct and place == self.at + 1:
            return False
        if item.kind == "quoted" and direct and kind == "string":
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(Condition(member, "!=" if negated else "=", (item.text,)))
            self.negated = False
            return not self.wants_grouping()
        if (
            item.kind == "value"
            and direct
            and self.value_of(place) == member
        ):
            return not self.wants_grouping() and self.counting is None and self.agg is None
        if (
            item.kind == "number"
            and item.number is not None
            and direct
            and meta.is_number(member)
            and not self.followed_by_name(place)
            and not self.draft.bins
        ):
            nxt = self.items[place + 1] if place + 1 < len(self.items) else None
            if (
                nxt is not None
                and nxt.kind == "unit"
                and place + 2 < len(self.items)
                and self.items[place + 2].is_cue("bins")
            ):
                return False
            if nxt is not None and (nxt.is_cue("bins") or nxt.is_cue("compare")):
                return False
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(Condition(member, "!=" if negated else "=", (_tidy(item.number),)))
            self.negated = False
            return True
        if (
            item.kind == "period"
            and item.period is not None
            and not item.period.bare_year
            and item.period.part is None
            and direct
            and meta.is_year(member)
        ):
            bound = years(
                member, Condition(member, "period", (_iso(item.period.low), _iso(item.period.high)), words=item.text)
            )
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(bound)
            return True
        if (
            item.kind == "period"
            and item.period is not None
            and item.period.bare_year
            and direct
            and meta.is_number(member)
        ):
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(Condition(member, "!=" if negated else "=", (_tidy(float(item.text)),)))
            return True
        return self.leading_number(member)

    def followed_by_name(self, place: int) -> bool:
        return isinstance(self.chosen(place + 1), Candidate) and place + 1 < len(self.items)

    def wants_grouping(self) -> bool:
        return self.group is not None and not self.group_used

    def leading_number(self, member: str) -> bool:
        """``5 cylinder cars``: a number right before a member of few whole values."""
        before = self.items[self.at - 1] if self.at else None
        if before is None or before.kind != "number" or before.number is None or (self.at - 1) in self.absorbed:
            return False
        if not self.meta.is_number(member) or self.meta.is_key(member):
            return False
        self.absorbed.add(self.at - 1)
        if self.draft.unread and self.draft.unread[-1] == before.text:
            self.draft.unread.pop()
        self.add_condition(Condition(member, "=", (_tidy(before.number),)))
        return True

    # ---- values, numbers, times ----

    def add_condition(self, condition: Condition) -> None:
        self.draft.conditions.append((self.joiner, condition, self.at))
        self.joiner = "and"

    def on_value(self, item: Item) -> None:
        match = self.chosen(self.at)
        if self.at in self.absorbed:
            return
        if not isinstance(match, ValueMatch):
            if item.text.lower() not in FILLER:
                self.draft.unread.append(item.text)
            return
        values: tuple[Any, ...] = (match.value,)
        near = self.peek()
        follower = self.chosen(self.at + 1) if near is not None else None
        if isinstance(follower, Candidate) and follower.member == match.member and not self.wants_grouping():
            self.absorbed.add(self.at + 1)
        if (
            self.last_member == match.member
            and self.draft.mentions
            and self.draft.mentions[-1].member == match.member
            and self.draft.mentions[-1].place >= self.at - 3
        ):
            self.drop_mention(match.member)
        self.add_condition(Condition(match.member, "not in" if self.negated else "in", values, words=item.text))
        nxt = self.peek()
        if not (
            nxt is not None and (nxt.is_cue("logic", "or") or nxt.is_cue("logic", "and") or nxt.is_cue("logic", ","))
        ):
            self.negated = False

    def on_number(self, item: Item) -> None:
        if self.at in self.absorbed:
            return
        nxt = self.peek()
        chosen = self.chosen(self.at + 1)
        if nxt is not None and (
            nxt.is_cue("top")
            or nxt.is_cue("bins")
            or nxt.is_cue("compare")
            or nxt.kind == "unit"
            or isinstance(chosen, Candidate)
        ):
            noun = isinstance(chosen, Candidate) and (
                chosen.member is None
                or not self.meta.is_number(chosen.member)
                and not self.meta.is_measure(chosen.member)
            )
            if (
                noun
                and item.number is not None
                and not self.draft.bins
                and self.draft.top is None
                and item.number == int(item.number)
                and 0 < item.number <= 1000
            ):
                self.draft.noun_number = int(item.number)
            return
        if (
            self.draft.bins
            or self.draft.top is not None
            and self.draft.top[1] is None
            and item.number is not None
            and item.number <= 100
        ):
            if self.draft.top is not None and item.number is not None:
                self.draft.top = (self.draft.top[0], int(item.number), self.draft.top[2])
            return
        if (
            self.last_member is not None
            and self.meta.is_number(self.last_member)
            and item.number is not None
            and self.member_close_before()
        ):
            self.drop_mention(self.last_member)
            self.add_condition(Condition(self.last_member, "=", (_tidy(item.number),)))
            return
        if item.text.lower() not in ("one", "two", "half"):
            self.draft.unread.append(item.text)

    def on_unit(self, item: Item) -> None:
        return None

    def on_quoted(self, item: Item) -> None:
        if self.at in self.absorbed:
            return
        target = self.last_member
        if target is not None and self.meta.member(target).type == "string":
            self.drop_mention(target)
            self.add_condition(Condition(target, "!=" if self.negated else "=", (item.text,)))
            self.negated = False
            return
        label = next(
            (
                self.meta.label_of(relation)
                for relation, _ in reversed(self.draft.entities)
                if self.meta.label_of(relation)
            ),
            None,
        )
        if label is not None and self.meta.member(label).type == "string":
            self.add_condition(Condition(label, "!=" if self.negated else "=", (item.text,)))
            return
        self.draft.unread.append(item.text)

    def on_period(self, item: Item) -> None:
        period = item.period
        if self.at in self.absorbed or period is None or self.only_a_limit():
            return
        if period.part is not None:
            self.add_condition(Condition("", "in", period.values, part=period.part, words=item.text))
        elif (
            period.bare_year
            and self.last_member is not None
            and self.meta.is_number(self.last_member)
            and not self.meta.is_year(self.last_member)
            and self.member_close_before()
        ):
            self.drop_mention(self.last_member)
            self.add_condition(Condition(self.last_member, "=", (_tidy(float(item.text)),)))
        else:
            self.add_condition(
                Condition(
                    "",
                    "not period" if self.negated else "period",
                    (_iso(period.low), _iso(period.high)),
                    words=item.text,
                )
            )
        self.negated = False

    def only_a_limit(self) -> bool:
        """``in the past 30 days, inclusive of 30 days ago``: the rider says how a period is cut, it is none itself."""
        back = self.at - 1
        while back >= 0 and self.items[back].text.lower() in ("of", "the"):
            back -= 1
        return (
            back >= 0
            and self.items[back].text.lower() in ("inclusive", "exclusive", "including", "includes", "excluding")
            and any(c.operator == "period" for _, c, _ in self.draft.conditions)
        )

    def on_grain(self, item: Item) -> None:
        grain = item.grain
        if grain is None or self.at in self.absorbed:
            return
        if self.order is not None and not (self.group and not self.group_used):
            self.order.axis = self.order.axis or "x"
            return
        if self.counting and not grain.adverb:
            self.draft.doubts.append(f"countgrain:{grain.unit}")
            self.counting = None
            return
        wanted = (
            grain.adverb
            or self.group is not None
            and (not self.group_used or self.continues())
            or self.draft.bins
            or self.draft.trend
            or self.draft.when
        )
        before = self.items[self.at - 1] if self.at else None
        which = before is not None and (
            before.is_cue("ask", "which") or before.text.lower() in ("which", "what") or before.is_cue("top")
        )
        top = self.draft.top is not None and self.draft.top[2] >= self.at - 2
        if (
            wanted
            or which
            or top
            or grain.unit in ("weekday", "hour_of_day")
            or (before is not None and before.is_cue("group"))
        ):
            self.draft.grains.append((grain.unit, self.at, grain.adverb))
            self.group_used = True if not grain.adverb else self.group_used
        elif item.text.lower().rstrip("s") not in FILLER and item.text.lower() not in (
            "date",
            "time",
            "day",
            "days",
            "year",
            "years",
            "month",
        ):
            self.draft.doubts.append(f"grain:{grain.unit}")
        else:
            self.draft.doubts.append(f"grain:{grain.unit}")

    def on_word(self, item: Item) -> None:
        token = self.draft.tokens[item.start]
        if self.at in self.absorbed or token.stem in FILLER or len(token.lower) < 2 or token.kind != "word":
            return
        self.draft.unread.append(item.text)


def _tidy(number: float) -> float:
    return int(number) if float(number).is_integer() else number


def _iso(moment: Any) -> str | None:
    return iso(moment) if moment is not None else None
