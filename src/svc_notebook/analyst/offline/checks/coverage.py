"""What was said and is not in the plan: a period, a number, a value, an aggregate, a negation that nothing came of.

A plan that leaves one of these out answers another question than was asked. The walk and the assembly take what they
can use; this looks at the finished plan, whichever way it was made, and asks of every piece of the question where it
went.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..calendar.moments import iso
from ..plans.plan import Dimension, Plan
from ..plans.walking import conditions_of, measures_of, ordering_of
from ..schema.kept_units import own_unit
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..walk.segments import Item
from ..words.numbers import unit_factor, unit_of
from ..words.text import singular
from .accounts import unaccounted
from .leftover import QUALITIES, is_done

__all__ = ["bounds_a_count", "leaves_out_a_deed", "left_out", "stranded"]

_DENIALS = frozenset({"not in", "!=", "false", "not period", "null", "not contains", "not starts", "not ends"})
_LACKING = frozenset("missing empty null blank unknown without lacking nothing none no".split())  # not that is some
_FLIPPED = frozenset({"<", "<=", ">", ">="})
_BEING = frozenset({"is", "are", "was", "were", "been", "be", "being", "get", "got", "gets", "not", "never"})
_EACH = frozenset({"each", "of each", "per", "for each", "in each", "by each", "every", "for every", "versus", "vs"})
_SHARED = frozenset({"percent", "percentage", "percentages", "pct", "share", "rate", "ratio", "proportion"})
_CHANGES = frozenset(
    "change changed changes grow grew grown increase increased decrease decreased drop dropped rise rose risen fall "
    "fell fallen improve improved decline declined worsen worsened develop developed".split()
)
_ADDED = frozenset({"sum", "count"})
_PHRASES = frozenset("far now then hand chance accident itself themselves way default law heart".split())  # by far
_WEAK = 0.6  # names that fit no better may be another thing's
_TIMES = frozenset({"date", "dates", "time", "times", "day and time"})
_LITTLE_NUMBERS = frozenset({"one", "two", "half", "a", "first", "single"})
_VERY = frozenset({"very", "really", "so", "too"})
_WHEN = frozenset({"when", "whenever", "if", "while", "where"})
_AUXILIARY = 2  # words: "do we"
_DOING, _DOERS = frozenset({"do", "does", "did"}), frozenset({"we", "they", "you", "i", "it", "people", "one"})
_SHARES = frozenset({"share_true", "ratio", "avg"})
_OVER_GROUPS = {
    "growth": "growth",
    "yoy": "year_ago_growth",
    "running": "running_total",
    "moving": "moving_average",
    "rank": "rank",
}


def left_out(draft: Draft, plan: Plan) -> tuple[str, ...]:
    """The words of what was said for certain and is not in the plan, in the order said."""
    # Looked for in the plan as it is: what the steps noted as taken may have been lost behind them.
    made = _Made(draft, plan)
    lost = [item.text for place, item in enumerate(draft.items) if not made.holds(place, item)]
    return tuple(dict.fromkeys((*lost, *unaccounted(plan, draft))))


def bounds_a_count(draft: Draft, plan: Plan) -> bool:
    """Whether a number that was said with a unit is compared with how many there are (``older than 20 years``)."""
    made = _Made(draft, plan)
    numbers = [(place, item.number) for place, item in enumerate(draft.items) if item.kind == "number"]
    return any(made.has_no_unit(place, float(number)) for place, number in numbers if number is not None)


def stranded(draft: Draft, plan: Plan, unread: Sequence[str]) -> tuple[str, ...]:
    """Of the words that were not read, those that an answer without them would be wrong for.

    A number, a name with a capital letter, a quality or a quantity, and what was done to the rows (``were cancelled``).
    Words that name nothing the model has are another matter (:mod:`.unknown`).
    """
    said, made = set(unread), _Made(draft, plan)
    places = [place for place, item in enumerate(draft.items) if item.text in said]
    places = [p for p in places if draft.items[p].kind != "number" or not made.holds_number(p, draft.items[p])]
    return tuple(dict.fromkeys(draft.items[place].text for place in places if _decides(draft, place)))


def leaves_out_a_deed(draft: Draft, unread: Sequence[str]) -> bool:
    """Whether a word that was not read is what was done to the rows behind it: ``churned subscriptions``."""
    places = [place for place, item in enumerate(draft.items) if item.text in unread]
    return any(is_done(draft.items[place].text.lower()) and _picks_rows(draft, place) for place in places)


def _decides(draft: Draft, place: int) -> bool:
    item = draft.items[place]
    word, token = item.text.lower(), draft.tokens[item.start]
    drawn = bool(draft.mark or draft.bins or draft.axes or draft.spread)
    behind = draft.tokens[item.end].lower if item.end < len(draft.tokens) else ""
    if behind == "than" and word.endswith("er"):
        return True  # "newer than Boeing": what is compared is what was asked
    if item.kind == "quoted" or any(char.isdigit() for char in word):
        return not drawn
    if word in QUALITIES or _modifies(draft, place):
        return not drawn
    if _is_deed_of_guess(draft, place) or _is_said_of_it(draft, place):
        return True
    if token.kind == "word" and item.start > 0 and token.text[:1].isupper() and not _shouted(draft):
        before = draft.tokens[item.start - 1].text
        return before not in (".", "?", "!", ":") and not drawn
    return is_done(word) and (_is_predicate(draft, place) or _picks_rows(draft, place))


def _modifies(draft: Draft, place: int) -> bool:
    """``taxi time`` where there is an air time: of a name that is read in part, the word that would tell which."""
    at, after = draft.items[place].end, draft.items[place + 1] if place + 1 < len(draft.items) else None
    named = draft.resolution.choice.get(place + 1)
    path = named.member if isinstance(named, Candidate) and not named.full else None
    partly = path is not None and draft.metadata.member(path).type == "number"  # a flag's rate is no other rate
    return partly and after is not None and after.kind == "name" and after.start == at and _is_noun(draft, place)


def _is_deed_of_guess(draft: Draft, place: int) -> bool:
    """``how much time do we lose``: what is done with a number whose name is read in part tells which is meant."""
    at = draft.items[place].start
    before = [token.lower for token in draft.tokens[max(0, at - 2) : at]]
    if len(before) < _AUXILIARY or before[0] not in _DOING or before[1] not in _DOERS:
        return False
    named = [c for p, c in draft.resolution.choice.items() if p < place and isinstance(c, Candidate)]
    return any(c.member is not None and not c.full and draft.metadata.is_measure(c.member) for c in named)


def _is_said_of_it(draft: Draft, place: int) -> bool:
    """``when it is foggy``: what it was like then restricts what is asked."""
    at = draft.items[place].start
    before = [token.lower for token in draft.tokens[max(0, at - 4) : at] if token.lower not in _VERY]
    return before[-2:-1] in (["it"], ["they"]) and before[-1] in _BEING and not _WHEN.isdisjoint(before[:-2])


def _is_noun(draft: Draft, place: int) -> bool:
    """A word that is no verb, little word or number in what it looks like."""
    word = draft.items[place].text.lower()
    return draft.items[place].kind == "word" and len(word) > 3 and not is_done(word) and not word.endswith("ly")


def _shouted(draft: Draft) -> bool:
    """Whether capitals mean nothing, since most words have them."""
    words = [token.text for token in draft.tokens if token.kind == "word" and len(token.text) > 3]
    return sum(word[:1].isupper() for word in words) * 2 > len(words) + 1


def _picks_rows(draft: Draft, place: int) -> bool:
    """``churned subscriptions``: what was done, before the rows that it picks."""
    after = draft.resolution.choice.get(place + 1)
    return isinstance(after, Candidate) and after.member is None


def _is_predicate(draft: Draft, place: int) -> bool:
    """``how many were cancelled``: a deed that nothing else is said with, so that it picks the rows itself."""
    before = draft.items[place - 1].text.lower() if place else ""
    after = draft.items[place + 1] if place + 1 < len(draft.items) else None
    agent = after is not None and after.is_cue("group") and after.text.lower().startswith("by")
    ends = after is None or after.kind in ("period", "grain") or after.is_cue("group") or after.is_cue("logic")
    ends = ends and not agent  # ``written by each doctor``
    return before in _BEING and ends


_COUNTED = frozenset({"count", "count_distinct", "count_distinct_approx"})


class _Made:
    """What a plan is made of, to look things up in."""

    def __init__(self, draft: Draft, plan: Plan) -> None:
        self.draft, self.plan, self.meta = draft, plan, draft.metadata
        self.plans = [plan, *plan.parts]
        self.measures = [m for p in self.plans for m in measures_of(p)]
        self.conditions = [c for p in self.plans for c in conditions_of(p)]
        self.numbers = {float(number) for p in self.plans for number in _numbers(p)}

    def holds(self, place: int, item: Item) -> bool:
        """Whether a piece of the question is in the plan, or is of no kind that has to be."""
        asked: Mapping[str, Callable[[int, Item], bool]] = {
            "period": self.holds_period, "number": self.holds_number, "value": self.holds_value, "cue": self.holds_cue,
            "word": self.holds_word, "grain": self.holds_grain, "name": self.holds_name,
        }  # fmt: skip
        return item.kind not in asked or asked[item.kind](place, item)

    def holds_word(self, place: int, item: Item) -> bool:
        """Little words that nothing is left of: ``more popular``, ``in the same area``, ``how did it change``."""
        word, drawn = item.text.lower(), bool(self.draft.mark or self.draft.spread or self.draft.relate)
        before = self.draft.items[place - 1].text.lower() if place else ""
        if word in ("more", "less", "fewer") and place + 1 < len(self.draft.items) and not drawn:
            halves = any(d.grain == "weekend" for d in self.plan.dimensions)
            return self.ranks() or bool(self.plan.having) or bool(self.plan.claim) or halves
        if word == "same" and before == "the" and 2 < place < len(self.draft.items) - 1:
            return any(c.other for c in self.conditions)
        if word in _CHANGES and not drawn and place > 1:
            timed = any(self.meta.is_time(d.member) or self.meta.is_year(d.member) for d in self.plan.dimensions)
            return timed or bool(self.plan.calculations or self.plan.claim) or self.plan.shape != "aggregate"
        return True

    def holds_period(self, place: int, item: Item) -> bool:
        period = item.period
        # A year may stand in the plan as a plain number.
        if period is None or period.bare_year and self.holds_number(place, item):
            return True
        if period.part is not None:
            return any(c.part == period.part for c in self.conditions)
        ends = {iso(end) for end in (period.low, period.high) if end is not None}
        found = {str(value) for c in self.conditions if c.operator.endswith("period") for value in c.values}
        found |= {str(value) for c in self.plan.claim for value in (c if isinstance(c, tuple) else (c,))}
        # By its ends or by its words: a period over a column of years has no ends.
        return bool(ends & found) or any(item.text in c.words for c in self.conditions)

    def holds_number(self, place: int, item: Item) -> bool:
        if self.draft.bins or self.draft.axes:
            return True  # the picture's: its bins, its scale
        number = item.number if item.number is not None else float(item.text) if item.text.isdigit() else None
        measured = place + 1 < len(self.draft.items) and self.draft.items[place + 1].kind == "unit"
        little = _LITTLE_NUMBERS - {"two"} if measured else _LITTLE_NUMBERS
        if number is None or item.text.lower() in little:
            return True
        # A percentage is kept as a fraction.
        if self.numbers & {float(number), number / 100}:
            return not self.has_no_unit(place, float(number))
        words = " ".join(c.words for c in self.conditions)
        values = {str(value) for c in self.conditions for value in c.values}
        # As text too: values of a column may be numbers, or hold them.
        held = f"{number:g}" in words.split() or any(item.text in value for value in values)
        return held or self.holds_in_its_unit(place, float(number))

    def holds_in_its_unit(self, place: int, number: float) -> bool:
        """Whether ``3 hours`` bound an average that is kept in minutes."""
        after = self.draft.items[place + 1].text.lower() if place + 1 < len(self.draft.items) else ""
        said = unit_of(after)
        for plan, having in ((p, h) for p in self.plans for h in p.having if said is not None):
            kept = self.meta.plain(plan.measures[having.measure]).member
            factor = unit_factor(said or "", own_unit(self.meta, kept) or "") if kept is not None else None
            if factor is not None and number * factor in having.values:
                return True
        return False

    def has_no_unit(self, place: int, number: float) -> bool:
        """Whether ``20 years`` or ``30 minutes`` is compared with how many there are, or with a share."""
        after = self.draft.items[place + 1] if place + 1 < len(self.draft.items) else None
        if after is None or not (after.kind == "grain" or after.kind == "unit" and unit_of(after.text.lower())):
            return False
        held = [
            p.measures[h.measure]
            for p in self.plans
            for h in p.having
            if number in h.values and h.measure < len(p.measures)
        ]
        known = [self.meta.members.get(m.member or "") for m in held]
        return any(
            m.aggregate.startswith("count")
            or (k is not None and (k.agg_type in _COUNTED or str(k.format or "").startswith("percent")))
            for m, k in zip(held, known, strict=True)
        )

    def holds_value(self, place: int, item: Item) -> bool:
        chosen = self.draft.resolution.choice.get(place)
        if not isinstance(chosen, ValueMatch):
            return True  # was told as unread
        said = str(chosen.value).lower()
        values = {str(value).lower() for c in self.conditions for value in c.values}
        values |= {str(value).lower() for value in self.plan.claim}
        if any(c.operator in ("null", "not null") and item.text == c.words for c in self.conditions):
            return True  # ``still open``: what has no end yet
        if any(path.startswith(f"{item.text.lower()}_") for path in self.plan.columns):
            return True  # ``the manager of``: those who stand over others, whatever their title is
        return said in values or any(said in value or value in said for value in values)

    def holds_cue(self, place: int, item: Item) -> bool:
        assert item.cue is not None
        if item.cue.kind == "group":
            return self.holds_group(place, item)
        if item.cue.kind == "count":
            return self.holds_count(place, item)
        holder = getattr(self, f"holds_{item.cue.kind}", None)
        return holder is None or bool(holder(item.cue.value, item))

    def holds_agg(self, value: str, item: Item) -> bool:
        if self.draft.axes:
            return True
        kinds = self.aggregates()
        if value == "sum":
            # A sum is lost only where nothing but averages and extremes came of it.
            return bool(kinds - {"avg", "median", "min", "max"}) or self.plan.shape != "aggregate"
        if value in ("min", "max"):
            return value in kinds or self.ranks()
        if value == "avg":
            return (
                bool(kinds & {"avg", "number", "share_true", "ratio"})
                or any(c.operator.endswith("average") for c in self.conditions)
                or any(not h.values for p in self.plans for h in p.having)
                or "moving_average" in self.calculations()
            )
        return value in kinds

    def aggregates(self) -> set[str]:
        """Every way the plan folds rows, those that the model's measures have included."""
        kinds: set[str] = {m.fold if m.aggregate == "span" else m.aggregate for m in self.measures}
        kinds |= {p.nested.aggregate for p in self.plans if p.nested is not None}
        for measure in self.measures:
            known = self.draft.metadata.members.get(measure.member or "")
            if measure.aggregate == "measure" and known is not None:
                kinds.add(known.agg_type or "number")
        return kinds

    def holds_count(self, place: int, item: Item) -> bool:
        """``how many``: something is counted, or a column holds the number asked for (``number of cylinders``)."""
        if self.plan.shape != "aggregate" or any(self.meta.is_number(d.member) for d in self.plan.dimensions):
            return True
        named = self.draft.resolution.choice.get(place + 1)
        if "number of" in item.text.lower() and isinstance(named, Candidate) and named.member in self.members():
            return True  # ``average number of seats``: a column that holds it
        if any(m.aggregate == "span" for m in self.measures):
            return True  # ``how many days between``
        kinds = self.aggregates()
        counted = any(kind.startswith("count") or kind == "sum" for kind in kinds)
        return (
            counted
            or bool(self.plan.parts)
            or bool(kinds & {"number", "share_true", "ratio"})
            or bool(any(m.aggregate.startswith("count") for p in self.plans for m in ordering_of(p)))
        )

    def holds_neg(self, value: str, item: Item) -> bool:
        known = self.meta.members
        if self.plan.compare and any(
            d.member in known and known[d.member].type == "boolean" for d in self.plan.dimensions
        ):
            return True  # "guided and not guided": each is a group
        if any(c.operator == "not null" for c in self.conditions) and self.denies_a_lack(item):
            return True
        # A denial may have turned a comparison round.
        if any(c.operator in _DENIALS or c.operator in _FLIPPED for c in self.conditions):
            return True
        if any(c.operator == "=" and c.values == (0,) for c in self.conditions):
            return True  # "without injuries"
        return (
            any(e.negated for p in self.plans for e in p.exists)
            or any(h.operator in _FLIPPED or h.operator == "!=" for p in self.plans for h in p.having)
            or any(h.operator == "=" and h.values == (0.0,) for p in self.plans for h in p.having)
            or any(m.exists for m in self.measures)
        )

    def denies_a_lack(self, item: Item) -> bool:
        """``not missing``, ``not without``: what there is."""
        return any(token.lower in _LACKING for token in self.draft.tokens[item.end : item.end + 3])

    def holds_calc(self, value: str, item: Item) -> bool:
        if value == "share":
            if self.plan.shape != "aggregate":  # a column that holds shares is listed
                return any(_SHARED & set(self.meta.parts(column)) for column in self.plan.columns)
            # In bins a share is one of each bin, unless a distribution was asked for.
            if any(d.bin is not None for d in self.plan.dimensions) and not self.draft.spread:
                return False
            percent = any(
                m.aggregate == "measure" and self.draft.metadata.member(m.member or "").format == "percent"
                for m in self.measures
            )
            return (
                percent
                or bool(self.aggregates() & _SHARES)
                or "share" in self.calculations()
                or bool(self.plan.parts or self.plan.chart.mark == "arc")
            )
        if value == "ratio":
            if self.plan.chart.channels or len(self.plan.measures) > 1:
                return True
            return bool(self.plan.parts) or bool(self.aggregates() & {"ratio", "share_true", "number"})
        if value == "growth" and "year_ago_growth" in self.calculations():
            return True
        return value not in _OVER_GROUPS or _OVER_GROUPS[value] in self.calculations()

    def holds_ask(self, value: str, item: Item) -> bool:
        return value != "why"  # a cause is found by comparing groups, which no plan does

    def holds_spread(self, value: str, item: Item) -> bool:
        return bool(self.plan.dimensions) or self.plan.shape != "aggregate" or len(self.plan.measures) > 1

    def holds_relate(self, value: str, item: Item) -> bool:
        return len(self.plan.dimensions) + len(self.plan.measures) + len(self.plan.columns) > 1

    def holds_trend(self, value: str, item: Item) -> bool:
        return bool(self.plan.dimensions or self.plan.calculations) or self.plan.shape != "aggregate"

    def holds_grain(self, place: int, item: Item) -> bool:
        """``stay in days``: a unit of time is shown, tested, averaged over, or counted."""
        if item.text.lower() in _TIMES or self.draft.axes or self.draft.mark or self.plan.shape != "aggregate":
            return True
        # Grouped by any time: which unit is looked at elsewhere.
        if any(d.grain or self.meta.is_time(d.member) or self.meta.is_year(d.member) for d in self.shown()):
            return True
        unit = singular(item.text.lower().split()[-1])
        numbers = [m.member for m in self.measures if m.member] + [c.member for c in self.conditions]
        named = any(unit in _units_of(self.meta, path) for path in numbers if path in self.meta.members)
        held = not self.asks_for_units(place) and any(c.part or c.operator.endswith("period") for c in self.conditions)
        return named or held or bool(self.calculations()) or any(m.aggregate == "span" for m in self.measures)

    def asks_for_units(self, place: int) -> bool:
        """``hours per van this year``, ``weight by district and quarter``: a unit that a period says nothing of."""
        if place and (
            self.draft.items[place - 1].is_cue("group") or self.draft.items[place - 1].is_cue("logic", "and")
        ):
            return True
        return place == 0 and singular(self.draft.items[0].text.lower()) != self.draft.items[0].text.lower()

    def names_rows(self, place: int) -> bool:
        """``per trip``: each row is one already."""
        chosen = self.draft.resolution.choice.get(place)
        return isinstance(chosen, Candidate) and chosen.member is None and chosen.relation == self.plan.scope[0]

    def is_of_rows(self) -> bool:
        """``average price per trip``, and no sum of many: unless the rows themselves are told apart."""
        apart = any(d.member.startswith(f"{self.plan.scope[0]}.") and self.tells_rows(d.member) for d in self.shown())
        added = self.aggregates() - {"measure"} <= _ADDED
        return apart or bool(self.plan.parts or self.plan.exists) or not added

    def within_groups(self, place: int) -> bool:
        """``spend per customer by country``: groups of that whose rows were asked for one by one."""
        named = self.draft.resolution.choice.get(place)
        if not isinstance(named, Candidate) or named.member is not None or self.plan.nested or self.plan.parts:
            return False
        own = [d.member for d in self.shown() if d.member.startswith(f"{named.relation}.")]
        elsewhere = len(own) < len(self.shown())
        return bool(own) and not elsewhere and not any(self.tells_rows(path) for path in own)

    def tells_rows(self, path: str) -> bool:
        label = self.meta.label_of(path.split(".", 1)[0])
        return self.meta.is_key(path) or self.meta.profile(path).unique or path == label and self.is_joined(path)

    def is_joined(self, path: str) -> bool:
        """Whether a member is of a relation that others lead to, where its label stands for its rows."""
        return path.split(".", 1)[0] != self.plan.scope[0]

    def shown(self) -> list[Dimension]:
        return [d for p in self.plans for d in (*p.dimensions, *((p.nested.dimension,) if p.nested else ()))]

    def holds_group(self, place: int, item: Item) -> bool:
        """``of each company``: what is grouped by something has groups."""
        grouped = bool(self.plan.dimensions or self.plan.nested or self.plan.parts or self.plan.limit_per is not None)
        grouped = grouped or any(m.aggregate == "ratio" for m in self.measures)  # ``price per km``
        listed = self.plan.shape != "aggregate" and len(self.plan.columns) > 1
        if item.text.lower() in _EACH and not listed and self.names_rows(place + 1):
            return self.is_of_rows() or self.is_what_they_have(place + 1)
        if item.text.lower() in _EACH and grouped and self.within_groups(place + 1):
            return False
        if grouped or listed:
            return True
        if item.text.lower() == "by":
            return not self.leaves_groups(place)
        return item.text.lower() not in _EACH

    def is_what_they_have(self, place: int) -> bool:
        """``per guest country``: by what is named right behind the rows that have it."""
        whose, what = (self.draft.resolution.choice.get(at) for at in (place, place + 1))
        if not isinstance(whose, Candidate) or not isinstance(what, Candidate) or what.relation != whose.relation:
            return False
        beside = self.draft.items[place].end == self.draft.items[place + 1].start
        return beside and any(d.member == what.member for d in self.plan.dimensions)

    def leaves_groups(self, place: int) -> bool:
        """``how many fines by make``: nothing is grouped or ordered by what stands behind *by*, at the end."""
        after = self.draft.items[place + 1] if place + 1 < len(self.draft.items) else None
        if after is None or self.plan.shape != "aggregate" or self.ranks():
            return False
        last = place + 2 == len(self.draft.items) and after.text.lower() not in _PHRASES
        # At the very end "by" something is what groups; further on it may belong to a verb.
        return last and (after.kind == "name" and not self.plan.conditions or after.kind == "word")

    def holds_name(self, place: int, item: Item) -> bool:
        """``how many had a stay longer than the average``: a number that is named is measured, tested or shown."""
        named = self.draft.resolution.choice.get(place)
        path = named.member if isinstance(named, Candidate) and named.quality > _WEAK else None
        if path is None or not self.meta.is_number(path) or self.meta.is_key(path) or self.meta.is_flag(path):
            return True
        return path in self.members() or self.plan.chart.channels != () or bool(self.draft.axes)

    def members(self) -> set[str]:
        """All members that the plan goes by, and the columns that its measures are made of."""
        # A measure's column as well: the plan may use the model's own.
        measured = {path for m in self.measures for path in (m.member, m.other) if path}
        measured |= {plain for m in self.measures if (plain := self.meta.plain(m).member)}
        tested = {path for c in self.conditions for path in (c.member, c.other) if path}
        ordered = {o.member for p in self.plans for o in p.order if o.member}
        columns = {path for p in self.plans for path in p.columns}
        return measured | tested | ordered | columns | {d.member for d in self.shown()}

    def holds_top(self, value: str, item: Item) -> bool:
        return self.ranks() or bool({"min", "max"} & self.aggregates())

    def calculations(self) -> set[str]:
        return {c.kind for p in self.plans for c in p.calculations}

    def ranks(self) -> bool:
        return any(p.limit or p.limit_per or p.order for p in self.plans) or bool({"min", "max"} & self.aggregates())


def _units_of(meta: Metadata, path: str) -> set[str]:
    """What a number is measured in, as far as its name or its owner says."""
    told = str(meta.member(path).meta.get("unit") or "").lower()
    return {singular(word) for word in (*meta.parts(path), told)}


def _numbers(plan: Plan) -> Iterator[float]:
    for condition in conditions_of(plan):
        yield from (v for v in condition.values if isinstance(v, (int, float)))
    yield from (value for having in plan.having for value in having.values)
    yield from (value for exists in plan.exists for value in exists.values)
    yield from (limit for limit in (plan.limit, plan.limit_per) if limit is not None)
    yield from (d.bin for d in plan.dimensions if d.bin is not None)
    yield from (c.window for c in plan.calculations)
    yield from (v for v in plan.claim if isinstance(v, (int, float)))
