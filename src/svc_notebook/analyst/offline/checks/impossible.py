"""Plans that no row can meet, or that leave out rows that were spoken of: their answer is none, or another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations

from .... import patterns as re
from ..plans.plan import Condition, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from ..walk.draft import Draft
from ..walk.heads_of_values import heads_value
from ..walk.segments import Item
from ..words.families import root
from ..words.percents import PERCENT, is_fraction
from ..words.text import is_participle, singular, stem
from .leftover import LITTLE
from .whole_of_itself import is_share_of_itself

__all__ = ["is_impossible"]

_SURE = 0.95
_NEARLY = 0.8
_HAVING_NONE = (
    ("not", "have"), ("don't", "have"), ("doesn't", "have"), ("didn't", "have"), ("not", "has"), ("never", "had"),
    ("have", "no"), ("has", "no"), ("had", "no"), ("with", "no"),
)  # fmt: skip
_ONE_OF = frozenset({"a", "an", "any"})
_FAR = 3  # words between a denial and what there is none of
_OLDEST = frozenset({"oldest", "youngest"})
_BORN = frozenset({"birth", "born", "birthday", "birthdate", "dob", "age"})


def is_impossible(plan: Plan, draft: Draft) -> bool:
    """Whether a plan cannot hold of any row, or is of other rows than those that are counted or denied."""
    of_plan = (_no_number_is_both, _groups_without_rows, _denies_itself, _group_of_none)
    return any(check(plan, draft) for check in _CHECKS) or any(check(plan) for check in of_plan)


def _denies_itself(plan: Plan) -> bool:
    """``in Millbrook and not by Millbrook``: of one column, and so of no row."""
    named = [c for c in plan.conditions if c.operator == "in"]
    denied = [c for c in plan.conditions if c.operator == "not in"]
    return any(
        one.member == other.member and one.part == other.part and set(one.values) <= set(other.values)
        for one in named
        for other in denied
    )


def _group_of_none(plan: Plan) -> bool:
    """``planes that are not in the register``: by tail number, and only where there is none; ``how many gave no
    phone``: how many different ones.
    """
    none = {c.member for c in plan.conditions if c.operator == "null" and c.part is None}
    counted = any(m.member in none and m.aggregate in ("count_distinct", "count_values") for m in plan.measures)
    return counted or any(d.member in none for d in plan.dimensions)


def _no_number_is_both(plan: Plan) -> bool:
    """``hosts over 45 and hosts under 35``: two of them, and no one who is both."""
    bounds = [c for c in plan.conditions if c.operator in _UP | _DOWN | _SAME and c.values and c.part is None]
    return any(
        one.member == other.member
        and (
            one.operator in _UP and other.operator in _DOWN | _SAME or one.operator in _SAME and other.operator in _DOWN
        )
        and _apart(one, other)
        for one, other in permutations(bounds, 2)
    )


_UP, _DOWN, _SAME = frozenset({">", ">="}), frozenset({"<", "<="}), frozenset({"=", "in"})


def _apart(low: Condition, high: Condition) -> bool:
    """Whether no number is above what is low and below what is high: *with rain and without rain*."""
    values = [[as_number(value) for value in one.values] for one in (low, high)]
    lows, highs = ([value for value in found if value is not None] for found in values)
    if len(lows) < len(low.values) or len(highs) < len(high.values):
        return False
    open_end = low.operator == ">" or high.operator == "<"
    return min(lows) > max(highs) or open_end and min(lows) == max(highs)


def _groups_without_rows(plan: Plan) -> bool:
    """``authors who have not written any book`` as authors without a row of their own: each has one."""
    return any(
        h.operator == "=" and h.values == (0.0,)
        and plan.measures[h.measure].aggregate == "count" and not plan.measures[h.measure].conditions
        and plan.measures[h.measure].entity in (None, plan.scope[0]) and len(plan.scope) == 1
        for h in plan.having
    )  # fmt: skip


def _counts_answers(plan: Plan, draft: Draft) -> bool:
    """``how many managers are there`` over what people said to *My manager supports me*: how many kinds of answers."""
    counted = [draft.metadata.plain(m) for m in plan.measures if m.aggregate != "count"]
    asked = [m.member for m in counted if m.aggregate in ("count_distinct", "count_values") and m.member]
    said = {token.lower for token in draft.tokens}
    if not asked or said & _DIFFERENT:
        return False
    known = [draft.metadata.parts(path) for path in asked if path in draft.metadata.members]
    return any(len(parts) > _SHORT_NAME and _OURSELVES & set(parts) for parts in known)


_DIFFERENT = frozenset("different distinct unique kinds types sorts answers".split())
_OURSELVES, _SHORT_NAME = frozenset("i me my you your we us our".split()), 2


def _more_than_there_are(plan: Plan, draft: Draft) -> bool:
    """``agencies that handle more than 1,000``: no group has more different values than the column has."""
    for bound in plan.having:
        counted = draft.metadata.plain(plan.measures[bound.measure])
        values = [value for value in bound.values if bound.operator in _UP]
        if counted.aggregate == "count_distinct" and counted.member in draft.metadata.members and values:
            known = draft.metadata.profile(counted.member)
            if known.distinct and min(values) > known.distinct:
                return True
    return False


def _no_such_year(plan: Plan, draft: Draft) -> bool:
    """``older than 60`` as a bound on calendar years: no year of the data is anywhere near."""
    meta = draft.metadata
    for condition in _all_conditions(plan):
        if condition.member not in meta.members or not meta.is_year(condition.member):
            continue
        low = as_number(meta.profile(condition.member).low)
        said = [value for value in condition.values if isinstance(value, int | float)]
        if low is not None and low >= _CALENDAR and any(value < _CALENDAR for value in said):
            return True
    return False


_CALENDAR = 1000  # from here on a number may be a year


def _has_what_is_denied(plan: Plan, draft: Draft) -> bool:
    """``customers who do not have an account``: those that have one are the others."""
    words = [token.lower for token in draft.tokens]
    for at in range(len(words) - 1):
        if tuple(words[at : at + 2]) not in _HAVING_NONE:
            continue
        named = {token.stem for token in draft.tokens[at + 2 : at + 2 + _FAR]}
        lacked = [r for r in draft.metadata.catalog.relations if named & _nouns(draft.metadata, r)]
        there = {e.relation for e in plan.exists if not e.negated}
        alone = plan.scope == (lacked[-1],) and not plan.having if lacked else False
        if set(lacked) & there or alone or set(lacked) & set(plan.scope) and not _denies(plan):
            return True
    return False


def _denies(plan: Plan) -> bool:
    """Whether anything is left out at all."""
    numbers = [*plan.measures, *(o.measure for o in plan.order if o.measure is not None)]
    return (
        any(e.negated for e in plan.exists)
        or any(h.operator in ("=", "<", "<=", "!=") for h in plan.having)
        or any(m.exists for m in numbers)
        or any(c.operator in _NOT or c.operator.startswith("not ") or c.values == (0,) for c in _all_conditions(plan))
    )


_NOT = frozenset({"!=", "false", "null", "<", "<="})


def _nouns(metadata: Metadata, relation: str) -> set[str]:
    return {stem(word) for word in metadata.words_of(relation)[-1:]}


def _counts_others(plan: Plan, draft: Draft) -> bool:
    """``how many orders does Ann have``: her orders, and not how many Anns there are."""
    if plan.shape != "aggregate" or len(plan.measures) != 1 or plan.dimensions or plan.parts or plan.nested:
        return False
    plain, words = draft.metadata.plain(plan.measures[0]), [token.lower for token in draft.tokens]
    if plain.aggregate not in ("count", "count_distinct") or not {"does", "do", "did"} & set(words):
        return False
    counted = plan.measures[0].entity or (plan.measures[0].member or plan.scope[0]).split(".", 1)[0]
    for place, item in enumerate(draft.items[:-1]):
        if item.is_cue("count"):
            behind, word = draft.resolution.choice.get(place + 1), draft.items[place + 1].text.lower()
            if behind is None and draft.items[place + 1].kind == "word":
                return word not in LITTLE and word.isalpha() and singular(word) != word  # things that nobody knows
            return isinstance(behind, Candidate) and behind.member is None and behind.relation != counted
    return False


def _column_lost(plan: Plan, draft: Draft) -> bool:
    """``what is the email and mobile number of Ann``: what is asked for is no number of rows."""
    if plan.shape != "aggregate" or len(plan.measures) != 1 or plan.dimensions or plan.parts or plan.nested:
        return False
    if draft.metadata.plain(plan.measures[0]).aggregate != "count" or plan.having or plan.calculations or plan.claim:
        return False
    used = {path for c in _all_conditions(plan) for path in (c.member, c.other)}
    meta = draft.metadata
    choice = [(place, c) for place, c in draft.resolution.choice.items() if not heads_value(draft, place)]
    said = [(draft.items[place].text.lower(), c) for place, c in choice]
    named_by = [(word, c) for word, c in said if isinstance(c, Candidate) and c.quality >= _NEARLY]
    chosen = [c for word, c in named_by if not _is_deed(word, meta, c.member)]
    named = {c.member for c in chosen if c.member is not None and meta.member(c.member).kind == "dimension"}
    own = {path for path in named if meta.is_time(path) and _is_called_after(meta, path)}  # "spills at"
    return bool(named - own - used)


def _is_deed(word: str, metadata: Metadata, path: str | None) -> bool:
    """``caused heavy damage`` asks for no cause."""
    return word.endswith(("ed", "ing")) and path is not None and word not in metadata.parts(path)


def _is_called_after(metadata: Metadata, path: str) -> bool:
    """Whether a time says when what rows are was: ``spilled_at`` of spills."""
    rows = {root(word) for word in metadata.words_of(path.split(".", 1)[0])}
    return not rows.isdisjoint(root(part) for part in metadata.parts(path))


def _all_conditions(plan: Plan) -> Iterator[Condition]:
    yield from plan.conditions
    yield from (c for group in plan.alternatives for c in group)
    for exists in plan.exists:
        yield from exists.conditions
    for measure in plan.measures:
        yield from measure.conditions


def _some_of_none(plan: Plan, draft: Draft) -> bool:
    """``how many customers have opened an account``: those with one, and not all of them."""
    if plan.shape != "aggregate" or plan.conditions or plan.exists or plan.having or plan.alternatives or plan.parts:
        return False
    known = {*plan.scope, *(m.entity for m in plan.measures if m.entity)}
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        rows = isinstance(said, Candidate) and said.member is None and said.quality >= _SURE
        before = draft.tokens[item.start - 1].lower if item.start else ""
        if rows and isinstance(said, Candidate) and before in _ONE_OF and said.relation not in known:
            return _is_one(draft, place)
    return False


def _is_one(draft: Draft, place: int) -> bool:
    """Whether a noun is in the singular, behind what somebody has or did."""
    item = draft.items[place]
    word = draft.tokens[item.end - 1].lower
    done = draft.tokens[item.start - 2].lower if item.start > 1 else ""
    return singular(word) == word and (done in ("have", "has", "had") or is_participle(done))


def _shows_others(plan: Plan, draft: Draft) -> bool:
    """``which drivers drove a Scania``: drivers, and no hours that were driven."""
    if plan.shape not in ("rows", "distinct"):
        return False
    if draft.tokens[0].lower not in ("which", "what"):
        return _shows_whose(plan, draft)
    for place, item in enumerate(draft.items[:2]):
        said = draft.resolution.choice.get(place)
        if item.kind == "name" and item.start == 1 and isinstance(said, Candidate):
            rows = said.member is None and said.quality >= _SURE
            return rows and all(path.split(".", 1)[0] != said.relation for path in plan.columns)
    return False


def _shows_whose(plan: Plan, draft: Draft) -> bool:
    """``departments whose budget is above the average``: departments, and no budgets."""
    said = draft.resolution.choice.get(0) if draft.items and draft.items[0].kind == "name" else None
    if not isinstance(said, Candidate) or said.member is not None or said.quality < _SURE or not draft.items[1:]:
        return False
    whose = draft.tokens[draft.items[0].end].lower == "whose"
    return whose and all(path.split(".", 1)[0] != said.relation for path in plan.columns)


def _either_for_both(plan: Plan, draft: Draft) -> bool:
    """``suppliers with contracts in both Parks and Water``: none that has one in either."""
    words = [token.lower for token in draft.tokens]
    if "both" not in words or plan.having or plan.parts or plan.dimensions:
        return False
    counts = all(draft.metadata.plain(m).aggregate in ("count", "count_distinct") for m in plan.measures)
    at = words.index("both")
    entity = bool(plan.measures) or bool(plan.columns)
    either = [c for c in plan.conditions if c.operator == "in" and len(c.values) == _TWO]
    return counts and entity and bool(either) and at > 0 and words[at - 1] in _HAD_BOTH


def _together_for_both(plan: Plan, draft: Draft) -> bool:
    """``carers with both missed and refused visits more than twice``: of each so many, and not of the two together."""
    either = any(c.operator == "in" and len(c.values) == _TWO for c in plan.conditions)
    if not either or all(token.lower != "both" for token in draft.tokens):
        return False
    bounded = [draft.metadata.plain(plan.measures[one.measure]) for one in plan.having if one.values]
    return any(m.aggregate == "count" and not m.conditions for m in bounded)


_TWO = 2
_HAD_BOTH = frozenset("in with had has have took at from for used bought visited played got on".split())


def _gap_of_rows(plan: Plan, draft: Draft) -> bool:
    """``gap between girls and boys in physics marks``: of a number, and not of how many there are."""
    words = [token.lower for token in draft.tokens]
    asked = any(one in _GAPS and two == "between" for one, two in pairwise(words))
    if not asked or "number" in words or any(item.is_cue("count") for item in draft.items) or plan.parts:
        return False
    rows = [m for m in plan.measures if draft.metadata.plain(m).aggregate in ("count", "count_distinct")]
    return bool(rows) and len(rows) == len(plan.measures)


_GAPS = frozenset({"gap", "gaps"})


def _percent_of_a_number(plan: Plan, draft: Draft) -> bool:
    """``less than 10 % of the parcels``: no bound of how many there are, or of an amount."""
    shares = {token.value for token in draft.tokens if is_fraction(token)}
    meta = draft.metadata
    hundredths = {
        one.value for one, two in pairwise(draft.tokens) if one.kind == "number" and two.lower in PERCENT
    }  # fmt: skip
    held = [meta.plain(plan.measures[h.measure]) for h in plan.having if set(h.values) & (shares | hundredths)]
    if any(m.aggregate in _ADDED for m in held):
        return True
    bounds = [c for c in _all_conditions(plan) if c.operator in _UP | _DOWN and set(c.values) & shares]
    return any((as_number(meta.profile(c.member).high) or 0) > 1 for c in bounds if c.member in meta.members)


_ADDED = frozenset({"count", "count_distinct", "count_values", "sum"})


def _who_is_nobody(plan: Plan, draft: Draft) -> bool:
    """``who had surgery``: people, and no numbers of what happened, where the model knows people."""
    meta = draft.metadata
    shown = [*plan.columns, *(d.member for d in plan.dimensions)]
    if draft.tokens[0].lower != "who" or not shown or not (meta.knows_people or meta.person_columns):
        return False
    homes = {path.split(".", 1)[0] for path in shown}
    return not any(map(meta.is_of_people, homes)) and all(meta.is_key(path) for path in shown)


def _compared_with_nothing(plan: Plan, draft: Draft) -> bool:
    """``leases below market rent``: two numbers of a row, of which one was not found."""
    if any(c.other or c.operator.endswith("average") for c in _all_conditions(plan)) or draft.axes or plan.claim:
        return False
    if any(not h.values for h in plan.having):
        return False
    for place, item in enumerate(draft.items[:-1]):
        name = place + 1 + (draft.items[place + 1].text.lower() in _WHOSE)
        said = draft.resolution.choice.get(name)
        path = said.member if isinstance(said, Candidate) else None
        number = path is not None and draft.metadata.is_number(path) and draft.items[name].kind == "name"
        between = item.text.lower() in _BETWEEN_NUMBERS or _goes_over(item, draft)
        if item.kind in ("cue", "word") and between and number and place:
            behind = draft.items[name + 1] if name + 1 < len(draft.items) else None
            return behind is None or behind.kind != "number"
    return False


def _goes_over(item: Item, draft: Draft) -> bool:
    """``went over budget``: beyond a number, of something that is not told; no division of two."""
    before = draft.tokens[item.start - 1].lower if item.start else ""
    return item.text.lower() in ("over", "under") and before in _GOING


_GOING = frozenset("went go goes gone going is are was were ran run running came stayed".split())
_WHOSE = frozenset({"their", "its", "his", "her", "the"})
_BETWEEN_NUMBERS = frozenset({"above", "below", "exceeds", "exceed", "exceeding", "higher than", "lower than"})


def _by_another_age(plan: Plan, draft: Draft) -> bool:
    """``the oldest student with a mark below 3``: by birth, where that is known."""
    if plan.limit is None or not _OLDEST & {token.lower for token in draft.tokens}:
        return False
    meta = draft.metadata
    born = {p for p in meta.members if p.split(".", 1)[0] == plan.scope[0] and _BORN & set(meta.parts(p))}
    used = {*plan.columns, *(d.member for d in plan.dimensions), *(o.member for o in plan.order if o.member)}
    used |= {meta.plain(m).member or "" for m in plan.measures}
    used |= {meta.plain(o.measure).member or "" for o in plan.order if o.measure is not None}
    return bool(born) and not born & used or _by_times_of_others(plan, draft)


def _by_times_of_others(plan: Plan, draft: Draft) -> bool:
    """``oldest class`` by when one was booked: by no time of its own."""
    meta, tokens = draft.metadata, draft.tokens
    nouns = [t for before, t in pairwise(tokens) if before.lower in _OLDEST]
    own = {name for noun in nouns for name in meta.kind_names.rows.get(noun.stem, ())}
    used = [o.member or (plan.columns[o.place] if o.by == "column" else "") for o in plan.order]
    times = [path for path in used if path in meta.members and meta.is_time(path)]
    return bool(own and times) and not any(path.split(".", 1)[0] in own for path in times)


_AVERAGED = re.compile(r"\b(?:than|above|below) (?:the |an? )?(?:overall )?average\b")


def _above_no_average(plan: Plan, draft: Draft) -> bool:
    """``airlines delayed more than average``: those that are, and not all that have a delay."""
    if not _AVERAGED.search(" ".join(token.lower for token in draft.tokens)):
        return False
    compared = any(c.operator.endswith("_average") for c in _all_conditions(plan))
    return not compared and not any(not h.values for h in plan.having) and not plan.claim


_CHECKS: Sequence[Callable[[Plan, Draft], bool]] = (
    _has_what_is_denied, _counts_others, _some_of_none, _column_lost, _by_another_age, _shows_others,
    _percent_of_a_number, _who_is_nobody, _compared_with_nothing, _above_no_average, _either_for_both,
    _together_for_both, _gap_of_rows, _more_than_there_are, _counts_answers, _no_such_year, is_share_of_itself,
)  # fmt: skip
