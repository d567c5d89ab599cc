"""A question in its plain frame: what stands in front, who did it, what it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .amounts import in_figures
from .causes import why
from .either import which_of_two
from .fronted import behind_front
from .halves import beside_each_other
from .imperatives import as_asked
from .lasting import as_it_lasts
from .left_out import without_what_is_left_out
from .missing import without
from .more_in import more_of_an_amount
from .on_average import as_average, averages_behind, by_its_hours, per_unit_of_time
from .others import most_of_all
from .passive import as_active
from .recently import most_recently
from .records import most_in_a_unit
from .shares import as_ranked, share_of
from .somebody import who_it_was
from .spoken_deeds import without_deeds
from .stretches import on_its_stretch
from .typical_one import of_a_typical_one
from .unnamed import of_nobody_named
from .whenever import of_such
from .whens import when

__all__ = ["in_plain_frame"]

_RULES: Sequence[Callable[[str], str]] = (
    by_its_hours, as_average, per_unit_of_time, in_figures, without_deeds, of_nobody_named, of_such, most_of_all,
    as_active, why, as_asked, when, without, who_it_was, on_its_stretch, as_it_lasts, more_of_an_amount, which_of_two,
    without_what_is_left_out, of_a_typical_one, most_in_a_unit, most_recently,
    beside_each_other,
)  # fmt: skip


def in_plain_frame(question: str) -> str:
    """The same question, where it is turned into another frame, as it is asked plainly."""
    return behind_front(share_of(as_ranked(averages_behind(question))), _plainly)


def _plainly(asked: str) -> str:
    for rule in _RULES:
        asked = rule(asked)
    return asked
