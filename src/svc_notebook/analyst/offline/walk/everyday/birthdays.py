"""``who has a birthday in June``: who was born then."""

from __future__ import annotations

from ...schema.lasting import BIRTH
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["having_a_birthday"]

_HAVING = frozenset({"has", "have", "having", "celebrates", "celebrate", "had"})
_WHOSE = frozenset({"a", "their", "his", "her", "its"})
_DAY = frozenset({"birthday", "birthdays"})


def having_a_birthday(w: Wording, at: int) -> Found | None:
    """The verb for it, where one time alone says when somebody was born."""
    place = at + 1 + (w.at(at + 1) in _WHOSE)
    if w.at(at) not in _HAVING or w.at(place) not in _DAY:
        return None
    known = [path for name in w.cubes for path in w.meta.times([name]) if BIRTH & set(w.meta.parts(path))]
    tables = {path.split(".", 1)[0] for path in known} & set(w.meta.lists_of_people)
    return (w.said(at, "was", "born"), place + 1) if len(tables) == 1 else None
