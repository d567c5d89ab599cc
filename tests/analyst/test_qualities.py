"""Adjectives that name a quality, and what is good: asked over a table that has some of it and not the rest."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

FILMS = pd.DataFrame(
    {
        "title": ["Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel"],
        "studio": ["North", "North", "South", "South", "East", "East"],
        "released": pd.to_datetime(
            ["2019-03-01", "2020-05-04", "2021-02-02", "2019-11-11", "2022-01-09", "2021-08-07"]
        ),
        "budget_usd": [90.0, 20.0, 50.0, 70.0, 10.0, 30.0],
        "gross_usd": [100.0, 300.0, 80.0, 60.0, 200.0, 40.0],
        "runtime_min": [90, 120, 150, 100, 80, 200],
        "rating": [6.1, 7.4, 8.2, 5.0, 6.6, 9.1],
    }
)


@pytest.fixture(scope="module")
def films() -> Iterator[svc.Client]:
    with svc.embedded({"films": FILMS}) as client:
        yield client


@pytest.mark.parametrize("adjective", ["heaviest", "fastest", "tallest", "warmest"])
def test_a_quality_that_nothing_has_is_no_other(films: svc.Client, adjective: str) -> None:
    answer = films.chat().ask(f"{adjective} film")
    assert answer.outcome == "refused" and f"“{adjective}”" in answer.text


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("cheapest film", "Fir"),
        ("most expensive film", "Ash"),
        ("longest film", "Hazel"),
        ("newest film", "Fir"),
        ("best film", "Birch"),
        ("best studio", "North"),
    ],
)
def test_qualities_go_by_what_they_are_of(films: svc.Client, question: str, first: str) -> None:
    answer = films.chat().ask(question)
    assert answer.df is not None and answer.df.iloc[0, 0] == first


def test_what_is_good_goes_by_marks_where_nothing_is_brought_in() -> None:
    with svc.embedded({"films": FILMS.drop(columns="gross_usd")}) as client:
        answer = client.chat().ask("best studio")
        assert answer.df is not None and answer.df.iloc[0, 0] == "East"


def test_numbers_are_said_with_their_unit_once(films: svc.Client) -> None:
    chat = films.chat()
    assert "**$90**" in chat.ask("median gross").text
    assert "**123.33 minutes** is the average runtime" in chat.ask("average runtime").text
    assert "**3 different studios**" in chat.ask("how many studios are there").text


def test_a_word_of_the_model_does_not_make_a_question_foreign(films: svc.Client) -> None:
    assert "Das konnte ich nicht lesen" not in films.chat().ask("sequels vs originals gross").text


def test_titles_keep_a_unit_that_tells_two_columns_apart() -> None:
    with svc.embedded({"parcels": pd.DataFrame({"weight_kg": [1.5, 2.5], "weight_lb": [3.3, 5.5]})}) as client:
        assert "is the average weight kg" in client.chat().ask("average weight kg").text
        assert "is the average weight lb" in client.chat().ask("average weight lb").text
