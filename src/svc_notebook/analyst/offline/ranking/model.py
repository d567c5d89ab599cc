"""The learned ranking: weights of features, and the probability that the best reading is the right one."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from ..grammar import Candidate

__all__ = ["Ranking", "evidence", "load_ranking", "probability"]


@dataclass(frozen=True)
class Ranking:
    """What ``weights.json`` holds.

    ``weights`` score a form; ``sure`` are the weights of :func:`evidence` for the best form, ``sure_before`` those for
    the reading of the rules, each a logistic model of being right.
    """

    weights: Mapping[str, float]
    sure: Mapping[str, float]
    sure_before: Mapping[str, float]
    origin: Mapping[str, Any]  # which program made them, of what, and what it measured


@cache
def load_ranking() -> Ranking:
    """The weights that ship with the package."""
    held = json.loads((resources.files(__package__) / "weights.json").read_text("utf8"))
    return Ranking(held["weights"], held["sure"], held["sure_before"], held["origin"])


def evidence(candidates: Sequence[Candidate], words: int, before: Mapping[str, float], agree: bool) -> dict[str, float]:
    """What the probability of the best candidate and of the reading of the rules is made of."""
    found = {"bias": 1.0, "agree": float(agree), "words": min(words, 40) / 10, **before}
    if not candidates:
        return {**found, "none": 1.0}
    best = candidates[0]
    second = candidates[1].score if len(candidates) > 1 else best.score - 4
    third = candidates[3].score if len(candidates) > 3 else best.score - 6
    found |= {
        "score": max(-12.0, min(6.0, best.score)) / 4,
        "gap": min(4.0, best.score - second),
        "gap:third": min(6.0, best.score - third),
        "unread": float(len(best.unread)),
        "unread:any": float(bool(best.unread)),
    }
    for name, value in best.features:
        kind = next((kind for kind, starts in _KINDS if name.startswith(starts)), None)
        if kind is not None:
            found[kind] = found.get(kind, 0.0) + min(3.0, value)
    return found


_KINDS = (
    ("passed over", ("skip:content", "skip:name", "skip:operator", "skip:grain")),
    ("passed over: value", ("skip:value", "skip:period", "skip:number")),
    ("waiting", ("waits:", "lost:")),
    ("assumed", ("measure:assumed", "measure:rows-assumed", "group:uncued", "rows:label")),
    ("weak", ("link:weak", "link:gap", "link:later")),
    ("joins", ("joins",)),
    ("relation:unused", ("relation:unused",)),
)  # what kinds of features speak of, as the probability sees them


def probability(weights: Mapping[str, float], facts: Mapping[str, float]) -> float:
    """A logistic model over facts."""
    total = sum(weights.get(name, 0.0) * value for name, value in facts.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
