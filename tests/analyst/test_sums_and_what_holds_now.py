"""What is summed over which rows, what is taken in all, what holds now: of a garden nursery that nobody here keeps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def nursery() -> dict[str, pd.DataFrame]:
    """Waterings and deliveries of plants, wages that changed, bills that some have paid."""
    dice = np.random.default_rng(5)
    beds = pd.DataFrame(
        {"bed_id": [1, 2, 3], "bed_name": ["Fern bed", "Rose bed", "Herb bed"], "capacity": [2, 40, 30]}
    )
    gardeners = pd.DataFrame(
        {"gardener_id": [1, 2, 3], "full_name": ["Ada Byrne", "Bo Stern", "Cy Dunn"], "visit_fee": [10.0, 20.0, 35.0],
         "hired_on": pd.to_datetime(["2019-02-01", "2023-05-01", "2021-08-01"])}
    )  # fmt: skip
    waterings = pd.DataFrame(
        {"watering_id": range(1, 241), "bed_id": dice.integers(1, 4, 240), "gardener_id": dice.integers(1, 4, 240),
         "watered_on": pd.Timestamp("2026-01-01") + pd.to_timedelta(dice.integers(0, 240, 240), "D"),
         "litres": dice.integers(5, 60, 240).astype(float), "urgent": dice.random(240) < 0.2}
    )  # fmt: skip
    rates = pd.DataFrame(
        {"gardener_id": [1, 1, 2, 2, 3], "pay_rate": [14.0, 15.5, 13.0, 14.0, 18.0],
         "valid_from": pd.to_datetime(["2024-01-01", "2025-06-01", "2024-01-01", "2026-01-01", "2024-01-01"]),
         "valid_to": pd.to_datetime(["2025-05-31", None, "2025-12-31", None, None])}
    )  # fmt: skip
    schools = pd.DataFrame({"school_id": [1, 2, 3], "school_name": ["Elm School", "Oak School", "Ash School"]})
    billed = pd.Timestamp("2026-01-05") + pd.to_timedelta(dice.integers(0, 200, 90), "D")
    paid = (billed + pd.to_timedelta(12, "D")).where(dice.random(90) < 0.6)
    bills = pd.DataFrame(
        {"bill_id": range(1, 91), "school_id": np.where(np.arange(90) % 2, 1, dice.integers(2, 4, 90)), "billed_on": billed,
         "amount": np.where(np.arange(90) % 2, 10.0, dice.integers(50, 400, 90)), "paid_on": paid}
    )  # fmt: skip
    return {"beds": beds, "gardeners": gardeners, "waterings": waterings, "pay_rates": rates, "schools": schools,
            "bills": bills}  # fmt: skip


@pytest.fixture(scope="module")
def asked() -> object:
    with svc.embedded(nursery()) as service:
        yield lambda question: service.chat().ask(question)


def test_what_is_paid_each_time_is_summed_over_those_times(asked) -> None:
    tables = nursery()
    each = tables["waterings"].merge(tables["gardeners"]).merge(tables["beds"])
    answer = asked("total visit fee by bed")
    shown = answer.result.to_frame().set_index("bed_name").iloc[:, 0].to_dict()
    assert shown == each.groupby("bed_name").visit_fee.sum().to_dict()
    assert "counted once for each watering" in answer.text


def test_sums_of_groups_that_share_rows_say_so_and_are_no_parts_of_a_whole(asked) -> None:
    answer = asked("total capacity by gardener")
    assert "counted in each of them" in answer.text
    assert "%" not in answer.text


def test_a_limit_of_its_own_is_no_group(asked) -> None:
    assert asked("beds over capacity").result is None


def test_what_is_urgent_is_no_share_of_itself(asked) -> None:
    answer = asked("share of urgent waterings by gardener")
    assert answer.result is None or "urgent" not in answer.result.to_frame().columns


def test_an_average_month_is_of_the_sums_of_months(asked) -> None:
    tables = nursery()
    months = tables["waterings"].groupby(tables["waterings"].watered_on.dt.to_period("M")).litres.sum()
    assert asked("average monthly litres").result.to_frame().iloc[0, 0] == pytest.approx(months.mean())


def test_what_is_won_is_a_mass_and_no_number_of_rows() -> None:
    shears = pd.DataFrame(
        {"dyeing_id": range(1, 61), "mill": ["North", "North", "South"] * 20, "kilos": [1.0, 1.0, 9.0] * 20,
         "dyed_on": pd.date_range("2026-01-01", periods=60)}
    )  # fmt: skip
    with svc.embedded({"dyeings": shears}) as service:
        frame = service.chat().ask("which mill got the most dye").result.to_frame()
    assert frame.iloc[0, 0] == "South"


def test_who_paid_most_is_told_by_what_was_paid(asked) -> None:
    tables = nursery()
    bills = tables["bills"].merge(tables["schools"])
    paid = bills[bills.paid_on.notna()].groupby("school_name").amount.sum()
    for question in ("which school has paid us the most", "who paid us the most"):
        assert asked(question).result.to_frame().iloc[0].tolist() == [paid.idxmax(), paid.max()]
    for question in (
        "what did Elm School pay in total",
        "total paid by Elm School",
        "how much has Elm School paid so far",
    ):
        assert asked(question).result.to_frame().iloc[0, 0] == paid["Elm School"]


def test_the_month_that_we_billed_most_in_is_told_by_the_amount(asked) -> None:
    bills = nursery()["bills"]
    months = bills.groupby(bills.billed_on.dt.to_period("M")).amount.sum()
    assert asked("which month did we bill most").result.to_frame().iloc[0, 1] == months.max()


def test_who_came_most_recently_came_last(asked) -> None:
    assert asked("who was hired most recently").result.to_frame().iloc[0, 0] == "Bo Stern"
    assert asked("which gardener started most recently").text


def test_what_holds_now_and_what_held_then(asked) -> None:
    assert asked("current pay rate of Bo Stern").result.to_frame()["pay_rate"].tolist() == [14.0]
    assert asked("pay rate of Ada Byrne in march 2025").result.to_frame()["pay_rate"].tolist() == [14.0]
    assert asked("pay rate of Ada Byrne today").result.to_frame()["pay_rate"].tolist() == [15.5]


def office() -> dict[str, pd.DataFrame]:
    """Who works where, and the days that they were away."""
    dice = np.random.default_rng(8)
    people = pd.DataFrame(
        {"emp_id": range(1, 31), "emp_name": [f"{one} {two}" for one in ("Ann", "Bob", "Cem") for two in "ABCDEFGHIJ"],
         "dept_id": [1 + n % 3 for n in range(30)], "monthly_wage": dice.integers(20, 40, 30) * 100.0}
    )  # fmt: skip
    away = pd.DataFrame(
        {"request_id": range(1, 181), "emp_id": dice.integers(1, 31, 180), "days": dice.integers(1, 9, 180),
         "kind": dice.choice(["sick", "holiday"], 180),
         "begun_on": pd.Timestamp("2026-01-01") + pd.to_timedelta(dice.integers(0, 240, 180), "D")}
    )  # fmt: skip
    departments = pd.DataFrame({"dept_id": [1, 2, 3], "department": ["Sales", "Store", "Office"]})
    return {"employees": people, "leave_requests": away, "departments": departments}


def test_days_per_person_are_all_of_each_one_s() -> None:
    away = office()["leave_requests"].merge(office()["employees"]).merge(office()["departments"])
    sick = away[away.kind == "sick"]
    with svc.embedded(office()) as service:

        def told(question: str) -> pd.DataFrame:
            return service.chat().ask(question).result.to_frame()

        each = sick.groupby("emp_id").days.sum()
        assert told("average sick days per employee").iloc[0, 0] == pytest.approx(each.mean())
        shown = told("average sick days per department").set_index("department").iloc[:, 0]
        heads = sick.groupby("department").emp_id.nunique()
        assert shown.to_dict() == pytest.approx((sick.groupby("department").days.sum() / heads).to_dict())
        months = sick.groupby(sick.begun_on.dt.to_period("M")).days.sum()
        assert told("average monthly sick days").iloc[0, 0] == pytest.approx(months.mean())
        wages = office()["employees"].monthly_wage.mean()
        assert told("average monthly wage").iloc[0, 0] == pytest.approx(wages)


def crates() -> dict[str, pd.DataFrame]:
    """Crates that growers sent, and how many of them were bruised."""
    dice = np.random.default_rng(2)
    growers = pd.DataFrame({"grower_id": [1, 2, 3], "grower": ["Aldo", "Berta", "Carl"]})
    loads = pd.DataFrame(
        {"load_id": range(1, 91), "grower_id": dice.integers(1, 4, 90), "crates": dice.integers(20, 60, 90),
         "bruised_crates": dice.integers(0, 9, 90),
         "came_on": pd.Timestamp("2026-03-01") + pd.to_timedelta(dice.integers(0, 90, 90), "D")}
    )  # fmt: skip
    return {"growers": growers, "loads": loads}


def test_what_was_done_to_most_and_to_what_share() -> None:
    sums = crates()["loads"].merge(crates()["growers"]).groupby("grower")[["crates", "bruised_crates"]].sum()
    shares = sums.bruised_crates / sums.crates * 100
    with svc.embedded(crates()) as service:

        def told(question: str) -> list[object]:
            return service.chat().ask(question).result.to_frame().iloc[0].tolist()

        assert told("which grower bruises the most crates") == [sums.bruised_crates.idxmax(), sums.bruised_crates.max()]
        whole = sums.bruised_crates.sum() / sums.crates.sum() * 100
        assert told("share of bruised crates") == pytest.approx([whole])
        assert told("which grower has the highest share of bruised crates")[0] == shares.idxmax()
        assert service.chat().ask("who is bruised the most").result is None
