"""All of a number over how large its place is, pieces that are no price, lines that are rows, rows whose end has any name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def depots() -> dict[str, pd.DataFrame]:
    """Depots of several towns with their size, what they send of which article, and leaks, some not mended yet."""
    dice = np.random.default_rng(77)
    halls = pd.DataFrame(
        {
            "depot_id": range(1, 9),
            "depot_name": ["Alder", "Brook", "Cairn", "Dunes", "Eyrie", "Fjord", "Glade", "Heath"],
            "town": ["Bergen", "Oslo", "Oslo", "Moss", "Bergen", "Oslo", "Moss", "Bergen"],
            "opened": pd.Timestamp("2012-03-01") + pd.to_timedelta(dice.permutation(4000)[:8], "D"),
            "sqm": dice.integers(400, 3000, 8),
        }
    )
    articles = pd.DataFrame(
        {
            "article_id": range(1, 13),
            "article_name": [f"{one} {two}" for one in ("Oak", "Pine", "Ash") for two in ("desk", "stool", "shelf", "crate")],
            "kind": ["desk", "stool", "shelf", "crate"] * 3,
            "unit_price": np.round(dice.uniform(5, 90, 12), 2),
        }
    )  # fmt: skip
    shipments = pd.DataFrame(
        {
            "shipment_id": range(1, 601),
            "shipped_on": pd.Timestamp("2025-01-01") + pd.to_timedelta(dice.integers(0, 364, 600), "D"),
            "depot_id": dice.integers(1, 9, 600),
            "article_id": dice.integers(1, 13, 600),
            "quantity": dice.integers(1, 15, 600),
            "rebate": np.where(dice.random(600) < 0.3, 2.5, 0.0),
        }
    )
    noticed = pd.Timestamp("2025-01-03") + pd.to_timedelta(dice.integers(0, 300, 120), "D")
    mended = pd.Series(noticed + pd.to_timedelta(dice.integers(1, 20, 120), "D")).where(dice.random(120) < 0.8)
    leaks = pd.DataFrame(
        {
            "leak_id": range(1, 121),
            "depot_id": dice.integers(1, 9, 120),
            "noticed": noticed,
            "mended": mended,
            "gravity": dice.choice(["minor", "major", "severe"], 120),
        }
    )
    return {"depots": halls, "articles": articles, "shipments": shipments, "leaks": leaks}


TABLES = depots()
HALLS, SENT, LEAKS = TABLES["depots"], TABLES["shipments"], TABLES["leaks"]
OPEN = LEAKS[LEAKS.mended.isna()]


@pytest.fixture(scope="module")
def service() -> Iterator[Any]:
    with svc.embedded(depots()) as running:
        yield running


def column(service: Any, question: str, place: int = -1) -> list[Any]:
    answer = service.chat().ask(question)
    assert answer.result is not None, answer.text
    return list(answer.result.to_frame().iloc[:, place])


def by_size(key: str, joined: pd.DataFrame = SENT) -> dict[str, float]:
    """The pieces of each over its square metres, each depot once."""
    pieces = joined.merge(HALLS, on="depot_id").groupby(key).quantity.sum()
    return dict(pieces / HALLS.groupby(key).sqm.sum())


@pytest.mark.parametrize(
    ("question", "key"),
    [("units shipped per square metre by depot", "depot_name"), ("units shipped per sqm by town", "town")],
)
def test_all_of_a_number_is_told_over_the_size_of_each_place_once(service: Any, question: str, key: str) -> None:
    frame = service.chat().ask(question).result.to_frame()
    assert dict(zip(frame.iloc[:, 0], frame.iloc[:, -1], strict=True)) == pytest.approx(by_size(key))


def test_of_one_town_the_size_is_that_towns_alone(service: Any) -> None:
    assert column(service, "quantity per square metre in Oslo") == pytest.approx([by_size("town")["Oslo"]])


def test_rows_are_counted_over_a_size(service: Any) -> None:
    assert column(service, "leaks per sqm") == pytest.approx([len(LEAKS) / HALLS.sqm.sum()])


def test_a_size_is_no_group_of_what_its_places_sent(service: Any) -> None:
    answer = service.chat().ask("units shipped per square metre by kind")
    assert answer.sql is None or '"sqm"' not in answer.sql or "sqm" in answer.text


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("total units shipped in March 2025", SENT[SENT.shipped_on.dt.month == 3].quantity.sum()),
        ("average units per shipment", SENT.quantity.mean()),
    ],
)
def test_units_are_pieces_and_no_unit_price(service: Any, question: str, wanted: float) -> None:
    assert column(service, question) == pytest.approx([wanted])


def test_the_article_with_most_units_is_not_the_dearest(service: Any) -> None:
    most = SENT.merge(TABLES["articles"], on="article_id").groupby("article_name").quantity.sum()
    assert column(service, "which article shipped the most units?", 0) == [most.idxmax()]


def test_unit_prices_are_still_prices(service: Any) -> None:
    frame = service.chat().ask("average unit price by kind").result.to_frame()
    wanted = TABLES["articles"].groupby("kind").unit_price.mean()
    assert dict(zip(frame.iloc[:, 0], frame.iloc[:, -1], strict=True)) == pytest.approx(dict(wanted))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how many leaks are open?", len(OPEN)),
        ("how many severe leaks are still open", int((OPEN.gravity == "severe").sum())),
        ("how many leaks are unresolved", len(OPEN)),
        ("what share of leaks is open?", len(OPEN) / len(LEAKS)),
    ],
)
def test_rows_are_open_until_their_end_whatever_it_is_called(service: Any, question: str, wanted: float) -> None:
    assert column(service, question) == pytest.approx([wanted])


def test_depots_that_opened_are_not_open(service: Any) -> None:
    answer = service.chat().ask("how many depots are open?")
    assert answer.sql is None or "IS NULL" not in answer.sql


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("what's our newest depot", HALLS.loc[HALLS.opened.idxmax(), "depot_name"]),
        ("our oldest depot?", HALLS.loc[HALLS.opened.idxmin(), "depot_name"]),
        ("which depot is the biggest?", HALLS.loc[HALLS.sqm.idxmax(), "depot_name"]),
        ("smallest Bergen depot", HALLS.loc[HALLS[HALLS.town == "Bergen"].sqm.idxmin(), "depot_name"]),
    ],
)
def test_ends_are_of_depots_by_name(service: Any, question: str, wanted: str) -> None:
    assert column(service, question, 0) == [wanted]


def test_the_dearest_of_a_kind_is_told_by_name(service: Any) -> None:
    stools = TABLES["articles"][TABLES["articles"].kind == "stool"]
    frame = service.chat().ask("most expensive stool article").result.to_frame()
    assert list(frame.iloc[0]) == [stools.loc[stools.unit_price.idxmax(), "article_name"], stools.unit_price.max()]


def test_the_lowest_price_of_a_kind_is_a_number(service: Any) -> None:
    wanted = TABLES["articles"].query("kind == 'crate'").unit_price.min()
    assert column(service, "lowest unit price of crate articles") == [wanted]


def test_lines_behind_rows_are_rows(service: Any) -> None:
    assert column(service, "share of shipment lines with a rebate") == pytest.approx([(SENT.rebate > 0).mean()])
    assert column(service, "how many shipment records in June 2025") == [int((SENT.shipped_on.dt.month == 6).sum())]


def test_lines_that_are_drawn_are_no_rows(service: Any) -> None:
    assert len(column(service, "show the shipments of each month as lines")) == 12


@pytest.mark.parametrize(
    ("question", "column_name", "place"),
    [
        ("how many oak desks did Oslo depots ship?", "town", "Oslo"),
        ("how many oak desks did Oslo branches ship in 2025", "town", "Oslo"),
        ("how many oak desks did Alder ship", "depot_name", "Alder"),
    ],
)
def test_pieces_that_a_place_shipped_are_of_that_place(
    service: Any, question: str, column_name: str, place: str
) -> None:
    sent = SENT.merge(HALLS, on="depot_id").merge(TABLES["articles"], on="article_id")
    desks = sent[(sent.article_name == "Oak desk") & (sent[column_name] == place)]
    assert column(service, question) == [desks.quantity.sum()]


def test_depots_that_shipped_something_are_still_depots(service: Any) -> None:
    sent = SENT.merge(TABLES["articles"], on="article_id")
    wanted = sent[sent.article_name == "Oak desk"].depot_id.nunique()
    assert column(service, "how many depots shipped oak desks?") == [wanted]
