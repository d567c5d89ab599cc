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


def school() -> dict[str, pd.DataFrame]:
    """Pupils in classes, in clubs or in none, their marks and absences."""
    dice = np.random.default_rng(6)
    pupils = pd.DataFrame(
        {"pupil_id": range(1, 31), "pupil_name": [f"{one} {two}" for one in ("Amy", "Ben", "Eve") for two in "ABCDEFGHIJ"],
         "class_id": dice.integers(1, 4, 30)}
    )  # fmt: skip
    classes = pd.DataFrame({"class_id": [1, 2, 3], "class_name": ["7A", "7B", "8A"], "room_capacity": [40, 41, 42]})
    clubs = pd.DataFrame({"club_id": [1, 2], "club": ["Chess", "Choir"]})
    members = pd.DataFrame(
        {"pupil_id": [*range(1, 21), *range(1, 6)], "club_id": [1, 2] * 10 + [2, 1, 2, 1, 2],
         "joined_on": pd.Timestamp("2026-01-05")}
    )  # fmt: skip
    marks = pd.DataFrame(
        {"pupil_id": np.repeat(range(1, 31), 2), "subject": ["Maths", "Art"] * 30, "score": dice.integers(20, 90, 60),
         "taken_on": pd.Timestamp("2026-05-05")}
    )  # fmt: skip
    absences = pd.DataFrame(
        {"absence_id": range(1, 201), "pupil_id": dice.integers(1, 31, 200), "days": dice.integers(1, 6, 200),
         "first_day": pd.Timestamp("2026-01-07") + pd.to_timedelta(dice.integers(0, 120, 200), "D")}
    )  # fmt: skip
    return {"pupils": pupils, "classes": classes, "clubs": clubs, "club_members": members, "exam_results": marks,
            "absences": absences}  # fmt: skip


def test_rows_that_are_called_so_and_not_a_column_that_may_be() -> None:
    marks = school()["exam_results"].merge(school()["pupils"]).merge(school()["classes"])
    missed = school()["absences"].merge(school()["pupils"]).groupby("pupil_name").days.sum()
    with svc.embedded(school()) as service:

        def told(question: str) -> pd.DataFrame:
            return service.chat().ask(question).result.to_frame()

        by_class = told("average score by class").set_index("class_name").iloc[:, 0]
        assert by_class.to_dict() == pytest.approx(marks.groupby("class_name").score.mean().to_dict())
        assert len(told("pupils in no club")) == 10
        assert told("how many pupils are in no club").iloc[0, 0] == 10
        assert told("average class size").iloc[0, 0] == pytest.approx(10)
        for question in ("pupils with more than 25 days absent", "which pupils were absent more than 25 days"):
            assert set(told(question).pupil_name) == set(missed[missed > 25].index)


def canteen() -> dict[str, pd.DataFrame]:
    """Orders of meals by children."""
    dice = np.random.default_rng(9)
    orders = pd.DataFrame(
        {"order_no": range(1, 301), "child_id": dice.integers(1, 5, 300), "meal": dice.choice(["pasta", "fish"], 300),
         "ordered_for": pd.Timestamp("2026-02-02") + pd.to_timedelta(dice.integers(0, 90, 300), "D"),
         "price": dice.choice([2.5, 3.0], 300), "collected": dice.random(300) < 0.9}
    )  # fmt: skip
    children = pd.DataFrame({"child_id": [1, 2, 3, 4], "child_name": ["Amy Lee", "Ben Orr", "Cem Ay", "Dot Fox"]})
    return {"meal_orders": orders, "children": children}


def test_meals_are_the_orders_of_them_and_no_sorts() -> None:
    orders = canteen()["meal_orders"]
    with svc.embedded(canteen()) as service:

        def told(question: str) -> pd.DataFrame:
            return service.chat().ask(question).result.to_frame()

        assert told("how many meals were not collected").iloc[0, 0] == (~orders.collected).sum()
        assert told("meals by weekday").iloc[:, -1].sum() == len(orders) and len(told("meals by weekday")) == 7
        assert told("how many meals do we have").iloc[0, 0] == 2
        spent = orders[orders.child_id == 1].price.sum()
        assert told("what did Amy Lee spend on meals in total").iloc[0, 0] == pytest.approx(spent)
        months = orders.groupby(orders.ordered_for.dt.to_period("M")).price.sum()
        assert told("average monthly meal income").iloc[0, 0] == pytest.approx(months.mean())


def haulage() -> dict[str, pd.DataFrame]:
    """Trips of drivers for customers, who pay a charge for each within some days."""
    dice = np.random.default_rng(12)
    customers = pd.DataFrame({"customer_id": [1, 2, 3], "customer": ["Aldgate", "Borden", "Cawood"],
                              "payment_days": [14, 30, 60]})  # fmt: skip
    drivers = pd.DataFrame({"driver_id": [1, 2, 3, 4], "driver_name": ["Al Ames", "Bo Burt", "Cy Cole", "Di Dale"],
                            "hired_on": pd.to_datetime(["2015-01-01", "2024-03-01", "2019-05-05", "2021-01-01"])})  # fmt: skip
    trips = pd.DataFrame(
        {"trip_no": range(1, 201), "driver_id": dice.integers(1, 5, 200), "customer_id": dice.integers(1, 4, 200),
         "left_on": pd.Timestamp("2026-01-01") + pd.to_timedelta(dice.integers(0, 150, 200), "D"),
         "km": dice.integers(20, 600, 200), "freight_charge": dice.integers(90, 900, 200).astype(float)}
    )  # fmt: skip
    return {"customers": customers, "drivers": drivers, "trips": trips}


