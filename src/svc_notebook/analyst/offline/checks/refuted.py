"""Readings of the rules that cannot be what was asked: conditions that deny nothing, or that every row meets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, permutations

from ..lexicon import persons
from ..plans.plan import Condition, Dimension, Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.money import MONEY_NOUNS, is_tally
from ..schema.profiles import as_number
from ..schema.twins import is_other, twin_of
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..words.text import singular, stem
from .behind_colon import is_of_fewer_numbers
from .beside import is_beside
from .best_times import is_best_of_times
from .compared import is_comparison_lost
from .counted_twice import is_counted_twice
from .deeds import is_of_another_time
from .extremes import is_of_another_end
from .groups_unasked import has_groups_unasked
from .guessed import is_guessed
from .half_answered import is_half_answered
from .impossible import is_impossible
from .money_asked import is_no_amount
from .other_rows import is_of_other_rows
from .other_use import is_of_another_use
from .own_limits import is_limit_as_group
from .own_reference import is_bare_reference
from .parts_lost import is_part_lost
from .ranked_lost import is_ranked_otherwise
from .second_number import is_second_number_bound
from .set_equal import sets_nothing_equal
from .shares_amiss import is_share_amiss
from .unanswered import is_unanswered
from .undone import is_undone_lost
from .verb_as_people import takes_verb_for_people

__all__ = ["is_refuted", "ranked_by_itself"]


def is_refuted(plan: Plan, draft: Draft) -> bool:
    """Whether the plan leaves something of the question without effect."""
    return (
        any(of_plan(plan) for of_plan in _OF_PLANS)
        or any(of_question(draft) for of_question in _OF_QUESTIONS)
        or any(of_both(plan, draft) for of_both in _OF_BOTH)
        or bool(plan.claim and draft.unmet)
        or any(_never(c, draft.metadata) or _of_all(c, draft.metadata) for c in plan.conditions)
        or any(_of_all(c, draft.metadata) for some in plan.alternatives for c in some)
        or any(_single_rows(d, plan, draft.metadata) for d in plan.dimensions)
    )


def _denies_nothing(plan: Plan) -> bool:
    """``in 2023 but not in 2024``: no row of the one is a row of the other, so different rows are meant."""
    return any(
        one.member == other.member and one.part == other.part and _apart(one, other)
        for one, other in permutations(plan.conditions, 2)
    )


def _denied_of_some(plan: Plan, draft: Draft) -> bool:
    """``restaurants that got no refunds``: not those that have an order that is none, which nearly all of them have."""
    meta, count = draft.metadata, plan.measures[0] if plan.measures else None
    if plan.shape == "aggregate":
        known = meta.members.get(count.member or "") if count is not None else None
        counted = count.entity if count is not None and known is None else known.relation if known is not None else None
        counts = count is not None and (count.aggregate == "count" or known is not None and known.agg_type == "count")
        subject = counted if counts else None
    else:
        subject = plan.columns[0].split(".", 1)[0] if plan.columns else None
    denied = {c.member.split(".", 1)[0] for c in plan.conditions if c.operator in ("not in", "!=")}
    if subject is None:
        return False
    never = any(token.lower in ("never", "without") for token in draft.tokens)
    return any(
        of != subject and (meta.leads_to(of, subject) or never and _through_rows(of, subject, meta)) for of in denied
    )


def _through_rows(of: str, subject: str, meta: Metadata) -> bool:
    """Whether rows of a third belong to both: a ship that sailed to other ports as well may have been in this one."""
    both = (name for name in meta.catalog.relations if meta.leads_to(name, of) and meta.leads_to(name, subject))
    return not meta.leads_to(subject, of) and any(both)


def _tests_the_whole(plan: Plan, draft: Draft) -> bool:
    """``how many patients are under 18``: what is compared is each of them, and not how many there are."""
    return bool(plan.having) and not plan.dimensions and not draft.yesno


def _ranked_by_lost(plan: Plan) -> bool:
    """Averages over periods are ranked by themselves: no other number is left to go by."""
    return plan.nested is not None and any(order.measure is not None for order in plan.order)


def ranked_by_itself(plan: Plan) -> Plan:
    """A plan of averages over periods that is ranked by them, whatever else it would have been ranked by."""
    return plan.with_(order=tuple(replace(o, measure=None) for o in plan.order)) if _ranked_by_lost(plan) else plan


def _of_two_parts(plan: Plan) -> bool:
    """``in the morning … in the evening``: no row is of both."""
    parts = [c for c in plan.conditions if c.part is not None and c.operator in ("in", "=")]
    return any(
        (one.member, one.part) == (other.member, other.part) and set(one.values).isdisjoint(other.values)
        for one, other in permutations(parts, 2)
    )


def _apart(one: Condition, other: Condition) -> bool:
    if (one.operator, other.operator) == ("true", "false"):
        return True
    if (one.operator, other.operator) in (("in", "not in"), ("=", "!=")):
        return set(one.values).isdisjoint(other.values)
    if (one.operator, other.operator) != ("period", "not period"):
        return False
    (low, high), (start, end) = one.values, other.values
    return all((low, high, start, end)) and (high <= start or end <= low)


def _both_times(draft: Draft) -> bool:
    """``both in 2022 and 2023``: no row is of two times."""
    periods = [item for item in draft.items if item.kind == "period" and item.period is not None]
    said = any(token.lower == "both" for token in draft.tokens)
    return said and len(periods) > 1 and bool(draft.counted_entities or draft.entities)


def _of_all(condition: Condition, metadata: Metadata) -> bool:
    """``under 800`` of rooms, of which nobody has more than five: something else is under 800."""
    if condition.operator not in ("<", "<=", ">", ">=") or condition.part or len(condition.values) != 1:
        return False
    number, profile = as_number(condition.values[0]), metadata.profile(condition.member)
    low, high = as_number(profile.low), as_number(profile.high)
    if number is None or low is None or high is None:
        return False
    return number > 10 * max(high, 1) if condition.operator[0] == "<" else number < low - 10 * max(abs(low), 1)


def _denied_time(plan: Plan, draft: Draft) -> bool:
    """``in March but not in April``: a period that is denied is denied in the plan as well."""
    for item in draft.items:
        before = [token.lower for token in draft.tokens[max(0, item.start - 2) : item.start]]
        if item.kind == "period" and "not" in before:
            none = any(h.operator == "=" and h.values == (0.0,) for h in plan.having)  # of groups that have none then
            return not none and not any(c.operator.startswith("not ") or c.operator == "!=" for c in plan.conditions)
    return False


def _of_every(draft: Draft) -> bool:
    """``has every book been borrowed``: yes or no, and no list."""
    first = [token.lower for token in draft.tokens[:2]]
    return len(first) == 2 and first[0] in _ASKING and first[1] in ("every", "each", "all")


def _leaning_lost(plan: Plan, draft: Draft) -> bool:
    """``do longer visits cost more``: whether one goes with the other, and no list of both."""
    words = [token.lower for token in draft.tokens]
    asked = words[:1] in (["do"], ["does"]) and bool({"more", "fewer", "less"} & set(words)) and "than" not in words
    return asked and plan.shape in ("rows", "distinct") and not plan.claim


def _of_two_values(plan: Plan) -> bool:
    """``what share is delayed at Norden and Viking``: no row is of both, and a share of such rows says nothing."""
    return any(
        one.member == other.member and one.part == other.part and _neither(one, other)
        for conditions in (plan.conditions, *(m.conditions for m in plan.measures))
        for one, other in permutations(conditions, 2)
    )


def _neither(one: Condition, other: Condition) -> bool:
    equal = one.operator in ("in", "=") and other.operator in ("in", "=")
    return equal and bool(one.values and other.values) and set(one.values).isdisjoint(other.values)


_ASKING = frozenset("has have had did does do is are was were".split())


def _per_nothing(plan: Plan, draft: Draft) -> bool:
    """``most loans per borrower``: ranked by a number per something, that is divided by nothing."""
    if not plan.order or plan.limit is None or len(plan.dimensions) > 1 or plan.nested is not None:
        return False
    measure = plan.measures[0] if plan.measures else None
    if measure is None or measure.aggregate not in ("sum", "measure", "count", "count_values"):
        return False
    known = draft.metadata.members.get(measure.member or "")
    if measure.aggregate == "measure" and known is not None and known.agg_type not in ("sum", "count"):
        return False
    grouped = {d.member.split(".", 1)[0] for d in plan.dimensions}
    for place, item in enumerate(draft.items[:-1]):
        said = draft.resolution.choice.get(place + 1)
        relation = getattr(said, "relation", None) if getattr(said, "member", "") is None else None
        if item.text.lower() == "per" and relation is not None and draft.items[place + 1].kind == "name":
            own = any(draft.metadata.label_of(relation) == d.member for d in plan.dimensions)
            return not own and (relation not in grouped or relation in draft.resolution.scope)
    return False


def _largest(plan: Plan, draft: Draft) -> bool:
    """``largest park``: by its area, where it has one, not by how much of something else there is."""
    meta = draft.metadata
    top = next((place for place, item in enumerate(draft.items) if item.text.lower() in _SIZES), None)
    said = draft.resolution.choice.get(top + 1) if top is not None else None
    if top is not None and top + 1 == len(draft.items):  # "which field is the largest"
        said = next(iter(draft.resolution.choice.values()), None)
    relation = getattr(said, "relation", None) if getattr(said, "member", "") is None else None
    if relation is None or not plan.order or plan.limit is None:
        return False
    sizes = [path for path in meta.members if path.startswith(f"{relation}.") and _AREAS & set(meta.parts(path))]
    measured = [m.member for m in plan.measures] + [o.member for o in plan.order] + list(plan.columns)
    return bool(sizes) and not any(path in meta.members and _AREAS & set(meta.parts(path)) for path in measured if path)


_SIZES = frozenset({"largest", "biggest", "smallest"})
_AREAS = frozenset("area size population capacity acreage surface hectares acres sqm sqft m2 km2".split())


def _of_either(plan: Plan, draft: Draft) -> bool:
    """``matches of Rovers``: at home or away."""
    said = [token.lower for token in draft.tokens]
    alone = [c for c in plan.conditions if c.operator == "in" and not c.part]
    return any(
        twin_of(draft.metadata, c.member, said) is not None or is_other(draft.metadata, c.member, said) for c in alone
    )


def _one_side(plan: Plan, draft: Draft) -> bool:
    """``day vs night``: each of them, where one alone was read as a value, or both as one."""
    words = [token.lower for token in draft.tokens]
    beside = [
        words[at + step] for at, w in enumerate(words) if w in _AGAINST for step in (-1, 1) if at + step < len(words)
    ]
    grouped = {d.member for d in plan.dimensions}
    if {"vs", "versus"} & set(words) and plan.shape != "aggregate" and plan.conditions and not plan.dimensions:
        return True  # a list of rows sets nothing against anything
    for condition in plan.conditions:
        said = set(condition.words.lower().replace(",", " ").split())
        split = any(d.member == condition.member and d.grain not in _SPANS for d in plan.dimensions)
        apart = split if condition.part else condition.member in grouped
        if condition.operator in ("in", "=") and not apart and said & set(beside):
            return True
        if condition.operator == "in" and not apart and _is_slashed(condition.values, words):
            return True
    return False


def _is_slashed(values: Sequence[object], words: Sequence[str]) -> bool:
    """``mean vehicles, interstate / local street``: one beside the other, and no mean of both."""
    ends = {str(value).lower().split()[-1] for value in values}, {str(value).lower().split()[0] for value in values}
    return any(
        word == "/" and words[at - 1] in ends[0] and words[at + 1] in ends[1]
        for at, word in enumerate(words[:-1])
        if at
    )


def _no_ratio(plan: Plan, draft: Draft) -> bool:
    """``ratio of``: something is divided."""
    said = any(token.lower == "ratio" for token in draft.tokens)
    divided = any(m.divided_by or m.aggregate in ("measure", "share_true", "ratio") for m in plan.measures)
    named = any("ratio" in draft.metadata.parts(m.member) for m in plan.measures if m.member in draft.metadata.members)
    return said and not named and not (divided and not _splits(plan)) and not plan.calculations


def _splits(plan: Plan) -> bool:
    return any(c.operator == "in" and len(c.values) > 1 for c in plan.conditions)


_AGAINST = frozenset({"vs", "versus", "against"})
_SPANS = frozenset({None, "hour", "day", "week", "month", "quarter", "year"})


_HOURS = frozenset({"hour", "hour_of_day"})


def _hours_of_value(plan: Plan, draft: Draft) -> bool:
    """``used at night``: where night is a value of the data, the hours of a night are not sure to be meant."""
    values = draft.metadata.values.whole
    parts = [item for item in draft.items if item.kind == "period" and item.period and item.period.part in _HOURS]
    return any((stem(item.text.split()[-1].lower()),) in values for item in parts)


def _other_number(plan: Plan, draft: Draft) -> bool:
    """``hire rate``, ``revenue``: a number whose name is near at most, where the word says what it is itself; and
    ``revenue`` is never how many rows a table of sales has.
    """
    measured = {m.member for m in plan.measures if m.member}
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        if isinstance(said, Candidate) and said.member is None and said.quality < 1:
            words = item.text.lower().split()
            if set(words) & set(MONEY_NOUNS) and not set(words) & set(draft.metadata.words_of(said.relation)):
                return True
        if not isinstance(said, Candidate) or said.member is None or item.kind != "name":
            continue
        if said.quality < _LIKE and _is_own_money(item.text, said.member, draft.metadata):
            return True
        if said.quality >= _NEAR:
            continue
        rated = item.text.lower() in ("rate", "rates") and place > 0 and draft.items[place - 1].kind == "value"
        if rated or item.text.lower() in _MONEY and any(m for m in measured if not _is_money(draft.metadata, m)):
            return True
    return False


def _is_own_money(text: str, path: str, metadata: Metadata) -> bool:
    """``profit``, ``salary``: money that is called so, and no amount of any other kind."""
    own = next((words for words in _OWN_MONEY if words & set(text.lower().split())), None)
    return own is not None and not own & set(metadata.parts(path))


_OWN_MONEY = (
    frozenset({"profit", "profits", "margin", "margins", "gain"}),
    frozenset({"salary", "salaries", "wage", "wages", "pay", "payroll", "rate", "hourly"}),
)
_LIKE = 0.6  # a word that only means about the same
_NEAR = 0.5
_MONEY = frozenset("revenue sales turnover income earnings spend spending".split())
_AMOUNTS = frozenset(
    "amount total revenue sale sales payment fare income turnover spend paid price cost fee rent".split()
)


def _is_money(metadata: Metadata, path: str) -> bool:
    member = metadata.members.get(path)
    if member is None or member.currency:
        return True
    column = metadata.plain(Measure(path, "measure")).member if member.kind == "measure" else path
    parts = metadata.parts(column if column in metadata.members else path)
    return bool(_AMOUNTS & set(parts)) and not is_tally(metadata, column or path)


def _share_of_flagged(plan: Plan, draft: Draft) -> bool:
    """``emergency share by ward``: of each ward's rows, not of all emergencies."""
    if not any(c.kind == "share" for c in plan.calculations) or not plan.dimensions:
        return False
    flags = {c.member for c in plan.conditions if c.operator == "true"}
    for place, item in enumerate(draft.items[:-1]):
        said = draft.resolution.choice.get(place)
        named = isinstance(said, Candidate) and said.member in flags
        if named and draft.items[place + 1].text.lower() in ("share", "rate", "percentage"):
            return item.kind == "name"
    return False


