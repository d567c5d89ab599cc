"""What a chart says of its result beside the marks: the line below its title, and which periods are not whole."""

from __future__ import annotations

from dataclasses import replace

from ...charts import ChartColumn
from .caveats import partial_rows, time_of
from .figures import label
from .outcome import Outcome

__all__ = ["drawn_columns", "subtitle_of"]


def subtitle_of(outcome: Outcome, headline: str) -> str:
    """What a chart shows, where its title says what it finds."""
    parts = [outcome.what] if outcome.what and outcome.what != headline else []
    time = time_of(outcome)
    if time is not None and (cut := partial_rows(outcome)):
        names = dict.fromkeys(label(time, (time.cells or ())[row]) for row in sorted(cut))
        parts.append(f"{' and '.join(names)} not complete")
    if outcome.small and outcome.sizes is not None:
        parts.append(f"groups of at most {max(outcome.sizes[row] for row in outcome.small):,} rows not compared")
    return "; ".join(parts)


def drawn_columns(outcome: Outcome) -> tuple[ChartColumn, ...]:
    """The columns for a chart: of time with which periods are not whole, of numbers with which groups are small."""
    time, small = time_of(outcome), tuple(sorted(outcome.small))
    cut = partial_rows(outcome)
    partial = tuple(dict.fromkeys((time.cells or ())[row] for row in sorted(cut))) if time is not None else ()
    return tuple(
        replace(column, small=small) if column.measured and small
        else replace(column, partial=partial) if column is time and partial
        else column
        for column in outcome.columns
    )  # fmt: skip
