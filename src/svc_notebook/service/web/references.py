"""The id under which a request is known: in the answer's ``X-Request-Id``, in every line of the log, in errors."""

from __future__ import annotations

import logging
from contextvars import ContextVar

__all__ = ["REFERENCE", "Referring", "reference"]

REFERENCE: ContextVar[str] = ContextVar("svc_reference", default="")


def reference() -> str:
    """The id of the request that this is done for; a dash where it is done for none."""
    return REFERENCE.get() or "-"


class Referring(logging.Filter):
    """Gives every record the id of its request, as ``request``."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request = reference()
        return True
