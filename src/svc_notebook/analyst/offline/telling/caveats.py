"""What to mind about a result: groups of few rows, missing groups and values, periods cut off or without rows."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Literal

from ...charts import ChartColumn
from ..calendar.units import floor, shift
from ..plans.phrases import join_words
from ..schema.nouns import lowered
from .figures import label, numbers, said
from .outcome import Outcome

__all__ = ["caveats", "cut_periods", "holes", "partial_rows", "time_of"]

_GRAINS = ("year", "quarter", "month", "week", "day", "hour")
_WAYS = {
    "begins": "the data begin", "ends_on": "the data end", "asked_from": "what was asked for begins",
    "asked_to": "what was asked for ends",
}  # fmt: skip
Way = Literal["begins", "ends_on", "asked_from", "asked_to"]
_NAMED = 3
_MOST = 20_000
_HALF_DAY = 12  # hours: places that open late and close early have whole days


def caveats(outcome: Outcome) -> list[str]:
    """Sentences about what to mind, most important first."""
    if outcome.shape != "aggregate" or not outcome.measures:
        return []
    if not outcome.groups:
        return [text] if (text := _known(outcome)) else []
    return [
        text
        for text in (
            *_cut(outcome),
            _shared(outcome),
            _holes(outcome),
            _small(outcome),
            _nameless(outcome),
            _valueless(outcome),
            _known(outcome),
        )
        if text
    ]


def time_of(outcome: Outcome) -> ChartColumn | None:
    """The group that is a moment at a grain."""
    return next((group for group in outcome.groups if group.kind == "time" and group.grain in _GRAINS), None)


def partial_rows(outcome: Outcome) -> set[int]:
    """Rows of the first or last period, where the data do not cover it whole."""
    time = time_of(outcome)
    if time is None or not time.cells:
        return set()
    ends = {moment for moment, *_ in cut_periods(outcome, time)}
    return {row for row, cell in enumerate(time.cells) if cell is not None and _moment(cell) in ends}


def cut_periods(outcome: Outcome, time: ChartColumn) -> list[tuple[datetime, Way, datetime]]:
    """Periods that are cut off, each with what begins or ends within it (the data, or what was asked for), and when."""
    low, high = outcome.span
    grain = time.grain or "day"
    if grain == "hour" or grain == "day" and not _clocked(low, high):
        return []
    known = [_moment(cell) for cell in time.cells or () if cell is not None]
    found: list[tuple[datetime, Way, datetime]] = []
    if low is not None and known and (first := min(known)) <= low and low - first > _slack(first, grain):
        found.append((first, "begins", low))
    if high is not None and known and (last := max(known)) <= high:
        end = shift(last, grain, 1)
        if end - high > _slack(last, grain):
            found.append((last, "ends_on", high))
    return [*found, *_cut_by_asking(outcome, known, grain, {moment for moment, *_ in found})]


def _cut_by_asking(
    outcome: Outcome, known: list[datetime], grain: str, told: set[datetime]
) -> list[tuple[datetime, Way, datetime]]:
    """The week that a year ends in has few days of the year."""
    (start, end), found = outcome.asked, list[tuple[datetime, Way, datetime]]()
    if not known or grain == "day":
        return found
    first, last = min(known), max(known)
    if start is not None and first < start and start - first > _slack(first, grain) and first not in told:
        found.append((first, "asked_from", start))
    if end is not None and last < end and shift(last, grain, 1) - end > _slack(last, grain) and last not in told:
        found.append((last, "asked_to", end - timedelta(days=1)))
    return found


def _slack(start: datetime, grain: str) -> timedelta:
    """What may be missing of a period that is whole: half a day of one, a day for dates without a time, or a twentieth
    of it.
    """
    if grain == "day":
        return timedelta(hours=_HALF_DAY)
    return max(timedelta(days=1), (shift(start, grain, 1) - start) / 20)


def _clocked(*ends: datetime | None) -> bool:
    """Whether the ends of the data have a time of day: a date says nothing of how far its day is told."""
    return any(end is not None and (end.hour or end.minute or end.second) for end in ends)


def _cut(outcome: Outcome) -> list[str]:
    time = time_of(outcome)
    if time is None:
        return []
    of_day = time.grain == "day"
    return [
        f"{_upper(label(time, start))} is not complete: {_WAYS[way]} "
        f"{f'at {day:%H:%M}' if of_day else f'on {_day(day)}'}."
        for start, way, day in cut_periods(outcome, time)
    ]


def holes(outcome: Outcome) -> list[datetime]:
    """Periods between the first and the last that no row is about."""
    time = time_of(outcome)
    if time is None or outcome.chosen or outcome.limit is not None:  # what is not among the first few is not missing
        return []
    known = {_moment(cell) for cell in time.cells or () if cell is not None}
    # Periods that begin elsewhere, as fiscal ones do, do not follow each other by these steps.
    if len(known) < 2 or any(floor(moment, time.grain or "day") != moment for moment in known):
        return []
    moment, last, found = min(known), max(known), []
    for _ in range(_MOST):
        moment = shift(moment, time.grain or "day", 1)
        if moment >= last:
            break
        if moment not in known:
            found.append(moment)
    return found


def _holes(outcome: Outcome) -> str:
    found, time = holes(outcome), time_of(outcome)
    if not found or time is None:
        return ""
    if len(found) > _NAMED:
        return f"{len(found):,} {time.grain}s between have no rows, the first {label(time, found[0])}."
    return f"There are no rows for {join_words([label(time, moment) for moment in found])}."


def _shared(outcome: Outcome) -> str:
    return f"{outcome.shared}: those called alike are taken together." if outcome.shared else ""


def _small(outcome: Outcome) -> str:
    if not outcome.small or outcome.sizes is None:
        return ""
    rows = sorted(outcome.small, key=lambda row: outcome.sizes[row] if outcome.sizes else 0)
    if len(rows) > _NAMED:
        most = max(outcome.sizes[row] for row in rows)
        return f"{len(rows):,} groups of at most {most:,} rows are left out of this comparison."
    names = [f"{outcome.labels[row]} ({outcome.sizes[row]:,} row{'s' * (outcome.sizes[row] != 1)})" for row in rows]
    return f"Left out of this comparison, for too few rows: {join_words(names)}."


def _nameless(outcome: Outcome) -> str:
    if not outcome.nameless or len(outcome.groups) != 1:
        return ""
    group, column = outcome.groups[0], outcome.measures[0]
    row = min(outcome.nameless)
    value = (column.cells or ())[row]
    return f"Without {lowered(group.title)}: {said(column, value)}."


def _valueless(outcome: Outcome) -> str:
    column = outcome.measures[0]
    missing = sum(value is None for value in numbers(column))
    if not missing or missing == outcome.rows:
        return ""
    return f"{missing:,} of {outcome.rows:,} {outcome.noun} {'has' if missing == 1 else 'have'} no value."


def _known(outcome: Outcome) -> str:
    """Of how many rows an average is made, where many have no value."""
    if outcome.known is None:
        return ""
    values, rows = outcome.known
    return f"Only {values:,} of {rows:,} rows have a value; the others are left out."


def _moment(cell: date) -> datetime:
    if isinstance(cell, datetime):
        return cell.replace(tzinfo=None)
    return datetime(cell.year, cell.month, cell.day)


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
