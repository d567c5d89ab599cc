"""How late it has been, as far as anybody on this store has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .prepared import Prepared
from .upsert import inserting

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["latest_time", "reach_time"]

_TIME = "time"
_LATEST, _RAISE = Prepared("marks.LATEST"), Prepared("marks.RAISE")


def latest_time(connection: Connection) -> float:
    """The latest time that was kept; 0 in a new store."""
    return float(_LATEST.scalar(connection, {"of": _TIME}) or 0.0)


def reach_time(connection: Connection, now: float) -> float:
    """Keep ``now`` unless a later time is kept already; the later of both."""
    # Not raised: a later time is kept, or none at all. Which of them, the insert finds out.
    if not _RAISE.run(connection, {"of": _TIME, "now": now}):
        inserting(connection, "marks").run(connection, {"name": _TIME, "value": now})
    return latest_time(connection)
