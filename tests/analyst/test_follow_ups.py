"""What a turn says of the turns before it, kind by kind: brought back, exchanged, compared again, or told to be unclear."""

from __future__ import annotations

from collections import Counter

import pytest
import worlds
from asking import Asked, ask

from benchmarks.conversations import outcomes
from svc_notebook.analyst.offline.asking import asked
from svc_notebook.analyst.offline.schema.polarity import is_bad_when_high
from svc_notebook.analyst.offline.schema.values import ValueIndex
from svc_notebook.analyst.offline.words.text import tokenize
from svc_notebook.analyst.toolbox import Toolbox


def shop(*questions: str) -> Asked:
    return ask(worlds.shop(), *questions)


def sql(*questions: str) -> str:
    return str(shop(*questions).tool["input"]["sqlQuery"])


@pytest.mark.parametrize("name", ["loans", "tickets"])
def test_conversations_of_our_own_making_come_out_right(name: str) -> None:
    found = list(outcomes(name))
    counts = Counter(outcome.verdict for outcome in found)
    lost = [(outcome.questions[-2:], outcome.sql) for outcome in found if outcome.verdict == "wrong"]
    assert counts["wrong"] <= 2 and counts["right"] >= 0.9 * len(found), lost


def test_a_topic_is_returned_to_by_name() -> None:
    assert sql("revenue by country", "number of orders per channel", "back to the revenue") == sql("revenue by country")


def test_a_topic_that_was_none_is_not_returned_to() -> None:
    asked = shop("revenue by country", "back to the weather")
    assert asked.tool == {} and "weather" in asked.answer.text


def test_what_was_left_out_is_brought_back() -> None:
    assert "'cancelled'" not in sql("revenue by country", "without cancelled", "bring cancelled back")


@pytest.mark.parametrize(
    "words", ["replace Germany with France", "swap Germany for France", "change Germany to France"]
)
def test_one_takes_the_place_of_another(words: str) -> None:
    assert "'France'" in (said := sql("revenue by month", "only Germany", words)) and "'Germany'" not in said


def test_a_comparison_takes_another_number() -> None:
    assert "> 900" in sql("number of orders with unit price above 500", "above 900")


@pytest.mark.parametrize(
    "words", ["only Germany", "by month", "how many is that", "as a percentage", "and their profit"]
)
def test_nothing_is_built_upon_a_question_that_was_not_answered(words: str) -> None:
    asked = shop("revenue by country", "average florb of the zorks by channel", words)
    assert asked.tool == {} and "was not answered" in asked.answer.text


@pytest.mark.parametrize("words", ["only Germany", "by month", "as a percentage"])
def test_what_it_would_be_of_the_answer_before_is_offered_and_taken(words: str) -> None:
    """Behind a question that was not answered: said, and nothing is carried over before somebody says yes."""
    refused = ["revenue by country", "average florb of the zorks by channel"]
    asked = shop(*refused, words)
    assert "“revenue by country”" in asked.answer.text and len(asked.answer.choices) == 1
    assert sql(*refused, words, "yes") == sql(refused[0], words)


@pytest.mark.parametrize("words", ["only Delta", "as a bar chart", "only Delta; ok", "only Delta; and elephants; 1"])
def test_what_is_left_out_is_left_out_of_its_edits(words: str) -> None:
    """“Without … I can answer” goes on with what is said next, and every time says what is missing."""
    turns = ["flights to Bostonia by month", *words.split("; ")]
    asked = ask(worlds.flights(), *turns)
    if len(turns) > 2:
        assert "'Delta Air Lines Inc.'" in asked.tool["input"]["sqlQuery"]
    else:
        assert asked.tool == {} and "Still without “Bostonia”" in asked.answer.text and asked.answer.choices


def test_a_yes_takes_the_one_question_that_near_readings_ask() -> None:
    turns = ["orders of unicycles by channel", "only Germany"]
    asked = shop(*turns)
    assert asked.tool == {} and [choice.question[:16] for choice in asked.answer.choices] == ["Number of orders"]
    assert sql(*turns, "ok") == sql(*turns, "1")


@pytest.mark.parametrize(("turns", "wanted"), [
    (["top 5 countries by revenue", "3"], "LIMIT 3"), (["orders with unit price above 500", "900"], "> 900"),
])  # fmt: skip
def test_a_number_alone_takes_the_place_of_the_one_there(turns: list[str], wanted: str) -> None:
    assert wanted in sql(*turns)


def test_pieces_that_hung_on_a_refused_question_make_none_together() -> None:
    """Each was refused as being about that; a later piece does not gather them up."""
    turns = ["how tall is the pilot", "only Delta", "by month"]
    asked = ask(worlds.flights(), *turns, "top 5")
    assert asked.tool == {} and asked.answer.outcome == "refused"


