"""Rows that only their key tells apart: when each was, what it was called and what it came to stand beside the key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .... import patterns as re
from ..plans.plan import ChartWish, Condition, Order, Plan
from ..schema.lasting import DUE
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..schema.money import amounts, is_amount
from ..words.text import singular, tokenize

__all__ = ["beside_key", "tells_of", "undrawn"]

_MORE = 2  # columns that nobody asked for
_SEVERAL = re.compile(r",|\b(?:and|with|showing|of|by)\b", re.IGNORECASE)
_NAMING = ("name", "title", "subject")
_NUMBERING = frozenset({"id", "number", "no", "code", "ref", "reference", "key", "only", "just"})


def beside_key(plan: Plan, question: str, metadata: Metadata) -> Plan:
    """``the orders from last week``: each with its date and its amount, in the order of time.

    Where the key itself is asked for (``order numbers``), or an order was, nothing of that changes.
    """
    owner = _of_keys_alone(plan, metadata)
    if owner is None or _asks_for_key(question, plan.columns[0], owner, metadata, several=len(plan.columns) > 1):
        return plan
    asked = [condition.member for condition in plan.conditions if condition.operator == "period"]
    more = tells_of(owner, plan.columns, metadata, asked)[: _MORE + 1 - len(plan.columns)]
    columns = (*plan.columns, *more)
    timed = [place for place, path in enumerate(columns) if metadata.is_time(path)]
    order = plan.order or tuple(Order("column", place) for place in (*timed, 0) if timed)
    plan = _of_those_that_have_it(plan, question, owner, metadata)
    return plan.with_(columns=columns, order=order) if more else plan


def _of_those_that_have_it(plan: Plan, question: str, owner: str, metadata: Metadata) -> Plan:
    """``which invoices are unpaid`` of jobs that have an ``invoice_amount``: those without one have no invoice."""
    own = set(metadata.words_of(owner))
    said = {singular(token.lower) for token in tokenize(question) if singular(token.lower) != token.lower} - own
    tested = {condition.member for condition in plan.conditions}
    called = [
        path for path in plan.columns[1:]
        if metadata.profile(path).missing and path not in tested and said & set(metadata.parts(path))
    ]  # fmt: skip
    return plan.with_(conditions=(*plan.conditions, *(Condition(path, "not null") for path in called)))


def _of_keys_alone(plan: Plan, metadata: Metadata) -> str | None:
    """The relation whose keys are all that a plan lists."""
    plain = plan.shape in ("rows", "distinct") and bool(plan.columns) and not plan.limit
    # "unpaid invoices" have their amount already.
    plain = plain and all(_is_money(path, metadata) for path in plan.columns[1:])
    drawn = plan.chart.mark is not None or plan.chart.channels
    if not plain or drawn or plan.dimensions or plan.measures:
        return None
    owner = plan.columns[0].split(".", 1)[0]
    return owner if plan.columns[0] == metadata.key_of(owner) and owner in plan.scope else None


def _asks_for_key(question: str, key: str, owner: str, metadata: Metadata, *, several: bool) -> bool:
    """Whether keys are what is wanted, or columns that are named (``several``: there are others already)."""
    said = {singular(token.lower) for token in tokenize(question)}
    return bool(
        several
        and _SEVERAL.search(question)
        or said & (_NUMBERING | (set(metadata.parts(key)) - set(metadata.words_of(owner))))
    )


def undrawn(plan: Plan, metadata: Metadata) -> Plan:
    """A plan that is a table alone where it tells of single rows by their key, and no picture was asked for."""
    wished = plan.chart.mark is not None or plan.chart.channels
    numbers = any(metadata.is_number(path) for path in plan.columns[1:])
    told = plan.shape in ("rows", "distinct") and len(plan.columns) > (_MORE if numbers else 1) and not wished
    keyed = told and plan.columns[0] == metadata.key_of(plan.columns[0].split(".", 1)[0])
    return plan.with_(chart=ChartWish(table=True)) if keyed else plan


def tells_of(owner: str, shown: Sequence[str], metadata: Metadata, times: Sequence[str] = ()) -> tuple[str, ...]:
    """The two columns that tell most of a row beside those that are shown: its name, when it was, how much it came to.

    ``times``: those that were asked by, which come before its own.
    """
    found = dict.fromkeys(_told(owner, shown, metadata, times))
    return tuple(path for path in found if path not in shown)[:_MORE]


def _told(owner: str, shown: Sequence[str], metadata: Metadata, times: Sequence[str]) -> Iterator[str]:
    own = [path for path in metadata.members if path.startswith(f"{owner}.") and not metadata.members[path].masked]
    names = [path for path in labels_of(metadata, owner) if path not in shown]
    yield from names or [path for path in own if _is_name(path, metadata)][:1]
    was = [path for path in metadata.times([owner]) if not DUE & set(metadata.parts(path))]
    yield from ([path for path in times if path in own] or was)[:1]
    yield from [path for path in amounts(metadata) if path in own and _is_money(path, metadata)][:1]


def _is_money(path: str, metadata: Metadata) -> bool:
    member = metadata.members[path]
    return member.kind == "dimension" and (is_amount(metadata, path) or bool(member.currency))


def _is_name(path: str, metadata: Metadata) -> bool:
    named = metadata.parts(path)[-1] in _NAMING and metadata.members[path].type == "string"
    return named and metadata.members[path].kind == "dimension"
