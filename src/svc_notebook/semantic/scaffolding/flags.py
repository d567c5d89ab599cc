"""Whether a column of noughts and ones says yes or no, or how many there were."""

from __future__ import annotations

from collections.abc import Sequence

from .words import singular

__all__ = ["says_whether"]

_COUNTED = frozenset(map(singular, (
    "accident adult bag bathroom bedroom box call case casualty child claim copy count cnt dead death event "
    "fatality goal guest injured injury item kid killed n no num number order passenger person piece point qty "
    "quantity return room score seat session strike ticket unit visit win"
).split()))  # fmt: skip
_CODED = frozenset(
    "class code cluster day floor gender grade group hour id key kind label lat level lon minute mode month period "
    "quarter rank rating segment set sex shift size stage status step target tier type value version week x y year z "
    "amount cost fee hours minutes price rate share ratio probability pct percent score weight".split()
)
"""Names of what is told apart by numbers, or measured."""


def says_whether(words: Sequence[str]) -> bool:
    """Whether a name is of what each row is or is not (``urgent``, ``sla met``), and counts nothing.

    >>> [says_whether(name.split()) for name in ("urgent", "is open", "children", "age group")]
    [True, True, False, False]
    """
    if not words:
        return False
    if words[0] in ("is", "has", "was", "had", "can", "does"):
        return True
    if words[-1] in ("flag", "ind", "indicator", "yn"):
        return True
    # A plural counts.
    many = singular(words[-1]) != words[-1]
    return not many and words[-1] not in _CODED and not _COUNTED & {words[0], words[-1]}
