"""The rules: what a mention may do to a partial reading. Each is an entry of a table, by the kind of mention."""

from __future__ import annotations

from collections.abc import Iterator

from .members import member
from .numbers import number
from .operators import operator
from .partial import Partial
from .situation import Rule, Situation
from .subjects import subject
from .times import grain, period
from .values import quoted, value

__all__ = ["RULES", "name"]


def name(s: Situation) -> Iterator[Partial]:
    """A name, in every way that what waits for one allows."""
    for named in s.mention.names:
        if named.member is None:
            yield from subject(s, named)
        else:
            yield from member(s, named, named.member)


RULES: dict[str, Rule] = {
    "name": name,
    "value": value,
    "quoted": quoted,
    "number": number,
    "period": period,
    "grain": grain,
    "operator": operator,
}
