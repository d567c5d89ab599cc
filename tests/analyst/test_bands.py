"""Bands whose bounds are said in the question: how many lie in each, in the order they were said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.reading.band_words import banded


def parcels() -> dict[str, pd.DataFrame]:
    """Parcels of couriers, by weight and by what was charged; of some the weight is not known."""
    dice, count = np.random.default_rng(5), 400
    weights = np.round(dice.gamma(2, 4, count), 1)
    couriers = pd.DataFrame(
        {"courier_id": range(1, 4), "courier": ["Ane Bo", "Kai Lund", "Mia Sol"], "depot": ["east", "west", "west"]}
    )
    return {"couriers": couriers, "parcels": pd.DataFrame({
        "parcel_id": range(1, count + 1), "courier_id": dice.integers(1, 4, count),
        "sent_on": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 300, count), unit="D"),
        "weight_kg": np.where(dice.random(count) < 0.1, np.nan, weights), "stamps": dice.integers(0, 40, count),
        "charge_eur": np.round(dice.uniform(2, 60, count), 2), "state": dice.choice(["sent", "lost"], count, p=[0.9, 0.1]),
    })}  # fmt: skip


def members() -> dict[str, pd.DataFrame]:
    """Members of a club, with their births."""
    dice = np.random.default_rng(6)
    born = pd.Timestamp("1960-01-01") + pd.to_timedelta(dice.integers(0, 20000, 150), unit="D")
    return {"members": pd.DataFrame({
        "member_id": range(1, 151), "name": [f"M{n}" for n in range(150)], "birth_date": born,
        "town": dice.choice(["Nes", "Vik"], 150), "joined_on": pd.Timestamp("2020-01-01") + pd.to_timedelta(dice.integers(0, 900, 150), unit="D"),
    })}  # fmt: skip


@pytest.fixture(scope="module")
def post() -> Iterator[Any]:
    with svc.embedded(parcels()) as opened:
        yield opened


@pytest.fixture(scope="module")
def club() -> Iterator[Any]:
    with svc.embedded(members()) as opened:
        yield opened


@pytest.fixture(scope="module")
def sent() -> pd.DataFrame:
    known = parcels()
    return known["parcels"].merge(known["couriers"])


def _shown(client: Any, question: str) -> list[list[Any]]:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return [list(row) for row in answer.result.load_all().itertuples(index=False)]


def _cut(numbers: pd.Series, edges: list[float], labels: list[str], right: bool = True) -> list[list[Any]]:
    found = pd.cut(numbers, edges, labels=labels, right=right).value_counts()
    return [[label, found[label]] for label in labels]


_INF = float("inf")


@pytest.mark.parametrize("question", [
    "parcels with up to 10 stamps, 11 to 20, above 20 - how many each",
    "how many parcels have up to 10 stamps, 11 to 20 and above 20",
    "put the parcels into up to 10 stamps, 11 to 20 and above 20, how many in each",
    "how big are our parcels: number with up to 10 stamps, 11 to 20 and above 20",
])  # fmt: skip
def test_counted_by_whole_numbers(post: Any, sent: pd.DataFrame, question: str) -> None:
    labels = ["up to 10", "11 to 20", "above 20"]
    assert _shown(post, question) == _cut(sent["stamps"], [-_INF, 10, 20, _INF], labels)


def test_between_two_bands_of_whole_numbers_no_fraction_is_lost(post: Any, sent: pd.DataFrame) -> None:
    assert ((sent["weight_kg"] > 5) & (sent["weight_kg"] < 6)).any()
    shown = _shown(post, "how many parcels weigh up to 5 kg, 6 to 10 kg, more than 10 kg")
    assert shown == _cut(sent["weight_kg"], [-_INF, 5, 10, _INF], ["up to 5", "6 to 10", "more than 10"])


def test_a_bound_of_both_belongs_where_its_words_put_it(post: Any, sent: pd.DataFrame) -> None:
    labels = ["under 10", "10 to 20", "over 20"]
    shown = _shown(post, "parcels with under 10 stamps, 10 to 20, over 20")
    assert shown == _cut(sent["stamps"], [-_INF, 9.5, 20, _INF], labels)
    labels = ["0 to 10", "10 to 20", "20 or more"]
    shown = _shown(post, "number of parcels by stamps: 0 to 10, 10 to 20, 20 or more")
    assert [n for _, n in shown] == [n for _, n in _cut(sent["stamps"], [-1, 9, 19, _INF], labels)]


def test_what_lies_in_no_band_is_said(post: Any, sent: pd.DataFrame) -> None:
    answer = post.chat().ask("parcels with 5 to 10 stamps, 11 to 20 and 30 to 35")
    shown = [list(row) for row in answer.result.load_all().itertuples(index=False)]
    assert [n for _, n in shown] == [int(sent["stamps"].between(*ends).sum()) for ends in ((5, 10), (11, 20), (30, 35))]
    assert "where" in answer.text and "30" in answer.text


def test_with_another_number_and_a_condition(post: Any, sent: pd.DataFrame) -> None:
    lost = sent[sent["state"] == "lost"]
    band = pd.cut(lost["stamps"], [-_INF, 10, 20, _INF])
    shown = _shown(post, "average charge of lost parcels with up to 10 stamps, 11 to 20, above 20")
    assert [round(n, 6) for _, n in shown] == [
        round(n, 6) for n in lost.groupby(band, observed=True)["charge_eur"].mean()
    ]


def test_beside_a_group(post: Any, sent: pd.DataFrame) -> None:
    band = pd.cut(sent["stamps"], [-_INF, 10, 20, _INF], labels=["up to 10", "11 to 20", "above 20"])
    expected = sent.groupby(["depot", band], observed=True).size()
    shown = _shown(post, "how many parcels with up to 10 stamps, 11 to 20 and above 20 by depot")
    assert {(depot, label): n for depot, label, n in shown} == expected.to_dict()


def test_as_a_share(post: Any, sent: pd.DataFrame) -> None:
    shown = _shown(post, "what share of parcels has up to 10 stamps, 11 to 20, above 20")
    counted = _cut(sent["stamps"], [-_INF, 10, 20, _INF], ["up to 10", "11 to 20", "above 20"])
    assert [[label, n, round(part, 9)] for label, n, part in shown] == [[la, n, round(n / 400, 9)] for la, n in counted]


@pytest.mark.parametrize("question", [
    "members aged 20 to 35, 36 to 50, 51 and over",
    "how many members are 20 to 35, 36 to 50 or over 50 years old",
])  # fmt: skip
def test_ages(club: Any, question: str) -> None:
    today = pd.Timestamp.now()
    born = members()["members"]["birth_date"]
    ages = today.year - born.dt.year - ((born.dt.month * 100 + born.dt.day) > today.month * 100 + today.day)
    expected = [int(ages.between(low, high).sum()) for low, high in ((20, 35), (36, 50), (51, 200))]
    assert [n for _, n in _shown(club, question)] == expected


@pytest.mark.parametrize("question", [
    "parcels between 5 and 10 kg or over 20 kg", "parcels with more than 5 stamps", "top 3 couriers, 5 to 10 stamps",
    "parcels from 2019 to 2020, 2021 to 2022, 2023 to 2024", "delays under 30 minutes, 30 to 60 minutes, over 2 hours",
])  # fmt: skip
def test_none_where_nothing_is_parted(question: str) -> None:
    assert banded(question, lambda word: word in ("kg", "stamps", "minutes", "hours")) is None


def test_bands_by_their_words() -> None:
    found = banded("fines under €50, €50-€100, €100+ by town", lambda word: False)
    assert found is not None and found.adjoining
    assert (found.before, found.behind) == ("fines", "by town")
    assert [(b.low, b.high, b.with_high) for b in found.bands] == [
        (None, 50, False),
        (50, 100, False),
        (100, None, True),
    ]


def test_from_none_is_not_without(post: Any, sent: pd.DataFrame) -> None:
    labels = ["0 to 10", "11 to 20", "above 20"]
    assert _shown(post, "how many parcels with 0 to 10 stamps, 11 to 20, above 20") == _cut(
        sent["stamps"], [-1, 10, 20, _INF], labels
    )
