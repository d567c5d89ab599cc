"""Plans by a guess where something better is known: a column only like what another one is called, another end."""

from __future__ import annotations

from collections.abc import Collection

from ..plans.plan import Plan
from ..plans.walking import conditions_of, ordered_by
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..walk.segments import Item
from ..words.text import singular, stem
from ..words.thesaurus import ROW_NOUNS

__all__ = ["is_guessed", "named", "shown"]

_LIKE = 0.6  # a word that is only about the same
_NEAR = 0.95
_TAKEN = frozenset("revenue sales turnover takings income earnings earn earned made".split())
_OFFERED = frozenset("asking list listed quoted quote estimated estimate rrp".split())


def is_guessed(plan: Plan, draft: Draft) -> bool:
    """Whether a plan goes by what nobody said, where what was said is known to be something else."""
    return any(
        guessed(plan, draft)
        for guessed in (
            _called_so_elsewhere, _like_another_number, _other_happening, _time_by_a_number, _sales_of_offers,
            _sums_offers, _last_of_what_leads_there, _either_way, _counts_what_is_used, _counts_what_is_out,
        )
    )  # fmt: skip


def _counts_what_is_used(plan: Plan, draft: Draft) -> bool:
    """``which site used the most gas`` by a number of meters: so much of it is no number of rows."""
    words = [token.lower for token in draft.tokens]
    for place, item in enumerate(draft.items):
        value, before = draft.resolution.choice.get(place), words[max(0, item.start - 3) : item.start]
        much = not _MOST.isdisjoint(before[-1:]) and not _USING.isdisjoint(before[:-1])
        if much and isinstance(value, ValueMatch) and singular(words[item.end - 1]) == words[item.end - 1]:
            return value.member.split(".", 1)[0] in _counted(plan, draft)
    return False


def _counts_what_is_out(plan: Plan, draft: Draft) -> bool:
    """``how many items are out of stock`` by a number of rows of stock: what is out of it is none of them."""
    words = [token.lower for token in draft.tokens]
    for at in range(1, len(words) - 2):
        rows = draft.metadata.kind_names.rows.get(stem(words[at + 2]), ())
        if words[at - 1] in _BEING and words[at : at + 2] == ["out", "of"] and rows:
            held = any(one.start <= at + 2 < one.end for one in _values(draft))
            return not held and not _of_number(plan, rows, draft)
    return False


def _values(draft: Draft) -> list[ValueMatch]:
    return [one for one in draft.resolution.choice.values() if isinstance(one, ValueMatch)]


def _of_number(plan: Plan, relations: Collection[str], draft: Draft) -> bool:
    """Whether some number of these rows is held to a bound."""
    bounded = {one.member for one in conditions_of(plan)}
    return any(path.split(".", 1)[0] in relations and draft.metadata.is_number(path) for path in bounded)


def _counted(plan: Plan, draft: Draft) -> set[str]:
    """The relations whose rows a plan counts."""
    plain = [draft.metadata.plain(one) for one in plan.measures]
    return {one.entity or plan.scope[0] for one in plain if one.aggregate == "count"}


_USING = frozenset("use uses used using consume consumes consumed burn burns burned burnt".split())
_MOST = frozenset({"most", "least"})
_BEING = frozenset("is are was were be been ran run went currently still".split())


def named(draft: Draft) -> list[tuple[int, Item, Candidate]]:
    """What was said by name, with its place and what it names."""
    said = ((place, draft.resolution.choice.get(place)) for place in range(len(draft.items)))
    return [(place, draft.items[place], one) for place, one in said if isinstance(one, Candidate)]


def shown(plan: Plan) -> set[str]:
    """The members that a plan shows."""
    return {*plan.columns, *(d.member for d in plan.dimensions), *(m.member for m in plan.measures if m.member)}


def _called_so_elsewhere(plan: Plan, draft: Draft) -> bool:
    """``most popular category`` by a type of accounts, where courses have a category."""
    meta = draft.metadata
    for _, item, said in named(draft):
        if item.kind != "name" or said.member is None or said.quality >= _LIKE or said.member not in shown(plan):
            continue
        words = tuple(stem(word) for word in item.text.lower().split())
        if any(words == tuple(map(stem, meta.parts(path))) and _is_told(path, meta) for path in meta.members):
            return True
    return False


