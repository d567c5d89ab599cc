"""How a turn goes on from what was said before it: *and*, *so*, *ok then*, *now* …"""

from __future__ import annotations

__all__ = ["LEAD", "lead"]

_GOES_ON = ("and", "so", "ok", "okay", "then", "now", "but")


def lead(*more: str) -> str:
    """A pattern for the beginning of a turn that goes on so, or with one of ``more``."""
    return rf"^\W*(?:(?:{'|'.join((*_GOES_ON, *more))})\W+)*"


LEAD = lead()
