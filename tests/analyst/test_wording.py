"""What people read: titles of columns, results and suggestions are words, in the plural where several are meant."""

from __future__ import annotations

import pandas as pd
import pytest
import worlds
from asking import ask
from trades import retail, school

import svc_notebook as svc
from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.analyst.offline.schema.nouns import plural, verb
from svc_notebook.analyst.offline.suggestions import starting_questions

WORLDS = {
    "flights": worlds.flights, "shop": worlds.shop, "hospital": worlds.hospital, "retail": retail, "school": school,
}  # fmt: skip


def heads(model: str, question: str) -> dict[str, str]:
    schema = ask(WORLDS[model](), question).tool["result"]["schema"]
    return {column["name"]: column.get("title", "") for column in schema}


@pytest.mark.parametrize(
    ("model", "question", "title"),
    [
        ("flights", "flights by season", "Scheduled departure (season)"),
        ("flights", "flights by day of month", "Scheduled departure (day of month)"),
        ("flights", "share of flights by origin", "Share of flights"),
        ("flights", "rank of carriers by flights", "Rank by flights"),
        ("flights", "growth of flights by month", "Growth of flights"),
        ("flights", "year over year flights by month", "Growth of flights over the year before"),
        ("flights", "running total of flights by month", "Running total of flights"),
        ("flights", "moving average of flights by week", "Moving average of flights"),
        ("flights", "ratio of cancelled flights to flights by origin", "Ratio of cancelled flights to flights"),
        ("flights", "distance distribution", "Distance (from, steps of 100 miles)"),
        ("shop", "revenue by weekday", "Order date (weekday)"),
        ("hospital", "number of visits by ward", "Ward name"),
        ("hospital", "standard deviation of cost by severity", "Standard deviation of cost"),
    ],
)
def test_heads_are_words(model: str, question: str, title: str) -> None:
    assert title in heads(model, question).values()


@pytest.mark.parametrize("model", sorted(WORLDS))
def test_suggestions_and_their_answers_read_as_words(model: str) -> None:
    world = WORLDS[model]()
    for question in starting_questions(world.metadata, 12):
        asked = ask(world, question)
        said = [asked.answer.text, asked.tool["input"]["queryTitle"], *asked.answer.suggestions]
        said += [column.get("title", "") for column in asked.tool["result"]["schema"]]
        assert all(text and "_" not in text for text in said), (question, said)
        assert "left out" not in asked.answer.text, question


@pytest.mark.parametrize("model", sorted(WORLDS))
def test_suggested_questions_are_read_for_sure(model: str) -> None:
    world = WORLDS[model]()
    for question in starting_questions(world.metadata, 12):
        plan = read(question, world.metadata, worlds.NOW, (), 2013).plan
        assert plan is not None and plan.confidence >= 0.85 and not plan.unread, question


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("city", "cities"), ("airline", "airlines"), ("person", "people"), ("salesperson", "salespeople"),
        ("child", "children"), ("day", "days"), ("box", "boxes"), ("class", "classes"), ("branch", "branches"),
        ("status", "statuses"), ("analysis", "analyses"), ("diagnosis", "diagnoses"), ("life", "lives"),
        ("aircraft", "aircraft"), ("series", "series"), ("type of plane", "types of plane"), ("day of week", "days of week"),
        ("carriers", "carriers"), ("destination airport", "destination airports"), ("ID", "IDs"), ("country", "countries"),
        ("shelf", "shelves"), ("index", "indices"), ("category", "categories"), ("address", "addresses"), ("woman", "women"),
    ],
)  # fmt: skip
def test_nouns_in_the_plural(one: str, many: str) -> None:
    assert plural(one) == many


def test_top_lists_are_in_the_plural() -> None:
    asked = ask(worlds.flights(), "median distance by airline")
    assert any(text.startswith("Top 5 airlines by median distance") for text in asked.answer.suggestions)
    assert ask(worlds.shop(), "top 3 cities by revenue").tool["input"]["queryTitle"] == "Top 3 cities by revenue"
    one = ask(worlds.shop(), "which country has the highest revenue").tool["input"]["queryTitle"]
    assert one == "Country with the highest revenue"
    per = ask(worlds.flights(), "top 3 destinations per origin").tool["input"]["queryTitle"]
    assert per == "Top 3 destinations per origin by flights"


