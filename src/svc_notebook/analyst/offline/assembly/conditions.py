"""Conditions of a plan."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ..plans.plan import Condition, Dimension, Exists, Measure
from ..schema.lexicon import Candidate
from ..schema.member_kinds import labels_of
from ..walk.birthdays import of_any_year
from ..walk.segments import Item
from ..walk.times import bind_period
from ..words.percents import PERCENT, is_fraction
from ..words.text import is_participle
from .assembly import Assembly
from .lengths_dated import begun_with_lengths
from .logic import combine

__all__ = [
    "absences",
    "all_but_one_person",
    "all_conditions",
    "any_conditions",
    "both_ways",
    "bound_conditions",
    "conditional_measures",
    "join_periods",
    "merge",
    "per_number",
    "ratios",
]


_SEVERAL = 2
_BEING = frozenset({"is", "are", "was", "were", "got", "get", "has been", "have been"})
_BESIDE = frozenset({"and", "or", "vs", "versus", "against", "than", "compared to", "compared with"})
_RATES = frozenset({"rate", "rates"})
_NO_VERBS = frozenset({"the", "a", "an", "our", "all", "these", "those", "that", "which", "who"})


def bound_conditions(state: Assembly) -> list[tuple[str, Condition, int]]:
    bound: list[tuple[str, Condition, int]] = []
    mentioned = [*state.mentioned_members(), *begun_with_lengths(state)]
    for joiner, condition, place in state.draft.conditions:
        if condition.member:
            bound.append((joiner, of_any_year(state.meta, condition), place))
            continue
        # The time said just before comes first, then any that was named; binding falls back on the relation's own.
        fixed = bind_period(state.meta, condition, state.scope, [*_time_before(state, place), *mentioned])
        if fixed is None:
            state.unread.extend(condition.words.split() or ["period"])
        else:
            bound.append((joiner, of_any_year(state.meta, fixed), place))
    return bound


def _time_before(state: Assembly, place: int) -> list[str]:
    """``filed in 2023 and closed in 2024``: where several times are named, each period is of the one before it."""
    choice, items = state.draft.resolution.choice, state.draft.items
    named = {at: c.member for at, c in choice.items() if isinstance(c, Candidate) and c.member is not None}
    times = {at: path for at, path in named.items() if state.meta.is_time(path)}
    if len(set(times.values())) < _SEVERAL:
        return []
    periods = [at for at, item in enumerate(items) if item.kind == "period" and at < place]
    since = periods[-1] if periods else -1
    near = [path for at, path in sorted(times.items()) if since < at < place]
    return near[-1:]


def all_conditions(state: Assembly) -> tuple[Condition, ...]:
    return combine(_said_in(state), state.draft.tokens)[0]


def any_conditions(state: Assembly) -> tuple[tuple[Condition, ...], ...]:
    return state.beside or combine(_said_in(state), state.draft.tokens)[1]


def _said_in(state: Assembly) -> list[tuple[str, Condition, int]]:
    """Joiner, condition and the token it was said at."""
    starts = [item.start for item in state.draft.items]
    return [(joiner, c, starts[place] if place < len(starts) else place) for joiner, c, place in state.merged]


def both_ways(state: Assembly) -> None:
    """``guided and not guided tours``, ``insured vs uninsured parcels``: two groups, and no row that is both."""
    flags = {c.operator: (c, place) for _, c, place in state.conditions if c.operator in ("true", "false")}
    if len(flags) < 2 or len({c.member for c, _ in flags.values()}) > 1 or state.dimensions:
        return
    first, last = sorted(place for _, place in flags.values())
    # Beside anything else ("where pets are not allowed") the second is said instead of the first.
    if not {item.text.lower() for item in state.draft.items[first:last]} & _BESIDE:
        return  # "where pets are not allowed"
    member = flags["true"][0].member
    state.conditions = [entry for entry in state.conditions if entry[1].member != member]
    state.dimensions.append(Dimension(member))
    state.draft.compare = True


def all_but_one_person(state: Assembly) -> None:
    """``without Ada Abel``: nobody who has both halves of the name; who shares one of them stays."""
    if state.beside or any(joiner == "or" for joiner, _, _ in state.conditions):
        return
    # Both halves were read as values with one denial: the second came out as what is wanted.
    for (_, one, place), (_, other, behind) in pairwise(state.conditions):
        halves = labels_of(state.meta, one.member.split(".", 1)[0])
        denied = (one.operator, other.operator) == ("not in", "in") and behind == place + 1
        if denied and len(halves) > 1 and {one.member, other.member} == set(halves):
            state.conditions = [entry for entry in state.conditions if entry[1] not in (one, other)]
            state.beside = ((one,), (replace(other, operator="not in"),))
            if any(c.member in halves for _, c, _ in state.conditions):
                state.draft.unmet.append("without")  # two of them at once
            return


def join_periods(state: Assembly) -> None:
    """Two periods of one time that share no moment (``2022 and 2023``): either of them is meant."""
    kept: list[tuple[str, Condition, int]] = []
    for joiner, condition, place in state.conditions:
        number = next((i for i, (_, c, _) in enumerate(kept) if _apart(c, condition)), None)
        if number is None:
            kept.append((joiner, condition, place))
            continue
        known, said = kept[number][1].values, condition.values
        words = f"{kept[number][1].words} and {condition.words}"
        low, high = min(known, said), max(known, said)
        state.periods += [p for p in (kept[number][1], condition) if p not in state.periods]
        # Periods that touch are one longer period: one range is told better than an either-or.
        if low[1] == high[0]:
            joined = Condition(condition.member, "period", (low[0], high[1]), None, words)
            kept[number] = (kept[number][0], joined, kept[number][2])
        else:
            kept.append(("or", condition, place))
    state.conditions = kept


def merge(state: Assembly) -> None:
    """Values of one member become one list; the same condition twice is one."""
    merged: list[tuple[str, Condition, int]] = []
    for joiner, condition, place in state.conditions:
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
                    # No row equals both numbers, so either is meant.
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
    state.merged = merged


def conditional_measures(state: Assembly) -> None:
    """``share of cancelled flights``: the conditions said right after the share belong to it."""
    draft = state.draft
    _rates(state)
    if "share" in draft.calculations and "ratio" not in draft.calculations:
        place = next((i for i, item in enumerate(draft.items) if item.is_cue("calc", "share")), 0)
        stop = next(
            (
                i
                for i in range(place + 1, len(draft.items))
                if draft.items[i].kind == "grain" or draft.items[i].is_cue("group") and not _is_done_by(state, i)
            ),
            len(draft.items),
        )
        said = [(c, p) for _, c, p in state.conditions if place < p < stop and "period" not in c.operator]
        inner = [c for c, p in said if p > _being_said(state, place, [p for _, p in said])]
        inner = [c for c in inner if c not in _said_where(state, [(c, p) for c, p in said if c in inner])]
        inner = _when(state, place, stop) or inner
        # The rows of which there is a share cannot be told by one list of conditions.
        if any(joiner == "or" and condition in inner[1:] for joiner, condition, _ in state.conditions):
            draft.unmet.append("share")  # of those of which either holds
            return
        # The model's own rate is a share already: conditions only say of which rows.
        if inner and not any(m.aggregate == "measure" for m in state.measures):
            state.conditions = [entry for entry in state.conditions if entry[1] not in inner]
            # A count beside it would be the number of the rows that there is a share of.
            state.measures = [m for m in state.measures if m.aggregate not in ("count", "count_values")]
            state.measures.insert(0, Measure(None, "share_true", tuple(inner)))
            draft.calculations.remove("share")
            _bound_share(state, state.measures[0], place)


def _is_done_by(state: Assembly, place: int) -> bool:
    """``what share of flights are by Delta``, ``… are operated by Delta``: whose they are, and no group."""
    items = state.draft.items
    value = place + 1 < len(items) and items[place + 1].kind == "value"
    before = state.draft.tokens[items[place].start - 1].lower if items[place].start else ""
    return value and items[place].text.lower() == "by" and (before in _BEING or is_participle(before))


def _said_where(state: Assembly, said: list[tuple[Condition, int]]) -> list[Condition]:
    """``what share of days are sunny in Aarhus``: behind what there is a share of, where they are is said of all."""
    if not said or _lead(state, said[0][1]) in _WHERE:
        return []
    (first, start), *others = said
    led = {c.member for c, place in others if c.member != first.member and _is_led(state, start, place)}
    return [c for c, _ in others if c.member in led]


def _is_led(state: Assembly, start: int, place: int) -> bool:
    """Whether a word for where stands before what is said at a place, or one for whom between it and the first."""
    items, tokens = state.draft.items, state.draft.tokens
    between = {token.lower for token in tokens[items[start].end : items[place].start]}
    return _lead(state, place) in _WHERE or bool(between & _WHOM)


def _lead(state: Assembly, place: int) -> str:
    """The word before what is said at a place, and before its article."""
    before = [token.lower for token in state.draft.tokens[: state.draft.items[place].start]]
    return next((word for word in reversed(before) if word != "the"), "")


def _when(state: Assembly, start: int, stop: int) -> list[Condition]:
    """``what share of the cancellations were in February``: the time is what there is a share of."""
    items, tokens = state.draft.items, state.draft.tokens
    if not items[start].text.lower().startswith("what "):
        return []
    for _, condition, place in state.conditions:
        lead = [token.lower for token in tokens[: items[place].start]]
        while lead and lead[-1] in _IN:
            lead.pop()
        timed = condition.operator == "period" or condition.part is not None
        if timed and start < place < stop and lead and lead[-1] in _TOOK_PLACE:
            return [condition]
    return []


_WHERE = frozenset({"in", "at", "for", "among"})
_WHOM = frozenset({"for", "among"})
_IN = frozenset({"in", "on", "during", "the", "at"})
_TOOK_PLACE = frozenset({"was", "were", "is", "are", "happened", "occurred", "happen", "fell", "fall", "took", "place"})


def _bound_share(state: Assembly, share: Measure, start: int) -> None:
    """``with a share of late parcels above 8 %``: groups whose share is as much."""
    draft = state.draft
    for place in range(start + 1, len(draft.items) - 1):
        cue, number = draft.items[place].cue, draft.items[place + 1].number
        if cue is None or cue.kind != "compare" or cue.value not in _BOUNDS or number is None:
            continue
        token = draft.tokens[draft.items[place + 1].start]
        behind = draft.items[place + 2].text.lower() if place + 2 < len(draft.items) else ""
        if is_fraction(token) or behind in PERCENT:
            bound = number if is_fraction(token) else number / 100
            draft.having.append((share, cue.value, (round(bound, 6),)))
            told = {draft.items[place + 1].text, f"{number:g}", behind} - {""}
            state.unread = [word for word in state.unread if word not in told]
            draft.doubts = [doubt for doubt in draft.doubts if doubt != "comparison"]
            return


_BOUNDS = frozenset({">", ">=", "<", "<="})


def _being_said(state: Assembly, start: int, places: list[int]) -> int:
    """``share of urgent tickets that was escalated``: where it is said what some of them are, who stand before it;
    the place of the share itself where nothing stands on one of the sides.
    """
    items = state.draft.items
    asked = state.draft.tokens[0].lower == "what"
    # Without "what" no verb tells the two sides apart: "share of open tickets left".
    counted = next((place for _, place in state.draft.entities), len(items))
    behind = range(start + 1, len(items))
    being = [place for place in behind if items[place].text.lower() in _BEING]
    did = [place for place in behind if asked and place > counted and _is_verb(items[place])]
    for place in (*being, *did):  # "out" is no verb where an "are" comes later
        if any(p < place for p in places) and any(p > place for p in places):
            return place
    bounded = _bounded_behind(state, counted)
    if bounded is not None and bounded > start:
        return bounded
    # Rows that go by no name of the model's ("bars" of chocolate) stand before all that is told of them.
    least = counted if state.draft.entities else start
    told = (p for p in places if asked and p > least and _is_told(state, p))
    return next((p - 1 for p in told if any(before < p for before in places)), start)


def _bounded_behind(state: Assembly, counted: int) -> int | None:
    """``share of delta's flights with a delay over 15``: whose they are picks rows, and the bound is told of them."""
    picked = any(c.operator == "in" and place == counted - 1 for _, c, place in state.conditions)
    bounds = [place for _, c, place in state.conditions if c.operator in _BOUNDS and place > counted + 1]
    led = counted + 1 < len(state.draft.items) and state.draft.items[counted + 1].is_cue("have")
    return counted if picked and led and bounds else None


