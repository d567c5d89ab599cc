"""Views: join paths walked, members chosen, renamed and put into folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ..model import Cube, Dimension, Folder, Measure, Source, View, ViewMember
from . import schemas
from .fields import Fields
from .fragments import Fragments
from .join_graph import JoinGraph
from .members import MemberReader
from .names import named_entries
from .problems import Problems, did_you_mean
from .tree import Node

__all__ = ["ReadView", "ViewReader"]

_Kind = Literal["dimension", "measure", "segment", "hierarchy"]


@dataclass(frozen=True)
class ReadView:
    """A view without its policies, and the fields it was read from."""

    view: View
    fields: Fields


@dataclass(frozen=True)
class _Entry:
    """One cube of a view, as far as it was understood."""

    cube: str
    path: tuple[str, ...]
    prefix: str
    excluded: frozenset[str]


@dataclass
class _Members:
    """The members gathered so far by their name in the view, with the place that asked for each."""

    by_name: dict[str, ViewMember] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    entries: list[_Entry] = field(default_factory=list)


class ViewReader:
    """Reads views over ``cubes``; ``hidden`` are the ``public: false`` members that ``includes: "*"`` leaves out."""

    def __init__(
        self,
        cubes: Mapping[str, Cube],
        hidden: Mapping[str, frozenset[str]],
        graph: JoinGraph,
        problems: Problems,
        fragments: Fragments,
    ) -> None:
        self._cubes = cubes
        self._hidden = hidden
        self._graph = graph
        self._problems = problems
        self._fragments = fragments
        self._kinds: dict[str, dict[str, _Kind]] = {name: _kinds_of(cube) for name, cube in cubes.items()}

    def read(self, name: str, node: Node) -> ReadView:
        problems = self._problems
        fields = Fields(node, schemas.VIEW, problems, name=name)
        reader = MemberReader(name, problems, self._fragments)
        reader.name_of(fields)
        found = _Members()
        entries = fields.sequence("cubes")
        for entry in entries:
            self._include_cube(name, entry, found)
        self._include_levels(found)
        self._include_paths(name, fields, found)
        measures = self._own(fields, "measures", "measure", reader, found)
        dimensions = self._own(fields, "dimensions", "dimension", reader, found)
        if not found.by_name and not measures and not dimensions and not entries and "includes" not in fields:
            problems.error(f"view '{name}' shows nothing; write cubes: with join_path and includes", fields.source)
        shown = [*found.by_name, *(m.name for m in measures), *(d.name for d in dimensions)]
        view = View(
            name=name,
            members=tuple(found.by_name.values()),
            measures=tuple(m for m in measures if isinstance(m, Measure)),
            dimensions=tuple(d for d in dimensions if isinstance(d, Dimension)),
            public=fields.flag("public", True),
            title=fields.text("title"),
            description=fields.text("description"),
            folders=tuple(self._folder(item, name, found, shown) for item in self._folder_nodes(fields)),
            meta=fields.meta(),
            source=fields.source,
        )
        return ReadView(view, fields)

    def _own(
        self, fields: Fields, key: str, kind: str, reader: MemberReader, found: _Members
    ) -> list[Measure | Dimension]:
        own: list[Measure | Dimension] = []
        for name, item in named_entries(fields.get(key), kind, fields.called, self._problems):
            if name in found.by_name:
                self._problems.error(
                    f"'{name}' is already a member of view '{fields.text('name')}'; give one of them another name",
                    item.source,
                )
            own.append(reader.measure(name, item) if kind == "measure" else reader.dimension(name, item))
        return own

    # --- one cube of the view -----------------------------------------------------------------------------------------

    def _include_cube(self, view: str, node: Node, found: _Members) -> None:
        fields = Fields(node, schemas.VIEW_CUBE, self._problems, name=view)
        written = fields.text("join_path")
        if written is None:
            if fields.get("join_path") is None:
                self._problems.error(
                    f"an entry of 'cubes' of view '{view}' needs a join_path, such as orders.customers", fields.source
                )
            return
        path = self._path(written.strip().strip("{}$ ").split("."), fields.where("join_path"))
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

    def _path(self, names: list[str], source: Source) -> tuple[str, ...] | None:
        """The cubes of a join path, with cubes that were left out put in where only one way leads through them."""
        names = [name.strip() for name in names]
        for name in names:
            if name not in self._cubes:
                self._problems.error(
                    f"'{name}' in the join path is no cube{did_you_mean(name, self._cubes)}", source, at=name
                )
                return None
        path: tuple[str, ...] = (names[0],)
        for name in names[1:]:
            here = path[-1]
            ways = [(here, name)] if name in self._graph.neighbours(here) else self._graph.shortest(here, name)
            if not ways:
                self._problems.error(
                    f"'{here}' declares no join to '{name}'{self._other_way(here, name)}", source, at=name
                )
                return None
            if len(ways) > 1:
                found = " or ".join(".".join(way) for way in ways[:4])
                self._problems.error(
                    f"from '{here}' to '{name}' lead several ways; write one out: {found}", source, at=name
                )
                return None
            path += ways[0][1:]
        return path

    def _other_way(self, start: str, end: str) -> str:
        if start in self._graph.neighbours(end):
            return f"; '{end}' joins '{start}': begin the path with '{end}', or declare the join in '{start}' too"
        known = self._graph.neighbours(start)
        return f" (it joins {', '.join(known)})" if known else " (it declares no joins)"

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
            found.sources[member.name] = source
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
            path = self._path(cubes, node.source)
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

    # --- folders ------------------------------------------------------------------------------------------------------

    def _folder_nodes(self, fields: Fields) -> list[Node]:
        node = fields.get("folders")
        return [item for _, item in named_entries(node, "folder", fields.called, self._problems)]

    def _folder(self, node: Node, view: str, found: _Members, shown: Iterable[str]) -> Folder:
        fields = Fields(node, schemas.FOLDER, self._problems, name=view)
        name = fields.text("name") or ""
        if not name:
            self._problems.error(f"a folder of view '{view}' has no name", fields.source)
        names: dict[str, None] = {}
        inner = [self._folder(item, view, found, shown) for item in self._folder_nodes(fields)]
        include = fields.get("includes")
        items = [] if include is None else include.items if isinstance(include.value, list) else [include]
        for item in items:
            if isinstance(item.value, dict) and "join_path" in {
                key.replace("joinPath", "join_path") for key in item.value
            }:
                names |= dict.fromkeys(self._of_path(item, found))
            elif isinstance(item.value, dict):
                inner.append(self._folder(item, view, found, shown))
            elif item.value == "*":
                names |= dict.fromkeys(shown)
            elif item.raw in shown:
                names[item.raw] = None
            else:
                self._problems.error(
                    f"'{item.raw}' in folder '{name}' is no member of view '{view}'{did_you_mean(item.raw, shown)}",
                    item.source,
                )
        return Folder(name, tuple(names), tuple(inner))

    def _of_path(self, node: Node, found: _Members) -> list[str]:
        written = node.entries.get("join_path") or node.entries.get("joinPath")
        path = self._path(written.raw.split("."), node.source) if written is not None else None
        return [name for name, member in found.by_name.items() if path is not None and member.join_path == path]


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
