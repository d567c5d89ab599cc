"""Shares of rows, however they are said: what some are, of which rows, per group, ranked, bounded, beside their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import worlds
from asking import ask
from test_demo_questions import plain, same

import svc_notebook as svc

Told = Callable[[pd.DataFrame], Any]


def courier() -> dict[str, pd.DataFrame]:
    """Deliveries by drivers out of depots, some of them failed, most of them some minutes late."""
    dice, count = np.random.default_rng(47), 900
    drivers = pd.DataFrame({
        "driver_id": range(1, 9), "driver": ["Ada Holm", "Bo Lien", "Cleo Moe", "Dag Ness", "Eli Rud", "Finn Sand", "Gro Tveit", "Hans Ulv"],
        "depot": ["Harbour", "Harbour", "Harbour", "Hill", "Hill", "Hill", "Mill", "Mill"],
    })  # fmt: skip
    deliveries = pd.DataFrame({
        "delivery_id": range(1, count + 1), "driver_id": dice.integers(1, 9, count),
        "zone": dice.choice(["north", "south", "centre"], count, p=[0.5, 0.4, 0.1]),
        "delivered_at": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 366 * 24, count), unit="h"),
        "minutes_late": np.round(dice.gamma(1.2, 18, count)).astype(int),
        "weight_kg": np.round(dice.gamma(2, 6, count), 1), "failed": dice.random(count) < 0.12,
    })  # fmt: skip
    return {"drivers": drivers, "deliveries": deliveries}


def clinic() -> dict[str, pd.DataFrame]:
    """Appointments with doctors, some of them missed, by phone or in person."""
    dice, count = np.random.default_rng(53), 700
    appointments = pd.DataFrame({
        "appointment_id": range(1, count + 1), "doctor": dice.choice(["Amir", "Berta", "Chloe", "Dora"], count, p=[0.4, 0.3, 0.2, 0.1]),
        "channel": dice.choice(["phone", "video", "in person"], count), "missed": dice.random(count) < 0.2,
        "booked_for": pd.Timestamp("2023-03-01") + pd.to_timedelta(dice.integers(0, 240, count), unit="D"),
        "wait_minutes": np.round(dice.gamma(2, 10, count)).astype(int), "fee": np.round(dice.uniform(20, 140, count), 2),
    })  # fmt: skip
    return {"appointments": appointments}


@pytest.fixture(scope="module")
def couriers() -> Iterator[Any]:
    with svc.embedded(courier()) as opened:
        yield opened


@pytest.fixture(scope="module")
def clinics() -> Iterator[Any]:
    with svc.embedded(clinic()) as opened:
        yield opened


@pytest.fixture(scope="module")
def sent() -> pd.DataFrame:
    return courier()["deliveries"].merge(courier()["drivers"])


@pytest.fixture(scope="module")
def seen() -> pd.DataFrame:
    return clinic()["appointments"]


def rows_of(client: Any, question: str) -> list[tuple[Any, ...]]:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return [tuple(row) for row in answer.result.load_all().itertuples(index=False)]


def in_hundred(value: Any) -> float:
    """A share as it is told, of one or of a hundred."""
    assert isinstance(value, (int, float, np.number)), value
    return round(float(value) * 100, 3) if float(value) <= 1 else round(float(value), 3)


def per(by: str, so: Told, of: Told = lambda rows: rows) -> Told:
    """The share of rows that are ``so``, of each group, in percent."""
    return lambda rows: {str(name): round(100 * float(so(group).mean()), 3) for name, group in of(rows).groupby(by)}


def hour(rows: pd.DataFrame) -> pd.Series:
    return rows.delivered_at.dt.hour


EACH: list[tuple[str, Told]] = [
    ("what share of each depot's deliveries came more than 30 minutes late", per("depot", lambda d: d.minutes_late > 30)),
    ("what share of deliveries at each depot was more than 30 minutes late", per("depot", lambda d: d.minutes_late > 30)),
    ("per zone, what percentage of deliveries was over 15 kg?", per("zone", lambda d: d.weight_kg > 15)),
    ("for each zone: the proportion of deliveries that failed", per("zone", lambda d: d.failed)),
    ("probability of a delivery failing by depot", per("depot", lambda d: d.failed)),
    ("probability that a delivery fails, by depot", per("depot", lambda d: d.failed)),
    ("what share of deliveries in each of the three zones failed", per("zone", lambda d: d.failed)),
    ("what share of deliveries over 10 kg failed in each zone", per("zone", lambda d: d.failed, lambda d: d[d.weight_kg > 10])),
    ("share of failed deliveries by zone in March", per("zone", lambda d: d.failed, lambda d: d[d.delivered_at.dt.month == 3])),
    ("fraction of deliveries under 5 kg per driver", per("driver", lambda d: d.weight_kg < 5)),
]  # fmt: skip


@pytest.mark.parametrize(("question", "told"), EACH, ids=[one for one, _ in EACH])
def test_each_group_has_a_share_of_its_own(couriers: Any, sent: pd.DataFrame, question: str, told: Told) -> None:
    assert {str(row[0]): in_hundred(row[-1]) for row in rows_of(couriers, question)} == told(sent)


ONE: list[tuple[str, Told]] = [
    ("chance that a delivery to the north fails?", lambda d: d[d.zone == "north"].failed.mean()),
    ("what are the odds that a delivery is more than an hour late", lambda d: (d.minutes_late > 60).mean()),
    ("how likely is a delivery to fail in February?", lambda d: d[d.delivered_at.dt.month == 2].failed.mean()),
    ("how likely is it that a delivery from Hill fails?", lambda d: d[d.depot == "Hill"].failed.mean()),
    ("what's the risk of a delivery failing", lambda d: d.failed.mean()),
    ("likelihood of a delivery being over 30 minutes late in the south", lambda d: (d[d.zone == "south"].minutes_late > 30).mean()),
    ("if a delivery is over 20 kg, what are the odds that it fails?", lambda d: d[d.weight_kg > 20].failed.mean()),
    ("if a delivery failed, what is the probability it was more than 30 minutes late?", lambda d: (d[d.failed].minutes_late > 30).mean()),
    ("when a delivery is heavier than 20 kg, how likely is it to fail?", lambda d: d[d.weight_kg > 20].failed.mean()),
    ("what share of deliveries that are over 20 kg were more than 30 minutes late", lambda d: (d[d.weight_kg > 20].minutes_late > 30).mean()),
    ("what percentage of deliveries failed in the south", lambda d: d[d.zone == "south"].failed.mean()),
    ("what share of deliveries was over 20 kg and failed", lambda d: ((d.weight_kg > 20) & d.failed).mean()),
    ("what share of failed deliveries are over 20 kg", lambda d: (d[d.failed].weight_kg > 20).mean()),
]  # fmt: skip


@pytest.mark.parametrize(("question", "told"), ONE, ids=[one for one, _ in ONE])
def test_a_chance_is_a_share(couriers: Any, sent: pd.DataFrame, question: str, told: Told) -> None:
    ((found,),) = [row[-1:] for row in rows_of(couriers, question)]
    assert in_hundred(found) == round(100 * float(told(sent)), 3)


NUMBERED: list[tuple[str, str, Told]] = [
    ("per depot, the number of deliveries more than 45 minutes late and the fraction of its deliveries that is", "depot", lambda d: d.minutes_late > 45),
    ("failed deliveries per driver, and what share of their deliveries that is", "driver", lambda d: d.failed),
    ("failed deliveries by quarter, number and rate", "quarter", lambda d: d.failed),
    ("failed deliveries by depot: count and percentage", "depot", lambda d: d.failed),
    ("number and share of failed deliveries per zone", "zone", lambda d: d.failed),
    ("number of deliveries over 20 kg per zone with the percentage of each zone's deliveries", "zone", lambda d: d.weight_kg > 20),
]  # fmt: skip


@pytest.mark.parametrize(("question", "by", "so"), NUMBERED, ids=[one for one, *_ in NUMBERED])
def test_how_many_they_are_and_what_share_of_their_group(
    couriers: Any, sent: pd.DataFrame, question: str, by: str, so: Told
) -> None:
    sent = sent.assign(quarter=sent.delivered_at.dt.to_period("Q").dt.start_time)
    wanted = {str(name): (int(so(d).sum()), round(100 * float(so(d).mean()), 3)) for name, d in sent.groupby(by)}
    assert {str(row[0]): (int(row[-2]), in_hundred(row[-1])) for row in rows_of(couriers, question)} == wanted


def test_the_first_of_an_order_with_the_share_of_their_own(couriers: Any, sent: pd.DataFrame) -> None:
    found = rows_of(
        couriers, "three drivers with the most failed deliveries, and what percentage of their deliveries that is"
    )
    failed = sent.groupby("driver").failed
    wanted = pd.DataFrame({"n": failed.sum(), "share": failed.mean() * 100}).sort_values("n", ascending=False)[:3]
    assert [(int(row[-2]), in_hundred(row[-1])) for row in found] == [
        (int(n), round(s, 3)) for n, s in wanted.to_numpy()
    ]


BOUNDED: list[tuple[str, str, Told]] = [
    ("on how many days was at least every second delivery failed", "day", lambda d: d.failed.mean() >= 0.5),
    ("on which days did more than a third of the deliveries fail", "day", lambda d: d.failed.mean() > 1 / 3),
    ("which drivers have more than an eighth of their deliveries failed", "driver", lambda d: d.failed.mean() > 1 / 8),
    ("zones where at least one in nine deliveries failed", "zone", lambda d: d.failed.mean() >= 1 / 9),
    ("in which months were more than a quarter of the deliveries over 30 minutes late", "month", lambda d: (d.minutes_late > 30).mean() > 0.25),
    ("which drivers are more than 30 minutes late in over 25 % of their deliveries", "driver", lambda d: (d.minutes_late > 30).mean() > 0.25),
    ("drivers who are more than 10 minutes late in at least 3 of 5 cases", "driver", lambda d: (d.minutes_late > 10).mean() >= 0.6),
    ("which zones were less than 10 minutes late more than 30% of the time", "zone", lambda d: (d.minutes_late < 10).mean() > 0.3),
]  # fmt: skip


@pytest.mark.parametrize(("question", "by", "so"), BOUNDED, ids=[one for one, *_ in BOUNDED])
def test_groups_are_picked_by_their_share(couriers: Any, sent: pd.DataFrame, question: str, by: str, so: Told) -> None:
    at = sent.delivered_at
    sent = sent.assign(day=at.dt.normalize(), month=at.dt.to_period("M").dt.start_time)
    wanted = sorted(str(name) for name, rows in sent.groupby(by) if so(rows))
    assert sorted(str(row[0]) for row in rows_of(couriers, question)) == wanted


RANKED: list[tuple[str, str, Told, int, int, bool]] = [
    ("which driver has the highest share of deliveries more than 40 minutes late", "driver", lambda d: d.minutes_late > 40, 1, 0, True),
    ("which hour has the highest share of deliveries over 40 minutes late, min 35 deliveries", "hour", lambda d: d.minutes_late > 40, 1, 35, True),
    ("which hour has the lowest share of failed deliveries? Only count hours with at least 35 deliveries", "hour", lambda d: d.failed, 1, 35, False),
    ("top 3 drivers with the highest share of deliveries over 15 kg", "driver", lambda d: d.weight_kg > 15, 3, 0, True),
    ("what share of each driver's deliveries failed, worst driver first", "driver", lambda d: d.failed, 8, 0, True),
    ("share of deliveries over 30 minutes late by driver, highest first", "driver", lambda d: d.minutes_late > 30, 8, 0, True),
    ("share of deliveries over 30 minutes late by driver, lowest first", "driver", lambda d: d.minutes_late > 30, 8, 0, False),
    ("share of deliveries that failed per driver, leaving out drivers with fewer than 110 deliveries, worst driver first", "driver", lambda d: d.failed, 8, 110, True),
]  # fmt: skip


@pytest.mark.parametrize(("question", "by", "so", "first", "least", "down"), RANKED, ids=[one for one, *_ in RANKED])
def test_groups_are_ranked_by_their_share(
    couriers: Any, sent: pd.DataFrame, question: str, by: str, so: Told, first: int, least: int, down: bool
) -> None:
    groups = sent.assign(hour=hour(sent)).groupby(by)
    shares = {str(name): round(100 * float(so(rows).mean()), 3) for name, rows in groups if len(rows) >= least}
    wanted = sorted(shares.values(), reverse=down)[:first]
    assert [in_hundred(row[-1]) for row in rows_of(couriers, question)] == wanted


def test_an_average_is_ranked_over_groups_of_enough_rows(couriers: Any, sent: pd.DataFrame) -> None:
    found = rows_of(
        couriers, "which hour has the highest average weight kg? Only count hours with at least 40 deliveries."
    )
    groups = sent.assign(hour=hour(sent)).groupby("hour").weight_kg
    assert round(float(found[0][-1]), 6) == round(float(groups.mean()[groups.size() >= 40].max()), 6)


CLINIC: list[tuple[str, Told]] = [
    ("what share of each doctor's appointments was missed", per("doctor", lambda a: a.missed)),
    ("what percentage of Amir's phone appointments were missed", lambda a: {"": round(100 * a[(a.doctor == "Amir") & (a.channel == "phone")].missed.mean(), 3)}),
    ("what are the chances an appointment by video gets missed", lambda a: {"": round(100 * a[a.channel == "video"].missed.mean(), 3)}),
    ("what share of appointments at each doctor took a wait of more than 25 minutes", per("doctor", lambda a: a.wait_minutes > 25)),
    ("share of appointments with a wait over 25 minutes by channel", per("channel", lambda a: a.wait_minutes > 25)),
    ("what share of appointments with Berta was by phone", lambda a: {"": round(100 * (a[a.doctor == "Berta"].channel == "phone").mean(), 3)}),
    ("if an appointment costs more than 100, how likely is it to be missed?", lambda a: {"": round(100 * a[a.fee > 100].missed.mean(), 3)}),
    ("how likely is an appointment with Dora to be missed", lambda a: {"": round(100 * a[a.doctor == "Dora"].missed.mean(), 3)}),
]  # fmt: skip


@pytest.mark.parametrize(("question", "told"), CLINIC, ids=[one for one, _ in CLINIC])
def test_shares_of_another_field(clinics: Any, seen: pd.DataFrame, question: str, told: Told) -> None:
    found = {str(row[0]) if len(row) > 1 else "": in_hundred(row[-1]) for row in rows_of(clinics, question)}
    assert found == told(seen)


ENVOY = (
    "SELECT date_trunc('quarter', scheduled_departure), count(*) FILTER (WHERE departure_delay IS NULL), "
    "avg((departure_delay IS NULL)::INT) FROM flights WHERE carrier = 'MQ' GROUP BY 1"
)
DIVERTED = (
    "SELECT destination, count(*) FILTER (WHERE departure_delay IS NOT NULL AND arrival_delay IS NULL), 100.0 * count(*) FILTER "
    "(WHERE departure_delay IS NOT NULL AND arrival_delay IS NULL) / count(*) FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 8"
)
BANDS = (
    "SELECT CASE WHEN distance < 500 THEN 'under 500' WHEN distance <= 1500 THEN '500 to 1500' ELSE 'over 1500' END, count(*), "
    "count(*) / sum(count(*)) OVER () FROM flights GROUP BY 1"
)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("Envoy cancellations by quarter, number and rate", ENVOY),
        ("Envoy cancellations by quarter, their rate", ENVOY),
        ("eight destinations with the most diverted flights, and what percentage of their flights that is", DIVERTED),
        ("how many flights, and what share of all, are under 500 miles, 500 to 1500, and over 1500?", BANDS),
    ],
)
def test_the_numbers_of_the_demo(question: str, sql: str) -> None:
    asked = ask(worlds.flights(), question)
    assert same(asked.rows(), plain(sql)), asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize(
    "question",
    ["cancellation rate of cancelled flights by airline", "rate of cancelled flights that were cancelled by quarter"],
)
def test_a_share_of_what_all_rows_are_is_no_answer(question: str) -> None:
    assert not ask(worlds.flights(), question).tool


def test_where_rows_go_is_which_rows_they_are() -> None:
    """``trips to Alder`` are those of which a share is asked, though Alder is a part of a name: no verb follows *to*."""
    dice = np.random.default_rng(5)
    trips = pd.DataFrame({
        "trip_id": range(1, 401), "company": dice.choice(["Ada", "Bo"], 400), "delay_minutes": dice.integers(0, 90, 400),
        "destination": dice.choice(["Alder Quay", "Birch Moor", "Cedar Head"], 400, p=[0.2, 0.5, 0.3]),
    })  # fmt: skip
    those = trips[trips.destination == "Alder Quay"]
    late = (those.delay_minutes > 45).groupby(those.company).mean().sort_index()
    with svc.embedded(trips) as client:
        for question in ("what share of trips to Alder had a delay of more than 45 minutes, by company",
                         "what share of each company's trips to Alder had a delay over 45 minutes"):  # fmt: skip
            found = client.chat().ask(question).df.sort_values("company")
            shares = found.iloc[:, -1] / (100 if found.iloc[:, -1].max() > 1 else 1)
            assert list(shares.round(6)) == list(late.round(6)), question
