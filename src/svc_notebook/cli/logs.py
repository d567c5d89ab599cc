"""How a served process logs: to standard error, as lines for a person or as JSON for a collector."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

from ..service.references import Referring

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


def configure(level: str, style: str) -> None:
    """Have this process's log written; requests are among it from ``info`` on, without their query strings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Referring())
    handler.setFormatter(_Json() if style == "json" else logging.Formatter(_TEXT))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("svc_notebook", "uvicorn"):
        logging.getLogger(name).setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):  # what was set up for it before writes elsewhere
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
