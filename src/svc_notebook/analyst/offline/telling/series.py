"""Numbers along time: from where to where, at which period the most and the least; the movers among several series."""

from __future__ import annotations

from collections import defaultdict

from ....records import dataclass
from ...charts import ChartColumn
from ..schema.nouns import lowered
from .caveats import partial_rows, time_of
from .figures import changed, label, number, said
from .outcome import Outcome, Telling
from .ranking import most

__all__ = ["tell_series"]

_MANY = 14


@dataclass(frozen=True)
class _Run:
    """The numbers of one series in the order of time: each with what its period is called."""

    name: str
    values: list[tuple[float, str]]

    @property
    def gap(self) -> float:
        return self.values[-1][0] - self.values[0][0]


def tell_series(outcome: Outcome) -> Telling | None:
    """Sentences about a result along time, or None where it is none (or holds fewer than three periods)."""
    time = time_of(outcome)
    if time is None or not outcome.measures or len(outcome.groups) > 2 or outcome.limit is not None:
        return None
    column = outcome.measures[0]
    parts = [group for group in outcome.groups if group is not time and group.kind == "ordinal" and group.grain]
    time = parts[0] if parts else time  # months of two years side by side: the years are compared
    runs = _runs(outcome, time, column, whole=column.running)  # what has come so far is not cut off
    if not runs or outcome.rows < 3 or max(len(run.values) for run in runs) < 2:
        return None
    return (
        _one(column, runs[0], time)
        if len(outcome.groups) == 1
        else _several(column, runs, _runs(outcome, time, column, whole=True), time)
    )


def _runs(outcome: Outcome, time: ChartColumn, column: ChartColumn, *, whole: bool = False) -> list[_Run]:
    left = (set() if whole else partial_rows(outcome)) | outcome.small
    other = next((group for group in outcome.groups if group is not time), None)
    found: dict[str, list[tuple[object, float, str]]] = defaultdict(list)
    for row, cell in enumerate(time.cells or ()):
        value = number((column.cells or ())[row])
        if cell is None or value is None or row in left or row in outcome.nameless:
            continue
        name = label(other, (other.cells or ())[row]) if other is not None else ""
        found[name].append((cell, value, label(time, cell)))
    return [_Run(name, [(v, at) for _, v, at in sorted(rows, key=_place)]) for name, rows in found.items()]


def _place(row: tuple[object, float, str]) -> tuple[float, str]:
    """Where a period stands among others: parts of time are numbers."""
    place = number(row[0])
    return (place if place is not None else 0.0, str(row[0]))


def _one(column: ChartColumn, run: _Run, time: ChartColumn) -> Telling:
    start, end = run.values[0][1], run.values[-1][1]
    (high, top), (low, bottom) = max(run.values, key=lambda v: v[0]), min(run.values, key=lambda v: v[0])
    title = column.title
    if high == low:
        same = f"{title} stayed at {said(column, high)} from {start} to {end}"
        return Telling(
            same, [f"**{said(column, high)}** in each {time.grain} from {start} to {end}: {lowered(title)}."]
        )
    if column.running and low >= 0 and run.values[-1][0] == high:
        return _summed(column, run, time)
    brief, moved = (_usual if _is_long(run, time) else _moved)(column, run, time)
    most, least = _at(f"**{top}**", time), _at(f"**{bottom}**", time)
    ends = f"Highest {most} ({said(column, high)}), lowest {least} ({said(column, low)})."
    return Telling(brief, [f"{moved}.", *([ends] if len(run.values) > 2 else [])])


def _summed(column: ChartColumn, run: _Run, time: ChartColumn) -> Telling:
    """What numbers have come to, and by when they had come to half of that."""
    (last, end), (first, start) = run.values[-1], run.values[0]
    whole, title = said(column, last), column.title
    brief = f"{title} comes to {whole} {_at(end, time)}"
    told = f"{title} comes to **{whole}** {_at(end, time)}, from {said(column, first)} {_at(start, time)}"
    value, when = next((v, at) for v, at in run.values if v >= last / 2)
    half = f"Half of that was reached {_at(f'**{when}**', time)} ({said(column, value)})."
    return Telling(brief, [f"{told}.", *([half] if len(run.values) > 2 else [])])


