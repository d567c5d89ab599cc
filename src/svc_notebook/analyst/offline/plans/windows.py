"""Calculations over grouped rows: shares, ranks, growth, running numbers, and limits per group."""

from __future__ import annotations

from ..schema.literals import quote
from ..schema.metadata import Metadata
from .clauses import Clauses
from .plan import Calculation, Order, Plan
from .statement import OutputColumn

__all__ = ["Windows"]


class Windows(Clauses):
    """A grouped statement wrapped into one that calculates over its rows; keeps the columns of the result."""

    def __init__(self, plan: Plan, metadata: Metadata, *, picked: bool | None = None) -> None:
        super().__init__(plan, metadata, picked=picked)
        self.aliases: set[str] = set()
        self.columns: list[OutputColumn] = []

    def alias(self, wanted: str) -> str:
        name, number = wanted, 2
        # DuckDB takes names that differ in case alone for one: the first of two would be shown twice.
        while name.lower() in self.aliases:
            name, number = f"{wanted}_{number}", number + 1
        self.aliases.add(name.lower())
        return name

    def wrapped(self, inner: str) -> str:
        """Calculations and limits per group over the grouped rows."""
        plan = self.plan
        names: dict[tuple[str, int], str] = {(c.role, c.place): c.name for c in self.columns}
        shown = [c for c in self.columns if not (c.role == "measure" and c.place in plan.hidden)]
        extra = []
        for i, calculation in enumerate(plan.calculations):
            name = self.alias(f"{names[('measure', calculation.measure)]}_{calculation.kind}")
            extra.append(f"{self.calculation(calculation, names)} AS {quote(name)}")
            shown.append(OutputColumn(name, "calculation", i, None))
        order = plan.order[0] if plan.order else Order("measure", 0, True)
        if plan.limit_per is not None:
            key = names[("measure" if order.by == "measure" else "dimension", order.place)]
            group = names[("dimension", plan.limit_per)]
            ranked = quote(key) + (" DESC NULLS LAST" if order.descending else "")
            others = [name for (role, _), name in names.items() if role == "dimension" and name not in (key, group)]
            several = plan.limit is not None and plan.limit > 1  # of two that are level one alone is not the first
            number, ranked = ("ROW_NUMBER", ", ".join([ranked, *map(quote, others)])) if several else ("RANK", ranked)
            extra.append(f'{number}() OVER (PARTITION BY {quote(group)} ORDER BY {ranked}) AS "__rank"')
        self.columns = shown
        fields = ", ".join(quote(c.name) for c in shown)
        body = f"SELECT *, {', '.join(extra)} FROM q" if extra else "SELECT * FROM q"
        sql = f"WITH q AS ({inner}), r AS ({body}) SELECT {fields} FROM r"
        if plan.limit_per is not None:
            sql += f' WHERE "__rank" <= {plan.limit or 1}'
        ordering = []
        if plan.limit_per is not None:
            ordering.append(quote(names[("dimension", plan.limit_per)]))
        for one in plan.order:
            column = names.get((one.by, one.place))
            if column is not None:
                ordering.append(quote(column) + (" DESC NULLS LAST" if one.descending else ""))
        ordering.extend(
            quote(names[("dimension", i)])
            for i in range(len(plan.dimensions))
            if quote(names[("dimension", i)]) not in ordering
        )
        sql += " ORDER BY " + ", ".join(ordering) if ordering else ""
        # A limit of each group was taken by rank, and is none of all rows.
        return sql + (f" LIMIT {plan.limit}" if plan.limit and plan.limit_per is None else "")

    def calculation(self, calculation: Calculation, names: dict[tuple[str, int], str]) -> str:
        value = quote(names[("measure", calculation.measure)])
        times = [
            i
            for i, d in enumerate(self.plan.dimensions)
            if d.grain or self.meta.is_time(d.member) or self.meta.is_year(d.member)
        ]
        line = times[0] if times else 0
        others = [quote(names[("dimension", i)]) for i in range(len(self.plan.dimensions)) if i != line]
        by = f"PARTITION BY {', '.join(others)} " if others and times else ""
        over = f"({by}ORDER BY {quote(names[('dimension', line)])}"
        if calculation.kind == "share":
            first = f"PARTITION BY {quote(names[('dimension', 0)])}" if calculation.within is not None else ""
            # Times 1.0: PostgreSQL divides whole numbers into whole numbers.
            return f"{value} * 1.0 / NULLIF(SUM({value}) OVER ({first}), 0)"
        if calculation.kind == "running_total":
            return f"SUM({value}) OVER {over})"
        if calculation.kind == "moving_average":
            return f"AVG({value}) OVER {over} ROWS BETWEEN {calculation.window - 1} PRECEDING AND CURRENT ROW)"
        if calculation.kind == "rank":
            return f"RANK() OVER (ORDER BY {value} DESC NULLS LAST)"
        steps = _steps_per_year(self.plan.dimensions[line].grain) if calculation.kind == "year_ago_growth" else 1
        before = f"LAG({value}, {steps}) OVER {over})"
        if calculation.kind == "difference":
            return f"{value} - {before}"
        return f"({value} - {before}) * 1.0 / NULLIF({before}, 0)"


def _steps_per_year(grain: str | None) -> int:
    return {"month": 12, "quarter": 4, "week": 52, "day": 365, "year": 1}.get(grain or "year", 1)
