"""A list read word by word: rows, what is shown of them, and their order; or none, where a word would be left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from .... import patterns as re
from ..plans.plan import Dimension, Order, Plan
from ..schema.metadata import Metadata
from ..schema.number_names import counts
from ..walk.everyday.having import has_some_of_a_column
from ..words.text import stem
from .cut import Asked, ways_to_cut
from .frames import Framed, unframed
from .outputs import column_in, columns_named, said_apart
from .rows import Rows, rows_named

__all__ = ["list_in"]

Read = Callable[[str], Plan | None]
_WHETHER = re.compile(r"^\W*(?:is|are|was|were)\b(?! there\b)", re.IGNORECASE)
_WHO = re.compile(r"^who\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"^(?:the )?(?:number of|how many) (?P<rows>[\w-]+)(?: (?:they|it|he|she) (?:have|has|own|owns))?$", re.IGNORECASE
)
_WITH_SOME = re.compile(r"\bwith (?:an? )?(?:[a-z]+ )?(?P<what>[a-z]+)\W*$", re.IGNORECASE)
_SURE = 0.95
_LONGEST = 40  # words


def list_in(question: str, meta: Metadata, read: Read) -> Plan | None:
    """The plan of a list, where that is all a question asks for and no word of it is left over.

    ``read`` gives the plan of a question that is read whole.
    """
    if question.count(" ") > _LONGEST or _WHETHER.match(question) or _has_some(question, meta):
        return None
    framed, once = unframed(question), cache(read)
    plans = (_plan_of(asked, framed, meta, once) for asked in ways_to_cut(framed))
    return next((plan for plan in plans if plan is not None), None)


def _has_some(question: str, meta: Metadata) -> bool:
    """``bookings with children``, ``cats with insurance``: those that have some, and not what each of them has."""
    said = _WITH_SOME.search(question)
    if said is None:
        return False
    if any(counts(meta, path, stem(said["what"].lower())) for path in meta.number_names.paths):
        return True
    # "list the members with email" shows it of all.
    return not unframed(question).lists and has_some_of_a_column(question, meta)


def _plan_of(asked: Asked, framed: Framed, meta: Metadata, read: Read) -> Plan | None:
    pieces = [piece for words in asked.beside for piece in said_apart(words)]
    counted = [number["rows"] for piece in pieces if (number := _COUNTED.match(piece)) is not None]
    if counted and (as_they_are := _plan_naming(asked, framed, pieces, [], meta, read)) is not None:
        return as_they_are  # "number of days", which stands in the row
    return _plan_naming(asked, framed, [one for one in pieces if not _COUNTED.match(one)], counted, meta, read)


def _plan_naming(
    asked: Asked, framed: Framed, pieces: list[str], counted: list[str], meta: Metadata, read: Read
) -> Plan | None:
    named = ", ".join(pieces)
    columns = partial(columns_named, named, meta=meta, heads=asked.heads)
    homes = [name for name in meta.catalog.relations if not named or columns(name) is not None]
    if len(counted) > 1 or not homes:
        return None
    rows = rows_named(asked.core, meta, read, of_kinds=asked.heads and len(pieces) > 1)
    if (
        asked.joint
        and len(pieces) + len(counted) == 1
        and not (framed.lists or framed.asks and rows is not None and rows.are_one(meta))
    ):
        return None  # one column of rows is read as it always was
    if asked.single and not (rows is not None and rows.are_one(meta)):
        return None
    if rows is not None and asked.joint and not (rows.are_one(meta) or rows.are_spoken_of(asked.core, meta)):
        return None  # "fare of Ines and Dax": whose rows those are is a guess
    if rows is not None and rows.relation not in homes and asked.joint:
        rows = _rows_of(asked, rows.relation, homes, meta, read)
    if rows is None or rows.relation not in homes or not rows.names(meta):
        return None
    if _WHO.match(framed.text) and not meta.is_of_people(rows.relation):
        return None
    shown = columns(rows.relation) or column_in(asked.unit, rows.relation, meta)
    if asked.single and not shown or asked.joint and any(not path.startswith(f"{rows.relation}.") for path in shown):
        return None  # "emails of all customers" are no other people's
    if counted:
        return _with_counts(rows, shown, counted[0], meta, read) if asked.sorting is None else None
    return _in_order(rows, shown, asked, framed, meta)


def _rows_of(asked: Asked, owner: str, homes: list[str], meta: Metadata, read: Read) -> Rows | None:
    """``dates and amounts for Bluebell``: the rows that have these columns, and belong to what is named."""
    found = [name for name in homes if meta.leads_to(name, owner)]
    if len(found) != 1:
        return None
    rows = rows_named(f"{' '.join(meta.words_of(found[0]))}s {asked.joint} {asked.core}", meta, read)
    return rows if rows is not None and rows.relation == found[0] else None


def _in_order(rows: Rows, shown: tuple[str, ...], asked: Asked, framed: Framed, meta: Metadata) -> Plan | None:
    order = asked.sorting.columns(rows.relation, meta, shown) if asked.sorting is not None else ()
    if asked.sorting is not None and not order:
        return None
    if not (shown or order) and (" of " in asked.core or rows.plan.exists or not _is_list(rows, framed, meta)):
        return None  # of rows that did something so often, how often is told as well
    if not shown and not rows.told_apart(meta):
        return None  # all of their columns are shown instead
    return _listed(rows, tuple(dict.fromkeys((*rows.names(meta), *shown, *(path for path, _ in order)))), order, meta)


def _is_list(rows: Rows, framed: Framed, meta: Metadata) -> bool:
    """Whether rows are to be named, and not counted: where that is said, or where they have names."""
    return rows.restricted and (framed.lists or framed.asks or rows.have_names(meta))


def _listed(rows: Rows, columns: tuple[str, ...], order: tuple[tuple[str, bool], ...], meta: Metadata) -> Plan | None:
    relation, key = rows.relation, meta.key_of(rows.relation)
    owners = dict.fromkeys(path.split(".", 1)[0] for path in columns)
    scope = meta.scope((relation, *rows.plan.scope, *owners), (relation,))
    if scope is None:
        return None
    many = any(other != relation and not meta.leads_to(relation, other) for other in scope)
    if many and key is None:
        return None
    if many and key is not None and not any(meta.profile(path).unique for path in columns):
        columns = (*columns, key)
    placed = tuple(Order("column", columns.index(path), down) for path, down in order)
    return rows.plan.with_(
        scope=scope, shape="distinct" if many else "rows", columns=columns, measures=(), hidden=(), order=placed,
        confidence=_SURE, near=(),
    )  # fmt: skip


def _with_counts(rows: Rows, shown: tuple[str, ...], counted: str, meta: Metadata, read: Read) -> Plan | None:
    """``owners with their village and number of boats``: what is told of each row beside how many others it has."""
    plan = read(f"number of {counted} by {' '.join(meta.words_of(rows.relation))}")
    if (
        plan is None
        or plan.shape != "aggregate"
        or len(plan.measures) != 1
        or rows.plan.exists
        or rows.plan.alternatives
    ):
        return None
    homes = {d.member.split(".", 1)[0] for d in plan.dimensions}
    if homes != {rows.relation} or plan.unread or plan.conditions or plan.limit or plan.having:
        return None
    columns = dict.fromkeys((*rows.names(meta), *shown))
    scope = meta.scope((*plan.scope, *rows.plan.scope, *(path.split(".", 1)[0] for path in columns)), plan.scope[:1])
    if scope is None:
        return None
    return plan.with_(
        dimensions=tuple(map(Dimension, columns)), conditions=rows.plan.conditions, scope=scope, order=(),
        confidence=_SURE, near=(),
    )  # fmt: skip