def _compares_nothing(plan: Plan, draft: Draft) -> bool:
    """``compare JFK and La Guardia``: rows that are both set nothing beside anything."""
    if not draft.tokens or draft.tokens[0].lower not in ("compare", "comparing", "comparison"):
        return False
    if _OTHERS & {token.lower for token in draft.tokens} and not (plan.dimensions or plan.parts or plan.calculations):
        return True  # one side alone
    values = {place: said.member for place, said in draft.resolution.choice.items() if isinstance(said, ValueMatch)}
    sides = [(p, p + 2) for p in values if p + 2 in values and draft.items[p + 1].is_cue("logic", "and")]
    if any(values[one] != values[other] and not _parts(plan, values[one], values[other]) for one, other in sides):
        return True  # the name of one and the code of another
    fixed = {c.member for c in plan.conditions if c.operator in ("=", "in") and len(c.values) == 1}
    shown = {*(d.member for d in plan.dimensions), *plan.columns}
    return len(fixed) > 1 and shown <= fixed and len(plan.measures) < 2 and not plan.parts and not plan.calculations


def _parts(plan: Plan, *members: str) -> bool:
    """Whether rows of either member's value are counted apart by one of the two."""
    either = {condition.member for some in plan.alternatives for condition in some}
    return either == {*members} and any(dimension.member in members for dimension in plan.dimensions)


