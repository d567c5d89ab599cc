"""Join paths as views write them: ``orders.customers`` walked from cube to cube."""

from __future__ import annotations

from collections.abc import Mapping

from ...records import dataclass
from ..model import Cube, Source
from .join_graph import JoinGraph
from .problems import Problems, did_you_mean

__all__ = ["JoinPaths"]


@dataclass(frozen=True)
class JoinPaths:
    """The paths that lead over the joins of ``cubes``."""

    cubes: Mapping[str, Cube]
    graph: JoinGraph
    problems: Problems

    def read(self, names: list[str], source: Source) -> tuple[str, ...] | None:
        """The cubes of a path, with those that were left out put in where only one way leads through them.

        None if it leads nowhere, which is reported at ``source``.
        """
        names = [name.strip() for name in names]
        for name in names:
            if name not in self.cubes:
                self.problems.error(
                    f"'{name}' in the join path is no cube{did_you_mean(name, self.cubes)}", source, at=name
                )
                return None
        path: tuple[str, ...] = (names[0],)
        for name in names[1:]:
            here = path[-1]
            ways = [(here, name)] if name in self.graph.neighbours(here) else self.graph.shortest(here, name)
            if not ways:
                self.problems.error(
                    f"'{here}' declares no join to '{name}'{self._other_way(here, name)}", source, at=name
                )
                return None
            if len(ways) > 1:
                found = " or ".join(".".join(way) for way in ways[:4])
                self.problems.error(
                    f"from '{here}' to '{name}' lead several ways; write one out: {found}", source, at=name
                )
                return None
            path += ways[0][1:]
        return path

    def _other_way(self, start: str, end: str) -> str:
        if start in self.graph.neighbours(end):
            return f"; '{end}' joins '{start}': begin the path with '{end}', or declare the join in '{start}' too"
        known = self.graph.neighbours(start)
        return f" (it joins {', '.join(known)})" if known else " (it declares no joins)"
