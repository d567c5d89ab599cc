"""Time series without gaps: every period between the first and the last, for every group, measured or not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from ...dialects import duckdb as say
from ...dialects.nodes import NOTHING, from_, query, rows, select, sql, word
from ...errors import InvalidQuery
from ...model import Dimension, Granularity
from ..authored.timegrain import calendar_granularity, truncated
from .leaves import Filter, Grouping
from .periods import length, starts
from .source import ModelSource

__all__ = ["Gapfill", "filled", "gapfills"]

_MOST_PERIODS = 100_000  # a longer series is not filled: nobody reads it, and it is built in memory


class Gapfill(Struct, frozen=True):
    """The group key ``key``, a time at ``granularity``; ``lows`` and ``highs`` are the query's bounds on that time."""

    key: int
    kind: str
    granularity: str
    custom: tuple[Granularity, ...]
    lows: tuple[str, ...]
    highs: tuple[str, ...]


def gapfills(source: ModelSource, grouping: Grouping, filters: Sequence[Filter]) -> Iterator[Gapfill]:
    """The group keys whose periods are wanted without gaps."""
    for i, key in enumerate(grouping.keys):
        if key.sql not in source.compilation.to_fill:
            continue
        entry, granularity = source.entry_and_grain(key)
        if entry is None or granularity is None or not isinstance(entry.member, Dimension):
            continue
        # The NULL of a subtotal would become a period of its own.
        if grouping.structure is not None:
            raise InvalidQuery("date_trunc_gapfill cannot be combined with ROLLUP, CUBE or GROUPING SETS.")
        if calendar_granularity(granularity, entry.member.granularities) is not None:
            raise InvalidQuery(
                f"date_trunc_gapfill steps by intervals, and '{entry.name}' reads '{granularity}' from a calendar."
            )
        # The bounds are on the raw time, while the key is its truncation.
        use = next(iter(source.column(entry).uses))
        bounds = [f for f in filters if f.of == use]
        source.compilation.filled.add(key.sql)
        yield Gapfill(
            i, key.kind, granularity, entry.member.granularities,
            tuple(f.low for f in bounds if f.low), tuple(f.high for f in bounds if f.high),
        )  # fmt: skip


def filled(fill: Gapfill, text: str, keys: int, values: Sequence[str], zeros: Collection[str]) -> str:
    """``text`` with a row for each period and each combination of the other keys.

    Parameters
    ----------
    values
        The columns of ``text`` that are no keys.
    zeros
        Those of them that are 0 over no rows; the others are NULL.
    """
    own, others = f"k{fill.key}", [f"k{i}" for i in range(keys) if i != fill.key]
    custom = fill.custom
    series = starts(fill.granularity, word("e.low"), word("e.high"), custom)
    # The greatest of several lower bounds is the one that holds.
    low = (
        truncated(fill.granularity, say.extreme(fill.lows, greatest=True), custom)
        if fill.lows
        else word(f"MIN(f.{own})")
    )
    last = say.a_moment_before(say.extreme(fill.highs, greatest=False)) if fill.highs else None
    high = truncated(fill.granularity, last, custom) if last is not None else word(f"MAX(f.{own})")
    # As a length in time, so that the series is refused before it is built.
    most = length(fill.granularity, custom) * _MOST_PERIODS
    ends = [sql("{} AS low", say.cast(low, say.TIMESTAMP)), sql("{} AS high", say.cast(high, say.TIMESTAMP))]
    bounds = select(ends, NOTHING if fill.lows and fill.highs else from_(rows("filled AS f")))
    start = say.cast(say.as_rows(series), say.moment_type(fill.kind))
    seconds = say.date_diff("second", word("e.low"), word("e.high"))
    series = query(f"SELECT {{}} AS s FROM ({{}}) AS e WHERE {{}} <= {int(most * 86_400)}", start, bounds, seconds)
    # Only combinations that occur: all products of all keys would show groups nobody has.
    groups = f"(SELECT DISTINCT {', '.join(others)} FROM filled)" if others else "(SELECT 1 AS one)"
    on = " AND ".join([f"f.{own} = w.s", *(f"f.{k} IS NOT DISTINCT FROM w.{k}" for k in others)])
    wanted = query(f"SELECT * FROM ({{}}) AS s CROSS JOIN {groups} AS g", series)
    shown = [f"COALESCE(w.s, f.{own}) AS {own}" if f"k{i}" == own else _either(f"k{i}") for i in range(keys)]
    shown += [f"COALESCE(f.{v}, 0) AS {v}" if v in zeros else f"f.{v} AS {v}" for v in values]
    # FULL: rows whose time is NULL, or beyond the bounds of the series, stay.
    joined = rows(f"({{}}) AS w FULL JOIN filled AS f ON {on}", wanted)
    found = select([word(each) for each in shown], from_(joined))
    # It is read up to three times: for the ends, for the groups and for the values.
    return query(f"WITH filled AS {say.COMPUTED_ONCE} ({{}}) {{}}", text, found)


def _either(key: str) -> str:
    return f"CASE WHEN w.s IS NULL THEN f.{key} ELSE w.{key} END AS {key}"
