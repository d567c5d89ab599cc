"""Telling a form and what it found: title, picture and sentences, straight from the clauses and the rows."""

from __future__ import annotations

from .formed import Formed
from .picture import MARKS, picture
from .sentences import sentences_of

__all__ = ["MARKS", "Formed", "picture", "sentences_of"]
