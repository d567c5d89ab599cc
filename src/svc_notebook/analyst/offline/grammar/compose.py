"""From a lattice to forms: partial readings go over the question from left to right, the best of each place stay."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..budget import Budget
from ..forms import Form
from ..linking.lattice import Lattice
from ..schema.metadata import Metadata
from .finish import finish
from .partial import START, Features, Partial
from .rules import RULES
from .situation import Situation

__all__ = ["Candidate", "compose", "partials", "unread"]

_PARTIALS = 2000
_FORMS = 64
_WIDEST = 64


class Candidate(Struct, frozen=True):
    """A form with what speaks for and against it; ``unread`` are the words it leaves out."""

    form: Form
    features: Features
    score: float
    unread: tuple[str, ...] = ()


def compose(
    lattice: Lattice, metadata: Metadata, weights: Mapping[str, float], budget: Budget | None = None
) -> list[Candidate]:
    """The best forms of a lattice, best first: at most 64, from at most 2,000 partial readings."""
    budget = budget or Budget()
    found: list[tuple[float, Form, Features, Partial]] = []
    for partial in partials(lattice, metadata, weights, budget):
        budget.spend(20)
        for form, features in finish(partial, metadata):
            found.append((partial.score + sum(weights.get(n, 0.0) * v for n, v in features), form, features, partial))
    found.sort(key=lambda item: -item[0])
    best: dict[object, Candidate] = {}
    for total, form, features, partial in found:  # equal forms are looked for among the best alone
        if len(best) == _FORMS:
            break
        if form.key not in best:
            best[form.key] = Candidate(form, partial.features + features, total, unread(partial, lattice))
    return list(best.values())


def partials(lattice: Lattice, metadata: Metadata, weights: Mapping[str, float], budget: Budget) -> list[Partial]:
    """What the whole of a lattice may say, clause by clause, before it hangs together; the likeliest first."""
    places: list[list[Partial]] = [[] for _ in range(len(lattice.tokens) + 1)]
    places[0] = [START]
    # Long questions keep fewer readings a place, so that all of them together stay within 2,000.
    width = max(6, min(_WIDEST, _PARTIALS // max(1, len(lattice.tokens))))
    for place in range(len(lattice.tokens)):
        for partial in _kept(places[place], width):
            budget.spend(20)
            for after in _steps(partial, place, lattice, metadata, weights):
                places[after.place].append(after)
        # What has been gone on from is let go: thousands of tuples would be kept to the end.
        places[place] = []
    return _kept(places[-1], 2 * _FORMS)


def _steps(
    partial: Partial, place: int, lattice: Lattice, metadata: Metadata, weights: Mapping[str, float]
) -> list[Partial]:
    weight = lattice.weight[place]
    lost: Features = ((f"skip:{weight}", 1.0),) if weight else ()
    skipped = (*partial.skipped, place) if weight else partial.skipped
    # Passing over is always one of the ways; what it costs goes by what the word may have been.
    found: list[Partial] = [partial.then(place + 1, lost, weights, skipped=skipped)]
    for mention in lattice.starting[place]:
        found.extend(RULES[mention.kind](Situation(partial, mention, lattice, metadata, weights)))
    return found


def _kept(partials: list[Partial], width: int) -> list[Partial]:
    """The best, one of each content."""
    best: dict[object, Partial] = {}
    for partial in partials:
        # Two ways to the same content end alike from here on: the better one stands for both.
        key = partial.content
        if key not in best or best[key].score < partial.score:
            best[key] = partial
    return sorted(best.values(), key=lambda p: -p.score)[:width]


def unread(partial: Partial, lattice: Lattice) -> tuple[str, ...]:
    """Words that were passed over and carry meaning: where no feature of a rule begins."""
    return tuple(lattice.tokens[place].text for place in partial.skipped if lattice.weight[place])
