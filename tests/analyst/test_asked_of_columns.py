"""What columns of one table did, never did, begin with and are ranked by; answers in pandas and in plain SQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest
from test_demo_questions import plain

import svc_notebook as svc


def parcels() -> pd.DataFrame:
    """Parcels that couriers brought from depots, two of which are called alike."""
    dice, count = np.random.default_rng(7), 900
    depot = dice.choice(["Chicago North", "Chicago South", "Boston East", "Austin"], count, p=[0.4, 0.3, 0.2, 0.1])
    courier = dice.choice(["Swift", "Rapid", "Turtle", "Comet"], count)
    courier = np.where((depot == "Austin") & np.isin(courier, ["Turtle", "Comet"]), "Swift", courier)
    return pd.DataFrame({
        "parcel_id": range(1, count + 1), "courier": courier, "depot": depot,
        "depot_time_zone": np.where(depot == "Boston East", "America/New_York", "America/Chicago"),
        "sent_at": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 366 * 24, count), unit="h"),
        "amount": np.round(dice.gamma(2, 20, count), 2), "damaged": dice.random(count) < 0.1,
        "status": dice.choice(["delivered", "lost"], count, p=[0.9, 0.1]),
        "locker_code": np.where(dice.random(count) < 0.15, None, "L" + pd.Series(dice.integers(1, 30, count)).astype(str)),
    })  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"parcels": parcels()}) as opened:
        yield opened


def rows(client: Any, question: str) -> list[list[Any]]:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    frame = answer.result.load_all()
    return [[_plain(v) for v in row] for row in frame.itertuples(index=False)]


def _plain(value: Any) -> Any:
    if isinstance(value, date):  # a timestamp is one
        return value.isoformat()[:10]
    return (
        round(float(value), 4) if isinstance(value, int | float | np.number) and not isinstance(value, bool) else value
    )


@pytest.mark.parametrize(
    ("question", "denied"),
    [("which couriers never brought parcels from Austin", lambda p: p.depot == "Austin"),
     ("which couriers have no parcels from Austin", lambda p: p.depot == "Austin"),
     ("which couriers did not bring anything from Austin in March 2024",
      lambda p: (p.depot == "Austin") & (p.sent_at.dt.to_period("M") == "2024-03")),
     ("which depots never sent with Turtle", lambda p: p.courier == "Turtle")],
)  # fmt: skip
def test_who_never_did_is_not_who_also_did_otherwise(client: Any, question: str, denied: Any) -> None:
    known = parcels()
    column = "depot" if "depots" in question else "courier"
    wanted = sorted(set(known[column]) - set(known[denied(known)][column]))
    assert sorted(row[0] for row in rows(client, question)) == wanted


@pytest.mark.parametrize("question", ["how many couriers never brought parcels from Austin"])
def test_how_many_never_did_is_no_number_of_those_that_did_otherwise(client: Any, question: str) -> None:
    answer = client.chat().ask(question)
    assert answer.result is None or len(answer.result) == 2, answer.text


@pytest.mark.parametrize(
    ("question", "chosen"),
    [("how many parcels came from Chicago", lambda p: p.depot.str.startswith("Chicago")),
     ("parcels not from Chicago, how many", lambda p: ~p.depot.str.startswith("Chicago"))],
)  # fmt: skip
def test_a_word_that_two_values_begin_with_means_both_and_no_time_zone(client: Any, question: str, chosen: Any) -> None:
    known = parcels()
    assert rows(client, question) == [[float(chosen(known).sum())]]


def test_a_column_called_amount_is_no_word_for_how_many(client: Any) -> None:
    known = parcels()
    wanted = round(float(known[known.courier == "Comet"].amount.sum()), 4)
    assert rows(client, "total amount of Comet") == [[wanted]]


@pytest.mark.parametrize(
    ("question", "base", "part"),
    [("what proportion of Comet's parcels were damaged", lambda p: p.courier == "Comet", lambda p: p.damaged),
     ("what share of Swift's parcels come from Austin", lambda p: p.courier == "Swift", lambda p: p.depot == "Austin"),
     ("what proportion of parcels from Austin was lost", lambda p: p.depot == "Austin", lambda p: p.status == "lost")],
)  # fmt: skip
def test_a_proportion_is_of_those_it_is_asked_of(client: Any, question: str, base: Any, part: Any) -> None:
    known = parcels()
    among = known[base(known)]
    assert rows(client, question) == [[round(float(part(among).mean()), 4)]]


@pytest.mark.parametrize(
    ("question", "ascending"),
    [("rank the couriers by average amount", False), ("rank couriers by average amount, lowest first", True)],
)
def test_a_ranking_is_a_list_by_what_it_is_ranked_by(client: Any, question: str, ascending: bool) -> None:
    known = parcels().groupby("courier").amount.mean().sort_values(ascending=ascending)
    assert [row[0] for row in rows(client, question)] == list(known.index)


def test_top_days_are_days_also_where_a_time_is_called_so(client: Any) -> None:
    known = parcels()
    days = known.groupby(known.sent_at.dt.date).size().nlargest(3)
    found = rows(client, "top 3 days by number of parcels")
    assert [row[1] for row in found] == [float(n) for n in days]


def test_at_least_so_many_rows_is_no_bound_of_the_average(client: Any) -> None:
    known = parcels().groupby("depot").amount.agg(["mean", "size"])
    wanted = known[known["size"] >= 150]["mean"].idxmax()
    assert rows(client, "which depot has the highest average amount with at least 150 parcels")[0][0] == wanted


def test_what_is_missing_is_the_name_behind_and_no_number_before(client: Any) -> None:
    assert rows(client, "number of parcels with a missing locker code") == [[float(parcels().locker_code.isna().sum())]]


def test_the_plural_of_another_word_is_no_slip_of_a_column(client: Any) -> None:
    answer = client.chat().ask("which states do we deliver to")
    assert answer.result is None or "status" not in answer.result.columns, answer.text


@pytest.mark.parametrize(
    ("question", "test"),
    [("on how many days were more than 4 parcels sent", lambda n: n > 4),
     ("which days had at least 7 parcels", lambda n: n >= 7), ("how many days had fewer than 2 parcels", lambda n: n < 2)],
)  # fmt: skip
def test_days_that_had_so_many_are_days_and_their_number_is_told(client: Any, question: str, test: Any) -> None:
    known = parcels()
    days = known.groupby(known.sent_at.dt.date).size()
    wanted = sorted(day.isoformat() for day in days[test(days)].index)
    assert sorted(row[0] for row in rows(client, question)) == wanted


def test_how_many_couriers_brought_so_many(client: Any) -> None:
    known = parcels().groupby("courier").size()
    assert sorted(r[0] for r in rows(client, "how many couriers have more than 200 parcels")) == sorted(
        known[known > 200].index
    )


@pytest.mark.parametrize("question", ["which weeks had no damaged parcels", "was there a week without damaged parcels"])
def test_a_week_without_any_is_no_week_with_others(client: Any, question: str) -> None:
    known = parcels()
    damaged = known.groupby(known.sent_at.dt.to_period("W").dt.start_time.dt.date).damaged.sum()
    wanted = sorted(week.isoformat() for week in damaged[damaged == 0].index)
    assert sorted(row[0] for row in rows(client, question)) == wanted


@pytest.fixture(scope="module")
def demo() -> Iterator[Any]:
    with svc.demo() as opened:
        yield opened


JUNE = "scheduled_departure >= '2013-06-01' AND scheduled_departure < '2013-07-01'"


@pytest.mark.parametrize(
    ("question", "sql"),
    [("which carriers never fly from JFK",
      "SELECT carrier FROM flights GROUP BY 1 HAVING count(*) FILTER (origin = 'JFK') = 0 ORDER BY 1"),
     ("how many flights to Chicago in June",
      f"SELECT count(*) FROM flights JOIN airports a ON a.airport = destination WHERE a.name LIKE 'Chicago%' AND {JUNE}"),
     ("what proportion of Delta's flights go to Atlanta",
      "SELECT round(avg((destination = 'ATL')::INT), 4) FROM flights WHERE carrier = 'DL'"),
     ("number of flights with a missing tail number", "SELECT count(*) FROM flights WHERE tail_number IS NULL"),
     ("on how many days were more than 100 flights cancelled",
      "SELECT scheduled_departure::DATE FROM flights GROUP BY 1 HAVING count(*) FILTER (departure_delay IS NULL) > 100 ORDER BY 1"),
     ("which weeks had no cancelled flights",
      "SELECT date_trunc('week', scheduled_departure) FROM flights GROUP BY 1 HAVING count(*) FILTER (departure_delay IS NULL) = 0"),
     ("was there a day without cancellations",
      "SELECT scheduled_departure::DATE FROM flights GROUP BY 1 HAVING count(*) FILTER (departure_delay IS NULL) = 0 ORDER BY 1"),
     ("how many flights on weekends vs weekdays",
      "SELECT CASE WHEN isodow(scheduled_departure) > 5 THEN 'weekend' ELSE 'weekday' END, count(*) FROM flights GROUP BY 1 ORDER BY 1")],
)  # fmt: skip
def test_over_the_flights(demo: Any, question: str, sql: str) -> None:
    assert rows(demo, question) == [[_plain(value) for value in row] for row in plain(sql)]


@pytest.mark.parametrize(
    ("question", "never"),
    [("fastest flight to Los Angeles", "wind_speed"), ("average speed by aircraft type", "wind_speed")],
)
def test_a_flights_speed_is_not_the_winds(demo: Any, question: str, never: str) -> None:
    answer = demo.chat().ask(question)
    assert never not in (answer.sql or ""), answer.text


def test_what_a_plane_is_called_by_is_its_own(demo: Any) -> None:
    chat = demo.chat()
    chat.ask("planes used by manufacturer")
    answer = chat.ask("only those built after 2000")
    assert "not what you ask about" not in answer.text, answer.text


def test_the_fastest_takes_the_least_time_and_leaves_at_any_hour(demo: Any) -> None:
    wanted = plain("SELECT min(air_time) FROM flights WHERE destination = 'LAX'")[0][0]
    assert rows(demo, "fastest flight to Los Angeles")[0][1] == float(wanted)


def test_the_more_punctual_has_less_of_a_delay(demo: Any) -> None:
    answer = demo.chat().ask("is Delta more punctual than JetBlue?")
    delays = dict(answer.df.itertuples(index=False))
    assert delays["Delta Air Lines Inc."] < delays["JetBlue Airways"]
    assert answer.text.startswith("**Yes**")


@pytest.mark.parametrize("question", ["which month had the worst weather", "which airline has the worst flights"])
def test_the_worst_is_not_where_there_is_least_of_it(demo: Any, question: str) -> None:
    answer = demo.chat().ask(question)
    assert "COUNT(*)" not in (answer.sql or "") and "count" not in (answer.sql or ""), answer.text
