"""Days beside a column of parts of days, both halves of a day, and what drives a number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def calls() -> dict[str, pd.DataFrame]:
    """Calls at a desk: one table, with a part of the day in words."""
    dice = np.random.default_rng(3)
    at = pd.Timestamp("2025-01-01") + pd.to_timedelta(np.sort(dice.integers(0, 60 * 1440, 300)), "min")
    parts = ["Early", "Noonish", "Late", "Unknown"]
    return {
        "calls": pd.DataFrame(
            {"called_at": at, "time_of_day": dice.choice(parts, 300), "desk": dice.choice(["North", "South"], 300),
             "minutes": dice.integers(1, 30, 300)}
        )
    }  # fmt: skip


def rides() -> dict[str, pd.DataFrame]:
    """The same rows as rides that cost something."""
    return {"rides": calls()["calls"].rename(columns={"called_at": "start_time", "minutes": "fare"})}


@pytest.mark.parametrize("question", ["average calls per day", "average daily calls", "calls per day on average"])
def test_a_day_is_no_time_of_day(question: str) -> None:
    days = calls()["calls"].called_at.dt.date
    with svc.embedded(calls()) as service:
        answer = service.chat().ask(question)
        assert answer.result.to_frame().iloc[0, 0] == pytest.approx(300 / days.nunique(), rel=0.05)


def test_the_time_of_day_is_still_called_so() -> None:
    with svc.embedded(calls()) as service:
        assert len(service.chat().ask("calls by time of day").result.to_frame()) == 4


@pytest.mark.parametrize(
    "question", ["rides before noon and after noon", "number of rides after noon and before midday"]
)
def test_both_halves_of_a_day_stand_beside_each_other(question: str) -> None:
    hours = rides()["rides"].start_time.dt.hour
    with svc.embedded(rides()) as service:
        counted = set(service.chat().ask(question).result.to_frame()["count"])
    assert counted == {(hours < 12).sum(), (hours >= 12).sum()}


@pytest.mark.parametrize("question", ["what drives the fare", "what is driving the fare"])
def test_what_drives_a_number_is_no_ride(question: str) -> None:
    with svc.embedded(rides()) as service:
        answer = service.chat().ask(question)
    assert answer.result is None


@pytest.mark.parametrize("question", ["day vs night rides", "night versus day average fare"])
def test_day_and_night_in_front_are_both_told(question: str) -> None:
    with svc.embedded(rides()) as service:
        answer = service.chat().ask(question)
    assert set(answer.result.to_frame().iloc[:, 0]) == {"day", "night"}
