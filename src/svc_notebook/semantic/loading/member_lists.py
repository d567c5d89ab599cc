"""Where members name others in lists: levels, grains, time shifts, drill members; and the steps of windows."""

from __future__ import annotations

from collections.abc import Mapping

from ...records import dataclass
from ..intervals import GRANULARITIES
from ..model import Cube, Dimension, Measure
from ..references import ModelScope
from .problems import Problems, did_you_mean

__all__ = ["check_member_lists"]


def check_member_lists(cube: Cube, scope: ModelScope, problems: Problems) -> None:
    """Report the names in the lists of ``cube``'s members that mean nothing there."""
    _MemberLists(cube, scope, problems).check()


@dataclass(frozen=True)
class _MemberLists:
    """The lists of one cube's members."""

    cube: Cube
    scope: ModelScope
    problems: Problems

    def check(self) -> None:
        dimensions = {d.name: d for d in self.cube.dimensions}
        for hierarchy in self.cube.hierarchies:
            for level in hierarchy.levels:
                if level not in dimensions and not self._elsewhere(level):
                    self.problems.error(
                        f"level '{level}' of hierarchy '{hierarchy.name}' is no "
                        f"dimension{did_you_mean(level, dimensions)}",
                        self.cube.source,
                        at=level,
                    )
        for dimension in self.cube.dimensions:
            self._grain("dimension", dimension, dimensions)
        for measure in self.cube.measures:
            self._of_measure(measure, dimensions)

    def _grain(self, kind: str, of: Measure | Dimension, dimensions: Mapping[str, Dimension]) -> None:
        for name in (*(of.group_by or ()), *(of.reduce_by or ()), *(of.add_group_by or ())):
            if name not in dimensions and not self._elsewhere(name) and not self._at_granularity(name):
                self.problems.error(
                    f"{kind} '{of.name}': '{name}' is no dimension{did_you_mean(name, dimensions)}", of.source, at=name
                )

    def _of_measure(self, measure: Measure, dimensions: Mapping[str, Dimension]) -> None:
        self._grain("measure", measure, dimensions)
        for shift in measure.time_shift:
            shifted = shift.time_dimension
            if shifted is not None and not self._is_time(shifted):
                times = [d.name for d in self.cube.dimensions if d.type == "time"]
                self.problems.error(
                    f"measure '{measure.name}': '{shifted}' is no time dimension{did_you_mean(shifted, times)}",
                    measure.source,
                    at=shifted,
                )
        window = measure.rolling_window
        if window is not None and window.granularity is not None:
            known = (*GRANULARITIES, *(g.name for d in self.cube.dimensions for g in d.granularities))
            if window.granularity not in known:
                self.problems.error(
                    f"measure '{measure.name}': '{window.granularity}' is no "
                    f"granularity{did_you_mean(window.granularity, known)}",
                    measure.source,
                    at=window.granularity,
                )
        for name in measure.drill_members:
            if name.split(".")[-1] not in self.scope.members(self.cube.name) and not self._elsewhere(name):
                self.problems.warning(
                    f"measure '{measure.name}': the drill member '{name}' is "
                    f"unknown{did_you_mean(name, self.scope.members(self.cube.name))}",
                    measure.source,
                    at=name,
                )

    def _at_granularity(self, name: str) -> bool:
        """``created_at.month`` or ``orders.created_at.month``."""
        *path, granularity = name.split(".")
        *cubes, member = path or [""]
        return granularity in (self.scope.members(cubes[-1] if cubes else self.cube.name).get(member) or ())

    def _elsewhere(self, name: str) -> bool:
        *cubes, member = name.split(".")
        return bool(cubes) and member in self.scope.members(cubes[-1])

    def _is_time(self, name: str) -> bool:
        *cubes, member = name.split(".")
        return self.scope.members(cubes[-1] if cubes else self.cube.name).get(member) is not None
