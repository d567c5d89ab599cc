"""What is out of stock, ratios of one place, so much of what is used, whole numbers called by what was done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def kiosks() -> dict[str, pd.DataFrame]:
    """Kiosks of some islands, what they hold of which toy, crates that came, and what their taps gave."""
    dice = np.random.default_rng(19)
    held = [(kiosk, toy) for kiosk in range(1, 7) for toy in range(1, 11)]
    levels = np.where(dice.random(len(held)) < 0.2, 0, dice.integers(1, 60, len(held)))
    came = pd.Timestamp("2024-06-01") + pd.to_timedelta(dice.integers(0, 500, 300), "D")
    return {
        "kiosks": pd.DataFrame(
            {"kiosk_id": range(1, 7), "kiosk_name": ["Ark", "Bay", "Cob", "Dee", "Elm", "Fen"],
             "island": ["Sark", "Jura", "Sark", "Iona", "Jura", "Iona"]}
        ),
        "toys": pd.DataFrame(
            {"toy_id": range(1, 11), "toy_name": "kite yoyo drum ball doll boat top whistle puzzle robot".split()}
        ),
        "stock": pd.DataFrame(
            {"kiosk_id": [k for k, _ in held], "toy_id": [t for _, t in held], "on_hand": levels,
             "order_level": dice.integers(3, 20, len(held))}
        ),
        "crates": pd.DataFrame(
            {"crate_id": range(1, 301), "kiosk_id": dice.integers(1, 7, 300), "came_on": came,
             "pieces": dice.integers(20, 90, 300), "scratched": dice.integers(0, 6, 300)}
        ),
        "visits": pd.DataFrame(
            {"visit_id": range(1, 501), "kiosk_id": dice.integers(1, 7, 500),
             "visited_on": pd.Timestamp("2024-06-01") + pd.to_timedelta(dice.integers(0, 500, 500), "D")}
        ),
    }  # fmt: skip


TABLES = kiosks()
HELD = TABLES["stock"].merge(TABLES["kiosks"], on="kiosk_id").merge(TABLES["toys"], on="toy_id")
GONE = HELD[HELD.on_hand == 0]
CRATES, VISITS = (TABLES[name].merge(TABLES["kiosks"], on="kiosk_id") for name in ("crates", "visits"))


@pytest.fixture(scope="module")
def service() -> Iterator[Any]:
    with svc.embedded(kiosks()) as running:
        yield running


def frame(service: Any, question: str) -> pd.DataFrame:
    answer = service.chat().ask(question)
    assert answer.result is not None, answer.text
    found: pd.DataFrame = answer.result.to_frame()
    return found


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("which toys are out of stock?", GONE.toy_name),
        ("which toys are out of stock in Bay?", GONE[GONE.kiosk_name == "Bay"].toy_name),
        ("which toys are still in stock in Dee?", HELD[(HELD.kiosk_name == "Dee") & (HELD.on_hand > 0)].toy_name),
    ],
)
def test_what_is_out_of_stock_is_held_nowhere_or_in_that_place(
    service: Any, question: str, wanted: pd.Series[str]
) -> None:
    assert sorted(frame(service, question).iloc[:, 0]) == sorted(set(wanted))


def test_what_is_out_of_stock_is_counted(service: Any) -> None:
    assert frame(service, "how many toys ran out of stock").iloc[0, -1] == GONE.toy_name.nunique()
    assert frame(service, "how many toys are out of stock on Sark").iloc[0, -1] == (
        GONE[GONE.island == "Sark"].toy_name.nunique()
    )


def test_stock_itself_is_still_what_there_is(service: Any) -> None:
    assert frame(service, "total on hand").iloc[0, -1] == HELD.on_hand.sum()


@pytest.mark.parametrize(
    ("question", "above", "below"),
    [
        ("ratio of visits to crates on Sark", VISITS.island == "Sark", CRATES.island == "Sark"),
        ("ratio of visits to crates in 2025", VISITS.visited_on.dt.year == 2025, CRATES.came_on.dt.year == 2025),
        ("ratio of visits to crates", VISITS.kiosk_id > 0, CRATES.crate_id > 0),
    ],
)
def test_a_place_or_time_behind_a_ratio_is_of_both_its_numbers(
    service: Any, question: str, above: pd.Series[bool], below: pd.Series[bool]
) -> None:
    answer = service.chat().ask(question.replace(" on ", " in "))
    assert answer.result is not None, answer.text
    assert answer.result.to_frame().iloc[0, -1] == pytest.approx(above.sum() / below.sum())


def test_so_many_that_were_scratched_add_up(service: Any) -> None:
    found = frame(service, "scratched by island")
    assert dict(zip(found.iloc[:, 0], found.iloc[:, -1], strict=True)) == dict(CRATES.groupby("island").scratched.sum())


def wells() -> dict[str, pd.DataFrame]:
    """Huts with meters of what they use, and readings whose number none of them tells by its name."""
    dice = np.random.default_rng(3)
    return {
        "huts": pd.DataFrame({"hut_id": range(1, 5), "hut_name": ["Alm", "Bach", "Col", "Dach"]}),
        "meters": pd.DataFrame(
            {"meter_id": range(1, 9), "hut_id": [1, 1, 2, 2, 3, 3, 4, 4], "source": ["water", "gas"] * 4}
        ),
        "readings": pd.DataFrame(
            {"reading_id": range(1, 121), "meter_id": dice.integers(1, 9, 120), "left_value": dice.random(120) * 9,
             "right_value": dice.random(120) * 70}
        ),
    }  # fmt: skip


def test_the_most_of_what_is_used_is_no_number_of_meters() -> None:
    with svc.embedded(wells()) as service:
        for question in ("which hut used the most water?", "which hut consumes the least gas"):
            answer = service.chat().ask(question)
            assert answer.sql is None or "meters.count" not in answer.sql.replace('"', ""), answer.text
        assert service.chat().ask("which hut has the most meters?").result is not None
