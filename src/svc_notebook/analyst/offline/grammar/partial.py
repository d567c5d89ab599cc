"""A partial reading: the clauses found so far, the operators that wait for what they work on, and its score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..linking.mentions import Mention
from .clauses import Clause

__all__ = ["START", "Features", "Partial"]

Features = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Partial:
    """What has been read of the tokens before ``place``. Pending operators are those without their operand yet."""

    place: int = 0
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
    asked: str = ""
    versus: bool = False
    toward: str = ""
    unit: str = ""  # what numbers are shown in
    change: str = ""  # between two periods, or from one to the next
    running: bool = False
    ratio: bool = False
    both: bool = False
    quote: str = ""  # a text whose member is named behind it
    operand: str = ""
    near: str = ""  # the relation of the last name
    since: int = 0  # where the pending operator stood
    score: float = 0.0
    features: Features = ()
    skipped: tuple[int, ...] = ()

    def then(self, end: int, features: Features, weights: Mapping[str, float], **changes: Any) -> Partial:
        """More read, up to token ``end``."""
        gained = sum(weights.get(name, 0.0) * value for name, value in features)
        return replace(self, place=end, score=self.score + gained, features=self.features + features, **changes)


START = Partial()
