"""Questions said in many ways are read as the plans written down for them before the reader saw them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import worlds
import yaml
from notation import difference

from svc_notebook.analyst.offline.reading.owners import without_owners
from svc_notebook.analyst.offline.reading.reading import read

FOLDER = Path(__file__).parent / "paraphrases"
# Read otherwise today; each has another sensible reading, or needs knowledge of the world.
OPEN = {
    "flights delayed by more than 2 hours by carrier", "best selling product", "revenue from business customers",
    "orders with more than 5 units by country", "how many days does shipping take on average by country",
    "relationship between discount and quantity", "wards with more than 20 beds",
}  # fmt: skip


def cases(model: str) -> list[dict[str, Any]]:
    return yaml.safe_load((FOLDER / f"{model}.yml").read_text(encoding="utf8"))


@pytest.mark.parametrize("model", ["flights", "shop", "hospital"])
def test_paraphrases_are_read_as_written_down(model: str) -> None:
    metadata = getattr(worlds, model)().metadata
    year = 2013 if model == "flights" else None
    wrong = {}
    for case in cases(model):
        reading = read(without_owners(case["q"], metadata), metadata, datetime.fromisoformat("2024-11-20"), (), year)
        found = "no plan" if reading.plan is None else difference(case, reading.plan, model)
        if found:
            wrong[case["q"]] = found
    assert {q: d for q, d in wrong.items() if q not in OPEN} == {}


def test_there_are_at_least_three_hundred_of_them() -> None:
    assert sum(len(cases(model)) for model in ("flights", "shop", "hospital")) >= 300
