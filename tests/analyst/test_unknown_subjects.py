"""What a model does not hold is refused by name: no other question is answered in its place, nor built upon."""

from __future__ import annotations

import pytest
import worlds
from asking import ask
from trades import school

WORLDS = {"flights": worlds.flights, "shop": worlds.shop, "hospital": worlds.hospital, "school": school}
BEFORE = {
    "flights": "average arrival delay by origin",
    "shop": "revenue by country",
    "hospital": "number of visits by ward",
    "school": "number of pupils by grade",
}
# By model, a question to a line, and the word that its refusal has to name.
UNKNOWN: dict[str, str] = {
    "flights": """
how tall is the pilot = pilot
average salary by airline = salary
weight of the aircraft captain = captain
how many passengers flew in March = passengers
which pilot flew the most = pilot
average ticket price by carrier = price
how many employees does each airline have = employees
number of bags lost per airport = bags
fuel consumption by aircraft model = fuel
what is the name of the captain = captain
crew size by airline = crew
who is the ceo of delta = ceo
revenue by airline = revenue
profit per month = profit
population of destination cities = population
how old is the crew = crew
average age of passengers = passengers
gender of pilots = pilots
how many stewardesses work for united = stewardesses
how many seats were sold = sold
salary of the mechanics by month = salary
customer satisfaction by airline = satisfaction
what did a ticket cost in may = ticket
list all pilots = pilots
top 10 pilots by hours flown = pilots
number of luggage per flight = luggage
how expensive is a ticket to Miami = ticket
rating of each airline = rating
which passenger paid the most = passenger
how heavy are the planes = heavy
fuel price by month = fuel
what is the tax rate = tax
how many children were on board = children
pilots by airline = pilots
what color are the planes = color
capital of france = capital
how long is the runway at JFK = runway
hotel near JFK = hotel
number of gates per airport = gates
flights from Frankfurt = Frankfurt
average delay by crew type = crew
""",
    "shop": """
average salary by country = salary
how many employees per store = employees
which salesperson sold the most = salesperson
tax by month = tax
shipping cost by city = shipping cost
how old are the customers = old
weight of the parcels = parcels
rating by product = rating
number of complaints per brand = complaints
top 5 suppliers = suppliers
margin of the resellers = resellers
refund amount by country = refund
email of the customers = email
how many visits per channel = visits
competitor revenue by month = competitor
revenue by salesperson = salesperson
orders from Norway = Norway
what is the warranty of the desk = warranty
profit by driver = driver
which warehouse ships fastest = warehouse
how many coupons were used = coupons
inventory by product = inventory
which manager has the most revenue = manager
""",
    "hospital": """
average salary by ward = salary
which nurse has the most patients = nurse
insurance by ward = insurance
number of operations per month = operations
weight of the patients = weight
how many ambulances arrived = ambulances
blood pressure by ward = pressure
parking fees per ward = parking
survival rate by ward = survival
average waiting time by ward = waiting
medication per patient = medication
rent of the wards = rent
patients from Norway = Norway
height of the nurse = nurse
infection rate by month = infection
""",
}
CASES = [
    (model, *map(str.strip, line.split("="))) for model, lines in UNKNOWN.items() for line in lines.strip().splitlines()
]


@pytest.mark.parametrize(("model", "question", "word"), CASES)
def test_an_unknown_subject_is_refused_by_name(model: str, question: str, word: str) -> None:
    for questions in ([question], [BEFORE[model], question]):
        asked = ask(WORLDS[model](), *questions)
        assert asked.table is None, f"answered {questions}: {asked.working}"
        assert asked.answer.text.startswith("I could not read this: I do not know "), asked.answer.text
        assert f"“{word}" in asked.answer.text or f"{word}”" in asked.answer.text, asked.answer.text


FOLLOW_UPS = [
    ("only Foobar", "Foobar"), ("without Foobar", "Foobar"), ("by pilot", "pilot"), ("what about salary", "salary"),
    ("and the revenue?", "revenue"), ("in Frankfurt", "Frankfurt"), ("now by captain", "captain"), ("salary", "salary"),
    ("only flights with wifi", "wifi"), ("top 5 pilots", "pilots"), ("for business class", "business"),
    ("split by passenger type", "passenger"), ("show me passengers instead", "passengers"), ("and by crew", "crew"),
    ("same for Lufthansa", "Lufthansa"), ("compare with trains", "trains"), ("color by pilot", "pilot"),
    ("sort by price", "price"), ("why is Foobar higher", "Foobar"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "word"), FOLLOW_UPS)
def test_a_follow_up_about_something_unknown_is_refused_by_name(question: str, word: str) -> None:
    asked = ask(worlds.flights(), "average departure delay by origin", question)
    assert asked.table is None
    assert f"“{word}”" in asked.answer.text and "instead" not in asked.answer.text


def test_a_refused_turn_is_not_built_upon() -> None:
    flights = worlds.flights()
    for before in (["average departure delay by origin", "how tall is the pilot"], ["how tall is the pilot"]):
        for words in ("only Delta", "and by month"):
            asked = ask(flights, *before, words)
            assert asked.table is None and "was not answered" in asked.answer.text
    asked = ask(flights, "average departure delay by origin", "how tall is the pilot", "flights by month")
    assert asked.table is not None and "altitude" not in asked.tool["input"]["sqlQuery"]


def test_a_failed_turn_is_not_built_upon() -> None:
    from svc_notebook.analyst.base import PastTurn, Turn
    from svc_notebook.analyst.offline import OfflineAnalyst
    from svc_notebook.analyst.offline.plans.plan import Plan

    world = worlds.flights()
    answered = ask(world, "average departure delay by origin").answer
    history = (
        PastTurn("average departure delay by origin", answered.text, memory=answered.memory),
        PastTurn("airports by altitude", "The query could not be run: no.", memory={"failed": "airports by altitude"}),
        PastTurn("airports by altitude", "", status="failed"),
    )

    async def draft() -> Plan:
        read = await OfflineAnalyst().draft(Turn("now by week", history), world.toolbox())
        assert read is not None
        return read.plan

    import asyncio

    plan = asyncio.run(draft())
    assert [d.grain for d in plan.dimensions] == ["week"]
    assert plan.measures[0].member == "flights.avg_departure_delay"


def test_a_word_of_four_letters_is_no_slip_for_another() -> None:
    asked = ask(worlds.flights(), "flights near JFK by month")
    assert "year" not in asked.tool["input"]["sqlQuery"].lower()


@pytest.mark.parametrize(
    ("question", "measure", "group"),
    [
        ("how high are the airports by name", "altitude", "name"),
        ("number of flights for each carrier code", "count", "carrier"),
        ("what is the breakdown of flights by origin", "count", "origin"),
        ("average departure delay per airline company", "avg_departure_delay", "airline"),
    ],
)
def test_what_is_known_is_still_answered(question: str, measure: str, group: str) -> None:
    sql = ask(worlds.flights(), question).tool["input"]["sqlQuery"]
    assert measure in sql and group in sql


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many planes are older than 20 years?", "20"),
        ("percentage of flights delayed more than 30 minutes per airline", "30"),
        ("airlines with a share of cancelled flights over 3 hours", "3"),
    ],
)
def test_a_number_with_a_unit_is_no_bound_of_a_count_or_a_share(question: str, number: str) -> None:
    asked = ask(worlds.flights(), question)
    assert asked.table is None or "HAVING" not in asked.tool["input"]["sqlQuery"]
    assert asked.table is not None or number in asked.answer.text
