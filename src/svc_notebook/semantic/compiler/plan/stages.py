"""Values at another grain than the query's: computed by a plan of their own, joined on the keys they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ....records import dataclass
from ...dialects.nodes import NOTHING, clause, from_, rows, run, select, sql, word
from ...errors import InvalidQuery
from ...model import Measure
from ..values import Bound
from .leaves import Leaf
from .measures import is_calculated
from .source import ModelSource

__all__ = ["OVER_STAGE", "Stage", "refuse_loose", "with_stage"]

OVER_STAGE = {
    "sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "count": "COUNT", "count_distinct": "COUNT(DISTINCT ",
    "count_distinct_approx": "COUNT(DISTINCT ",
}  # fmt: skip


class Grouped(Protocol):
    """Measures over one grouping; see :class:`.plan.MeasurePlan`."""

    @property
    def alias(self) -> str: ...
    @property
    def leaves(self) -> Sequence[Leaf]: ...
    def sql(self) -> str: ...


@dataclass
class Stage:
    """A value at another grain: a plan of its own, joined on the keys they share."""

    name: str
    plan: Grouped
    value: str
    shared: list[tuple[int, int]]  # key here, key there
    aggregated: bool  # whether ``value`` takes the rows of a finer grain together

    @property
    def counts(self) -> bool:
        """Whether the value is a count, which is 0 where nothing is left to count."""
        bare = self.value.strip("()")
        known = [leaf for leaf in self.plan.leaves if bare == f"{self.plan.alias}.{leaf.name}"]
        return self.value.startswith("COUNT(") or (bool(known) and known[0].over_nothing == "0")


def refuse_loose(source: ModelSource, measure: Measure, extra: list[Bound]) -> None:
    """Refuse a measure that does not say how the values of a finer grain make one."""
    fragment = source.tree.index.fragment(measure.sql) if measure.sql else None
    if extra and is_calculated(measure) and not (fragment is not None and fragment.aggregates):
        raise InvalidQuery(
            f"'{measure.name}' is of type {measure.type} and does not say how its values for each "
            f"{', '.join(measure.add_group_by or ())} are taken together; give it a type such as sum or avg."
        )


def with_stage(text: str, stage: Stage) -> str:
    """``text`` with the value of a stage as a further column."""
    there = stage.plan.alias
    keys = [word(f"{there}.k{j} AS k{j}") for _, j in stage.shared]
    grouped = stage.aggregated and bool(stage.shared)
    by = clause(f" GROUP BY {', '.join(f'{there}.k{j}' for _, j in stage.shared)}") if grouped else NOTHING
    inner = select([*keys, sql("{} AS v", stage.value)], run(from_(rows("{}", stage.plan.sql())), by))
    on = " AND ".join(f"b.k{i} IS NOT DISTINCT FROM c.k{j}" for i, j in stage.shared) or "TRUE"
    shown = "COALESCE(c.v, 0)" if stage.counts else "c.v"
    columns = [word("b.*"), word(f"{shown} AS {stage.name}")]
    return select(columns, from_(rows(f"({{}}) AS b LEFT JOIN ({{}}) AS c ON {on}", text, inner)))
