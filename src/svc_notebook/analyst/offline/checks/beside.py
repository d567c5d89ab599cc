"""Plans that answer beside the question: with another kind of answer, or its words put to another use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from ..assembly.denials import denies_rows_alone
from ..assembly.nothing_else import takes_some_for_all
from ..plans.plan import Having, Plan
from ..schema.lexicon import Candidate
from ..schema.polarity import is_bad_when_high, is_judging
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..walk.named_numbers import paired_numbers
from ..walk.segments import Item
from ..words.text import singular, stem
from .counted import counts_amiss
from .denied import is_denial_lost
from .each_lost import is_each_lost
from .one_sided import is_one_sided
from .order_lost import is_order_lost
from .own_average import takes_all_for_its_own
from .second_number import is_second_number_lost
from .second_question import is_second_question_lost
from .unasked import has_times_unasked
from .whose import is_of_another

__all__ = ["is_beside"]

_BREAKS = frozenset({"and", "?", "."})
_ARTICLES = frozenset({"a", "an", "any", "the", "its", "their"})
_POSSESSIVES = frozenset({"its", "their"})
_ASKING = frozenset({"who", "which", "what", "where", "when"})
_INSTANTS = frozenset({"minute", "second"})
_HOW_MANY = frozenset({"most", "the most", "fewest", "least", "the fewest", "the least"})
_ENDS = frozenset({"first", "last"})


def is_beside(plan: Plan, draft: Draft) -> bool:
    """Whether a plan's answer is none to what was asked."""
    return (
        any(check(plan, draft) for check in _CHECKS)
        or _one_of_two_summed(draft)
        or any(_of_another(having, plan, draft) for having in plan.having)
        or (any(d.grain in _INSTANTS for d in plan.dimensions) and "per" in _words(draft))
    )


def _words(draft: Draft) -> list[str]:
    return [token.lower for token in draft.tokens]


def _behind(draft: Draft, place: int) -> tuple[int, Item | None]:
    """The item behind a place, past an article."""
    place += 1
    while place < len(draft.items) and draft.items[place].text.lower() in _ARTICLES:
        place += 1
    return place, draft.items[place] if place < len(draft.items) else None


def _when_without_time(plan: Plan, draft: Draft) -> bool:
    """``when do most calls come in``: a time is the answer."""
    if _words(draft)[:1] != ["when"] or plan.shape == "exists":
        return False
    shown = [*(d.member for d in plan.dimensions), *(m.member for m in plan.measures), *plan.columns]
    meta = draft.metadata
    return not any(path and (meta.is_time(path) or meta.is_year(path)) for path in shown) and not any(
        d.grain for d in plan.dimensions
    )


def _second_question_lost(plan: Plan, draft: Draft) -> bool:
    """``biggest refund and who gave it``: two things are asked for."""
    words = _words(draft)
    asked = any(one in _BREAKS and two in _ASKING for one, two in pairwise(words))
    # A list or groups may hold the answer to both.
    single = plan.shape == "aggregate" and not plan.dimensions and len(plan.measures) == 1
    return asked and single and not plan.parts


def _clause_lost(plan: Plan, draft: Draft) -> bool:
    """``average refund when there was one``: a condition on the rows that nothing came of."""
    said = " ".join(_words(draft))
    lost = any(clause in said for clause in _CLAUSES) or "still" in said.split()
    # Any condition may be what the clause came to; none at all is certain.
    return lost and not plan.conditions and not plan.exists and not plan.having


_CLAUSES = (
    *(f" {one} there {two} " for one in ("when", "where", "if") for two in ("is", "was", "are", "were")),
    *(f" {those} {who} {verb} " for those in ("those", "them", "ones") for who in ("who", "that", "which")
      for verb in ("get", "got", "have", "had", "has", "do", "did", "receive", "received")),
)  # fmt: skip


