"""The statement that a rollup's table is built with, and what of the rollup it can hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...dialects import duckdb as say
from ...errors import QueryError
from ...model import Dimension, Measure, Rollup
from ...references import UnresolvedReference, find_references, resolve
from ..authored.context_filters import filters_by_context
from ..authored.index import ModelIndex
from ..authored.timegrain import truncated
from ..join_tree.steps import Expr
from ..join_tree.tree import Tree
from ..plan.measures import argument
from ..rollup_tables import HeldMeasure, HeldTime
from ..values import quote

__all__ = ["RollupStatement", "rollup_statement"]

_KINDS = frozenset({"string", "number", "boolean", "date"})
_TOGETHER = {"sum": "SUM({0})", "min": "MIN({0})", "max": "MAX({0})"}
# The sum of no counts is NULL, a count of nothing 0; SUM of BIGINT is HUGEINT.
_COUNTED = str(say.cast("COALESCE(SUM({0}), 0)", say.WHOLE))  # forms
# An average of averages would weigh small groups like large ones, so sum and count are held.
_AVERAGE = f"({say.cast('SUM({0})', say.DOUBLE)} / NULLIF(SUM({{1}}), 0))"


class RollupStatement(Struct, frozen=True):
    """``sql`` gives one row for each group; ``left_out`` says what of the rollup is not in it, and why."""

    sql: str
    dimensions: Mapping[str, str]
    times: Mapping[str, HeldTime]
    measures: Mapping[str, HeldMeasure]
    left_out: tuple[str, ...]


class _LeftOut(Exception):
    """Why a member is not held, in words."""


def rollup_statement(index: ModelIndex, cube: str, rollup: Rollup) -> RollupStatement | None:
    """What can be held of a rollup, whoever asks; None if that is nothing, since the cube's rows go by the asker."""
    # A calendar is joined and never aggregated.
    if filters_by_context(index.table(cube)[0]) or index.cube(cube).calendar:
        return None
    return _Statement(index, cube).made(rollup)


class _Statement:
    def __init__(self, index: ModelIndex, cube: str) -> None:
        self.index = index
        self.cube = cube
        self.tree = Tree(index, cube)
        self.keys: list[str] = []
        self.values: list[str] = []
        self.left_out: list[str] = []

    def made(self, rollup: Rollup) -> RollupStatement:
        dimensions: dict[str, str] = {}
        times: dict[str, HeldTime] = {}
        measures: dict[str, HeldMeasure] = {}
        for name in rollup.dimensions:
            with self._told(name):
                dimensions[name] = self._dimension(name)
        for name, granularity in rollup.times:
            with self._told(name):
                # A date by day is the date itself, which serves as a dimension too.
                if self.index.kind(self.cube, name) == "date" and granularity == "day":
                    dimensions.setdefault(name, self._dimension(name))
                else:
                    times[name] = self._time(name, granularity)
        for name in rollup.measures:
            with self._told(name):
                for measure in self._parts(name, ()):
                    if measure.name not in measures:
                        measures[measure.name] = self._measure(measure)
        columns = ", ".join([*self.keys, *self.values]) or "1 AS one"
        by = ", ".join(str(i + 1) for i in range(len(self.keys)))
        sql = f"SELECT {columns} FROM {self.tree.joins([self.tree.root])}" + (f" GROUP BY {by}" if by else "")
        return RollupStatement(sql, dimensions, times, measures, tuple(self.left_out))

    def _told(self, name: str) -> _Telling:
        return _Telling(self, name)

    def _own(self, expr: Expr) -> Expr:
        """What reads no other rows than the cube's: those might be hidden from somebody."""
        tables = self.tree.tables | self.tree.selected
        if expr.paths != {self.tree.root} or not tables <= self.index.table(self.cube)[1]:
            raise _LeftOut("it reads rows of another cube")
        return expr

    def _dimension(self, name: str) -> str:
        member = self.index.member(self.cube, name)
        assert isinstance(member, Dimension)
        kind = self.index.kind(self.cube, name)
        expr = self._own(self.tree.dimension(self.tree.root, member))
        if (self.cube, name) in self.index.lists or kind not in _KINDS:
            said = "give it a granularity, under time_dimension" if member.type == "time" else "it has no plain values"
            raise _LeftOut(said)
        self.keys.append(f"{expr.sql} AS {quote(name)}")
        return name

    def _time(self, name: str, granularity: str) -> HeldTime:
        member = self.index.member(self.cube, name)
        assert isinstance(member, Dimension)
        kind = self.index.kind(self.cube, name)
        expr = self._own(self.tree.dimension(self.tree.root, member))
        if kind not in ("timestamp", "timestamptz", "date"):
            raise _LeftOut("it has no moments or dates")
        # Periods are held in UTC; queries in other zones go to the rows.
        moment = say.in_zone("'UTC'", expr.sql) if kind == "timestamptz" else expr.sql
        start = say.cast(truncated(granularity, moment), say.moment_type("date" if kind == "date" else "timestamp"))
        # A space, which no member's name has.
        column = f"{name} {granularity}"
        self.keys.append(f"{start} AS {quote(column)}")
        return HeldTime(column, granularity)

    def _parts(self, name: str, trail: tuple[str, ...]) -> Iterator[Measure]:
        """The measures that aggregate rows, which a measure is made of."""
        measure = self.index.member(self.cube, name)
        assert isinstance(measure, Measure)
        if measure.type in ("sum", "count", "min", "max", "avg") and not measure.multi_stage:
            yield measure
            return
        fragment = self.index.fragment(measure.sql) if measure.sql else None
        if fragment is None or fragment.aggregates or measure.type.startswith("count_distinct") or name in trail:
            raise _LeftOut(f"what several groups have of it cannot be taken together (it is of type {measure.type})")
        for reference in find_references(measure.sql or ""):
            try:
                found = resolve(self.index.scope, self.cube, reference)
            except UnresolvedReference:
                continue
            inner = found.member and found.cube == self.cube and self.index.member(self.cube, found.member)
            if isinstance(inner, Measure):
                yield from self._parts(inner.name, (*trail, name))

    def _measure(self, measure: Measure) -> HeldMeasure:
        if measure.rolling_window is not None or measure.case is not None:
            raise _LeftOut("it runs over other rows than those of its group")
        expr = argument(self.tree, self.tree.root, measure)
        if expr is not None:
            self._own(expr)
        if measure.type == "count":
            self.values.append(f"COUNT({expr.sql if expr is not None else '*'}) AS {quote(measure.name)}")
            return HeldMeasure(_COUNTED, (measure.name,), counts=True)
        if expr is None:
            raise _LeftOut("it has no SQL to aggregate")
        if measure.type == "avg":
            columns = (f"{measure.name} sum", f"{measure.name} count")
            self.values += [f"SUM({expr.sql}) AS {quote(columns[0])}", f"COUNT({expr.sql}) AS {quote(columns[1])}"]
            return HeldMeasure(_AVERAGE, columns)
        if measure.type != "sum" and self.index.exact_kind(self.cube, measure.sql or "") not in {*_KINDS, "timestamp"}:
            raise _LeftOut("its values are of no plain kind")
        self.values.append(f"{measure.type.upper()}({expr.sql}) AS {quote(measure.name)}")
        return HeldMeasure(_TOGETHER[measure.type], (measure.name,))


class _Telling:
    """What keeps a member out is told, and does not keep out the others."""

    def __init__(self, statement: _Statement, name: str) -> None:
        self.statement = statement
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if error is None or not isinstance(error, (_LeftOut, QueryError)):
            return False
        self.statement.left_out.append(f"'{self.name}' is not in it: {error}")
        return True
