"""What a why-question takes for granted is held against the numbers: who asks why something fell that rose is told so."""

from __future__ import annotations

import re
from functools import cache

import pandas as pd
import pytest
from asking import ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

UP, DOWN = "It did not rise.", "It did not fall."


@cache
def _presses() -> World:
    """What cider presses took in: 40 loads a month, heavier in May than in April, and lighter in June."""
    months = [(4, 2.0), (5, 3.0), (6, 1.0)]  # and each load a little more or less, 40 of them as much as this
    loads = pd.DataFrame(
        [(f"2024-{month:02d}-{day % 28 + 1:02d}", ("north", "south")[day % 2], round(weight + (day - 19.5) / 100, 3)) for month, weight in months for day in range(40)],
        columns=["pressed_on", "orchard", "tonnes"],
    )  # fmt: skip
    loads["pressed_on"] = pd.to_datetime(loads.pressed_on)
    tables = {"loads": loads}
    return World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=dict(tables))))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("why did tonnes drop from april 2024 to may 2024", DOWN),
        ("why did tonnes decline in may 2024", DOWN),
        ("why did tonnes go up from may 2024 to june 2024", UP),
        ("why have tonnes increased in june 2024", UP),
    ],
)
def test_what_did_not_happen_is_said_first(question: str, said: str) -> None:
    assert ask(_presses(), question).answer.text.startswith(said)


@pytest.mark.parametrize(
    "question",
    ["why did tonnes rise from april 2024 to may 2024", "why did tonnes fall in june 2024",
     "why did tonnes change from april 2024 to may 2024", "how did tonnes drop from april 2024 to may 2024"],
)  # fmt: skip
def test_what_happened_as_supposed_or_is_not_supposed_is_not_denied(question: str) -> None:
    assert not re.match(r"It did not", ask(_presses(), question).answer.text)


@pytest.mark.parametrize(
    ("question", "total"),
    [("how did tonnes change from april 2024 to may 2024", "120"), ("why did tonnes fall in june 2024", "1.43")],
)
def test_what_adds_up_is_compared_by_its_sum(question: str, total: str) -> None:
    assert re.search(rf"\*\*{total} tonnes\*\*", ask(_presses(), question).answer.text)
