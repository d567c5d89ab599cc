"""Where a view with several roots is read from: one root, or one for each of the facts a query measures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise

from sqlglot import exp

from ...errors import InvalidQuery
from ...model import Dimension, Measure, Segment, View, ViewMember
from ...policies.policy import members_of
from ...references import find_references
from ..authored.index import ModelIndex
from ..binding.aggregate_calls import is_aggregate
from ..join_tree.context import Compilation
from ..names import fold

__all__ = ["crosses", "facts_of", "measured_at", "named_in", "reaches", "root_of", "view_references", "view_roots"]

Member = ViewMember | Dimension | Measure


def named_in(compilation: Compilation, select: exp.Select | None) -> frozenset[str]:
    """Every name a SELECT holds, folded; those of the whole query where it passes on whatever there is."""
    stars = [] if select is None else [item for item in select.expressions if item.is_star]
    if select is None or stars:
        return compilation.named
    return frozenset(fold(node.name) for node in select.find_all(exp.Identifier))


def root_of(compilation: Compilation, view: View, visible: Mapping[str, object], names: Collection[str]) -> str:
    """The cube whose rows a view is read by: of those that reach all members named, the one measured or named first.

    Raises
    ------
    InvalidQuery
        If the query names members of several roots that no declared join connects.
    """
    index = compilation.index
    roots = _visible_roots(view, visible)
    if len(roots) < 2:
        return roots[0] if roots else next(iter(index.model.cubes))
    named = _named(view, visible, names)
    own = [root for m in named for root in _roots_of(view, m)]
    for root in dict.fromkeys([*_facts(view, named), *(root for root in roots if root in own), *roots]):
        places = index.places(view.name, root)
        if all(path in places for m in named for path in _paths(view, m)):
            return root
    raise InvalidQuery(
        f"'{named[0].name}' and '{named[-1].name}' belong to parts of '{view.name}' that no join connects; ask for "
        "each in a query of its own and join the results."
    )


def facts_of(compilation: Compilation, view: View, visible: Mapping[str, object], select: exp.Select) -> list[str]:
    """The roots whose measures a SELECT names, if there are several and each reaches what the result is grouped by."""
    if len(_visible_roots(view, visible)) < 2:
        return []
    names = named_in(compilation, select)
    facts = _facts(view, _named(view, visible, names))
    if len(facts) < 2:
        return []
    shown = _named(view, visible, _outside_where(select))
    apart = [
        (m, fact)
        for m in shown
        for fact in facts
        if not _is_measure(m) and not reaches(compilation.index, view, fact, m) and not _inside_aggregate(select, m)
    ]
    if not apart:
        return facts
    try:
        root_of(compilation, view, visible, names)
    except InvalidQuery:
        member, fact = apart[0]
        measure = next(m for m in _named(view, visible, names) if fact in _facts(view, [m]))
        raise InvalidQuery(
            f"'{measure.name}' cannot be grouped by '{member.name}', which no to-one join leads to; leave it out, or "
            "ask for each in a query of its own."
        ) from None
    return []


def reaches(index: ModelIndex, view: View, root: str, member: Member) -> bool:
    """Whether each row at ``root`` has at most one row where the member's join path begins."""
    return all(_to_one(index, root, path[0]) for path in _paths(view, member))


def crosses(view: View, member: Member) -> bool:
    """Whether a measure of the view is calculated from measures of several roots."""
    return isinstance(member, Measure) and len(_facts(view, [member])) > 1


def measured_at(view: View, member: Member, root: str) -> bool:
    """Whether a measure is one of this root alone; dimensions are of every root that reaches them."""
    return not _is_measure(member) or _facts(view, [member]) == [root]


def view_references(view: View, member: Dimension | Measure) -> list[Member]:
    """The members of the view that a member of its own is written with."""
    known = {m.name: m for m in members_of(view) if not isinstance(m, Segment)}
    case = member.case
    texts = [member.sql, *(getattr(member, "filters", ()) or ())]
    if case is not None:
        texts += [part for when in case.when for part in (when.sql, when.label_sql)] + [case.else_sql]
    names = [n for text in texts for ref in find_references(text or "") for n in ref.path[:2]]
    return [known[name] for name in dict.fromkeys(names) if name in known and known[name] is not member]


def _to_one(index: ModelIndex, root: str, start: str) -> bool:
    steps = index.path(root, start)
    if steps is None:
        return False
    chain = (root, *steps)
    return all(index.join(a, b).relationship != "one_to_many" for a, b in pairwise(chain))


def view_roots(view: View) -> list[str]:
    """The cubes that the join paths of a view begin with, in order."""
    return list(dict.fromkeys(m.join_path[0] for m in view.members))


def _visible_roots(view: View, visible: Mapping[str, object]) -> list[str]:
    """The roots of what the asker sees: a query is read as if there were no others."""
    shown = [m for m in members_of(view) if not isinstance(m, Segment) and m.name in visible]
    used = {root for m in shown for root in _roots_of(view, m)}
    return [root for root in view_roots(view) if root in used] or view_roots(view)[:1]


def _named(view: View, visible: Mapping[str, object], names: Collection[str]) -> list[Member]:
    return [
        m for m in members_of(view) if not isinstance(m, Segment) and m.name in visible and fold(m.name) in names
    ]  # fmt: skip


def _is_measure(member: Member) -> bool:
    return isinstance(member, Measure) or (isinstance(member, ViewMember) and member.kind == "measure")


def _leaves(view: View, member: Member, depth: int = 0) -> list[ViewMember]:
    """The cubes' members that a member of the view comes down to."""
    if isinstance(member, ViewMember):
        return [member]
    # Members of a view that are written with each other would lead round in a circle.
    if depth > 20:
        return []
    return [leaf for inner in view_references(view, member) for leaf in _leaves(view, inner, depth + 1)]


def _paths(view: View, member: Member) -> list[tuple[str, ...]]:
    return [leaf.join_path for leaf in _leaves(view, member)]


def _roots_of(view: View, member: Member) -> list[str]:
    return [path[0] for path in _paths(view, member)]


def _facts(view: View, members: Iterable[Member]) -> list[str]:
    """The roots of the measures among ``members``, in order."""
    found: list[str] = []
    for member in members:
        leaves = _leaves(view, member) if _is_measure(member) else []
        found += [m.join_path[0] for m in leaves if m.kind == "measure"] or [m.join_path[0] for m in leaves]
    return list(dict.fromkeys(found))


def _outside_where(select: exp.Select) -> frozenset[str]:
    parts = [node for key in ("group", "having", "order", "qualify") if (node := select.args.get(key)) is not None]
    return frozenset(
        fold(node.name) for part in [*select.expressions, *parts] for node in part.find_all(exp.Identifier)
    )


def _inside_aggregate(select: exp.Select, member: Member) -> bool:
    """Whether a dimension stands in aggregates alone."""
    found = [c for c in select.find_all(exp.Column) if fold(c.name) == fold(member.name)]
    where = select.args.get("where")
    outside = [c for c in found if where is None or not any(c is other for other in where.find_all(exp.Column))]
    return bool(outside) and all(any(is_aggregate(p) for p in _parents(c)) for c in outside)


def _parents(node: exp.Expr) -> Iterable[exp.Expr]:
    at = node.parent
    while at is not None and not isinstance(at, exp.Select):
        yield at
        at = at.parent
