"""Questions that say all they ask for mean the same in a thread as alone, whatever was asked before them."""

from __future__ import annotations

import asyncio
import random
from functools import cache

import pytest
import worlds

from svc_notebook.analyst.base import PastTurn, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.plans.plan import to_memory

FLIGHTS = """
how many flights were there
average departure delay by airline
average distance by airline
flights by month in March
number of flights per month
busiest day of the year
which airline has the most flights
top 10 destinations by number of flights
top 3 destinations for each airline
median air time to Los Angeles
average temperature by month
how many flights left JFK in July
flights by hour of the day
total distance flown by Delta
longest flight
average arrival delay on Fridays
share of cancelled flights by airline
flights per week from Newark
how many flights went to Boston in December
compare average departure delay of JFK and LaGuardia
quarterly growth in number of flights
average humidity at JFK by month
how many planes are there by manufacturer
highest wind speed by origin
flights on Christmas day
on which weekday do we fly most
in which month did we fly the most
average departure delay for American Airlines in the first quarter
which month had the most cancelled flights
number of flights with a departure delay over 2 hours
distribution of arrival delay
average air time by destination, highest first
""".strip().splitlines()

SHOP = """
how many orders are there
revenue by country
total revenue per month
number of orders by segment
average shipping days by city
top 5 products by revenue
which country has the most orders
revenue in Germany in 2023
orders per week
average discount by category
number of customers by country
monthly revenue in 2024
largest order
median order value by country
share of revenue by brand
orders in March 2024
how many different products were sold
revenue by channel and segment
cumulative revenue by month
number of orders with more than 5 items
lowest revenue by country
average quantity by brand
top 3 countries by revenue for each category
revenue last year
orders by weekday
how many customers are in France
total discount by month
average unit price by category
number of returned orders by country
which product has the highest unit price
""".strip().splitlines()

WORLDS = {"flights": (worlds.flights, FLIGHTS), "shop": (worlds.shop, SHOP)}


def asked(world: str, question: str, history: tuple[PastTurn, ...]) -> tuple[str | None, PastTurn]:
    """The SQL of a question in its thread, or None where it is refused, and what the thread keeps of it."""
    turn = Turn(question, history, now=worlds.NOW)
    draft = asyncio.run(OfflineAnalyst().draft(turn, WORLDS[world][0]().toolbox()))
    memory = {"plan": to_memory(draft.plan), "reading": draft.sql} if draft is not None else {"pending": question}
    return draft.sql if draft is not None else None, PastTurn(question, "said", memory=memory)


@cache
def alone(world: str, question: str) -> str | None:
    return asked(world, question, ())[0]


def test_there_are_sixty_two_questions_and_nearly_all_are_answered_alone() -> None:
    answers = [alone(world, question) for world, (_, questions) in WORLDS.items() for question in questions]
    assert len(answers) == 62
    assert sum(answer is not None for answer in answers) >= 52


@pytest.mark.parametrize("order", [*range(3), *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 10))])
@pytest.mark.parametrize("world", WORLDS)
def test_whole_questions_inherit_nothing(world: str, order: int) -> None:
    questions = list(WORLDS[world][1])
    random.Random(order).shuffle(questions)
    history: tuple[PastTurn, ...] = ()
    changed = []
    for question in questions:
        sql, past = asked(world, question, history)
        history = (*history, past)
        if sql != alone(world, question):
            changed.append((question, alone(world, question), sql))
    assert not changed
