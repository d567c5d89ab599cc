"""Conversation: what a turn says of the turns before it, and the forms it edits."""

from __future__ import annotations

from .choosing import Option, also_read, asked_back, choices_of, chosen, kept_options, options_of, question_back
from .explaining import explained
from .following import Followed, Unmet, follow
from .hearing import Heard, hear
from .helping import Help, help_for
from .reasons import outstanding, remembered_top
from .thread import Earlier, earlier, unsorted

__all__ = [
    "Earlier", "Followed", "Heard", "Help", "Option", "Unmet", "also_read", "asked_back", "choices_of", "chosen",
    "earlier", "explained", "follow", "hear", "help_for", "kept_options", "options_of", "outstanding", "question_back",
    "remembered_top", "unsorted",
]  # fmt: skip
