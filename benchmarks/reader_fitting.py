"""Fitting the reader's ranking and calibration with numpy: a listwise softmax, and a logistic model over its choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from svc_notebook.analyst.offline.ranking.apart import apart
from svc_notebook.analyst.offline.ranking.model import Ranking, evidence
from svc_notebook.analyst.offline.ranking.outcome import UNKNOWN, Outcome, agreeing, outcomes
from svc_notebook.analyst.offline.ranking.standing import Standing, standing
from svc_notebook.analyst.offline.reader import decide

from .reader_labels import Row

__all__ = [
    "PEOPLE", "Decided", "calibrate", "calibrated", "contenders", "counted", "decided", "fit_composing",
    "fit_listwise", "fit_standing", "fold_of", "folds_of",
]  # fmt: skip

Weights = dict[str, float]
Features = tuple[tuple[str, float], ...]
PEOPLE = "everyday"  # the set that is like people's own questions
_COUNTS = {
    PEOPLE: 3.0,
    "strangers": 3.0,
    "own": 1.0,
}  # how much each question of a set counts for how sure an answer is
_PUBLIC = 0.5  # and of a set whose questions were written for machines
_WEIGHTS = {"smalltalk": 0.1, "clarify": 0.4, "stranger": 0.3, "removed": 0.4, "about": 0.5}  # they are seldom asked
_STRENGTH = 2.0  # how strongly weights are drawn back to where they start
_CALM = 10.0  # what draws the weights of the probability to none
_CROSSED = 6.0  # the same for a flag beside a cue, of which there are thousands
_KEPT = 100  # of those, how many are kept
_RARE = 15  # examples that a fact must hold in
_FEWEST = 3  # questions that a feature must be seen in
_NEVER = 1e4


def folds_of(rows: Sequence[Row], folds: int) -> dict[str, int]:
    """Fold by database, variants and sets of one database together (``store_1`` is ``chinook``)."""
    names = sorted({_database(row) for row in rows})
    return {name: place % folds for place, name in enumerate(names)}


def _database(row: Row) -> str:
    return {"store_1": "chinook"}.get(row.database, row.database)


def fold_of(row: Row, folds: Mapping[str, int]) -> int:
    return folds[_database(row)]


@dataclass(frozen=True, slots=True)
class _Lists:
    """Questions as lists of features of what they may mean, in one sparse matrix: entries by row and column."""

    names: list[str]
    rows: Any
    columns: Any
    values: Any
    sizes: Any
    right: Any


def _lists(questions: Sequence[tuple[Sequence[Features], Sequence[bool]]]) -> _Lists:
    """Those that teach something: where some are right, and not all."""
    used = [(features, right) for features, right in questions if any(right) and not all(right)]
    seen = Counter(name for features, _ in used for name in {name for each in features for name, _ in each})
    names = sorted(name for name, count in seen.items() if count >= _FEWEST)
    place = {name: at for at, name in enumerate(names)}
    entries = []
    row = 0
    for features, _ in used:
        told = [_summed(each, place) for each in features]
        same = set.intersection(*(set(each.items()) for each in told))  # what all have in common teaches nothing
        for each in told:
            entries.extend((row, column, value) for column, value in each.items() if (column, value) not in same)
            row += 1
    rows, columns, values = (np.array(part) for part in zip(*entries, strict=True))
    sizes = np.array([len(right) for _, right in used])
    return _Lists(names, rows, columns, values, sizes, np.concatenate([np.array(r, float) for _, r in used]))


def _summed(features: Features, place: Mapping[str, int]) -> dict[int, float]:
    found: dict[int, float] = {}
    for name, value in features:
        if name in place:
            found[place[name]] = found.get(place[name], 0.0) + value
    return found


def _fit(lists: _Lists, start: Any, strength: Any) -> Any:
    """Weights that make what is right likely among what a question may mean."""
    total_rows, width = len(lists.right), len(lists.names)
    starts = np.cumsum(np.r_[0, lists.sizes])[:-1]
    owner = np.repeat(np.arange(len(lists.sizes)), lists.sizes)

    def loss(weights: Any) -> tuple[float, Any]:
        scores = np.bincount(lists.rows, lists.values * weights[lists.columns], total_rows)
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        total, good = np.add.reduceat(powers, starts), np.add.reduceat(powers * lists.right, starts) + 1e-300
        bent = powers / total[owner] - powers * lists.right / good[owner]
        away = weights - start
        slope = np.bincount(lists.columns, lists.values * bent[lists.rows], width) + strength * away
        return float(np.sum(np.log(total) - np.log(good)) + np.sum(strength * away * away) / 2), slope

    return minimise(loss, start, 120)


def fit_listwise(questions: Sequence[tuple[Sequence[Features], Sequence[bool]]], prior: Mapping[str, float],
                 strength: float = _STRENGTH) -> Weights:  # fmt: skip
    """Weights that make what is right likely among what each question may mean; ``prior`` is what they shrink to."""
    lists = _lists(questions)
    fitted = _fit(lists, np.array([prior.get(name, 0.0) for name in lists.names]), np.full(len(lists.names), strength))
    return {**prior, **{name: round(float(w), 4) for name, w in zip(lists.names, fitted, strict=True)}}


def fit_composing(rows: Sequence[Row], prior: Mapping[str, float]) -> Weights:
    """Weights of the features of clauses, by which forms are composed."""
    return fit_listwise([(row.composed, row.composed_right) for row in rows], prior)


def fit_standing(rows: Sequence[Row], prior: Mapping[str, float]) -> Weights:
    """Weights of whole readings beside each other. Of the flags beside cues those that move most are kept."""
    lists = _lists([([s.features for s in row.found], row.right) for row in rows])
    start = np.array([prior.get(name, 0.0) for name in lists.names])
    crossed = np.array(["<" in name for name in lists.names])
    strength = np.where(crossed, _CROSSED, _STRENGTH)
    fitted = _fit(lists, start, strength)
    spread = np.sqrt(np.bincount(lists.columns, lists.values**2, len(lists.names)))
    moved = np.abs(fitted) * spread * crossed
    least = np.sort(moved)[-_KEPT] if crossed.sum() > _KEPT else 0.0
    fitted = _fit(lists, start, np.where(crossed & (moved < least), _NEVER, strength))
    kept = {n: round(float(w), 4) for n, w in zip(lists.names, fitted, strict=True)}
    return {name: weight for name, weight in kept.items() if abs(weight) >= 0.001}


@dataclass(frozen=True, slots=True)
class Decided:
    """A reading that may be answered: its evidence, and with what it gives (nothing where it was not run); whether it is
    right, and leaves words out.
    """

    row: Row
    facts: Weights
    seen: Weights
    right: bool
    unread: bool
    by_rules: bool
    sure: float = 0.0
    offered: bool = False  # whether a right one is among those shown beside it

    @property
    def way(self) -> str:
        """Which of the least probabilities holds for it."""
        return "least_known" if self.by_rules else "least_told" if self.unread else "least"


def contenders(row: Row, weights: Mapping[str, float]) -> list[Decided]:
    """What these weights put first, and the reading of the rules where that is another one."""
    order = standing(row.found, weights)
    firsts = [s for s in order if s is order[0] or s.by_rules]
    return [_as_decided(row, [s, *(o for o in order if o is not s)]) for s in firsts]


def decided(
    row: Row, weights: Mapping[str, float], sure: Mapping[str, float], seen: Mapping[str, float]
) -> Decided | None:
    """What is answered, if it is likely enough, by the reader's own decision."""
    ranking = Ranking({}, weights, sure, seen, 0.0, 0.0, 0.0, {})
    order, likely = decide(standing(row.found, weights), row.words, ranking, lambda s: _given(row, s))
    if not order:
        return None
    beside = apart(order, lambda form: _given(row, next(s for s in order if s.form is form)), answered=True)
    offered = any(row.told[_place(row, s)] for s in order if any(s.form is form for form in beside))
    return replace(_as_decided(row, order), sure=likely, offered=offered)


