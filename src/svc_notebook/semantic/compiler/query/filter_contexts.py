"""The default filters of a view, and filters that belong inside its cubes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...errors import InvalidQuery
from ...model import Dimension, View
from ..binding.binding import NamesInScope
from ..plan.leaves import Filter
from ..plan.model_filters import written
from ..plan.source import ModelSource
from ..values import Bound
from .roots import view_roots
from .scope import Scope

__all__ = ["default_filters", "refuse_inside"]


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
                found.append(written(source, source.tree.root, default.filter))
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
