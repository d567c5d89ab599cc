"""The learned ranking: weights of features, and the probability that the likeliest reading is the right one."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from ....records import dataclass
from .standing import Standing

__all__ = ["Ranking", "evidence", "load_ranking", "probability"]

# Beyond it a probability is 0 or 1 to thirteen digits.
_NEVER = -30.0  # no probability at all
_WIDEST = 4.0
_SHORT = 4  # words of a question


@dataclass(frozen=True)
class Ranking:
    """What ``weights.json`` holds.

    ``weights`` score clauses while forms are composed, ``standing`` whole readings beside each other; ``sure`` are the
    weights of :func:`evidence` for the likeliest, a logistic model of being right, ``seen`` the same where what it
    gives is known as well. It is answered from a probability of ``least``, where it leaves words out (and tells them)
    from ``least_told``, what the rules read from ``least_known``.
    """

    weights: Mapping[str, float]
    standing: Mapping[str, float]
    sure: Mapping[str, float]
    seen: Mapping[str, float]
    least: float
    least_told: float
    least_known: float
    origin: Mapping[str, Any]  # which program made them, of what, and what it measured

    def answers(self, sure: float, taken: Standing) -> bool:
        """Whether a reading is likely enough."""
        return sure >= (self.least_known if taken.by_rules else self.least_told if taken.unread else self.least)


@cache
def load_ranking() -> Ranking:
    """The weights that ship with the package."""
    held = json.loads((resources.files(__package__) / "weights.json").read_text("utf8"))
    return Ranking(
        held["weights"], held["standing"], held["sure"], held["seen"], held["least"], held["least_told"],
        held["least_known"], held["origin"],
    )  # fmt: skip


_KINDS = (
    ("passed over", ("skip:content", "skip:name", "skip:operator", "skip:grain")),
    ("passed over: value", ("skip:value", "skip:period", "skip:number")),
    ("waiting", ("waits:", "lost:")),
    ("assumed", ("measure:assumed", "measure:rows-assumed", "group:uncued", "rows:label")),
    ("weak", ("link:weak", "link:gap", "link:later")),
    ("rules weak", ("rules:link:weak",)),
    ("rules part", ("rules:link:part",)),
    ("joins", ("joins",)),
    ("unasked", ("relation:unused", "relations:unasked", "members:unasked")),
    ("missing", ("names:missing", "values:missing")),
    ("head", ("head:none",)),
)  # what kinds of features speak of, as the probability sees them


def evidence(found: Sequence[Standing], words: int) -> dict[str, float]:
    """What the probability of the first reading is made of; ``words``: how long the question is.

    Of the scores there is one fact, what share of the likelihood the first has: gaps to the next say the same again,
    and two facts that say the same are weighed against each other by chance.
    """
    best = found[0]
    share = 1 / sum(math.exp(other.score - best.score) for other in found)
    facts = {
        "bias": 1.0, "words": min(words, 40) / 10, "short": float(words <= _SHORT),
        # The odds within e⁴: beyond that scores say nothing more about being right.
        "share": _within(math.log(share / (1 - share + 1e-9) + 1e-9), _WIDEST),
        "unread": float(min(3, len(best.unread))), "unread:any": float(bool(best.unread)),
    }  # fmt: skip
    rules = next((s for s in found if s.by_rules), None)
    facts["rules:none" if rules is None else "rules" if best.by_rules else "rules:other"] = 1.0
    if rules is not None and any(name.startswith("rules~") for name, _ in rules.features):
        facts["rules~" if best.by_rules else "rules:other~"] = 1.0
    for name, value in best.features:
        kind = next((kind for kind, starts in _KINDS if name.startswith(starts)), None)
        if kind is not None:
            facts[kind] = facts.get(kind, 0.0) + min(3.0, value)
        elif name == "rules:only" or name.startswith("f:") and "<" not in name:  # what the form looks like
            facts[name] = 1.0
    return facts


def _within(value: float, widest: float) -> float:
    return max(-widest, min(widest, value))


def probability(weights: Mapping[str, float], facts: Mapping[str, float]) -> float:
    """A logistic model over facts."""
    total = sum(weights.get(name, 0.0) * value for name, value in facts.items())
    return 1 / (1 + math.exp(-max(_NEVER, min(-_NEVER, total))))
