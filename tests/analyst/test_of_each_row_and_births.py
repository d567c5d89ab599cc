"""What each row of a kind comes to is summed over the rows; a month behind all births is that month of any year."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

_PLAYERS = pd.DataFrame({
    "player_id": range(1, 7), "name": [f"Player {n}" for n in "ABCDEF"], "squad": ["Blue"] * 3 + ["Red"] * 3,
    "birth_date": pd.to_datetime([
        "1999-05-03", "2001-05-20", "1988-11-02", "2003-01-30", "1990-02-11", "2004-11-30",
    ]),
})  # fmt: skip
_DRILLS = pd.DataFrame(
    {"drill_id": [1, 2, 3], "drill": ["Sprint", "Yoga", "Passing"], "minutes": [30, 60, 45], "fee": [5, 8, 3]}
)
_SESSIONS = pd.DataFrame({
    "session_id": range(1, 9), "player_id": [1, 1, 2, 3, 4, 4, 5, 6], "drill_id": [1, 1, 2, 3, 2, 2, 2, 1],
    "held_on": pd.date_range("2025-01-05", periods=8, freq="20D"),
})  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"players": _PLAYERS, "drills": _DRILLS, "sessions": _SESSIONS}) as opened:
        yield opened


def _all() -> pd.DataFrame:
    return _SESSIONS.merge(_DRILLS, on="drill_id").merge(_PLAYERS, on="player_id")


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("total session minutes by squad", "minutes"),
        ("total fee of sessions by squad", "fee"),
        ("session fee per squad", "fee"),
    ],
)
def test_each_row_has_its_own(client: Any, question: str, column: str) -> None:
    told = client.chat().ask(question).df
    assert dict(zip(told.iloc[:, 0], told.iloc[:, -1], strict=True)) == _all().groupby("squad")[column].sum().to_dict()


def test_what_all_of_them_came_to(client: Any) -> None:
    told = client.chat().ask("how much did the sessions in March 2025 cost").df
    march = _all()[lambda t: t.held_on.dt.month == 3]
    assert told.iloc[0, -1] == march.fee.sum()


def test_kinds_alone_are_summed_once(client: Any) -> None:
    assert client.chat().ask("total fee of all drills").df.iloc[0, 0] == _DRILLS.fee.sum()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("who was born in November", {"Player C", "Player F"}), ("which players have a birthday in May", {"Player A", "Player B"}),
        ("who was born in May 2001", {"Player B"}), ("who was born in 1990", {"Player E"}),
    ],
)  # fmt: skip
def test_births_come_round_each_year(client: Any, question: str, names: set[str]) -> None:
    assert set(client.chat().ask(question).df.iloc[:, 0]) == names


def test_other_times_do_not(client: Any) -> None:
    assert "EXTRACT" not in (client.chat().ask("sessions held in December").sql or "")
