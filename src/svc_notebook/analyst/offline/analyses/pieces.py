"""The statements of a recipe: what is computed for which rows of a plan, by what, as SQL over the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....records import dataclass
from ...charts import ChartColumn, ChartRequest, choose_chart
from ..plans.clauses import Clauses
from ..plans.plan import Measure, Plan
from ..schema.literals import quote
from ..schema.metadata import Metadata
from ..schema.relations import REACHED

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Found", "Pieces", "Shown", "cells", "drawn_from", "drivers", "drivers_beyond", "own_words", "statistic"]


@dataclass(frozen=True)
class Shown:
    """A result that a recipe shows: its title, its query, what its columns are, and its chart."""

    title: str
    sql: str
    columns: tuple[ChartColumn, ...]
    spec: dict[str, Any] | None = None


@dataclass(frozen=True)
class Found:
    """What a recipe found: results, sentences, and questions that lead on."""

    shown: tuple[Shown, ...]
    sentences: tuple[str, ...]
    offers: tuple[str, ...] = ()


class Pieces(Clauses):
    """The rows of a plan, to be asked about in more than one way."""

    def select(
        self,
        columns: Sequence[tuple[str, str]],
        *,
        rules: Sequence[str] = (),
        groups: int = 0,
        order: str = "",
        limit: int | None = None,
    ) -> str:
        """``SELECT`` of expressions with their names; the first ``groups`` of them are grouped by."""
        shown = ", ".join(f"{text} AS {quote(name)}" for text, name in columns)
        where = self.where()
        if rules:
            where += (" AND " if where else " WHERE ") + " AND ".join(rules)
        grouped = f" GROUP BY {', '.join(str(i + 1) for i in range(groups))}" if groups else ""
        ordered = f" ORDER BY {order}" if order else ""
        cut = f" LIMIT {limit}" if limit is not None else ""
        return f"SELECT {shown} FROM {self.source()}{where}{grouped}{ordered}{cut}"

    @property
    def number(self) -> Measure:
        return self.plan.measures[0]

    def value(self) -> str:
        return self.measure(self.number)

    def base(self) -> str | None:
        """The column a mean is made of, or ``1`` where it is a share of rows; None where that is not known."""
        plain = self.meta.plain(self.number)
        if plain.aggregate == "share_true":
            return "1"
        return self.column(plain.member) if plain.aggregate == "avg" and plain.member else None

    def counts_rows(self) -> bool:
        """Whether the number is how many rows there are."""
        known = self.meta.members.get(self.number.member or "")
        named = self.number.aggregate == "measure" and known is not None and known.agg_type == "count"
        return not self.number.conditions and (self.number.aggregate == "count" or named)

    def adds_up(self) -> bool:
        """Whether the numbers of groups make the whole's."""
        known = self.meta.members.get(self.number.member or "")
        if self.number.aggregate == "measure":
            return known is not None and known.agg_type in ("count", "sum")
        # Counts of different things are no sum: one may be in several groups.
        return self.number.aggregate in ("count", "sum", "count_values")


def drawn_from(columns: Sequence[ChartColumn], table: pa.Table, **wishes: Any) -> dict[str, Any] | None:
    """The chart of a recipe's result."""
    filled = tuple(c.filled(table.column(c.name).to_pylist()) for c in columns)
    return choose_chart(ChartRequest(filled, **wishes))


def statistic(column: ChartColumn, name: str, title: str) -> ChartColumn:
    """A mean, a quartile or another number that is counted in what a column is counted in."""
    return ChartColumn(
        name, "number", title, measured=True, format=column.format, currency=column.currency, unit=column.unit
    )


def cells(table: pa.Table, place: int) -> list[Any]:
    """A column of a result as Python values; exact numbers become plain ones."""
    # Only decimals have `as_tuple`: these recipes can live with a float's rounding.
    return [float(v) if hasattr(v, "as_tuple") else v for v in table.column(place).to_pylist()]


def own_words(plan: Plan, metadata: Metadata) -> frozenset[str]:
    """The words of what is measured: a dimension that bears one (a band of delays) explains nothing of it."""
    # The column beneath a measure as well: a band of it is made of the same.
    paths = [p for m in plan.measures for p in (m.member, metadata.plain(m).member) if p and p in metadata.members]
    rules = [c.member for m in plan.measures for c in m.conditions]
    words = {word for path in (*paths, *rules) for word in metadata.parts(path)}
    return frozenset(words - {"count", "total", "avg", "average", "sum", "share", "rate", "number", "date", "time"})


def drivers(
    plan: Plan, metadata: Metadata, used: Sequence[str], own: frozenset[str] = frozenset(), most: int = 6
) -> list[str]:
    """Dimensions that a difference can be explained by: few values, all known, none used, none made of the number."""
    return _explaining(plan.scope[0], metadata, used, own)[:most]


def drivers_beyond(
    plan: Plan, metadata: Metadata, used: Sequence[str], own: frozenset[str] = frozenset()
) -> dict[str, tuple[str, ...]]:
    """:func:`drivers` of what each row names one of (the town of a visit's practice), with the scope they are asked
    over.
    """
    # Of what the rows have their time from, too.
    found = {path: plan.scope for name in plan.scope[1:] for path in _explaining(name, metadata, used, own)}
    for name in metadata.catalog.relations:
        wide = metadata.scope((*plan.scope, name), plan.scope[:1]) if name not in plan.scope else None
        if wide is None or wide[0] != plan.scope[0] or len(wide) != len(plan.scope) + 1 or metadata.is_bridged(wide):
            # One table more, and none beyond it: each join is paid in every query of the recipe.
            continue
        found |= dict.fromkeys(_explaining(name, metadata, used, own), wide)
    return found


def _explaining(relation: str, metadata: Metadata, used: Sequence[str], own: frozenset[str]) -> list[str]:
    found: list[tuple[int, int, str]] = []
    for place, member in enumerate(metadata.relation(relation).members.values()):
        path = member.path
        values = metadata.values.members.get(path) if path in metadata.members else None
        if values is None or path in used or path not in metadata.values.complete or not 1 < len(values) <= 40:
            # Only where all values are known: "other" would take part in the explanation.
            continue
        parts = set(metadata.parts(path))
        if metadata.is_key(path) and member.type != "string" or own & parts or REACHED & parts:
            continue
        # Of equal standing those of few values come first, then in the order of the model.
        found.append((len(values) > 20, place, path))
    return [path for _, _, path in sorted(found)]
