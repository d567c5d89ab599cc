"""Who has something that a column holds, and bounds around what they are of: *dogs with a sponsor*, *eight walks or more*."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from asking import ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

_PEOPLE = [
    f"{first} {last}"
    for first in ("Ada", "Bruno", "Clara", "Elsa")
    for last in ("Abel", "Conti", "Frost", "Gale", "Moss")
]


@cache
def tables() -> dict[str, pd.DataFrame]:
    """A shelter: its animals, of which some have a sponsoring company or were adopted, their walks, and offers for a portrait."""
    dice, count = np.random.default_rng(3), 60
    animals = pd.DataFrame({
        "animal_id": range(1, count + 1), "species": dice.choice(["dog", "cat", "rabbit"], count, p=[0.5, 0.3, 0.2]),
        "sponsor_company": dice.choice([None, "Hartley Foods", "Quarry Bank"], count, p=[0.5, 0.3, 0.2]),
        "adopted_on": pd.to_datetime("2024-02-01") + pd.to_timedelta(dice.integers(0, 300, count), unit="D"),
        "neutered": dice.random(count) < 0.6,
    })  # fmt: skip
    animals["nick"] = [
        f"{a}{b}"
        for a in ("Ru", "Mo", "Ti", "Ka", "Zo", "Be")
        for b in ("fus", "lly", "na", "lo", "ry", "xi", "dd", "pp", "ck", "zz")
    ]
    animals.loc[dice.random(count) < 0.4, "adopted_on"] = pd.NaT
    walks = pd.DataFrame({
        "walk_id": range(1, 401), "animal_id": dice.integers(1, count - 5, 400),
        "walked_at": pd.to_datetime("2024-01-01") + pd.to_timedelta(dice.integers(0, 360, 400), unit="D"),
        "minutes": dice.integers(10, 91, 400),
    })  # fmt: skip
    offers = pd.DataFrame({
        "offer_id": range(1, 81), "bidder": dice.choice(_PEOPLE, 80),
        "made_on": pd.to_datetime("2024-01-01") + pd.to_timedelta(dice.integers(0, 360, 80), unit="D"),
        "amount_eur": dice.permutation(np.arange(10, 90)) * 5,
    })  # fmt: skip
    return {"animals": animals, "walks": walks, "offers": offers}


@cache
def shelter() -> World:
    data = tables()
    engine = DuckDBEngine.open(None, data=data)
    return World(SemanticLayer(load_model(scaffold_model(data, engine=engine)), engine))


def value(question: str) -> float:
    rows = ask(shelter(), question).rows()
    assert len(rows) == 1 and len(rows[0]) == 1, rows
    return float(rows[0][0])


def names(question: str) -> set[Any]:
    asked = ask(shelter(), question)
    assert asked.table is not None, asked.answer.text
    held = set(tables()["animals"].nick)
    return {cell for row in asked.rows() for cell in row if cell in held}


def some(species: str = "") -> pd.DataFrame:
    animals = tables()["animals"]
    return animals[animals.species == species] if species else animals


@pytest.mark.parametrize(
    "question", ["how many dogs have a sponsor", "how many dogs with a sponsor company", "number of dogs that have sponsor company",
                 "how many of the dogs have a sponsor"],
)  # fmt: skip
def test_who_has_something_is_counted(question: str) -> None:
    assert value(question) == some("dog").sponsor_company.notna().sum()


def test_who_has_nothing_is_counted() -> None:
    assert value("how many dogs have no sponsor") == some("dog").sponsor_company.isna().sum()
    assert value("how many animals do not have a sponsor") == some().sponsor_company.isna().sum()


def test_a_share_is_of_the_rows_it_is_asked_of() -> None:
    dogs = some("dog")
    assert value("what percentage of dogs have a sponsor") == pytest.approx(dogs.sponsor_company.notna().mean())
    assert value("share of cats with a sponsor") == pytest.approx(some("cat").sponsor_company.notna().mean())
    assert value("what proportion of dogs don't have a sponsor") == pytest.approx(dogs.sponsor_company.isna().mean())
    assert value("what percentage of animals have a sponsor") == pytest.approx(some().sponsor_company.notna().mean())


@pytest.mark.parametrize("question", ["dogs with a sponsor", "which dogs have a sponsor", "dogs that have a sponsor"])
def test_who_has_something_is_listed(question: str) -> None:
    dogs = some("dog")
    assert names(question) == set(dogs[dogs.sponsor_company.notna()].nick)


def test_what_is_shown_of_all_is_no_condition() -> None:
    assert names("list the dogs with species and sponsor company") == set(some("dog").nick)
    assert names("show all dogs and their sponsor company") == set(some("dog").nick)


def test_more_is_said_behind_it() -> None:
    dogs = some("dog")
    assert (
        value("how many dogs that have a sponsor are neutered") == (dogs.sponsor_company.notna() & dogs.neutered).sum()
    )


@pytest.mark.parametrize(
    ("question", "least", "most"),
    [("which animals had eight walks or more", 8, 99), ("animals with 5 walks or fewer", 1, 5),
     ("which animals had 9 or more walks", 9, 99), ("animals with at least 10 walks", 10, 99)],
)  # fmt: skip
def test_a_bound_stands_around_what_it_is_of(question: str, least: int, most: int) -> None:
    walks = tables()["walks"].groupby("animal_id").size()
    rows = ask(shelter(), question).rows()
    assert len(rows) in (
        ((walks >= least) & (walks <= most)).sum(),
        ((walks >= 0) & (walks <= most)).sum() + 60 - len(walks),
    )


def test_a_bound_stands_around_a_unit() -> None:
    walks = tables()["walks"]
    assert value("how many walks of 45 minutes or more") == (walks.minutes >= 45).sum()
    assert value("how many walks of 20 minutes or less") == (walks.minutes <= 20).sum()


@pytest.mark.parametrize(("most", "place"), [("biggest", -1), ("largest", -1), ("smallest", 0)])
def test_who_did_the_largest_is_not_who_did_most(most: str, place: int) -> None:
    offers = tables()["offers"].sort_values("amount_eur")
    rows = ask(shelter(), f"who made the {most} offer").rows()
    assert len(rows) == 1 and {offers.bidder.iloc[place], offers.amount_eur.iloc[place]} <= set(rows[0])


def test_who_did_most_is_counted() -> None:
    bidders = tables()["offers"].groupby("bidder").size()
    rows = ask(shelter(), "who made the most offers").rows()
    assert rows[0][0] in set(bidders[bidders == bidders.max()].index)


def test_a_share_says_whether_it_is_with_or_without() -> None:
    assert "share with sponsor company" in ask(shelter(), "what percentage of dogs have a sponsor").answer.text
    assert "share without sponsor company" in ask(shelter(), "what share of dogs have no sponsor").answer.text