_OTHERS = frozenset({"others", "rest", "remaining", "remainder"})


def _is_said_twice(plan: Plan) -> bool:
    """``% paid late (of paid)``: of the paid, and not paid, late and paid again of all."""
    shares = [m for m in plan.measures if m.aggregate == "share_true"]
    said = [[(c.member, c.operator, tuple(map(str, c.values)), c.part) for c in m.conditions] for m in shares]
    return any(len(set(one)) < len(one) for one in said)


def _share_beside_its_number(plan: Plan, draft: Draft) -> bool:
    """``what share of revenue comes from Rome``: of the revenue, and not of the rows with the revenue beside it."""
    numbers = {m.member for m in plan.measures if m.member and m.aggregate != "share_true"}
    if not numbers or not any(m.aggregate == "share_true" for m in plan.measures):
        return False
    columns = numbers | {draft.metadata.plain(m).member for m in plan.measures if m.member}
    at = next((p + 1 for p, item in enumerate(draft.items) if item.is_cue("calc", "share")), len(draft.items))
    while at < len(draft.items) and draft.items[at].is_cue("agg"):  # "percent of total cost"
        at += 1
    said = draft.resolution.choice.get(at)
    return isinstance(said, Candidate) and said.member in columns


def _best_period_lost(plan: Plan, draft: Draft) -> bool:
    """``highest sales day``: one day, and no line of the highest sale of each."""
    for one, two, three in zip(draft.items, draft.items[1:], draft.items[2:], strict=False):
        if one.is_cue("top") and two.kind == "name" and three.kind == "grain":
            return plan.limit is None and any(d.grain for d in plan.dimensions)
    return False