def _is_told(state: Assembly, place: int) -> bool:
    """``projects failed``, ``bars score above 3``: what is said there is told of the rows, and does not pick them."""
    items, cue = state.draft.items, state.draft.items[place].cue
    if cue is not None and cue.kind == "compare" and place:
        return items[place - 1].kind == "name" and _lead(state, place - 1) not in _PICKING
    done = items[place].kind in ("value", "name") and is_participle(items[place].text.lower())
    return done and _lead(state, place) not in _PICKING


_PICKING = frozenset("in at for among of with from by on and or a an where whose having that which who".split())


def _is_verb(item: Item) -> bool:
    return item.kind == "word" and item.text.isalpha() and item.text not in _NO_VERBS


def _rates(state: Assembly) -> None:
    """``no-show rate by doctor``: of all rows those that are so, and no rate that another column is called."""
    draft = state.draft
    for joiner, condition, place in list(state.conditions):
        behind = draft.items[place + 1] if place + 1 < len(draft.items) else None
        if behind is None or behind.text.lower() not in _RATES or condition.operator != "in":
            continue
        others = [m for m in state.measures if m.aggregate != "share_true"] or draft.calculations
        if others or draft.items[place].kind != "value":
            return
        # The word behind was read as a column's name too ("rate"): it is part of how a share is said.
        known = draft.resolution.choice.get(place + 1)
        wrong = {known.member} if isinstance(known, Candidate) else set()
        draft.mentions = [m for m in draft.mentions if m.member not in wrong]
        state.conditions = [e for e in state.conditions if e != (joiner, condition, place) and e[1].member not in wrong]
        state.measures = [Measure(None, "share_true", (condition,))]
        draft.measures = list(state.measures)
        return