def test_days_are_no_money_and_who_drives_is_no_customer() -> None:
    trips = haulage()["trips"].merge(haulage()["customers"]).merge(haulage()["drivers"])
    with svc.embedded(haulage()) as service:

        def told(question: str) -> list[object]:
            return service.chat().ask(question).result.to_frame().iloc[0].tolist()

        charges, km = trips.groupby("customer").freight_charge.sum(), trips.groupby("driver_name").km.sum()
        assert told("how much did Aldgate pay in total") == [charges["Aldgate"]]
        assert told("which customer pays us the most") == [charges.idxmax(), charges.max()]
        assert told("who drove the most km") == [km.idxmax(), km.max()]
        assert told("who was hired most recently")[0] == "Bo Burt"
        bound = int(km.sort_values().iloc[1])
        frame = service.chat().ask(f"drivers with more than {bound} km").result.to_frame()
        assert set(frame.driver_name) == set(km[km > bound].index)


def test_who_has_all_that_was_named_where_each_may_have_several() -> None:
    with svc.embedded(school()) as service:
        both = service.chat().ask("pupils who are in chess and choir")
        assert len(both.result.to_frame()) == 5 and "say “or”" in both.text
        assert len(service.chat().ask("pupils who are in chess or choir").result.to_frame()) == 20
        assert "say “" not in service.chat().ask("pupils in chess or choir").text


def test_the_month_of_most_is_of_sums_and_a_verb_names_nobody() -> None:
    trips = haulage()["trips"]
    months = trips.groupby(trips.left_on.dt.to_period("M")).km.sum()
    with svc.embedded(haulage()) as service:
        assert service.chat().ask("which month did we drive the most km").result.to_frame().iloc[0, 1] == months.max()
        answer = service.chat().ask("which month did we drive the most")
        assert answer.result is None or "hired_on_month" not in answer.result.to_frame().columns


def evenings() -> dict[str, pd.DataFrame]:
    """Evenings in rooms on floors, what they were to cost and what was spent."""
    dice = np.random.default_rng(4)
    rooms = pd.DataFrame({"room_id": [1, 2, 3, 4], "room": ["Atlas", "Birch", "Cedar", "Delta"], "floor": [0, 1, 1, 2]})
    events = pd.DataFrame(
        {"event_id": range(1, 41), "title": [f"Evening {n}" for n in range(1, 41)], "room_id": dice.integers(1, 5, 40),
         "type": dice.choice(["Talk", "Dance"], 40), "budget": dice.integers(1, 9, 40) * 50.0,
         "spent": dice.integers(1, 9, 40) * 50.0,
         "held_on": pd.Timestamp("2026-01-01") + pd.to_timedelta(dice.integers(0, 200, 40), "D")}
    )  # fmt: skip
    return {"rooms": rooms, "events": events}


def test_what_went_over_its_own_budget_and_which_floor_it_is_on() -> None:
    events = evenings()["events"]
    over = events[events.spent > events.budget]
    with svc.embedded(evenings()) as service:

        def told(question: str) -> pd.DataFrame:
            return service.chat().ask(question).result.to_frame()

        assert set(told("events over budget").title) == set(over.title)
        assert told("how many events went over budget").iloc[0, 0] == len(over)
        assert told("how many events were within budget").iloc[0, 0] == len(events) - len(over)
        assert set(told("rooms on the first floor").room) == {"Birch", "Cedar"}
        shown = told("total spend by type").set_index("type").iloc[:, 0]
        assert shown.to_dict() == events.groupby("type").spent.sum().to_dict()


def orchard() -> dict[str, pd.DataFrame]:
    """Orders of so many kilos at a price for each."""
    dice = np.random.default_rng(3)
    buyers = pd.DataFrame({"buyer_id": [1, 2, 3], "buyer": ["Tesco", "Juicery", "School"]})
    orders = pd.DataFrame(
        {"order_id": range(1, 121), "buyer_id": dice.integers(1, 4, 120), "kg": dice.integers(20, 400, 120).astype(float),
         "price_per_kg": dice.choice([0.5, 0.75, 1.25], 120), "paid": dice.random(120) < 0.7,
         "ordered_on": pd.Timestamp("2026-03-01") + pd.to_timedelta(dice.integers(0, 90, 120), "D")}
    )  # fmt: skip
    return {"buyers": buyers, "orders": orders}


def test_a_price_per_kilo_times_the_kilos_is_what_was_taken() -> None:
    orders = orchard()["orders"].merge(orchard()["buyers"])
    orders["amount"] = orders.kg * orders.price_per_kg
    with svc.embedded(orchard()) as service:

        def told(question: str) -> pd.DataFrame:
            return service.chat().ask(question).result.to_frame()

        by_buyer = told("revenue by buyer").set_index("buyer").iloc[:, 0]
        assert by_buyer.to_dict() == pytest.approx(orders.groupby("buyer").amount.sum().to_dict())
        paid = orders[orders.paid].groupby("buyer").amount.sum()
        assert told("what did Tesco pay in total").iloc[0, 0] == pytest.approx(paid["Tesco"])
        assert told("which buyer has paid us the most").iloc[0, 0] == paid.idxmax()
