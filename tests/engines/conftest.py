from __future__ import annotations

from ..service.conftest import postgres

__all__ = ["postgres"]
