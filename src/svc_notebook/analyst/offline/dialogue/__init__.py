"""Conversation: what a turn says of the turns before it, and the forms it edits."""

from __future__ import annotations

from .following import Followed, Unmet, follow
from .hearing import Heard, hear
from .thread import Earlier, earlier

__all__ = ["Earlier", "Followed", "Heard", "Unmet", "earlier", "follow", "hear"]
