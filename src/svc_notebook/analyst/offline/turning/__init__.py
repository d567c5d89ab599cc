"""Questions turned into another grammatical frame, put plainly: *longer than all others*, *by whom was … checked*."""

from __future__ import annotations

from .plain import in_plain_frame

__all__ = ["in_plain_frame"]
