"""What words are for though no name says so: lateness of two times, what is owed, who signed up, codes, ways, kinds."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Pct, outcome_of
from worlds import NOW, World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 96


@cache
def tables() -> dict[str, pd.DataFrame]:
    people = ["Ada Moor", "Bea Nagel", "Cas Olt", "Dan Pohl", "Eve Quirk", "Fin Rust"]
    clients = pd.DataFrame({
        "client_no": range(1, 7), "client_name": people, "kind": ["farmer", "baker", "farmer", "baker", "smith", "baker"],
        "born_on": pd.to_datetime(["1950-02-01", "1961-07-05", "1999-01-09", "1985-10-30", "1947-03-03", "1990-12-12"]),
        "died_on": pd.to_datetime([None, None, None, None, "2023-01-02", None]),
        "enrolled_on": pd.to_datetime(
            ["2023-05-01", "2024-02-02", "2024-02-20", "2024-03-05", "2022-06-07", "2024-06-01"]
        ),
    })  # fmt: skip
    begun = pd.Timestamp("2024-01-02 08:00") + pd.to_timedelta([n * 75 for n in range(N)], unit="h")
    trips = pd.DataFrame({
        "trip_no": range(101, 101 + N), "client_no": [1 + n * n % 5 for n in range(N)], "planned_at": begun,
        "arrived_at": [begun[n] + pd.Timedelta(minutes=n * 7 % 40 - 8) if n % 9 else pd.NaT for n in range(N)],
        "from_quay": [("Nord", "Ost")[n % 2] for n in range(N)], "to_quay": [("West", "Sud", "Ost")[n % 3] for n in range(N)],
        "stat": [("done", "done", "cxl", "noshow")[n * 5 % 7 % 4] for n in range(N)],
        "road": [("mway", "lane")[n // 3 % 2] for n in range(N)], "children": [n % 4 for n in range(N)],
        "fare": [12.0 + n % 13 for n in range(N)], "paid": ["N" if n % 6 == 1 else "Y" for n in range(N)],
        "tare_kg": [900 + n for n in range(N)], "net_kg": [2_000 + n * 37 % 500 for n in range(N)],
    })  # fmt: skip
    lent = pd.Timestamp("2024-03-01") + pd.to_timedelta([n * 5 for n in range(40)], unit="D")
    loans = pd.DataFrame({
        "loan_no": range(1, 41), "client_no": [1 + n % 5 for n in range(40)], "due_on": lent + pd.Timedelta(days=9),
        "returned_on": [lent[n] + pd.Timedelta(days=3 + n % 11) if n % 8 else pd.NaT for n in range(40)],
        "lent_on": lent, "settled_on": [lent[n] + pd.Timedelta(days=20) if n % 5 else pd.NaT for n in range(40)],
    })  # fmt: skip
    return {"clients": clients, "trips": trips, "loans": loans}


@cache
def world() -> World:
    held = tables()
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def wanted(question: str) -> Any:
    clients, trips, loans = tables()["clients"], tables()["trips"], tables()["loans"]
    delay = (trips.arrived_at - trips.planned_at).dt.total_seconds() / 60
    names = trips.client_no.map(clients.set_index("client_no").client_name)
    unpaid, open_ = trips[trips.paid == "N"], loans[loans.returned_on.isna() & (loans.due_on < NOW)]
    ways = [(*way, number) for way, number in trips.groupby(["from_quay", "to_quay"]).size().items()]
    cancelled = trips[trips.stat == "cxl"]
    kinds, each = trips.groupby(names).road.nunique(), trips.groupby(names).size()
    total = trips.groupby(names).fare.sum()
    month = trips.arrived_at.dropna().dt.to_period("M").dt.to_timestamp()
    joined = clients.enrolled_on.dt
    return {
        "average delay per road": dict(delay.groupby(trips.road).mean()),
        "how many trips with over 15 min delay": int((delay > 15).sum()),
        "share of late loans": Pct((loans.returned_on > loans.due_on).mean()),
        "how many loans were returned after the due date": int((loans.returned_on > loans.due_on).sum()),
        "how many loans are overdue": len(open_),
        "how much money are we owed": float(unpaid.fare.sum()),
        "how much is still unpaid in all": float(unpaid.fare.sum()),
        "which client owes us the most": dict(unpaid.fare.groupby(names).sum().nlargest(1)),
        "how many sign-ups in 2024": int((joined.year == 2024).sum()),
        "how many clients signed up in february 2024": int(((joined.year == 2024) & (joined.month == 2)).sum()),
        "how many trips were cancelled": len(cancelled),
        "average fare of motorway trips": float(trips[trips.road == "mway"].fare.mean()),
        "who cancels the most": Near(dict(cancelled.trip_no.groupby(names).count().nlargest(1))),
        "trips per route": ways,
        "how many bakers are older than 60": 1,
        "how many trips with kids": int((trips.children > 0).sum()),
        "total kids by road": dict(trips.groupby("road").children.sum()),
        "clients with at least 2 different roads": {name: n for name, n in kinds.items() if n > 1},
        "which clients have used every road": {name: n for name, n in kinds.items() if n == 2},
        "clients with more trips than the average client": dict(each[each > each.mean()]),
        "clients who paid us more than the average client": dict(total[total > total.mean()]),
        "unpaid trips: client, children and fare": [
            (trips.trip_no[at], names[at], trips.children[at], trips.fare[at]) for at in unpaid.index
        ],
        "how fresh is this, what's the last trip": trips.arrived_at.max(),
        "is the fare getting better? by month in 2024": dict(trips.fare.groupby(month).mean()),
        "loads per road": dict(trips.road.value_counts()),
    }[question]  # fmt: skip


QUESTIONS = (
    "average delay per road", "how many trips with over 15 min delay", "share of late loans",
    "how many loans were returned after the due date", "how many loans are overdue", "how much money are we owed",
    "how much is still unpaid in all", "which client owes us the most", "how many sign-ups in 2024",
    "how many clients signed up in february 2024", "how many trips were cancelled", "average fare of motorway trips",
    "who cancels the most", "trips per route", "how many bakers are older than 60", "how many trips with kids", "total kids by road",
    "loads per road", "clients with at least 2 different roads", "which clients have used every road",
    "clients with more trips than the average client", "clients who paid us more than the average client",
    "unpaid trips: client, children and fare", "how fresh is this, what's the last trip",
    "is the fare getting better? by month in 2024",
)  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_words_are_for_what_the_rows_say_together(question: str) -> None:
    assert outcome_of(ask(world(), question), wanted(question)) == "right"


@pytest.mark.parametrize("question", ["how many loads were painted", "who owes us a favour"])
def test_what_no_row_says_stays_unanswered_or_is_told(question: str) -> None:
    found = ask(world(), question)
    assert found.table is None or "left out" in found.answer.text


@cache
def lessons() -> World:
    pup = pd.DataFrame({
        "pup_no": range(1, 7), "nm": ["Ada Moor", "Bea Nagel", "Cas Olt", "Dan Pohl", "Eve Quirk", "Fin Rust"],
        "reg_dt": pd.Timestamp("2024-01-03") + pd.to_timedelta([n * 20 for n in range(6)], unit="D"),
    })  # fmt: skip
    les = pd.DataFrame({
        "les_no": range(1, 41), "pup_no": [1 + n * n % 6 for n in range(40)], "amt": [20.0 + n % 7 for n in range(40)],
        "dt": pd.Timestamp("2024-02-01") + pd.to_timedelta([n * 3 for n in range(40)], unit="D"),
        "typ": [("city", "rural", "night")[n % 3] for n in range(40)], "fee_per_km": [0.5 + n % 3 for n in range(40)],
    })  # fmt: skip
    held = {"pup": pup, "les": les}
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def test_rows_of_a_table_written_short_are_a_kind_like_any_other() -> None:
    found = ask(lessons(), "pupils with more lessons than the average pupil").rows()
    assert {row[0] for row in found} == {"Bea Nagel", "Eve Quirk"}


def test_what_a_fee_is_per_is_not_the_fee() -> None:
    found = ask(lessons(), "total km by typ")
    assert found.table is None or "fee" not in str(found.tool)