def _is_long(run: _Run, time: ChartColumn) -> bool:
    """Whether there are so many days or hours that the first and the last of them say nothing of the rest."""
    return time.grain in ("day", "hour") and len(run.values) > _MANY


def _usual(column: ChartColumn, run: _Run, time: ChartColumn) -> tuple[str, str]:
    """What is usual of many days: in a few words, and in a sentence."""
    # Imported here: few answers tell of so many days.
    from statistics import median

    middle, ends = said(column, median(v for v, _ in run.values)), f"from {run.values[0][1]} to {run.values[-1][1]}"
    article = "a" if time.grain == "day" else "an"
    brief = f"{column.title} {'on' if time.grain == 'day' else 'in'} a typical {time.grain}: {middle}"
    return brief, f"The median of {lowered(column.title)} is **{middle}** {article} {time.grain}, {ends}"


def _moved(column: ChartColumn, run: _Run, time: ChartColumn) -> tuple[str, str]:
    """From the first period to the last: in a few words, and in a sentence."""
    (first, start), (last, end) = run.values[0], run.values[-1]
    before, after = _at(start, time), _at(end, time)
    if last == first:
        same = f"{column.title}: **{said(column, last)}** {before} and again {after}"
        return f"{column.title} as high {after} as {before}", same
    way = f"{column.title} {'rose' if last > first else 'fell'}"
    moved = f"{way} from {said(column, first)} {before} to **{said(column, last)}** {after}"
    return f"{way}{_by(column, last, first)} from {start} to {end}", f"{moved} ({changed(column, last, first)})"


def _at(name: str, time: ChartColumn) -> str:
    return f"{'on' if time.grain == 'day' else 'at' if time.grain == 'hour' else 'in'} {name}"


def _by(column: ChartColumn, last: float, first: float) -> str:
    """By how much, without the sign that the verb says."""
    text = changed(column, last, first).split(", ")[-1]
    return f" by {text.lstrip('+-').strip()}" if not text.startswith(("-$", "-€")) else f" by {text[1:]}"


def _several(column: ChartColumn, runs: list[_Run], every: list[_Run], time: ChartColumn) -> Telling:
    said_all = []
    if column.additive:
        sums = sorted(((sum(v for v, _ in run.values), run.name) for run in every), reverse=True)
        total = sum(value for value, _ in sums)
        of = f", {sums[0][0] / total * 100:.1f} % of {said(column, total)}" if total > 0 else ""
        said_all.append(f"**{sums[0][1]}** has the {most(column)} in all: **{said(column, sums[0][0])}**{of}.")
        brief = f"{sums[0][1]} has the {most(column)} in all: {said(column, sums[0][0])}"
    else:
        (high, at, name) = max((v, at, run.name) for run in runs for v, at in run.values)
        said_all.append(
            f"**{name}** reached the highest {lowered(column.title)}: **{said(column, high)}**, {_at(at, time)}."
        )
        brief = f"{name} reached the highest {lowered(column.title)}, {said(column, high)}, {_at(at, time)}"
    least = 2 if max(len(run.values) for run in runs) == 2 else 3
    moved = [run for run in runs if len(run.values) >= least and run.gap]
    if moved:
        mover = max(moved, key=lambda run: (abs(run.gap), run.name))
        (first, start), (last, end) = mover.values[0], mover.values[-1]
        said_all.append(
            f"{mover.name} changed most: from {said(column, first)} {_at(start, time)} to {said(column, last)} "
            f"{_at(end, time)} ({changed(column, last, first)})."
        )
    return Telling(brief, said_all)
