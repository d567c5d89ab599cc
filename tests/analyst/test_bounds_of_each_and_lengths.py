"""Bounds on the rows of each that is counted in groups; days that rows last are of when they begin; who signed up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

_MEMBERS = pd.DataFrame({
    "member_id": range(1, 9), "member": [f"Member {n}" for n in "ABCDEFGH"], "town": ["Bern"] * 4 + ["Basel"] * 3 + ["Chur"],
    "created_at": pd.to_datetime(["2024-03-01", "2024-04-01", "2024-05-01", "2025-01-03"] * 2),
})  # fmt: skip
_STAYS = pd.DataFrame({
    "stay_id": range(1, 13), "member_id": [1, 1, 1, 2, 2, 2, 3, 5, 5, 5, 6, 8], "reason": ["course", "camp"] * 6,
    "days": [2, 3, 4, 5, 1, 2, 3, 4, 5, 6, 2, 1],
    "asked_on": pd.date_range("2024-11-01", periods=12, freq="6D"), "start_date": pd.date_range("2024-12-01", periods=12, freq="6D"),
})  # fmt: skip
_STAYS["end_date"] = _STAYS.start_date + pd.to_timedelta(_STAYS.days, unit="D")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"members": _MEMBERS, "stays": _STAYS}) as opened:
        yield opened


def _told(client: Any, question: str) -> dict[Any, Any]:
    told = client.chat().ask(question).df
    return dict(zip(told.iloc[:, 0], told.iloc[:, -1], strict=True))


@pytest.mark.parametrize(
    "question",
    ["number of members by town with at least 3 stays", "how many members per town have more than 2 stays"],
)
def test_each_member_has_so_many(client: Any, question: str) -> None:
    often = _STAYS.member_id.value_counts()
    fitting = _MEMBERS[_MEMBERS.member_id.isin(often[often > 2].index)]
    assert _told(client, question) == fitting.town.value_counts().to_dict()


def test_groups_have_bounds_of_their_own(client: Any) -> None:
    assert _told(client, "number of members by town with at least 3 members") == {"Bern": 4, "Basel": 3}
    towns = client.chat().ask("towns with more than 4 stays").df
    assert set(towns.iloc[:, 0]) == {"Bern"}


@pytest.mark.parametrize("question", ["total days in 2025", "total days of stays in 2025"])
def test_days_are_of_when_they_begin(client: Any, question: str) -> None:
    begun = _STAYS[_STAYS.start_date.dt.year == 2025]
    assert client.chat().ask(question).df.iloc[0, 0] == begun.days.sum()


@pytest.mark.parametrize("question", ["how long do stays last", "how long do our stays usually last on average?"])
def test_how_long_they_last_is_no_last_one(client: Any, question: str) -> None:
    assert client.chat().ask(question).df.iloc[0, 0] == pytest.approx(_STAYS.days.mean())


def test_what_was_asked_for_is_of_when_it_was(client: Any) -> None:
    asked = client.chat().ask("how many stays were asked in 2024")
    assert asked.df.iloc[0, 0] == (_STAYS.asked_on.dt.year == 2024).sum()


def test_who_signed_up_was_created(client: Any) -> None:
    assert client.chat().ask("how many members signed up in 2024").df.iloc[0, 0] == 6
    assert client.chat().ask("number of sign-ups in 2025").df.iloc[0, 0] == 2


def test_going_over_a_number_is_no_list_of_it() -> None:
    builds = pd.DataFrame(
        {"build": ["Barn", "Mill", "Pier"], "allowance": [100, 200, 300], "begun": pd.to_datetime(["2025-01-01"] * 3)}
    )
    bills = pd.DataFrame({"bill_id": [1, 2, 3], "build": ["Barn", "Mill", "Pier"], "paid_sum": [150, 120, 310]})
    with svc.embedded({"builds": builds, "bills": bills}) as opened:
        assert opened.chat().ask("which builds went over allowance").result is None
        assert len(opened.chat().ask("which builds have an allowance over 150").df) == 2