def test_what_was_passed_over_is_told() -> None:
    asked = shop("revenue by country", "only the zorks", "only Germany")
    assert "'Germany'" in asked.tool["input"]["sqlQuery"] and "“only the zorks” was not read" in asked.answer.text


def test_a_whole_question_is_answered_after_one_that_was_not() -> None:
    assert sql("average florb of the zorks by channel", "revenue by month") == sql("revenue by month")


def test_the_whole_year_takes_the_month_away() -> None:
    said = sql("revenue by country in march 2024", "for the whole year")
    assert "2024-01-01" in said and "2025-01-01" in said


def test_a_correction_takes_the_place_of_what_stood_there() -> None:
    """``departure delay`` is a number and half the name of a flag: what is meant is not also a condition."""
    asked = ask(worlds.flights(), "average arrival delay by airline", "no, I meant departure delay")
    said = str(asked.tool["input"]["sqlQuery"])
    assert "departure_delay" in said and "arrival_delay" not in said and "delayed" not in said


def test_the_top_of_those_goes_by_their_number() -> None:
    asked = ask(worlds.flights(), "average departure delay by airline", "only JFK", "top 3 of those")
    said = str(asked.tool["input"]["sqlQuery"])
    assert "avg_departure_delay" in said.lower() and "DESC" in said and "count" not in said.lower()


def over(sql: str) -> list[tuple[object, ...]]:
    """The rows of a query over the shop's model."""
    return sorted(asked_rows(worlds.shop().toolbox(), sql), key=repr)


def asked_rows(toolbox: Toolbox, sql: str) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in asked(toolbox, sql).to_pylist()]


