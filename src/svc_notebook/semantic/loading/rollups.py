"""A cube's ``pre_aggregations``: those of type rollup, over members of the cube itself."""

from __future__ import annotations

from collections.abc import Collection

from ..intervals import PERIODS
from ..model import Dimension, Measure, Rollup, Source
from . import schemas
from .fields import Fields, snake_case
from .names import member_name
from .problems import Problems, did_you_mean
from .tree import Node

__all__ = ["RollupReader"]

_GRANULARITIES = (*PERIODS, "week")
_OTHERS = {
    "original_sql": "every query reads the cube's own SQL",
    "rollup_join": "write a rollup in each of the cubes; their join is made when a query needs it",
    "rollup_lambda": "a rollup is built anew with the data it is of, and needs no union with newer rows",
    "auto_rollup": "write a rollup",
}


class RollupReader:
    """Reads the rollups of one cube, whose members are known."""

    def __init__(
        self, cube: str, dimensions: Collection[Dimension], measures: Collection[Measure], problems: Problems
    ) -> None:
        self.cube = cube
        self.problems = problems
        self.measures = {measure.name for measure in measures}
        self.times = {dimension.name for dimension in dimensions if dimension.type == "time"}
        self.dimensions = {dimension.name for dimension in dimensions}

    def rollup(self, name: str, node: Node) -> Rollup | None:
        """A rollup; None for what is none, which is told."""
        written = node.entries.get("type")
        word = snake_case(written.raw.strip()) if written is not None else "rollup"
        if word in _OTHERS and written is not None:
            what, why = f"a pre-aggregation of type {word}", f"is without effect: {_OTHERS[word]}"
            self.problems.without_effect(what, why, written.source)
            return None
        fields = Fields(node, schemas.ROLLUP, self.problems, name=name)
        fields.choice("type", ("rollup",))
        measures = self._names(fields, "measures", self.measures)
        dimensions = self._names(fields, "dimensions", self.dimensions)
        times = [*self._time(fields), *(t for item in fields.sequence("time_dimensions") for t in self._listed(item))]
        return Rollup(name, measures, dimensions, tuple(dict(times).items()), fields.source)

    def _names(self, fields: Fields, key: str, known: Collection[str]) -> tuple[str, ...]:
        found = [self._known(fields, text, known, place) for text, place in fields.texts(key)]
        return tuple(dict.fromkeys(name for name in found if name is not None))

    def _known(self, fields: Fields, text: str, known: Collection[str], place: Source) -> str | None:
        name = member_name(text, self.cube)
        if name in known:
            return name
        if "." in name:
            self.problems.warning(
                f"'{text}' of {fields.called} is of another cube, and left out: a rollup holds members of its own, "
                "and leads to others by the dimensions that its joins compare",
                place,
            )
        else:
            what = "measure" if known is self.measures else "time dimension" if known is self.times else "dimension"
            self.problems.error(
                f"'{text}' of {fields.called} is no {what} of '{self.cube}'{did_you_mean(name, known)}", place
            )
        return None

    def _listed(self, node: Node) -> list[tuple[str, str]]:
        """An entry of ``time_dimensions``, with its granularity."""
        return self._time(Fields(node, schemas.ROLLUP_TIME, self.problems), "dimension")

    def _time(self, fields: Fields, key: str = "time_dimension") -> list[tuple[str, str]]:
        text, granularity = fields.text(key), fields.text("granularity")
        if text is None and granularity is None:
            return []
        if text is None or granularity is None:
            given, missing = (key, "granularity") if granularity is None else ("granularity", key)
            self.problems.error(f"{fields.called} has '{given}' without '{missing}'", fields.where(given))
            return []
        name = self._known(fields, text, self.times, fields.where(key))
        word = granularity.strip().lower()
        if word not in _GRANULARITIES:
            self.problems.error(
                f"'{granularity}' is no granularity of a rollup{did_you_mean(word, _GRANULARITIES)}; there are "
                f"{', '.join(_GRANULARITIES)}",
                fields.where("granularity"),
            )
            return []
        return [(name, word)] if name is not None else []
