"""Conditions of the model over a source, as filters: of a multi-stage measure, or of a view."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InvalidQuery
from ...model import Dimension, FilterGroup
from ...model import Filter as ModelFilter
from ...references import Reference, UnresolvedReference, resolve
from ..join_tree.entries import Use
from ..join_tree.steps import Path
from ..values import Bound
from .leaves import Filter
from .source import ModelSource

__all__ = ["included", "written"]


def included(source: ModelSource, path: Path, conditions: Sequence[ModelFilter | FilterGroup]) -> list[Filter]:
    """``include`` of a filter context, of the cube at ``path``, one filter for each of its entries."""
    return [written(source, path, condition) for condition in conditions]


def written(source: ModelSource, path: Path, condition: ModelFilter | FilterGroup) -> Filter:
    """A condition of the model, of the cube at ``path``."""
    uses: set[Use] = set()
    about: set[tuple[Path, str]] = set()

    def column(name: str) -> tuple[str, str]:
        node, dimension = _member(source, path, name)
        bound = source.hidden_column(f"{'.'.join(node)}.{dimension.name}#filter", node, dimension)
        uses.update(bound.uses)
        about.add((node, dimension.name))
        return bound.sql, bound.kind

    outcome = source.compilation.filter([condition], column)
    # A note says that a condition could not be said and was left out, which would show more rows than the model means.
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
