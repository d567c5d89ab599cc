"""Sums that are asked for without their name; answers are pandas'."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc

Frames = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def frames() -> Frames:
    dice = np.random.default_rng(5)
    shows = pd.DataFrame(
        {"show_id": [1, 2, 3], "title": ["Night Desk", "Green Pod", "Deep Code"], "genre": ["news", "nature", "tech"]}
    )
    day = pd.Timestamp("2022-01-01")
    episodes = pd.DataFrame({
        "episode_id": range(1, 91), "show_id": dice.integers(1, 4, 90),
        "published_at": day + pd.to_timedelta(dice.integers(0, 700, 90), unit="D"),
        "duration_min": dice.permutation(90) + 15, "downloads": dice.permutation(9000)[:90],
    })  # fmt: skip
    paid = day + pd.to_timedelta(dice.integers(0, 700, 80), unit="D")
    ads = pd.DataFrame({
        "ad_id": range(1, 81), "episode_id": dice.integers(1, 91, 80),
        "sponsor": dice.choice(["Brightly", "VPNow", "Mattress King"], 80), "fee_usd": dice.gamma(3, 120, 80).round(2),
        "paid_on": paid.where(dice.random(80) > 0.2),
    })  # fmt: skip
    hosts = pd.DataFrame({
        "host_id": [1, 2, 3, 4], "name": ["Ada Kern", "Ben Ott", "Cleo Ruiz", "Hana Pohl"],
        "joined_on": pd.to_datetime(["2019-01-05", "2020-03-01", "2021-06-10", "2023-05-05"]),
    })  # fmt: skip
    shows["host_id"] = [1, 2, 2]
    return {"hosts": hosts, "shows": shows, "episodes": episodes, "ads": ads}


@pytest.fixture(scope="module")
def client(frames: Frames) -> Iterator[Any]:
    with svc.embedded(frames) as client:
        yield client


def _fee(t: Frames) -> float:
    return float(t["ads"][t["ads"].sponsor == "VPNow"].fee_usd.sum())


def _paid(t: Frames) -> float:
    """What is charged and not paid yet is not counted."""
    ads = t["ads"][t["ads"].paid_on.notna()]
    return float(ads[ads.sponsor == "VPNow"].fee_usd.sum())


def _payer(t: Frames) -> str:
    ads = t["ads"][t["ads"].paid_on.notna()]
    return str(ads.groupby("sponsor").fee_usd.sum().idxmax())


def _most(t: Frames) -> str:
    return str(t["ads"].groupby("sponsor").fee_usd.sum().idxmax())


def _least(t: Frames) -> str:
    return str(t["ads"].groupby("sponsor").fee_usd.sum().idxmin())


def _downloads(t: Frames) -> float:
    return float(t["episodes"][t["episodes"].show_id == 2].downloads.sum())


def _minutes(t: Frames) -> float:
    return float(t["episodes"][t["episodes"].show_id == 2].duration_min.sum())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how much did VPNow pay", _paid),
        ("how much did VPNow pay in total", _paid),
        ("how much has VPNow paid?", _paid),
        ("which sponsor paid the most", _payer),
        ("which sponsor spent the least", _least),
        ("how many downloads did Green Pod get", _downloads),
        ("how many downloads has Green Pod received", _downloads),
        ("total minutes of nature episodes", _minutes),
        ("how many minutes did we publish", lambda t: float(t["episodes"].duration_min.sum())),
        (
            "average minutes of nature episodes",
            lambda t: float(t["episodes"][t["episodes"].show_id == 2].duration_min.mean()),
        ),
        ("how many ads were paid", lambda t: float(t["ads"].paid_on.notna().sum())),
        ("episodes longer than 60 minutes", lambda t: float((t["episodes"].duration_min > 60).sum())),
    ],
)
def test_a_sum_without_its_name(client: Any, frames: Frames, question: str, expected: Callable[[Frames], Any]) -> None:
    answer = client.chat().ask(question)
    assert answer.df is not None, answer.text
    found, wanted = answer.df.to_numpy().ravel().tolist(), expected(frames)
    if isinstance(wanted, str):
        assert wanted in found, answer.text
    else:
        assert float(found[0]) == pytest.approx(wanted), answer.text


def test_who_did_it_last_is_ranked_by_when_it_was_done(client: Any) -> None:
    answer = client.chat().ask("who joined last")
    assert "Hana Pohl" in answer.df.to_numpy().ravel().tolist(), answer.text


def test_an_average_per_row_by_a_group_is_that_of_the_group(client: Any, frames: Frames) -> None:
    answer = client.chat().ask("average downloads per episode by host")
    joined = frames["episodes"].merge(frames["shows"]).merge(frames["hosts"], on="host_id")
    expected = joined.groupby("name").downloads.mean()
    found = {name: float(value) for name, value in answer.df.iloc[:, :2].itertuples(index=False)}
    assert found == pytest.approx(expected.to_dict()), answer.text


def test_a_moment_alone_is_told(client: Any, frames: Frames) -> None:
    answer = client.chat().ask("when was the last episode published")
    assert answer.outcome == "complete", answer.text
    assert pd.Timestamp(answer.df.to_numpy().ravel()[-1]) == frames["episodes"].published_at.max()
