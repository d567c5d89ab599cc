"""Three small businesses as a newcomer would bring them: several tables each, drawn the same every time."""

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

__all__ = ["BUSINESSES", "business"]


def till() -> Tables:
    """A bakery's till: what was sold when, in which shop."""
    dice = np.random.default_rng(5)
    products = pd.DataFrame({
        "product_id": range(1, 13),
        "product": ["Rye bread", "Baguette", "Croissant", "Pretzel", "Muffin", "Brownie", "Cheesecake", "Apple pie",
                    "Espresso", "Cappuccino", "Orange juice", "Tea"],
        "category": ["Bread"] * 2 + ["Pastry"] * 3 + ["Cake"] * 3 + ["Drink"] * 4,
        "price": [4.2, 2.8, 1.9, 1.5, 2.6, 3.1, 4.5, 3.9, 2.2, 3.2, 3.0, 2.4],
    })  # fmt: skip
    shops = pd.DataFrame({
        "shop_id": [1, 2, 3], "shop": ["Old Town", "Station", "Harbour"], "city": ["Hamburg", "Hamburg", "Kiel"],
    })  # fmt: skip
    count = 2500
    day = pd.Timestamp("2023-01-01") + pd.to_timedelta(dice.integers(0, 300, count), unit="D")
    sold_at = (day + pd.to_timedelta(np.clip(dice.normal(12, 3, count), 6, 19.9), unit="h")).floor("min")
    sales = pd.DataFrame({
        "sale_id": range(1, count + 1), "sold_at": sold_at, "product_id": dice.integers(1, 13, count),
        "shop_id": dice.choice([1, 2, 3], count, p=[0.5, 0.3, 0.2]), "quantity": dice.integers(1, 6, count),
        "payment": dice.choice(["cash", "card", "voucher"], count, p=[0.4, 0.5, 0.1]),
        "refunded": dice.random(count) < 0.04,
    })  # fmt: skip
    sales["amount"] = (sales.quantity * sales.product_id.map(products.set_index("product_id").price)).round(2)
    return {"products": products, "shops": shops, "sales": sales}


def clinic() -> Tables:
    """A clinic: patients, doctors, and appointments that are kept, called off or missed."""
    dice = np.random.default_rng(6)
    doctors = pd.DataFrame({
        "doctor_id": range(1, 9),
        "doctor": ["Adler", "Baum", "Cordes", "Dietz", "Ebert", "Falk", "Groth", "Haas"],
        "specialty": ["Cardiology"] * 2 + ["Dermatology"] * 2 + ["Pediatrics"] * 2 + ["Orthopedics"] * 2,
    })  # fmt: skip
    born = pd.Timestamp("1935-01-01") + pd.to_timedelta(dice.integers(0, 30000, 300), unit="D")
    patients = pd.DataFrame({
        "patient_id": range(1, 301), "patient": [f"P{n:03d}" for n in range(1, 301)], "birth_date": born,
        "sex": dice.choice(["female", "male"], 300), "insurance": dice.choice(["public", "private"], 300, p=[0.8, 0.2]),
    })  # fmt: skip
    count = 1800
    quarters = dice.integers(8 * 4, 18 * 4, count) * 15
    day = pd.Timestamp("2023-01-06") + pd.to_timedelta(dice.integers(0, 280, count), unit="D")
    appointments = pd.DataFrame({
        "appointment_id": range(1, count + 1), "patient_id": dice.integers(1, 281, count),
        "doctor_id": dice.integers(1, 9, count), "scheduled_at": day + pd.to_timedelta(quarters, unit="min"),
        "status": dice.choice(["completed", "cancelled", "no-show"], count, p=[0.8, 0.12, 0.08]),
        "wait_minutes": np.round(dice.gamma(2, 9, count)), "duration_minutes": dice.integers(10, 60, count),
        "fee": np.round(dice.gamma(5, 20, count), 2), "first_visit": dice.random(count) < 0.3,
    })  # fmt: skip
    return {"doctors": doctors, "patients": patients, "appointments": appointments}


def helpdesk() -> Tables:
    """A service that is paid by the month: customers, what they subscribed to, and their tickets."""
    dice = np.random.default_rng(7)
    count, many, more = 240, 330, 1500
    customers = pd.DataFrame({
        "customer_id": range(1, count + 1), "company": [f"Company {n}" for n in range(1, count + 1)],
        "country": dice.choice(["Germany", "France", "Spain", "Italy"], count, p=[0.4, 0.3, 0.2, 0.1]),
        "industry": dice.choice(["Retail", "Finance", "Health"], count), "employees": dice.integers(3, 2000, count),
        "signed_up": pd.Timestamp("2021-01-01") + pd.to_timedelta(dice.integers(0, 900, count), unit="D"),
    })  # fmt: skip
    start = pd.Timestamp("2021-02-01") + pd.to_timedelta(dice.integers(0, 900, many), unit="D")
    end = start + pd.to_timedelta(dice.integers(30, 700, many), unit="D")
    plan = dice.choice(["Free", "Team", "Business", "Enterprise"], many, p=[0.3, 0.4, 0.2, 0.1])
    subscriptions = pd.DataFrame({
        "subscription_id": range(1, many + 1), "customer_id": dice.integers(1, count - 9, many), "plan": plan,
        "started_on": start, "ended_on": pd.Series(end).where(dice.random(many) < 0.4),
        "seats": dice.integers(1, 120, many),
        "monthly_price": pd.Series(plan).map({"Free": 0.0, "Team": 49.0, "Business": 199.0, "Enterprise": 899.0}),
    })  # fmt: skip
    opened = pd.Timestamp("2022-01-01") + pd.to_timedelta(dice.integers(0, 60 * 24 * 640, more), unit="min")
    closed = opened + pd.to_timedelta(dice.gamma(2, 700, more).round(), unit="min")
    tickets = pd.DataFrame({
        "ticket_id": range(1, more + 1), "customer_id": dice.integers(1, count - 29, more), "opened_at": opened,
        "closed_at": pd.Series(closed).where(dice.random(more) < 0.92),
        "priority": dice.choice(["low", "normal", "high", "urgent"], more, p=[0.3, 0.4, 0.2, 0.1]),
        "topic": dice.choice(["billing", "login", "bug", "feature request"], more),
        "satisfaction": dice.choice([1, 2, 3, 4, 5, np.nan], more), "escalated": dice.random(more) < 0.1,
    })  # fmt: skip
    return {"customers": customers, "subscriptions": subscriptions, "tickets": tickets}


BUSINESSES = {f.__name__: f for f in (till, clinic, helpdesk)}


@cache
def business(name: str) -> tuple[Tables, World]:
    """Its tables, and the model that is made where nobody describes them."""
    tables = BUSINESSES[name]()
    return tables, World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=tables)))
