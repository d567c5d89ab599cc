"""First questions over tables that no word of the code was written beside, answered as pandas answers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Pct, outcome_of
from small_trades import Tables
from strangers import stranger


def _people(rows: pd.DataFrame) -> Near:
    pairs = list(zip(rows.first_name, rows.last_name, strict=True))
    return Near(pairs, sorted(f"{first} {last}" for first, last in pairs))


def _rows(rows: pd.DataFrame, column: str) -> Near:
    return Near(set(rows[column]), len(rows))


def _staff(t: Tables) -> pd.DataFrame:
    return t["employees"].merge(t["departments"], on="dept_id")


def _called(t: Tables, name: str) -> pd.DataFrame:
    return t["employees"][t["employees"].first_name + " " + t["employees"].last_name == name]


def _under(t: Tables, name: str) -> pd.DataFrame:
    return t["employees"][t["employees"].manager_no.isin(_called(t, name).emp_no)]


def _trips(t: Tables) -> pd.DataFrame:
    return t["trips"].merge(t["cars"], on="car_id").merge(t["members"], on="member_id")


def _works(t: Tables) -> pd.DataFrame:
    return t["artworks"].merge(t["artists"], on="artist_id")


def _without_ticket(t: Tables) -> pd.DataFrame:
    return t["accounts"][~t["accounts"].account_id.isin(t["tickets"].account_id)]


def _unsubscribed(t: Tables) -> pd.DataFrame:
    here = t["accounts"][t["accounts"].signup_date.dt.year == 2020]
    return here[~here.account_id.isin(t["subscriptions"].account_id)]


def _by_month(rows: pd.DataFrame) -> list[tuple[Any, ...]]:
    groups = rows.groupby([rows.opened_at.dt.to_period("M").dt.to_timestamp(), "topic"]).size()
    return [(at, topic, count) for (at, topic), count in groups.items()]


QUESTIONS: dict[str, dict[str, Callable[[Tables], Any]]] = {
    "fleet": {
        "share of revenue by plan": lambda t: {
            plan: Pct(sum_ / t["trips"].price_eur.sum())
            for plan, sum_ in _trips(t).groupby("plan").price_eur.sum().items()
        },
        "price per km by fuel type": lambda t: dict(
            _trips(t).groupby("fuel").price_eur.sum() / _trips(t).groupby("fuel").distance_km.sum()
        ),
        "trips not paid by card": lambda t: _rows(t["trips"][t["trips"].payment_method != "card"], "trip_id"),
        "how many trips were paid by paypal or invoice": lambda t: (t["trips"].payment_method != "card").sum(),
        "which zone has the worst ratings": lambda t: _trips(t).groupby("zone").rating.mean().idxmin(),
        "top 5 members by money spent": lambda t: set(
            _trips(t).groupby(["member_id", "full_name"]).price_eur.sum().nlargest(5).reset_index().full_name
        ),
        "total revenue": lambda t: t["trips"].price_eur.sum(),
    },
    "payroll": {
        "headcount by department": lambda t: dict(_staff(t).groupby("dept_name").size()),
        "payroll by location": lambda t: dict(_staff(t).groupby("location").monthly_salary.sum()),
        "how many women work in engineering": lambda t: (
            (_staff(t).gender == "F") & (_staff(t).dept_name == "Engineering")
        ).sum(),
        "how many people are still employed": lambda t: t["employees"].left_on.isna().sum(),
        "current employees by department": lambda t: dict(
            _staff(t)[_staff(t).left_on.isna()].groupby("dept_name").size()
        ),
        "who earns the most": lambda t: _people(t["employees"].nlargest(1, "monthly_salary")),
        "top 3 highest paid engineers": lambda t: _people(
            t["employees"][t["employees"].job_title == "Engineer"].nlargest(3, "monthly_salary")
        ),
        "who reports to Bruno Abel": lambda t: _people(_under(t, "Bruno Abel")),
        "how many employees report to Ada Abel": lambda t: len(_under(t, "Ada Abel")),
        "who is the manager of Clara Conti": lambda t: _people(
            t["employees"][t["employees"].emp_no.isin(_called(t, "Clara Conti").manager_no)]
        ),
        "how many absences lasted longer than a week": lambda t: (t["absences"].days > 7).sum(),
    },
    "museum": {
        "artworks taller than 2 meters": lambda t: Near(
            _rows(t["artworks"][t["artworks"].height_cm > 200], "title"), (t["artworks"].height_cm > 200).sum()
        ),
        "which artists are still alive": lambda t: set(t["artists"][t["artists"].died.isna()].artist_name),
        "how many artists were born in the 19th century": lambda t: t["artists"].born.between(1801, 1900).sum(),
        "audio guide rate by ticket type": lambda t: {
            kind: Pct(rate) for kind, rate in t["tickets"].groupby("ticket_type").audio_guide.mean().items()
        },
        "oldest artwork": lambda t: t["artworks"].loc[t["artworks"].year_created.idxmin()].title,
        "who made Harbour No. 5": lambda t: Near(*_works(t)[_works(t).title == "Harbour No. 5"].artist_name),
        "how many visitors did we have in 2023": lambda t: (t["tickets"].sold_at.dt.year == 2023).sum(),
        "percentage of revenue from students": lambda t: Pct(
            t["tickets"][t["tickets"].ticket_type == "student"].price.sum() / t["tickets"].price.sum()
        ),
    },
    "software": {
        "how many customers do we have in Germany": lambda t: (t["accounts"].country == "Germany").sum(),
        "biggest customer by number of employees": lambda t: (
            t["accounts"].loc[t["accounts"].employees.idxmax()].company
        ),
        "customers of Nora Reed in the US": lambda t: _rows(
            t["accounts"][(t["accounts"].account_manager == "Nora Reed") & (t["accounts"].country == "United States")],
            "company",
        ),
        "total amount of open invoices": lambda t: t["invoices"][t["invoices"].status == "open"].amount_usd.sum(),
        "mrr per seat by tier": lambda t: dict(
            t["subscriptions"].groupby("tier").mrr_usd.sum() / t["subscriptions"].groupby("tier").seats.sum()
        ),
        "mrr by tier": lambda t: dict(t["subscriptions"].groupby("tier").mrr_usd.sum()),
        "active subscriptions": lambda t: _rows(
            t["subscriptions"][t["subscriptions"].cancelled_on.isna()], "subscription_id"
        ),
        "how many tickets are still open": lambda t: t["tickets"].closed_at.isna().sum(),
        "invoiced amount in the last quarter of 2023": lambda t: t["invoices"][
            t["invoices"].issued_on.between("2023-10-01", "2023-12-31")
        ].amount_usd.sum(),
        "which accounts have never opened a ticket": lambda t: set(_without_ticket(t).company),
        "accounts that signed up in 2020 but have no subscription": lambda t: _rows(_unsubscribed(t), "company"),
        "first customer to sign up": lambda t: Near(
            *t["accounts"][t["accounts"].signup_date == t["accounts"].signup_date.min()].company
        ),
        "compare billing tickets and login tickets by month in 2024": lambda t: _by_month(
            t["tickets"][t["tickets"].topic.isin(["billing", "login"]) & (t["tickets"].opened_at.dt.year == 2024)]
        ),
    },
}
CASES = [(name, question) for name, questions in QUESTIONS.items() for question in questions]


@pytest.mark.parametrize(("name", "question"), CASES, ids=[question for _, question in CASES])
def test_a_first_question_is_answered_as_pandas_does(name: str, question: str) -> None:
    tables, world = stranger(name)
    asked = ask(world, question)
    assert outcome_of(asked, QUESTIONS[name][question](tables)) == "right", asked.answer.text


NOT_READ = [
    ("software", "how many urgent tickets took 50 dollars"),
]


@pytest.mark.parametrize(("name", "question"), NOT_READ)
def test_what_is_not_known_is_no_number(name: str, question: str) -> None:
    assert ask(stranger(name)[1], question).table is None
