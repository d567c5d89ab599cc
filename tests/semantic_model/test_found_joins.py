"""Joins that nobody declared: found by names, and borne out by values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.semantic.scaffold import scaffold_model

RANDOM = np.random.default_rng(3)
CODES = ["JFK", "LAX", "SFO", "ORD", "BOS", "MIA"]
AIRPORTS = pd.DataFrame({"iata": CODES, "name": [f"Airport {c}" for c in CODES], "city": list("uvwxyz")})
NUMBERED = AIRPORTS.assign(id=range(100, 106), icao=["K" + c for c in CODES])[["id", "iata", "icao", "name", "city"]]
WAYS = pd.DataFrame(
    {"number": RANDOM.integers(1, 99, 200), "a": RANDOM.choice(CODES, 200), "b": RANDOM.choice(CODES, 200)}
)
USERS = pd.DataFrame({"id": range(1, 51), "name": [f"user {n}" for n in range(50)]})
STAFF = pd.DataFrame(
    {"emp_id": range(1, 41), "manager": [None, *RANDOM.integers(1, 20, 39)], "dept": [1, 2, 3, 4] * 10}
)
TARGETS = pd.DataFrame({"store": [1, 2] * 12, "month": sorted([*range(1, 13)] * 2), "target": RANDOM.random(24)})
SALES = pd.DataFrame({"store": [1, 2] * 100, "month": RANDOM.integers(1, 13, 200), "sales": RANDOM.random(200)})
PEOPLE = pd.DataFrame(
    {"EmployeeId": range(1, 9), "LastName": list("abcdefgh"), "ReportsTo": [None, 1, 2, 2, 2, 1, 6, 6]}
)
BUYERS = pd.DataFrame({
    "CustomerId": range(1, 31), "PostalCode": [f"{n:05}" for n in range(30)], "SupportRepId": [3, 4, 5] * 10,
})  # fmt: skip
BILLS = pd.DataFrame({
    "InvoiceId": range(1, 61), "CustomerId": [*range(1, 31)] * 2, "BillingPostalCode": [f"{n:05}" for n in range(30)] * 2,
})  # fmt: skip


def flights(origin: str, destination: str) -> pd.DataFrame:
    return WAYS.rename(columns={"a": origin, "b": destination})


FOUND: dict[str, tuple[dict[str, pd.DataFrame], set[str]]] = {
    "a table's name and id": (
        {"users": USERS, "orders": pd.DataFrame({"id": range(1, 201), "user_id": [*range(1, 51)] * 4})},
        {"orders {CUBE.user_id} = {users.id}"},
    ),
    "two roles without a name": (
        {"flights": flights("origin", "destination"), "airports": AIRPORTS},
        {"flights {CUBE.origin} = {airports.iata}", "flights {CUBE.destination} = {destination_airports.iata}"},
    ),
    "two roles by the table's name": (
        {"flights": flights("from_airport", "to_airport"), "airports": AIRPORTS},
        {"flights {CUBE.from_airport} = {airports.iata}", "flights {CUBE.to_airport} = {to_airports.iata}"},
    ),
    "codes beside the key": (
        {"flights": flights("origin", "dest"), "airports": NUMBERED},
        {"flights {CUBE.origin} = {airports.iata}", "flights {CUBE.dest} = {dest_airports.iata}"},
    ),
    "abbreviations, and the table itself": (
        {"employees": STAFF, "departments": pd.DataFrame({"dept_no": [1, 2, 3, 4], "dname": list("abcd")})},
        {"employees {CUBE.dept} = {departments.dept_no}", "employees {CUBE.manager} = {manager_employees.emp_id}"},
    ),
    "several columns together": (
        {"sales": SALES, "targets": TARGETS},
        {"sales {CUBE.store} = {targets.store} AND {CUBE.month} = {targets.month}"},
    ),
    "people in a role, no postal codes": (
        {"employee": PEOPLE, "customer": BUYERS, "invoice": BILLS},
        {"customer {CUBE.support_rep_id} = {employee.employee_id}", "invoice {CUBE.customer_id} = {customer.customer_id}",
         "employee {CUBE.reports_to} = {reports_employees.employee_id}"},
    ),
    "only months in common": (
        {"sun": TARGETS[["month", "target"]].iloc[::2], "rain": SALES[["month", "sales"]]}, set(),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FOUND)
def test_joins_are_found(kind: str) -> None:
    tables, expected = FOUND[kind]
    model = scaffold_model(tables)
    assert {f"{cube['name']} {join['sql']}" for cube in model["cubes"] for join in cube.get("joins", ())} == expected


def test_a_join_of_two_columns_answers_like_pandas() -> None:
    with svc.embedded({"sales": SALES, "targets": TARGETS}) as client:
        found = client.sql("SELECT s.month, SUM(s.sales), SUM(t.target) FROM sales s JOIN targets t "
                           "ON s.store = t.store AND s.month = t.month GROUP BY 1 ORDER BY 1")  # fmt: skip
        assert (
            "sales.store+month refers to targets.store+month (many to one, found by names and values)"
            in client.notes.joins
        )
    joined = SALES.merge(TARGETS, on=["store", "month"]).groupby("month")[["sales", "target"]].sum()
    assert np.allclose(found.iloc[:, 1].astype(float), joined["sales"])


def test_flights_and_airports_are_asked_in_both_roles() -> None:
    tables = {"flights": flights("origin", "destination"), "airports": AIRPORTS}
    with svc.embedded(tables) as client:
        found = client.sql(
            "SELECT a.city, COUNT(*) FROM flights f JOIN airports a ON f.origin = a.iata GROUP BY 1 ORDER BY 1"
        )
    expected = WAYS.merge(AIRPORTS, left_on="a", right_on="iata").groupby("city").size()
    assert found.iloc[:, 1].tolist() == expected.tolist()
