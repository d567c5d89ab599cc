"""Conversation: what a turn says of the turns before it, and the forms it edits."""

from __future__ import annotations

from .explaining import explained
from .following import Followed, Unmet, follow
from .hearing import Heard, hear
from .helping import Help, help_for
from .reasons import outstanding, remembered_top
from .thread import Earlier, earlier

__all__ = [
    "Earlier", "Followed", "Heard", "Help", "Unmet", "earlier", "explained", "follow", "hear", "help_for",
    "outstanding", "remembered_top",
]  # fmt: skip
