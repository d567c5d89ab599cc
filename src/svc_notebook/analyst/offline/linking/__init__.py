"""A question as a lattice of typed mentions: what each stretch of words may speak of, before anything is decided."""

from __future__ import annotations

from .lattice import Lattice, link
from .mentions import Mention, Named

__all__ = ["Lattice", "Mention", "Named", "link"]
