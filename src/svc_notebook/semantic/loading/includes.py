"""What views include of cubes: members chosen, renamed, left out, with the levels of hierarchies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal

from ...records import dataclass
from ..model import Cube, Source, ViewMember
from . import schemas
from .fields import Fields
from .join_paths import JoinPaths
from .problems import Problems, did_you_mean
from .tree import Node

__all__ = ["IncludeReader"]

_Kind = Literal["dimension", "measure", "segment", "hierarchy"]


@dataclass(frozen=True)
class _Entry:
    """One cube of a view, as far as it was understood."""

    cube: str
    path: tuple[str, ...]
    prefix: str
    excluded: frozenset[str]


@dataclass
class _Members:
    """The members gathered so far by their name in the view, and the cubes they were chosen from."""

    by_name: dict[str, ViewMember] = field(default_factory=dict)
    entries: list[_Entry] = field(default_factory=list)


class IncludeReader:
    """Chooses members of ``cubes``; ``hidden`` are the ``public: false`` ones that ``includes: "*"`` leaves out."""

    def __init__(
        self, cubes: Mapping[str, Cube], hidden: Mapping[str, frozenset[str]], paths: JoinPaths, problems: Problems
    ) -> None:
        self._cubes = cubes
        self._hidden = hidden
        self._paths = paths
        self._problems = problems
        self._kinds: dict[str, dict[str, _Kind]] = {name: _kinds_of(cube) for name, cube in cubes.items()}

    def read(self, view: str, entries: list[Node], fields: Fields) -> dict[str, ViewMember]:
        """Members by their name in the view: those of ``entries``, its ``cubes``, then those of the older form."""
        found = _Members()
        for entry in entries:
            self._include_cube(view, entry, found)
        self._include_levels(found)
        self._include_paths(view, fields, found)
        return found.by_name

    # --- one cube of the view -----------------------------------------------------------------------------------------

    def _include_cube(self, view: str, node: Node, found: _Members) -> None:
        fields = Fields(node, schemas.VIEW_CUBE, self._problems, name=view)
        written = fields.text("join_path")
        fields.flag("split", False)  # what it does was done before; what is no such word is told here
        if written is None:
            if fields.get("join_path") is None:
                self._problems.error(
                    f"an entry of 'cubes' of view '{view}' needs a join_path, such as orders.customers", fields.source
                )
            return
        path = self._paths.read(written.strip().strip("{}$ ").split("."), fields.where("join_path"))
        if path is None:
            return
        cube = path[-1]
        prefix = f"{fields.text('alias') or written.split('.')[-1].strip()}_" if fields.flag("prefix", False) else ""
        excluded = self._excluded(fields, cube)
        include = fields.get("includes")
        if include is None:
            self._problems.error(
                f"'{written}' in view '{view}' needs includes: \"*\" or a list of members", fields.source
            )
        elif include.value == "*" or [item.value for item in include.items] == ["*"]:
            for name, kind in self._kinds[cube].items():
                if name not in excluded and name not in self._hidden[cube]:
                    self._add(view, ViewMember(prefix + name, kind, cube, name, path), include.source, found)
        else:
            chosen = include.items if isinstance(include.value, list) else [include]
            for item in chosen:
                self._include_member(view, item, cube, path, prefix, excluded, found)
        found.entries.append(_Entry(cube, path, prefix, frozenset(excluded)))

    def _excluded(self, fields: Fields, cube: str) -> set[str]:
        names: set[str] = set()
        for text, source in fields.texts("excludes"):
            if "." in text or text not in self._kinds[cube]:
                self._problems.error(
                    f"'{text}' is no member of '{cube}'{did_you_mean(text, self._kinds[cube])}", source
                )
            names.add(text)
        return names

    def _include_member(
        self, view: str, node: Node, cube: str, path: tuple[str, ...], prefix: str, excluded: set[str], found: _Members
    ) -> None:
        fields = Fields(node, schemas.VIEW_MEMBER, self._problems) if isinstance(node.value, dict) else None
        name = fields.text("name") if fields is not None else self._word(node, view)
        if name is None:
            if fields is not None and fields.get("name") is None:
                self._problems.error(
                    "a member with settings needs its name, as in {name: count, alias: orders}", node.source
                )
            return
        name = name.strip()
        if "." in name:
            self._problems.error(
                f"'{name}': includes hold names of '{cube}' itself; give another cube its own join_path", node.source
            )
            return
        if name not in self._kinds[cube]:
            self._problems.error(
                f"'{name}' is no member of '{cube}'{did_you_mean(name, self._kinds[cube])}", node.source
            )
            return
        if name in excluded:
            return
        member = ViewMember(prefix + name, self._kinds[cube][name], cube, name, path)
        self._add(view, _with_settings(member, fields, prefix) if fields is not None else member, node.source, found)

    def _word(self, node: Node, view: str) -> str | None:
        if isinstance(node.value, list) or node.value is None:
            self._problems.error(
                f"a member of view '{view}' is a name or {{name, alias, …}}, not {node.kind}", node.source
            )
            return None
        return node.raw

    def _include_levels(self, found: _Members) -> None:
        """A hierarchy brings the dimensions it is made of, as far as their cubes are part of the view."""
        shown = {(m.cube, m.member) for m in found.by_name.values()}
        for cube, hierarchy in [(m.cube, m.member) for m in found.by_name.values() if m.kind == "hierarchy"]:
            levels = next((h.levels for h in self._cubes[cube].hierarchies if h.name == hierarchy), ())
            for owner, _, level in (
                (f"{cube}.{level}" if "." not in level else level).rpartition(".") for level in levels
            ):
                for entry in found.entries:
                    name = entry.prefix + level
                    if entry.cube != owner or level not in self._kinds[owner] or (owner, level) in shown:
                        continue
                    if level not in entry.excluded and name not in found.by_name:
                        found.by_name[name] = ViewMember(name, "dimension", owner, level, entry.path)

    def _add(self, view: str, member: ViewMember, source: Source, found: _Members) -> None:
        known = found.by_name.get(member.name)
        if known is None:
            found.by_name[member.name] = member
        elif (known.cube, known.member, known.join_path) != (member.cube, member.member, member.join_path):
            self._problems.error(
                f"view '{view}' would show two members named '{member.name}' ({known.cube}.{known.member} and "
                f"{member.cube}.{member.member}); write 'prefix: true', an alias, or exclude one",
                source,
            )

    # --- the older form: includes with whole paths ------------------------------------------------------------------

    def _include_paths(self, view: str, fields: Fields, found: _Members) -> None:
        left_out = {text.strip().strip("{}$ ") for text, _ in fields.texts("excludes")}
        for node in (fields.get("includes") or Node([])).items:
            inner = Fields(node, schemas.VIEW_MEMBER, self._problems) if isinstance(node.value, dict) else None
            text = (inner.text("member") or inner.text("name")) if inner is not None else self._word(node, view)
            if text is None:
                continue
            text = text.strip().strip("{}$ ")
            *cubes, name = text.split(".")
            if not cubes:
                self._problems.error(
                    f"'{text}': at the view itself, includes are written cube.member; better: cubes: with join_path",
                    node.source,
                )
                continue
            path = self._paths.read(cubes, node.source)
            if path is None or text in left_out:
                continue
            names = (
                [key for key in self._kinds[path[-1]] if key not in self._hidden[path[-1]]] if name == "*" else [name]
            )
            for key in names:
                if key not in self._kinds[path[-1]]:
                    self._problems.error(
                        f"'{key}' is no member of '{path[-1]}'{did_you_mean(key, self._kinds[path[-1]])}", node.source
                    )
                    continue
                member = ViewMember(key, self._kinds[path[-1]][key], path[-1], key, path)
                self._add(view, _with_settings(member, inner, "") if inner is not None else member, node.source, found)


def _with_settings(member: ViewMember, fields: Fields, prefix: str) -> ViewMember:
    alias, format_node = fields.text("alias"), fields.get("format")
    link = isinstance(format_node.value, dict) if format_node is not None else False
    return replace(
        member,
        name=prefix + alias.strip() if alias else member.name,
        title=fields.text("title"),
        description=fields.text("description"),
        format="link" if link else fields.text("format"),
        meta=fields.meta(),
    )


def _kinds_of(cube: Cube) -> dict[str, _Kind]:
    """Member names in order of sections, with their kind."""
    kinds: dict[str, _Kind] = {dimension.name: "dimension" for dimension in cube.dimensions}
    for measure in cube.measures:
        kinds.setdefault(measure.name, "measure")
    for segment in cube.segments:
        kinds.setdefault(segment.name, "segment")
    for hierarchy in cube.hierarchies:
        kinds.setdefault(hierarchy.name, "hierarchy")
    return kinds
