"""Numbers that a model calls by their end: the one that has it is ranked by it, and told in one superlative."""

from __future__ import annotations

import duckdb
import pytest
import worlds
from asking import ask


@pytest.mark.parametrize(
    ("question", "sql", "told"),
    [
        ("which plane has the most seats", "SELECT max(seats) FROM planes", "has the most seats"),
        ("which manufacturer has the oldest plane", "SELECT min(year_built) FROM planes", "has the oldest year built"),
        (
            "what is the oldest plane and when was it built",
            "SELECT min(year_built) FROM planes",
            "the oldest year built",
        ),
        ("which airport is the coldest", "SELECT min(temperature) FROM weather", "has the lowest temperature"),
    ],
)
def test_the_one_at_the_end(question: str, sql: str, told: str) -> None:
    data = worlds.data_files()
    with duckdb.connect() as connection:
        for name in ("planes", "weather"):
            connection.execute(f"CREATE VIEW {name} AS SELECT * FROM '{data[name]}'")
        (wanted,) = connection.execute(sql).fetchone() or (None,)
    answer = ask(worlds.flights(), question)
    rows = answer.rows()
    assert len(rows) == 1
    assert float(rows[0][-1]) == pytest.approx(float(wanted))
    assert told in answer.answer.text
