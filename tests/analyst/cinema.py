"""A cinema: films of studios, and screenings of them in halls; drawn the same every time."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

__all__ = ["cinema", "screenings"]


@cache
def cinema() -> dict[str, pd.DataFrame]:
    dice, count = np.random.default_rng(5), 700
    films = pd.DataFrame({
        "film_id": range(1, 13),
        "film": ["Amber", "Brine", "Cobalt", "Dusk", "Ember", "Frost", "Glade", "Harbor", "Inlet", "Juniper", "Kestrel",
                 "Lagoon"],
        "genre": ["drama", "comedy", "thriller", "drama", "comedy", "thriller", "drama", "family", "family", "comedy",
                  "thriller", "drama"],
        "studio": ["Nordlys", "Meridian", "Nordlys", "Halcyon", "Meridian", "Halcyon"] * 2,
        "length_minutes": dice.integers(80, 170, 12), "release_year": dice.integers(1985, 2024, 12),
    })  # fmt: skip
    days = pd.to_timedelta(dice.integers(0, 365, count), unit="D")
    hours = pd.to_timedelta(dice.choice([11, 14, 17, 20, 22], count), unit="h")
    shown = pd.DataFrame({
        "screening_id": range(1, count + 1), "film_id": dice.integers(1, 13, count),
        "hall": dice.choice(["Blue", "Red", "Studio"], count, p=[0.5, 0.3, 0.2]),
        "starts_at": pd.Timestamp("2023-01-01") + days + hours, "tickets_sold": dice.integers(3, 220, count),
        "ticket_price": np.round(dice.normal(11, 2, count), 2), "delay_minutes": np.round(dice.gamma(1.2, 6, count)),
        "subtitled": dice.random(count) < 0.3, "cancelled": dice.random(count) < 0.07,
        "usher": dice.choice(["Ada", "Ben", "Cleo", "Dan", "Eva"], count),
    })  # fmt: skip
    return {"films": films, "screenings": shown}


@cache
def screenings() -> pd.DataFrame:
    """Screenings with what is known of their films."""
    tables = cinema()
    return tables["screenings"].merge(tables["films"], on="film_id")
