"""How late it has been, as far as anybody on this store has seen."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select, update

from .schema import marks
from .upsert import insert_for

__all__ = ["latest_time", "reach_time"]

_TIME = "time"
_LATEST = select(marks.c.value).where(marks.c.name == _TIME)
_RAISE = update(marks).where(marks.c.name == _TIME, marks.c.value < bindparam("now")).values(value=bindparam("now"))


def latest_time(connection: Connection) -> float:
    """The latest time that was kept; 0 in a new store."""
    return float(connection.execute(_LATEST).scalar() or 0.0)


def reach_time(connection: Connection, now: float) -> float:
    """Keep ``now`` unless a later time is kept already; the later of both."""
    # Not raised: a later time is kept, or none at all. Which of them, the insert finds out.
    if not connection.execute(_RAISE, {"now": now}).rowcount:
        connection.execute(insert_for(connection, marks).values(name=_TIME, value=now).on_conflict_do_nothing())
    return latest_time(connection)