def _with_no_test(plan: Plan, draft: Draft) -> bool:
    """``how many ended with a refund``: rows whose number is there, or not zero, and no numbers."""
    meta = draft.metadata
    tested = {path for c in plan.conditions for path in (c.member, c.other) if path}
    tested |= {c.member for m in plan.measures for c in (*m.conditions, *(m.divided_by or ()))}
    tested |= {path for h in plan.having if (path := plan.measures[h.measure].member) is not None}
    for place, item in enumerate(draft.items):
        if item.text.lower().split()[:1] not in (["with"], ["without"]):
            continue
        at, after = _behind(draft, place)
        named = draft.resolution.choice.get(at)
        if after is not None and any(t.lower in _POSSESSIVES for t in draft.tokens[item.start : after.start]):
            continue  # "with their weight": shown beside them
        # In the plural numbers are shown beside the rows ("with tips and fares").
        single = at > place + 1 or item.text.lower().endswith((" a", " an", " any")) or item.text.lower() == "without"
        path = named.member if isinstance(named, Candidate) and after is not None and after.kind == "name" else None
        number = path is not None and meta.is_number(path) and not meta.is_key(path)
        follows = draft.items[at + 1] if at + 1 < len(draft.items) else None
        compared = follows is not None and (follows.is_cue("compare") or follows.kind == "number")
        if single and number and not compared and path not in tested and draft.mark is None and not draft.axes:
            return True
    return False


def _both_ends_of_one(plan: Plan, draft: Draft) -> bool:
    """``from the north to the south``: no row is of both, so that one column cannot hold where it begins and ends."""
    values = [place for place, item in enumerate(draft.items) if item.kind == "value"]
    words = _words(draft)
    for one, two in pairwise(values):
        before = words[max(0, draft.items[one].start - 2) : draft.items[one].start]
        between = words[draft.items[one].end : draft.items[two].start]
        if "from" in before and between and set(between) <= {"to", "the"} and "to" in between:
            lists = [c for c in plan.conditions if c.operator == "in" and len(c.values) > 1]
            # The data may call the ends otherwise than the question; and one end may be several: "to Chicago".
            said = [{draft.items[place].text.lower(), *_value_of(draft, place)} for place in (one, two)]
            return any(all(end & {str(v).lower() for v in c.values} for end in said) for c in lists)
    return False


def _value_of(draft: Draft, place: int) -> list[str]:
    chosen = draft.resolution.choice.get(place)
    return [str(chosen.value).lower()] if isinstance(chosen, ValueMatch) else []


def _counts_for_rate(plan: Plan, draft: Draft) -> bool:
    """``no-show rate``, ``value of books``: a share of the rows, or what they are worth, and never how many."""
    words = _words(draft)
    if (
        not (_RATES & set(words) or ("value", "of") in pairwise(words))
        or plan.calculations
        or plan.parts
        or plan.shape == "exists"
    ):
        return False
    meta = draft.metadata
    if plan.shape != "aggregate":  # a list is no rate either, unless it shows one
        return bool(_RATES & set(words)) and not any(_RATES & set(meta.parts(path)) for path in plan.columns)
    plain = [meta.plain(m) for m in plan.measures]
    counted = bool(plain) and all(m.aggregate in ("count", "count_distinct") and not m.divided_by for m in plain)
    named = [path for path in (*(d.member for d in plan.dimensions), *(c.member for c in plan.conditions)) if path]
    return counted and not any(path in meta.members and _RATES & set(meta.parts(path)) for path in named)


_RATES = frozenset({"rate", "rates"})


def _ranked_otherwise(plan: Plan, draft: Draft) -> bool:
    """``who joined last``: by when they joined, and by nothing else."""
    meta = draft.metadata
    for place, behind in enumerate(draft.items[1:]):
        named = draft.resolution.choice.get(place)
        path = named.member if isinstance(named, Candidate) else None
        if path is None or behind.text.lower() not in _ENDS or not meta.is_time(path):
            continue
        ordered = {order.member for order in plan.order if order.member}
        shown = {*plan.columns, *(d.member for d in plan.dimensions), *(m.member for m in plan.measures)}
        return plan.limit is not None and path not in ordered | shown
    return False


