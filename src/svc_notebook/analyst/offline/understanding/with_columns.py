"""``the 10 longest flights with airline and destination``: rows in an order, with more of what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..forms import Clause, Form, Member, Role
from ..lists.outputs import columns_named
from ..plans.forms_as_plans import plan_of
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..reader import is_writable
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.text import singular, stem
from .asked import AskedTurn
from .forming import form_shown, told_instead

__all__ = ["path_called", "with_columns"]

_RANKED = r"(?:\d+|top|most|least|fewest|first|last|[a-z]{3,}est)"
_BESIDE = r"(?:with|including|showing|along with|together with|incl)"
_BEHIND = re.compile(
    rf"^(?P<rows>[^:]*\b{_RANKED}\b.+?)(?:,?\s+{_BESIDE}|:|\s[-–])\s+(?:(?:their|its|the)\s+)?(?!an?\s)"
    r"(?P<columns>[a-z][a-z ,]+?)\W*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"^(?:(?:show|list|give me|what (?:is|are))\s+)?(?:the\s+)?(?P<columns>[a-z]+(?:(?:, | and |, and )[a-z]+)+)\s+"
    rf"(?:of|for)\s+(?P<rows>(?:the|our)\s+{_RANKED}\b.+?)\W*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,\s*and\b|,|\band\b)\s*(?:(?:their|its|the)\s+)?", re.IGNORECASE)


def with_columns(asked: AskedTurn) -> Understood | None:
    """Rows in an order with the columns that are named beside them; None where what is named is no column of theirs."""
    said = _BEHIND.match(asked.question) or _BEFORE.match(asked.question)
    if said is None:
        return None
    rows = asked.anew(replace(asked.turn, question=said["rows"]))
    if rows.plan is not None and (listed := _listed(rows, rows.plan, said["columns"])) is not None:
        return replace(rows, plan=listed, statement=write_sql(listed, asked.metadata), options=(), form=None)
    form = form_shown(rows)
    if form is None or not form.columns or not form.order or form.limit is None or form.groups or form.measures:
        return None
    shown = _with(form, _paths(said["columns"], form, asked.metadata))
    return told_instead(rows, shown) if shown is not None and is_writable(shown) else None


def _paths(columns: str, form: Form, metadata: Metadata) -> tuple[str, ...]:
    """The columns that words name, of any table by the whole of their names, else of the rows."""
    whole = tuple(path_called(words, metadata) for words in _JOINED.split(columns.strip()))
    own = columns_named(columns, form.root.relation, metadata) if isinstance(form.root, Role) else None
    return whole if all(whole) else own or ()


def _listed(rows: Understood, plan: Plan, columns: str) -> Plan | None:
    """The plan of rows in an order with the columns that are named, of the rows and of what they belong to.

    The columns that order them, and that tell one from another, stay; of several orders it is the one that is shown.
    """
    metadata = rows.metadata
    shown = columns_named(columns, plan.scope[0], metadata, heads=True)
    others = (plan_of(option.form, metadata) for option in rows.options) if shown else ()
    ranked = [one for one in (plan, *others) if one is not None and one.scope[0] == plan.scope[0] and _is_ranked(one)]
    if not shown or not ranked:
        return None
    plan = next((one for one in ranked if one.columns[_last_of(one)] in shown), ranked[0])
    scope = metadata.scope((*plan.scope, *(path.split(".", 1)[0] for path in shown)), plan.scope[:1])
    names = {*labels_of(metadata, plan.scope[0]), metadata.key_of(plan.scope[0])}
    kept = [path for place, path in enumerate(plan.columns) if place <= _last_of(plan) or path in names]
    return plan.with_(scope=scope, columns=tuple(dict.fromkeys((*kept, *shown))), near=()) if scope else None


def _is_ranked(plan: Plan) -> bool:
    """Whether so many rows are shown in the order of one of their columns, and nothing is left out."""
    ordered = plan.shape == "rows" and plan.limit is not None and any(order.by == "column" for order in plan.order)
    return ordered and not (plan.unread or plan.claim)


def _last_of(plan: Plan) -> int:
    return max(order.place for order in plan.order if order.by == "column")


def path_called(words: str, metadata: Metadata) -> str:
    """The dimension that words are the whole name of; nothing where none or several are called so."""
    said = tuple(stem(singular(word)) for word in words.lower().split())
    known = [
        path for path, member in metadata.members.items()
        if member.kind == "dimension" and tuple(stem(singular(part)) for part in metadata.parts(path)) == said
    ]  # fmt: skip
    return known[0] if len(known) == 1 else ""


def _with(form: Form, paths: Sequence[str]) -> Form | None:
    """The form with the columns behind its own; None where one stands in other rows."""
    if not isinstance(form.root, Role) or any(path.split(".", 1)[0] != form.root.relation for path in paths):
        return None
    known = {clause.expression for clause in form.columns}
    more = [Clause(Member(path)) for path in paths if Member(path) not in known]
    return form.with_(columns=(*form.columns, *more)) if more else None
