"""What a part of a whole is called: *share*, *percentage*, *proportion*, in each frame that asks for one."""

from __future__ import annotations

__all__ = ["PART_WORDS", "SHARE", "SHARE_OR_PART", "SHARE_WORDS"]

SHARE_WORDS = frozenset(("share", "percentage", "percent", "pct", "proportion", "fraction", "portion"))
"""Each name of a share, as a word of its own."""

PART_WORDS = SHARE_WORDS | {"part"}
"""The same with what says it only before *of*."""

_NAMES = "share|percentage|percent|per cent|pct|%|proportion|fraction|portion"
SHARE = rf"(?:{_NAMES})"
"""What a share is called, for a pattern in which a space is any."""

SHARE_OR_PART = rf"(?:{_NAMES}|part)"
"""The same before *of*, where *part* says it as well."""
