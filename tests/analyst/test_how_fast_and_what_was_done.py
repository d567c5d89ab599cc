"""How fast something is done, and what was done where one value is called so: *replies fastest*, *never checked in*."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

_PATRONS = pd.DataFrame(
    {"patron_id": [1, 2, 3, 4], "patron": ["Alma", "Boris", "Celia", "Dora"], "town": ["Ulm", "Ulm", "Graz", "Graz"]}
)
_SENT = pd.date_range("2025-02-03 08:00", periods=8, freq="9D")
_REQUESTS = pd.DataFrame({
    "request_id": range(1, 9), "patron_id": [1, 2, 3, 1, 2, 3, 1, 2], "topic": ["Fines", "Loans"] * 4,
    "handler": ["Mara Voss", "Nils Berg", "Otto Kern", "Mara Voss"] * 2,
    "opened_at": _SENT, "first_answer_at": _SENT + pd.to_timedelta([2, 4, 8, 2, 6, 10, 12, 4], unit="h"),
    "solved_at": _SENT + pd.to_timedelta([60, 20, 30, 44, 24, 32, 40, 28], unit="h"),
})  # fmt: skip
_VISITS = pd.DataFrame({
    "visit_id": range(1, 8), "patron_id": [1, 1, 1, 2, 2, 3, 3],
    "action": ["checkin", "checkout", "checkin", "checkin", "renewal", "renewal", "checkout"],
    "happened_at": pd.date_range("2025-03-28 10:00", periods=7, freq="1D"),
})  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"patrons": _PATRONS, "requests": _REQUESTS, "visits": _VISITS}) as opened:
        yield opened


def _hours(column: str) -> pd.Series[float]:
    return (_REQUESTS[column] - _REQUESTS.opened_at) / pd.Timedelta(hours=1)


@pytest.mark.parametrize(
    "question",
    [
        "average first answer time",
        "average answer time",
        "how quickly do we answer",
        "how long until we give the first answer",
    ],
)
def test_the_first_answer_is_the_column(client: Any, question: str) -> None:
    assert client.chat().ask(question).df.iloc[0, -1] == pytest.approx(_hours("first_answer_at").mean())


@pytest.mark.parametrize(
    ("question", "column", "first"),
    [
        ("which handler answers fastest", "first_answer_at", True), ("who answers requests slowest", "first_answer_at", False),
        ("which topic gets the best answer time", "first_answer_at", True), ("who solves requests the fastest", "solved_at", True),
    ],
)  # fmt: skip
def test_who_does_it_fastest(client: Any, question: str, column: str, first: bool) -> None:
    by = "topic" if "topic" in question else "handler"
    means = _hours(column).groupby(_REQUESTS[by]).mean()
    assert client.chat().ask(question).df.iloc[0, 0] == (means.idxmin() if first else means.idxmax())


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("which patrons never checked in", {"Celia", "Dora"}), ("which patrons checked in in April 2025", set()),
        ("patrons that have not checked out", {"Boris", "Dora"}), ("which patron checked in the most", {"Alma"}),
        ("which patrons checked out", {"Alma", "Celia"}),
    ],
)  # fmt: skip
def test_what_was_done_is_the_value(client: Any, question: str, names: set[str]) -> None:
    told = client.chat().ask(question).df
    april = _VISITS[(_VISITS.action == "checkin") & (_VISITS.happened_at.dt.month == 4)].patron_id
    expected = names or set(_PATRONS[_PATRONS.patron_id.isin(april)].patron)
    assert set(told.iloc[:, 0] if len(told) else ()) == expected


def test_all_rows_are_counted_where_no_deed_is_said(client: Any) -> None:
    assert "checkin" not in (client.chat().ask("how many visits are there").sql or "")
