"""Questions of a newcomer over three small businesses that nobody described, against what pandas makes of the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from asking import NOW as ASKED_AT
from asking import ask
from newcomers import business
from outcomes import Pct, outcome_of
from small_trades import Tables, trade

Wanted = Callable[[Tables], Any]


def sold(t: Tables) -> pd.DataFrame:
    return t["sales"].merge(t["products"], on="product_id").merge(t["shops"], on="shop_id")


def seen(t: Tables) -> pd.DataFrame:
    return t["appointments"].merge(t["doctors"], on="doctor_id").merge(t["patients"], on="patient_id")


def asked(t: Tables) -> pd.DataFrame:
    return t["tickets"].merge(t["customers"], on="customer_id")


def month(times: pd.Series) -> pd.Series:
    return times.dt.to_period("M").dt.to_timestamp()


def share(rows: pd.DataFrame, by: str, what: pd.Series) -> dict[Any, Pct]:
    return {group: Pct(value) for group, value in what.groupby(rows[by]).mean().items()}


JUDGED: dict[str, list[tuple[str, Wanted]]] = {
    "till": [
        ("which shop has the worst refund rate", lambda t: sold(t).groupby("shop").refunded.mean().idxmax()),
        ("which shop has the best refund rate", lambda t: sold(t).groupby("shop").refunded.mean().idxmin()),
        ("best shop by revenue", lambda t: sold(t).groupby("shop").amount.sum().idxmax()),
        ("worst shop by turnover", lambda t: sold(t).groupby("shop").amount.sum().idxmin()),
        ("worst shop by quantity", lambda t: sold(t).groupby("shop").quantity.sum().idxmin()),
        ("best month by quantity", lambda t: t["sales"].groupby(month(t["sales"].sold_at)).quantity.sum().idxmax()),
    ],
    "clinic": [
        ("which doctor has the best wait", lambda t: seen(t).groupby("doctor").wait_minutes.mean().idxmin()),
        ("which specialty has the worst wait", lambda t: seen(t).groupby("specialty").wait_minutes.mean().idxmax()),
        ("which doctor is worst for no-shows", lambda t: seen(t)[seen(t).status == "no-show"].doctor.mode().iloc[0]),
    ],
    "helpdesk": [
        (
            "which topic has the worst satisfaction",
            lambda t: t["tickets"].groupby("topic").satisfaction.mean().idxmin(),
        ),
        ("best topic by satisfaction", lambda t: t["tickets"].groupby("topic").satisfaction.mean().idxmax()),
        ("worst priority by satisfaction", lambda t: t["tickets"].groupby("priority").satisfaction.mean().idxmin()),
        (
            "which priority is the worst for escalated tickets",
            lambda t: t["tickets"][t["tickets"].escalated].priority.mode().iloc[0],
        ),
        (
            "worst month for escalated tickets",
            lambda t: month(t["tickets"][t["tickets"].escalated].opened_at).mode().iloc[0],
        ),
    ],
}

RANKED: dict[str, list[tuple[str, Wanted]]] = {
    "till": [
        ("bottom 3 products by sales", lambda t: sold(t)["product"].value_counts().nsmallest(3).to_dict()),
        ("top 3 products by quantity", lambda t: sold(t).groupby("product").quantity.sum().nlargest(3).to_dict()),
        ("best category by sales", lambda t: sold(t).category.value_counts().idxmax()),
    ],
    "clinic": [("bottom 3 doctors by appointments", lambda t: seen(t).doctor.value_counts().nsmallest(3).to_dict())],
    "helpdesk": [
        ("bottom 3 countries by customers", lambda t: t["customers"].country.value_counts().nsmallest(3).to_dict()),
        ("top 3 industries by tickets", lambda t: asked(t).industry.value_counts().nlargest(3).to_dict()),
    ],
}

MONEY: dict[str, list[tuple[str, Wanted]]] = {
    "till": [
        ("revenue by time of day", lambda t: t["sales"].groupby(t["sales"].sold_at.dt.hour).amount.sum().to_dict()),
        ("total turnover", lambda t: t["sales"].amount.sum()),
        ("highest revenue month", lambda t: t["sales"].groupby(month(t["sales"].sold_at)).amount.sum().idxmax()),
        (
            "Espresso vs Cappuccino revenue",
            lambda t: (
                sold(t)[sold(t)["product"].isin(["Espresso", "Cappuccino"])].groupby("product").amount.sum().to_dict()
            ),
        ),
    ],
    "clinic": [("revenue by doctor", lambda t: seen(t).groupby("doctor").fee.sum().to_dict())],
}

AVERAGED: dict[str, list[tuple[str, Wanted]]] = {
    "till": [
        ("how many sales per shop on average", lambda t: len(t["sales"]) / 3),
        ("on average how many sales does each product have", lambda t: len(t["sales"]) / 12),
        ("revenue per shop on average", lambda t: t["sales"].amount.sum() / 3),
        (
            "revenue per day on average",
            lambda t: t["sales"].groupby(t["sales"].sold_at.dt.normalize()).amount.sum().mean(),
        ),
    ],
    "clinic": [
        ("how many appointments per patient on average", lambda t: t["appointments"].patient_id.value_counts().mean()),
        (
            "how many appointments does a patient have on average",
            lambda t: t["appointments"].patient_id.value_counts().mean(),
        ),
        ("fees per doctor on average", lambda t: t["appointments"].fee.sum() / 8),
        ("average fee per doctor", lambda t: seen(t).groupby("doctor").fee.mean().to_dict()),
    ],
    "helpdesk": [
        ("how many tickets per customer on average", lambda t: t["tickets"].customer_id.value_counts().mean()),
        (
            "how many seats per customer on average",
            lambda t: t["subscriptions"].groupby("customer_id").seats.sum().mean(),
        ),
    ],
}


def part_of_day(times: pd.Series) -> pd.Series:
    names = {**dict.fromkeys(range(6, 12), "morning"), **dict.fromkeys(range(12, 18), "afternoon")}
    return times.dt.hour.map(lambda hour: names.get(hour, "evening" if 18 <= hour < 22 else "night"))


def halves(times: pd.Series) -> pd.Series:
    return times.dt.dayofweek.map(lambda day: "weekend" if day > 4 else "weekday")


def parts(rows: pd.DataFrame, of: pd.Series, *names: str) -> pd.core.groupby.DataFrameGroupBy:
    return rows[of.isin(names)].groupby(of[of.isin(names)])


PARTED: dict[str, list[tuple[str, Wanted]]] = {
    "till": [
        (
            "sales in the morning vs afternoon",
            lambda t: parts(t["sales"], part_of_day(t["sales"].sold_at), "morning", "afternoon").size().to_dict(),
        ),
        (
            "morning, afternoon and evening sales",
            lambda t: t["sales"].groupby(part_of_day(t["sales"].sold_at)).size().to_dict(),
        ),
        (
            "compare morning and evening revenue",
            lambda t: parts(t["sales"], part_of_day(t["sales"].sold_at), "morning", "evening").amount.sum().to_dict(),
        ),
        ("weekday vs weekend revenue", lambda t: t["sales"].groupby(halves(t["sales"].sold_at)).amount.sum().to_dict()),
        (
            "morning sales by shop",
            lambda t: sold(t)[part_of_day(sold(t).sold_at) == "morning"].groupby("shop").size().to_dict(),
        ),
    ],
    "clinic": [
        (
            "compare morning and afternoon wait",
            lambda t: (
                t["appointments"].groupby(part_of_day(t["appointments"].scheduled_at)).wait_minutes.mean().to_dict()
            ),
        ),
        (
            "weekday vs weekend appointments",
            lambda t: t["appointments"].groupby(halves(t["appointments"].scheduled_at)).size().to_dict(),
        ),
    ],
    "helpdesk": [
        (
            "tickets in the morning vs evening",
            lambda t: parts(t["tickets"], part_of_day(t["tickets"].opened_at), "morning", "evening").size().to_dict(),
        ),
        (
            "night tickets by topic",
            lambda t: t["tickets"][part_of_day(t["tickets"].opened_at) == "night"].groupby("topic").size().to_dict(),
        ),
    ],
}

SHARED: dict[str, list[tuple[str, Wanted]]] = {
    "clinic": [
        (
            "cancellation rate by month",
            lambda t: {
                at: Pct(rate)
                for at, rate in (t["appointments"].status == "cancelled")
                .groupby(month(t["appointments"].scheduled_at))
                .mean()
                .items()
            },
        ),
        ("no-show rate by doctor", lambda t: share(seen(t), "doctor", seen(t).status == "no-show")),
        ("share of no-shows by doctor", lambda t: share(seen(t), "doctor", seen(t).status == "no-show")),
        (
            "percentage of appointments with a wait over 30 minutes by specialty",
            lambda t: share(seen(t), "specialty", seen(t).wait_minutes > 30),
        ),
        (
            "what share of female patients is private",
            lambda t: Pct((t["patients"].insurance[t["patients"].sex == "female"] == "private").mean()),
        ),
    ],
    "helpdesk": [
        (
            "what share of urgent tickets was escalated",
            lambda t: Pct(t["tickets"].escalated[t["tickets"].priority == "urgent"].mean()),
        ),
        (
            "percentage of tickets escalated by priority",
            lambda t: share(t["tickets"], "priority", t["tickets"].escalated),
        ),
    ],
}

COUNTED: dict[str, list[tuple[str, Wanted]]] = {
    "clinic": [("how many patients are under 18", lambda t: int((age(t["patients"].birth_date) < 18).sum()))],
    "helpdesk": [
        ("how many tickets are still open", lambda t: int(t["tickets"].closed_at.isna().sum())),
        (
            "open tickets by priority",
            lambda t: t["tickets"][t["tickets"].closed_at.isna()].priority.value_counts().to_dict(),
        ),
        (
            "which topic has the most open tickets",
            lambda t: t["tickets"][t["tickets"].closed_at.isna()].topic.value_counts().idxmax(),
        ),
        ("how many customers signed up in 2022", lambda t: int((t["customers"].signed_up.dt.year == 2022).sum())),
        ("how many subscriptions ended in 2023", lambda t: int((t["subscriptions"].ended_on.dt.year == 2023).sum())),
    ],
}


def age(born: pd.Series) -> pd.Series:
    today = ASKED_AT
    return born.map(lambda b: today.year - b.year - ((today.month, today.day) < (b.month, b.day)))


def _all(*sets: dict[str, list[tuple[str, Wanted]]]) -> list[Any]:
    return [
        pytest.param(name, question, wanted, id=f"{name}-{question}")
        for one in sets
        for name, cases in one.items()
        for question, wanted in cases
    ]


@pytest.mark.parametrize(("name", "question", "wanted"), _all(JUDGED, RANKED, MONEY, AVERAGED, PARTED, SHARED, COUNTED))
def test_is_answered_right(name: str, question: str, wanted: Wanted) -> None:
    tables, world = business(name)
    answered = ask(world, question)
    assert outcome_of(answered, wanted(tables)) == "right", answered.answer.text


def test_who_has_none_is_said_to_be_left_out_of_an_average() -> None:
    _, world = business("helpdesk")
    text = ask(world, "how many tickets per customer on average").answer.text
    assert "per customer." in text and "Customers without tickets are not counted." in text


def test_rows_of_nobody_are_no_group_of_an_average() -> None:
    tables, world = trade("bakery")
    known = tables["till_sales"].dropna(subset=["customer_card"])
    found = ask(world, "average revenue per customer card").rows()[0][0]
    assert float(found) == pytest.approx(known.groupby("customer_card").amount.sum().mean())


def test_what_is_counted_and_shared_is_called_by_its_name() -> None:
    _, world = business("clinic")
    assert "patients" in ask(world, "how many patients are under 18").answer.text
    assert (
        "wait above 30 minutes"
        in ask(world, "percentage of appointments with a wait over 30 minutes by specialty").answer.text
    )
    assert "no-show" in ask(world, "no-show rate by doctor").answer.text
