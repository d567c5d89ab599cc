"""What a turn in its thread comes to: an edit, readings to choose from, or why it has no place there."""

from __future__ import annotations

from typing import Any

from ....records import dataclass
from ..forms import Form
from .thread import Earlier

__all__ = ["NOT_SURE", "NOT_TOLD", "UNANSWERED", "Between", "Followed", "Unmet"]

NOT_SURE = "it is not clear enough which part of it that is about"
NOT_TOLD = "no query can tell that number of it; please ask for it in full"
UNANSWERED = "the question before this one was not answered, and this may be about that; please ask it in full"


@dataclass(frozen=True, slots=True)
class Between:
    """Edits none of which is sure, the likeliest first; ``anew``: the turn may be a question of its own, too.

    ``scores``: how likely each is, as the exponent; what it is an edit of, and its chart. ``left``: words of the
    question before that all of them leave out; ``answered``: the question whose answer they edit, where one behind it
    was not.
    """

    forms: tuple[Form, ...]
    anew: bool
    scores: tuple[float, ...] = ()
    of: Earlier | None = None
    chart: str = ""
    left: tuple[str, ...] = ()
    answered: str = ""


@dataclass(frozen=True, slots=True)
class Followed:
    """An edit: the form it makes, of which earlier turn, and the picture that is wished for (``""``: as fits).

    ``beside``: what else the turn may be, where this is not sure; ``undecided``: it is made of readings that were asked
    back with, and the same of each. ``claim``: that one group is above (``>``) or below another.
    """

    form: Form
    of: Earlier
    chart: str
    undo: bool = False
    sure: float = 1.0
    beside: Between | None = None
    undecided: bool = False
    claim: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Unmet:
    """A turn that wants something of an earlier answer which that cannot give; ``reason`` says why."""

    reason: str = ""
    unread: tuple[str, ...] = ()
