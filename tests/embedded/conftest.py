"""A PostgreSQL server, as the service's own tests have it."""

from __future__ import annotations

from ..service.conftest import postgres

__all__ = ["postgres"]
