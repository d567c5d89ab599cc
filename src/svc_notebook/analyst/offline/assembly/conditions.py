"""Conditions of a plan."""

from __future__ import annotations

from dataclasses import replace

from ..plans.plan import Condition, Dimension, Exists, Measure
from ..schema.lexicon import Candidate
from ..walk.times import bind_period
from .assembly import AssemblyState
from .logic import combine

__all__ = ["Conditions"]

_SEVERAL = 2
_BEING = frozenset({"is", "are", "was", "were", "got", "get", "has been", "have been"})
_AGAINST = frozenset({"vs", "versus", "against", "compare", "compared", "comparing", "comparison"})
_BESIDE = frozenset({"and", "or", "vs", "versus", "against", "than", "compared to", "compared with"})
_RATES = frozenset({"rate", "rates"})
_NO_VERBS = frozenset({"the", "a", "an", "our", "all", "these", "those", "that", "which", "who"})


def _apart(one: Condition, other: Condition) -> bool:
    """Whether two closed periods of the same time share no moment."""
    if one.operator != "period" or other.operator != "period" or one.member != other.member:
        return False
    if None in (*one.values, *other.values):
        return False
    (low, high), (begin, end) = one.values, other.values
    return bool(high <= begin or end <= low)


class Conditions(AssemblyState):
    """Conditions: bound to members, merged, or moved into a measure."""

    def bound_conditions(self) -> list[tuple[str, Condition, int]]:
        bound: list[tuple[str, Condition, int]] = []
        mentioned = self.mentioned_members()
        for joiner, condition, place in self.draft.conditions:
            if condition.member:
                bound.append((joiner, condition, place))
                continue
            fixed = bind_period(self.meta, condition, self.scope, [*self.time_before(place), *mentioned])
            if fixed is None:
                self.unread.extend(condition.words.split() or ["period"])
            else:
                bound.append((joiner, fixed, place))
        return bound

    def time_before(self, place: int) -> list[str]:
        """``filed in 2023 and closed in 2024``: where several times are named, each period is of the one before it."""
        choice, items = self.draft.resolution.choice, self.draft.items
        named = {at: c.member for at, c in choice.items() if isinstance(c, Candidate) and c.member is not None}
        times = {at: path for at, path in named.items() if self.meta.is_time(path)}
        if len(set(times.values())) < _SEVERAL:
            return []
        periods = [at for at, item in enumerate(items) if item.kind == "period" and at < place]
        since = periods[-1] if periods else -1
        near = [path for at, path in sorted(times.items()) if since < at < place]
        return near[-1:]

    def all_conditions(self) -> tuple[Condition, ...]:
        return combine(self.said(), self.draft.tokens)[0]

    def any_conditions(self) -> tuple[tuple[Condition, ...], ...]:
        return self.beside or combine(self.said(), self.draft.tokens)[1]

    def said(self) -> list[tuple[str, Condition, int]]:
        """Joiner, condition and the token it was said at."""
        starts = [item.start for item in self.draft.items]
        return [(joiner, c, starts[place] if place < len(starts) else place) for joiner, c, place in self.merged]

    def both_ways(self) -> None:
        """``guided and not guided tours``, ``insured vs uninsured parcels``: two groups, and no row that is both."""
        flags = {c.operator: (c, place) for _, c, place in self.conditions if c.operator in ("true", "false")}
        if len(flags) < 2 or len({c.member for c, _ in flags.values()}) > 1 or self.dimensions:
            return
        first, last = sorted(place for _, place in flags.values())
        if not {item.text.lower() for item in self.draft.items[first:last]} & _BESIDE:
            return  # "where pets are not allowed"
        member = flags["true"][0].member
        self.conditions = [entry for entry in self.conditions if entry[1].member != member]
        self.dimensions.append(Dimension(member))
        self.draft.compare = True

    def sides(self) -> None:
        """``JFK vs La Guardia``: the code of one and the name of another are two of a kind, side by side."""
        joined = any(joiner == "or" for joiner, _, _ in self.conditions)
        if joined or not _AGAINST & {token.lower for token in self.draft.tokens}:
            return
        alone = [n for n, (_, c, _) in enumerate(self.conditions) if c.operator == "in" and c.part is None]
        if len(alone) != 2 or any(len(self.conditions[n][1].values) > 1 for n in alone):
            return
        one, other = (self.conditions[n][1] for n in alone)
        shown = self.names_both(one.member, other.member)
        if shown is not None:
            self.conditions = [entry for entry in self.conditions if entry[1] not in (one, other)]
            self.beside = ((one,), (other,))
            self.dimensions.append(Dimension(shown))
            self.draft.compare = True

    def names_both(self, one: str, other: str) -> str | None:
        """Of two members that tell the same thing (``origin``, ``origin_airport``), the one that says it in words."""
        if one == other or one.split(".", 1)[0] != other.split(".", 1)[0]:
            return None
        first, second = sorted((one, other), key=lambda path: len(self.meta.parts(path)))
        shared = set(self.meta.parts(first)) < set(self.meta.parts(second))
        both = self.meta.profile(first).unique and self.meta.profile(second).unique
        if not shared and not both:
            return None
        long = {
            path: max((len(str(v)) for v in self.meta.values.members.get(path, ())), default=0) for path in (one, other)
        }
        return max(long, key=lambda path: long[path])

    def join_periods(self) -> None:
        """Two periods of one time that share no moment (``2022 and 2023``): either of them is meant."""
        kept: list[tuple[str, Condition, int]] = []
        for joiner, condition, place in self.conditions:
            number = next((i for i, (_, c, _) in enumerate(kept) if _apart(c, condition)), None)
            if number is None:
                kept.append((joiner, condition, place))
                continue
            known, said = kept[number][1].values, condition.values
            words = f"{kept[number][1].words} and {condition.words}"
            low, high = min(known, said), max(known, said)
            self.periods += [p for p in (kept[number][1], condition) if p not in self.periods]
            if low[1] == high[0]:
                joined = Condition(condition.member, "period", (low[0], high[1]), None, words)
                kept[number] = (kept[number][0], joined, kept[number][2])
            else:
                kept.append(("or", condition, place))
        self.conditions = kept

    def merge(self) -> None:
        """Values of one member become one list; the same condition twice is one."""
        merged: list[tuple[str, Condition, int]] = []
        for joiner, condition, place in self.conditions:
            same = next(
                (
                    i
                    for i, (_, c, _) in enumerate(merged)
                    if c.member == condition.member
                    and c.operator == condition.operator
                    and c.operator in ("in", "not in")
                    and c.part == condition.part
                ),
                None,
            )
            if any(c == condition for _, c, _ in merged):
                continue
            if condition.operator == "=" and condition.part is None:
                twin = next(
                    (
                        i
                        for i, (_, c, _) in enumerate(merged)
                        if c.member == condition.member and c.operator in ("=", "in") and c.values != condition.values
                    ),
                    None,
                )
                if twin is not None:
                    old = merged[twin][1]
                    merged[twin] = (
                        merged[twin][0],
                        Condition(old.member, "in", (*old.values, *condition.values), None, old.words),
                        place,
                    )
                    continue
            if same is not None:
                old = merged[same][1]
                values = (*old.values, *(v for v in condition.values if v not in old.values))
                merged[same] = (
                    merged[same][0],
                    Condition(old.member, old.operator, values, old.part, f"{old.words}, {condition.words}"),
                    merged[same][2],
                )
                continue
            merged.append((joiner if merged else "and", condition, place))
        self.merged = merged

    def conditional_measures(self) -> None:
        """``share of cancelled flights``: the conditions said right after the share belong to it."""
        draft = self.draft
        self.rates()
        if "share" in draft.calculations and "ratio" not in draft.calculations:
            place = next((i for i, item in enumerate(draft.items) if item.is_cue("calc", "share")), 0)
            stop = next(
                (
                    i
                    for i in range(place + 1, len(draft.items))
                    if draft.items[i].is_cue("group") or draft.items[i].kind == "grain"
                ),
                len(draft.items),
            )
            said = [(c, p) for _, c, p in self.conditions if place < p < stop and "period" not in c.operator]
            inner = [c for c, p in said if p > self.being_said(place, [p for _, p in said])]
            if inner and not any(m.aggregate == "measure" for m in self.measures):
                self.conditions = [entry for entry in self.conditions if entry[1] not in inner]
                self.measures = [m for m in self.measures if m.aggregate not in ("count", "count_values")]
                self.measures.insert(0, Measure(None, "share_true", tuple(inner)))
                draft.calculations.remove("share")

    def being_said(self, start: int, places: list[int]) -> int:
        """``share of urgent tickets that was escalated``: where it is said what some of them are, who stand before it;
        the place of the share itself where nothing stands on one of the sides.
        """
        asked = self.draft.items[start].text.lower().startswith("what ")
        counted = next((place for _, place in self.draft.entities), len(self.draft.items))
        for place in range(start + 1, len(self.draft.items)):
            item = self.draft.items[place]
            did = (
                asked and place > counted and item.kind == "word" and item.text.isalpha() and item.text not in _NO_VERBS
            )
            if did or item.text.lower() in _BEING:
                divided = any(p < place for p in places) and any(p > place for p in places)
                return place if divided else start
        return start

    def rates(self) -> None:
        """``no-show rate by doctor``: of all rows those that are so, and no rate that another column is called."""
        draft = self.draft
        for joiner, condition, place in list(self.conditions):
            behind = draft.items[place + 1] if place + 1 < len(draft.items) else None
            if behind is None or behind.text.lower() not in _RATES or condition.operator != "in":
                continue
            others = [m for m in self.measures if m.aggregate != "share_true"] or draft.calculations
            if others or draft.items[place].kind != "value":
                return
            known = draft.resolution.choice.get(place + 1)
            wrong = {known.member} if isinstance(known, Candidate) else set()
            draft.mentions = [m for m in draft.mentions if m.member not in wrong]
            self.conditions = [
                e for e in self.conditions if e != (joiner, condition, place) and e[1].member not in wrong
            ]
            self.measures = [Measure(None, "share_true", (condition,))]
            draft.measures = list(self.measures)
            return

    def ratios(self) -> None:
        """``ratio of A to B``: of two counts under different conditions, or of two numbers."""
        draft = self.draft
        if "ratio" not in draft.calculations:
            return
        start = next(i for i, item in enumerate(draft.items) if item.is_cue("calc", "ratio"))
        joint = next(
            (
                i
                for i in range(start + 1, len(draft.items))
                if draft.items[i].text.lower() in ("to", "to the", "out of", "out", "over")
            ),
            None,
        )
        numbers = [m for m in draft.mentions if m.place > start and self.raw_number(m)]
        if len(numbers) >= 2 and not self.measures:
            self.measures = [Measure(numbers[0].member, "ratio", other=numbers[1].member)]
            draft.mentions = [m for m in draft.mentions if m not in numbers[:2]]
            return
        if joint is None:
            return
        above = [c for _, c, place in self.conditions if start < place < joint]
        same = {c.member for c in above}
        below = [c for _, c, place in self.conditions if place > joint and c.member in same]
        if not above:
            return
        self.conditions = [entry for entry in self.conditions if entry[1] not in above and entry[1] not in below]
        self.measures = [Measure(None, "ratio", tuple(above), divided_by=tuple(below))]
        draft.mentions = [m for m in draft.mentions if m.member not in same]

    def per_number(self) -> None:
        """``price per km``, ``fees per minute``: of all rows together, one number of a row divided by another."""
        draft, choice = self.draft, self.draft.resolution.choice
        for place, item in enumerate(draft.items):
            over, under = self.column_at(choice.get(place - 1)), self.column_at(choice.get(place + 1))
            if item.text.lower() != "per" or over is None or under is None or over == under:
                continue
            if over.split(".", 1)[0] != under.split(".", 1)[0] or not self.is_measured_out(under):
                continue
            known = {m.member for m in self.measures if self.meta.plain(m).member in (over, under)} | {over, under}
            if {m.member for m in self.measures} <= known and len(draft.grains) == 0:
                self.measures = [Measure(over, "ratio", other=under)]
                draft.measures = list(self.measures)
                draft.mentions = [m for m in draft.mentions if m.member not in known]
                self.dimensions = [d for d in self.dimensions if d.member != under]
                return

    def column_at(self, chosen: object) -> str | None:
        """The column of a number that was named, be it by a measure of it."""
        path = chosen.member if isinstance(chosen, Candidate) else None
        if path is None:
            return None
        column = self.meta.plain(Measure(path, "measure")).member if self.meta.is_measure(path) else path
        number = column is not None and self.meta.is_number(column) and not self.meta.is_key(column)
        return column if number and column is not None and not self.meta.is_year(column) else None

    def is_measured_out(self, column: str) -> bool:
        """Whether a number says how much of something a row has, and does not grade it."""
        meta = self.meta.member(column).meta
        return meta.get("kind") in ("stock", "quantity", "duration") or bool(meta.get("unit"))

    def absences(self) -> None:
        """``drugs not used in any treatment``: rows without a row in another relation."""
        for doubt in self.draft.doubts:
            if doubt.startswith("exists:"):
                _, relation, _ = doubt.split(":")
                self.exists.append(Exists(relation, True, tuple(self.draft.lacked.get(relation, ()))))
                self.draft.mentions = [replace(m, member=self.pointed(m.member, relation)) for m in self.draft.mentions]

    def pointed(self, member: str, absent: str) -> str:
        """The key that a foreign key points at, when it lies in a relation that rows are said not to have."""
        if member.split(".", 1)[0] != absent:
            return member
        for other in self.meta.edges[absent]:
            keys = self.meta.join_keys(absent, other)
            if keys is not None and keys[0] == member:
                return keys[1]
        return member
