"""A partial reading: the clauses found so far, the operators that wait for what they work on, and its score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..linking.mentions import Mention
from .clauses import Clause

__all__ = ["START", "Features", "Partial"]

Features = tuple[tuple[str, float], ...]


class Partial(NamedTuple):
    """What has been read of the tokens before ``place``. Pending operators are those without their operand yet.

    A tuple, since some ten thousand are made of one question. What two readings that say the same have alike comes
    first, up to ``place`` (see :attr:`content`).
    """

    clauses: tuple[Clause, ...] = ()
    aggregates: tuple[str, ...] = ()
    counting: str = ""
    group: str = ""
    best: Mention | None = None
    limit: int | None = None
    compare: Mention | None = None
    number: Mention | None = None
    low: float | None = None
    text: str = ""
    order: str = ""
    related: bool = False
    negated: bool = False
    percent: bool = False
    distinct: bool = False
    whole: bool = False
    joined: str = ""
    versus: bool = False
    rest: bool = False  # what does not meet the last condition stands against what does
    toward: str = ""
    operand: str = ""
    unit: str = ""  # what numbers are shown in
    change: str = ""  # between two periods, or from one to the next
    running: bool = False
    ratio: bool = False
    both: bool = False
    who: bool = False  # people are asked for
    quote: str = ""  # a text whose member is named behind it
    claimed: tuple[str, ...] = ()  # members that were named for what a value or number behind them is
    place: int = 0
    asked: str = ""
    near: str = ""  # the relation of the last name
    since: int = 0  # where the pending operator stood
    score: float = 0.0
    features: Features = ()
    skipped: tuple[int, ...] = ()

    @property
    def content(self) -> tuple[Any, ...]:
        """What it says and still waits for."""
        return self[:_SAID]

    def then(self, end: int, features: Features, weights: Mapping[str, float], **changes: Any) -> Partial:
        """More read, up to token ``end``."""
        gained = 0.0
        for name, value in features:
            gained += weights.get(name, 0.0) * value
        return self._replace(place=end, score=self.score + gained, features=self.features + features, **changes)


_SAID = Partial._fields.index("place")
START = Partial()
