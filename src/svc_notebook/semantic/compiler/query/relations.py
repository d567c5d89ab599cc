"""From a name in FROM to a model source: a cube, a view, or several cubes joined by the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from sqlglot import exp

from ...catalog_builder import title_in_view as view_title
from ...errors import InvalidQuery, UnknownMember
from ...model import Cube, Dimension, Measure, Segment, View, ViewMember
from ...naming import title_of
from ...policies.policy import members_of
from ..join_tree.asked import Asked
from ..join_tree.context import Compilation
from ..join_tree.entries import Entry
from ..join_tree.steps import Path
from ..join_tree.tree import Tree
from ..join_tree.view_members import at_root
from ..names import Names, nearest
from ..plan.subqueries import opened
from ..policy.row_policy import RowPolicy
from .columns import FactsRelation, ModelRelation
from .roots import crosses, facts_of, measured_at, named_in, reaches, root_of

__all__ = ["cube_named", "join_cubes", "model_relation"]

_CATALOGS = frozenset({"information_schema", "pg_catalog"})  # where tools look for tables


def visible_relations(compilation: Compilation) -> list[str]:
    """The names of all cubes and views this asker may name: for messages, since it walks the whole model."""
    model = compilation.index.model
    return [name for name in dict.fromkeys((*model.views, *model.cubes)) if compilation.members(name)]


def visible_named(compilation: Compilation, name: str) -> Cube | View | None:
    """The cube or view of that name, if this asker may name it; the rest of the model is not looked at."""
    found: Names[Cube | View] = Names()
    for relation in compilation.index.called(name):
        # What shows this asker no member is as good as absent: even its name may be a secret.
        if relation.public and relation.name not in found.exact and compilation.members(relation.name):
            found.add(relation.name, relation)
    return found.get(name)


def find_relation(compilation: Compilation, name: str) -> Cube | View:
    """
    Raises
    ------
    UnknownMember
        In the same words whether the relation is hidden or absent.
    """
    found = visible_named(compilation, name)
    if found is None:
        raise unknown_relation(compilation, name)
    return found


def unknown_relation(compilation: Compilation, name: str) -> UnknownMember:
    close = nearest(name, visible_relations(compilation))
    hint = f" Did you mean {', '.join(close)}?" if close else ""
    if name.partition(".")[0].lower() in _CATALOGS:
        hint = " What may be asked for is told by GET /svc-api/v1/meta, in Python by client.meta."
    return UnknownMember(f"There is no cube or view '{name}'.{hint}", suggestions=close)


def cube_named(compilation: Compilation, name: str) -> Cube | None:
    """The visible cube of that name, if it is a cube."""
    found = visible_named(compilation, name)
    return found if isinstance(found, Cube) else None


def model_relation(compilation: Compilation, name: str, alias: str, select: exp.Select | None = None) -> ModelRelation:
    """One cube or view as a relation of its own, as the SELECT it stands in needs it."""
    relation = find_relation(compilation, name)
    if isinstance(relation, Cube):
        return join_cubes(compilation, [(relation, alias)])[0]
    visible = compilation.members(relation.name)
    facts = facts_of(compilation, relation, visible, select) if select is not None else []
    if not facts:
        root = root_of(compilation, relation, visible, named_in(compilation, select))
        return _at_root(compilation, relation, visible, alias, root)
    parts = [_at_root(compilation, relation, visible, alias, fact, fact=True) for fact in facts]
    for part in parts[1:]:
        part.source.policy.asked.joins(parts[0].source.policy.asked)
    crossed: Names[Entry] = Names()
    for measure in relation.measures:
        if measure.name in visible and crosses(relation, measure):
            tree = parts[0].source.tree
            crossed.add(measure.name, _own_entry(relation, tree, measure, measure))
    return FactsRelation(alias, parts[0].source, parts[0].entries, parts, crossed)


def _at_root(
    compilation: Compilation, view: View, visible: Mapping[str, object], alias: str, root: str, *, fact: bool = False
) -> ModelRelation:
    """The view read by the rows of one root; as one fact of several, with its own measures and what it leads to."""
    index = compilation.index
    tree = Tree(index, root)
    tree.places = index.places(view.name, root)
    if fact:
        near = {m.join_path: reaches(index, view, root, m) for m in view.members}
        tree.places = {path: place for path, place in tree.places.items() if near[path]}
    policy = RowPolicy(compilation, Asked(tree, view))
    entries: Names[Entry] = Names()
    for member in members_of(view):
        if member.name not in visible or isinstance(member, Segment):
            continue
        if fact and (not reaches(index, view, root, member) or not measured_at(view, member, root)):
            continue
        key = (view.name, tree.root[0], member.name)
        if key not in index.entries:
            index.entries[key] = _view_entry(compilation, view, tree, member)
        if (entry := index.entries[key]) is not None:
            entries.add(member.name, entry)
    return ModelRelation(alias, opened(compilation, tree, entries, policy), entries)


def _view_entry(
    compilation: Compilation, view: View, tree: Tree, member: ViewMember | Dimension | Measure
) -> Entry | None:
    if not isinstance(member, ViewMember):
        placed = at_root(compilation.index, view, tree, member)
        if placed is None:
            return None
        return _own_entry(view, tree, member, placed)
    if member.join_path not in tree.places:
        return None
    below = compilation.index.member(member.cube, member.member)
    title = view_title(member, below.title or title_of(below.name), below.title)
    return Entry(
        member.name, member.name, view.name, tree.places[member.join_path], below, title,
        member.format or getattr(below, "format", None), getattr(below, "currency", None),
    )  # fmt: skip


def _own_entry(view: View, tree: Tree, member: Dimension | Measure, placed: Dimension | Measure) -> Entry:
    return Entry(
        member.name, member.name, view.name, tree.root, placed, _title(member), member.format, member.currency
    )  # fmt: skip


def join_cubes(compilation: Compilation, cubes: Sequence[tuple[Cube, str]]) -> list[ModelRelation]:
    """Cubes joined by the model: one source, one relation for each alias.

    Raises
    ------
    InvalidQuery
        If no cube among them reaches the others by declared joins.
    """
    index = compilation.index
    names = [cube.name for cube, _ in cubes]
    root = next((n for n in names if all(index.path(n, m) is not None for m in names)), None)
    if root is None:
        raise InvalidQuery(
            f"The model has no join that connects {', '.join(names)}; join them by a condition between columns."
        )
    tree = Tree(index, root)
    policy = RowPolicy(compilation, Asked(tree))
    paths: list[Path] = [tree.walk(tree.root, index.path(root, n) or ()) for n in names]
    shared: Names[Entry] = Names()
    source = opened(compilation, tree, shared, policy, frozenset(paths))
    relations: list[ModelRelation] = []
    for (cube, alias), path in zip(cubes, paths, strict=True):
        visible = compilation.members(cube.name)
        entries: Names[Entry] = Names()
        for member in members_of(cube):
            if member.name in visible and not isinstance(member, ViewMember):
                entry = Entry(
                    member.name, member.name, cube.name, path, member, _title(member), getattr(member, "format", None),
                    getattr(member, "currency", None),
                )  # fmt: skip
                # Two cubes of one source may have a member of one name.
                entries.add(member.name, entry if len(cubes) == 1 else replace(entry, key=f"{alias}.{member.name}"))
        policy.asked.reach({path})
        relations.append(ModelRelation(alias, source, entries))
    return relations


def _title(member: Dimension | Measure | Segment) -> str:
    return member.title or title_of(member.name)
