"""Conditions that the model itself puts into a query: a multi-stage measure's, and the default filters of a view."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...errors import InvalidQuery
from ...model import Dimension, FilterGroup, View
from ...model import Filter as ModelFilter
from ...references import Reference, UnresolvedReference, resolve
from ..binding.binding import NamesInScope
from ..join_tree.entries import Use
from ..join_tree.steps import Path
from ..plan.leaves import Filter
from ..plan.source import ModelSource
from ..values import Bound
from .roots import view_roots
from .scope import Scope

__all__ = ["default_filters", "included", "refuse_inside"]


def included(source: ModelSource, path: Path, conditions: Sequence[ModelFilter | FilterGroup]) -> list[Filter]:
    """``include`` of a filter context, of the cube at ``path``, one filter for each of its entries."""
    return [_written(source, path, condition) for condition in conditions]


def default_filters(scope: Scope, filters: Sequence[Filter], elsewhere: Collection[str] = ()) -> list[Filter]:
    """The default filters of the views in FROM that no filter of the query releases.

    ``elsewhere`` are members filtered in other facts of the view; a fact has the filters on what it reaches.
    """
    found: list[Filter] = []
    for relation in scope.relations:
        source: ModelSource | None = getattr(relation, "source", None)
        view = source.policy.view if source is not None else None
        if source is None or view is None or not view.default_filters:
            continue
        if len(scope.relations) > 1:
            raise InvalidQuery(
                f"The view '{view.name}' has default filters; join it as a subquery, (SELECT … FROM {view.name})."
            )
        used = {key for item in filters for alias, key in item.bound.uses if alias == source.alias}
        asked = {entry.name for key in used if (entry := source.entry_of(key)) is not None} | set(elsewhere)
        for default in view.default_filters:
            if asked.isdisjoint(default.unless) and _within(source, view, default.filter.member):
                found.append(_written(source, source.tree.root, default.filter))
    return found


def _within(source: ModelSource, view: View, name: str) -> bool:
    """Whether the rows lead to a member of the view; what the view does not have is refused elsewhere."""
    shown = next((m for m in view.members if m.name == name), None)
    return shown is None or shown.join_path in source.tree.places or len(view_roots(view)) < 2


def refuse_inside(scope: NamesInScope, bound: Bound) -> None:
    """A condition on a dimension whose filters belong inside its cube's SQL is another question than it seems."""
    for relation in scope.relations:
        source: ModelSource | None = getattr(relation, "source", None)
        for alias, key in bound.uses if source is not None else ():
            entry = source.entry_of(key) if source is not None and alias == source.alias else None
            if entry is not None and isinstance(entry.member, Dimension) and entry.member.inside:
                raise InvalidQuery(
                    f"A filter by '{entry.name}' belongs inside the SQL of its cube (FILTER_PARAMS), which is not "
                    "available; group by it, or filter by another member."
                )


def _written(source: ModelSource, path: Path, condition: ModelFilter | FilterGroup) -> Filter:
    uses: set[Use] = set()
    about: set[tuple[Path, str]] = set()

    def column(name: str) -> tuple[str, str]:
        node, dimension = _member(source, path, name)
        bound = source.hidden_column(f"{'.'.join(node)}.{dimension.name}#filter", node, dimension)
        uses.update(bound.uses)
        about.add((node, dimension.name))
        return bound.sql, bound.kind

    outcome = source.compilation.filter([condition], column)
    if outcome.notes:
        raise InvalidQuery(f"A filter of the data model cannot be applied: {outcome.notes[0]}.")
    return Filter(Bound(outcome.sql, "boolean", frozenset(uses), True), about=frozenset(about))


def _member(source: ModelSource, path: Path, name: str) -> tuple[Path, Dimension]:
    """The dimension a condition of the model reads, and its node."""
    tree = source.tree
    view = source.policy.view
    shown = next((m for m in view.members if m.name == name), None) if view is not None else None
    if shown is not None and shown.join_path in tree.places:
        node, member_name = tree.places[shown.join_path], shown.member
    else:
        try:
            resolved = resolve(tree.index.scope, path[-1], Reference(tuple(name.split(".")), 0, 0))
        except UnresolvedReference:
            raise InvalidQuery(f"The data model filters by '{name}', which it does not have.") from None
        node, member_name = tree.walk(path, resolved.join_path), resolved.member or ""
    member = tree.index.member(node[-1], member_name)
    if not isinstance(member, Dimension):
        raise InvalidQuery(f"The data model filters by '{name}', which is no dimension.")
    return node, member
