"""Questions that were refused over tables nobody described, each by a wording that any table may be asked in."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Pct, outcome_of
from worlds import World

from svc_notebook.analyst.offline.schema.values import ValueIndex
from svc_notebook.analyst.offline.words.text import tokenize
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 60


@cache
def tables() -> dict[str, pd.DataFrame]:
    people = ["Ada Berglund", "Bo Castell", "Ms Cora Dunmore", "Dag Ekström"]
    technicians = pd.DataFrame({
        "technician_id": range(1, 5), "technician_name": people,
        "hired_on": pd.to_datetime(["2019-05-01", "2016-02-01", "2021-09-01", "2018-01-15"]),
    })  # fmt: skip
    machines = pd.DataFrame({
        "machine_id": range(1, 11), "hall": [("H1", "H2", "H3")[n % 3] for n in range(10)],
        "warranty_provider": [None if n % 4 == 0 else ("Nord", "Sud")[n % 2] for n in range(10)],
        "sold_on": [pd.Timestamp("2024-02-01") + pd.Timedelta(days=30 * n) if n < 4 else pd.NaT for n in range(10)],
        "sold_eur": [1000.0 + 100 * n if n < 4 else None for n in range(10)],
    })  # fmt: skip
    begun = pd.Timestamp("2023-10-02 08:00") + pd.to_timedelta([n * 150 for n in range(N)], unit="h")
    callouts = pd.DataFrame({
        "callout_id": range(1, N + 1), "machine_id": [1 + n % 9 for n in range(N)],
        "technician_id": [1 + n * n % 4 for n in range(N)], "opened_at": begun,
        "closed_at": [begun[n] + pd.Timedelta(hours=7 + n * 5 % 90) for n in range(N)],
        "outcome": [("repaired", "escalated", "replaced")[n % 5 % 3] for n in range(N)],
        "channel": [("phone", "mail", "portal")[n * n % 3] for n in range(N)],
        "filters": [1 + n % 8 for n in range(N)], "amount_billed": [40.0 + 7 * (n % 11) for n in range(N)],
    })  # fmt: skip
    return {"technicians": technicians, "machines": machines, "callouts": callouts}


@cache
def world() -> World:
    held = tables()
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def wanted(question: str) -> Any:
    machines, calls = tables()["machines"], tables()["callouts"]
    names = tables()["technicians"].set_index("technician_id").technician_name
    done = calls.assign(who=calls.technician_id.map(names), took=calls.closed_at - calls.opened_at)
    last = done[done.opened_at.dt.year == 2023]
    filters = calls.groupby("machine_id").filters.sum()
    soon = done[done.took <= pd.Timedelta(hours=24)]
    unsaid = machines[machines.warranty_provider.isna()]
    return {
        "how much did each technician bill in 2023": dict(last.groupby("who").amount_billed.sum()),
        "callouts per tech": dict(done.who.value_counts()),
        "callouts of castell": Near(int((done.who == "Bo Castell").sum())),
        "how many callouts did ms dunmore have": int((done.who == "Ms Cora Dunmore").sum()),
        "share of callouts that came in by phone": Pct((calls.channel == "phone").mean()),
        "what percent of callouts come in by mail": Pct((calls.channel == "mail").mean()),
        "machines with more than 30 filters": Near(dict(filters[filters > 30]), set(filters[filters > 30].index)),
        "which machines haven't needed anything": {10},
        "machines in hall h2": Near(3, set(machines[machines.hall == "H2"].machine_id)),
        "how many H1s are there": 4,
        "top 2 technicians by escalations": dict(done[done.outcome == "escalated"].who.value_counts()[:2]),
        "replacement rate": Pct((calls.outcome == "replaced").mean()),
        "share of callouts closed within 24 hours": Pct(len(soon) / len(done)),
        "how many machines were sold in 2024": 4,
        "machines sold per month": dict.fromkeys(machines.sold_on.dropna().dt.to_period("M").dt.to_timestamp(), 1),
        "unwarranted machines": Near(len(unsaid), set(unsaid.machine_id)),
        "who is our longest serving technician": Near("Bo Castell", ("Bo Castell", pd.Timestamp("2016-02-01"))),
        "commonest channel": calls.channel.mode()[0],
        "callouts in december": int(((calls.opened_at.dt.year == 2023) & (calls.opened_at.dt.month == 12)).sum()),
    }[question]


@pytest.mark.parametrize(
    "question",
    [
        "how much did each technician bill in 2023", "callouts per tech", "callouts of castell",
        "how many callouts did ms dunmore have", "share of callouts that came in by phone",
        "what percent of callouts come in by mail", "machines with more than 30 filters",
        "which machines haven't needed anything", "machines in hall h2", "how many H1s are there",
        "top 2 technicians by escalations", "replacement rate", "share of callouts closed within 24 hours",
        "how many machines were sold in 2024", "machines sold per month", "unwarranted machines",
        "who is our longest serving technician", "commonest channel", "callouts in december",
    ],
)  # fmt: skip
def test_wordings_of_any_table_are_read(question: str) -> None:
    assert outcome_of(ask(world(), question), wanted(question)) == "right"


@pytest.mark.parametrize("question", ["callouts of castellan", "painting rate", "how many X9s"])
def test_what_the_tables_do_not_hold_stays_refused(question: str) -> None:
    assert ask(world(), question).table is None


@pytest.mark.parametrize(("said", "found"), [("visits by ms dunmore", True), ("visits by ada berglund", True), ("visits by sales agent", False)])  # fmt: skip
def test_words_with_others_between_them_are_a_name_only_behind_how_people_are_addressed(said: str, found: bool) -> None:
    index = ValueIndex()
    index.add("staff.name", ["Ada Berglund", "Ms Cora Dunmore", "Dag Holm"], complete=True)
    index.add("staff.title", ["Sales Support Agent", "Sales Manager", "Clerk"], complete=True)
    tokens = tokenize(said)
    assert any(match.end == len(tokens) for at in range(len(tokens)) for match in index.find(tokens, at)) is found
