"""The learned choice between a turn's edits and the question it is by itself, and how likely that choice is right."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from ....records import dataclass
from ..ranking.model import probability

if TYPE_CHECKING:
    from .proposing import Facts, Proposal

__all__ = ["Anew", "Ranked", "Weights", "evidence", "likely", "load_weights", "ranked"]

_WIDEST = 6.0
_FAR = 2.0  # farther behind says no more


@dataclass(frozen=True, slots=True)
class Anew:
    """A turn read as a question of its own: how sure that is (0: it cannot be answered), and words it leaves out."""

    sure: float
    unread: int = 0

    @property
    def facts(self) -> Facts:
        none, unread = float(not self.sure), float(self.unread)
        return {"anew": 1.0, "anew:sure": self.sure, "anew:none": none, "anew:unread": unread}


@dataclass(frozen=True)
class Weights:
    """What ``weights.json`` holds.

    ``rank`` scores a reading; ``sure`` is a logistic model of the choice being right, of an edit where what it is made
    of is right. An edit is answered from a probability of ``least``.
    """

    rank: Mapping[str, float]
    sure: Mapping[str, float]
    least: float
    origin: Mapping[str, Any]  # which program made them, of what, and what it measured


@dataclass(frozen=True, slots=True)
class Ranked:
    """One reading of a turn: an edit, or (None) the question anew; ``facts`` are what it was scored by."""

    proposal: Proposal | None
    score: float
    facts: Facts
    before: float = 1.0  # how sure the question was that the form began with


@cache
def load_weights() -> Weights:
    """The weights that ship with the package."""
    held = json.loads((resources.files(__package__) / "weights.json").read_text("utf8"))
    return Weights(held["rank"], held["sure"], held["least"], held["origin"])


def ranked(proposals: Sequence[Proposal], anew: Anew, weights: Mapping[str, float]) -> list[Ranked]:
    """All readings of a turn, the likeliest first."""
    found = [Ranked(each, _score(each.facts, weights), each.facts, each.of.begun) for each in proposals]
    found.append(Ranked(None, _score(anew.facts, weights), anew.facts))
    return sorted(found, key=lambda one: -one.score)


def _score(facts: Facts, weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in facts.items())


def evidence(readings: Sequence[Ranked], turn: Facts, anew: Anew) -> dict[str, float]:
    """What the probability of the first reading is made of; ``turn`` holds the facts of the turn itself."""
    best = readings[0]
    others = [one.score for one in readings[1:]]
    kind = "anew" if "anew" in best.facts else "edit"
    found = {
        "one": 1.0, "anew:sure": anew.sure, "anew:none": float(not anew.sure),
        f"{kind}:chosen": 1.0, f"{kind}:score": max(-_WIDEST, min(_WIDEST, best.score)) / 3,
        f"{kind}:gap": min(_WIDEST, best.score - max(others, default=best.score - _WIDEST)),
        **{f"{kind}/{name}": value for name, value in turn.items() if name != "bias"},
    }  # fmt: skip
    if kind == "edit":
        found |= {
            name: min(_FAR, value) if name == "behind" else value
            for name, value in best.facts.items()
            if name not in turn and _tells(name)
        }
    return found


def _tells(name: str) -> bool:
    """Whether a fact says how likely a choice is; what joins and further changes cost, the ranking has weighed."""
    return " " not in name and name not in ("cost", "changes", "change:joins")


def likely(sure: Mapping[str, float], best: Ranked, facts: Facts) -> float:
    """The probability that the first reading, of which these are the facts, is the right one: an edit is as sure as it
    is itself, times the question that its thread of edits began with.
    """
    return probability(sure, facts) * best.before
