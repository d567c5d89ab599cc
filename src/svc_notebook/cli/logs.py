"""How a served process logs: to standard error, as lines for a person or as JSON for a collector."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

from ..service.web.references import Referring

__all__ = ["FORMATS", "configure"]

FORMATS = ("text", "json")
_TEXT = "%(asctime)s %(levelname)s %(name)s [%(request)s] %(message)s"


class _Json(logging.Formatter):
    """One object a line: moment, level, logger, request, message, and the traceback where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(), "logger": record.name,
            "request": getattr(record, "request", "-"), "message": record.getMessage(),
        }  # fmt: skip
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


class _Stderr(logging.StreamHandler[TextIO]):
    """Writes to what is standard error when a line is written, and drops the line where that is closed."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        return sys.stderr

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # its name in the standard library
        """What nobody reads cannot be told: no traceback of the logging itself."""
        if not isinstance(sys.exception(), OSError) and not getattr(self.stream, "closed", True):
            super().handleError(record)


def _tells(record: logging.LogRecord) -> bool:
    """Whether a line tells anything: uvicorn calls it an error to cancel no task where a client is slow to close."""
    return not (
        record.name == "uvicorn.error" and str(record.msg).startswith("Cancel %s running") and record.args == (0,)
    )


def configure(level: str, style: str) -> None:
    """Have this process's log written; requests are among it from ``info`` on, without their query strings."""
    handler = _Stderr()
    handler.addFilter(Referring())
    handler.addFilter(_tells)
    handler.setFormatter(_Json() if style == "json" else logging.Formatter(_TEXT))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("svc_notebook", "uvicorn"):
        logging.getLogger(name).setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):  # what was set up for it before writes elsewhere
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
