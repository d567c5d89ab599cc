"""Metadata of one asker, built once per model version and security context, and kept as long as the layer lives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar

from ....cancellation import CancellationToken
from ....lanes import fetch
from ....semantic.catalog import Catalog, Member, Relation
from ....semantic.errors import SemanticError
from ....semantic.surveys import Lie, lie_in, lie_of
from ....semantic.value_sets import Counted
from ..forms import ROWS, Aggregate, Clause, Form, Role, to_sql
from ..words.text import name_parts, stem
from .derivations import expression_of, is_derived
from .metadata import Metadata
from .profiles import Profile
from .shelves import shelf_of
from .values import ValueIndex

if TYPE_CHECKING:
    from ....semantic.sight import Sight
    from ....semantic.surveys import Surveyed
    from ...toolbox import Toolbox

__all__ = ["VALUES_ASKED", "known_metadata", "load_metadata"]

T = TypeVar("T")
# Beyond so many values of one column nobody names them by part, and the index would hold whole tables.
_VALUES_PER_MEMBER = 1000
VALUES_ASKED = _VALUES_PER_MEMBER + 1
"""How many values of a column are asked for: one more than are kept tells whether these are all."""
_AT_ONCE = 4


def load_metadata(toolbox: Toolbox) -> Metadata:
    """What the toolbox's asker may see, prepared for reading (blocking: call it in a worker thread).

    Values are asked for under the asker's own policy, so that nothing a reading, a suggestion or a "did you mean"
    says can come from a row they may not see.
    """
    here, catalog = toolbox.sight, toolbox.catalog
    key, shelf = (catalog.version, here.asker), shelf_of(here.model)
    found = shelf.find(key)
    return shelf.prepared(key, here, catalog, lambda: _prepared(toolbox)) if found is None else found


def known_metadata(toolbox: Toolbox) -> Metadata | None:
    """The same where it has been prepared before; nothing is asked for."""
    return shelf_of(toolbox.sight.model).find((toolbox.catalog.version, toolbox.sight.asker))


def _prepared(toolbox: Toolbox) -> Metadata:
    here, catalog = toolbox.sight, toolbox.catalog
    values, profiles = _index_values(here, catalog, toolbox.cancel)
    toolbox.cancel.raise_if_cancelled()
    # Before metadata are made of them, which read it.
    values.inherited.update(_inherited(catalog))
    return Metadata(_without_doubles(catalog), values, _profiler(here), profiles)


def _inherited(catalog: Catalog) -> dict[str, frozenset[str]]:
    """Members that rows have as rows of another kind too (a professor's name as a person's), each with the words that
    its own kind is called by.
    """
    return {
        member.path: frozenset(stem(word) for text in (relation.name, relation.title, *relation.synonyms)
                               for word in name_parts(text))
        for relation in catalog.relations.values()
        for member in relation.members.values()
        if member.meta.get("inherited") in catalog.relations
    }  # fmt: skip


def _without_doubles(catalog: Catalog) -> Catalog:
    """Of what a model shows twice, one: cubes that a view shows whole, and views that add nothing to their cubes."""
    bare = {name for name, relation in catalog.relations.items() if _adds_nothing(relation, catalog)}
    # Bare views first: a cube that only such a view shows must not go with it.
    catalog = Catalog({n: r for n, r in catalog.relations.items() if n not in bare}, catalog.version)
    views = [r for r in catalog.relations.values() if r.kind == "view"]
    shown = {(m.cube, m.cube_member) for view in views for m in view.members.values()}
    kept = {
        name: relation
        for name, relation in catalog.relations.items()
        if relation.kind == "view"
        or not all((m.cube or name, m.cube_member or m.name) in shown for m in relation.members.values())
    }
    return Catalog(kept, catalog.version)


def _adds_nothing(relation: Relation, catalog: Catalog) -> bool:
    """Whether a view only joins cubes that may be seen, without a word of its own: a reader joins them by itself."""
    if relation.kind != "view" or relation.description or relation.synonyms or relation.meta:
        return False
    for member in relation.members.values():
        cube = catalog.relations.get(member.cube)
        own = cube.members.get(member.cube_member) if cube is not None else None
        if own is None or (member.description, member.synonyms) != (own.description, own.synonyms):
            return False
    return True


def _index_values(here: Sight, catalog: Catalog, cancel: CancellationToken) -> tuple[ValueIndex, dict[str, Profile]]:
    """Values of all text dimensions, a few queries at a time, entered in the order of declaration.

    Where all of them were counted, how they lie is known too, without a query of its own.
    """
    relations = _without_doubles(catalog).relations
    members = [
        member
        for relation in relations.values()
        for member in relation.members.values()
        if member.kind == "dimension" and member.type == "string" and not member.masked
    ]

    def surveyed(relation: str) -> Mapping[str, Surveyed]:
        try:
            return fetch(lambda: here.surveyed(relation, limit=_VALUES_PER_MEMBER, cancel=cancel), cancel)
        except SemanticError:
            return {}

    def sets(relation: str) -> Mapping[str, list[Any]]:
        try:
            return fetch(lambda: here.value_sets(relation, limit=VALUES_ASKED, cancel=cancel), cancel)
        except SemanticError:
            return {}

    def values(path: str) -> Counted | None:
        try:
            return fetch(lambda: here.counted_values(path, limit=VALUES_ASKED, cancel=cancel), cancel)
        except SemanticError:
            return None

    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="values") as pool:
        holding = list(dict.fromkeys(member.relation for member in members))
        if here.surveys:
            return _as_surveyed(relations, dict(zip(relations, _beside(pool, surveyed, list(relations)), strict=True)))
        by_relation = dict(zip(holding, _beside(pool, sets, holding), strict=True))
        # What one statement could not give is asked for by itself.
        alone = [m.path for m in members if m.name not in by_relation[m.relation]]
        by_path = dict(zip(alone, _beside(pool, values, alone), strict=True))
    index, profiles = ValueIndex(), {}
    for member in members:
        counted = by_path[member.path] if member.path in by_path else Counted(by_relation[member.relation][member.name])
        if counted is not None:
            texts = [str(value) for value in counted.values[:_VALUES_PER_MEMBER]]
            complete = len(counted.values) <= _VALUES_PER_MEMBER
            index.add(member.path, texts, complete=complete, called=member.value_synonyms)
            if counted.rows is not None:
                profiles[member.path] = _profile_of(counted, counted.rows)
    return index, profiles


def _as_surveyed(
    relations: Mapping[str, Relation], met: Mapping[str, Mapping[str, Surveyed]]
) -> tuple[ValueIndex, dict[str, Profile]]:
    """Values of all text dimensions, and profiles of all that rows were read of."""
    index, profiles = ValueIndex(), {}
    for member in (m for relation in relations.values() for m in relation.members.values() if m.kind == "dimension"):
        each = met[member.relation].get(member.name)
        if each is not None and member.type == "string":
            texts = [str(value) for value in each.values]
            index.add(member.path, texts, complete=each.every, called=member.value_synonyms)
        if each is not None:
            profiles[member.path] = _profile_as(each.lie)
    return index, profiles


def _profile_as(lie: Lie) -> Profile:
    return Profile(lie.rows, lie.distinct, lie.missing, lie.low, lie.high)


def _profile_of(counted: Counted, rows: int) -> Profile:
    low, high = (min(counted.values), max(counted.values)) if counted.values else (None, None)
    return Profile(rows, len(counted.values), counted.missing, low, high)


def _beside(pool: ThreadPoolExecutor, work: Callable[[str], T], names: Sequence[str]) -> Iterator[T]:
    """What the work gives for each name, in order, done in the place of whoever asks."""
    # The context of whoever asks carries its trace and its cancelling into the pool's threads.
    places = [copy_context() for _ in names]
    return pool.map(Context.run, places, repeat(work), names)


def _lying(member: Member) -> str:
    """The query of how the values of a member lie."""
    if is_derived(member.path):
        of, made = expression_of(member.path), ("count_distinct", "count", "min", "max")
        numbers = (ROWS, *(Aggregate(function, of) for function in made))  # type: ignore[arg-type]  # each is one of them
        return to_sql(Form(Role(member.relation), measures=tuple(map(Clause, numbers))))
    return lie_of(member)


def _profiler(here: Sight) -> Callable[[Member], Profile | None]:
    again = here.loosely()  # what is known of a model must not keep it

    def profile(member: Member) -> Profile | None:
        held = again()
        if held is None or member.kind != "dimension":
            return None
        if held.surveys and not is_derived(member.path):
            return _surveyed_profile(held, member)
        known = held.lie_at_hand(member)
        if known is None:
            try:
                known = lie_in(fetch(lambda: held.query(_lying(member))).table)
            except SemanticError:
                return None
        return _profile_as(known) if known is not None else None

    return profile


def _surveyed_profile(held: Sight, member: Member) -> Profile | None:
    try:
        return _profile_as(fetch(lambda: held.profiled(member.path)))
    except SemanticError:
        return None
