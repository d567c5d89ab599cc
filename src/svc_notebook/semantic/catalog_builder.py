"""From the model to what one asker may see of it, with titles, synonyms and types filled in.

Which members are visible is the policies' decision alone (:func:`.policy.visible_members`); nothing about a hidden
member, cube or join reaches the catalog, and the catalog is all that search, analyst and error messages are given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from .. import patterns as re
from .catalog import Catalog, Member, Relation
from .context import SecurityContext
from .model import Cube, DataModel, Dimension, Join, Measure, Segment, View, ViewMember
from .naming import joined_title, title_of
from .policies.policy import Visibility, access_by, matching, public_members
from .references import find_references

__all__ = ["Matched", "catalog_of", "matched_by"]

_RESULT_OF_SQL = ("min", "max")
_COLUMN = re.compile(r'\{(\w+)\}\.(?:(\w+)|"([^"]+)")')


Matched: TypeAlias = tuple[tuple[int, ...] | None, ...]


def matched_by(model: DataModel, ctx: SecurityContext) -> Matched:
    """Which policies of each view and cube match an asker: of the asker, a catalog is made from nothing else."""
    return tuple(matching(relation, ctx) for relation in _relations(model))


def catalog_of(model: DataModel, matched: Matched) -> Catalog:
    """The catalog of all whom these policies match: views first, then cubes, each with its visible members."""
    access = zip(_relations(model), matched, strict=True)
    seen = {relation.name: public_members(relation, access_by(relation, which)) for relation, which in access}
    relations = {name: _view(model, view, seen[name]) for name, view in model.views.items() if seen[name]}
    relations |= {name: _cube(model, cube, seen) for name, cube in model.cubes.items() if seen[name]}
    return Catalog(relations, model.version)


def _relations(model: DataModel) -> list[Cube | View]:
    return [*model.views.values(), *model.cubes.values()]


def _cube(model: DataModel, cube: Cube, seen: Mapping[str, Mapping[str, Visibility]]) -> Relation:
    visible = seen[cube.name]
    members = {
        item.name: _member(cube, item, masked=visible[item.name] == "masked")
        for item in _own(cube)
        if item.name in visible
    }
    joins = [join for join in cube.joins if seen.get(join.name)]
    conditions = {join.name: text for join in joins if (text := _condition(model, cube, join, seen)) is not None}
    return Relation(
        name=cube.name,
        kind="cube",
        title=cube.title or title_of(cube.name),
        members=members,
        description=cube.description,
        synonyms=_synonyms(cube.meta),
        joins=tuple(join.name for join in joins),
        meta={**cube.meta, "joins": conditions} if conditions else cube.meta,
    )


def _view(model: DataModel, view: View, visible: Mapping[str, Visibility]) -> Relation:
    members: dict[str, Member] = {}
    for item in view.members:
        if item.name in visible and (member := _view_member(model, view, item)) is not None:
            members[item.name] = replace(member, masked=visible[item.name] == "masked")
    for own in _own(view):
        if own.name in visible:
            members[own.name] = replace(
                _member(view, own), cube="", cube_member="", masked=visible[own.name] == "masked"
            )
    return Relation(
        name=view.name,
        kind="view",
        title=view.title or title_of(view.name),
        members=members,
        description=view.description,
        synonyms=_synonyms(view.meta),
        meta=view.meta,
    )


def _own(owner: Cube | View) -> tuple[Dimension | Measure | Segment, ...]:
    return owner.members if isinstance(owner, Cube) else owner.own_members


def _member(owner: Cube | View, item: Dimension | Measure | Segment, *, masked: bool = False) -> Member:
    return Member(
        relation=owner.name,
        name=item.name,
        kind="dimension" if isinstance(item, Dimension) else "measure" if isinstance(item, Measure) else "segment",
        type=_type(owner, item),
        title=item.title or title_of(item.name),
        description=item.description,
        agg_type=item.type if isinstance(item, Measure) else None,
        format=None if isinstance(item, Segment) else item.format,
        currency=None if isinstance(item, Segment) else item.currency,
        primary_key=isinstance(item, Dimension) and item.primary_key,
        granularities=item.granularities if isinstance(item, Dimension) else (),
        synonyms=_synonyms(item.meta),
        value_synonyms=_value_synonyms(item.meta),
        cube=owner.name,
        cube_member=item.name,
        whole=not isinstance(item, Measure) or _is_whole(item),
        meta=item.meta,
        masked=masked,
    )


def _is_whole(measure: Measure) -> bool:
    return not (
        measure.filters or measure.filter or measure.rolling_window or measure.multi_stage or measure.time_shift
        or measure.case
    )  # fmt: skip


def _view_member(model: DataModel, view: View, item: ViewMember) -> Member | None:
    cube = model.cubes[item.cube]
    found = next((m for m in _own(cube) if m.name == item.member), None)
    if found is None:  # a hierarchy: its levels are members of their own
        return None
    member = _member(cube, found)
    return replace(
        member,
        relation=view.name,
        name=item.name,
        title=item.title or title_in_view(item, member.title, found.title),
        description=item.description or member.description,
        format=item.format or member.format,
        synonyms=_synonyms(item.meta) if item.meta else member.synonyms,
        value_synonyms=_value_synonyms(item.meta) if item.meta else member.value_synonyms,
        meta=item.meta or member.meta,
    )


def title_in_view(item: ViewMember, title: str, written: str | None) -> str:
    """A member keeps its title under its own name; a prefix goes before it, an alias replaces it."""
    if item.name == item.member:
        return title
    prefix = item.name.removesuffix(f"_{item.member}")
    if prefix != item.name and written is not None:
        return joined_title(title_of(prefix), written)
    return title_of(item.name)


def _type(owner: Cube | View, item: Dimension | Measure | Segment) -> str:
    if isinstance(item, Dimension):
        return item.type
    if isinstance(item, Segment):
        return "boolean"
    if item.type in ("string", "time", "boolean"):
        return item.type
    return _type_of_sql(owner, item.sql or "") if item.type in _RESULT_OF_SQL else "number"


def _type_of_sql(owner: Cube | View, sql: str) -> str:
    """The type of a smallest or largest value: that of the dimension with the same SQL, or that is referred to."""
    references = find_references(sql)
    for dimension in owner.dimensions:
        # By their texts, as far as these are a bare column: nothing is asked of the database for a catalog.
        same = dimension.sql is not None and _bare(dimension.sql) == _bare(sql)
        named = len(references) == 1 and references[0].path[-1] == dimension.name and not references[0].before_dot
        if same or (named and f"{{{'.'.join(references[0].path)}}}" == sql.strip()):
            return dimension.type
    return "number"


def _bare(sql: str) -> str:
    return sql.strip().removeprefix("{CUBE}.").strip('"').lower()


def _synonyms(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Other names, from ``meta.synonyms`` or ``meta.ai_context.synonyms``: a list, or one text with commas."""
    hints = meta.get("ai_context")
    others = hints.get("synonyms") if isinstance(hints, Mapping) else None
    return tuple(dict.fromkeys([*_names(meta.get("synonyms")), *_names(others)]))


