"""Lists as they were asked for: numbers with the names of their rows or added up, and what was said last of them."""

from __future__ import annotations

from ..plans.plan import Condition, Measure, Order, Plan
from ..schema.lexicon import Candidate
from ..schema.member_kinds import labels_of
from ..schema.money import amounts
from ..schema.nouns import is_plural
from ..walk.draft import Draft
from ..words.text import singular

__all__ = ["as_listed"]

_ADDING = frozenset("cost bring earn make charge take".split())
_ASKING = frozenset({"did", "do", "does", "have", "has"})
_DIRECT = 2
_MANY = 4  # rows of each kind, on average
_LEAST = 4  # what is listed, and a comma, "by" and a column behind it


def as_listed(plan: Plan, draft: Draft) -> Plan:
    """``what discount do the clubs get``: that of each; ``what did repairs cost us``: all of it; ``price per unit of
    sold ones``: one divided by the other; ``…, by name``: in that order.
    """
    plan = _once_each(_with_last(_divided(_in_order(_which_row(plan, draft), draft), draft), draft), draft)
    path = _bare(plan, draft)
    if path is None:
        return plan
    if _adds_up(path, draft):
        return plan.with_(shape="aggregate", columns=(), measures=(Measure(path, "sum"),))
    label = draft.metadata.label_of(plan.scope[0])
    grouped = any(item.is_cue("group") for item in draft.items)  # what they are of was said, and is something else
    if label is None or grouped or any(_is_one(c, label) for c in plan.conditions):
        return plan
    return plan.with_(columns=(label, path))


def _which_row(plan: Plan, draft: Draft) -> Plan:
    """``which flight had the longest delay``, where a number is called so: the row that has it, and not that alone."""
    meta, words = draft.metadata, [token.lower for token in draft.tokens[:1]]
    single = plan.shape == "aggregate" and len(plan.measures) == 1 and not plan.dimensions and not plan.having
    if not single or words not in (["which"], ["what"]) or plan.parts or plan.nested is not None or plan.calculations:
        return plan
    plain, said = meta.plain(plan.measures[0]), draft.resolution.choice.get(1)
    rows = isinstance(said, Candidate) and said.member is None and said.relation == plan.scope[0]
    noun = draft.tokens[draft.items[1].end - 1].lower if len(draft.items) > 1 else ""
    named = labels_of(meta, plan.scope[0])
    if not rows or singular(noun) != noun or not named or plain.member is None or plain.conditions:
        return plan
    if plain.aggregate not in ("max", "min"):
        return plan
    columns = tuple(dict.fromkeys((*named, plain.member)))
    order = (Order("column", columns.index(plain.member), descending=plain.aggregate == "max"),)
    return plan.with_(shape="rows", columns=columns, measures=(), order=order, limit=1)


def _once_each(plan: Plan, draft: Draft) -> Plan:
    """``list all airlines with their code``: each kind once, where no rows were spoken of that have it many times."""
    meta, spoken = draft.metadata, bool(draft.entities or draft.measures)
    if plan.shape != "rows" or len(plan.columns) < _DIRECT or plan.order or plan.limit is not None or spoken:
        return plan
    if plan.chart.mark or plan.chart.channels or plan.exists or not all(path in meta.members for path in plan.columns):
        return plan
    kinds = all(meta.members[path].type == "string" and not meta.is_key(path) for path in plan.columns)
    known = [meta.profile(path) for path in plan.columns]
    repeated = all(0 < _MANY * one.distinct <= one.rows - one.missing for one in known)
    several = any(
        getattr(said, "member", None) == plan.columns[0] and is_plural(draft.items[place].text)
        for place, said in draft.resolution.choice.items()
    )
    return plan.with_(shape="distinct") if kinds and repeated and several else plan


def _in_order(plan: Plan, draft: Draft) -> Plan:
    """A list with *by* and one of its columns at the very end, put in the order of that."""
    items = [(place, item) for place, item in enumerate(draft.items) if item.kind != "word"]
    if plan.shape != "rows" or plan.order or plan.limit is not None or len(items) < _LEAST:
        return plan
    (_, mark), (_, by), (at, _) = items[-3:]
    said = draft.resolution.choice.get(at)
    path = said.member if isinstance(said, Candidate) else None
    if not mark.is_cue("logic", ",") or not by.is_cue("group") or by.text.lower() != "by" or path not in plan.columns:
        return plan
    return plan.with_(order=(Order("column", plan.columns.index(path)),))


def _with_last(plan: Plan, draft: Draft) -> Plan:
    """``…, id, fee and member``: what stands at the end of a list of columns is one more of them."""
    if plan.shape != "rows" or len(plan.columns) < _DIRECT or len(draft.items) < _LEAST:
        return plan
    meta, at = draft.metadata, len(draft.items) - 1
    said = draft.resolution.choice.get(at)
    if not isinstance(said, Candidate) or said.member is not None or not draft.items[at - 1].is_cue("logic", "and"):
        return plan
    before = draft.resolution.choice.get(at - _DIRECT)
    listed = isinstance(before, Candidate) and before.member in plan.columns
    label = meta.label_of(said.relation)
    if not listed or label is None or label in plan.columns or not meta.leads_to(plan.scope[0], said.relation):
        return plan
    scope = meta.scope([*plan.scope, said.relation], plan.scope[:1])
    if scope is None or scope[0] != plan.scope[0]:
        return plan
    exists = tuple(e for e in plan.exists if e.relation != said.relation or e.negated or e.conditions)
    return plan.with_(scope=scope, columns=(*plan.columns, label), exists=exists)


def _divided(plan: Plan, draft: Draft) -> Plan:
    """A list of two numbers of which one was asked for per the other, as one number."""
    if plan.shape != "rows" or len(plan.columns) != _DIRECT or plan.order or plan.limit is not None:
        return plan
    for place, item in enumerate(draft.items[1:-1], 1):
        said = [draft.resolution.choice.get(at) for at in (place - 1, place + 1)]
        paths = tuple(one.member for one in said if isinstance(one, Candidate) and one.member is not None)
        if item.text.lower() == "per" and paths == plan.columns and all(map(draft.metadata.is_number, paths)):
            return plan.with_(shape="aggregate", columns=(), measures=(Measure(paths[0], "ratio", other=paths[1]),))
    return plan


def _bare(plan: Plan, draft: Draft) -> str | None:
    """The only column of a list, where it holds numbers of rows that have names."""
    meta = draft.metadata
    single = plan.shape == "rows" and len(plan.columns) == 1 and len(plan.scope) == 1 and plan.limit is None
    if not single or plan.order or plan.chart.mark or plan.chart.channels or not plan.conditions:
        return None
    path = plan.columns[0]
    return path if path in meta.members and meta.is_number(path) and not meta.is_key(path) else None


def _adds_up(path: str, draft: Draft) -> bool:
    """Whether it is asked what they came to: ``what did … cost``, ``what do … bring in``."""
    words = [token.lower for token in draft.tokens]
    asked = words[:1] == ["what"] and not _ASKING.isdisjoint(words[1:_DIRECT])
    return asked and bool(_ADDING & set(words[_DIRECT:])) and (path in amounts(draft.metadata) or "cost" in words)


def _is_one(condition: Condition, label: str) -> bool:
    return condition.member == label and len(condition.values) == 1
