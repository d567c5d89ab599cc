"""Views: what they include of cubes, measures and dimensions of their own, folders."""

from __future__ import annotations

from collections.abc import Mapping

from ...records import dataclass
from ..model import Cube, Dimension, Measure, View, ViewMember
from . import schemas
from .fields import Fields
from .folders import read_folders
from .fragments import Fragments
from .includes import IncludeReader
from .join_graph import JoinGraph
from .join_paths import JoinPaths
from .members import MemberReader
from .names import named_entries
from .problems import Problems
from .tree import Node

__all__ = ["ReadView", "ViewReader"]


@dataclass(frozen=True)
class ReadView:
    """A view without its policies, and the fields it was read from."""

    view: View
    fields: Fields


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
        self._problems = problems
        self._fragments = fragments
        self._paths = JoinPaths(cubes, graph, problems)
        self._includes = IncludeReader(cubes, hidden, self._paths, problems)

    def read(self, name: str, node: Node) -> ReadView:
        problems = self._problems
        fields = Fields(node, schemas.VIEW, problems, name=name)
        reader = MemberReader(name, problems, self._fragments)
        reader.name_of(fields)
        entries = fields.sequence("cubes")
        found = self._includes.read(name, entries, fields)
        measures = self._own(fields, "measures", "measure", reader, found)
        dimensions = self._own(fields, "dimensions", "dimension", reader, found)
        if not found and not measures and not dimensions and not entries and "includes" not in fields:
            problems.error(f"view '{name}' shows nothing; write cubes: with join_path and includes", fields.source)
        shown = [*found, *(m.name for m in measures), *(d.name for d in dimensions)]
        view = View(
            name=name,
            members=tuple(found.values()),
            measures=tuple(m for m in measures if isinstance(m, Measure)),
            dimensions=tuple(d for d in dimensions if isinstance(d, Dimension)),
            public=fields.flag("public", True),
            title=fields.text("title"),
            description=fields.text("description"),
            folders=read_folders(fields, name, found, shown, self._paths),
            meta=fields.meta(),
            source=fields.source,
        )
        return ReadView(view, fields)

    def _own(
        self, fields: Fields, key: str, kind: str, reader: MemberReader, found: Mapping[str, ViewMember]
    ) -> list[Measure | Dimension]:
        own: list[Measure | Dimension] = []
        for name, item in named_entries(fields.get(key), kind, fields.called, self._problems):
            if name in found:
                self._problems.error(
                    f"'{name}' is already a member of view '{fields.text('name')}'; give one of them another name",
                    item.source,
                )
            own.append(reader.measure(name, item) if kind == "measure" else reader.dimension(name, item))
        return own
