"""Four keepers' tables that nobody described: a car-sharing fleet, a payroll, a museum, and who pays for software."""

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

__all__ = ["stranger"]

_FIRST = ["Ada", "Bruno", "Clara", "Dario", "Elsa", "Felix", "Greta", "Hugo", "Ivana", "Jonas", "Kora", "Levi"]
_LAST = ["Abel", "Bauer", "Conti", "Dumas", "Egger", "Faber", "Gallo", "Hofer", "Imhof", "Jung"]


def _names(count: int) -> list[str]:
    return [f"{_FIRST[i % 12]} {_LAST[i // 12 % 10]}" for i in range(count)]


def _days(dice: np.random.Generator, start: str, span: int, count: int) -> pd.Series:
    return pd.Series(pd.Timestamp(start) + pd.to_timedelta(dice.integers(0, span, count), unit="D"))


def _moments(dice: np.random.Generator, start: str, span: int, count: int) -> pd.Series:
    return _days(dice, start, span, count) + pd.to_timedelta(dice.integers(6 * 60, 23 * 60, count), unit="m")


def fleet() -> Tables:
    dice, count = np.random.default_rng(11), 900
    cars = pd.DataFrame({
        "car_id": range(1, 41), "plate": [f"TO-{100 + n}" for n in range(40)],
        "model": dice.choice(["Fiat 500", "VW Golf", "Renault Zoe"], 40),
        "fuel": dice.choice(["electric", "petrol", "diesel"], 40), "zone": dice.choice(["Centre", "Airport", "Harbour"], 40),
    })  # fmt: skip
    members = pd.DataFrame({
        "member_id": range(1, 121), "full_name": _names(120), "plan": dice.choice(["basic", "plus", "business"], 120)
    })  # fmt: skip
    began = _moments(dice, "2023-01-01", 600, count)
    trips = pd.DataFrame({
        "trip_id": range(1, count + 1), "car_id": dice.integers(1, 38, count), "member_id": dice.integers(1, 110, count),
        "start_time": began, "end_time": began + pd.to_timedelta(dice.integers(8, 400, count), unit="m"),
        "distance_km": dice.gamma(2, 9, count).round(1), "price_eur": dice.gamma(3, 5, count).round(2),
        "payment_method": dice.choice(["card", "paypal", "invoice"], count), "rating": dice.integers(1, 6, count),
    })  # fmt: skip
    return {"cars": cars, "members": members, "trips": trips}


def payroll() -> Tables:
    dice, count = np.random.default_rng(22), 90
    departments = pd.DataFrame({
        "dept_id": range(1, 8),
        "dept_name": ["Finance", "Engineering", "Marketing", "Support", "Legal", "Warehouse", "Research"],
        "location": ["Berlin", "Berlin", "Hamburg", "Munich", "Berlin", "Hamburg", "Munich"],
    })  # fmt: skip
    employees = pd.DataFrame({
        "emp_no": range(1001, 1001 + count), "first_name": [name.split()[0] for name in _names(count)],
        "last_name": [name.split()[1] for name in _names(count)], "dept_id": dice.integers(1, 7, count),
        "job_title": dice.choice(["Analyst", "Engineer", "Clerk", "Manager"], count),
        "manager_no": [None, *(1001 + int(dice.integers(0, max(1, min(8, i)))) for i in range(1, count))],
        "hire_date": _days(dice, "2008-01-01", 5600, count), "gender": dice.choice(["F", "M"], count),
        "monthly_salary": dice.permutation(np.arange(2200, 2200 + 70 * count, 70)), "left_on": pd.NaT,
    })  # fmt: skip
    gone = dice.random(count) < 0.15
    employees.loc[gone, "left_on"] = pd.Timestamp("2023-02-01") + pd.to_timedelta(
        dice.integers(0, 600, gone.sum()), unit="D"
    )
    employees["manager_no"] = employees.manager_no.astype("Int64")
    absences = pd.DataFrame({
        "absence_id": range(1, 301), "emp_no": 1001 + dice.integers(0, 80, 300),
        "kind": dice.choice(["sick", "vacation", "training"], 300), "from_date": _days(dice, "2023-01-02", 680, 300),
        "days": dice.integers(1, 15, 300),
    })  # fmt: skip
    return {"employees": employees, "departments": departments, "absences": absences}


