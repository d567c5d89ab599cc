"""Half years and decades as groups, of times and of years that are numbers; a verb beside them names the time."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

TRIPS = pd.DataFrame({
    "trip_id": range(1, 61),
    "departed_at": pd.date_range("1998-01-15", periods=60, freq="61D"),
    "fare": [10.0 + place for place in range(60)],
})  # fmt: skip
HOUSES = pd.DataFrame({
    "house": [f"House {letter}" for letter in "ABCDEFGH"],
    "built": [1951, 1958, 1963, 1967, 1969, 1984, 1986, 1991],
    "rooms": [4, 5, 3, 6, 4, 5, 7, 2],
})  # fmt: skip


@pytest.fixture(scope="module")
def travel() -> Iterator[svc.Client]:
    with svc.embedded(data={"trips": TRIPS, "houses": HOUSES}) as opened:
        yield opened


def counts(client: svc.Client, question: str) -> dict[str, float]:
    answer = client.chat().ask(question)
    assert answer.df is not None, answer.text
    assert "left out" not in answer.text
    return {str(name): float(number) for name, number in answer.df.itertuples(index=False)}


@pytest.mark.parametrize(
    "question", ["trips per half year", "number of trips by half-year", "trips that departed in each half year"]
)
def test_half_years_are_groups(travel: svc.Client, question: str) -> None:
    times = TRIPS.departed_at
    named = times.dt.year.astype(str) + " H" + ((times.dt.month > 6) + 1).astype(str)
    assert counts(travel, question) == named.value_counts().to_dict()


@pytest.mark.parametrize("question", ["trips per decade", "how many trips departed each decade", "trips by decade"])
def test_decades_are_groups(travel: svc.Client, question: str) -> None:
    named = (TRIPS.departed_at.dt.year // 10 * 10).astype(str) + "s"
    assert counts(travel, question) == named.value_counts().to_dict()


@pytest.mark.parametrize("question", ["houses built per decade", "number of houses by decade"])
def test_years_that_are_numbers_have_decades(travel: svc.Client, question: str) -> None:
    assert [int(n) for n in counts(travel, question).values()] == [2, 3, 2, 1]


def test_decades_are_told_as_years(travel: svc.Client) -> None:
    assert "**1960 to 1970**" in travel.chat().ask("number of houses by decade").text


def test_the_last_decade_is_no_group(travel: svc.Client) -> None:
    assert travel.chat().ask("trips in the last decade").outcome != "complete"


@pytest.mark.parametrize("words", ["first half of 2001", "first half of the year 2001", "first half in 2001"])
def test_half_of_a_year_is_a_period(travel: svc.Client, words: str) -> None:
    answer = travel.chat().ask(f"total fare in the {words}")
    own = TRIPS[(TRIPS.departed_at >= "2001-01-01") & (TRIPS.departed_at < "2001-07-01")]
    assert answer.df is not None and float(answer.df.iloc[0, -1]) == own.fare.sum()
