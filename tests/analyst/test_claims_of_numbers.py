"""Yes or no about one number, both sides of a flag, and periods beyond the data: what is asked is what is answered."""

from __future__ import annotations

import operator
import re

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.reading.claims import claims_in

CLINICS = ["Harbor", "North", "South"]
SIGNS = {"more than": operator.gt, "at least": operator.ge, "under": operator.lt, "no more than": operator.le}


def visits() -> pd.DataFrame:
    dice, count = np.random.default_rng(41), 900
    return pd.DataFrame({
        "visit_date": pd.Timestamp("2025-01-01") + pd.to_timedelta(dice.integers(0, 540, count), unit="D"),
        "clinic": dice.choice(CLINICS, count, p=[0.2, 0.5, 0.3]),
        "patient_age": dice.integers(1, 95, count),
        "wait_minutes": np.round(dice.gamma(2, 12, count), 1),
        "is_new_patient": dice.random(count) < 0.3,
        "has_insurance": dice.random(count) < 0.7,
        "fee_usd": np.round(dice.gamma(3, 40, count), 2),
    })  # fmt: skip


VISITS = visits()
NORTH = VISITS[VISITS.clinic == "North"]
IN_2025 = VISITS[VISITS.visit_date.dt.year == 2025]


@pytest.fixture(scope="module")
def client() -> svc.Client:
    return svc.embedded({"visits": VISITS})


def asked(client: svc.Client, question: str) -> str:
    return client.chat(external_id="ana").ask(question).text


@pytest.mark.parametrize("phrase", SIGNS)
@pytest.mark.parametrize(
    ("frame", "unit", "truth"),
    [
        ("is the average wait {} {}", "minutes", VISITS.wait_minutes.mean()),
        ("is the average wait in 2025 {} {}", "minutes", IN_2025.wait_minutes.mean()),
        ("was the median fee {} {} dollars at North", "", NORTH.fee_usd.median()),
        ("is the total fee {} {}", "", VISITS.fee_usd.sum()),
        ("are there {} {} visits in North?", "", len(NORTH)),
        ("did we have {} {} visits in 2025", "", len(IN_2025)),
        ("does North have {} {} visits", "", len(NORTH)),
        ("did we earn {} ${} in 2025?", "", IN_2025.fee_usd.sum()),
        ("does North have an average wait of {} {}", "minutes", NORTH.wait_minutes.mean()),
        ("is the wait usually {} {}", "minutes", VISITS.wait_minutes.median()),
    ],
)
def test_a_claim_of_one_number_is_told_to_be_so_or_not(
    client: svc.Client, frame: str, unit: str, truth: float, phrase: str
) -> None:
    for factor in (0.8, 1.25):
        bound = round(truth * factor)
        text = asked(client, frame.format(phrase, bound) + (f" {unit}" if unit else ""))
        assert text.startswith("**Yes**" if SIGNS[phrase](truth, bound) else "**No**"), (text, truth)
        number = re.search(r"\*\*[$]?([\d,.]+)", text.split(". ", 1)[1])
        assert number is not None and float(number[1].replace(",", "").rstrip(".")) == pytest.approx(truth, rel=0.01)


@pytest.mark.parametrize(
    ("question", "truth"),
    [
        ("is the average wait longer than half an hour?", VISITS.wait_minutes.mean() > 30),
        ("is the average wait shorter than an hour?", VISITS.wait_minutes.mean() < 60),
        ("is the share of new patients above 25 %?", VISITS.is_new_patient.mean() > 0.25),
        ("is the share of new patients under 25 percent?", VISITS.is_new_patient.mean() < 0.25),
        ("are more than 40% of visits with insurance?", VISITS.has_insurance.mean() > 0.4),
        ("was total fee over 1.2 million", VISITS.fee_usd.sum() > 1_200_000),
        ("are fees on average more than 100?", VISITS.fee_usd.mean() > 100),
    ],
)
def test_a_claim_is_held_against_the_number_in_its_own_unit(client: svc.Client, question: str, truth: bool) -> None:
    assert asked(client, question).startswith("**Yes**" if truth else "**No**")


@pytest.mark.parametrize(
    "question",
    [
        "are there patients older than 90?",  # rows there are
        "is any wait longer than 100 minutes",
        "is the total fee in 2026 higher than 2025",  # a year
        "is the average wait longer in North than in South",
        "which clinic has more than 200 visits",
        "average fee of waits over 20 minutes",
        "was the wait over 20 minutes in March and under 20 in May",
    ],
)
def test_what_claims_no_one_number_is_read_as_it_stands(question: str) -> None:
    assert not list(claims_in(question))


def test_a_claim_of_many_numbers_is_not_taken_for_one_of_rows(client: svc.Client) -> None:
    answer = client.chat(external_id="ana").ask("is the average wait per clinic over 20 minutes")
    assert answer.sql is None and "over 20 minutes" in answer.text


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("number of visits with and without insurance", "has_insurance"),
        ("average fee with vs without insurance", "has_insurance"),
        ("average wait of new and returning patients", "is_new_patient"),
        ("total fee of existing vs new patients", "is_new_patient"),
    ],
)
def test_both_sides_of_a_flag_are_its_groups(client: svc.Client, question: str, column: str) -> None:
    answer = client.chat(external_id="ana").ask(question)
    assert sorted(answer.df[column]) == [False, True]


def test_flags_are_said_as_people_say_them(client: svc.Client) -> None:
    text = asked(client, "visits by is new patient")
    assert "**not new patient**" in text and "is new" not in text
    text = asked(client, "visits by has insurance")
    assert "**with insurance**" in text and "**without insurance**" in text
    assert "share with insurance" in asked(client, "share of patients with insurance by clinic")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many visits in 2023", True),
        ("visits in 2023 by clinic", True),
        ("average fee by clinic in 2026", True),
        ("list visits of January 2024", True),
        ("average wait in May 2025", False),
        ("average fee by clinic in 2025", False),
    ],
)
def test_a_period_beyond_the_data_is_told_what_they_cover(client: svc.Client, question: str, told: bool) -> None:
    assert ("runs from" in asked(client, question)) is told


def test_cells_of_a_heat_map_are_as_wide_as_there_are_rows_for() -> None:
    dice, count = np.random.default_rng(7), 4_000
    client = svc.embedded({"trips": pd.DataFrame({"fare": dice.gamma(2, 9, count), "miles": dice.gamma(2, 4, count)})})
    answer = client.chat(external_id="ana").ask("correlation of fare and miles")
    assert answer.result is not None
    drawn = answer.result.load_all()
    assert drawn.columns.tolist()[-1] == "rows"
    assert drawn["rows"].mean() > 15
    reading = str(answer.reading)
    assert "up to before" in reading and "is known" not in reading


def test_a_manner_is_no_count(client: svc.Client) -> None:
    answer = client.chat(external_id="ana").ask("how are fees distributed?")
    assert answer.reading is not None
    assert [measure.origin for measure in answer.reading.measures] == ["assumed"]


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("ist die durchschnittliche wait länger als 5 minuten", "**Ja**"),
        ("ist die durchschnittliche wait länger als 50 minuten", "**Nein**"),
        ("gibt es mehr als 100 visits in North?", "**Ja**"),
        ("est-ce que la moyenne de wait est supérieure à 5 minutes", "**Oui**"),
    ],
)
def test_a_claim_in_another_language_is_answered_in_it(client: svc.Client, question: str, start: str) -> None:
    assert asked(client, question).startswith(start)
