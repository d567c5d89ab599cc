"""Telling what was found: sentences, the title of the picture, what to mind. The one home of words about results."""

from __future__ import annotations

from .answer import tell
from .figures import figure, label, said
from .formed import Formed, extended
from .outcome import Outcome, Telling
from .picture import MARKS, picture
from .planned import outcome_of
from .titled import drawn_columns, subtitle_of

__all__ = [
    "MARKS",
    "Formed",
    "Outcome",
    "Telling",
    "drawn_columns",
    "extended",
    "figure",
    "label",
    "outcome_of",
    "picture",
    "said",
    "subtitle_of",
    "tell",
]
