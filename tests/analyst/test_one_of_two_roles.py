"""Where rows belong to two of a kind and a question says neither, the answer says which of them was looked at."""

from __future__ import annotations

import numpy as np
import pandas as pd

import svc_notebook as svc


def ferries() -> dict[str, pd.DataFrame]:
    """Crossings from one quay to another."""
    dice = np.random.default_rng(4)
    left = dice.integers(1, 6, 200)
    return {
        "quays": pd.DataFrame({"quay_id": range(1, 6), "quay_name": ["Aird", "Brae", "Clett", "Dunan", "Eyre"]}),
        "crossings": pd.DataFrame(
            {"crossing_id": range(1, 201), "start_quay_id": left, "end_quay_id": left % 5 + 1,
             "sailed_on": pd.Timestamp("2025-02-01") + pd.to_timedelta(dice.integers(0, 200, 200), "D"),
             "cars": dice.integers(0, 40, 200)}
        ),
    }  # fmt: skip


def test_which_of_the_two_was_looked_at_is_told_where_nobody_said() -> None:
    with svc.embedded(ferries()) as service:
        assert "is looked at" in service.chat().ask("how many crossings at Clett?").text
        assert "is looked at" not in service.chat().ask("number of crossings by end quay").text
        assert "is looked at" not in service.chat().ask("how many crossings are there?").text