def ratios(state: Assembly) -> None:
    """``ratio of A to B``: of two counts under different conditions, or of two numbers."""
    draft = state.draft
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
    numbers = [m for m in draft.mentions if m.place > start and state.raw_number(m)]
    if len(numbers) >= 2 and not state.measures:
        state.measures = [Measure(numbers[0].member, "ratio", other=numbers[1].member)]
        draft.mentions = [m for m in draft.mentions if m not in numbers[:2]]
        return
    if joint is None:
        return
    above = [c for _, c, place in state.conditions if start < place < joint]
    same = {c.member for c in above}
    # Only conditions on the same member stand below the line: any other says of which rows the ratio is.
    below = [c for _, c, place in state.conditions if place > joint and c.member in same]
    if not above:
        return
    state.conditions = [entry for entry in state.conditions if entry[1] not in above and entry[1] not in below]
    state.measures = [Measure(None, "ratio", tuple(above), divided_by=tuple(below))]
    draft.mentions = [m for m in draft.mentions if m.member not in same]


def per_number(state: Assembly) -> None:
    """``price per km``, ``fees per minute``: of all rows together, one number of a row divided by another."""
    draft, choice = state.draft, state.draft.resolution.choice
    for place, item in enumerate(draft.items):
        over, under = _column_at(state, choice.get(place - 1)), _column_at(state, choice.get(place + 1))
        if item.text.lower() != "per" or over is None or under is None or over == under:
            continue
        if over.split(".", 1)[0] != under.split(".", 1)[0] or not _is_measured_out(state, under):
            continue
        # One of the two may have been read as a measure over the other's column; any other measure was asked for by
        # itself.
        known = {m.member for m in state.measures if state.meta.plain(m).member in (over, under)} | {over, under}
        if {m.member for m in state.measures} <= known and len(draft.grains) == 0:
            state.measures = [Measure(over, "ratio", other=under)]
            draft.measures = list(state.measures)
            draft.mentions = [m for m in draft.mentions if m.member not in known]
            state.dimensions = [d for d in state.dimensions if d.member != under]
            return


