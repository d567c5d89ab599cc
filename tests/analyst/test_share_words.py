"""What a share is called: each of its names is read in each frame, and all of them give the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from test_shares_of_rows import courier

import svc_notebook as svc

NAMES = ["share", "percentage", "percent", "per cent", "pct", "proportion", "fraction", "portion"]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(courier()) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "what {} of deliveries failed",
        "what {} of each driver's deliveries failed",
        "which driver has the highest {} of failed deliveries",
        "which depot had the largest {} of its deliveries more than 30 minutes late",
        "failed deliveries as a {} of all deliveries by depot",
    ],
)
def test_each_name_of_a_share_gives_the_same(client: Any, question: str) -> None:
    def shares(name: str) -> list[tuple[Any, ...]]:
        found = client.chat().ask(question.format(name)).df
        rows = [
            (*row[:-1], round(row[-1] / (100 if found.iloc[:, -1].max() > 1 else 1), 9)) for row in found.to_numpy()
        ]
        return sorted(rows, key=str)

    usual = shares("share")
    assert usual and all(shares(name) == usual for name in NAMES[1:])