BY_MONTH = "EXTRACT(MONTH FROM order_date), DATE_TRUNC('year', order_date)"


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (["revenue in Germany", "compare that with France"],
         "SELECT country, MEASURE(revenue) FROM orders WHERE country IN ('Germany', 'France') GROUP BY 1"),
        (["revenue by channel", "compare Germany with France"],
         "SELECT country, channel, MEASURE(revenue) FROM orders WHERE country IN ('Germany', 'France') GROUP BY 1, 2"),
        (["revenue by month in 2024", "compare that with last year"],
         f"SELECT {BY_MONTH}, MEASURE(revenue) FROM orders WHERE EXTRACT(YEAR FROM order_date) IN (2023, 2024) GROUP BY 1, 2"),
        (["revenue in March 2024", "how does that compare to April?"],
         ("SELECT DATE_TRUNC('month', order_date), MEASURE(revenue) FROM orders WHERE order_date >= '2024-03-01'"
         " AND order_date < '2024-05-01' GROUP BY 1")),
        (["revenue in summer", "compare with winter"],
         ("SELECT CASE WHEN EXTRACT(MONTH FROM order_date) IN (12, 1, 2) THEN 'winter' ELSE 'summer' END, MEASURE(revenue)"
          " FROM orders WHERE EXTRACT(MONTH FROM order_date) IN (12, 1, 2, 6, 7, 8) GROUP BY 1")),
        (["how did revenue change from July 2024 to August 2024", "only Germany"],
         ("SELECT DATE_TRUNC('month', order_date), MEASURE(revenue) FROM orders WHERE order_date >= '2024-07-01'"
         " AND order_date < '2024-09-01' AND country = 'Germany' GROUP BY 1")),
        (["revenue in March 2024", "and in April?", "what's the difference?"],
         ("SELECT DATE_TRUNC('month', order_date), MEASURE(revenue) FROM orders WHERE order_date >= '2024-03-01'"
         " AND order_date < '2024-05-01' GROUP BY 1")),
        (["number of orders by city", "only those with more than 100"],
         "SELECT city, MEASURE(count) FROM orders GROUP BY 1 HAVING MEASURE(count) > 100"),
        (["average shipping days by city", "only the ones above 7 days"],
         "SELECT city, AVG(shipping_days) FROM orders GROUP BY 1 HAVING AVG(shipping_days) > 7"),
        (["which country has the most revenue", "what is its average shipping time?"],
         ("SELECT country, AVG(shipping_days) FROM orders WHERE country = (SELECT country FROM orders GROUP BY 1"
         " ORDER BY MEASURE(revenue) DESC LIMIT 1) GROUP BY 1")),
        (["revenue in Germany", "everyone else"],
         "SELECT MEASURE(revenue) FROM orders WHERE country <> 'Germany'"),
        (["revenue by country", "only Germany and France", "how much is that in total?"],
         "SELECT MEASURE(revenue) FROM orders WHERE country IN ('Germany', 'France')"),
        (["revenue in May 2024", "the whole quarter"],
         "SELECT MEASURE(revenue) FROM orders WHERE order_date >= '2024-04-01' AND order_date < '2024-07-01'"),
        (["revenue by status and country", "only completed", "remove the status filter"],
         "SELECT status, country, MEASURE(revenue) FROM orders GROUP BY 1, 2"),
        (["number of orders by country", "only weekends", "and weekdays?"],
         "SELECT country, MEASURE(count) FROM orders WHERE EXTRACT(ISODOW FROM order_date) IN (1, 2, 3, 4, 5) GROUP BY 1"),
        (["how many orders in 2023?", "and the year before?"],
         "SELECT COUNT(*) FROM orders WHERE order_date >= '2022-01-01' AND order_date < '2023-01-01'"),
        (["revenue by month in 2023", "what about March only?"],
         ("SELECT DATE_TRUNC('month', order_date), MEASURE(revenue) FROM orders WHERE order_date >= '2023-03-01'"
         " AND order_date < '2023-04-01' GROUP BY 1")),
        (["number of orders by unit price in steps of 100", "in steps of 50"],
         "SELECT FLOOR(unit_price / 50) * 50, COUNT(*) FROM orders GROUP BY 1"),
        (["revenue by country", "by shipping days in bins of 5"],
         "SELECT FLOOR(shipping_days / 5) * 5, MEASURE(revenue) FROM orders GROUP BY 1"),
        (["average unit price", "as a histogram"],
         "SELECT FLOOR(unit_price / 50) * 50, COUNT(*) FROM orders GROUP BY 1"),
        (["revenue by month in 2023", "stacked by channel"],
         ("SELECT DATE_TRUNC('month', order_date), channel, MEASURE(revenue) FROM orders WHERE order_date >= '2023-01-01'"
         " AND order_date < '2024-01-01' GROUP BY 1, 2")),
        (["top 2 countries by number of orders", "how many of those were cancelled?"],
         ("SELECT COUNT(*) FROM orders WHERE status = 'cancelled' AND country IN"
         " (SELECT country FROM orders GROUP BY 1 ORDER BY COUNT(*) DESC, 1 LIMIT 2)")),
        (["revenue by city in 2023", "which city is the largest?"],
         ("SELECT city, MEASURE(revenue) FROM orders WHERE order_date >= '2023-01-01' AND order_date < '2024-01-01'"
         " GROUP BY 1 ORDER BY 2 DESC LIMIT 1")),
        (["which city has the most revenue?", "show all cities"],
         "SELECT city, MEASURE(revenue) FROM orders GROUP BY 1"),
        (["total shipping days by country", "per order"],
         "SELECT country, AVG(shipping_days) FROM orders GROUP BY 1"),
        (["revenue by country in 2024", "exclude the first quarter"],
         ("SELECT country, MEASURE(revenue) FROM orders WHERE order_date >= '2024-04-01' AND order_date < '2025-01-01'"
         " GROUP BY 1")),
        (["revenue by country in 2024", "what about before June?"],
         ("SELECT country, MEASURE(revenue) FROM orders WHERE order_date >= '2024-01-01' AND order_date < '2024-06-01'"
         " GROUP BY 1")),
        (["revenue by country", "2023 vs 2024"],
         ("SELECT DATE_TRUNC('year', order_date), country, MEASURE(revenue) FROM orders WHERE order_date >= '2023-01-01'"
         " AND order_date < '2025-01-01' GROUP BY 1, 2")),
        (["average unit price by country", "median not average"],
         "SELECT country, MEDIAN(unit_price) FROM orders GROUP BY 1"),
        (["average unit price by country", "same thing but web and phone combined"],
         "SELECT country, AVG(unit_price) FROM orders WHERE channel IN ('web', 'phone') GROUP BY 1"),
        (["revenue by country", "split that into web and store"],
         "SELECT country, channel, MEASURE(revenue) FROM orders WHERE channel IN ('web', 'store') GROUP BY 1, 2"),
        (["revenue by country in 2023", "over time"],
         ("SELECT DATE_TRUNC('month', order_date), MEASURE(revenue) FROM orders WHERE order_date >= '2023-01-01'"
         " AND order_date < '2024-01-01' GROUP BY 1")),
        (["which city has the most revenue?", "compare that to Lyon"],
         ("SELECT city, MEASURE(revenue) FROM orders WHERE city = 'Lyon' OR city = (SELECT city FROM orders GROUP BY 1"
         " ORDER BY MEASURE(revenue) DESC LIMIT 1) GROUP BY 1")),
        (["revenue by country", "only Germany", "how many are there?"],
         "SELECT COUNT(*) FROM orders WHERE country = 'Germany'"),
    ],
)  # fmt: skip
def test_a_turn_gives_the_rows_that_a_query_by_hand_does(turns: list[str], wanted: str) -> None:
    assert sorted(shop(*turns).rows(), key=repr) == over(wanted), sql(*turns)