def _as_decided(row: Row, order: Sequence[Standing]) -> Decided:
    facts, first = evidence(order, row.words), order[0]
    given = outcomes(order, lambda s: _given(row, s))
    seen = facts | agreeing(order, given) if given[0] != UNKNOWN else {}
    return Decided(row, facts, seen, row.told[_place(row, first)], bool(first.unread), first.by_rules)


def _place(row: Row, of: Standing) -> int:
    return next(place for place, s in enumerate(row.found) if s.features is of.features)


def _given(row: Row, of: Standing) -> Outcome | None:
    return row.given.get(_place(row, of), UNKNOWN)


def calibrated(known: Sequence[Decided]) -> tuple[Weights, Weights]:
    """The probability of being right, from choices made by weights that had not seen their databases; and the same
    where what is given is known.
    """
    right = [d.right for d in known]
    counts = [_WEIGHTS.get(d.row.kind, 1.0) for d in known]  # of every set alike: which set it is, no asker says
    ran = [place for place, d in enumerate(known) if d.seen]
    seen = calibrate([known[at].seen for at in ran], [right[at] for at in ran], [counts[at] for at in ran])
    return calibrate([d.facts for d in known], right, counts), seen


def counted(row: Row) -> float:
    """How much a question counts."""
    return _WEIGHTS.get(row.kind, 1.0) * _COUNTS.get(row.set, _PUBLIC)