def _like_another_number(plan: Plan, draft: Draft) -> bool:
    """``average gusts`` by the speed of the wind, where gusts have a number of their own."""
    meta = draft.metadata
    for _, item, said in named(draft):
        if item.kind != "name" or said.member is None or said.quality >= _LIKE or said.member not in shown(plan):
            continue
        words = {stem(singular(word)) for word in item.text.lower().split()}
        own = [path for path in meta.members if _counts_or_measures(path, meta) and words <= _stems(path, meta)]
        if own and said.member not in own and _counts_or_measures(said.member, meta):
            return True
    return False


def _counts_or_measures(path: str, meta: Metadata) -> bool:
    return meta.is_measure(path) or meta.is_number(path)


def _stems(path: str, meta: Metadata) -> set[str]:
    return {stem(part) for part in meta.parts(path)}


def _is_told(path: str, meta: Metadata) -> bool:
    return meta.members[path].kind == "dimension" and not meta.is_key(path)


def _time_by_a_number(plan: Plan, draft: Draft) -> bool:
    """``departures in order of time``: of their time, and not of how long they take."""
    timely = {said.member for _, item, said in named(draft) if item.text.lower() == "time" and said.quality < _LIKE}
    ordered = {ordered_by(order, plan) for order in plan.order}
    timed = any(map(draft.metadata.tells_time, shown(plan)))
    return timed and any(path in ordered and not draft.metadata.tells_time(path) for path in timely if path)


def _sales_of_offers(plan: Plan, draft: Draft) -> bool:
    """``sales per month`` over what is offered: how many were sold is another number."""
    near = [(item.text.lower(), said.relation) for _, item, said in named(draft) if said.quality < _NEAR]
    guessed = {
        relation for word, relation in near if word == "sales" and "sale" not in draft.metadata.words_of(relation)
    }
    counted = {m.entity for m in map(draft.metadata.plain, plan.measures) if m.aggregate == "count"}
    return bool(guessed & counted) and not plan.conditions[1:] and not any(c.operator == "in" for c in plan.conditions)


def _sums_offers(plan: Plan, draft: Draft) -> bool:
    """``revenue per category`` over a price list: what things cost that nobody has bought yet is no revenue."""
    meta, said = draft.metadata, {token.lower for token in draft.tokens}
    summed = {m.member for m in map(meta.plain, plan.measures) if m.aggregate == "sum" and m.member in meta.members}
    asked = said & _TAKEN and not said & _OFFERED
    return bool(asked) and any(_OFFERED & set(meta.parts(path)) for path in summed if path)


def _other_happening(plan: Plan, draft: Draft) -> bool:
    """``rides over 8 km`` as complaints about such rides: what happened is what has the number that is tested."""
    meta = draft.metadata
    guessed = {s.relation for _, item, s in named(draft) if s.member is None and s.quality < _NEAR and _is_any(item)}
    counted = {m.entity for m in map(meta.plain, plan.measures) if m.aggregate == "count"} & guessed
    tested = {c.member.split(".", 1)[0] for c in plan.conditions if c.operator != "not null"}
    return any(
        of not in tested and any(meta.leads_to(of, one) and meta.times([one]) for one in tested) for of in counted if of
    )


def _is_any(item: Item) -> bool:
    return singular(item.text.lower()) in ROW_NOUNS


def _last_of_what_leads_there(plan: Plan, draft: Draft) -> bool:
    """``the last trip of a ship`` by when trips were booked, where the sailings in between have a time of their own."""
    meta = draft.metadata
    guessed = {s.relation for _, _, s in named(draft) if s.member is None and s.quality < _NEAR}
    ends = [m.member for m in plan.measures if m.member and m.aggregate in ("min", "max") and meta.tells_time(m.member)]
    folded = {path.split(".", 1)[0] for path in ends}
    tested = {c.member.split(".", 1)[0] for c in plan.conditions if c.operator == "in"}
    between = [
        name for name in plan.scope for one in folded & guessed for end in tested
        if name not in (one, end) and meta.leads_to(one, name) and meta.leads_to(name, end)
    ]  # fmt: skip
    return any(meta.times([name]) for name in between)


def _either_way(plan: Plan, draft: Draft) -> bool:
    """``rides never returned to a station``: where two columns lead there, one of them alone denies nothing."""
    ends = draft.metadata.edges.get(plan.scope[0], ())
    denied = [e.relation for e in plan.exists if e.negated and e.relation in ends]
    return any(one != end and one.endswith(f"_{end}") for end in denied for one in ends)
