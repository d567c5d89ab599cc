"""A model put together: cubes, then views over them, then policies, which name members of both; then the checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ...records import dataclass
from ..model import Cube, DataModel, View
from .checks import ModelChecks
from .contexts import read_context, read_default_filters
from .cubes import ReadCube, read_cube, sql_of_cubes
from .fields import Fields
from .fragments import Fragments
from .join_graph import JoinGraph
from .policies import PolicyReader
from .problems import Problems
from .tree import Node
from .views import ReadView, ViewReader

__all__ = ["assembled"]


def assembled(
    cube_nodes: Mapping[str, Node],
    view_nodes: Mapping[str, Node],
    version: str,
    problems: Problems,
    fragments: Fragments,
) -> DataModel:
    """The model that cubes and views say, with every finding about it in ``problems``."""
    read = {name: read_cube(name, node, problems, fragments) for name, node in cube_nodes.items()}
    cubes = {name: item.cube for name, item in read.items()}
    # Once all are read, since {other.sql()} may name a cube that comes later.
    cubes |= {name: replace(cubes[name], sql=sql) for name, sql in sql_of_cubes(cubes, problems).items()}
    graph = JoinGraph(cubes)
    viewer = ViewReader(cubes, {name: item.hidden for name, item in read.items()}, graph, problems, fragments)
    read_views = {name: viewer.read(name, node) for name, node in view_nodes.items()}
    reader = _Policies(cubes, graph, problems)
    cubes = {name: reader.of_cube(cube, read[name]) for name, cube in cubes.items()}
    views = {name: reader.of_view(item) for name, item in read_views.items()}
    model = DataModel(cubes, views, version)
    # Last: the checks follow references through the finished model.
    ModelChecks(model, fragments.found, problems).run()
    return model


@dataclass(frozen=True)
class _Policies:
    """Policies are read last: they name members of cubes and views, which by then are known."""

    cubes: Mapping[str, Cube]
    graph: JoinGraph
    problems: Problems

    def of_cube(self, cube: Cube, read: ReadCube) -> Cube:
        types = {d.name: d.type for d in cube.dimensions}
        kinds = {
            **{m.name: "measure" for m in cube.measures},
            **{s.name: "segment" for s in cube.segments},
            **{h.name: "hierarchy" for h in cube.hierarchies},
            **dict.fromkeys(types, "dimension"),
        }

        def type_of(name: str) -> str | None:
            return types.get(name) or self._foreign(name, cube.name)

        reader = PolicyReader(cube.name, kinds, type_of, self.problems)
        measures = tuple(
            replace(measure, filter=read_context(node, measure.name, reader, self._known(cube)))
            if (node := read.filter_nodes.get(measure.name)) is not None
            else measure
            for measure in cube.measures
        )
        return replace(cube, measures=measures, access_policy=reader.read(_policy_node(read.fields)))

    def _known(self, cube: Cube) -> Callable[[str], bool]:
        """Whether a name means a dimension or segment of the cube, or of one that it reaches."""

        def known(name: str) -> bool:
            *path, member = name.split(".")
            owner = path[-1] if path else cube.name
            holder = self.cubes.get(owner) if owner in self.graph.reach(cube.name) else None
            return holder is not None and member in {
                *(d.name for d in holder.dimensions),
                *(s.name for s in holder.segments),
            }

        return known

    def of_view(self, read: ReadView) -> View:
        view = read.view
        shown = {m.name: m for m in view.members}
        own = {d.name: d.type for d in view.dimensions}
        kinds = {
            **{m.name: m.kind for m in view.members},
            **{m.name: "measure" for m in view.measures},
            **dict.fromkeys(own, "dimension"),
        }

        def type_of(name: str) -> str | None:
            if name in own:
                return own[name]
            if name in shown and shown[name].kind == "dimension":
                return self._type(shown[name].cube, shown[name].member)
            first = name.split(".")[0]
            inside = {cube for member in view.members for cube in member.join_path}
            return self._foreign(name, first) if first in inside else None

        below = {name for m in view.members for name in self._names(m.cube)}
        reader = PolicyReader(view.name, kinds, type_of, self.problems, below.__contains__)
        defaults = read_default_filters(read.fields, reader)
        return replace(view, default_filters=defaults, access_policy=reader.read(_policy_node(read.fields)))

    def _names(self, cube: str) -> list[str]:
        """The names a view could show for a cube: as they are, and with the cube's name before them."""
        names = [member.name for member in self.cubes[cube].members]
        return [*names, *(f"{cube}_{name}" for name in names)]

    def _foreign(self, name: str, start: str) -> str | None:
        *path, member = name.split(".")
        return self._type(path[-1], member) if path and path[-1] in self.graph.reach(start) else None

    def _type(self, cube: str, member: str) -> str | None:
        dimensions = self.cubes[cube].dimensions if cube in self.cubes else ()
        return next((d.type for d in dimensions if d.name == member), None)


def _policy_node(fields: Fields) -> Node | None:
    """The policies' node; a key without a value is an empty list, which is reported, not an absent key."""
    if "access_policy" not in fields:
        return None
    node = fields["access_policy"]
    return Node([], fields.place("access_policy")) if node.value is None else node
