"""Plain lists, read word by word: which rows, what is shown of them, and in which order."""

from __future__ import annotations

from .frames import Framed, unframed
from .listed import list_in

__all__ = ["Framed", "list_in", "unframed"]
