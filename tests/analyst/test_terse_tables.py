"""Tables with terse names: fiscal years, measured values in rows of their own, rows that refer to rows of their table."""

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


@cache
def harbour() -> dict[str, pd.DataFrame]:
    buoys = pd.DataFrame({
        "buoy_cd": ["B1", "B2", "B3"], "descr": ["Outer mole", "Fish quay", "Lock gate"], "basin": ["sea", "sea", "river"],
    })  # fmt: skip
    probes = pd.DataFrame({
        "probe_id": ["P1", "P2", "P3", "P4"], "buoy_cd": ["B1", "B2", "B3", "B1"], "kind": ["SALT", "SALT", "TEMP", "TEMP"],
        "inst_dt": pd.to_datetime(["2022-01-05", "2022-03-01", "2023-02-02", "2023-05-06"]),
        "decom_dt": pd.to_datetime([None, "2024-06-01", None, "2024-08-01"]), "batt_pct": [80, 15, None, 12],
        "price_eur": [120, 130, 90, 95],
    })  # fmt: skip
    samples = pd.DataFrame({
        "sample_no": range(1, 25), "probe_id": [f"P{1 + n * n % 4 + n % 3 % 2}" for n in range(24)],
        "ts": pd.date_range("2024-05-01 03:00", periods=24, freq="79h"),
        "val": [None if n == 7 else 10.0 + n * 5 % 23 for n in range(24)], "qc": [("ok", "ok", "bad")[n * n % 3] for n in range(24)],
    })  # fmt: skip
    return {"buoys": buoys, "probes": probes, "samples": samples}


@cache
def club() -> dict[str, pd.DataFrame]:
    sections = pd.DataFrame({
        "sec_cd": ["WAT", "ROW", "SWM", "BAL", "FOO"], "sec_nm": ["Water Sports", "Rowing", "Swimming", "Ball Games", "Football"],
        "parent_cd": [None, "WAT", "WAT", None, "BAL"],
    })  # fmt: skip
    coaches = pd.DataFrame({
        "coach_id": range(1, 6), "coach_nm": ["Ida Bock", "Jon Clay", "Kai Dorn", "Lea Eyer", "Mia Falk"],
        "head_coach_id": pd.array([None, 1, 1, 2, 1], dtype="Int64"),
    })  # fmt: skip
    squads = pd.DataFrame({
        "squad_cd": ["7A", "7B", "8A", "9B"], "sec_cd": ["ROW", "SWM", "ROW", "FOO"], "sex": ["F", "M", "F", "M"], "tutor_id": [2, 3, 5, 4],
        "room_no": ["R1", "R2", None, "R3"],
    })  # fmt: skip
    grants = pd.DataFrame({
        "entry_no": range(1, 25), "fy": [2021 + n % 4 for n in range(24)],
        "sec_cd": [("ROW", "SWM", "FOO", "BAL", "WAT")[n % 5] for n in range(24)],
        "grant_amt": [500 + n * 37 % 400 for n in range(24)],
    })  # fmt: skip
    bills = pd.DataFrame({
        "pmt_no": range(1, 13), "sec_cd": [("ROW", "FOO")[n % 2] for n in range(12)], "inv_dt": pd.date_range("2023-01-05", periods=12, freq="50D"),
        "amt": [20 + n * n % 7 for n in range(12)], "po_flag": [("Y", "N", "Y")[n % 3] for n in range(12)],
        "talk_length_min": [(15, 30, 45, 60)[n % 4] for n in range(12)],
    })  # fmt: skip
    return {"sections": sections, "coaches": coaches, "squads": squads, "grant_entries": grants, "payments": bills}


