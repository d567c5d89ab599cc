"""Threads drawn of a question and what people say next: each turn gives what pandas makes of all that holds by then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from ferries import crossings, ferries

import svc_notebook as svc

Rows = pd.DataFrame
SEED, THREADS, TURNS = 3, 30, 3


@dataclass(frozen=True)
class Shown:
    """What an answer shows: a number put together by a group, of the rows that meet each kind of rule."""

    number: str
    fold: str
    by: str
    rules: tuple[tuple[str, Callable[[Rows], pd.Series]], ...] = ()
    most: int = 0

    def numbers(self) -> list[float]:
        rows = crossings()
        for _, rule in self.rules:
            rows = rows[rule(rows)]
        moments = {"month": rows.departed_at.dt.to_period("M")}
        groups = rows.groupby(moments.get(self.by, self.by))
        made = groups.size() if not self.number else getattr(groups[self.number], self.fold)()
        return sorted(map(float, made.sort_values(ascending=False).head(self.most or len(made))))


Edit = Callable[[Shown], Shown]


def _only(kind: str, rule: Callable[[Rows], pd.Series]) -> Edit:
    """A rule takes the place of one of its kind."""
    return lambda s: replace(s, rules=(*(each for each in s.rules if each[0] != kind), (kind, rule)))


STARTS = {
    "average delay by harbour": Shown("delay_minutes", "mean", "harbour"),
    "number of crossings by operator": Shown("", "", "operator"),
    "total fuel litres by weather": Shown("fuel_litres", "sum", "weather"),
    "average delay per vessel": Shown("delay_minutes", "mean", "vessel"),
}
EDITS: dict[str, Edit] = {
    "only in 2023": _only("time", lambda r: r.departed_at.dt.year == 2023),
    "what about 2022?": _only("time", lambda r: r.departed_at.dt.year == 2022),
    "only stormy ones": _only("weather", lambda r: r.weather == "stormy"),
    "only calm ones": _only("weather", lambda r: r.weather == "calm"),
    "without the cancelled ones": _only("cancelled", lambda r: ~r.cancelled),
    "only from Oban and Mallaig": _only("harbour", lambda r: r.harbour.isin(["Oban", "Mallaig"])),
    "exclude Tarbert": _only("harbour", lambda r: r.harbour != "Tarbert"),
    "by weather instead": lambda s: replace(s, by="weather"),
    "by harbour instead": lambda s: replace(s, by="harbour"),
    "by month instead": lambda s: replace(s, by="month"),
    "total passengers instead": lambda s: replace(s, number="passengers", fold="sum"),
    "the median delay instead": lambda s: replace(s, number="delay_minutes", fold="median"),
    "average rating instead": lambda s: replace(s, number="rating", fold="mean"),
    "the number of crossings instead": lambda s: replace(s, number="", fold=""),
}
LAST: dict[str, Edit] = {"show the top 2": lambda s: replace(s, most=2)}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(ferries()) as opened:
        yield opened


def _threads() -> Iterator[tuple[str, ...]]:
    dice = np.random.default_rng(SEED)
    for number in range(THREADS):
        edits = dice.choice(list(EDITS), TURNS, replace=False)
        yield (str(dice.choice(list(STARTS))), *map(str, edits), *(LAST if number % 2 else ()))


@pytest.mark.parametrize("said", [pytest.param(said, id=" · ".join(said)) for said in _threads()])
def test_each_turn_gives_what_holds_by_then(client: Any, said: tuple[str, ...]) -> None:
    chat = client.chat()
    chat.ask(said[0])
    shown = STARTS[said[0]]
    for turn in said[1:]:
        answer, shown = chat.ask(turn), (EDITS | LAST)[turn](shown)
        assert answer.result is not None, (turn, answer.text)
        numbers = sorted(map(float, answer.result.load_all().iloc[:, -1]))
        assert np.allclose(numbers, shown.numbers(), rtol=1e-6), (turn, answer.sql)
