"""Whether a number rises or falls over time: the slope over whole periods, how clear it is, what comes back."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from datetime import datetime
from datetime import time as time_of_day
from typing import TYPE_CHECKING, Any

from ...charts import ChartColumn, fitted, titled_below
from ..plans.picture import chart_columns, draw
from ..plans.plan import Dimension, Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, verb
from ..telling.answer import tell
from ..telling.caveats import caveats, partial_rows
from ..telling.figures import figure, label, number, points, said
from ..telling.outcome import Outcome
from ..telling.phrased import say
from ..telling.planned import flagged, qualified
from ..telling.titled import drawn_columns, subtitle_of
from ..walk.times import default_time
from .numbers import Line, autocorrelation, fit_line
from .pieces import Found, Shown
from .subject import on_its_time

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["GRAINS", "SECONDS", "odd_periods", "trend"]

GRAINS = ("day", "week", "month", "quarter", "year")
_SEASONS = {"day": (7, "week"), "month": (12, "year"), "quarter": (4, "year"), "hour": (24, "day")}
# A line through three points nearly always fits.
_LEAST = 4
SECONDS = {
    # A month and a year are those of the Gregorian calendar on average (31,556,952 s = 365.2425 days).
    "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2629746.0, "quarter": 7889238.0, "year": 31556952.0,
}  # fmt: skip
"""How long a unit of time is on average."""
# So that a line has some dozens of points: hours for two days, days for three months.
_DAYS = ((2.0, "hour"), (90, "day"), (400, "week"), (366 * 8, "month"))
_ALIKE = 0.4
# The limit that Iglewicz and Hoaglin recommend for the modified z-score.
_FAR = 3.5


def trend(plan: Plan, metadata: Metadata) -> Generator[list[str], list[pa.Table], Found | None]:
    """The direction of a plan's first number over time: one query."""
    plan = on_its_time(plan, metadata)
    time = default_time(metadata, plan.scope)
    grained = next((d for d in plan.dimensions if d.grain in GRAINS or d.grain == "hour"), None)
    # The unit that was asked for; a trend over anything else is one over the rows' own time.
    if grained is not None:
        time = grained.member
    if time is None or plan.parts or plan.nested is not None:
        return None
    profile = metadata.profile(time)
    low, high = _moment(profile.low), _moment(profile.high)
    grain = grained.grain if grained is not None else _grain(low, high)
    series = plan.with_(
        dimensions=(Dimension(time, grain),), measures=plan.measures[:1], order=(), limit=None, calculations=(),
        having=(), hidden=(),
    )  # fmt: skip
    statement = write_sql(series, metadata)
    (table,) = yield [statement.sql]
    found = [c.filled(table.column(c.name).to_pylist()) for c in chart_columns(series, statement, metadata)]
    columns = tuple(qualified(found, flagged(series, metadata), metadata))
    column = next(c for c in columns if c.measured)
    outcome = Outcome(columns, f"{column.title} by {grain}", span=(low, high))
    told, brief, line = _told(outcome, column, grain or "day")
    # Of what is told of any series only its ends: the line says the rest.
    told += [text for text in tell(outcome).sentences if text.startswith("Highest ")][:1]
    told += caveats(outcome)
    drawn = drawn_columns(outcome)
    spec = draw(series, drawn, brief, f"{outcome.what}.", subtitle_of(outcome, brief))
    # A line within chance is not drawn: it would be seen as the finding.
    if spec is not None and line is not None and line.clear:
        at = next(c for c in drawn if not c.measured)
        spec = fitted(spec, at, column, line.start, line.slope / SECONDS[grain or "day"])
        spec = titled_below(spec, f"dashed: the straight line through {line.count:,} whole {grain or 'day'}s")
    title = lowered(column.title)
    return Found(
        (Shown(outcome.what, statement.sql, columns, spec),),
        tuple(told),
        (f"{column.title} by weekday", f"Outliers in {title} per day"),
    )


