"""How people go on: an order said at the end, a line of each, rows behind a number, ``the returning ones``, ``drop AT``."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import pandas as pd
import pytest
from asking import Asked, ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def ferries() -> World:
    count = 480
    rows = pd.DataFrame({
        "crossing_id": range(1, count + 1),
        "line": ["IN", "Coast", "Islands", "Night"] * (count // 4),
        "season_card": [n % 3 == 0 for n in range(count)], "no_wait": [n % 5 == 0 for n in range(count)],
        "sailed_on": [date(2023, 1, 1) + timedelta(days=n * 7 % 730) for n in range(count)],
        "fuel_cost": [float(n % 17 + 3) for n in range(count)], "price": [float(n * 11 % 97 + 20) for n in range(count)],
        "captain_name": ["Aune", "Bjerke", "Carlsen", "Dahl", "Eide"] * (count // 5),
        "captain_town": ["Moss", "Horten", "Moss", "Larvik", "Horten"] * (count // 5),
        "cars": [n * 5 % 40 + 1 for n in range(count)], "deck": ["upper", "lower", "lower"] * (count // 3),
    })  # fmt: skip
    engine = DuckDBEngine.open(None, data={"crossings": rows})
    return World(SemanticLayer(load_model(scaffold_model({"crossings": rows}, engine=engine)), engine))


def going_on(*turns: str) -> Asked:
    return ask(ferries(), *turns)


def sql(*turns: str) -> str:
    return str(going_on(*turns).tool["input"]["sqlQuery"])


@pytest.mark.parametrize("tail", [", biggest first", " from highest to lowest", ", descending", " and sort descending"])
def test_an_order_at_the_end_of_an_edit_is_kept(tail):
    assert "ORDER BY 2 DESC" in sql("total cars in 2024", f"by deck{tail}")


def test_an_order_at_the_end_works_on_what_the_turn_makes():
    assert (
        "ORDER BY 2 NULLS LAST" in (said := sql("total cars by line", "by deck, smallest first"))
        or "ORDER BY 2," in said
    )
    assert '"deck"' in said and '"line"' not in said


@pytest.mark.parametrize(
    "words", ["as a line per deck", "one line for each deck", "show it with a separate line per deck"]
)
def test_a_line_of_each_tells_apart_what_was_shown_over_time(words):
    said = sql("total cars by month in 2024", words)
    assert '"deck"' in said and "'month'" in said and "2024-01-01" in said


def test_a_bar_of_each_is_a_group_where_nothing_was_shown_over_time():
    assert '"line"' not in (said := sql("total cars by line", "one bar per deck")) and '"deck"' in said


@pytest.mark.parametrize("words", ["drop IN", "without IN", "exclude IN"])
def test_a_value_that_is_a_small_word_is_a_value(words):
    said = sql("total cars by line", words)
    assert "<> 'IN'" in said and "total_cars" in said


def test_no_is_a_part_of_a_name_behind_what_leaves_out():
    assert '"no_wait" = FALSE' in sql("crossings per line", "exclude no waits")


def test_the_ones_are_those_of_a_flag_that_begins_so():
    assert '"season_card" = TRUE' in sql("crossings per line", "only the season ones")


def test_a_total_in_a_thread_is_of_the_number_before():
    assert "cars" in (said := sql("total cars per month", "total per deck")) and '"deck"' in said


def test_a_superlative_goes_by_the_number_of_its_kind_that_was_shown():
    said = sql("average price by deck in 2024", "which deck is the cheapest?")
    assert "2024-01-01" in said and "LIMIT 1" in said


@pytest.mark.parametrize("words", ["show the rows behind it", "the underlying rows", "show me the raw data"])
def test_rows_behind_a_number_are_listed(words):
    found = going_on("crossings per deck in 2024", words)
    assert "crossing_id" in found.tool["input"]["sqlQuery"] and found.table is not None
    assert found.table.num_rows == sum(row[1] for row in going_on("crossings per deck in 2024").rows())


def test_how_much_of_all_that_is_has_many_words():
    shares = {
        repr(going_on("crossings with a season card", words).rows())
        for words in (
            "what share of all crossings is that",
            "what percentage of all is that",
            "as a share of all crossings",
        )
    }
    assert len(shares) == 1


def test_the_year_before_is_looked_at_for_the_first_of_them_as_well():
    said = sql("which line had the most crossings in 2024", "and the year before that?")
    assert "2023-01-01" in said and "LIMIT 1" in said


def test_the_month_before_the_best_one_is_that_month_alone():
    assert "LIMIT" not in sql(
        "crossings by month in 2024", "which month had the most crossings", "and the month before?"
    )


def test_what_came_in_is_no_cost():
    assert "fuel_cost" not in sql("revenue by month")


@pytest.mark.parametrize(
    "words", ["start over: how many crossings were there", "new question: how many crossings were there"]
)
def test_what_begins_anew_keeps_nothing(words):
    assert sql("total cars by line in 2024", "only upper", words) == sql("how many crossings were there")


def test_a_group_that_paid_the_most_in_all_is_the_best():
    assert "DESC" in sql("total price by line", "who is the best")
    assert "DESC" not in sql("average price by line", "which one is the best")


def test_words_that_only_correct_are_left_out_of_what_is_read():
    assert "fuel_cost" in sql("total price by line", "no sorry i meant fuel")


def test_how_it_did_year_by_year_is_of_the_one_that_was_shown():
    said = sql("total cars by line", "which one has the most", "how did that one do year by year")
    assert "'year'" in said and '"line" = \'' in said


def test_they_are_none_of_what_is_asked_of_them():
    assert going_on("which lines are they from").tool == {}


def test_rows_behind_are_called_by_their_noun():
    assert "crossing_id" in sql("crossings per deck in 2024", "show me the crossings behind that")


def test_what_is_asked_behind_where_it_goes_back_to_is_an_edit_of_that():
    said = sql("total cars by line", "average price per deck", "back to the cars per line, without IN")
    assert "<> 'IN'" in said and "cars" in said


def test_a_line_may_be_something_of_the_data():
    assert '"line"' in sql("total cars in 2024", "by line")
    assert '"line"' in sql("total cars per deck", "and by line?")


def test_places_are_of_those_whose_names_stand_beside_them():
    found = going_on("top 3 captain names by total price", "where are they from")
    assert {town for row in found.rows() for town in row} & {"Moss", "Horten", "Larvik"}
