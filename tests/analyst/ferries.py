"""Ferries: crossings of vessels, and bookings of crossings; drawn the same every time."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

__all__ = ["crossings", "ferries"]


@cache
def ferries() -> dict[str, pd.DataFrame]:
    dice, count = np.random.default_rng(77), 900
    vessels = pd.DataFrame({
        "vessel_id": range(1, 8), "vessel": ["Auk", "Bittern", "Curlew", "Dunlin", "Eider", "Fulmar", "Gannet"],
        "operator": ["Northlink", "Islander", "Northlink", "Coastways", "Islander", "Coastways", "Coastways"],
        "capacity": [120, 80, 200, 60, 150, 90, 70], "year_built": [1998, 2004, 2011, 1989, 2015, 2007, 2020],
    })  # fmt: skip
    left = pd.Timestamp("2022-01-01") + pd.to_timedelta(dice.integers(0, 1000 * 24 * 60, count), unit="min")
    crossings = pd.DataFrame({
        "crossing_id": range(1, count + 1), "vessel_id": dice.integers(1, 7, count),
        "harbour": dice.choice(["Oban", "Mallaig", "Ullapool", "Stornoway", "Tarbert"], count, p=[.3, .25, .2, .15, .1]),
        "weather": dice.choice(["calm", "choppy", "stormy"], count, p=[0.6, 0.3, 0.1]), "departed_at": left,
        "delay_minutes": np.round(dice.gamma(1.5, 9, count)), "passengers": dice.integers(5, 190, count),
        "fuel_litres": np.round(dice.normal(900, 200, count), 1), "cancelled": dice.random(count) < 0.08,
        "rating": dice.integers(1, 6, count),
    })  # fmt: skip
    many = 2200
    bookings = pd.DataFrame({
        "booking_id": range(1, many + 1), "crossing_id": dice.integers(1, count - 60, many),
        "guest": dice.choice(["Aileen", "Blair", "Catriona", "Dougal", "Eilidh", "Fergus", "Gregor", "Heather"], many),
        "channel": dice.choice(["web", "phone", "kiosk"], many, p=[0.6, 0.3, 0.1]),
        "price": np.round(dice.gamma(4, 12, many), 2), "seats": dice.integers(1, 6, many),
    })  # fmt: skip
    bookings["coupon"] = pd.Series(dice.choice(["SPRING", "LOYAL", None], many, p=[0.2, 0.15, 0.65]), dtype=object)
    return {"crossings": crossings, "vessels": vessels, "bookings": bookings}


@cache
def crossings() -> pd.DataFrame:
    """Crossings with what is known of their vessels."""
    tables = ferries()
    return tables["crossings"].merge(tables["vessels"], on="vessel_id")
