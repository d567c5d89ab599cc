"""A mention in front of a partial reading: what rules look at, and the features they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from ..linking.lattice import Lattice
from ..linking.mentions import Mention, Named, Valued
from ..schema.derivations import is_derived
from ..schema.metadata import Metadata
from ..schema.polarity import BEST, WORST, is_bad_when_high
from .clauses import SOME_TIME, Best
from .partial import Features, Partial

__all__ = ["Rule", "Situation", "best_of", "elsewhere", "judgement", "linked", "turned_by"]


class Situation(Struct, frozen=True):
    """A mention in front of a partial reading, with what rules may look at."""

    before: Partial
    mention: Mention
    lattice: Lattice
    metadata: Metadata
    weights: Mapping[str, float]

    def then(self, features: Features = (), **changes: object) -> Partial:
        return self.before.then(self.mention.end, features, self.weights, **changes)

    def add(self, clause: object, features: Features, **changes: object) -> Partial:
        return self.then(features, clauses=(*self.before.clauses, clause), **changes)

    @property
    def at(self) -> int:
        return self.mention.start

    def has(self, kind: type) -> bool:
        return any(isinstance(clause, kind) for clause in self.before.clauses)

    def near(self, name: str) -> Features:
        """How far away the operator is that the mention answers to."""
        distance = self.at - self.before.since
        # Two words between are near; from six on it is far, however far.
        return ((name, 1.0), (f"{name}:far", min(4.0, max(0, distance - 2)) / 4))


Rule = Callable[[Situation], Iterator[Partial]]


def linked(named: Named | Valued) -> Features:
    found: list[tuple[str, float]] = [("link:weak", 1.0 - named.quality), ("link:gap", named.gap)]
    if named.rank:
        found.append(("link:later", 1.0))
    if isinstance(named, Named) and not named.full:
        found.append(("link:part", 1.0))
    return tuple((name, value) for name, value in found if value)


def elsewhere(s: Situation, relation: str) -> Features:
    """A relation nobody has spoken of yet."""
    named = [getattr(c, "relation", "") or getattr(c, "path", None) or "" for c in s.before.clauses]
    known = {name.split(".", 1)[0] for name in named} - {"", SOME_TIME}
    return (("relation:new", 1.0),) if known and relation not in known else ()


def judgement(mention: Mention) -> str:
    """Which side of good a superlative is on, where it speaks of that."""
    text = mention.text.lower()
    return "best" if text in BEST else "worst" if text in WORST else ""


def turned_by(best: Best, words: Iterable[str]) -> Best:
    """*Best* and *worst* point up or down by the words they are said of."""
    if not best.judged:
        return best
    return replace(best, descending=(best.judged == "best") != is_bad_when_high(words))


def best_of(s: Situation, **changes: object) -> Best:
    mention = s.before.best
    assert mention is not None
    made = Best(
        mention.start, mention.argument == "desc", s.before.limit, hints=mention.hints, turned=mention.turned,
        often=mention.operator == "often", judged=judgement(mention),
    )  # fmt: skip
    made = replace(made, **changes)  # type: ignore[arg-type]  # fields of a Best
    return turned_by(made, s.metadata.parts(made.path)) if made.path and not is_derived(made.path) else made