def test_a_running_total_ends_in_the_whole() -> None:
    numbers = [row[1] for row in shop("number of orders by month", "cumulative").rows()]
    assert numbers == sorted(numbers) and numbers[-1] == shop("how many orders are there").rows()[0][0]


def test_that_month_is_the_one_that_was_named() -> None:
    best = shop("which month has the most orders")
    asked = ["which month has the most orders", "how many orders in that month?"]
    assert shop(*asked).rows() == [(best.rows()[0][1],)]


def test_worst_and_slowest_are_said_of_the_number_before() -> None:
    ranked = sorted(shop("average shipping days by city").rows(), key=lambda row: row[1])
    assert shop("average shipping days by city", "which city is slowest?").rows()[0][0] == ranked[-1][0]
    assert shop("average shipping days by city", "which city is fastest?").rows()[0][0] == ranked[0][0]


@pytest.mark.parametrize(
    "words", ["compare that with last month", "what's the difference?", "everyone else", "cumulative"]
)
def test_what_nothing_was_said_for_is_told_to_be_unclear(words: str) -> None:
    asked = shop("revenue by country", words)
    assert asked.tool == {} and "I cannot do that with the answer before" in asked.answer.text


def test_the_second_is_not_told_to_be_the_first() -> None:
    ranked = sorted(shop("revenue by city").rows(), key=lambda row: -row[1])
    asked = shop("which city has the most revenue?", "and the second?")
    assert asked.rows()[0][0] == ranked[1][0] and "second highest revenue" in asked.answer.text


def test_rows_that_were_counted_are_listed() -> None:
    counted = shop("how many orders were returned in 2023?").rows()[0][0]
    asked = shop("how many orders were returned in 2023?", "list them")
    assert len(asked.rows()) == counted and "order_date" in asked.tool["input"]["sqlQuery"]


def test_when_the_extreme_was_is_its_own_row() -> None:
    (row,) = shop("highest unit price", "when was that?").rows()
    top = over("SELECT order_date, unit_price FROM orders ORDER BY unit_price DESC LIMIT 1")
    assert row[1] == top[0][1]


@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ("as a stacked bar", "bar stacked"),
        ("as a line", "line"),
        ("grouped bars", "bar grouped"),
        ("as a table", "table"),
    ],
)
def test_how_bars_stand_is_kept_by_the_thread(words: str, mark: str) -> None:
    asked = shop("revenue by country and channel", words)
    assert asked.answer.memory["chart"] == mark
    assert shop("revenue by country and channel", words, "only Germany").answer.memory["chart"] == mark


@pytest.mark.parametrize(
    ("turns", "why"),
    [
        (["revenue by country", "in steps of 50"], "not grouped by a number"),
        (["number of orders by unit price in steps of 100", "in steps of 0.01"], "more than 500 steps"),
        (["revenue by country", "when was that?"], "more than one moment"),
        (["revenue by country", "and the year before?"], "no one period was looked at"),
        (["number of orders by country", "per order"], "a row of its own"),
        (["number of orders by country", "in weeks please"], "nothing of it can be told in weeks"),
        (["average shipping days by country", "in days"], "shown in days already"),
    ],
)
def test_what_has_no_place_in_the_answer_before_says_why(turns: list[str], why: str) -> None:
    asked = shop(*turns)
    assert asked.tool == {} and why in asked.answer.text


def test_of_all_rows_is_offered_beside_of_what_was_shown() -> None:
    asked = shop("revenue by city in 2023", "which city is the largest?")
    assert [choice for choice in asked.answer.choices if "2023" not in choice.question]


def test_what_takes_long_is_bad() -> None:
    assert is_bad_when_high(["average", "hours", "to", "resolve"]) and not is_bad_when_high(["flight", "hours"])


def test_months_in_time_are_in_the_order_of_time_whatever_was_sorted_before() -> None:
    months = [row[0] for row in shop("revenue by country", "ascending", "by month instead").rows()]
    assert months == sorted(months)


def test_women_are_female_also_where_there_are_more_than_two_kinds() -> None:
    index = ValueIndex()
    index.add("members.gender", ("female", "male", "diverse"), complete=True)
    assert {match.value for match in index.find(tokenize("only women"), 1)} == {"female"}


def test_a_city_that_begins_like_a_code_is_not_that_code() -> None:
    asked = ask(worlds.flights(), "average air time to Los Angeles", "and to San Francisco?")
    said = str(asked.tool["input"]["sqlQuery"])
    assert "San Francisco Intl" in said and "'SAN'" not in said and asked.rows()[0][-1] is not None