def _column_at(state: Assembly, chosen: object) -> str | None:
    """The column of a number that was named, be it by a measure of it."""
    path = chosen.member if isinstance(chosen, Candidate) else None
    if path is None:
        return None
    column = state.meta.plain(Measure(path, "measure")).member if state.meta.is_measure(path) else path
    number = column is not None and state.meta.is_number(column) and not state.meta.is_key(column)
    return column if number and column is not None and not state.meta.is_year(column) else None


def _is_measured_out(state: Assembly, column: str) -> bool:
    """Whether a number says how much of something a row has, and does not grade it."""
    meta = state.meta.member(column).meta
    if meta.get("kind") in ("stock", "quantity", "duration") or meta.get("unit"):
        return True
    relation = state.meta.relation(column.split(".", 1)[0])
    sums = [m.path for m in relation.members.values() if m.kind == "measure" and m.agg_type == "sum"]
    return any(state.meta.plain(Measure(path, "measure")).member == column for path in sums)


def absences(state: Assembly) -> None:
    """``drugs not used in any treatment``: rows without a row in another relation."""
    for doubt in state.draft.doubts:
        if doubt.startswith("exists:"):
            _, relation, _ = doubt.split(":")
            said = (*state.draft.lacked.get(relation, ()), *_said_behind(state, relation))
            state.exists.append(Exists(relation, True, said))
            state.draft.mentions = [
                replace(m, member=_pointed(state, m.member, relation)) for m in state.draft.mentions
            ]