def test_different_values_are_counted_in_the_plural() -> None:
    assert "different cities" in ask(worlds.shop(), "list all cities").answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many orders were returned", "returned orders**."),
        ("returned orders by country", "Number of returned orders: **"),
        ("returned orders by month", "Number of returned orders"),
        ("units by country where orders are returned", ", where returned."),
        ("top 2 countries by units in March 2024", ", in March 2024."),
        ("orders by country of Acme Inc.", ", where maker is Acme Inc."),
        ("how many orders of Acme Inc.", ", where maker is Acme Inc."),
    ],
)
def test_a_sentence_says_which_rows_it_is_about(question: str, said: str) -> None:
    days = pd.date_range("2024-01-01", periods=120, freq="D")
    orders = pd.DataFrame(
        {
            "order_id": range(120), "day": days, "units": [number % 7 + 1 for number in range(120)],
            "country": [["France", "Spain", "Italy"][number * number % 3] for number in range(120)],
            "returned": [number % 4 == 0 for number in range(120)],
            "maker": [["Acme Inc.", "Bolt Ltd."][number % 2] for number in range(120)],
        }
    )  # fmt: skip
    with svc.embedded({"orders": orders}) as client:
        told = client.chat().ask(question).text
    assert said in told
    assert "/" not in told  # no pairs of what was asked for and what it is ranked by
    assert ".." not in told


def test_what_the_groups_show_is_not_said_again() -> None:
    assert "where" not in ask(worlds.flights(), "flights from JFK and LGA by origin").answer.text


def test_counts_have_a_most_and_a_fewest() -> None:
    said = ask(worlds.flights(), "cancelled flights by carrier").answer.text
    assert "most cancelled flights" in said
    assert "highest cancelled" not in said


@pytest.mark.parametrize(
    ("title", "said"),
    [("Flights", "fall"), ("Number of flights", "falls"), ("Total revenue", "falls"), ("Sales by web", "fall")],
)
def test_verbs_follow_the_number_of_what_they_are_said_of(title: str, said: str) -> None:
    assert verb(title, "falls", "fall") == said


def test_a_share_is_of_what_is_counted() -> None:
    frame = pd.DataFrame({"ticket": range(30), "team": ["a", "b", "c"] * 10})
    with svc.embedded({"tickets": frame}) as client:
        answer = client.chat().ask("share of tickets by team")
    assert "share of tickets" in (answer.text or "") and "of number of" not in (answer.text or "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many visits in March 2023", "**31 visits** in March 2023."),
        ("how many visits between 10 March and 20 March 2023", "**11 visits** from 10 to 20 March 2023."),
        ("how many visits from April to June 2023", "**91 visits** in Q2 2023."),
        ("how many visits before March 2023", "**59 visits** before March 2023."),
        ("how many visits took more than 45 minutes", ", where stay is more than 45 minutes."),
        ("visits by weekday in March 2023", ", in March 2023."),
        ("how many guests invited in 2022", "**21 guests** invited in 2022."),
        ("average fee", "**€0.35** is the average fee."),
    ],
)
def test_the_rows_of_an_answer_are_told_as_people_do(question: str, said: str) -> None:
    days = pd.date_range("2023-01-01", periods=200, freq="D")
    guests = pd.DataFrame(
        {"guest_id": range(30), "invited": pd.date_range("2022-01-01", periods=30, freq="18D"), "town": ["Ulm"] * 30}
    )
    visits = pd.DataFrame(
        {
            "visit_id": range(200), "guest_id": [n % 30 for n in range(200)], "visited_at": days,
            "stay_minutes": [n % 60 + 7 for n in range(200)], "fee_eur": [(n % 4) * 0.2345 for n in range(200)],
        }
    )  # fmt: skip
    with svc.embedded({"visits": visits, "guests": guests}) as client:
        assert said in client.chat().ask(question).text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("how many airlines were flying in the first half of 2013", "**16 airlines flying**"),
        ("how many airlines were flying from ICT in 2013", ""),
        ("average arrival delay", "is the average arrival delay"),
    ],
)
def test_a_number_of_things_is_told_as_so_many_of_them(question: str, words: str) -> None:
    with svc.demo() as client:
        text = client.chat().ask(question).text
    assert words in text and "is the airlines" not in text


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("in the first half of 2013", "in the first half of 2013"), ("in Q2 2013", "in Q2 2013"),
        ("from March to May 2013", "from March to May 2013"), ("on 4 July 2013", "on 4 July 2013"),
        ("from 3 May 2013 to 9 May 2013", "from 3 to 9 May 2013"),
    ],
)  # fmt: skip
def test_a_period_has_one_name_in_the_sentence_and_in_the_reading(said: str, named: str) -> None:
    with svc.demo() as client:
        answer = client.chat().ask(f"how many flights were there {said}")
    assert named in answer.text and str(answer.reading).endswith(named)
