"""A day and the time of day beside it, in two columns: one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import duckdb

from ..errors import QueryError
from .elements import MadeDimension
from .profile import TableProfile
from .reading import Looker, quoted

__all__ = ["with_clocks"]

# In the languages of headers: English, German, French, Spanish and Italian.
_CLOCK = frozenset("time clock tm hour hhmm zeit uhrzeit heure hora ora".split())
_DAY = frozenset("date day dt datum tag jour fecha dia data giorno on".split())


def with_clocks(
    made: Sequence[MadeDimension], table: str, profile: TableProfile, looker: Looker | None
) -> list[MadeDimension]:
    """The dimensions of a table, its days with the time of day that another column writes (``08:15``).

    Only where a name says that a column is a time, every value of it can be read as one, and the one day beside it
    (``sale_date`` of ``sale_time``, or the only one that there is) never has a time itself.
    """
    if looker is None:
        return list(made)
    found: dict[int, MadeDimension] = {}
    for clock in made:
        at = _day_of(clock, made)
        if at is not None and at not in found and _never_apart(made[at], clock, table, profile, looker):
            found[at] = _together(made[at], clock)
    return [found.get(at, each) for at, each in enumerate(made)]


def _day_of(clock: MadeDimension, made: Sequence[MadeDimension]) -> int | None:
    """Where the day of a time of day stands among the dimensions."""
    if clock.kind != "string" or not _CLOCK & set(clock.words):
        return None
    about = set(clock.words) - _CLOCK
    days = [at for at, each in enumerate(made) if each.kind == "time"]
    if about:
        days = [at for at in days if set(made[at].words) - _DAY == about] or (days if about <= {"of", "day"} else [])
    return days[0] if len(days) == 1 else None


def _never_apart(day: MadeDimension, clock: MadeDimension, table: str, profile: TableProfile, looker: Looker) -> bool:
    known = profile.columns.get(day.column.name)
    name, clock_name = quoted(day.column.name), quoted(clock.column.name)
    moment = known.reading.sql(name) if known is not None and known.reading is not None else name
    try:
        rows = looker.rows(
            f"SELECT count({clock_name}), count({name}), count({_moment(moment, clock_name, 'TRY_CAST')}), "
            f"count(*) FILTER (WHERE CAST({moment} AS TIMESTAMP) <> date_trunc('day', CAST({moment} AS TIMESTAMP))) "
            f"FROM {looker.place(table)}"
        )
    except (QueryError, duckdb.Error):  # an engine that cannot add the two
        return False
    times, days, moments, timed = (int(cell) for cell in rows[0])
    # Every row has both or neither, every time is one, and no day says a time of its own.
    return bool(days) and times == days == moments and not timed


def _moment(day: str, clock: str, cast: str) -> str:
    return f"CAST({day} AS DATE) + {cast}({clock} AS TIME)"


def _together(day: MadeDimension, clock: MadeDimension) -> MadeDimension:
    date, time = (sql if "{" in (sql := each.yaml["sql"]) else f"{{CUBE}}.{sql}" for each in (day, clock))
    yaml = {**day.yaml, "sql": _moment(date, time, "CAST")}
    yaml.setdefault("description", f"With the time of day of {clock.yaml['name']}")
    return replace(day, yaml=yaml)