def _said_behind(state: Assembly, denied: str) -> list[Condition]:
    """``clients without a visit in 2025``: what is said behind a denial is of those that are not there."""
    named = [(at, c) for at, c in state.draft.resolution.choice.items() if isinstance(c, Candidate)]
    place = next((at for at, c in named if c.member is None and c.relation == denied), None)
    if place is None or any(joiner == "or" for joiner, _, _ in state.conditions):
        return []
    behind = [e for e in state.conditions if e[2] > place and e[1].member.split(".", 1)[0] == denied]
    state.conditions = [entry for entry in state.conditions if entry not in behind]
    return [condition for _, condition, _ in behind]


def _pointed(state: Assembly, member: str, absent: str) -> str:
    """The key that a foreign key points at, when it lies in a relation that rows are said not to have."""
    if member.split(".", 1)[0] != absent:
        return member
    for other in state.meta.edges[absent]:
        keys = state.meta.join_keys(absent, other)
        if keys is not None and keys[0] == member:
            return keys[1]
    return member


def _apart(one: Condition, other: Condition) -> bool:
    """Whether two closed periods of the same time share no moment."""
    if one.operator != "period" or other.operator != "period" or one.member != other.member:
        return False
    if None in (*one.values, *other.values):
        return False
    (low, high), (begin, end) = one.values, other.values
    return bool(high <= begin or end <= low)
