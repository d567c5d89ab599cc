"""Labels of stretches, kinds of rows and amounts in a unit, as people speak of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from test_demo_questions import same

import svc_notebook as svc


def school() -> dict[str, pd.DataFrame]:
    """Pupils and their absences over three school years, and what they borrow from a shelf of titles."""
    dice, count = np.random.default_rng(11), 600
    pupils = pd.DataFrame({
        "pupil_id": range(1, 61), "name": [f"{one} {two}" for one in ("Ada", "Bo", "Cleo", "Dag", "Eli", "Finn") for two in
                                           ("Holm", "Lien", "Moe", "Ness", "Rud", "Sand", "Ulv", "Vik", "Wold", "Aas")],
        "house": dice.choice(["Red", "Blue", "Green"], 60), "height_cm": dice.integers(140, 200, 60),
        "enrolment_dt": pd.Timestamp("2021-08-01") + pd.to_timedelta(dice.integers(0, 900, 60), unit="D"),
    })  # fmt: skip
    absences = pd.DataFrame({
        "absence_id": range(1, count + 1), "pupil_id": dice.integers(1, 61, count),
        "school_year": dice.choice(["2021/22", "2022/23", "2023/24"], count, p=[0.2, 0.5, 0.3]),
        "reason": dice.choice(["ill", "trip", "unknown"], count, p=[0.6, 0.3, 0.1]), "lessons_missed": dice.integers(1, 8, count),
    })  # fmt: skip
    titles = pd.DataFrame({
        "title_id": range(1, 41), "title": [f"The {one} {two}" for one in ("Red", "Old", "Lost", "Tall", "Cold") for two in
                                            ("Tower", "River", "House", "Bird", "Ship", "Road", "Lamp", "Door")],
        "kind": dice.choice(["book", "magazine", "comic"], 40, p=[0.6, 0.2, 0.2]), "pages": dice.integers(20, 600, 40),
    })  # fmt: skip
    loans = pd.DataFrame({
        "loan_id": range(1, count + 1), "minutes_spent": dice.integers(5, 300, count), "title_id": dice.integers(1, 41, count), "pupil_id": dice.integers(1, 61, count),
        "loaned_on": pd.Timestamp("2022-01-01") + pd.to_timedelta(dice.integers(0, 700, count), unit="D"),
    })  # fmt: skip
    return {"pupils": pupils, "absences": absences, "titles": titles, "loans": loans}


@pytest.fixture(scope="module")
def schools() -> Iterator[Any]:
    with svc.embedded(school()) as opened:
        yield opened


TABLES = school()


def told(opened: Any, *turns: str) -> list[tuple[Any, ...]]:
    """The rows that the last of these turns is answered with."""
    chat = opened.chat()
    for turn in turns[:-1]:
        chat.ask(turn)
    answer = chat.ask(turns[-1])
    assert answer.result is not None, (turns, answer.text)
    rows = answer.result.load_all().itertuples(index=False)
    return [tuple(cell.item() if isinstance(cell, np.generic) else cell for cell in row) for row in rows]


def of(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        for name, table in TABLES.items():
            connection.register(name, table)
        return connection.execute(sql).fetchall()


STRETCHES = [
    (("how many absences this school year",), "SELECT count(*) FROM absences WHERE school_year = '2023/24'"),
    (("absences by reason last school year",), "SELECT reason, count(*) FROM absences WHERE school_year = '2022/23' GROUP BY 1"),
    (("absences by reason", "only 22/23"), "SELECT reason, count(*) FROM absences WHERE school_year = '2022/23' GROUP BY 1"),
    (("absences by reason", "in 2021/22", "and this school year?"),
     "SELECT reason, count(*) FROM absences WHERE school_year = '2023/24' GROUP BY 1"),
    (("total lessons missed in the current school year",), "SELECT sum(lessons_missed) FROM absences WHERE school_year = '2023/24'"),
    (("absences this school year vs last school year",),
     "SELECT school_year, count(*) FROM absences WHERE school_year > '2022' GROUP BY 1"),
    (("absences per school year",), "SELECT school_year, count(*) FROM absences GROUP BY 1"),
    (("average lessons missed by house this school year",),
     "SELECT house, avg(lessons_missed) FROM absences JOIN pupils USING (pupil_id) WHERE school_year = '2023/24' GROUP BY 1"),
]  # fmt: skip

KINDS = [
    (("number of comics",), "SELECT count(*) FROM titles WHERE kind = 'comic'"),
    (("average pages of books",), "SELECT avg(pages) FROM titles WHERE kind = 'book'"),
    (("loans of magazines",), "SELECT count(*) FROM loans JOIN titles USING (title_id) WHERE kind = 'magazine'"),
    (("number of titles",), "SELECT count(*) FROM titles"),
    (("top 3 comics by loans",),
     "SELECT title, count(*) FROM loans JOIN titles USING (title_id) WHERE kind = 'comic' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3"),
    (("top 3 books by pages",), "SELECT title, pages FROM titles WHERE kind = 'book' ORDER BY 2 DESC LIMIT 3"),
    (("top 3 titles by loans",),
     "SELECT title, count(*) FROM loans JOIN titles USING (title_id) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3"),
    (("enrolments by house",), "SELECT house, count(*) FROM pupils GROUP BY 1"),
]  # fmt: skip

AMOUNTS = [
    (("how many pupils are taller than 1.80m",), "SELECT count(*) FROM pupils WHERE height_cm > 180"),
    (("how many pupils are shorter than 1.5 m",), "SELECT count(*) FROM pupils WHERE height_cm < 150"),
    (("number of pupils over 1.75m tall",), "SELECT count(*) FROM pupils WHERE height_cm > 175"),
    (("how many pupils are taller than 180cm",), "SELECT count(*) FROM pupils WHERE height_cm > 180"),
    (("how many titles have more than 100 pages",), "SELECT count(*) FROM titles WHERE pages > 100"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "sql"), STRETCHES + KINDS + AMOUNTS, ids=[" | ".join(one) for one, _ in STRETCHES + KINDS + AMOUNTS]
)
def test_what_is_said_in_short_is_what_the_rows_are_labelled_with(
    schools: Any, turns: tuple[str, ...], sql: str
) -> None:
    assert same(told(schools, *turns), of(sql))


TURNS = [
    (("tallest pupil", "per house"),
     "SELECT house, name, height_cm FROM pupils QUALIFY rank() OVER (PARTITION BY house ORDER BY height_cm DESC) = 1"),
    (("longest title by pages", "for each kind"),
     "SELECT kind, title, pages FROM titles QUALIFY rank() OVER (PARTITION BY kind ORDER BY pages DESC) = 1"),
    (("average height by house", "and how many are there per house"), "SELECT house, count(*) FROM pupils GROUP BY 1"),
    (("average pages by kind", "how many are there of each kind"), "SELECT kind, count(*) FROM titles GROUP BY 1"),
    (("number of absences by reason", "compare the houses"),
     "SELECT house, count(*) FROM absences JOIN pupils USING (pupil_id) GROUP BY 1"),
    (("number of loans by house", "minutes spent instead"),
     "SELECT house, sum(minutes_spent) FROM loans JOIN pupils USING (pupil_id) GROUP BY 1"),
    (("loans by house", "only of comics", "average minutes?"),
     "SELECT house, avg(minutes_spent) FROM loans JOIN pupils USING (pupil_id) JOIN titles USING (title_id) WHERE kind = 'comic' GROUP BY 1"),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "sql"), TURNS, ids=[" | ".join(one) for one, _ in TURNS])
def test_a_turn_is_of_each_kind_that_it_names(schools: Any, turns: tuple[str, ...], sql: str) -> None:
    assert same(told(schools, *turns), of(sql))


@pytest.mark.parametrize(
    "turns",
    [
        ("which pupils had one",),
        ("how many pupils did win a scholarship on mars", "which houses had one"),
        ("how many pupils did win a scholarship on mars", "in which houses?"),
        ("compare all the houses",),
        ("pupils by house", "what do they loan on average"),
    ],
)
def test_what_hangs_on_nothing_is_not_answered(schools: Any, turns: tuple[str, ...]) -> None:
    chat = schools.chat()
    for turn in turns[:-1]:
        chat.ask(turn)
    assert chat.ask(turns[-1]).result is None
