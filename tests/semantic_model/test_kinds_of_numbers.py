"""What ``init`` takes a number for: by its name, its unit and its values; seen in the model's YAML."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.scaffold import scaffold_model
from svc_notebook.semantic.scaffolding.notes import DataNotes

MANY = [1.5, 20.25, 300.0, 4.0, 50.5, 60.0, 7.0, 8.0, 9.0, 11.0, 12.0, 13.0]

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("revenue", {"kind": "amount", "aggregate": "sum"}),
    ("TotalAmount", {"kind": "amount", "aggregate": "sum"}),
    ("net_sales_eur", {"kind": "amount", "aggregate": "sum", "unit": "EUR"}),
    ("Umsatz", {"kind": "amount", "aggregate": "sum"}),
    ("qty", {"kind": "quantity", "aggregate": "sum"}),
    ("passengers", {"kind": "quantity", "aggregate": "sum"}),
    ("num_rooms", {"kind": "quantity", "aggregate": "sum"}),
    ("unit_price", {"kind": "price", "aggregate": "avg"}),
    ("price_usd", {"kind": "price", "aggregate": "avg", "unit": "USD"}),
    ("salary", {"kind": "price", "aggregate": "avg"}),
    ("cost_per_mile", {"kind": "rate", "aggregate": "avg"}),
    ("unemp_rate", {"kind": "rate", "aggregate": "avg"}),
    ("humidity_pct", {"kind": "rate", "aggregate": "avg", "unit": "%"}),
    ("age_days", {"kind": "level", "aggregate": "avg", "unit": "days"}),
    ("temp_min", {"kind": "level", "aggregate": "avg"}),
    ("trip_duration_min", {"kind": "duration", "aggregate": "avg", "unit": "minutes"}),
    ("Weight (kg)", {"unit": "kilograms"}),
    ("distance_km", {"unit": "kilometers"}),
    ("temp_c", {"kind": "level", "aggregate": "avg", "unit": "°C"}),
    ("area_m2", {"unit": "m²"}),
    ("co2_ppm", {"unit": "ppm"}),
    ("km", {"unit": "km"}),
    ("WindKnots", {"kind": "level", "aggregate": "avg", "unit": "knots"}),
    ("population", {"kind": "stock"}),
    ("latitude", {"kind": "coordinate", "aggregate": "none"}),
    ("customer_id", {"kind": "id", "aggregate": "none"}),
]


@pytest.mark.parametrize(("name", "meta"), KINDS)
def test_a_number_is_known_by_its_name(name: str, meta: dict[str, Any]) -> None:
    made = scaffold_model({"things": pd.DataFrame({"label": list("abcdefghijkl"), name: MANY})})
    assert made["cubes"][0]["dimensions"][1].get("meta") == meta


@pytest.mark.parametrize(("name", "title"), [
    ("temp_c", "Temperature"), ("area_m2", "Area"), ("co2_ppm", "CO2"), ("class_c", "Class c"),
])  # fmt: skip
def test_a_title_does_without_the_unit_of_its_numbers(name: str, title: str) -> None:
    made = scaffold_model({"things": pd.DataFrame({"label": list("abcdefghijkl"), name: MANY})})
    dimension = made["cubes"][0]["dimensions"][1]
    assert dimension.get("title", dimension["name"].replace("_", " ").capitalize()) == title


def test_values_decide_where_names_do_not() -> None:
    frame = pd.DataFrame({
        "season": [2001, 2002, 2003, 2004] * 3, "year": [2001, 2002, 2003, 2004] * 3, "sex": [0, 1] * 6,
        "discount_rate": [0.1, 0.25, 0.0] * 4,
    })  # fmt: skip
    found = {d["name"]: d.get("meta") for d in scaffold_model({"t": frame})["cubes"][0]["dimensions"]}
    assert found["year"] == {"kind": "year", "aggregate": "none"}
    assert found["sex"] == {"kind": "flag", "aggregate": "avg"}
    assert found["discount_rate"] == {"kind": "rate", "aggregate": "avg"}


@pytest.mark.parametrize(
    ("discounts", "factor"),
    [(None, ""), ([0.0, 0.1, 0.25], " * (1 - {discount})"), ([0.0, 10.0, 25.0], None)],
)
def test_price_times_quantity_is_an_amount_where_none_is_there(
    discounts: list[float] | None, factor: str | None
) -> None:
    frame = pd.DataFrame({"order_id": [1, 2, 3], "unit_price": [2.5, 3.0, 4.0], "quantity": [1, 2, 3]})
    frame = frame if discounts is None else frame.assign(discount=discounts)
    cube = scaffold_model({"lines": frame})["cubes"][0]
    made = {d["name"]: d for d in cube["dimensions"]}.get("amount")
    if factor is None:  # a discount of 10: of a hundred, or in money? nobody knows
        assert made is None
        return
    assert made is not None
    assert made["sql"] == "{unit_price} * {quantity}" + factor
    assert made["meta"]["synonyms"] == ["revenue", "sales", "turnover"]
    assert cube["meta"]["headline"] == "total_amount"


def test_an_amount_that_is_there_is_not_made_again() -> None:
    frame = pd.DataFrame({"unit_price": [2.5, 3.0], "quantity": [1, 2], "total": [2.5, 6.0]})
    cube = scaffold_model({"lines": frame})["cubes"][0]
    assert "amount" not in {d["name"] for d in cube["dimensions"]}
    assert cube["meta"]["headline"] == "total_total"


def test_what_was_promised_does_not_speak_for_rows() -> None:
    frame = pd.DataFrame({"job": [1, 2, 3], "est_amt": [100.0, 200.0, 90.0], "inv_amt": [110.0, 190.0, None]})
    assert scaffold_model({"jobs": frame})["cubes"][0]["meta"]["headline"] == "total_inv_amt"


@pytest.mark.parametrize(
    ("times", "own"),
    [
        (("bkd_on", "dt"), "dt"),
        (("bkd_dt", "in_dt", "pd_dt"), "in_dt"),
        (("dob", "deceased_on", "reg_dt"), "reg_dt"),
        (("pd_on", "les_dt"), "les_dt"),
    ],
)
def test_what_was_arranged_or_came_after_is_not_when_rows_happened(times: tuple[str, ...], own: str) -> None:
    days = pd.date_range("2024-01-01", periods=12)
    frame = pd.DataFrame({"les_no": range(12)} | {name: days + pd.Timedelta(at, "D") for at, name in enumerate(times)})
    assert scaffold_model({"les": frame})["cubes"][0]["meta"]["time"] == own


def test_rows_have_a_noun_a_time_and_a_label() -> None:
    frame = pd.DataFrame({
        "order_id": range(12), "name": list("abcdefghijkl"),
        "shipped": pd.date_range("2024-01-03", periods=12), "order_date": pd.date_range("2024-01-01", periods=12),
    })  # fmt: skip
    cube = scaffold_model({"sales": frame})["cubes"][0]
    assert cube["meta"] == {"synonyms": ["orders"], "time": "order_date", "label": "name"}


def test_what_was_taken_for_what_is_told_as_a_table() -> None:
    notes = DataNotes()
    frame = pd.DataFrame({"id": range(12), "revenue": MANY, "paid on": ["09.09.2024"] * 11 + ["31.12.2024"], "z": MANY})
    scaffold_model({"sales": frame}, notes=notes)
    lines = str(notes).splitlines()
    assert lines[0].split() == ["column", "taken", "for", "because"]
    assert "sales.revenue  amount, summed" in str(notes) and "its name says 'revenue'" in str(notes)
    assert "like 31.12.2024" in str(notes)
    assert notes.doubts == [
        "sales: whether z may be added up; until the model says 'meta: {aggregate: sum}' (or avg), an average is taken"
    ]
    assert "<td>sales.revenue</td>" in notes._repr_html_()
