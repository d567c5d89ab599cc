"""Whose something is: what another thing has is refused or asked back, never answered as if it were meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

Frames = dict[str, pd.DataFrame]


def shop() -> Frames:
    """Customers without a city or an email, and those who look after them, with both and with a day of hiring."""
    day = pd.to_datetime
    return {
        "employees": pd.DataFrame({
            "employee_id": [1, 2, 3], "first_name": ["Jane", "Steve", "Laura"],
            "last_name": ["Peacock", "Johnson", "Callahan"], "city": ["Calgary", "Lethbridge", "Calgary"],
            "email": ["jane@x.com", "steve@x.com", "laura@x.com"],
            "hire_date": day(["2020-01-01", "2021-01-01", "2021-02-01"]),
        }),
        "customers": pd.DataFrame({
            "customer_id": [1, 2, 3, 4], "first_name": ["Steve", "Mia", "Tom", "Ida"],
            "last_name": ["Murray", "Kent", "Poe", "Low"], "country": ["Brazil", "Brazil", "USA", "USA"],
            "support_rep_id": [1, 2, 2, 3],
        }),
        "invoices": pd.DataFrame({
            "invoice_id": [1, 2, 3, 4, 5], "customer_id": [1, 2, 3, 4, 4], "total": [10.0, 20, 5, 7, 9]
        }),
    }  # fmt: skip


def county() -> Frames:
    """Cities without a name, in counties that have one."""
    return {
        "counties": pd.DataFrame({"county_id": [1, 2, 3, 4], "name": ["Kent", "Essex", "Devon", "Avon"]}),
        "cities": pd.DataFrame({
            "city_id": [1, 2, 3, 4, 5], "county_id": [1, 1, 2, 3, 4], "population": [10, 20, 30, 40, 50]
        }),
    }  # fmt: skip


def college() -> Frames:
    """Professors without a name; students, who have one, share a department with them."""
    return {
        "departments": pd.DataFrame({
            "dept_code": ["HIS", "MAT", "BIO"], "dept_name": ["History", "Mathematics", "Biology"]
        }),
        "professors": pd.DataFrame({
            "prof_id": [1, 2, 3, 4], "dept_code": ["HIS", "MAT", "BIO", "HIS"], "office": ["R1", "R2", "R3", "R4"]
        }),
        "students": pd.DataFrame({
            "stu_id": [1, 2, 3, 4, 5], "first_name": ["Ann", "Bob", "Cid", "Dot", "Eve"],
            "last_name": ["Ash", "Bell", "Cole", "Dunn", "East"], "dept_code": ["HIS", "MAT", "BIO", "HIS", "MAT"],
        }),
    }  # fmt: skip


def airline() -> Frames:
    """Where flights went, and not where they came from; how far, and not how long."""
    return {
        "flights": pd.DataFrame({
            "flight_no": [11, 12, 13, 14], "destination": ["Los Angeles", "Paris", "Rome", "Los Angeles"],
            "price": [100.0, 200, 150, 120], "distance": [3, 900, 7, 1200],
            "departs": pd.to_datetime(["2024-01-02 10:00", "2024-01-05 11:00", "2024-02-02 12:00", "2024-02-07 07:00"]),
        })
    }  # fmt: skip


def bank() -> Frames:
    """Transactions without an amount; the only numbers are those of invoices."""
    return {
        "transactions": pd.DataFrame({
            "transaction_id": [1, 2, 3, 4], "invoice_number": [9001, 9002, 9003, 9004],
            "transaction_type": ["Sale", "Refund", "Sale", "Sale"],
            "transaction_date": pd.to_datetime(["2024-01-02", "2024-01-05", "2024-02-02", "2024-02-07"]),
        })
    }  # fmt: skip


TABLES = {"shop": shop, "county": county, "college": college, "airline": airline, "bank": bank}


@pytest.fixture(scope="module")
def clients() -> Iterator[dict[str, Any]]:
    opened = {name: svc.embedded(tables()) for name, tables in TABLES.items()}
    yield opened
    for client in opened.values():
        client.close()


@pytest.mark.parametrize(
    ("tables", "question"),
    [
        ("shop", "emails of all customers from Brazil"),
        ("shop", "in which cities do we have customers"),
        ("shop", "in how many cities do we have customers"),
        ("shop", "cities with more than one customer"),
        ("shop", "sales per month"),
        ("shop", "total invoices in 2021"),
        ("shop", "how many invoices in 2021"),
        ("shop", "invoices per year"),
        ("county", "show the names of cities"),
        ("county", "list the names of all cities"),
        ("college", "what are the first names of professors"),
        ("college", "names of the professors in the History department"),
        ("airline", "how many flights from Los Angeles"),
        ("airline", "average price of flights from Rome"),
        ("airline", "how many flights took longer than five hours"),
        ("airline", "flights longer than 5 hours"),
        ("bank", "what is the average amount of a transaction"),
        ("bank", "total transaction amount per type"),
        ("bank", "total amount of all transactions"),
    ],
)
def test_what_only_another_thing_has_is_not_answered(clients: dict[str, Any], tables: str, question: str) -> None:
    answer = clients[tables].chat().ask(question)
    assert answer.outcome in ("refused", "asked_back"), answer.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("emails of all customers from Brazil", "the email of employees"),
        ("sales per month", "the hire date of employees"),
    ],
)
def test_what_there_is_instead_is_told(clients: dict[str, Any], question: str, told: str) -> None:
    assert told in clients["shop"].chat().ask(question).text


@pytest.mark.parametrize(
    ("tables", "question", "rows"),
    [
        ("shop", "emails of all employees", [["jane@x.com"], ["laura@x.com"], ["steve@x.com"]]),
        ("shop", "how many customers are from Brazil", [[2]]),
        ("shop", "how many customers does Steve Johnson look after", [[2]]),
        ("shop", "employees hired in 2021", [["Steve", "Johnson"], ["Laura", "Callahan"]]),
        ("shop", "number of customers by city of the employee", [["Calgary", 2], ["Lethbridge", 2]]),
        ("county", "names of the counties", [["Avon"], ["Devon"], ["Essex"], ["Kent"]]),
        ("airline", "how many flights to Los Angeles", [[2]]),
        ("airline", "how many flights went further than 500", [[2]]),
        ("bank", "number of transactions per type", [["Sale", 3], ["Refund", 1]]),
    ],
)
def test_what_is_its_own_is_answered(clients: dict[str, Any], tables: str, question: str, rows: list[Any]) -> None:
    answer = clients[tables].chat().ask(question)
    assert answer.df is not None, answer.text
    found = answer.df.astype(object).to_numpy().tolist()
    assert sorted(map(str, found)) == sorted(map(str, rows)), answer.text