def _names_nothing(plan: Plan, draft: Draft) -> bool:
    """``who earns the most``, ``which hours have the most delays``: somebody or something, and no number alone."""
    words = [token.lower for token in draft.tokens[:2]]
    asks = bool(words) and words[0] in _ASKING_FOR and (len(words) < 2 or words[1] not in _BEING)
    ranked = draft.top is not None or any(item.is_cue("top") or item.is_cue("superlative") for item in draft.items)
    shown = plan.dimensions or plan.columns or plan.parts or plan.nested is not None or plan.claim
    ranked = ranked or words[:1] == ["who"]
    return asks and ranked and plan.shape == "aggregate" and not shown


def _correlates_nothing(plan: Plan, draft: Draft) -> bool:
    """``correlation of a and b for each region``: one number of each, and no list of all rows."""
    said = any(token.lower in ("correlation", "correlations", "coefficient") for token in draft.tokens)
    return said and plan.shape in ("rows", "distinct") and draft.mark is None


def _half_as_bound(plan: Plan, draft: Draft) -> bool:
    """``is more than half of the fee from …``: half of a sum, and no row's number above one half."""
    words = [token.lower for token in draft.tokens]
    said = any(pair == ("half", "of") for pair in pairwise(words))
    return said and any(0.5 in c.values for c in plan.conditions)


