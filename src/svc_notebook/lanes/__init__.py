"""Where work runs that would hold the event loop: fair pools of threads, and each asker's place in them."""

from .admission import Admission, Share
from .lane import Asker, Lane, LaneClosed, ended_within
from .place import FREE, Lanes, Place, Workplace, fetch

__all__ = [
    "FREE",
    "Admission",
    "Asker",
    "Lane",
    "LaneClosed",
    "Lanes",
    "Place",
    "Share",
    "Workplace",
    "ended_within",
    "fetch",
]
