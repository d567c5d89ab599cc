"""Two slices of rows set against each other: as averages of what a comparative measures, of each row of either."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Pct, Yes, outcome_of
from worlds import World, flights

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 420


@cache
def parcels() -> dict[str, pd.DataFrame]:
    draw = np.random.default_rng(7)
    couriers = pd.DataFrame(
        {
            "courier_id": range(1, 9),
            "courier_name": ["Ada", "Bo", "Cem", "Dora", "Eli", "Fay", "Gus", "Hana"],
            "contract": ["employed", "agency"] * 4,
        }
    )
    sent = pd.Timestamp("2024-01-01") + pd.to_timedelta(draw.integers(0, 24 * 300, N), unit="h")
    weight = draw.gamma(3, 2, N).round(2)
    parcels = pd.DataFrame(
        {
            "parcel_no": range(1, N + 1),
            "courier_id": draw.integers(1, 9, N),
            "sent_at": sent,
            "delivered_at": sent + pd.to_timedelta(draw.integers(3, 90, N), unit="h"),
            "weight_kg": weight,
            "postage_eur": (3 + weight * 0.9 + draw.normal(0, 1, N)).round(2),
            "insured": draw.random(N) < 0.3,
            "zone": draw.choice(["North", "South", "Islands"], N),
            "status": draw.choice(["delivered", "returned"], N, p=[0.8, 0.2]),
            "rating": draw.integers(1, 6, N),
        }
    )
    return {"couriers": couriers, "parcels": parcels}


@cache
def kilns() -> dict[str, pd.DataFrame]:
    draw = np.random.default_rng(3)
    count = 260
    return {
        "firings": pd.DataFrame(
            {
                "firing_no": range(1, count + 1),
                "fired_at": pd.Timestamp("2023-02-01") + pd.to_timedelta(draw.integers(0, 24 * 400, count), unit="h"),
                "kiln": draw.choice(["gas", "electric", "wood"], count),
                "depth_cm": draw.integers(20, 90, count),
                "duration_min": draw.integers(300, 900, count),
                "delay_min": draw.integers(0, 60, count),
                "cracked": draw.random(count) < 0.2,
            }
        )
    }


@cache
def world(tables: str) -> World:
    held = parcels() if tables == "parcels" else kilns()
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def shown(tables: str, question: str, wanted: object) -> None:
    assert outcome_of(ask(world(tables), question), wanted) == "right"


def means(of: str, by: pd.Series) -> list[float]:
    return sorted(parcels()["parcels"].groupby(by)[of].mean())


def both(tables: str, question: str) -> list[float]:
    rows = ask(world(tables), question).rows()
    assert len(rows) == 2
    return sorted(float(row[1]) for row in rows)


@pytest.mark.parametrize(
    "question",
    [
        "are parcels to the islands heavier than parcels to the north",
        "are islands parcels heavier than north ones",
        "which is heavier, islands or north",
    ],
)
def test_what_is_heavier_is_so_on_average(question: str) -> None:
    mean = parcels()["parcels"].groupby("zone").weight_kg.mean()
    shown("parcels", question, Near({zone: mean[zone] for zone in ("Islands", "North")}))


@pytest.mark.parametrize(
    "question",
    [
        "is the average postage higher for the islands or for the north",
        "by how much is the average postage for the islands higher than for the north",
        "how much higher is the average postage for the islands than for the north?",
        "by how many euros is the average postage higher for the islands than for the north",
        "average postage, islands vs north",
    ],
)
def test_two_that_are_named_are_never_one_number(question: str) -> None:
    mean = parcels()["parcels"].groupby("zone").postage_eur.mean()
    shown("parcels", question, Near({zone: mean[zone] for zone in ("Islands", "North")}))


def test_what_is_said_before_a_comma_is_said_of_both() -> None:
    known = parcels()["parcels"]
    mean = known[known.insured].groupby("zone").postage_eur.mean()
    question = "average postage of insured parcels, islands vs north"
    shown("parcels", question, Near({zone: mean[zone] for zone in ("Islands", "North")}))


def test_halves_of_a_year_are_told_apart() -> None:
    known = parcels()["parcels"]
    half = known.groupby(known.sent_at.dt.month <= 6).weight_kg.mean()
    told = both("parcels", "compare the average weight of parcels sent in the first half and the second half of 2024")
    assert told == pytest.approx(sorted(half))


@pytest.mark.parametrize(
    "question",
    ["are insured parcels heavier than uninsured ones", "are parcels that are insured heavier than the rest"],
)
def test_a_flag_is_set_against_its_denial(question: str) -> None:
    assert both("parcels", question) == pytest.approx(means("weight_kg", parcels()["parcels"].insured))
    told = ask(world("parcels"), question)
    mean = parcels()["parcels"].groupby("insured").weight_kg.mean()
    assert outcome_of(told, Yes(int(mean[True] > mean[False]))) == "right"


@pytest.mark.parametrize("rest", ["the rest", "everyone else", "the others", "all other zones", "everywhere else"])
def test_the_rest_is_all_that_is_not_of_the_first(rest: str) -> None:
    zone = parcels()["parcels"].zone == "Islands"
    assert both("parcels", f"is islands rated worse than {rest}") == pytest.approx(means("rating", zone))


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("are firings deeper at night", True),
        ("are firings deeper at night than during the day", True),
        ("are firings deeper during the day than at night", False),
    ],
)
def test_a_part_of_the_day_is_set_against_the_rest_of_it(question: str, is_so: bool) -> None:
    firings = kilns()["firings"]
    night = firings.fired_at.dt.hour.isin([22, 23, 0, 1, 2, 3, 4, 5])
    mean = firings.groupby(night).depth_cm.mean()
    assert both("kilns", question) == pytest.approx(sorted(mean))
    claimed = (mean[True] > mean[False]) == is_so
    assert outcome_of(ask(world("kilns"), question), Yes(int(claimed))) == "right"


@pytest.mark.parametrize(
    "question",
    [
        "are delays worse at the weekend",
        "weekdays vs weekends: are delays worse at the weekend",
        "is the delay higher on weekends than on weekdays",
    ],
)
def test_the_weekend_is_what_is_claimed_of(question: str) -> None:
    firings = kilns()["firings"]
    mean = firings.groupby(firings.fired_at.dt.day_of_week >= 5).delay_min.mean()
    assert both("kilns", question) == pytest.approx(sorted(mean))
    assert outcome_of(ask(world("kilns"), question), Yes(int(mean[True] > mean[False]))) == "right"


@pytest.mark.parametrize(
    "question",
    [
        "are islands parcels returned more often than north ones",
        "are parcels to the islands more often returned than parcels to the north",
    ],
)
def test_how_often_something_is_so_is_a_share_of_the_rows(question: str) -> None:
    sent = parcels()["parcels"]
    share = (sent.status == "returned").groupby(sent.zone).mean()
    rows = ask(world("parcels"), question)
    assert outcome_of(rows, {zone: Pct(share[zone]) for zone in ("Islands", "North")}) != "silently wrong"
    if rows.table is not None:
        assert both("parcels", question) == pytest.approx(sorted(share[["Islands", "North"]]))


@pytest.mark.parametrize(
    "question",
    [
        "do agency couriers bring heavier parcels than employed ones",
        "are parcels of agency couriers heavier than employed ones",
    ],
)
def test_slices_go_by_what_rows_refer_to(question: str) -> None:
    joined = parcels()["parcels"].merge(parcels()["couriers"])
    asked = ask(world("parcels"), question)
    assert outcome_of(asked, joined.groupby("contract").weight_kg.mean().to_dict()) == "right"


def test_a_busy_day_of_the_week_is_so_for_its_own_number() -> None:
    firings = kilns()["firings"]
    monday = firings.fired_at.dt.day_of_week == 0
    days = firings.fired_at.dt.date
    each = [float(of.sum() / days[of].nunique()) for of in (monday, ~monday)]
    question = "is it busier on mondays than the rest of the week"
    assert both("kilns", question) == pytest.approx(sorted(each))
    assert outcome_of(ask(world("kilns"), question), Yes(int(each[0] > each[1]))) == "right"


def test_a_weekend_is_busy_by_its_days_and_not_by_how_many_these_are() -> None:
    firings = kilns()["firings"]
    days = pd.date_range(firings.fired_at.min().normalize(), firings.fired_at.max().normalize())
    weekend = firings.fired_at.dt.day_of_week >= 5
    each = weekend.sum() / (days.day_of_week >= 5).sum(), (~weekend).sum() / (days.day_of_week < 5).sum()
    assert outcome_of(ask(world("kilns"), "is it busier on weekends"), Yes(int(each[0] > each[1]))) == "right"


@pytest.mark.parametrize(
    "question",
    [
        "are gas firings cheaper than wood ones",
        "are gas firings better than wood ones",
        "are gas firings taller than wood",
    ],
)
def test_what_nothing_measures_is_not_told_by_how_many_there_are(question: str) -> None:
    assert outcome_of(ask(world("kilns"), question), Near()) in ("refused", "told")


@pytest.mark.parametrize(
    "question",
    ["average weight insured vs uninsured parcels", "compare the average weight of insured parcels with the rest"],
)
def test_a_number_alone_is_set_beside_itself(question: str) -> None:
    assert both("parcels", question) == pytest.approx(means("weight_kg", parcels()["parcels"].insured))


def test_why_one_slice_is_slower_is_told_of_both() -> None:
    sent = parcels()["parcels"]
    hours = (sent.delivered_at - sent.sent_at).dt.total_seconds() / 3600
    mean = hours.groupby(sent.zone == "Islands").mean()
    told = ask(world("parcels"), "why is islands slower than the rest").answer.text
    assert f"{mean[True]:.2f}" in told and f"{mean[False]:.2f}" in told


def test_how_fast_one_is_compared_to_another() -> None:
    sent = parcels()["parcels"].merge(parcels()["couriers"])
    hours = (sent.delivered_at - sent.sent_at).dt.total_seconds() / 3600
    mean = hours.groupby(sent.courier_name).mean()
    wanted = {name: mean[name] for name in ("Ada", "Bo")}
    shown("parcels", "how fast does Ada deliver compared to Bo", wanted)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("is there a link between how heavy a parcel is and how well it is rated", "rating"),
        ("is there a link between weight and postage", "postage_eur"),
        ("how strong is the relation between how heavy a parcel is and the postage", "postage_eur"),
    ],
)
def test_numbers_that_go_together_may_be_spoken_of_without_their_names(question: str, other: str) -> None:
    sent = parcels()["parcels"]
    told = ask(world("parcels"), question).answer.text
    assert f"{sent.weight_kg.corr(sent[other]) + 0:.2f}".replace("-0.00", "0.00") in told


def test_parts_of_the_day_are_called_by_what_they_are() -> None:
    told = ask(flights(), "is the wind stronger at night?").tool["input"]["description"]
    assert "night or day" in told and "else" not in told


def test_months_that_are_compared_lack_no_others() -> None:
    sent = parcels()["parcels"].sent_at.dt.month
    told = ask(world("parcels"), "by how much is the average weight of parcels higher in march than in june")
    mean = parcels()["parcels"].groupby(sent).weight_kg.mean()
    assert sorted(float(row[1]) for row in told.rows()) == pytest.approx(sorted((mean[3], mean[6])))
    assert "no rows" not in told.answer.text and "March 2024" in told.answer.text