def _judges_how_many(plan: Plan, draft: Draft) -> bool:
    """``the worst weather``: not where there is least or most of it, unless it is sold, won or lost."""
    for place, item in enumerate(draft.items):
        if not (item.is_cue("top") and is_judging(item.text)):
            continue
        at, behind = _behind(draft, place)
        named = draft.resolution.choice.get(at)
        if behind is None or not isinstance(named, Candidate) or named.member is not None:
            continue
        words = {singular(word.lower()) for word in behind.text.split()}
        ordered = [plan.measures[o.place] for o in plan.order if o.by == "measure" and o.place < len(plan.measures)]
        counts = [m for m in ordered if draft.metadata.plain(m).aggregate == "count" and not m.conditions]
        if counts and not words & _WANTED and not is_bad_when_high(words):
            return True
    return False


_WANTED = frozenset(
    "sale order booking win goal view download deal subscription signup visit visitor customer attendance".split()
)


def _time_word_lost(plan: Plan, draft: Draft) -> bool:
    """``list the rides with a day pass``: a kind of pass, and no time that a list has no place for."""
    if plan.shape == "aggregate" or plan.conditions or plan.nested is not None:
        return False
    return any(one.kind == "grain" and two.kind == "name" for one, two in pairwise(draft.items))


def _per_its_own_row(plan: Plan, draft: Draft) -> bool:
    """``average downloads per episode by host``: an average over a host's episodes, and none of a single one."""
    meta = draft.metadata
    averaged = {m.member.split(".", 1)[0] for m in map(meta.plain, plan.measures) if m.member and m.aggregate == "avg"}
    # The cue is the item before: the relation behind "per" is whose rows are averaged.
    for place, item in enumerate(draft.items[:-1]):
        named = draft.resolution.choice.get(place + 1)
        relation = named.relation if isinstance(named, Candidate) and named.member is None else None
        if item.text.lower() == "per" and relation in averaged and len(plan.dimensions) > 1:
            return any(d.member in (meta.label_of(relation), meta.key_of(relation)) for d in plan.dimensions)
    return False


def _average_lost(plan: Plan, draft: Draft) -> bool:
    """``average amount of a transaction`` where no amounts are known: how many there are is no average."""
    said = {token.lower for token in draft.tokens} & _AVERAGES
    if not said or plan.nested is not None or plan.calculations or plan.parts or not plan.measures:
        return False
    meta = draft.metadata
    counted = all(
        m.aggregate in ("count", "count_distinct") and not m.divided_by for m in map(meta.plain, plan.measures)
    )
    named = [path for path in (*(d.member for d in plan.dimensions), *(c.member for c in plan.conditions)) if path]
    compared = any(c.operator.endswith("average") for c in plan.conditions) or any(not h.values for h in plan.having)
    return counted and not compared and not any(p in meta.members and _AVERAGES & set(meta.parts(p)) for p in named)


_AVERAGES = frozenset({"average", "averages", "avg", "mean", "median"})


def _counts_amounts(plan: Plan, draft: Draft) -> bool:
    """``total transaction amount``: an amount that nothing holds, and no number of transactions."""
    words = _words(draft)
    places = [at for at, word in enumerate(words) if word in ("amount", "amounts")]
    if not places or plan.conditions and any("amount" in draft.metadata.parts(c.member) for c in plan.conditions):
        return False
    rows = {stem(w) for relation in plan.scope for w in draft.metadata.words_of(relation)}
    whole = [at for at in places if at and (words[at - 1] in _WHOLE or draft.tokens[at - 1].stem in rows)]
    counts = bool(plan.measures) and all(draft.metadata.plain(m).aggregate == "count" for m in plan.measures)
    return bool(whole) and counts and not plan.nested


_WHOLE = frozenset({"total", "overall", "whole"})


def _one_of_two_summed(draft: Draft) -> bool:
    """``home goals plus away goals``: one number, which no plan holds."""
    said = {token.lower for token in draft.tokens}
    return bool(said & _SUMMING) and next(paired_numbers(draft.tokens, draft.metadata), None) is not None


_SUMMING = frozenset({"plus", "minus", "+", "−", "difference", "together", "combined"})


