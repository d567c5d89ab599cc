"""Tables and pictures sort days, sizes and what a model orders as these are, and not by the alphabet."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import Asked, ask
from hypothesis import given
from hypothesis import strategies as st
from worlds import World

import svc_notebook as svc
from svc_notebook.analyst.offline.forms import from_sql
from svc_notebook.analyst.scales import along_scale
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
SIZES = ["S", "M", "L", "XL"]
STATES = ["new", "paid", "packed", "sent"]
N = 84


@cache
def frame() -> pd.DataFrame:
    return pd.DataFrame({
        "shirt_id": range(N),
        "size": [SIZES[n * 7 % 4 if n % 6 else (1, 1, 3, 0)[n % 4]] for n in range(N)],
        "day": [DAYS[n * 5 % 7] for n in range(N)],
        "state": [STATES[n * n % 4 if n % 5 else n % 4] for n in range(N)],
        "sold_at": pd.Timestamp("2023-01-03") + pd.to_timedelta([n * 4 for n in range(N)], unit="D"),
        "price": [10.0 + n * n % 23 for n in range(N)],
    })  # fmt: skip


@cache
def world(*, ordered: bool = False) -> World:
    held = {"shirts": frame()}
    model = scaffold_model(held)
    if ordered:
        for dimension in (d for cube in model["cubes"] for d in cube["dimensions"] if d["name"] == "state"):
            dimension["meta"] = {**dimension.get("meta", {}), "order": STATES[:3]}
    return World(
        SemanticLayer(load_model(model), DuckDBEngine.open(None, data=held)), "shirts_in_order" if ordered else ""
    )


def first(asked: Asked) -> list[Any]:
    return list(dict.fromkeys(row[0] for row in asked.rows()))


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("shirts by size", SIZES),
        ("average price by size", SIZES),
        ("shirts by day", DAYS),
        ("share of shirts by day", DAYS),
        ("shirts by day and size", DAYS),
        ("revenue by season", None),
        ("shirts by season", ["winter", "spring", "summer", "autumn"]),
        ("shirts by state", sorted(STATES)),  # words, of which nobody said an order
    ],
)
def test_groups_stand_in_the_order_of_their_values(question: str, values: list[str] | None) -> None:
    if values is not None:
        assert first(ask(world(), question)) == values


def test_groups_are_ranked_by_a_number_that_was_asked_for() -> None:
    wanted = frame().groupby("size").price.mean().sort_values(ascending=False)
    assert first(ask(world(), "average price by size, highest first")) == list(wanted.index)


def test_an_order_that_a_model_declares_is_kept_in_tables_and_pictures() -> None:
    asked = ask(world(ordered=True), "shirts by state")
    assert first(asked) == STATES  # "sent" is not declared: it stands behind what is
    assert asked.spec is not None
    channels = [channel for channel in asked.spec["encoding"].values() if isinstance(channel, dict)]
    assert [channel["sort"] for channel in channels if channel.get("field") == "state" and channel.get("sort")] == [
        STATES
    ]


def test_a_following_turn_keeps_the_order() -> None:
    assert first(ask(world(), "shirts by size", "only on Mondays")) == SIZES
    assert first(ask(world(), "shirts by size", "descending")) == ["M", "XL", "L", "S"]


def test_readings_say_which_comes_first_and_edits_keep_it() -> None:
    with svc.embedded({"shirts": frame()}) as client:
        chat = client.chat()
        answer = chat.ask("shirts by day")
        assert answer.reading is not None and "Mon first" in str(answer.reading)
        assert list(answer.df.iloc[:, 0]) == DAYS
        edited = chat.ask(reading=answer.reading.changed("sort", 0, descending=True))
        assert list(edited.df.iloc[:, 0]) == DAYS[::-1]
        assert "Sun first" in str(edited.reading)


@given(st.lists(st.sampled_from(SIZES), min_size=2, max_size=4, unique=True))
def test_only_a_query_that_counts_off_values_in_their_order_is_sorted_by_them(texts: list[str]) -> None:
    catalog = world().toolbox().catalog
    steps = " ".join(f"WHEN '{text}' THEN {step}" for step, text in enumerate(texts, 1))
    counted = from_sql(
        f'SELECT "size", COUNT(*) AS "n" FROM "shirts" GROUP BY 1 ORDER BY CASE "size" {steps} END', catalog
    )
    plain = from_sql('SELECT "size", COUNT(*) AS "n" FROM "shirts" GROUP BY 1 ORDER BY 1', catalog)
    assert (counted == plain) == (texts == along_scale(texts))


def test_a_picture_of_seasons_stands_as_the_year_has_them() -> None:
    spec = ask(world(), "shirts by season").spec
    assert spec is not None
    assert spec["encoding"]["x"]["sort"] == ["winter", "spring", "summer", "autumn"]
