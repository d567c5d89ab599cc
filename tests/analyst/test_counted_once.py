"""Things that are counted each once, and never in groups of themselves."""

from __future__ import annotations

import duckdb
import pytest
import worlds
from asking import ask


@pytest.mark.parametrize(
    "question",
    [
        "how many destinations does jetblue serve from JFK",
        "how many different destinations does jetblue serve from JFK",
    ],
)
def test_a_number_of_things_has_no_groups_of_them(question: str) -> None:
    data = worlds.data_files()
    wanted = duckdb.sql(
        f"SELECT count(DISTINCT destination) FROM '{data['flights']}' WHERE carrier = 'B6' AND origin = 'JFK'"
    ).fetchall()
    assert [list(row) for row in ask(worlds.flights(), question).rows()] == [list(wanted[0])]
