"""A large result looked at page by page equals the same rows sorted and filtered by pandas."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from svc_notebook.protocol.tools import Column
from svc_notebook.results.pages import PAGE, Look, Pages
from svc_notebook.results.rows import rows_of_table

COLUMNS = [
    Column("id", "int64"), Column("town", "string", title="Town"), Column("price", "float64"), Column("sold", "boolean"),
]  # fmt: skip
FRAME = pd.DataFrame(
    {
        "id": range(400), "town": [None if n % 9 == 0 else f"Town {n * 7 % 31}" for n in range(400)],
        "price": [None if n % 11 == 0 else round((n * 37 % 101) / 4, 2) for n in range(400)],
        "sold": [n % 3 == 0 for n in range(400)],
    }
)  # fmt: skip


@pytest.fixture
def pages() -> Pages:
    return Pages(COLUMNS, rows_of_table(pa.Table.from_pandas(FRAME)))


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("page", [0, 3, 15])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_sorted_page_is_that_of_the_sorted_rows(pages: Pages, place: int, page: int, up: bool) -> None:
    ordered = FRAME.sort_values(FRAME.columns[place], ascending=up, kind="stable", na_position="last")
    found = pages.page(Look(sort=place, up=up, page=page))
    assert [int(row[0]) for row in found.rows] == list(ordered.id[page * PAGE : (page + 1) * PAGE])
    assert found.found == 400 and found.page == page


@pytest.mark.parametrize("wanted", ["town 1", "3", "9.25", "nowhere"])
def test_what_is_found_is_what_a_cell_holds(pages: Pages, wanted: str) -> None:
    digits = set(wanted) <= set("0123456789.")
    texts = FRAME.town.str.lower().str.contains(wanted, regex=False, na=False).astype(bool)
    numbers = (FRAME.id.astype(str) + " " + FRAME.price.astype(str).fillna("")).str.contains(wanted, regex=False)
    expected = FRAME[texts | numbers if digits else texts]
    pages.page(Look(wanted=wanted[:1]))  # typed letter by letter
    found = pages.page(Look(sort=0, up=False, wanted=wanted))
    assert found.found == len(expected)
    assert [int(row[0]) for row in found.rows] == list(expected.id[::-1][:PAGE])


def test_a_page_beyond_the_last_is_the_last_and_cells_are_as_shown(pages: Pages) -> None:
    found = pages.page(Look(page=999))
    assert found.page == 15 and len(found.rows) == 25
    assert pages.page(Look()).rows[:2] == [["0", None, None, "true"], ["1", "Town 7", "9.25", "false"]]


def test_files_hold_all_that_is_found(pages: Pages) -> None:
    csv = pd.read_csv(io.BytesIO(pages.file(Look(wanted="town 1"), "csv")))
    assert list(csv.columns) == ["id", "Town", "price", "sold"] and csv.Town.str.startswith("Town 1").all()
    whole = pd.read_parquet(io.BytesIO(pages.file(Look(sort=2), "parquet")))
    assert len(whole) == 400 and whole.price.is_monotonic_increasing or whole.price.dropna().is_monotonic_increasing


def test_no_text_of_a_file_is_a_formula_to_a_sheet() -> None:
    texts = ["=1+1", "@x", "+49 30", "-2+3", "-2.5", "a=b", None]
    made = Pages([Column("t", "string")], rows_of_table(pa.table({"t": texts})))
    lines = made.file(Look(), "csv").decode().split()
    assert lines[1:] == ['"\'=1+1"', '"\'@x"', "\"'+49", '30"', '"\'-2+3"', '"-2.5"', '"a=b"']
    assert pd.read_parquet(io.BytesIO(made.file(Look(), "parquet"))).t.dropna().to_list() == texts[:-1]


def test_a_comma_typed_first_leaves_no_number_out(pages: Pages) -> None:
    assert pages.page(Look(wanted=",")).found == 0
    at_once = Pages(COLUMNS, rows_of_table(pa.Table.from_pandas(FRAME)))
    assert pages.page(Look(wanted=",25")).found == at_once.page(Look(wanted=",25")).found > 0


def test_what_a_page_asks_wrongly_is_left_out() -> None:
    assert Look.of({"sort": 9, "page": -3, "wanted": None}, 4) == Look()


LARGE = 60_000
LARGE_COLUMNS = [
    Column("id", "int64"), Column("kind", "string"), Column("price", "float64"), Column("at", "timestamp"),
    Column("sold", "boolean"), Column("note", "string"),
]  # fmt: skip


def large_frame() -> pd.DataFrame:
    random = np.random.default_rng(7)
    price = random.gamma(2, 3, LARGE).round(2)
    price[random.random(LARGE) < 0.1] = np.nan
    kind = np.array(["apple", "Pear", "fig", None], dtype=object)[random.integers(0, 4, LARGE)]
    at = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 10**7, LARGE), unit="s")
    note = [f"aa{n % 211} note {n * 7919 % 60_013}a" for n in range(LARGE)]
    return pd.DataFrame(
        {"id": range(LARGE), "kind": kind, "price": price, "at": at, "sold": random.random(LARGE) < 0.9, "note": note}
    )


@pytest.fixture(scope="module")
def large() -> tuple[pd.DataFrame, Pages]:
    frame = large_frame()
    return frame, Pages(LARGE_COLUMNS, rows_of_table(pa.Table.from_pandas(frame)))


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("place", range(6))
def test_every_page_of_many_rows_is_that_of_the_sorted_rows(large: Any, place: int, up: bool) -> None:
    frame, pages = large
    ordered = frame.sort_values(frame.columns[place], ascending=up, kind="stable", na_position="last").id.to_numpy()
    for page in (0, 1, 17, 161, 700, 1199, 1200, 1500, 2100, 2398, 2399):
        found = [int(row[0].replace(",", "")) for row in pages.page(Look(sort=place, up=up, page=page)).rows]
        assert found == list(ordered[page * PAGE : (page + 1) * PAGE]), page


@pytest.mark.parametrize("wanted", ["a", "aa", "aaa", "aa1", "apple", "9.25", "12", "2024-02", "a9 n", "0a", "zzz"])
def test_what_many_rows_hold_is_found_in_each_of_them(large: Any, wanted: str) -> None:
    frame, pages = large
    texts = [frame.kind.fillna(""), frame.note]
    texts += (
        [frame.id.astype(str), frame.price.astype(str).replace("nan", "")] if set(wanted) <= set("0.123456789") else []
    )
    texts += [frame["at"].astype(str)] if set(wanted) <= set("0123456789.-: ") else []
    expected = pd.concat([text.str.lower().str.contains(wanted, regex=False) for text in texts], axis=1).any(axis=1)
    found = pages.page(Look(wanted=wanted))
    assert found.found == int(expected.sum())
    assert [int(row[0].replace(",", "")) for row in found.rows] == list(frame.id[expected][:PAGE])


def test_a_file_of_many_rows_holds_each_of_them_once(large: Any) -> None:
    frame, pages = large
    twice = pd.concat([frame] * 2, ignore_index=True)  # more than one part of a file
    made = Pages(LARGE_COLUMNS, rows_of_table(pa.Table.from_pandas(twice)))
    for file in (pages.file(Look(sort=0, up=False), "csv"), pages.file(Look(sort=0, up=False), "parquet")):
        read = pd.read_csv(io.BytesIO(file)) if file[:4] != b"PAR1" else pd.read_parquet(io.BytesIO(file))
        assert list(read.id) == list(frame.id[::-1]) and list(read.note) == list(frame.note[::-1])
    read = pd.read_csv(io.BytesIO(made.file(Look(), "csv")))
    assert list(read.note) == list(twice.note) and list(read.id) == list(twice.id)
