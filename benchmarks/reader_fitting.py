"""Fitting the reader's ranking and calibration with numpy: a listwise softmax, and logistic models over its choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from svc_notebook.analyst.offline.forms import Form, Role
from svc_notebook.analyst.offline.grammar import Candidate
from svc_notebook.analyst.offline.ranking.model import evidence, probability
from svc_notebook.analyst.offline.reader import is_grave

from .reader_labels import Row

__all__ = ["calibrate", "chosen", "fit_ranking", "folds_of", "standing"]

Weights = dict[str, float]
_NOTHING = Form(Role(""))


def folds_of(rows: Sequence[Row], folds: int) -> dict[str, int]:
    """Fold by database, variants and sets of one database together (``store_1`` is ``chinook``)."""
    names = sorted({_database(row) for row in rows})
    return {name: place % folds for place, name in enumerate(names)}


def _database(row: Row) -> str:
    return {"store_1": "chinook"}.get(row.database, row.database)


def fold_of(row: Row, folds: Mapping[str, int]) -> int:
    return folds[_database(row)]


def fit_ranking(rows: Sequence[Row], prior: Mapping[str, float], strength: float) -> Weights:
    """Weights that make right candidates likely among those of their question; ``prior`` is what they shrink to."""
    used = [row for row in rows if any(row.labels) and not all(row.labels)]
    names = sorted({name for row in used for features in row.features for name, _ in features})
    place = {name: i for i, name in enumerate(names)}
    matrix = np.zeros((sum(len(row.labels) for row in used), len(names)))
    at = 0
    for row in used:
        for features in row.features:
            for name, value in features:
                matrix[at, place[name]] += value
            at += 1
    starts = np.cumsum([0] + [len(row.labels) for row in used])[:-1]
    owner = np.repeat(np.arange(len(used)), [len(row.labels) for row in used])
    right = np.concatenate([np.array(row.labels, float) for row in used])
    start = np.array([prior.get(name, 0.0) for name in names])

    def loss(weights: Any) -> tuple[float, Any]:
        scores = matrix @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        total, good = np.add.reduceat(powers, starts), np.add.reduceat(powers * right, starts) + 1e-300
        away = weights - start
        slope = matrix.T @ (powers / total[owner] - powers * right / good[owner]) + strength * away
        return float(np.sum(np.log(total) - np.log(good)) + strength * away @ away / 2), slope

    fitted = minimise(loss, start)
    return {**prior, **{name: round(float(fitted[i]), 4) for name, i in place.items()}}


def standing(row: Row, weights: Mapping[str, float]) -> list[tuple[int, Candidate]]:
    """A row's candidates as these weights order them, with their places in the row."""
    scored = [
        (sum(weights.get(name, 0.0) * value for name, value in features), place)
        for place, features in enumerate(row.features)
    ]
    scored.sort(key=lambda item: -item[0])
    return [(place, Candidate(_NOTHING, row.features[place], score, row.unread[place])) for score, place in scored]


def chosen(row: Row, weights: Mapping[str, float]) -> tuple[dict[str, float], bool, bool]:
    """Evidence for a row, whether the best reading can be said and is right, and whether it is the rules' one."""
    order = standing(row, weights)
    best = order[0][0] if order else -1
    said = 0 <= best < len(row.plans) and row.plans[best]
    agree = bool(said and row.agree[best])
    facts = evidence([candidate for _, candidate in order], row.words, row.before, agree)
    grave = bool(order) and is_grave(order[0][1])
    return {**facts, "said": float(said), "grave": float(grave)}, bool(said and row.plan_right[best]), agree


def calibrate(facts: Sequence[Mapping[str, float]], right: Sequence[bool], strength: float = 3.0) -> Weights:
    """A logistic model of being right."""
    names = sorted({name for fact in facts for name in fact if name not in ("said", "grave")})
    matrix = np.array([[fact.get(name, 0.0) for name in names] for fact in facts])
    wanted = np.array(right, float)

    def loss(weights: Any) -> tuple[float, Any]:
        scores = matrix @ weights
        likely = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
        value = np.sum(np.logaddexp(0, scores) - wanted * scores) + strength * weights @ weights / 2
        return float(value), matrix.T @ (likely - wanted) + strength * weights

    fitted = minimise(loss, np.zeros(len(names)))
    return {name: round(float(fitted[i]), 4) for i, name in enumerate(names)}


def likely(weights: Mapping[str, float], facts: Sequence[Mapping[str, float]]) -> list[float]:
    return [probability(weights, fact) for fact in facts]


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
