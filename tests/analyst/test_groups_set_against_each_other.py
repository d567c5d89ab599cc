"""Groups set against each other, names that several have, clauses that nothing comes of, days of one month."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Yes, outcome_of
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 90


@cache
def tables() -> dict[str, pd.DataFrame]:
    stables = pd.DataFrame(
        {
            "stable_no": range(1, 9),
            "stable_name": ["Oakfield", "Willow", "Oakfield", "Hilltop", "Brook", "Meadow", "Cedar", "Willow"],
            "town": ["Bath", "Bath", "York", "York", "Leeds", "Leeds", "Bath", "York"],
            "time_zone": ["Europe/London"] * 8,
            "shire": ["South", "South", "North", "North", "North", "North", "South", "North"],
        }
    )
    grooms = pd.DataFrame(
        {
            "groom_id": range(1, 25),
            "first_name": [f"G{n % 5}" for n in range(24)],
            "last_name": [f"H{n}" for n in range(24)],
            "stable_no": [1 + n % 7 for n in range(24)],
            "home_county": ["Kent", "Devon", "Fife"] * 8,
            "home_country": ["Wales", "Wales", "England", "Scotland"] * 6,
            "year_of_birth": [1960 + (n * 7) % 40 for n in range(24)],
            "joined_on": pd.Timestamp("2016-01-01") + pd.to_timedelta([n * 80 for n in range(24)], unit="D"),
            "bonus_gbp": [0 if n % 3 else 40 + n for n in range(24)],
        }
    )
    horses = pd.DataFrame(
        {
            "horse_id": range(1, N + 1),
            "sex": ["mare" if n % 3 else "stallion" for n in range(N)],
            "weight_kg": [420 + (n * 37) % 210 for n in range(N)],
            "foaled_on": pd.Timestamp("2009-03-01") + pd.to_timedelta([n * 41 for n in range(N)], unit="D"),
            "stable_no": [1 + (n * n) % 7 for n in range(N)],
        }
    )
    rides = pd.DataFrame(
        {
            "ride_id": range(1, 301),
            "from_stable": [1 + n % 7 for n in range(300)],
            "fee_gbp": [0.0 if n % 9 == 0 else 12.5 + n % 4 for n in range(300)],
            "guided": [n % 5 < 3 for n in range(300)],
            "to_stable": [1 + (n * 3) % 8 if n % 8 != 4 else 2 for n in range(300)],
            "ridden_on": pd.Timestamp("2024-04-01") + pd.to_timedelta([n % 100 for n in range(300)], unit="D"),
        }
    )
    return {"stables": stables, "trainers": grooms, "horses": horses, "rides": rides}


@cache
def world() -> World:
    return World(SemanticLayer(load_model(scaffold_model(tables())), DuckDBEngine.open(None, data=tables())))


def test_the_heavier_of_two_is_told_by_weight_and_not_by_number() -> None:
    mean = tables()["horses"].groupby("sex").weight_kg.mean()
    asked = ask(world(), "are mares heavier than stallions?")
    assert outcome_of(asked, Yes(int(mean.mare > mean.stallion))) == "right"
    assert outcome_of(asked, mean.to_dict()) == "right"


def test_what_has_no_number_is_not_told_by_how_many_there_are() -> None:
    assert outcome_of(ask(world(), "are mares older than stallions?"), 0) in ("refused", "told")


@pytest.mark.parametrize("most", ["which stable has the most horses", "stable with the most horses"])
def test_two_of_one_name_are_two(most: str) -> None:
    counts = tables()["horses"].stable_no.value_counts()
    first = tables()["stables"].set_index("stable_no").stable_name[counts.idxmax()]
    asked = ask(world(), most)
    assert asked.rows()[0][:2] == (first, counts.idxmax()) and asked.rows()[0][-1] == counts.max()


def test_who_works_somewhere_are_people() -> None:
    asked = ask(world(), "who works in Leeds")
    assert "first name" in asked.answer.text.lower().split("2.")[0]


def test_names_are_whole() -> None:
    names = [(row.first_name, row.last_name) for row in tables()["trainers"].itertuples()]
    assert outcome_of(ask(world(), "names of the trainers"), names) == "right"


@pytest.mark.parametrize(
    "days", ["from 3 to 9 May", "between 3 and 9 May", "3-9 May", "from the 3rd to the 9th of May"]
)
def test_the_first_day_is_of_the_month_of_the_second(days: str) -> None:
    when = tables()["rides"].ridden_on
    number = int(((when >= "2024-05-03") & (when < "2024-05-10")).sum())
    assert outcome_of(ask(world(), f"how many rides {days}"), number) == "right"


@pytest.mark.parametrize(
    "question",
    [
        "average bonus of those who get one",
        "which stables have no rides going to them",
        "stables in the Bath shire",
    ],
)
def test_what_would_be_another_question_is_not_answered(question: str) -> None:
    assert outcome_of(ask(world(), question), Near()) in ("refused", "told")


def test_rides_to_a_place_do_not_begin_there() -> None:
    there = tables()["rides"].merge(tables()["stables"], left_on="to_stable", right_on="stable_no")
    asked = ask(world(), "how many rides went to stables in the north")
    assert outcome_of(asked, int((there.shire == "North").sum())) in ("right", "refused"), asked.answer.text


def test_what_costs_nothing_is_free() -> None:
    rides = tables()["rides"]
    free = int((rides.fee_gbp == 0).sum())
    assert outcome_of(ask(world(), "how many rides were free of charge"), free) == "right"
    assert outcome_of(ask(world(), "how many free rides were there"), free) == "right"


@pytest.mark.parametrize(("said", "more"), [("with a bonus", True), ("without a bonus", False)])
def test_an_amount_is_there_or_not(said: str, more: bool) -> None:
    bonus = tables()["trainers"].bonus_gbp
    assert (
        outcome_of(ask(world(), f"how many trainers {said}"), int((bonus > 0 if more else bonus == 0).sum())) == "right"
    )


def test_the_youngest_is_who_was_born_last() -> None:
    trainers = tables()["trainers"]
    last = trainers[trainers.year_of_birth == trainers.year_of_birth.max()].last_name
    assert any(name in str(ask(world(), "youngest trainer").rows()) for name in last)


def test_the_weakest_month_has_the_fewest() -> None:
    rides = tables()["rides"]
    months = rides.ridden_on.dt.to_period("M").dt.to_timestamp()
    asked = ask(world(), "weakest month in terms of number of rides")
    assert outcome_of(asked, rides.groupby(months).ride_id.count().idxmin()) == "right"


def test_no_row_is_both_so_and_not_so() -> None:
    rides = tables()["rides"]
    both = {flag: group.fee_gbp.mean() for flag, group in rides.groupby("guided")}
    assert outcome_of(ask(world(), "average fee for guided and not guided rides"), both) == "right"


@pytest.mark.parametrize("question", ["where do our trainers come from", "where are the trainers from?"])
def test_where_somebody_is_from_is_their_country(question: str) -> None:
    wanted = tables()["trainers"].home_country.value_counts().to_dict()
    assert outcome_of(ask(world(), question), wanted) == "right"


def test_how_much_was_taken_so_far_is_a_sum() -> None:
    asked = ask(world(), "how much fee did we take in 2024 so far")
    assert outcome_of(asked, tables()["rides"].fee_gbp.sum()) == "right"


def test_a_word_more_may_make_another_number_of_it() -> None:
    plays = pd.DataFrame(
        {"play_id": range(1, 13), "title": [f"P{n}" for n in range(12)], "age_rating": [6, 12, 16] * 4}
    )
    votes = pd.DataFrame({"vote_id": range(1, 73), "play_id": [1 + n % 12 for n in range(72)]})
    votes["rating"] = [1 + (n * n) % 9 for n in range(72)]
    data = {"plays": plays, "votes": votes}
    theatre = World(SemanticLayer(load_model(scaffold_model(data)), DuckDBEngine.open(None, data=data)))
    mean = votes.merge(plays, on="play_id").groupby("title").rating.mean()
    assert outcome_of(ask(theatre, "best rated play"), Near(*mean[mean == mean.max()].index)) == "right"
