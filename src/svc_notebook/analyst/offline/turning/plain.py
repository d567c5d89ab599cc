"""A question in its plain frame: what stands in front, who did it, what it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .amounts import in_figures
from .causes import why
from .fronted import behind_front
from .imperatives import as_asked
from .lasting import as_it_lasts
from .missing import without
from .more_in import more_of_an_amount
from .others import most_of_all
from .passive import as_active
from .shares import share_of
from .somebody import who_it_was
from .stretches import on_its_stretch
from .whens import when

__all__ = ["in_plain_frame"]

_RULES: Sequence[Callable[[str], str]] = (
    in_figures, most_of_all, as_active, why, as_asked, when, without, who_it_was, on_its_stretch, as_it_lasts,
    more_of_an_amount,
)  # fmt: skip


def in_plain_frame(question: str) -> str:
    """The same question, where it is turned into another frame, as it is asked plainly."""
    return behind_front(share_of(question), _plainly)


def _plainly(asked: str) -> str:
    for rule in _RULES:
        asked = rule(asked)
    return asked