def _per_amount(plan: Plan, draft: Draft) -> bool:
    """``consumption per employee`` over sites of so many staff: a quotient, and no group for each size of staff."""
    grouped = {d.member for d in plan.dimensions if not d.bin} | set(plan.columns)
    grouped |= {m.member for m in map(draft.metadata.plain, plan.measures) if m.member is not None}
    for place, item in enumerate(draft.items[:-1]):
        said = draft.resolution.choice.get(place + 1)
        path = said.member if isinstance(said, Candidate) else None
        if item.text.lower() != "per" or path is None or draft.metadata.is_small(path):
            continue
        if path in grouped and draft.metadata.is_number(path):
            kind, last = draft.metadata.member(path).meta.get("kind"), draft.metadata.parts(path)[-1]
            return kind in _AMOUNT_KINDS or kind is None and singular(last) != last
    return False


_AMOUNT_KINDS = frozenset({"stock", "quantity", "amount"})


def _cut_groups(plan: Plan, draft: Draft) -> bool:
    """``longest call by queue``: one for each, where a superlative stands before and the groups behind it."""
    if plan.limit != 1 or len(plan.dimensions) != 1 or plan.dimensions[0].grain or draft.top is None:
        return False
    if draft.items[draft.top[2]].text.lower() in _HOW_MANY:  # ``most delayed flights by origin``: which has them
        return False
    for place, item in enumerate(draft.items):
        named = draft.resolution.choice.get(place + 1)
        by = plan.dimensions[0].member
        grouped = isinstance(named, Candidate) and (
            named.member == by or named.member is None and by.split(".", 1)[0] == named.relation
        )
        said = item.is_cue("group") and item.text.lower().split()[-1] in _OF_EACH
        if said and grouped and draft.top[2] < place and plan.limit_per is None:
            return True
    return False


_OF_EACH = frozenset({"by", "each", "every"})


def _cut_period(plan: Plan, draft: Draft) -> bool:
    """``the first week of October``: a span of days, and not the least of the weeks."""
    for one, two, three in zip(draft.items, draft.items[1:], draft.items[2:], strict=False):
        ends = one.text.lower().split()[-1] in _ENDS and two.kind == "grain"
        later = three.kind == "period" or three.text.lower() in ("of", "in")
        if ends and later and plan.limit is not None and any(d.grain for d in plan.dimensions):
            return any(item.kind == "period" for item in draft.items)
    return False


def _with_as_limit(plan: Plan, draft: Draft) -> bool:
    """``calls with three agents``: rows that have so many, and not so many of them."""
    for one, two in pairwise(draft.items):
        # Only the first such number: what follows may be a limit.
        if one.text.lower() in ("with", "having") and two.kind == "number" and two.number is not None:
            return plan.limit == two.number
    return False


def _place_of_another(plan: Plan, draft: Draft) -> bool:
    """``depots in the Berlin zone``: depots are asked for, and not the zones of those in the city of Berlin."""
    columns = list(plan.columns) or [d.member for d in plan.dimensions]
    if len(columns) != 1 or plan.measures and plan.shape == "aggregate" and not draft.entities:
        return False
    choice = draft.resolution.choice
    named = {c.relation for c in choice.values() if isinstance(c, Candidate) and c.member is None}
    for place, item in enumerate(draft.items[:-1]):
        one, two = choice.get(place), choice.get(place + 1)
        if not isinstance(one, ValueMatch) or not isinstance(two, Candidate) or two.member != columns[0]:
            continue
        before = [token.lower for token in draft.tokens[max(0, item.start - 2) : item.start]]
        beside = draft.items[place + 1].start == item.end and one.member != two.member
        if beside and before[-1:] == ["the"] and before[:1] in (["in"], ["of"], ["from"], ["at"]):
            return two.relation in named
    return False


def _both_as_either(plan: Plan, draft: Draft) -> bool:
    """``who took both Optics and Latin``: no row is of two, and those of either are more."""
    words = _words(draft)
    if "both" not in words or plan.exists or plan.parts or plan.having:
        return False
    if not {d.member for d in plan.dimensions} <= {c.member for c in plan.conditions}:
        return False
    if plan.dimensions and not set(words) & _OWNING:
        return False  # each of the two is told
    shown = {path.split(".", 1)[0] for path in plan.columns} | {m.entity for m in plan.measures if m.entity}
    ahead = [
        draft.resolution.choice.get(at) for at in range(len(draft.items)) if draft.items[at].end <= words.index("both")
    ]
    named = {c.relation for c in ahead if isinstance(c, Candidate) and c.member is None}
    shown = named or shown
    several = [c for c in plan.conditions if c.operator == "in" and len(c.values) > 1]
    return any(c.member.split(".", 1)[0] not in shown for c in several)


