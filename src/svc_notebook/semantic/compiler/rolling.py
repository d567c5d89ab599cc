"""Rolling windows: a gap-free series of periods, each with the rows that fall into its window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import InvalidQuery
from ..intervals import STANDARD_GRANULARITIES, UNBOUNDED, parse_interval
from ..model import Granularity, RollingWindow
from .timegrain import interval_sql, truncated

__all__ = ["Rolling", "rolling_part"]

_STEPS = {
    "second": "INTERVAL (1) SECOND", "minute": "INTERVAL (1) MINUTE", "hour": "INTERVAL (1) HOUR",
    "day": "INTERVAL (1) DAY", "week": "INTERVAL (7) DAY", "month": "INTERVAL (1) MONTH",
    "quarter": "INTERVAL (3) MONTH", "year": "INTERVAL (1) YEAR",
}  # fmt: skip
_SUB_DAY = ("second", "minute", "hour")


@dataclass(frozen=True, slots=True)
class Rolling:
    """A window over the group key ``key``, which is the time column ``column`` at ``granularity``."""

    window: RollingWindow
    key: int
    column: tuple[str, str]
    granularity: str
    custom: tuple[Granularity, ...] = ()

    @property
    def step(self) -> str:
        if self.granularity.lower() in _STEPS:
            return _STEPS[self.granularity.lower()]
        found = next(g for g in self.custom if g.name.lower() == self.granularity.lower())
        return interval_sql(parse_interval(found.interval))

    def start_of(self, moment: str) -> str:
        return truncated(self.granularity, f"CAST({moment} AS TIMESTAMP)", self.custom)


def rolling_part(
    rolling: Rolling,
    rows: str,
    keys: int,
    kind: str,
    values: Sequence[tuple[str, str]],
    lows: Sequence[str],
    highs: Sequence[str],
) -> str:
    """The part as a statement.

    Parameters
    ----------
    rows
        A statement giving the other keys, the moment ``t``, and the aggregates' arguments.
    lows, highs
        Bounds the query sets on the time itself: they bound the periods shown, not the rows a window reaches back to.
    """
    others = [f"k{i}" for i in range(keys) if i != rolling.key]
    conditions = _conditions(rolling)
    join = "JOIN" if others else "LEFT JOIN"
    shown = []
    for i in range(keys):
        name = f"k{i}"
        shown.append(
            f"CAST(s.s AS {'DATE' if kind == 'date' else 'TIMESTAMP'}) AS {name}"
            if i == rolling.key
            else f"d.{name} AS {name}"
        )
    shown += [f"CASE WHEN COUNT(d.t) > 0 THEN {value} END AS {name}" for name, value in values]
    by = ", ".join(["s.s", *(f"d.{k}" for k in others)])
    on = " AND ".join(conditions) or "TRUE"
    return (
        f"WITH w AS ({rows}), s AS ({_series(rolling, lows, highs)}) "
        f"SELECT {', '.join(shown)} FROM s {join} w AS d ON {on} GROUP BY {by}"
    )


def _series(rolling: Rolling, lows: Sequence[str], highs: Sequence[str]) -> str:
    """The periods shown. Days and longer without a gap; shorter ones as they occur, since there may be millions."""
    if rolling.granularity.lower() in _SUB_DAY:
        bounds = [f"t >= {low}" for low in lows] + [f"t < {high}" for high in highs] + ["t IS NOT NULL"]
        return f"SELECT DISTINCT {rolling.start_of('t')} AS s FROM w WHERE {' AND '.join(bounds)}"
    low = (
        rolling.start_of(f"GREATEST({', '.join(lows)})" if len(lows) > 1 else lows[0])
        if lows
        else rolling.start_of("MIN(t)")
    )
    last = f"LEAST({', '.join(highs)})" if len(highs) > 1 else highs[0] if highs else ""
    high = rolling.start_of(f"{last} - INTERVAL (1) MICROSECOND") if highs else rolling.start_of("MAX(t)")
    found = f"SELECT {low} AS low, {high} AS high FROM w" + ("" if not (lows and highs) else " LIMIT 1")
    if lows and highs:
        found = f"SELECT {low} AS low, {high} AS high"
    return f"SELECT UNNEST(generate_series(b.low, b.high, {rolling.step})) AS s FROM ({found}) AS b"


def _conditions(rolling: Rolling) -> list[str]:
    window, end = rolling.window, f"s.s + {rolling.step}"
    if window.type == "to_date":
        if (window.granularity or "").lower() not in STANDARD_GRANULARITIES:
            raise InvalidQuery("A to_date window needs a granularity such as year.")
        return [f"d.t >= {truncated(window.granularity or '', 's.s')}", f"d.t < {end}"]
    anchor = "s.s" if window.offset == "start" else end
    conditions = []
    if window.trailing != UNBOUNDED:
        start = f"{anchor} - {interval_sql(parse_interval(window.trailing))}" if window.trailing else anchor
        conditions.append(f"d.t >= {start}")
    if window.leading != UNBOUNDED:
        finish = f"{anchor} + {interval_sql(parse_interval(window.leading))}" if window.leading else anchor
        conditions.append(f"d.t < {finish}")
    return conditions
