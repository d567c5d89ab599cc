"""Carers and the treatments that they gave, some of them missed, some at home: two tables without a model."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["joined_tables", "tables"]


def tables() -> dict[str, pd.DataFrame]:
    """Treatments that carers gave, some of them missed, some at home."""
    dice, count = np.random.default_rng(21), 300
    carers = pd.DataFrame({
        "carer_id": range(1, 6), "carer": ["Ylva Ask", "Odd Berg", "Pia Dal", "Roar Eng", "Siri Fos"],
        "ward": ["east", "east", "west", "west", "north"],
    })  # fmt: skip
    treatments = pd.DataFrame({
        "treatment_id": range(1, count + 1), "carer_id": dice.integers(1, 6, count),
        "given_on": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 180, count), unit="D"),
        "outcome": dice.choice(["finished", "missed", "refused"], count, p=[0.7, 0.2, 0.1]),
        "at_home": dice.random(count) < 0.3, "charge": np.round(dice.uniform(20, 90, count), 2),
    })  # fmt: skip
    return {"carers": carers, "treatments": treatments}


def joined_tables() -> pd.DataFrame:
    """Each treatment with who gave it."""
    known = tables()
    return known["treatments"].merge(known["carers"])