def _part_of_a_count(plan: Plan, draft: Draft) -> bool:
    """``a rate above 25 %``: no number of rows is bounded by a part of one."""
    said = any(token.lower in _PERCENTS for token in draft.tokens)
    counts = [_counts(measure, draft.metadata) for measure in plan.measures]
    bounds = (have for have in plan.having if have.measure < len(counts) and counts[have.measure])
    return said and any(0 < value < 1 for have in bounds for value in have.values)


def _counts(measure: Measure, metadata: Metadata) -> bool:
    known = metadata.members.get(measure.member or "")
    told = str(known.agg_type) if known is not None and measure.aggregate == "measure" else measure.aggregate
    return told.startswith("count")


def _counts_flags(plan: Plan, draft: Draft) -> bool:
    """``how many are subtitled``: those that are, and not all of which that is known."""
    flags = (m.member for m in plan.measures if m.aggregate == "count_values" and m.member in draft.metadata.members)
    return any(draft.metadata.members[str(path)].type == "boolean" for path in flags)


_PERCENTS = frozenset({"%", "percent", "percentage", "pct"})


def _how_many_lost(plan: Plan, draft: Draft) -> bool:
    """``the 5 worst``: so many of them, and none that have a 5."""
    for one, two in pairwise(draft.items):
        many = one.number if one.kind == "number" and two.is_cue("top") and one.end == two.start else None
        if many is not None and many > 1 and many == int(many):
            return many not in (plan.limit, plan.limit_per) and not any(p.limit == many for p in plan.parts)
    return False


