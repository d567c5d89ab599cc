"""What a database's error means for whoever asked: come again, free some space, or read the log.

The caller is told what happened and nothing of the machine; where the store lives, who holds its lock and what the
driver said go to the log and into a note of the error.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from ..web.references import reference
from .errors import StoreAway, StoreBusy, StoreFailed, StoreFull
from .lockholder import lock_holder

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError, SQLAlchemyError

__all__ = ["AWAY", "Again", "broken_file", "explained", "of_database"]

_log = logging.getLogger(__name__)

AWAY = "The state store cannot be reached; try again."
_BUSY = "The state store is locked; try again."
_CROWDED = "The state store has no free connection; try again."
_FULL = "The state store has no room left: free some disk space."
_SERIALIZATION = {"40001", "40P01"}  # could not serialize, deadlock detected
_LOCKED = {"55P03", "57014"}  # lock not available in time, statement cancelled
_CROWD = {"53300", "53200"}  # too many connections, out of memory
_NO_SERVER = {"57P01", "57P02", "57P03", "57P05", "25006"}  # shutdown, crash, starting, idle too long, a standby
_BROKEN = ("not a database", "malformed", "database corruption", "database disk image")


class Again(StoreBusy):
    """The database asks to run the transaction again."""


def of_database(error: Exception) -> TypeGuard[SQLAlchemyError]:
    """Whether it is the database that says so."""
    # Where SQLAlchemy was never needed, none of its errors was raised.
    said = sys.modules.get("sqlalchemy.exc")
    return said is not None and isinstance(error, said.SQLAlchemyError)


def explained(error: SQLAlchemyError, path: Path | None, store: str) -> Exception:
    """The error of ours that stands for what the database said."""
    from sqlalchemy.exc import TimeoutError as PoolTimeout

    cause = getattr(error, "orig", None)
    text = str(cause or error)
    state = str(getattr(cause, "sqlstate", None) or "")
    if state in _SERIALIZATION:
        return Again(_BUSY)
    if state in _LOCKED or "locked" in text or "busy" in text:
        return _told(StoreBusy(_BUSY, retry_after=1), f"The state store {store} is locked by {lock_holder(path)}.")
    if state in _CROWD or isinstance(error, PoolTimeout) or "too many clients" in text or "connection slots" in text:
        return _told(StoreAway(_CROWDED, retry_after=1), f"The state store {store} has no free connection: {text}")
    if _no_room(state, text):
        return _told(StoreFull(_FULL), f"The state store {store} has no room left.")
    if path is not None and any(words in text for words in _BROKEN):
        return _told(StoreFailed(_failed()), broken_file(path, text))
    if _unreachable(error, state, text):
        return _told(StoreAway(AWAY, retry_after=2), f"The state store {store} cannot be reached: {text}")
    _log.error("state store %s (request %s): %s", store, reference(), text)
    return StoreFailed(_failed())


def _failed() -> str:
    return f"The state store failed; the service's log says why under {reference()}."


def broken_file(path: Path, text: str) -> str:
    """What an operator can do about a file that SQLite does not read."""
    return (
        f"The state store {path} is not a readable SQLite database ({' '.join(text.split())}): put a backup in its "
        f"place, or move it away to begin with an empty one; what is left of it may be saved with "
        f"sqlite3 {path.name} .recover"
    )


def _no_room(state: str, text: str) -> bool:
    # SQLite says 'disk I/O error' where a file of its log cannot grow.
    return state == "53100" or any(words in text for words in ("disk is full", "No space left", "disk I/O error"))


def _unreachable(error: SQLAlchemyError, state: str, text: str) -> bool:
    from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

    if state in _NO_SERVER or state.startswith("08"):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    if "unable to open database file" in text or "readonly database" in text:
        return True
    # psycopg gives no state where there was no server to give one.
    return isinstance(error, OperationalError | InterfaceError) and not state and "sqlite" not in _driver(error)


def _driver(error: DBAPIError) -> str:
    return type(error.orig).__module__


def _told(error: Exception, detail: str) -> Exception:
    """The error as a caller may read it; which file and which process is for the log and for tracebacks."""
    _log.warning("%s (request %s)", detail, reference())
    error.add_note(detail)
    return error
