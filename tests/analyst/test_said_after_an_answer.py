"""Turns about the rows, the groups and the periods of the answer before, which a question by itself asks of all."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from small_talk import answered, repairs

_2024 = "received_on >= DATE '2024-01-01' AND received_on < DATE '2025-01-01'"


def sql(text: str) -> list[list[Any]]:
    known = repairs()
    with duckdb.connect() as db:
        for name, frame in known.items():
            db.register(name, frame)
        return [list(row) for row in db.execute(text).fetchall()]


def asked(*turns: str) -> tuple[str, list[list[Any]] | None]:
    return answered(*turns, over="repairs")


def _days(rows: list[list[Any]]) -> list[str]:
    return [str(row[0])[:10] for row in rows]


@pytest.mark.parametrize("turn", ["only last year", "and last year?", "just the ones from 2024"])
def test_what_is_not_paid_yet_has_no_time_of_payment(turn: str) -> None:
    told, rows = asked("how many repairs are not paid", turn)
    assert rows == sql(f"SELECT count(*) FROM repairs WHERE paid_on IS NULL AND {_2024}"), told


def test_what_is_not_paid_yet_is_told_apart_by_when_it_came() -> None:
    told, rows = asked("how many repairs are not paid", "by year")
    wanted = sql("SELECT year(received_on), count(*) FROM repairs WHERE paid_on IS NULL GROUP BY 1 ORDER BY 1")
    assert rows is not None, told
    assert [[row[0].year, row[1]] for row in rows] == wanted


@pytest.mark.parametrize(
    ("turn", "end"),
    [("when was the last one?", "max"), ("and when was the first", "min"), ("when did that last happen", "max")],
)
def test_the_last_one_is_of_those_that_were_counted(turn: str, end: str) -> None:
    told, rows = asked("how many springs in 2023", turn)
    wanted = sql(f"SELECT {end}(received_on) FROM repairs WHERE kind = 'spring' AND year(received_on) = 2023")
    assert rows is not None, told
    assert _days(rows) == _days(wanted)


def test_the_first_one_after_the_last_one() -> None:
    told, rows = asked("how many springs in 2023", "when was the last one?", "and the first one?")
    wanted = sql("SELECT min(received_on) FROM repairs WHERE kind = 'spring' AND year(received_on) = 2023")
    assert rows is not None, told
    assert _days(rows) == _days(wanted)


def test_whose_rows_they_were_is_asked_of_these_alone() -> None:
    told, rows = asked("how many repairs of glass in may 2024", "who are the owners?")
    wanted = sql(
        "SELECT DISTINCT owner_name FROM repairs JOIN owners USING (owner_id) "
        "WHERE kind = 'glass' AND year(received_on) = 2024 AND month(received_on) = 5 ORDER BY 1"
    )
    assert rows is not None, told
    assert sorted([row[0]] for row in rows) == wanted


def test_whose_rows_they_were_is_no_question_where_the_rows_were_not_understood() -> None:
    assert asked("how many repairs were flumpled", "who are the owners?")[1] is None


def test_a_verb_alone_is_of_the_rows_before() -> None:
    told, rows = asked("how many repairs of glass in 2024", "who repaired the most?")
    wanted = sql(
        f"SELECT repaired_by, count(*) FROM repairs WHERE kind = 'glass' AND {_2024} GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
    )
    assert rows == wanted, told


def test_who_is_not_answered_with_when() -> None:
    assert asked("repairs per month in 2024", "who did the most?")[1] is None


_BY_KIND = (
    "SELECT kind, count(*) FILTER (year(received_on) = 2024) - count(*) FILTER (year(received_on) = 2023) AS more"
)


@pytest.mark.parametrize(
    "compared", ["compare that with 2023", "how does that compare with the year before", "and in 2023?"]
)
@pytest.mark.parametrize("turn", ["which kind went up the most?", "which one rose most", "biggest increase?"])
def test_what_rose_most_is_told_by_the_difference(compared: str, turn: str) -> None:
    first = (
        ("repairs by kind in 2024", compared)
        if compared != "and in 2023?"
        else ("repairs by kind in 2023", "and in 2024?")
    )
    told, rows = asked(*first, turn)
    wanted = sql(f"{_BY_KIND} FROM repairs GROUP BY 1 ORDER BY 2 DESC LIMIT 1")
    assert rows is not None, told
    assert [row[:2] for row in rows] == wanted


def test_what_fell_most_fell() -> None:
    told, rows = asked("repairs by kind in 2024", "compare that with 2023", "which of them dropped the most?")
    wanted = sql(f"{_BY_KIND} FROM repairs GROUP BY 1 HAVING more < 0 ORDER BY 2 LIMIT 1")
    assert rows is not None, told
    assert [row[:2] for row in rows] == wanted


def test_the_difference_of_two_periods_is_of_each_group() -> None:
    told, rows = asked("repairs by kind in 2024", "compare that with 2023", "what's the difference?")
    assert rows is not None, told
    assert sorted(row[:2] for row in rows) == sql(f"{_BY_KIND} FROM repairs GROUP BY 1 ORDER BY 1")


def test_what_went_up_is_not_what_is_most() -> None:
    assert asked("repairs by kind in 2024", "which kind went up most")[1] is None


def test_side_by_side_is_each_by_itself() -> None:
    told, rows = asked("total price in 2023", "and in 2024?", "put them side by side")
    wanted = sql(
        "SELECT year(received_on), sum(price) FROM repairs WHERE year(received_on) < 2025 GROUP BY 1 ORDER BY 1"
    )
    assert rows is not None, told
    assert [[row[0].year, pytest.approx(row[1])] for row in rows] == wanted


def test_one_number_is_not_sorted() -> None:
    assert asked("how many repairs are not paid", "the oldest first")[1] is None