def _period_lost(plan: Plan, draft: Draft) -> bool:
    """``day with the highest consumption``: a day, and no number of no day."""
    if plan.dimensions or plan.nested is not None or plan.shape != "aggregate":
        return False
    return any(
        one.kind == "grain" and two.text.lower().split()[0] in _HAVING
        for one, two in zip(draft.items, draft.items[1:], strict=False)
    )


_HAVING = frozenset({"with", "had", "has", "having"})
_ASKING_FOR = frozenset({"who", "which", "whose"})
_BEING = frozenset({"is", "are", "was", "were"})


def _other_extreme(plan: Plan, draft: Draft) -> bool:
    """``oldest member``: by birth, where that is known, and not by when they joined."""
    said = next((token.lower for token in draft.tokens if token.lower in _AGED), None)
    shown = [*plan.columns, *(m.member for m in plan.measures if m.member)]
    times = [path for path in shown if path in _times(draft)]
    if said is None or not times or not (plan.limit or plan.measures):
        return False
    relation = times[0].split(".", 1)[0]
    born = [path for path in draft.metadata.members if path.startswith(f"{relation}.") and _born(draft.metadata, path)]
    return bool(born) and not set(born) & set(shown)


_AGED = frozenset({"oldest", "youngest", "older", "younger"})
_BORN = frozenset({"birth", "born", "birthday", "birthdate", "dob", "age"})


def _times(draft: Draft) -> set[str]:
    meta = draft.metadata
    return {path for path in meta.members if meta.is_time(path) or not meta.is_measure(path) and meta.is_year(path)}


def _born(metadata: Metadata, path: str) -> bool:
    return metadata.members[path].kind == "dimension" and bool(_BORN & set(metadata.parts(path)))


