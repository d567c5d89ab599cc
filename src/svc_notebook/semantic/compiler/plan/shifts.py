"""Measures moved in time: which time columns a shift moves, by what, and calendars joined by another date."""

from __future__ import annotations

from collections.abc import Iterable

from ...dialects import duckdb as say
from ...dialects.nodes import sql
from ...errors import InvalidQuery
from ...intervals import parse_interval
from ...model import Dimension, TimeShift
from ..join_tree.entries import Entry, Use
from ..join_tree.steps import Moved, Path
from .leaves import Shift
from .source import ModelSource

__all__ = ["shift_of", "shifted"]


def shift_of(shift: TimeShift, measure: str) -> Shift:
    """A model's ``time_shift``: prior values are found by moving rows forward."""
    if shift.name is not None:
        return Shift(None, shift.time_dimension, measure, shift.name)
    length = parse_interval(shift.interval or "0 days")
    # Last month's value under this month: the row moves forward, and meets the keys and filters of the query.
    return Shift(length if shift.type == "prior" else -length, shift.time_dimension, measure)


def _calendar_shift(member: object, shift: Shift) -> Moved:
    """What a calendar's date is compared with: by a column of its own, by its own name, or by an interval."""
    length = shift.interval
    for own in member.time_shift if isinstance(member, Dimension) else ():
        signed = parse_interval(own.interval) if own.interval is not None else None
        signed = -signed if signed is not None and own.type == "next" else signed
        if own.name == shift.name if shift.name is not None else (signed == length and own.sql is not None):
            if own.sql is not None:
                return Moved(own.sql)
            length = signed
            break
    if length is None:
        raise InvalidQuery(f"'{shift.measure}' compares times by '{shift.name}', which this calendar does not define.")
    # The calendar's date moves and not the row's, so the sign turns.
    return Moved(interval=say.interval(-length))


def shifted(
    source: ModelSource, home: Path | None, shifts: Iterable[Shift], shared: frozenset[Use]
) -> tuple[dict[str, str], dict[Path, Moved]]:
    """The SQL each shifted time column is moved by, by column; and the calendars that are joined elsewhere."""
    moved: dict[str, str] = {}
    calendars: dict[Path, Moved] = {}
    for shift in shifts:
        found = [key for key in source.time_columns(shared) if _is_meant(source, key, shift)]
        if not found:
            raise InvalidQuery(f"'{shift.measure}' compares times; group or filter by its time dimension.")
        for key in found:
            entry = source.entry_of(key)
            if entry is not None and source.tree.index.cube(entry.path[-1]).calendar:
                _move_calendar(source, home, entry, shift, calendars)
            elif shift.interval is not None:
                by = say.interval(shift.interval)
                # One after the other, and not as one sum of intervals: a month and a day are not a day and a month.
                moved[key] = sql("{} + {}", moved[key], by) if key in moved else by
        if shift.interval is None and not calendars:
            raise InvalidQuery(
                f"'{shift.measure}' compares times by '{shift.name}'; group or filter by a time of the calendar "
                "that defines it."
            )
    return moved, calendars


def _move_calendar(
    source: ModelSource, home: Path | None, entry: Entry, shift: Shift, calendars: dict[Path, Moved]
) -> None:
    """Rows at a calendar's date show those of the date it is compared with: the calendar is joined by that one."""
    path = entry.path
    if path == source.tree.root or path == home:
        raise InvalidQuery(f"'{shift.measure}' compares times of a calendar; ask for it from a cube that joins it.")
    moved = _calendar_shift(entry.member, shift)
    # A calendar is joined once, by one date.
    if calendars.setdefault(path, moved) != moved:
        raise InvalidQuery(
            f"'{shift.measure}' moves the calendar '{path[-1]}' twice in different ways, which has no answer."
        )


def _is_meant(source: ModelSource, key: str, shift: Shift) -> bool:
    entry = source.entry_of(key)
    if shift.dimension is None or entry is None:
        return True
    return entry.member.name == shift.dimension.rpartition(".")[2]
