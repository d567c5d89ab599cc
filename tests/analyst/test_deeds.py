"""What was done at a time is no status that is called alike, and rows of somebody are not that somebody."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

FIRMS = pd.DataFrame({
    "firm_id": [1, 2, 3, 4],
    "firm": ["Alder", "Beech", "Cypress", "Date"],
    "sector": ["retail", "retail", "farming", "farming"],
    "workers": [10, 40, 25, 5],
})  # fmt: skip
CLAIMS = pd.DataFrame({
    "claim_id": range(1, 61),
    "firm_id": [1, 2, 3, 4, 1, 2] * 10,
    "opened_on": pd.date_range("2023-01-02", periods=60, freq="9D"),
    "settled_on": pd.date_range("2023-02-20", periods=60, freq="9D"),
    "status": ["open", "settled", "settled"] * 20,
    "score": [1, 2, 3, 4, 5] * 12,
})  # fmt: skip
CLAIMS.loc[CLAIMS.status == "open", "settled_on"] = pd.NaT
KNOWN = CLAIMS.merge(FIRMS)


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded(data={"firms": FIRMS, "claims": CLAIMS}) as opened:
        yield opened


def last(client: svc.Client, question: str) -> list[float]:
    answer = client.chat().ask(question)
    assert answer.df is not None, answer.text
    return [float(number) for number in answer.df.iloc[:, -1]]


@pytest.mark.parametrize(
    "question", ["how many claims were opened in 2023", "claims opened in 2023", "number of claims opened during 2023"]
)
def test_what_was_done_at_a_time_is_no_status(client: svc.Client, question: str) -> None:
    assert last(client, question) == [(CLAIMS.opened_on.dt.year == 2023).sum()]


@pytest.mark.parametrize("question", ["how many claims were settled in 2023", "claims settled in 2023"])
def test_a_time_right_behind_says_when_it_was_done(client: svc.Client, question: str) -> None:
    assert last(client, question) == [(CLAIMS.settled_on.dt.year == 2023).sum()]


@pytest.mark.parametrize(
    ("question", "status"), [("how many open claims", "open"), ("how many claims are settled", "settled")]
)
def test_a_status_stays_one(client: svc.Client, question: str, status: str) -> None:
    assert last(client, question) == [(CLAIMS.status == status).sum()]


@pytest.mark.parametrize("words", ["from retail firms", "of retail firms", "for retail firms"])
def test_rows_of_somebody_are_counted(client: svc.Client, words: str) -> None:
    own = KNOWN[(KNOWN.sector == "retail") & (KNOWN.opened_on.dt.year == 2023)]
    assert last(client, f"claims {words} in 2023") == [len(own)]


@pytest.mark.parametrize("question", ["score in 2023 vs 2024", "did the score improve from 2023 to 2024"])
def test_a_mark_is_averaged_where_periods_are_compared(client: svc.Client, question: str) -> None:
    expected = CLAIMS.groupby(CLAIMS.opened_on.dt.year).score.mean()
    rows = client.chat().ask(question).result.rows
    assert [row[1] for row in rows] == pytest.approx(list(expected))


def test_per_worker_is_no_average_of_workers(client: svc.Client) -> None:
    assert client.chat().ask("claims per worker by sector").outcome != "complete"


def test_an_hour_is_no_wage_and_a_rate_no_count() -> None:
    shifts = pd.DataFrame({
        "began_at": pd.date_range("2024-01-01", periods=50, freq="5h"),
        "hourly_wage": [12.5, 15.0, 18.0, 22.5, 30.0] * 10,
        "crew": ["red", "blue"] * 25,
        "attended": [True, True, False, True, True] * 10,
    })  # fmt: skip
    with svc.embedded(data={"shifts": shifts}) as client:
        assert "wage" not in client.chat().ask("busiest hour").text
        rated = client.chat().ask("no-show rate by crew").df  # a share, or nothing: never how many
        assert rated is None or all(0 <= float(number) <= 1 for number in rated.iloc[:, -1])


@pytest.mark.parametrize("question", ["average days from opened to settled", "how long do claims take on average"])
def test_rows_that_have_not_ended_are_told(client: svc.Client, question: str) -> None:
    assert "Rows without settled on (20 of 60) are left out" in client.chat().ask(question).text


@pytest.mark.parametrize(
    "question", ["most popular sector", "busiest sector", "what is the most popular sector in 2023"]
)
def test_what_is_popular_is_what_much_happens_to(client: svc.Client, question: str) -> None:
    own = KNOWN[KNOWN.opened_on.dt.year == 2023] if "2023" in question else KNOWN
    answer = client.chat().ask(question)
    assert answer.df is not None
    assert tuple(answer.df.iloc[0]) == ("retail", (own.sector == "retail").sum())


@pytest.mark.parametrize("question", ["claims that are still around", "value of claims by sector"])
def test_rows_are_not_counted_where_more_was_asked(client: svc.Client, question: str) -> None:
    assert client.chat().ask(question).outcome != "complete"
