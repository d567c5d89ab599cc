"""Telling what was found: sentences, the title of the picture, what to mind. The one home of words about results."""

from __future__ import annotations

from .answer import tell
from .figures import figure, label, said
from .formed import Formed
from .outcome import Outcome, Telling
from .picture import MARKS, picture
from .planned import extent_of, moment, outcome_of
from .titled import drawn_columns, subtitle_of

__all__ = [
    "MARKS",
    "Formed",
    "Outcome",
    "Telling",
    "drawn_columns",
    "extent_of",
    "figure",
    "label",
    "moment",
    "outcome_of",
    "picture",
    "said",
    "subtitle_of",
    "tell",
]
