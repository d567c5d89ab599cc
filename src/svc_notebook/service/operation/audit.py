"""The audit log: who asked what, which SQL ran under which row filters, how many rows came. A file a day, kept so long.

Lines are JSON. They are written by a thread of their own, in the order they came; nobody waits for the disk. What
cannot be written is counted and told in the service's log: an operator who needs every line watches
``svc_audit_lost_total``.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from ..clock import as_datetime

__all__ = ["AuditLog"]

_log = logging.getLogger(__name__)
_json = msgspec.json.Encoder()
_NAME = "audit-{:%Y-%m-%d}.jsonl"


class AuditLog:
    """Takes entries for a folder.

    Parameters
    ----------
    folder
        Where the files are; made when it is not there, for its owner alone.
    days
        How long a file is kept; 0 keeps all.
    now
        Seconds since the epoch.
    lost
        Called for every entry that could not be written.
    """

    def __init__(self, folder: Path, days: int, now: Callable[[], float], lost: Callable[[], None]) -> None:
        self._folder = folder
        self._days = days
        self._now = now
        self._lost = lost
        self._today = ""
        # One thread: entries stand in the order in which queries ended.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="svc-audit")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def put(self, entry: Mapping[str, Any]) -> None:
        """Have an entry written; it gets the moment, as ``at``."""
        moment = as_datetime(self._now())
        entry = {"at": moment.isoformat(timespec="milliseconds"), **entry}
        try:
            self._thread.submit(self._write, moment, entry)
        except RuntimeError:  # a query that ended after the service: who has it waits for the disk
            self._write(moment, entry)

    def close(self) -> None:
        """Write what has come, and end the thread."""
        self._thread.shutdown(wait=True)

    def _write(self, moment: datetime, entry: Mapping[str, Any]) -> None:
        try:
            name = _NAME.format(moment)
            if name != self._today:
                self._today = name
                self._forget(moment)
            # Opened anew each time: a file that was moved away by a log rotation is not written on.
            handle = os.open(self._folder / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                # One write to a file opened for appending: lines of several processes do not mix.
                os.write(handle, _json.encode(entry) + b"\n")
            finally:
                os.close(handle)
        except (OSError, TypeError, UnicodeEncodeError) as error:
            _log.error("the audit log %s did not take an entry: %s", self._folder, error)
            self._lost()

    def _forget(self, moment: datetime) -> None:
        if not self._days:
            return
        oldest = _NAME.format(moment.astimezone(UTC) - timedelta(days=self._days))
        for path in self._folder.glob("audit-????-??-??.jsonl"):
            # Names sort as their dates do.
            if path.name < oldest:
                path.unlink(missing_ok=True)