_OWNING = frozenset("have has had own owns owned took take takes bought used visited".split())


def _tests_another(plan: Plan, draft: Draft) -> bool:
    """``more than 2 agents``: how many there are is tested, and no number that is not named behind it."""
    meta = draft.metadata
    for place, item in enumerate(draft.items[:-1]):
        named = draft.resolution.choice.get(place + 1)
        path = named.member if isinstance(named, Candidate) and draft.items[place + 1].kind == "name" else None
        if item.kind != "number" or path is None or meta.member(path).type != "string":
            continue
        tests = [c for c in plan.conditions if item.number in c.values and meta.is_number(c.member)]
        return any(c.member != path and c.operator[0] in "<>=" for c in tests)
    return False


def _by_way_of_others(plan: Plan, draft: Draft) -> bool:
    """``how many tickets are open`` where the invoices of their customers are: rows that only share a third say
    nothing about each other, unless they are named.
    """
    meta = draft.metadata
    if plan.parts or plan.nested is not None or len(plan.scope) < 3:
        return False
    spoken = {c.relation for c in draft.resolution.choice.values() if isinstance(c, Candidate) and _is_named(c, draft)}
    named = [c.member for c in plan.conditions]
    named += [m.member for m in plan.measures if m.member] + [d.member for d in plan.dimensions] + list(plan.columns)
    used = {path.split(".", 1)[0] for path in named}
    used |= {m.entity for m in plan.measures if m.entity is not None}
    return any(
        # Both lead to a third and neither to the other: the join multiplies what they have.
        one != two and one not in spoken and not meta.leads_to(one, two) and not meta.leads_to(two, one)
        and any(meta.leads_to(one, hub) and meta.leads_to(two, hub) for hub in plan.scope if hub not in (one, two))
        for one in used
        for two in used
    )  # fmt: skip


_SAID = 0.9  # how well a name must fit so that what it is of is spoken of


def _is_named(candidate: Candidate, draft: Draft) -> bool:
    """Whether a relation is spoken of: by its own words, or by a member's that hold them."""
    if candidate.quality < _SAID or candidate.member is not None and not candidate.full:
        return False
    own = {stem(word) for word in draft.metadata.words_of(candidate.relation)}
    return candidate.member is None or bool(own & {token.stem for token in draft.tokens})


def _of_another(having: Having, plan: Plan, draft: Draft) -> bool:
    """``fee of calls with more than 2 agents``: of the agents there are more than two, and not of the fee."""
    meta, measure = draft.metadata, plan.measures[having.measure]
    for place, item in enumerate(draft.items[:-1]):
        named = draft.resolution.choice.get(place + 1)
        tested = item.kind == "number" and item.number in having.values
        if not tested or not isinstance(named, Candidate) or draft.items[place + 1].kind != "name":
            continue
        plain = meta.plain(measure)
        counted = plain.aggregate.startswith("count")
        return not counted and named.member not in (None, plain.member, measure.member)
    return False


_CHECKS: Sequence[Callable[[Plan, Draft], bool]] = (
    _when_without_time, _second_question_lost, _clause_lost, _with_no_test, _both_ends_of_one, _per_amount,
    _counts_for_rate, _cut_groups, _cut_period, _with_as_limit, _place_of_another, _both_as_either, _tests_another,
    _by_way_of_others, is_of_another, is_one_sided, is_order_lost, is_second_number_lost, is_second_question_lost,
    is_each_lost, is_denial_lost, counts_amiss, has_times_unasked, takes_all_for_its_own, denies_rows_alone,
    takes_some_for_all, _judges_how_many, _average_lost, _ranked_otherwise, _time_word_lost, _per_its_own_row,
    _counts_amounts,
)  # fmt: skip
