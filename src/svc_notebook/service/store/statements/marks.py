"""Statements of what is known of the time."""

from __future__ import annotations

from sqlalchemy import bindparam, select, update

from ..schema import marks

__all__ = ["LATEST", "RAISE"]

_OF = marks.c.name == bindparam("of")

LATEST = select(marks.c.value).where(_OF)
RAISE = update(marks).where(_OF, marks.c.value < bindparam("now")).values(value=bindparam("now"))
