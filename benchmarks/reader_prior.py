"""What weights are fitted from: by family of features, what reading in general speaks for and against.

Fitting starts here and is drawn back here, never to the weights that ship: those have seen every fold.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["prior"]

_FAMILIES = {
    # words that nothing came of, and operators that never met what they work on
    "skip:": -4.0, "waits:": -2.0, "lost:": -2.0, "nested:lost": -1.0,
    # names that fit only in part, or less well than others of the same mention
    "link:weak": -4.0, "link:gap": -2.0, "link:part": -1.0, "link:later": -1.0, "value:part": -0.5,
    # relations: each join costs, more so over others, or for what is not shown
    "joins": -0.5, "joins:bridged": -2.0, "relation:unused": -1.5, "relation:new": -0.5, "related:joined": -1.0,
    "total:joined": -0.5, "time:elsewhere": -1.0,
    # what nobody asked for
    "measure:assumed": -2.0, "measure:rows-assumed": -2.0, "group:uncued": -1.5, "grain:uncued": -2.0,
    "group:label": -1.5, "group:shown": -1.0, "groups": -0.5, "rows:label": -1.0, "rows:distinct:uncued": -1.0,
    "best:by:assumed": -1.0, "best:shown": -0.5, "best:adjective:later": -1.0, "best:adjective:unknown": -2.0,
    "value:shown": -3.0, "order:bare": -1.0,
    # far apart, or of kinds that do not fit
    "aggregate:far": -1.0, "count:rows:relation:far": -2.0, "test:behind": -1.0, "number:equals:text": -2.0,
    "number:equals:number": -1.0,
    # what speaks for a form
    "aggregate": 1.0, "same": 1.5,
}  # fmt: skip
_BY_LENGTH = sorted(_FAMILIES, key=len, reverse=True)


def prior(names: Iterable[str]) -> dict[str, float]:
    """The starting weight of each feature: that of the longest family its name begins with."""
    return {name: next((_FAMILIES[family] for family in _BY_LENGTH if name.startswith(family)), 0.0) for name in names}
