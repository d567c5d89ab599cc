"""Plain questions of single public tables: the numbers that pandas gives, whatever the file is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from asking import ask
from public_tables import public

Told = Callable[[pd.DataFrame], Any]


def _day(t: pd.DataFrame, sky: str) -> pd.DataFrame:
    return t[t.Sky == sky]


NUMBERS: list[tuple[str, str, Told]] = [
    ("tides", "how much is the total rainfall in Kerlan in 2022",
     lambda t: t[(t.Gauge_Name == "Kerlan") & (t.Date.dt.year == 2022)].Precip_mm.sum()),
    ("tides", "how many foggy days did Mossby have in 2023",
     lambda t: len(_day(t, "Fog")[lambda d: (d.Gauge_Name == "Mossby") & (d.Date.dt.year == 2023)])),
    ("tides", "how many days was it sunny in Tarvik", lambda t: len(_day(t[t.Gauge_Name == "Tarvik"], "Sunny"))),
    ("tides", "what percentage of days are sunny in Tarvik",
     lambda t: (t[t.Gauge_Name == "Tarvik"].Sky == "Sunny").mean()),
    ("tides", "average temperature in Mossby", lambda t: t[t.Gauge_Name == "Mossby"].Avg_Temp_C.mean()),
    ("tides", "max temp in Mossby in 2022",
     lambda t: t[(t.Gauge_Name == "Mossby") & (t.Date.dt.year == 2022)].Max_Temp_C.max()),
    ("tides", "how many days was the max temp above 15 degrees", lambda t: (t.Max_Temp_C > 15).sum()),
    ("admissions", "how many patients were admitted in 2022?",
     lambda t: t[t.Admission_Date.dt.year == 2022].Patient_ID.nunique()),
    ("admissions", "average age of patients in the Heart ward", lambda t: t[t.Ward == "Heart"].Age.mean()),
    ("admissions", "how many admissions were there in 2022", lambda t: (t.Admission_Date.dt.year == 2022).sum()),
    ("admissions", "how old is the average Bones patient", lambda t: t[t.Ward == "Bones"].Age.mean()),
    ("admissions", "average bill of women over 50", lambda t: t[(t.Gender == "F") & (t.Age > 50)].Billing_Amount.mean()),
    ("admissions", "how many kids under 18 were admitted to the Eyes ward",
     lambda t: ((t.Age < 18) & (t.Ward == "Eyes")).sum()),
    ("admissions", "percent of abnormal tests among patients over 70 in the Heart ward",
     lambda t: (t[(t.Age > 70) & (t.Ward == "Heart")].Test_Results == "Abnormal").mean()),
    ("admissions", "what was the single highest bill", lambda t: t.Billing_Amount.max()),
    ("tides", "coldest temperature ever recorded", lambda t: t.Min_Temp_C.min()),
    ("orders", "share of orders coming in with bike", lambda t: (t["Shipping Mode"] == "Bike").mean()),
    ("clubs", "how many people cancelled", lambda t: t.cancel_date.notna().sum()),
    ("clubs", "how many members cancelled", lambda t: t.cancel_date.notna().sum()),
    ("clubs", "members in their 30s", lambda t: t.age.between(30, 39).sum()),
    ("clubs", "median income", lambda t: t.annual_inc.median()),
    ("clubs", "total usage", lambda t: t.kwh_used.sum()),
    ("clubs", "what percentage of members completed the safety prep course",
     lambda t: (t.safety_preparation_course == "completed").mean()),
    ("orders", "average order value", lambda t: t["Total Sales"].mean()),
    ("orders", "median order size in Chile", lambda t: t[t.Country == "Chile"]["Total Sales"].median()),
    ("orders", "total quantity in uk", lambda t: t[t.Country == "UK"].Quantity.sum()),
    ("orders", "what percentage of orders were closed", lambda t: (t.Status == "Closed").mean()),
    ("orders", "average age of customers", lambda t: t["Customer Age"].mean()),
]  # fmt: skip
GROUPS: list[tuple[str, str, Told]] = [
    ("tides", "number of foggy days per gauge", lambda t: _day(t, "Fog").groupby("Gauge_Name").size()),
    ("tides", "avg wind speed on rainy days vs sunny days",
     lambda t: t[t.Sky.isin(["Rain", "Sunny"])].groupby("Sky").Wind_Speed_kmh.mean()),
    ("tides", "total precipitation by coast", lambda t: t.groupby("Coast").Precip_mm.sum()),
    ("admissions", "abnormal test results by gender",
     lambda t: t[t.Test_Results == "Abnormal"].groupby("Gender").size()),
    ("admissions", "insurers by total billing", lambda t: t.groupby("Insurance_Provider").Billing_Amount.sum()),
    ("clubs", "cancellation rate by plan", lambda t: t.cancel_date.notna().groupby(t.plan).mean()),
    ("clubs", "how many more men than women are there", lambda t: t.groupby("gender").size()),
    ("admissions", "readmission rate by ward", lambda t: (t.Readmitted == "Yes").groupby(t.Ward).mean()),
    ("orders", "avg total sales of returned orders vs the rest",
     lambda t: t.groupby("Returned")["Total Sales"].mean()),
    ("orders", "breakdown of orders by shipping mode in percent",
     lambda t: t["Shipping Mode"].value_counts(normalize=True)),
    ("orders", "what is the average order value by country", lambda t: t.groupby("Country")["Total Sales"].mean()),
]  # fmt: skip


@pytest.mark.parametrize(("table", "question", "told"), NUMBERS, ids=[question for _, question, _ in NUMBERS])
def test_a_number_is_the_one_that_pandas_gives(table: str, question: str, told: Told) -> None:
    world, frame = public(table)
    rows = ask(world, question).rows()
    assert len(rows) == 1
    assert any(cell == pytest.approx(float(told(frame))) for cell in rows[0] if isinstance(cell, (int, float)))


@pytest.mark.parametrize(("table", "question", "told"), GROUPS, ids=[question for _, question, _ in GROUPS])
def test_groups_are_those_that_pandas_gives(table: str, question: str, told: Told) -> None:
    world, frame = public(table)
    given = {row[0]: float(row[-1]) for row in ask(world, question).rows()}
    assert given == pytest.approx(told(frame).astype(float).to_dict())


@pytest.mark.parametrize(("said", "where"), [("biggest order ever", ""), ("the largest order in chile", "Chile")])
def test_the_largest_order_is_the_one_with_the_highest_amount(said: str, where: str) -> None:
    world, frame = public("orders")
    own = frame[frame.Country == where] if where else frame
    assert ask(world, said).rows()[0][0] == own.loc[own["Total Sales"].idxmax(), "Order ID"]


def test_the_latest_order_is_no_order_of_rows() -> None:
    world, frame = public("orders")
    assert ask(world, "latest order").rows()[0][1] == frame["Order Date"].max()


@pytest.mark.parametrize(
    ("table", "question", "told"),
    [
        ("clubs", "which plan swims the least", lambda t: t.groupby("plan").swim_hours_per_week.mean().idxmin()),
        ("orders", "least used shipping mode", lambda t: t["Shipping Mode"].value_counts().idxmin()),
        ("orders", "most used shipping mode in chile", lambda t: t[t.Country == "Chile"]["Shipping Mode"].mode()[0]),
        ("orders", "which country made the most total sales", lambda t: t.groupby("Country")["Total Sales"].sum().idxmax()),
        ("tides", "top 5 windiest days", lambda t: t.groupby("Date").Wind_Speed_kmh.mean().idxmax()),
        ("tides", "5 days with the highest wind speed", lambda t: t.groupby("Date").Wind_Speed_kmh.mean().idxmax()),
    ],
)  # fmt: skip
def test_the_first_is_the_one_that_pandas_gives(table: str, question: str, told: Told) -> None:
    world, frame = public(table)
    assert ask(world, question).rows()[0][0] == told(frame)


def test_a_range_goes_from_the_lowest_to_the_highest() -> None:
    world, frame = public("admissions")
    own = frame[frame.Ward == "Eyes"].Billing_Amount
    assert ask(world, "range of bills in the Eyes ward").rows() == [pytest.approx((own.min(), own.max()))]


@pytest.mark.parametrize("question", ["what columns are in here", "what does this data cover"])
def test_what_there_is_is_told(question: str) -> None:
    assert "what you can ask about" in ask(public("orders")[0], question).answer.text


def test_what_leads_to_more_goes_together() -> None:
    assert "correlation of" in ask(public("orders")[0], "do higher prices lead to bigger orders").answer.text


def test_no_group_has_more_different_values_than_there_are() -> None:
    asked = ask(public("clubs")[0], "which plans have more than 1000 different genders")
    assert asked.table is None