def museum() -> Tables:
    dice, count, sold = np.random.default_rng(33), 220, 1500
    artists = pd.DataFrame({
        "artist_id": range(1, 26), "artist_name": _names(25), "nationality": dice.choice(["French", "Dutch"], 25),
        "born": dice.integers(1600, 1950, 25),
    })  # fmt: skip
    artists["died"] = (artists.born + dice.integers(30, 90, 25)).where(lambda year: year <= 2010).astype("Int64")
    kinds = dice.choice(["Still Life", "Portrait", "Harbour", "Storm"], count)
    artworks = pd.DataFrame({
        "inventory_no": [f"M{1000 + i}" for i in range(count)], "title": [f"{kinds[i]} No. {i}" for i in range(count)],
        "artist_id": dice.integers(1, 23, count), "medium": dice.choice(["oil", "bronze", "marble"], count),
        "year_created": dice.permutation(np.arange(1620, 1620 + count)), "height_cm": dice.gamma(4, 30, count).round(1),
        "acquired_on": _days(dice, "1970-01-01", 18000, count),
    })  # fmt: skip
    tickets = pd.DataFrame({
        "ticket_no": range(1, sold + 1), "sold_at": _moments(dice, "2022-01-03", 900, sold),
        "ticket_type": dice.choice(["adult", "child", "senior", "student"], sold),
        "visitor_country": dice.choice(["France", "Germany", "United States", "Japan"], sold),
        "audio_guide": dice.random(sold) < 0.3,
    })  # fmt: skip
    tickets["price"] = tickets.ticket_type.map({"adult": 18.0, "child": 6.0, "senior": 12.0, "student": 9.0})
    return {"artists": artists, "artworks": artworks, "tickets": tickets}


def software() -> Tables:
    dice = np.random.default_rng(44)
    accounts = pd.DataFrame({
        "account_id": range(1, 151), "company": [f"{_LAST[i % 10]} Labs {i}" for i in range(150)],
        "country": dice.choice(["United Kingdom", "Germany", "United States", "Sweden"], 150),
        "industry": dice.choice(np.array(["Retail", "Health", "Finance", None], dtype=object), 150),
        "employees": dice.integers(3, 5000, 150), "signup_date": _days(dice, "2019-01-01", 1700, 150),
        "account_manager": dice.choice(["Nora Reed", "Omar Haas", "Pia Lund"], 150),
    })  # fmt: skip
    began = _days(dice, "2020-01-01", 1500, 260)
    subscriptions = pd.DataFrame({
        "subscription_id": range(1, 261), "account_id": dice.integers(1, 140, 260),
        "tier": dice.choice(["Starter", "Pro", "Enterprise"], 260), "mrr_usd": dice.gamma(2, 300, 260).round(2),
        "started_on": began, "cancelled_on": began + pd.to_timedelta(dice.integers(20, 500, 260), unit="D"),
        "billing": dice.choice(["monthly", "yearly"], 260), "seats": dice.integers(1, 200, 260),
    })  # fmt: skip
    subscriptions.loc[dice.random(260) < 0.7, "cancelled_on"] = pd.NaT
    invoices = pd.DataFrame({
        "invoice_no": range(9001, 9901), "account_id": dice.integers(1, 140, 900),
        "issued_on": _days(dice, "2022-01-01", 1000, 900), "amount_usd": dice.gamma(2, 250, 900).round(2),
        "status": dice.choice(["paid", "open", "overdue"], 900, p=[0.8, 0.1, 0.1]),
    })  # fmt: skip
    opened = _moments(dice, "2023-01-01", 650, 500)
    tickets = pd.DataFrame({
        "ticket_id": range(1, 501), "account_id": dice.integers(1, 130, 500), "opened_at": opened,
        "closed_at": opened + pd.to_timedelta(dice.integers(10, 9000, 500), unit="m"),
        "priority": dice.choice(["low", "high", "urgent"], 500),
        "topic": dice.choice(["billing", "bug", "login"], 500),
    })  # fmt: skip
    tickets.loc[dice.random(500) < 0.08, "closed_at"] = pd.NaT
    return {"accounts": accounts, "subscriptions": subscriptions, "invoices": invoices, "tickets": tickets}


@cache
def stranger(name: str) -> tuple[Tables, World]:
    """The tables, and the model that is made where nobody describes them."""
    tables = {"fleet": fleet, "payroll": payroll, "museum": museum, "software": software}[name]()
    return tables, World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=tables)))