@cache
def world(name: str) -> World:
    held = {"harbour": harbour, "club": club}[name]()
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def of_harbour() -> dict[str, Any]:
    t = harbour()
    rows = t["samples"].merge(t["probes"], on="probe_id").merge(t["buoys"], on="buoy_cd")
    salt, temp = rows[rows.kind == "SALT"], rows[rows.kind == "TEMP"]
    month = salt.ts.dt.to_period("M").dt.to_timestamp()
    return {
        "average salt per month": dict(salt.val.groupby(month).mean()),
        "mean TEMP by basin, only ok samples": dict(temp[temp.qc == "ok"].groupby("basin").val.mean()),
        "salt by hour of day": dict(salt.groupby(salt.ts.dt.hour).val.mean()),
        "salt samples above 20": Near(int((salt.val > 20).sum()), set(salt[salt.val > 20].sample_no)),
        "how many samples are there per kind": dict(rows.groupby("kind").size()),
        "number of samples where qc is ok": int((rows.qc == "ok").sum()),
        "samples with no value": Near(1, {8}),
        "decommissioned probes": Near(2, {"P2", "P4"}),
        "which probes are still in service": {"P1", "P3"},
        "probes with unknown battery": Near(1, {"P3"}),
        "probes whose battery level was not recorded": Near(1, {"P3"}),
        "how many probes have battery below 20": 2,
        "what did all the probes cost us together": 435,
        "probes that were never sampled": set(t["probes"].probe_id) - set(t["samples"].probe_id),
        "buoys with both a SALT and a TEMP probe": Near(1, {"Outer mole"}, {"B1"}),
        "warmest buoy (highest average temp)": temp.groupby("descr").val.mean().idxmax(),
    }


def of_club() -> dict[str, Any]:
    t = club()
    grants = t["grant_entries"].merge(t["sections"], on="sec_cd")
    paid = t["payments"].merge(t["sections"], on="sec_cd")
    people = t["coaches"].set_index("coach_id").coach_nm
    under = t["coaches"][t["coaches"].head_coach_id == 1]
    return {
        "total grant FY 2023": int(grants[grants.fy == 2023].grant_amt.sum()),
        "total grant FY2023": int(grants[grants.fy == 2023].grant_amt.sum()),
        "grant per section in 2022": dict(grants[grants.fy == 2022].groupby("sec_nm").grant_amt.sum()),
        "who reports to Ida Bock": Near(3, set(under.coach_nm), set(under.coach_id)),
        "how many squads of girls are there": 2,
        "who is the tutor of squad 9B": people[4],
        "who is the head coach of Lea Eyer": "Jon Clay",
        "coaches and the name of their head coach": Near(
            [(row.coach_nm, people[row.head_coach_id]) for row in t["coaches"].dropna().itertuples()],
            [(row.coach_nm, people.get(row.head_coach_id)) for row in t["coaches"].itertuples()],
        ),
        "which sections belong to Water Sports": {"Rowing", "Swimming"},
        "which squad has no room": "8A",
        "money paid per section": dict(paid.groupby("sec_nm").amt.sum()),
        "average invoice by section": dict(paid.groupby("sec_nm").amt.mean()),
        "payments over 21 made without a purchase order": Near(
            *(lambda f: (len(f), set(f.pmt_no)))(t["payments"].query("amt > 21 and po_flag == 'N'"))
        ),
        "payments lasting 30 minutes": Near(3, set(t["payments"][t["payments"].talk_length_min == 30].pmt_no)),
        "payments without a purchase order": Near(4, set(t["payments"][t["payments"].po_flag == "N"].pmt_no)),
        "invoices in 2024": Near(4, set(t["payments"][t["payments"].inv_dt >= "2024"].pmt_no)),
    }


@pytest.mark.parametrize("question", of_harbour())
def test_what_is_measured_is_a_value_of_its_kind(question: str) -> None:
    assert outcome_of(ask(world("harbour"), question), of_harbour()[question]) == "right"


@pytest.mark.parametrize("question", of_club())
def test_years_sections_and_people_are_found_by_terse_names(question: str) -> None:
    assert outcome_of(ask(world("club"), question), of_club()[question]) == "right"
