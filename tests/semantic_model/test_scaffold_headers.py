"""Tables of lines: what several rows belong to is a cube of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.semantic.scaffold import scaffold_model

# ticket, served on, waiter, payment; dishes with their course, pieces and amount
TICKETS = [
    (7001, "2024-03-01", "Ilse", "cash", [("Soup", "Starter", 1, 6.0), ("Goulash", "Main", 2, 24.0)]),
    (7002, "2024-03-01", "Ilse", "card", [("Cake", "Dessert", 1, 4.5)]),
    (7003, "2024-03-02", "Milan", "cash", [("Soup", "Starter", 3, 18.0), ("Cake", "Dessert", 2, 9.0)]),
    (7004, "2024-03-09", "Milan", "cash", [("Goulash", "Main", 1, 12.0), ("Juice", "Drink", 1, 3.0)]),
    (7005, "2024-04-02", "Ilse", "card", [("Soup", "Starter", 1, 6.0), ("Juice", "Drink", 4, 12.0)]),
    (7006, "2024-04-02", "Ilse", "card", [("Goulash", "Main", 1, 12.0)]),
    (7007, "2024-04-07", "Milan", "cash", [("Soup", "Starter", 2, 12.0), ("Goulash", "Main", 1, 12.0)]),
    (7008, "2024-04-07", "Ilse", "cash", [("Juice", "Drink", 2, 6.0)]),
    (7009, "2024-04-08", "Ilse", "cash", [("Cake", "Dessert", 1, 4.5), ("Soup", "Starter", 1, 6.0)]),
]


def lines() -> pd.DataFrame:
    rows = [
        (f"L{place:02d}{at}", number, pd.Timestamp(day), waiter, payment, *dish)
        for place, (number, day, waiter, payment, dishes) in enumerate(TICKETS)
        for at, dish in enumerate(dishes)
    ]
    names = ["line_id", "ticket_no", "served_on", "waiter", "payment", "dish", "course", "pieces", "amount"]
    return pd.DataFrame(rows, columns=names)


@pytest.fixture(scope="module", params=["ticket_no", "Ticket #"])
def client(request: pytest.FixtureRequest) -> Iterator[svc.Client]:
    with svc.embedded(data={"bills": lines().rename(columns={"ticket_no": request.param})}) as opened:
        yield opened


def test_lines_and_what_they_belong_to_are_two_cubes() -> None:
    cubes = {cube["name"]: cube for cube in scaffold_model({"bills": lines()})["cubes"]}
    theirs = [dim["name"] for dim in cubes["tickets"]["dimensions"]]
    assert theirs == ["ticket_no", "served_on", "waiter", "payment"]
    assert [join["name"] for join in cubes["bills"]["joins"]] == ["tickets"]


def test_names_that_are_words_of_sql_are_kept() -> None:
    frame = lines().rename(columns={"waiter": "user", "payment": "order"}).assign(paid=True)
    with svc.embedded(data={"bills": frame}) as opened:
        assert len(opened.sql('SELECT "user", "order", paid FROM tickets')) == len(TICKETS)


@pytest.mark.parametrize(
    "frame",
    [
        lines().drop(columns="served_on"),  # nothing happened: a number of kinds
        lines().assign(served_on=pd.date_range("2024-01-01", periods=len(lines()))),  # each row has a day of its own
        lines().drop_duplicates("ticket_no"),  # nothing comes again
    ],
)
def test_other_tables_stay_one_cube(frame: pd.DataFrame) -> None:
    assert [cube["name"] for cube in scaffold_model({"bills": frame})["cubes"]] == ["bills"]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many tickets", [(9,)]),
        ("number of tickets by payment", [("card", 3), ("cash", 6)]),
        ("tickets per waiter", [("Ilse", 6), ("Milan", 3)]),
        ("tickets per month", [("2024-03", 4), ("2024-04", 5)]),
        ("how many tickets have a soup", [(5,)]),
        ("what share of tickets has payment card", [(0.333,)]),
        ("total amount by waiter", [("Ilse", 81.0), ("Milan", 66.0)]),
        ("average tickets per day", [(1.5,)]),
        ("how many soups did we sell", [(8,)]),
        ("how many juices were sold in april", [(6,)]),
        ("how many dishes did we sell", [(4,)]),
        ("tickets with only mains", [(7006,)]),
        ("which tickets have only a dessert", [(7002,)]),
        ("tickets that contain only drinks in april 2024", [(7008,)]),
        ("waiters who only ever take cash", [("Milan",)]),
        ("which waiters only take cash", [("Milan",)]),
        (
            "compare tickets per waiter, first half of march 2024 vs first half of april 2024",
            [("Ilse", 2, 4), ("Milan", 2, 1)],
        ),
    ],
)
def test_what_lines_belong_to_is_counted_by_itself(
    client: svc.Client, question: str, rows: list[tuple[object, ...]]
) -> None:
    answer = client.chat().ask(question)
    assert answer.result is not None, answer.text
    found = [tuple(_plain(cell) for cell in row) for row in answer.df.itertuples(index=False)]
    assert found == rows


def test_what_is_said_of_all_rows_is_not_told_of_some(client: svc.Client) -> None:
    answer = client.chat().ask("total amount of tickets with only mains")
    assert answer.result is None or answer.df.iloc[0, 0] == 12.0


def _plain(cell: object) -> object:
    if isinstance(cell, pd.Timestamp):
        return f"{cell:%Y-%m}"
    return round(cell, 3) if isinstance(cell, float) else cell
