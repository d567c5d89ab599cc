"""Words of how many, of whom and of which end: what is answered has a place for each, or says which it has none for."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

VISITS = 240
KEEPERS = pd.DataFrame({"keeper_id": range(12), "keeper_name": [f"Keeper {chr(65 + n)}" for n in range(12)]})
GOATS = pd.DataFrame({
    "goat_id": range(40), "goat_name": [("Ada", "Bo", "Cleo", "Dot", "Eve")[n % 5] for n in range(40)],
    "keeper_id": [n % 12 for n in range(40)], "breed": [("Saanen", "Toggenburg", "Boer")[n % 3] for n in range(40)],
    "insurer": [("Hedge", None, None, "Meadow")[n % 4] for n in range(40)],
})  # fmt: skip
CALLS = pd.DataFrame({
    "call_id": range(VISITS), "goat_id": [(n * 7) % 36 for n in range(VISITS)],
    "called_on": pd.date_range("2023-01-01", periods=VISITS, freq="D"),
    "reason": [("hooves", "vaccination", "surgery")[(n * 5) % 3] for n in range(VISITS)],
    "minutes": [10 + (n * 13) % 50 for n in range(VISITS)], "fee": [20.0 + (n * 17) % 90 for n in range(VISITS)],
})  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded({"keepers": KEEPERS, "goats": GOATS, "calls": CALLS}) as embedded:
        yield embedded


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("keepers who only had surgery calls", "only"),
        ("keepers who have both breeds", "both"),
    ],
)
def test_a_word_without_a_place_is_named(client: svc.Client, question: str, word: str) -> None:
    asked = client.chat().ask(question)
    assert asked.sql is None, asked.sql
    assert word in asked.text


def test_the_row_with_the_highest_number_is_no_number_of_rows(client: svc.Client) -> None:
    asked = client.chat().ask("the breed with the highest call")
    assert asked.sql is None or "COUNT" not in asked.sql.upper()


def test_the_longest_of_each_is_no_single_one(client: svc.Client) -> None:
    asked = client.chat().ask("most common reason per breed")
    assert asked.sql is None or asked.df is not None and set(asked.df["breed"]) == set(GOATS.breed)


def test_two_of_one_name_are_two(client: svc.Client) -> None:
    asked = client.chat().ask("average fee per goat")
    assert asked.df is not None and len(asked.df) == CALLS.goat_id.nunique()


def test_with_what_some_have_is_a_condition(client: svc.Client) -> None:
    asked = client.chat().ask("list the goats with insurer")
    assert asked.df is not None and len(asked.df) == GOATS.insurer.notna().sum()


def test_with_their_column_is_a_column(client: svc.Client) -> None:
    asked = client.chat().ask("list the goats with their insurer")
    assert asked.df is not None and len(asked.df) == len(GOATS)


def test_never_is_no_other_value(client: svc.Client) -> None:
    asked = client.chat().ask("goats that never had a surgery")
    operated = set(CALLS[CALLS.reason == "surgery"].goat_id)
    assert asked.df is not None and len(asked.df) == len(GOATS) - len(operated)
