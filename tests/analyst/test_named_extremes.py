"""Superlatives name what is first, with the number beside it: alone, of each group, and for whoever has it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

FILMS = pd.DataFrame(
    {
        "title": ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Holly"],
        "studio": ["North", "North", "South", "South", "South", "East", "East", "East"],
        "released": pd.to_datetime([f"20{year}-05-01" for year in (14, 19, 15, 21, 11, 17, 12, 20)]),
        "runtime_min": [91, 142, 118, 95, 133, 101, 88, 127],
        "gross_usd": [11.0e6, 7.0e6, 23.0e6, 5.0e6, 9.0e6, 31.0e6, 2.0e6, 13.0e6],
        "rating": [6.1, 8.4, 7.2, 3.9, 7.7, 5.5, 9.1, 4.8],
    }
)
GUESTS = pd.DataFrame({"guest_id": range(1, 7), "guest": list("UVWXYZ"), "city": ["Rome", "Oslo"] * 3})
HOSTELS = pd.DataFrame({"hostel_id": [1, 2, 3], "hostel": ["Anchor", "Beacon", "Castle"], "beds": [40, 90, 65]})
STAYS = pd.DataFrame(
    {
        "stay_id": range(1, 25),
        "guest_id": [1, 2, 3, 4, 5, 6] * 4,
        "hostel_id": [1, 2, 1, 1, 2, 3, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 1, 1, 1, 2, 3, 3, 1, 2],
        "arrived": pd.date_range("2024-01-03", periods=24, freq="5D"),
        "rating": [5, 2, 4, 3, 2, 4, 5, 1, 4, 3, 5, 2, 3, 2, 4, 3, 5, 4, 4, 2, 5, 3, 4, 1],
    }
)


@pytest.fixture(scope="module")
def films() -> Iterator[svc.Client]:
    with svc.embedded(data={"films": FILMS}) as opened:
        yield opened


@pytest.fixture(scope="module")
def hostels() -> Iterator[svc.Client]:
    with svc.embedded(data={"hostels": HOSTELS, "guests": GUESTS, "stays": STAYS}) as opened:
        yield opened


def rows(service: svc.Client, question: str) -> list[tuple[object, ...]]:
    answer = service.chat().ask(question)
    assert answer.df is not None, answer.text
    return [tuple(row) for row in answer.df.itertuples(index=False)]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("top rated film", [("Ginkgo", 9.1)]),
        ("what is the worst rated film with a runtime over 90 minutes", [("Dogwood", 3.9)]),
        ("highest grossing film of 2019", [("Birch", 7.0e6)]),
        ("top 2 films by gross", [("Fir", 31.0e6), ("Cedar", 23.0e6)]),
    ],
)
def test_what_is_first_is_named_with_its_number(
    films: svc.Client, question: str, named: list[tuple[object, ...]]
) -> None:
    assert rows(films, question) == named


@pytest.mark.parametrize(
    "question", ["longest film of each studio", "longest film by studio", "longest film per studio"]
)
def test_the_first_of_each_group_is_named(films: svc.Client, question: str) -> None:
    assert rows(films, question) == [("East", "Holly", 127), ("North", "Birch", 142), ("South", "Elm", 133)]


@pytest.mark.parametrize("question", ["highest grossing film of each studio", "highest grossing film by studio"])
def test_the_number_said_ranks_within_each_group(films: svc.Client, question: str) -> None:
    assert rows(films, question) == [("East", "Fir", 31.0e6), ("North", "Ash", 11.0e6), ("South", "Cedar", 23.0e6)]


def test_the_first_by_time_of_each_group_is_told(films: svc.Client) -> None:
    answer = films.chat().ask("newest film by studio")
    assert answer.outcome == "complete" and "**South / Dogwood** (1 May 2021)" in answer.text


def test_several_of_each_group(films: svc.Client) -> None:
    found = rows(films, "top 2 films of each studio by gross")
    assert [(studio, title) for studio, title, _ in found] == [
        ("East", "Fir"), ("East", "Holly"), ("North", "Ash"), ("North", "Birch"), ("South", "Cedar"), ("South", "Elm")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("which studio has the highest rated film", ("East", "Ginkgo", 9.1)),
        ("which studio made the longest film", ("North", "Birch", 142)),
    ],
)
def test_who_has_the_first_is_told_with_it(films: svc.Client, question: str, named: tuple[object, ...]) -> None:
    assert rows(films, question) == [named]


def test_what_other_rows_say_of_it_is_averaged(hostels: svc.Client) -> None:
    assert rows(hostels, "worst rated hostel with more than 5 stays")[0][0] == "Beacon"


@pytest.mark.parametrize("question", ["most popular hostel of each city", "most popular hostel in each city"])
def test_the_most_popular_of_each_group_counts_what_happened(hostels: svc.Client, question: str) -> None:
    assert rows(hostels, question) == [("Oslo", "Beacon", 8), ("Rome", "Anchor", 8)]
