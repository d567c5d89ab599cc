"""Statements written to get at hidden rows, hidden members or the machine, by the way they try."""

from .gather import probes, refused
from .heavy import heavy

__all__ = ["heavy", "probes", "refused"]
