"""What can go wrong with an analyst before it is asked anything."""

from __future__ import annotations

__all__ = ["AnalystUnavailable"]


class AnalystUnavailable(ValueError):
    """The analyst that was asked for cannot be made here; the message says what is missing. It never holds a key."""
