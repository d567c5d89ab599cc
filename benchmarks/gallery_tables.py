"""Three small tables as they are met: months without rows, groups of few, missing values, a year that is cut off."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["clinic", "meters", "orders"]


def orders() -> pd.DataFrame:
    """Orders of a furniture shop from January 2022 to 12 March 2024, none in August 2022."""
    random = np.random.default_rng(7)
    day = pd.to_datetime("2022-01-03") + pd.to_timedelta(random.integers(0, 800, 6000), unit="D")
    day = day[(day < "2022-08-01") | (day >= "2022-09-01")]
    count = len(day)
    region = random.choice(np.array(["North", "South", "East", "West", None]), count, p=[0.4, 0.25, 0.2, 0.13, 0.02])
    weights = np.array([20, 15, 12, 10, 8, 7, 6, 5, 4, 4, 3, 2, 2, 1, 1]) / 100
    names = (
        "Chairs Tables Lamps Rugs Shelves Sofas Beds Desks Stools Mirrors Clocks Vases Curtains Blinds Baskets".split()
    )
    category = random.choice(names, count, p=weights)
    price = np.round(random.lognormal(3.6, 0.8, count), 2)
    price[random.random(count) < 0.03] = np.nan
    quantity = random.integers(1, 9, count)
    growing = 1 + 0.3 * (region == "North") * (day >= "2023-01-01")
    return pd.DataFrame({
        "order_date": day, "region": region, "category": category, "unit_price": price, "quantity": quantity,
        "revenue": np.round(price * quantity * growing, 2),
        "returned": random.random(count) < np.where(category == "Sofas", 0.2, 0.06),
    })  # fmt: skip


def meters() -> pd.DataFrame:
    """Hourly readings of four meters over ten weeks, none for three days, a few of them five times too high."""
    random = np.random.default_rng(3)
    hours = pd.date_range("2023-03-01", "2023-05-12 13:00", freq="h")
    hours = hours[(hours < "2023-04-10") | (hours >= "2023-04-13")]
    clock, weekend = hours.hour.to_numpy(), hours.day_of_week.to_numpy() >= 5
    parts = []
    for site, base in (("Hall A", 40), ("Hall B", 32), ("Office", 12), ("Server room", 25)):
        daily = 0.5 * np.sin((clock - 6) / 24 * 2 * np.pi) * (site != "Server room")
        used = base * (1 + daily) * np.where(weekend, 0.6, 1) + random.normal(0, base * 0.08, len(hours))
        used[random.random(len(hours)) < 0.002] *= 5
        warm = 8 + 6 * np.sin((hours.day_of_year.to_numpy() - 60) / 40) + 4 * np.sin((clock - 9) / 24 * 2 * np.pi)
        warm = warm + random.normal(0, 1.5, len(hours))
        parts.append(pd.DataFrame({
            "read_at": hours, "site": site, "kwh": np.round(used, 2), "temperature": np.round(warm, 1),
        }))  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def clinic() -> pd.DataFrame:
    """Visits to a clinic in 2021 and 2022: stays grow longer in one ward, waits depend on the hour, one ward is new."""
    random = np.random.default_rng(11)
    count = 4000
    seen = pd.Timestamp("2021-01-01") + pd.to_timedelta(random.integers(0, 730 * 24, count), unit="h")
    wards = np.array(["Surgery", "Eyes", "Heart", "Children", "Skin"], dtype=object)
    ward = random.choice(wards, count, p=[0.3, 0.25, 0.2, 0.15, 0.1])
    ward[:3] = "Sleep lab"
    age = np.clip(random.normal(48, 20, count), 0, 97).round()
    stay = random.gamma(2, 1.6, count) + (ward == "Surgery") * (seen.year.to_numpy() == 2022) * 2 + age * 0.03
    wait = random.gamma(2, 9, count) + np.clip(seen.hour.to_numpy() - 8, 0, 6) * 4
    return pd.DataFrame({
        "visit_date": seen, "ward": ward, "channel": random.choice(["phone", "web", "desk"], count, p=[0.5, 0.35, 0.15]),
        "age": age, "stay_days": stay.round(1), "wait_minutes": wait.round(), "emergency": random.random(count) < 0.18,
    })  # fmt: skip