def _counts_how_much(plan: Plan, draft: Draft) -> bool:
    """``how much gas did we use``: an amount, and never how many rows."""
    words = [token.lower for token in draft.tokens]
    asked = any(words[at : at + 2] == ["how", "much"] for at in range(len(words)))
    counts = [m for m in plan.measures if m.aggregate == "count" or str(m.member).endswith(".count")]
    return asked and len(counts) == len(plan.measures) > 0 and not plan.calculations


def _sums_prices(plan: Plan, draft: Draft) -> bool:
    """``total cost`` where a price per unit is known: prices are added up by nobody."""
    return any(
        m.aggregate == "sum" and "per" in draft.metadata.parts(m.member)
        for m in plan.measures
        if m.member in draft.metadata.members
    )


def _counts_what_is_told_of(plan: Plan, draft: Draft) -> bool:
    """``how many visitors`` over a column ``visitor_country``: countries are counted, and not who came from them."""
    meta = draft.metadata
    counted = {m.member for m in plan.measures if m.aggregate in ("count_distinct", "count_values") and m.member}
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        path = said.member if isinstance(said, Candidate) and not said.full else None
        if path not in counted or item.kind != "name":
            continue
        first, last = meta.parts(str(path))[0], meta.parts(str(path))[-1]
        words = {singular(token.lower) for token in draft.tokens[item.start : item.end]}
        whole = stem(first) in persons() and singular(first) in words and not words & {last, singular(last)}
        if whole and first != last and last not in _NAMING and not meta.is_key(str(path)):
            return True
    return False


_NAMING = frozenset("name id no nr number code key email mail card phone login account first last".split())


def _never(condition: Condition, metadata: Metadata) -> bool:
    """``never admitted`` of rows that are all admitted, ``not paid`` where each amount is known: no row is without."""
    if condition.operator != "null" or condition.member not in metadata.members:
        return False
    profile = metadata.profile(condition.member)
    return profile.rows > 0 and not profile.missing


def _single_rows(dimension: Dimension, plan: Plan, metadata: Metadata) -> bool:
    """``average goals per match``: an average over the matches, and no list of matches of one row each."""
    averaged = len(plan.measures) == 1 and plan.limit is None and _is_average(plan.measures[0], metadata)
    own = plan.scope[0] == dimension.member.split(".", 1)[0] and metadata.member(dimension.member).primary_key
    return averaged and own and len(plan.dimensions) == 1 and _tells_each(dimension.member, metadata)


def _tells_each(path: str, metadata: Metadata) -> bool:
    """Whether a key tells each row from all others, and is no half of one of several columns."""
    profile = metadata.profile(path)
    return not profile.rows or profile.unique


def _is_average(measure: Measure, metadata: Metadata) -> bool:
    known = metadata.members.get(measure.member or "")
    return measure.aggregate == "avg" or (known is not None and known.agg_type == "avg")


_OF_PLANS = (_denies_nothing, _is_said_twice, _ranked_by_lost, _of_two_parts, _of_two_values)
_OF_QUESTIONS = (_both_times, _of_every)
_OF_BOTH = (
    _tests_the_whole, _denied_time, _denied_of_some, _leaning_lost, _per_nothing, _largest, _of_either, _one_side,
    _compares_nothing, _no_ratio, _hours_of_value, _other_number, _share_of_flagged, _share_beside_its_number,
    _best_period_lost, _correlates_nothing, _names_nothing, _half_as_bound, is_half_answered, _how_many_lost,
    _period_lost, _other_extreme,
    _part_of_a_count, _counts_flags,
    _counts_how_much, _sums_prices, _counts_what_is_told_of, is_of_other_rows, is_beside, is_impossible, is_unanswered,
    is_of_another_time, is_of_another_use, is_of_fewer_numbers, is_no_amount, is_guessed,
    is_part_lost, is_ranked_otherwise, is_comparison_lost, is_of_another_end, is_undone_lost, is_bare_reference,
    is_counted_twice, has_groups_unasked, is_limit_as_group,
    takes_verb_for_people, sets_nothing_equal, is_second_number_bound, is_share_amiss, is_best_of_times,
)  # fmt: skip
