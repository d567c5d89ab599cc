"""What people ask of crossings and of which of them, each with what pandas makes of the rows: to be drawn in pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

__all__ = ["ASKS", "WHICH", "Ask", "Which", "drawn"]

Rows = pd.DataFrame
Kept = Callable[[Rows], pd.Series]


@dataclass(frozen=True)
class Which:
    """Words that say which crossings, and which those are; ``of`` tells what is bounded."""

    words: str
    kept: Kept
    of: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Ask:
    """What is asked of crossings, with a place for which of them; it gives a number, or numbers by their groups.

    Which are bounded by the same number, or called by the same words (``of``), could mean each or all of a group.
    """

    words: str
    gives: Callable[[Rows], float | pd.Series]
    of: frozenset[str] = frozenset()


def _of(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _when(low: str, high: str) -> Kept:
    return lambda r: (r.departed_at >= low) & (r.departed_at < high)


def _hours(*hours: int) -> Kept:
    return lambda r: r.departed_at.dt.hour.isin(hours)


WHICH = (
    Which("from Oban", lambda r: r.harbour == "Oban"),
    Which("from Oban or Mallaig", lambda r: r.harbour.isin(["Oban", "Mallaig"])),
    Which("not from Oban", lambda r: r.harbour != "Oban"),
    Which("except from Oban and Tarbert", lambda r: ~r.harbour.isin(["Oban", "Tarbert"])),
    Which("in stormy weather", lambda r: r.weather == "stormy"),
    Which("that were not cancelled", lambda r: ~r.cancelled, _of("cancelled")),
    Which("that were cancelled", lambda r: r.cancelled, _of("cancelled")),
    Which("with more than 100 passengers", lambda r: r.passengers > 100, _of("passengers")),
    Which("with at least 100 passengers", lambda r: r.passengers >= 100, _of("extreme passengers")),
    Which("with fewer than 40 passengers", lambda r: r.passengers < 40, _of("passengers")),
    Which("with at most 40 passengers", lambda r: r.passengers <= 40, _of("extreme passengers")),
    Which("with no more than 60 passengers", lambda r: r.passengers <= 60, _of("extreme passengers")),
    Which("delayed by more than half an hour", lambda r: r.delay_minutes > 30, _of("delay")),
    Which("with a delay of over 20 minutes", lambda r: r.delay_minutes > 20, _of("delay")),
    Which("with a delay of less than 0.2 hours", lambda r: r.delay_minutes < 12, _of("delay")),
    Which("with a rating of 5", lambda r: r.rating == 5, _of("rating")),
    Which("with a rating above 3", lambda r: r.rating > 3, _of("rating")),
    Which("rated 4 or higher", lambda r: r.rating >= 4, _of("rating")),
    Which("of the Curlew", lambda r: r.vessel == "Curlew", _of("vessel")),
    Which("operated by Northlink", lambda r: r.operator == "Northlink", _of("operator")),
    Which("of vessels with a capacity over 100", lambda r: r.capacity > 100, _of("vessel extreme")),
    Which("in 2023", _when("2023-01-01", "2024-01-01")),
    Which("in March 2023", _when("2023-03-01", "2023-04-01")),
    Which("in the first quarter of 2023", _when("2023-01-01", "2023-04-01")),
    Which("in Q3 2022", _when("2022-07-01", "2022-10-01")),
    Which("since April 2023", lambda r: r.departed_at >= "2023-04-01"),
    Which("before June 2022", lambda r: r.departed_at < "2022-06-01"),
    Which("after June 2023", lambda r: r.departed_at >= "2023-07-01"),
    Which("between March and May 2023", _when("2023-03-01", "2023-06-01")),
    Which("from 5 to 20 May 2023", _when("2023-05-05", "2023-05-21")),
    Which("in the second half of 2022", _when("2022-07-01", "2023-01-01")),
    Which("on weekends", lambda r: r.departed_at.dt.day_of_week >= 5, _of("weekday")),
    Which("on Mondays", lambda r: r.departed_at.dt.day_of_week == 0, _of("weekday")),
    Which("in summer", lambda r: r.departed_at.dt.month.isin([6, 7, 8])),
    Which("before noon", _hours(*range(12))),
    Which("after 6 pm", _hours(*range(18, 24))),
    Which("between 8 and 10 am", _hours(8, 9)),
    Which("from Oban in stormy weather", lambda r: (r.harbour == "Oban") & (r.weather == "stormy")),
    Which("from Oban in 2023", lambda r: (r.harbour == "Oban") & (r.departed_at.dt.year == 2023)),
    Which("from Mallaig that were not cancelled", lambda r: (r.harbour == "Mallaig") & ~r.cancelled, _of("cancelled")),
)


def _most(per: pd.Series, count: int, *, least: bool = False) -> pd.Series:
    return per.sort_values(ascending=least).head(count)


ASKS = (
    Ask("how many crossings were there {}?", len),
    Ask("number of crossings {}", len),
    Ask("average delay of crossings {}", lambda r: r.delay_minutes.mean(), _of("delay")),
    Ask("total passengers of crossings {}", lambda r: r.passengers.sum(), _of("passengers")),
    Ask("median fuel litres of crossings {}", lambda r: r.fuel_litres.median()),
    Ask("what is the longest delay of crossings {}?", lambda r: r.delay_minutes.max(), _of("delay extreme")),
    Ask("lowest fuel litres of crossings {}", lambda r: r.fuel_litres.min(), _of("extreme")),
    Ask("number of crossings by harbour {}", lambda r: r.groupby("harbour").size()),
    Ask("crossings {} by weather", lambda r: r.groupby("weather").size()),
    Ask("average rating by operator of crossings {}", lambda r: r.groupby("operator").rating.mean(), _of("rating operator delay")),
    Ask("total fuel litres per vessel of crossings {}", lambda r: r.groupby("vessel").fuel_litres.sum(), _of("vessel")),
    Ask("which harbour has the most crossings {}?", lambda r: _most(r.groupby("harbour").size(), 1)),
    Ask("which vessel had the fewest crossings {}?", lambda r: _most(r.groupby("vessel").size(), 1, least=True), _of("vessel extreme delay")),
    Ask("top 3 vessels by total passengers of crossings {}", lambda r: _most(r.groupby("vessel").passengers.sum(), 3), _of("vessel passengers extreme")),
    Ask("what share of crossings {} were cancelled?", lambda r: r.cancelled.mean(), _of("cancelled delay rating")),
    Ask("how many different vessels made crossings {}?", lambda r: r.vessel_id.nunique(), _of("vessel operator")),
    Ask("busiest month of crossings {}", lambda r: _most(r.groupby(r.departed_at.dt.to_period("M")).size(), 1)),
    Ask("number of crossings per year {}", lambda r: r.groupby(r.departed_at.dt.year).size()),
    Ask("average delay per month of crossings {}",
        lambda r: r.groupby(r.departed_at.dt.to_period("M")).delay_minutes.mean(), _of("delay")),
    Ask("number of crossings by weekday {}", lambda r: r.groupby(r.departed_at.dt.day_of_week).size(), _of("weekday")),
)  # fmt: skip


def drawn(seed: int, count: int) -> list[tuple[Ask, Which]]:
    """So many pairs, each once."""
    pairs = [(ask, which) for ask in ASKS for which in WHICH if not ask.of & which.of]
    return [pairs[place] for place in np.random.default_rng(seed).choice(len(pairs), count, replace=False)]
