"""One table of events that have no name: how long something took, bounds without a column, what was shown going up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def tickets() -> pd.DataFrame:
    """Parking tickets of a year."""
    dice = np.random.default_rng(5)
    size = 1500
    fined = dice.choice([50.0, 70.0, 110.0, 130.0], size, p=[0.3, 0.4, 0.2, 0.1])
    status = dice.choice(["paid", "unpaid", "appealed"], size, p=[0.6, 0.25, 0.15])
    month = dice.choice(range(1, 13), size, p=np.arange(4, 16) / np.arange(4, 16).sum())
    return pd.DataFrame(
        {
            "issued_at": [
                pd.Timestamp(2024, m, int(d)) for m, d in zip(month, dice.integers(1, 29, size), strict=True)
            ],
            "street": dice.choice(["HIGH ST", "MILL LANE", "PARK AVE"], size, p=[0.5, 0.2, 0.3]),
            "vehicle_make": dice.choice(["FORD", "BMW", "TESLA", "Unknown"], size, p=[0.5, 0.25, 0.05, 0.2]),
            "officer": dice.choice(["CEO 101", "CEO 104", "CEO 117"], size, p=[0.5, 0.3, 0.2]),
            "fine_amount": fined,
            "amount_paid": np.where(status == "paid", fined / 2, 0.0),
            "days_to_pay": np.where(status == "paid", dice.integers(0, 60, size).astype(float), np.nan),
            "status": status,
        }
    )


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded({"tickets": tickets()}) as opened:
        yield opened


def _asked(client: svc.Client, *turns: str) -> tuple[str, list[tuple[Any, ...]]]:
    chat = client.chat()
    for turn in turns:
        answer = chat.ask(turn)
    frame = answer.result.to_frame() if answer.result is not None else pd.DataFrame()
    return answer.text, [tuple(row) for row in frame.to_numpy()]


@pytest.mark.parametrize(
    "question",
    [
        "how long do people take to pay", "how long does it take to pay", "how many days does it usually take to pay",
        "how long on average until a ticket is paid", "how quickly are fines paid",
    ],
)  # fmt: skip
def test_how_long_it_takes_is_the_number_that_says_so(client: svc.Client, question: str) -> None:
    assert _asked(client, question)[1] == [(pytest.approx(tickets()["days_to_pay"].mean()),)]


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("how many tickets were paid within 14 days", False),
        ("how many fines were paid in less than 15 days", False),
        ("percentage of fines paid within 14 days", True),
    ],
)
def test_within_so_many_days_bounds_how_long_it_took(client: svc.Client, question: str, share: bool) -> None:
    soon = tickets()["days_to_pay"] <= 14
    assert _asked(client, question)[1] == [(pytest.approx(soon.mean() if share else soon.sum()),)]


@pytest.mark.parametrize("question", ["tickets over 100", "how many tickets over 100", "tickets worth more than 100"])
def test_rows_over_a_bare_number_are_bounded_by_their_headline(client: svc.Client, question: str) -> None:
    assert _asked(client, question)[1] == [((tickets()["fine_amount"] > 100).sum(),)]


def test_groups_are_not_bounded_by_it(client: svc.Client) -> None:
    rows = _asked(client, "streets with more than 400 tickets")[1]
    counts = tickets()["street"].value_counts()
    assert {row[0] for row in rows} == set(counts[counts > 400].index)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many fines were issued in march", lambda t: (t["issued_at"].dt.month == 3).sum()),
        ("total fines in march", lambda t: t.loc[t["issued_at"].dt.month == 3, "fine_amount"].sum()),
    ],
)
def test_how_many_fines_are_rows_and_total_fines_money(client: svc.Client, question: str, number: Any) -> None:
    assert _asked(client, question)[1] == [(number(tickets()),)]


@pytest.mark.parametrize("question", ["how many makes are there", "how many distinct makes are there"])
def test_a_noun_that_is_a_verb_elsewhere_is_a_column(client: svc.Client, question: str) -> None:
    assert _asked(client, question)[1] == [(4,)]


def test_the_amount_that_is_in_a_state_is_money(client: svc.Client) -> None:
    owed = tickets().query("status == 'unpaid'").groupby("street")["fine_amount"].sum()
    assert dict(_asked(client, "unpaid amount per street")[1]) == dict(owed)


def rides() -> pd.DataFrame:
    """Rides from one zone to another."""
    dice = np.random.default_rng(7)
    made = pd.DataFrame({f"{end}_zone": dice.choice(["Quay", "Mill", "Fort"], 300) for end in ("start", "end")})
    made["started_at"] = pd.Timestamp("2024-05-01") + pd.to_timedelta(dice.integers(0, 90000, 300), "m")
    return made.assign(paid_by=dice.choice(["card", "cash"], 300, p=[0.7, 0.3]), fare=dice.integers(3, 30, 300))


def test_a_value_of_two_columns_is_left_out_of_the_one_that_is_shown() -> None:
    with svc.embedded({"rides": rides()}) as opened:
        _, rows = _asked(opened, "average fare by start zone", "without quay")
    fares = rides().query("start_zone != 'Quay'").groupby("start_zone")["fare"].mean()
    assert dict(rows) == pytest.approx(dict(fares))


def test_the_busiest_month_is_of_the_rows_that_were_shown() -> None:
    with svc.embedded({"rides": rides()}) as opened:
        _, rows = _asked(opened, "rides per month", "only with cash", "what was the busiest month")
    months = rides().query("paid_by == 'cash'").groupby(pd.Grouper(key="started_at", freq="MS")).size()
    assert rows == [(months.idxmax(), months.max())]


@pytest.mark.parametrize("asked", ["what's the busiest hour", "which hour is the busiest"])
def test_the_busiest_hour_is_of_the_rows_that_were_shown(asked: str) -> None:
    with svc.embedded({"rides": rides()}) as opened:
        _, rows = _asked(opened, "rides by hour", "only with cash", asked)
    hours = rides().query("paid_by == 'cash'")["started_at"].dt.hour.value_counts()
    assert [row[1] for row in rows] == [hours.max()]


def test_which_ride_is_the_one_that_the_extreme_was_of() -> None:
    with svc.embedded({"rides": rides()}) as opened:
        text, rows = _asked(opened, "what was the highest fare", "which ride?")
    assert "largest" not in text and 0 < len(rows) <= (rides()["fare"] == rides()["fare"].max()).sum()
    assert all(rides()["fare"].max() in row for row in rows)


@pytest.mark.parametrize("asked", ["average tip when there was one", "average tip if there is any"])
def test_when_there_was_one_is_above_nought(asked: str) -> None:
    tips = rides().assign(tip=lambda r: np.where(r["paid_by"] == "cash", 0.0, r["fare"] / 4))
    with svc.embedded({"rides": tips}) as opened:
        _, rows = _asked(opened, asked)
    assert rows == [(pytest.approx(tips.loc[tips["tip"] > 0, "tip"].mean()),)]


def test_which_zone_is_of_the_zones_that_were_shown() -> None:
    with svc.embedded({"rides": rides()}) as opened:
        _, rows = _asked(opened, "average fare by start zone", "which zone has the highest", "and the lowest?")
    fares = rides().groupby("start_zone")["fare"].mean()
    assert rows == [(fares.idxmin(), pytest.approx(fares.min()))]


@pytest.mark.parametrize(
    "question", ["rides where start zone equals end zone", "how many rides where start zone is the same as end zone"]
)
def test_two_columns_that_are_set_equal_are_not_just_listed(question: str) -> None:
    with svc.embedded({"rides": rides()}) as opened:
        _, rows = _asked(opened, question)
    alike = int((rides()["start_zone"] == rides()["end_zone"]).sum())
    assert rows in ([], [(alike,)]) or len(rows) == alike


def test_amounts_by_such_a_noun(client: svc.Client) -> None:
    fines = tickets().groupby("vehicle_make")["fine_amount"].sum()
    assert dict(_asked(client, "fines by make")[1]) == dict(fines)


@pytest.mark.parametrize("asked", ["what's the average fine he gives", "and the average fine he gave"])
def test_what_somebody_gives_is_of_the_one_who_was_told(client: svc.Client, asked: str) -> None:
    rows = _asked(client, "which officer issued the most tickets", asked)[1]
    given = tickets().loc[tickets()["officer"] == "CEO 101", "fine_amount"].mean()
    assert rows == [("CEO 101", pytest.approx(given))]


def test_what_somebody_gave_in_a_month(client: svc.Client) -> None:
    rows = _asked(client, "which officer issued the most tickets", "and the average fine he gave in march")[1]
    mine = tickets().query("officer == 'CEO 101' and issued_at.dt.month == 3")
    assert rows == [("CEO 101", pytest.approx(mine["fine_amount"].mean()))]


@pytest.mark.parametrize("asked", ["is it going up?", "are they rising", "is there a trend?"])
def test_whether_it_goes_up_is_asked_of_what_was_shown(client: svc.Client, asked: str) -> None:
    text, rows = _asked(client, "unpaid tickets per month", asked)
    assert "unpaid" in text and "rises by" in text and len(rows) == 12


def test_a_trend_is_asked_of_nothing_that_was_refused(client: svc.Client) -> None:
    text, rows = _asked(client, "unpaid tickets per month", "how heavy are the unpaid tickets", "is it going up?")
    assert not rows and "not answered" in text


@pytest.mark.parametrize("asked", ["only the second half of the year", "just the 2nd half"])
def test_a_half_of_the_year_keeps_the_months(client: svc.Client, asked: str) -> None:
    rows = _asked(client, "tickets per month in 2024", asked)[1]
    assert [row[0].month for row in rows] == [7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("asked", ["tickets in the 2nd half of the year", "tickets in the second half of 2024"])
def test_halves_are_counted_off_in_figures(client: svc.Client, asked: str) -> None:
    assert _asked(client, asked)[1] == [((tickets()["issued_at"].dt.month > 6).sum(),)]


def test_what_is_in_here_names_tables_and_their_rows_first(client: svc.Client) -> None:
    assert "tickets** (1,500 rows)" in " ".join(_asked(client, "what's in here?")[0].split()[:15])


def test_a_key_says_what_it_is_a_key_of() -> None:
    clients = pd.DataFrame({"client_id": range(1, 31), "name": [f"C{k}" for k in range(30)]})
    jobs = pd.DataFrame({"job_id": range(1, 101), "client_id": [k % 30 + 1 for k in range(100)], "price": range(100)})
    with svc.embedded({"clients": clients, "jobs": jobs}) as opened:
        assert "clients" in opened.chat().ask("what does client id of jobs mean").text.lower()
