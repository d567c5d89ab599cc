"""Table heads: a title in words for every column of an answer, and the format of what the analyst computes."""

from __future__ import annotations

from msgspec.structs import replace

from ...protocol.tools import Column, SqlResult
from .metadata import Metadata
from .picture import column_title
from .plan import Plan
from .statement import OutputColumn, Statement

__all__ = ["titled"]

_SHARES = ("share", "growth", "year_ago_growth")
_PERIODS = ("year", "quarter", "month")  # moments that are shown as what they begin
_NAMED = {"weekday": "weekday", "month_of_year": "month"}  # numbers that are shown by name


def titled(result: SqlResult, plan: Plan, statement: Statement, metadata: Metadata) -> SqlResult:
    """A result whose columns are titled by what the plan says they are."""
    outputs = {column.name: column for column in statement.columns}
    columns = [
        _head(column, outputs[column.name], plan, metadata) if column.name in outputs else column
        for column in result.schema
    ]
    return replace(result, schema=columns)


def _head(column: Column, output: OutputColumn, plan: Plan, metadata: Metadata) -> Column:
    title = column_title(plan, output, metadata)
    if output.role == "dimension":
        dimension = plan.dimensions[output.place]
        if dimension.bin:
            title = f"{title} (from, steps of {dimension.bin:g})"
        elif dimension.grain in _NAMED:
            return replace(column, title=title, format=_NAMED[dimension.grain])
        elif dimension.grain in _PERIODS and metadata.is_time(dimension.member):
            return replace(column, title=title, format=dimension.grain)
    share = output.role == "calculation" and plan.calculations[output.place].kind in _SHARES
    measure = plan.measures[output.place] if output.role == "measure" else None
    share = share or measure is not None and measure.aggregate == "share_true" and not measure.percent
    return replace(column, title=title, format=column.format or ("percent" if share else None))