def calibrate(
    facts: Sequence[Mapping[str, float]], right: Sequence[bool], counts: Sequence[float], strength: float = _CALM
) -> Weights:
    """A logistic model of being right; each question counts for so much."""
    told = Counter(name for fact in facts for name, value in fact.items() if value)
    names = sorted(name for name, count in told.items() if count >= _RARE)
    matrix = np.array([[fact.get(name, 0.0) for name in names] for fact in facts])
    wanted, count = np.array(right, float), np.array(counts, float)

    def loss(weights: Any) -> tuple[float, Any]:
        scores = matrix @ weights
        likely = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
        value = np.sum(count * (np.logaddexp(0, scores) - wanted * scores)) + strength * weights @ weights / 2
        return float(value), matrix.T @ (count * (likely - wanted)) + strength * weights

    fitted = minimise(loss, np.zeros(len(names)))
    return {name: round(float(fitted[i]), 4) for i, name in enumerate(names)}


def minimise(loss: Callable[[Any], tuple[float, Any]], start: Any, steps: int = 200) -> Any:
    """Limited-memory BFGS with a backtracking line search."""
    point = start.copy()
    value, slope = loss(point)
    moves: list[tuple[Any, Any]] = []
    for _ in range(steps):
        direction = slope.copy()
        kept = []
        for move, change in reversed(moves):
            share = (move @ direction) / (change @ move)
            kept.append(share)
            direction -= share * change
        last = moves[-1] if moves else None
        direction *= (last[0] @ last[1]) / (last[1] @ last[1]) if last else 1 / max(1.0, float(np.abs(slope).max()))
        for (move, change), share in zip(moves, reversed(kept), strict=True):
            direction += (share - (change @ direction) / (change @ move)) * move
        step = 1.0
        while step > 1e-7:
            after, bent = loss(point - step * direction)
            if after <= value - 1e-4 * step * (slope @ direction):
                break
            step /= 2
        else:
            break
        move, change = -step * direction, bent - slope
        if change @ move > 1e-10:
            moves = [*moves, (move, change)][-10:]
        point, slope, done = point + move, bent, abs(value - after) < 1e-6 * max(1.0, abs(value))
        value = after
        if done:
            break
    return point