def _value_synonyms(meta: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Other names of values, from ``meta.value_synonyms``: by value, a list, or one text with commas."""
    given = meta.get("value_synonyms")
    return {str(value): _names(names) for value, names in given.items()} if isinstance(given, Mapping) else {}


def _names(given: object) -> tuple[str, ...]:
    items = given.split(",") if isinstance(given, str) else given if isinstance(given, (list, tuple)) else ()
    return tuple(str(item).strip() for item in items if str(item).strip())


def _condition(model: DataModel, cube: Cube, join: Join, seen: Mapping[str, Mapping[str, Visibility]]) -> str | None:
    """The join's condition in terms of visible members, or None if it needs anything else."""
    other = model.cubes[join.name]
    text = join.sql

    def member(match: re.Match[str]) -> str:
        owner = cube if match[1] in ("CUBE", cube.name) else other if match[1] == other.name else None
        column = (match[2] or match[3]).lower()
        for dimension in owner.dimensions if owner is not None else ():
            if dimension.sql is not None and _bare(dimension.sql) == column:
                return f"{{{owner.name}.{dimension.name}}}" if owner is not None else match[0]
        return match[0]

    text = _COLUMN.sub(member, text)
    for reference in find_references(text):
        path = (cube.name, *reference.path[1:]) if reference.path[0] == "CUBE" else reference.path
        path = (cube.name, *path) if len(path) == 1 else path
        # What names a column, or a member that the asker does not see, must not be shown: then no condition is.
        if reference.before_dot or len(path) != 2 or path[1] not in seen.get(path[0], {}):
            return None
    return re.sub(r"\{\s*(?:CUBE\.)?([\w.]+)\s*\}", lambda m: m[1] if "." in m[1] else f"{cube.name}.{m[1]}", text)
