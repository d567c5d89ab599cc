"""Single tables as public data are given out: a file's words in the table's name, units in columns, ids of who came."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from small_trades import Tables
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

__all__ = ["TABLES", "public"]


def tides() -> Tables:
    """One row for each day of each gauge."""
    dice = np.random.default_rng(31)
    days = pd.date_range("2022-01-01", "2023-12-31")
    parts = []
    for gauge, coast, base in [("Kerlan", "North", 11), ("Mossby", "North", 9), ("Tarvik", "South", 13)]:
        warm = base - 6 * np.cos((days.day_of_year - 20) / 58.1) + dice.normal(0, 2, len(days))
        rain = np.where(dice.random(len(days)) < 0.4, dice.gamma(1.2, 5, len(days)), 0).round(1)
        parts.append(pd.DataFrame({
            "Gauge_Name": gauge, "Coast": coast, "Date": days, "Avg_Temp_C": warm.round(1), "Max_Temp_C": (warm + 4).round(1),
            "Min_Temp_C": (warm - 3).round(1),
            "Precip_mm": rain, "Wind_Speed_kmh": dice.gamma(4, 4, len(days)).round(1),
            "is_spring_tide": dice.choice([0, 1], len(days)), "Sky": np.where(rain > 0, "Rain", dice.choice(["Sunny", "Cloudy", "Fog"], len(days))),
        }))  # fmt: skip
    return {"tides_daily": pd.concat(parts, ignore_index=True)}


def admissions() -> Tables:
    """Stays of patients, some of whom come again: as many rows as there are days and kinds, by chance."""
    dice, count = np.random.default_rng(32), 1800
    came = pd.Timestamp("2022-01-01") + pd.to_timedelta(dice.integers(0, 700, count), unit="D")
    stayed = dice.integers(1, 12, count)
    return {"clinic_admissions": pd.DataFrame({
        "Patient_ID": [f"P{n:05d}" for n in dice.integers(0, 1300, count)], "Age": dice.integers(0, 95, count),
        "Gender": dice.choice(["M", "F"], count), "Admission_Date": came, "Ward": dice.choice(["Heart", "Bones", "Eyes"], count),
        "Insurance_Provider": dice.choice(["Alma", "Bonus", "Cura"], count), "Billing_Amount": dice.gamma(3, 900, count).round(2),
        "Length_of_Stay": stayed, "Readmitted": dice.choice(["Yes", "No"], count, p=[0.2, 0.8]), "Test_Results": dice.choice(["Normal", "Abnormal"], count),
    })}  # fmt: skip


def orders() -> Tables:
    """What a shop exported: one amount and one price of each order."""
    dice, count = np.random.default_rng(33), 900
    pieces, price = dice.integers(1, 7, count), dice.gamma(2, 18, count).round(2) + 5
    return {"webshop_orders_2023": pd.DataFrame({
        "Order ID": range(1001, 1001 + count),
        "Order Date": pd.Timestamp("2023-01-01") + pd.to_timedelta(dice.integers(0, 365, count), unit="D"),
        "Customer ID": [f"C{n:03d}" for n in dice.integers(0, 250, count)], "Customer Age": dice.integers(18, 80, count),
        "Country": dice.choice(["USA", "UK", "Chile"], count), "Quantity": pieces, "Unit Price": price,
        "Total Sales": (pieces * price).round(2),
        "Shipping Mode": dice.choice(["Van", "Bike", "Post"], count, p=[0.5, 0.2, 0.3]), "Returned": dice.random(count) < 0.1,
        "Status": dice.choice(["Closed", "Open"], count, p=[0.8, 0.2]),
    })}  # fmt: skip


def clubs() -> Tables:
    """Members of a club, some of whom have left; names written short, and two numbers in one unit."""
    dice, count = np.random.default_rng(34), 700
    joined = pd.Timestamp("2021-01-01") + pd.to_timedelta(dice.integers(0, 900, count), unit="D")
    left = pd.Series(joined + pd.Timedelta(days=200)).where(dice.random(count) < 0.3)
    return {"club_members": pd.DataFrame({
        "member_no": range(1, count + 1), "gender": dice.choice(["male", "female"], count), "age": dice.integers(18, 80, count),
        "join_date": joined, "cancel_date": left, "plan": dice.choice(["Basic", "Plus"], count),
        "safety_preparation_course": dice.choice(["completed", "none"], count, p=[0.4, 0.6]),
        "swim_hours_per_week": dice.integers(0, 9, count), "loan_amnt": dice.integers(10, 900, count),
        "annual_inc": dice.integers(9000, 90000, count), "solar_kwh": dice.integers(0, 50, count),
        "kwh_used": pd.Series(dice.integers(50, 900, count)).where(dice.random(count) < 0.9),
    })}  # fmt: skip


TABLES = {"tides": tides, "admissions": admissions, "orders": orders, "clubs": clubs}


@cache
def public(name: str) -> tuple[World, pd.DataFrame]:
    """A world over what ``init`` makes of one of these tables, and its rows."""
    data = TABLES[name]()
    engine = DuckDBEngine.open(None, data=data)
    return World(SemanticLayer(load_model(scaffold_model(data, engine=engine)), engine)), next(iter(data.values()))
