"""A view's own dimensions and measures, rewritten as members of its root cube."""

from __future__ import annotations

from dataclasses import replace

from ...errors import InvalidQuery
from ...model import Case, Dimension, Measure, View, ViewMember
from ...references import Reference, substitute
from ..authored.index import ModelIndex
from .tree import Tree

__all__ = ["at_root"]

# Far more than members on members that anybody writes; a circle ends here.
_DEPTH = 20


class _OutOfReach(Exception):
    """The member needs a part of the view that the tree's root does not reach."""


def at_root(index: ModelIndex, view: View, tree: Tree, member: Dimension | Measure) -> Dimension | Measure | None:
    """The member with every reference spelt from the root cube; the view's own members are written out.

    None if it needs a part of the view that the root does not reach.

    Raises
    ------
    InvalidQuery
        If a reference is unknown or goes round in a circle.
    """
    try:
        return _rewritten(index, view, tree, member, 0)
    except _OutOfReach:
        return None


def _rewritten(
    index: ModelIndex, view: View, tree: Tree, member: Dimension | Measure, depth: int
) -> Dimension | Measure:
    def text(sql: str) -> str:
        return substitute(sql, lambda reference: _placed(index, view, tree, reference, depth))

    def optional(sql: str | None) -> str | None:
        return None if sql is None else text(sql)

    case = member.case
    if case is not None:
        whens = tuple(replace(w, sql=text(w.sql), label_sql=optional(w.label_sql)) for w in case.when)
        case = Case(whens, case.else_label, optional(case.else_sql))
    if isinstance(member, Dimension):
        return replace(
            member,
            sql=optional(member.sql),
            case=case,
            latitude=optional(member.latitude),
            longitude=optional(member.longitude),
        )
    return replace(member, sql=optional(member.sql), case=case, filters=tuple(text(f) for f in member.filters))


def _placed(index: ModelIndex, view: View, tree: Tree, reference: Reference, depth: int) -> str:
    if depth > _DEPTH:
        raise InvalidQuery(f"The members of the view '{view.name}' refer to each other in a circle.")
    names = [n for n in reference.path if n not in ("CUBE", "TABLE", view.name)]
    if not names:
        raise InvalidQuery(f"The view '{view.name}' has no columns of its own; refer to its members.")
    try:
        found = index.view_member(view.name, names[0])
    except KeyError:
        return "{" + ".".join(reference.path) + "}"  # a cube's member by its full path
    if isinstance(found, ViewMember):
        if found.join_path not in tree.places:
            raise _OutOfReach
        return "{" + ".".join(("CUBE", *tree.places[found.join_path][1:], found.member, *names[1:])) + "}"
    inner = _rewritten(index, view, tree, found, depth + 1)
    # Its SQL alone would be the row's value, without the aggregate.
    if isinstance(inner, Measure) and inner.type not in ("number", "string", "time", "boolean"):
        raise InvalidQuery(
            f"The view '{view.name}' calculates with '{found.name}', which aggregates by itself; move it to a cube."
        )
    return f"({inner.sql})"
