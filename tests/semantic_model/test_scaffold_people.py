"""People in the tables of a stranger: kinds of them, who did what, and rows that have no person for a parent."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.scaffold import scaffold_model


def harbour() -> dict[str, pd.DataFrame]:
    crew = pd.DataFrame(
        {
            "crew_no": range(1, 31),
            "first_name": [f"F{n % 7}" for n in range(30)],
            "last_name": [f"L{n}" for n in range(30)],
            "home_port": ["Oslo", "Kiel", "Gdynia"] * 10,
            "pin_hash": [f"h{n}" for n in range(30)],
        }
    )
    pilots = pd.DataFrame({"crew_no": range(3, 13), "licence": ["A", "B"] * 5})
    ships = pd.DataFrame({"ship_id": range(1, 21), "ship_name": [f"S{n}" for n in range(20)], "owner_no": range(20)})
    calls = pd.DataFrame(
        {
            "call_id": range(1, 61),
            "ship_id": [1 + n % 20 for n in range(60)],
            "guided_by": [3 + n % 9 for n in range(60)],
            "checked_by": [1 + n % 29 for n in range(60)],
            "supervisor_id": [1 + n % 8 for n in range(60)],
        }
    )
    return {"crew": crew, "pilots": pilots, "ships": ships, "calls": calls}


def joins(model: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(cube["name"], join["name"], join["sql"]) for cube in model["cubes"] for join in cube.get("joins", [])}


def test_a_kind_of_people_knows_what_is_known_of_people() -> None:
    cubes = {cube["name"]: cube for cube in scaffold_model(harbour())["cubes"]}
    told = {d["name"]: d.get("meta", {}).get("inherited") for d in cubes["pilots"]["dimensions"]}
    assert told == {"crew_no": None, "licence": None, "first_name": "crew", "last_name": "crew", "home_port": "crew"}
    assert "LEFT JOIN crew" in cubes["pilots"]["sql"] and "sql_table" not in cubes["pilots"]


def test_who_did_it_is_told_by_the_values_of_a_column() -> None:
    found = joins(scaffold_model(harbour()))
    assert ("calls", "pilots", "{CUBE.guided_by} = {pilots.crew_no}") in found
    assert ("calls", "checked_crew", "{CUBE.checked_by} = {checked_crew.crew_no}") in found  # pilots are crew as well


def test_rows_that_are_no_people_have_no_supervisor_among_themselves() -> None:
    assert not any(many == "calls" and "call_id}" in sql for many, _, sql in joins(scaffold_model(harbour())))


@pytest.mark.parametrize("table", ["owners", "members"])
def test_a_key_of_its_own_refers_to_nobody(table: str) -> None:
    keys = pd.DataFrame({f"{table[:-1]}_id": range(1, 13), "full_name": [f"N{n}" for n in range(12)]})
    dogs = pd.DataFrame({"dog_id": range(1, 13), "dog_name": [f"D{n}" for n in range(12)], "sex": ["f", "m"] * 6})
    assert joins(scaffold_model({table: keys, "dogs": dogs})) == set()
