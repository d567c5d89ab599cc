"""Rolling windows: a gap-free series of periods, each with the rows that fall into its window.

Grouped by several granularities of one time, the finest makes the series and the others are read off its periods. Not
grouped by time at all, the span that the query's bounds set is the one period.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...dialects import duckdb as say
from ...dialects.nodes import NOTHING, clause, distinct, from_, joined_by, query, rows, run, select, sql, where, word
from ...errors import InvalidQuery
from ...intervals import UNBOUNDED, parse_interval
from ...model import Granularity, RollingWindow
from ..authored.timegrain import truncated
from .periods import after, starts

__all__ = ["Rolling", "rolling_part"]

_SUB_DAY = ("second", "minute", "hour")


class Rolling(Struct, frozen=True):
    """A window over the group key ``key``, which is the time column ``column`` at ``granularity``.

    ``key`` is None where the bounds of the query are the one period; ``coarser`` are other keys of the same column.
    """

    window: RollingWindow
    key: int | None
    column: tuple[str, str]
    granularity: str = ""
    custom: tuple[Granularity, ...] = ()
    coarser: tuple[tuple[int, str], ...] = ()

    @property
    def own(self) -> frozenset[int]:
        """The keys that the window's period gives."""
        return frozenset(i for i, _ in self.coarser) | ({self.key} if self.key is not None else frozenset())

    def end_of(self, start: str) -> str:
        return after(self.granularity, start, self.custom)

    def start_of(self, moment: str) -> str:
        return truncated(self.granularity, say.cast(moment, say.TIMESTAMP), self.custom)


def rolling_part(
    rolling: Rolling,
    moments: str,
    kinds: Sequence[str],
    values: Sequence[tuple[str, str]],
    lows: Sequence[str],
    highs: Sequence[str],
) -> str:
    """The part as a statement.

    Parameters
    ----------
    moments
        A statement giving the other keys, the moment ``t``, and the aggregates' arguments.
    kinds
        What the values of each key are.
    lows, highs
        Bounds the query sets on the time itself: they bound the periods shown, not the rows a window reaches back to.
    """
    others = [f"k{i}" for i in range(len(kinds)) if i not in rolling.own]
    if rolling.key is None:
        return _one_period(rolling, moments, others, values, lows, highs)
    start = word("s.s")
    period = {rolling.key: start} | {i: truncated(grain, start, rolling.custom) for i, grain in rolling.coarser}
    cast = {i: say.cast(sql, say.moment_type(kinds[i])) for i, sql in period.items()}
    shown: list[str] = [sql(f"{{}} AS k{i}", cast.get(i) or word(f"d.k{i}")) for i in range(len(kinds))]
    shown += [_where_any(value, name) for name, value in values]
    by = ", ".join(["s.s", *(f"d.{k}" for k in others)])
    on = joined_by(" AND ", _conditions(rolling, start, rolling.end_of(start)))
    # With other keys a period without rows has no group to stand in; without them it has the one.
    joined = rows(f"s {'JOIN' if others else 'LEFT JOIN'} w AS d ON {{}}", on)
    found = select(shown, run(from_(joined), clause(f" GROUP BY {by}")))
    return query("WITH w AS ({}), s AS ({}) {}", moments, _series(rolling, lows, highs), found)


def _where_any(value: str, name: str) -> str:
    """A value over the rows of a window; over none it is NULL, counts too."""
    # COUNT(d.t): the LEFT JOIN makes a row of NULLs for an empty window, which COUNT(*) would count.
    return sql(f"CASE WHEN COUNT(d.t) > 0 THEN {{}} END AS {name}", value)


def _one_period(
    rolling: Rolling,
    moments: str,
    others: Sequence[str],
    values: Sequence[tuple[str, str]],
    lows: Sequence[str],
    highs: Sequence[str],
) -> str:
    high = say.extreme(highs, greatest=False)
    low = say.extreme(lows, greatest=True)
    window = rolling.window
    if window.type != "to_date" and window.offset == "start" and not low:
        raise InvalidQuery("A window that is counted from the start of its period needs a lower bound on the time.")
    if not high and window.offset == "end" and (window.trailing != UNBOUNDED or window.leading is not None):
        raise InvalidQuery("A window that is counted from the end of its period needs an upper bound on the time.")
    # The bound is exclusive: up to 1 March means the period that ends in February.
    start = sql("({})", say.a_moment_before(high)) if window.type == "to_date" else low
    tests = _conditions(rolling, start, high)
    shown: list[str] = [word(f"d.{k} AS {k}") for k in others]
    shown += [_where_any(value, name) for name, value in values]
    by = clause(f" GROUP BY {', '.join(f'd.{k}' for k in others)}") if others else NOTHING
    return select(shown, run(from_(rows("({}) AS d", moments)), where(tests), by))


def _series(rolling: Rolling, lows: Sequence[str], highs: Sequence[str]) -> str:
    """The periods shown. Days and longer without a gap; shorter ones as they occur, since there may be millions."""
    if rolling.granularity.lower() in _SUB_DAY:
        bounds = [
            # The bounds are on the periods shown; the rows of w reach back before them.
            *(sql("t >= {}", low) for low in lows),
            *(sql("t < {}", high) for high in highs),
            word("t IS NOT NULL"),
        ]
        period = sql("{} AS s", rolling.start_of(word("t")))
        return select([period], run(from_(rows("w")), where(bounds)), distinct("DISTINCT "))
    low = rolling.start_of(say.extreme(lows, greatest=True)) if lows else rolling.start_of(word("MIN(t)"))
    last = say.extreme(highs, greatest=False)
    high = rolling.start_of(say.a_moment_before(last)) if highs else rolling.start_of(word("MAX(t)"))
    ends = [sql("{} AS low", low), sql("{} AS high", high)]
    found = select(ends, NOTHING if lows and highs else from_(rows("w")))
    series = starts(rolling.granularity, word("b.low"), word("b.high"), rolling.custom)
    return query("SELECT {} AS s FROM ({}) AS b", say.as_rows(series), found)


def _conditions(rolling: Rolling, start: str, end: str) -> list[str]:
    """Which moments the window of a period holds that runs from ``start`` up to ``end``."""
    window = rolling.window
    if window.type == "to_date":
        try:
            beginning = truncated(window.granularity or "", start, rolling.custom)
        except LookupError:
            raise InvalidQuery(
                f"A to_date window runs by '{window.granularity}', which is no granularity of the time it is asked for."
            ) from None
        return [sql("d.t >= {}", beginning), sql("d.t < {}", end)]
    anchor = start if window.offset == "start" else end
    if not anchor:
        # A row without a time is in no window, as with any bound.
        return [word("d.t IS NOT NULL")]  # up to the end of time
    conditions: list[str] = []
    if window.trailing != UNBOUNDED:
        length = say.interval(parse_interval(window.trailing)) if window.trailing else None
        conditions.append(sql("d.t >= {} - {}", anchor, length) if length else sql("d.t >= {}", anchor))
    if window.leading != UNBOUNDED:
        length = say.interval(parse_interval(window.leading)) if window.leading else None
        conditions.append(sql("d.t < {} + {}", anchor, length) if length else sql("d.t < {}", anchor))
    return conditions or [word("d.t IS NOT NULL")]
