"""Answers about the rows that were named: everyday words for them, who they are, what was done to how many of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, outcome_of
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 60


@cache
def tables() -> dict[str, pd.DataFrame]:
    vets = pd.DataFrame(
        {
            "vet_id": range(1, 7),
            "full_name": [f"Dr. V{n}" for n in range(6)],
            "salary": [48_000 + 9_000 * n for n in range(6)],
            "part_time": [n % 3 == 0 for n in range(6)],
        }
    )
    cases = pd.DataFrame(
        {
            "file_no": [f"F{n}" for n in range(N)],
            "vet_id": [1 + n % 5 for n in range(N)],
            "opened_on": pd.Timestamp("2022-02-01") + pd.to_timedelta([n * 11 for n in range(N)], unit="D"),
            "closed_on": [
                pd.NaT if n % 4 == 0 else pd.Timestamp("2022-05-01") + pd.Timedelta(days=n * 13) for n in range(N)
            ],
            "bill_amount": [100.0 + (n * 37) % 400 for n in range(N)],
            "lab_fee": [5.0 + n % 9 for n in range(N)],
            "clinic": [("North", "South", "West")[n % 3] for n in range(N)],
        }
    )
    visits = pd.DataFrame(
        {
            "visit_id": range(1, 151),
            "file_no": [f"F{(n * n) % 55}" for n in range(150)],
            "minutes": [10 + n % 40 for n in range(150)],
        }
    )
    duties = pd.DataFrame(
        {"duty_id": range(1, 31), "vet_id": [1 + n % 6 for n in range(30)], "hours": [4.5, 8, 6] * 10}
    )
    return {"vets": vets, "clinical_cases": cases, "visits": visits, "duties": duties}


@cache
def spills() -> dict[str, pd.DataFrame]:
    return {
        "spills": pd.DataFrame(
            {
                "spill_id": range(1, N + 1),
                "spilled_at": pd.Timestamp("2022-01-15") + pd.to_timedelta([n * 16 for n in range(N)], unit="D"),
                "source": [("tanker leak", "overflow", "storm")[n % 3] for n in range(N)],
                "weather": [("rain", "clear", "fog")[(n // 2) % 3] for n in range(N)],
                "injured": [n % 4 for n in range(N)],
                "pilot_sex": [("M", "F", "U")[n % 3 if n % 10 else 2] for n in range(N)],
                "pilot_age": [19 + (n * 7) % 60 for n in range(N)],
                "vessel_make": [("Damen", "Meyer", "Hoyt")[(n // 4) % 3] for n in range(N)],
                "damage_eur": [1000.0 + (n * 211) % 5000 for n in range(N)],
                "built": [1975 + (n * 5) % 45 for n in range(N)],
                "flag_country": [("IT", "DE", "NO", "FR")[n % 4] for n in range(N)],
                "fined": [("card", "cash", "transfer")[(n // 3) % 3] for n in range(N)],
                "fine_eur": [0.0 if n % 6 == 0 else 50.0 + n for n in range(N)],
                "berth": [str(n % 5 - 2) for n in range(N)],
            }
        )
    }


@cache
def rentals() -> dict[str, pd.DataFrame]:
    owners = pd.DataFrame({"owner_id": range(1, 9), "name": [f"O{n}" for n in range(8)], "town": ["Kiel", "Bonn"] * 4})
    boats = pd.DataFrame(
        {
            "boat_id": range(1, 25),
            "boat_name": [("Anna", "Berta", "Clara")[n % 3] for n in range(24)],
            "kind": [("canoe", "sailboat", "raft")[(n // 2) % 3] for n in range(24)],
            "owner_id": [1 + n % 8 for n in range(24)],
        }
    )
    bookings = pd.DataFrame(
        {
            "ref": [f"R{n}" for n in range(120)],
            "boat_id": [1 + (n * 7) % 20 for n in range(120)],
            "booked_by": [1 + n % 8 for n in range(120)],
            "channel": [("web", "desk")[n % 2] for n in range(120)],
            "price_eur": [20.0 + (n * 13) % 70 for n in range(120)],
            "booked_at": pd.Timestamp("2024-01-03") + pd.to_timedelta([n * 2 for n in range(120)], unit="D"),
        }
    )
    return {"owners": owners, "boats": boats, "bookings": bookings}


@cache
def world(kind: str) -> World:
    data = {"many": tables, "one": spills, "rented": rentals}[kind]()
    return World(SemanticLayer(load_model(scaffold_model(data)), DuckDBEngine.open(None, data=data)))


def _sized(rows: pd.DataFrame, key: str) -> Near:
    return Near(len(rows), set(rows[key]))


CASES, VETS, SPILLS = tables()["clinical_cases"], tables()["vets"], spills()["spills"]
NEVER = CASES[~CASES.file_no.isin(tables()["visits"].file_no)]
OF_BOTH = SPILLS[SPILLS.pilot_sex.isin(["M", "F"])].groupby("pilot_sex").pilot_age.mean()
MANY: dict[str, Any] = {
    "how many cases are still open": CASES.closed_on.isna().sum(),
    "cases without visits": _sized(NEVER, "file_no"),
    "clinics with more than 15 cases": {"North", "South", "West"},
    "cases that were opened in 2022 and closed in 2023": _sized(
        CASES[(CASES.opened_on.dt.year == 2022) & (CASES.closed_on.dt.year == 2023)], "file_no"
    ),
    "full-time vets": _sized(VETS[~VETS.part_time], "full_name"),
    "vets earning more than 60000": _sized(VETS[VETS.salary > 60_000], "full_name"),
    "list the vets by salary": list(VETS[["full_name", "salary"]].itertuples(index=False, name=None)),
    "average bill amount and lab fee by clinic": [
        (name, *row) for name, *row in CASES.groupby("clinic")[["bill_amount", "lab_fee"]].mean().itertuples()
    ],
    "cases over a hundred euros": _sized(CASES[CASES.bill_amount > 100], "file_no"),
}
ONE: dict[str, Any] = {
    "oldest pilot": SPILLS.pilot_age.max(),
    "pilots under 25": _sized(SPILLS[SPILLS.pilot_age < 25], "spill_id"),
    "average age of male and female pilots": dict(OF_BOTH),
    "spills without injuries": _sized(SPILLS[SPILLS.injured == 0], "spill_id"),
    "spills where somebody was injured": _sized(SPILLS[SPILLS.injured > 0], "spill_id"),
    "spills where nobody was injured": _sized(SPILLS[SPILLS.injured == 0], "spill_id"),
    "how many rainy spills": (SPILLS.weather == "rain").sum(),
    "which make has the highest average damage": SPILLS.groupby("vessel_make").damage_eur.mean().idxmax(),
    "spills last summer": SPILLS.spilled_at.between("2024-06-01", "2024-08-31 23:00").sum(),
    "spills of vessels built in the 80s": _sized(SPILLS[SPILLS.built.between(1980, 1989)], "spill_id"),
    "spills not caused by storm": _sized(SPILLS[SPILLS.source != "storm"], "spill_id"),
}

ONE |= {
    "how many Italian spills": (SPILLS.flag_country == "IT").sum(),
    "spills from Norway or Germany": _sized(SPILLS[SPILLS.flag_country.isin(["NO", "DE"])], "spill_id"),
    "spills at berth -2": _sized(SPILLS[SPILLS.berth == "-2"], "spill_id"),
    "Germans who paid cash": _sized(SPILLS[(SPILLS.flag_country == "DE") & (SPILLS.fined == "cash")], "spill_id"),
}
BOOKINGS, BOATS = rentals()["bookings"].merge(rentals()["boats"], on="boat_id"), rentals()["boats"]
FEES = BOOKINGS.groupby("kind").price_eur.mean()
RENTED: dict[str, Any] = {
    "bookings by channel and kind": [(*of, n) for of, n in BOOKINGS.groupby(["channel", "kind"]).size().items()],
    "boats that have never been booked": list(BOATS[~BOATS.boat_id.isin(BOOKINGS.boat_id)].boat_name),
    "average number of bookings per boat": Near(len(BOOKINGS) / 20, len(BOOKINGS) / 24),
    "do canoes cost more than sailboats": dict(FEES[["canoe", "sailboat"]]),
}


@pytest.mark.parametrize("question", [*MANY, *ONE, *RENTED])
def test_what_is_asked_of_named_rows(question: str) -> None:
    asked = ask(world("one" if question in ONE else "many" if question in MANY else "rented"), question)
    assert outcome_of(asked, (MANY | ONE | RENTED)[question]) == "right", asked.answer.text


def test_both_of_two_is_not_told_as_each() -> None:
    asked = ask(world("rented"), "how many owners have both a canoe and a raft")
    kinds = BOATS.groupby("owner_id").kind.agg(set)
    assert outcome_of(asked, int(sum({"canoe", "raft"} <= owned for owned in kinds))) == "right", asked.answer.text


def test_the_hours_of_other_rows_are_not_told_of_those_that_were_named() -> None:
    asked = ask(world("many"), "how many hours of visits did we have in 2023")
    assert outcome_of(asked, tables()["visits"].minutes.sum()) == "refused", asked.answer.text