def _grain(low: datetime | None, high: datetime | None) -> str:
    days = (high - low).total_seconds() / 86400 if low is not None and high is not None else 365
    return next((grain for most, grain in _DAYS if days <= most), "year")


def _moment(value: object) -> datetime | None:
    return value.replace(tzinfo=None) if isinstance(value, datetime) else None


def _told(outcome: Outcome, column: ChartColumn, grain: str) -> tuple[list[str], str, Line | None]:
    left = partial_rows(outcome)
    time = next(c for c in outcome.columns if not c.measured)
    rows = [
        (cell, value) for row, cell in enumerate(time.cells or ())
        if row not in left and cell is not None and (value := number((column.cells or ())[row])) is not None
    ]  # fmt: skip
    values = [value for _, value in sorted(rows, key=lambda r: r[0])]
    title = lowered(column.title)
    line = fit_line(values, _places([cell for cell, _ in sorted(rows, key=lambda r: r[0])], grain))
    if line is None or len(values) < _LEAST:
        few = {"n": str(len(values)), "gr": f"{grain}s", "t": title}
        text = say("{n} whole {gr} are too few to speak of a trend of {t}.", **few)
        return [text], f"{column.title}: too few {grain}s for a trend", None
    times = sorted(cell for cell, _ in rows)
    ends = {"t": column.title, "p1": label(time, times[0]), "p2": label(time, times[-1])}
    step = _step(column, line, sum(values) / len(values))
    explained = figure(max(0.0, line.explained), "percent")
    if line.clear:
        way = verb(column.title, *(("rises", "rise") if line.slope > 0 else ("falls", "fall")))
        moved = {**ends, "w": step, "gr1": grain, "gr2": f"{grain}s", "n": f"{line.count:,}", "v": explained}
        one = way in ("rises", "falls")
        told: list[str] = [
            say(
                "{t} **[rises|rise] by {w} a {gr1}** on average from {p1} to {p2}; the line through {n} {gr2} explains "
                "{v} of the ups and downs.",
                not one, **moved,
            ) if line.slope > 0 else say(
                "{t} **[falls|fall] by {w} a {gr1}** on average from {p1} to {p2}; the line through {n} {gr2} explains "
                "{v} of the ups and downs.",
                not one, **moved,
            )
        ]  # fmt: skip
        brief = f"{column.title} {way} by {step} a {grain}"
    else:
        flat = {**ends, "t": title, "w": step, "gr": grain}
        told = [
            say(
                "**No clear trend** in {t} from {p1} to {p2}: the line through them changes by {w} a {gr}, which is "
                "within chance.",
                **flat,
            )
        ]
        brief = f"{column.title}: no clear trend"
    lag, season = _SEASONS.get(grain, (0, ""))
    # Two cycles may look alike by chance; in three there is something that comes back.
    if lag and len(values) >= 3 * lag and (alike := autocorrelation(values, lag)) >= _ALIKE:
        again = {"gr1": season, "gr2": season, "n": f"{alike:.2f}"}
        told.append(say("Much of it comes back every {gr1} (correlation with the {gr2} before: {n}).", **again))
    return told, brief, line


def _places(cells: Sequence[Any], grain: str) -> list[float]:
    """Where periods begin, counted in periods from the first: a line is straight over what is missing, and over months
    of unequal length.
    """
    moments = [_moment(cell) or datetime.combine(cell, time_of_day()) for cell in cells]
    return [(moment - moments[0]).total_seconds() / SECONDS[grain] for moment in moments]


def _step(column: ChartColumn, line: Line, mean: float) -> str:
    size = abs(line.slope)
    if points(column):
        return f"{figure(size * (1 if column.unit == '%' else 100))} percentage points"
    share = f" ({figure(size / mean, 'percent')} of the mean)" if mean > 0 else ""
    return f"{said(column, size)}{share}"


