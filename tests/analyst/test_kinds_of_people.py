"""Kinds of people: a pilot is one of the crew, with the name that the crew's table has."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, outcome_of
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

FIRST = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn"]


@cache
def tables() -> dict[str, pd.DataFrame]:
    crew = pd.DataFrame(
        {
            "crew_no": range(1, 31),
            "full_name": [f"{FIRST[n % 6]} {'Abel Berg Cole Dorn Ek'.split()[n // 6]}" for n in range(30)],
            "gender": ["F", "M", "M"] * 10,
            "home_port": ["Oslo", "Kiel", "Gdynia", "Kiel", "Riga"] * 6,
            "zone": ["Europe/Oslo", "Europe/Berlin", "Europe/Warsaw", "Europe/Berlin", "Europe/Riga"] * 6,
            "phone": [f"+47 55 {n:04d}" for n in range(30)],
        }
    )
    pilots = pd.DataFrame({"crew_no": range(3, 13), "licence": ["A", "B"] * 5, "locker": [f"K{n}" for n in range(10)]})
    calls = pd.DataFrame(
        {
            "call_id": range(1, 61),
            "guided_by": [3 + (n * n) % 9 for n in range(60)],
            "called_on": pd.Timestamp("2024-01-01") + pd.to_timedelta([n * 5 for n in range(60)], unit="D"),
        }
    )
    return {"crew": crew, "pilots": pilots, "calls": calls}


@cache
def world() -> World:
    return World(SemanticLayer(load_model(scaffold_model(tables())), DuckDBEngine.open(None, data=tables())))


def pilots() -> pd.DataFrame:
    return tables()["pilots"].merge(tables()["crew"], on="crew_no")


def test_names_of_a_kind_are_those_of_the_people_they_are() -> None:
    assert outcome_of(ask(world(), "names of the pilots"), set(pilots().full_name)) == "right"


@pytest.mark.parametrize("port", ["Kiel", "Oslo"])
def test_what_is_known_of_people_chooses_among_a_kind(port: str) -> None:
    found = pilots()[pilots().home_port == port]
    assert outcome_of(ask(world(), f"pilots from {port}"), Near(len(found), set(found.full_name))) == "right"


def test_everybody_is_counted_where_no_kind_is_spoken_of() -> None:
    assert outcome_of(ask(world(), "how many women are in the crew"), (tables()["crew"].gender == "F").sum()) == "right"


def test_who_did_the_most_is_told_by_name() -> None:
    guided = tables()["calls"].merge(pilots(), left_on="guided_by", right_on="crew_no").full_name.value_counts()
    asked = ask(world(), "which pilot has the most calls")
    assert outcome_of(asked, Near(*guided[guided == guided.max()].index)) == "right"


def test_a_word_of_a_time_zone_names_no_place() -> None:
    asked = ask(world(), "how many crew are from Berlin")
    assert outcome_of(asked, 0) in ("refused", "told")


@pytest.mark.parametrize("question", ["which pilots have an A licence", "names of pilots with licence A"])
def test_a_letter_beside_what_it_is_a_value_of_is_one(question: str) -> None:
    assert outcome_of(ask(world(), question), set(pilots()[pilots().licence == "A"].full_name)) == "right"
