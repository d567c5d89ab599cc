"""Questions typed in a hurry, as telegrams: what is lost between their words is read, and never left out unsaid."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Pct, outcome_of
from worlds import World

from svc_notebook.analyst.offline.reading.heads_last import heads_first
from svc_notebook.analyst.offline.reading.telegrams import written_out
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 120


@cache
def tables() -> dict[str, pd.DataFrame]:
    guides = pd.DataFrame({
        "guide_id": range(1, 6), "guide_name": ["Ines Moll", "Jarl Thune", "Kit Ahlers", "Lotte Brix", "Mats Oduya"],
        "joined_on": pd.to_datetime(["2019-04-01", "2021-06-15", "2016-03-01", "2023-05-01", "2020-02-10"]),
        "mobile": ["0151", None, "0162", None, "0170"],
    })  # fmt: skip
    boats = pd.DataFrame({
        "boat_no": [f"B{n:02d}" for n in range(1, 13)], "boat_class": [("single", "double", "raft")[n % 3] for n in range(12)],
        "seats": [(1, 2, 8)[n % 3] for n in range(12)], "owner": [("Alfa", "Bravo", "Carla")[n * n % 5 % 3] for n in range(12)],
    })  # fmt: skip
    begun = pd.Timestamp("2024-01-04 09:00") + pd.to_timedelta([n * 61 for n in range(N)], unit="h")
    trips = pd.DataFrame({
        "trip_id": range(1, N + 1), "boat_no": [f"B{1 + n * n % 11:02d}" for n in range(N)], "guide_id": [1 + n * 7 % 13 % 4 for n in range(N)],
        "started_at": begun, "trip_km": [2.5 + n * 3 % 17 for n in range(N)],
        "deposit_eur": [20.0 + 5 * (n % 9) for n in range(N)], "rating": [1 + n * 5 % 9 / 2 for n in range(N)],
        "status": [("completed", "completed", "aborted", "booked")[n % 7 % 4] for n in range(N)],
        "channel": [("web", "phone", "desk")[n * n % 7 % 3] for n in range(N)],
        "abort_reason": [(None, None, ("storm", "illness", "storm", "broken paddle")[n % 5 % 4], None)[n % 7 % 4] for n in range(N)],
        "insured": [n % 4 != 1 for n in range(N)],
    })  # fmt: skip
    return {"guides": guides, "boats": boats, "trips": trips}


@cache
def world() -> World:
    held = tables()
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def _wanted() -> dict[str, Any]:
    guides, boats, trips = tables()["guides"], tables()["boats"], tables()["trips"]
    all_of = trips.merge(boats, on="boat_no").merge(guides, on="guide_id")
    web, aborted = trips[trips.channel == "web"], trips.status == "aborted"
    of_guide, of_boat = all_of.guide_name.value_counts(), trips.boat_no.value_counts()
    weekdays = dict((trips.started_at.dt.dayofweek + 1).value_counts())
    return {
        "% trips aborted": Pct(aborted.mean()),
        "% aborted per channel": {k: Pct(v) for k, v in aborted.groupby(trips.channel).mean().items()},
        "% of web trips aborted": Pct((web.status == "aborted").mean()),
        "% of web trips insured": Pct(web.insured.mean()),
        "overall % aborted": Pct(aborted.mean()),
        "aborted trips %": Pct(aborted.mean()),
        "% trips w/ over 10 km": Pct((trips.trip_km > 10).mean()),
        "pct trips via phone": Pct((trips.channel == "phone").mean()),
        "% trips 4+ rating": Pct((trips.rating >= 4).mean()),
        "guides w 30+ trips": Near(set(of_guide[of_guide >= 30].index), dict(of_guide[of_guide >= 30])),
        "boats 15+ trips": Near(set(of_boat[of_boat >= 15].index), dict(of_boat[of_boat >= 15])),
        "no. of trips": N,
        "# trips per channel": dict(trips.channel.value_counts()),
        "trip count mon-sun": weekdays,
        "avg rating insured y/n": dict(trips.groupby("insured").rating.mean()),
        "guides w/o mobile": set(guides[guides.mobile.isna()].guide_name),
        "guides joined pre 2020": Near(2, set(guides[guides.joined_on < "2020"].guide_name)),
    }


@pytest.mark.parametrize("question", list(_wanted()))
def test_telegrams_are_read(question: str) -> None:
    assert outcome_of(ask(world(), question), _wanted()[question]) == "right"


@pytest.mark.parametrize(
    "question",
    [
        "avg rating in %", "trips over 5 % of all", "deposit growth %", "more than 3% aborted", "trips as % of total",
        "trips to B+ rivers", "rating 3 + 4", "trips of class w", "which boats are over 10 km away",
    ],
)  # fmt: skip
def test_what_stands_for_no_word_stays_as_it_is(question: str) -> None:
    assert written_out(question, world().metadata) == question


def _headed() -> dict[str, Any]:
    boats, trips = tables()["boats"], tables()["trips"]
    all_of = trips.merge(boats, on="boat_no")
    raft = all_of[all_of.boat_class == "raft"]
    unused = set(boats.boat_no) - set(trips.boat_no)
    many = trips.boat_no.value_counts()
    return {
        "deposit total by channel": dict(trips.groupby("channel").deposit_eur.sum()),
        "trip km, median": trips.trip_km.median(),
        "trip km by channel, median": dict(trips.groupby("channel").trip_km.median()),
        "insured web trips count": int((trips.insured & (trips.channel == "web")).sum()),
        "raft trips over 10 km, how many": int((raft.trip_km > 10).sum()),
        "each channel, average deposit": dict(trips.groupby("channel").deposit_eur.mean()),
        "latest trip date": trips.started_at.max(),
        "first trip date we have": trips.started_at.min(),
        "top abort reason": Near("storm", ("storm", int((trips.abort_reason == "storm").sum()))),
        "boats by aborted rate, worst at top": {
            b: Pct(v) for b, v in (trips.status == "aborted").groupby(trips.boat_no).mean().items()
        },
        "boats, no trips yet": unused,
        "12+ trips, which boats": Near(set(many[many >= 12].index), dict(many[many >= 12])),
    }


@pytest.mark.parametrize("question", list(_headed()))
def test_a_head_that_stands_last_is_read(question: str) -> None:
    assert outcome_of(ask(world(), question), _headed()[question]) == "right"


@pytest.mark.parametrize(
    "question",
    [
        "per channel, show the number of trips", "each trip was stopped, once", "top guide by deposit", "trips, total",
        "trips per boat, which channel", "how many trips by channel, count", "top 3 boats by trips", "web trips - boat, longest first",
    ],
)  # fmt: skip
def test_a_head_in_front_stays_there(question: str) -> None:
    assert heads_first(question, world().metadata) == question


def _of_several() -> dict[str, Any]:
    trips = tables()["trips"]
    aborted, far = trips[trips.status == "aborted"], trips[trips.trip_km > 17]
    groups = trips.groupby("channel")
    late = aborted.channel.value_counts()
    counted = [(k, len(g), g.trip_km.sum(), int(late.get(k, 0))) for k, g in groups]
    return {
        "reasons for aborted trips": dict(aborted.abort_reason.value_counts()),
        "aborted trips in march, reasons": dict(aborted[aborted.started_at.dt.month == 3].abort_reason.value_counts()),
        "trips, total km, aborted count by channel": counted,
        "avg rat per channel": dict(groups.rating.mean()),
        "trips over 17 km - boat, channel": [(t.boat_no, t.channel) for t in far.itertuples()],
    }


@pytest.mark.parametrize("question", list(_of_several()))
def test_lists_of_nouns_are_told_apart(question: str) -> None:
    assert outcome_of(ask(world(), question), _of_several()[question]) == "right"