def odd_periods(plan: Plan, metadata: Metadata) -> Generator[list[str], list[pa.Table], Found | None]:
    """Periods whose number is unlike that of others of their kind (Sundays, Julys): one query."""
    series = plan.with_(measures=plan.measures[:1], order=(), limit=None, calculations=(), having=(), hidden=())
    # Only the number and when: a limit or an order would leave periods out of what is usual.
    statement = write_sql(series, metadata)
    (table,) = yield [statement.sql]
    columns = tuple(c.filled(table.column(c.name).to_pylist()) for c in chart_columns(series, statement, metadata))
    time, column = columns
    if time.kind != "time":
        return None
    known = [
        (cell, value) for cell, cell_value in zip(time.cells or (), column.cells or (), strict=True)
        if cell is not None and (value := number(cell_value)) is not None
    ]  # fmt: skip
    grain, title = time.grain or "day", lowered(column.title)
    found = far_periods(known, grain)
    what = f"{column.title} by {grain}"
    outstanding = f"{len(found):,} {grain}s stand" if len(found) != 1 else f"1 {grain} stands"
    headline = f"{outstanding} out" if found else f"No {grain} stands out"
    spec = draw(series, columns, headline, f"{what}.", what)
    shown = (Shown(what, statement.sql, columns, spec),)
    if not found:
        none = {"gr": grain, "n": f"{len(known):,}"}
        return Found(shown, (say("**No {gr} stands out**: none of {n} is far from others of its kind.", **none),))
    counts = {"n1": f"{len(found):,}", "n2": f"{len(known):,}", "gr": f"{grain}s"}
    told: list[str] = [
        say("**{n1} of {n2} {gr}** stands out from others of its kind.", **counts) if len(found) == 1
        else say("**{n1} of {n2} {gr}** stand out from others of their kind.", **counts)
    ]  # fmt: skip
    for moment, value, usual in found[:3]:
        odd = {"p": _upper(label(time, moment)), "v1": said(column, value), "v2": said(column, usual)}
        told.append(say("{p}: **{v1}**, where {v2} is usual.", **odd))
    told.append(
        say(_USUAL[grain], t=title, n=f"{_FAR:g}", **({"gr": f"{grain}s"} if grain in ("month", "week") else {}))
    )
    return Found(shown, tuple(told), (f"{column.title} by weekday",))


_USUAL = {
    "day": "Usual is the median of {t} for the same weekday; what stands out lies more than {n} robust deviations "
    "from it.",
    "hour": "Usual is the median of {t} for the same hour; what stands out lies more than {n} robust deviations "
    "from it.",
    **dict.fromkeys(
        ("week", "month"),
        "Usual is the median of {t} for all {gr}; what stands out lies more than {n} robust deviations from it.",
    ),
}


def far_periods(known: list[tuple[Any, float]], grain: str) -> list[tuple[Any, float, float]]:
    """Moments whose value lies more than 3.5 robust deviations from the median of its kind, the farthest first."""
    kinds: dict[int, list[float]] = {}
    for moment, value in known:
        kinds.setdefault(_kind(moment, grain), []).append(value)
    # Imported here: an analysis alone needs it.
    from statistics import median

    usual = {kind: median(values) for kind, values in kinds.items()}
    gaps = [(moment, value, usual[_kind(moment, grain)]) for moment, value in known]
    # Over all kinds at once: of one weekday there are too few to tell how far they scatter.
    spread = median(abs(value - middle) for _, value, middle in gaps) if gaps else 0.0
    # 0.6745 makes the median of the gaps a standard deviation where values are normal.
    far = [gap for gap in gaps if spread and 0.6745 * abs(gap[1] - gap[2]) / spread > _FAR]
    return sorted(far, key=lambda gap: -abs(gap[1] - gap[2]))


def _kind(moment: Any, grain: str) -> int:
    return int(moment.weekday()) if grain == "day" else int(moment.hour) if grain == "hour" else 0


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
