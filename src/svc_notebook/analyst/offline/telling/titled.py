"""What a chart says of its result beside the marks: the line below its title, and which periods are not whole."""

from __future__ import annotations

from dataclasses import replace

from ...charts import ChartColumn
from ..plans.phrases import join_words
from ..schema.nouns import lowered
from .caveats import partial_rows, time_of
from .figures import label
from .outcome import Outcome

__all__ = ["drawn_columns", "subtitle_of", "without_name"]


def subtitle_of(outcome: Outcome, headline: str) -> str:
    """What a chart shows, where its title says what it finds."""
    parts = [outcome.what] if outcome.what and outcome.what != headline else []
    time = time_of(outcome)
    if time is not None and (cut := partial_rows(outcome)):
        names = dict.fromkeys(label(time, (time.cells or ())[row]) for row in sorted(cut))
        parts.append(f"{' and '.join(names)} not complete")
    if outcome.small and outcome.sizes is not None:
        most = max(outcome.sizes[row] for row in outcome.small)
        parts.append(f"groups of {f'at most {most:,} rows' if most > 1 else 'one row'} not compared")
    if without_name(outcome):
        titles = [group.title for group in outcome.groups if any(cell is None for cell in group.cells or ())]
        parts.append(f"rows without {join_words([lowered(title) for title in titles])} not compared")
    return "; ".join(parts)


def without_name(outcome: Outcome) -> set[int]:
    """Rows of two groups one of which is missing: their averages are not set against the others'."""
    averaged = bool(outcome.measures) and not outcome.measures[0].additive
    return outcome.nameless if averaged and outcome.sizes is not None and len(outcome.groups) > 1 else set()


def drawn_columns(outcome: Outcome) -> tuple[ChartColumn, ...]:
    """The columns for a chart: of time with which periods are not whole, of numbers with which groups are small."""
    time, small = time_of(outcome), tuple(sorted(outcome.small | without_name(outcome)))
    cut = partial_rows(outcome)
    partial = tuple(dict.fromkeys((time.cells or ())[row] for row in sorted(cut))) if time is not None else ()
    return tuple(
        replace(column, small=small) if column.measured and small
        else replace(column, partial=partial) if column is time and partial
        else column
        for column in outcome.columns
    )  # fmt: skip
