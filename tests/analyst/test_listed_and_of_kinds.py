"""What was counted and is listed then, kinds of what a column is called, and those who have what a flag says."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from asking import ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def _skates() -> dict[str, pd.DataFrame]:
    """Hirings of a skating hall, and the clubs that hire."""
    clubs = pd.DataFrame(
        {"club_id": range(1, 7), "club_name": ["Foxes", "Gulls", "Hares", "Ibises", "Jays", "Kites"],
         "club_type": ["school", "school", "private", "private", "city", "city"]}
    )  # fmt: skip
    hirings = pd.DataFrame(
        {
            "hiring_id": range(1, 121),
            "club_id": [n % 6 + 1 for n in range(120)],
            "payment": [("cash", "card", "invoice")[n % 3] for n in range(120)],
            "stat": [("held", "held", "no-show", "held")[n % 4] for n in range(120)],
            "insured": [n % 5 == 0 for n in range(120)],
            "fee_eur": [10 + n * 13 % 47 for n in range(120)],
            "st_dt": pd.date_range("2024-01-03", periods=120, freq="2D"),
        }
    )
    return {"clubs": clubs, "hirings": hirings}


@cache
def _hall() -> World:
    tables = _skates()
    return World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=dict(tables))))


def _insured() -> pd.DataFrame:
    hirings = _skates()["hirings"]
    return hirings[hirings.insured]


@pytest.mark.parametrize(
    ("said", "descending"),
    [("list them with fee, highest first", True), ("list them with their fee, lowest first", False),
     ("now show those with fee, cheapest first", False), ("list them sorted by fee, most expensive first", True),
     ("list them by fee", False)],
)  # fmt: skip
def test_what_was_counted_is_listed_in_the_order_that_is_said(said: str, descending: bool) -> None:
    asked = ask(_hall(), "how many hirings are insured", said)
    assert asked.table is not None
    fees = asked.table.column("fee_eur").to_pylist()
    assert fees == sorted(_insured().fee_eur, reverse=descending)


@pytest.mark.parametrize("said", ["list them, newest first", "show them, latest first"])
def test_newest_first_is_by_time(said: str) -> None:
    asked = ask(_hall(), "how many hirings are insured", said)
    assert asked.table is not None
    assert asked.table.column("hiring_id").to_pylist() == sorted(_insured().hiring_id, reverse=True)


def test_what_is_told_of_them_stands_beside_their_names() -> None:
    asked = ask(_hall(), "how many clubs are private", "list them with name and type")
    assert asked.rows() == [("Hares", "private"), ("Ibises", "private")]


@pytest.mark.parametrize("said", ["drop that again, all hirings", "drop that again", "no go back, all hirings"])
def test_what_is_dropped_again_is_undone(said: str) -> None:
    turns = "fee per payment", "only insured hirings", said
    first, second, third = (ask(_hall(), *turns[:number]).rows() for number in (1, 2, 3))
    assert third == first != second


@pytest.mark.parametrize(
    "question", ["number of hirings by payment type", "hirings per type of payment", "hirings for each kind of payment"]
)
def test_the_type_of_what_a_column_is_called_is_that_column(question: str) -> None:
    assert dict(ask(_hall(), question).rows()) == {"cash": 40, "card": 40, "invoice": 40}


@pytest.mark.parametrize("question", ["hirings by club type", "hirings per type of club", "hirings by kind of club"])
def test_a_type_that_is_a_column_stays_one(question: str) -> None:
    assert dict(ask(_hall(), question).rows()) == {"school": 40, "private": 40, "city": 40}


def test_kinds_are_counted() -> None:
    assert ask(_hall(), "how many types of payment are there").rows() == [(3,)]


@pytest.mark.parametrize("verb", ["have", "got", "take"])
def test_those_who_have_what_a_flag_says(verb: str) -> None:
    members = pd.DataFrame(
        {"member_id": range(50), "town": ["Au", "Bex"] * 25, "newsletter": [n % 7 == 0 for n in range(50)]}
    )
    world = World(
        SemanticLayer(
            load_model(scaffold_model({"members": members})), DuckDBEngine.open(None, data={"members": members})
        )
    )
    assert ask(world, f"how many members {verb} the newsletter").rows() == [(8,)]


def test_words_whose_letters_begin_a_short_name_are_not_that_name() -> None:
    rows = ask(_hall(), "how many no shows this year").rows()
    assert rows == [(30,)]


@pytest.mark.parametrize(
    "said", ["i meant the cash ones too, so everything not invoice", "everything not invoice", "all but invoice"]
)
def test_what_is_denied_stands_in_the_place_of_another_value(said: str) -> None:
    hirings = _skates()["hirings"]
    rows = dict(ask(_hall(), "card hirings by stat", said).rows())
    assert rows == hirings[hirings.payment != "invoice"].groupby("stat").size().to_dict()


def test_a_value_and_a_denial_said_in_one_turn_both_hold() -> None:
    rows = ask(_hall(), "fee per payment", "only card, not cash").rows()
    hirings = _skates()["hirings"]
    assert rows == [("card", pytest.approx(hirings[hirings.payment == "card"].fee_eur.sum()))]


@pytest.mark.parametrize("said", ["add the club type", "also add club type"])
def test_what_is_told_of_the_first_few_leaves_them_the_first_few(said: str) -> None:
    turns = "top 3 clubs by fee", said
    first, second = (ask(_hall(), *turns[:number]).rows() for number in (1, 2))
    types = dict(zip(_skates()["clubs"].club_name, _skates()["clubs"].club_type, strict=True))
    assert second == [(club, types[club], fee) for club, fee in first]


def test_a_number_without_a_total_has_no_share_beside_one_that_has() -> None:
    crops = pd.DataFrame(
        {
            "crop": ["oats", "rye", "oats", "rye"],
            "tonnes": [1.0, 2.0, 3.0, 4.0],
            "moisture_pct": [15.0, 14.0, 13.0, 16.0],
        }
    )
    world = World(
        SemanticLayer(load_model(scaffold_model({"crops": crops})), DuckDBEngine.open(None, data={"crops": crops}))
    )
    shown = ask(world, "total tonnes and average moisture by crop", "what share of the total do they have")
    assert [tuple(map(pytest.approx, row[1:])) for row in shown.rows()] == [(0.4,), (0.6,)]


def test_a_column_called_by_a_measure_of_bulk_adds_up() -> None:
    loads = pd.DataFrame({"load_id": range(8), "site": ["Au", "Bex"] * 4, "tonnes": [float(n) for n in range(8)]})
    world = World(
        SemanticLayer(load_model(scaffold_model({"loads": loads})), DuckDBEngine.open(None, data={"loads": loads}))
    )
    assert dict(ask(world, "tonnes per site").rows()) == {"Au": 12.0, "Bex": 16.0}


def test_times_of_groups_are_not_averaged() -> None:
    turns = "top 2 clubs by number of no shows", "list their hirings in 2024, newest first"
    shown = ask(_hall(), *turns)
    assert "AVG" not in shown.answer.text and shown.answer.outcome != "failed"


@pytest.mark.parametrize("said", ["vs the others", "compared to the others", "versus the rest"])
def test_those_that_were_picked_out_stand_beside_the_others(said: str) -> None:
    hirings = _skates()["hirings"]
    rows = dict(ask(_hall(), "total fee", "only card", said).rows())
    cards = hirings[hirings.payment == "card"].fee_eur.sum()
    assert rows == {"card": cards, "the rest": hirings.fee_eur.sum() - cards}


def test_a_flag_and_its_denial_stand_beside_each_other() -> None:
    hirings = _skates()["hirings"]
    rows = ask(_hall(), "average fee by payment", "only the insured ones", "compared with the others").rows()
    expected = hirings.groupby(["payment", "insured"]).fee_eur.mean()
    assert {(payment, insured): fee for payment, insured, fee in rows} == pytest.approx(expected.to_dict())


def test_the_others_alone_are_the_others_alone() -> None:
    hirings = _skates()["hirings"]
    rows = ask(_hall(), "total fee", "only card", "and the others").rows()
    assert rows == [(hirings[hirings.payment != "card"].fee_eur.sum(),)]


def test_who_did_most_is_no_group_of_which_there_is_one() -> None:
    asked = ask(_hall(), "which club skated the most")
    assert asked.table is None or "clubs.count" not in asked.stored and 'MEASURE("clubs"."count")' not in asked.stored
