"""What a turn says of the answer before, read whole: an order, an exchange, a way back, both sides of a flag, pronouns."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import pandas as pd
import pytest
from asking import Asked, ask
from worlds import World

from svc_notebook.analyst.offline.forms import Form, from_sql
from svc_notebook.analyst.offline.plans.forms_as_plans import plan_of
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def boats() -> World:
    """A rowing club: its boats, and how each was out."""
    names = ["Alder", "Birch", "Cedar", "Douglas", "Elder", "Fir"]
    fleet = pd.DataFrame({
        "boat_id": range(1, 7), "boat_name": names, "seats": [1, 1, 2, 4, 4, 8],
        "built": [1979, 1986, 1994, 1998, 2006, 2011],
    })  # fmt: skip
    count = 360
    outings = pd.DataFrame({
        "outing_id": range(1, count + 1), "boat_id": [n * n % 6 + 1 for n in range(count)],
        "day": [date(2023, 1, 2) + timedelta(days=n * 11 % 700) for n in range(count)],
        "weather": ["calm", "windy", "calm", "rainy", "foggy"] * (count // 5),
        "coached": [n % 3 == 0 for n in range(count)], "minutes": [n * 7 % 90 + 15 for n in range(count)],
        "stretch": ["upper", "lower", "weir"] * (count // 3), "damage_cost": [float(n % 13) for n in range(count)],
    })  # fmt: skip
    tables = {"boats": fleet, "outings": outings}
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


def going_on(*turns: str) -> Asked:
    return ask(boats(), *turns)


def sql(*turns: str) -> str:
    return str(going_on(*turns).tool["input"]["sqlQuery"])


@pytest.mark.parametrize(
    "words", ["highest on top", "sort it, largest at the top", "biggest at the top", "sort it high to low"]
)
def test_what_is_on_top_comes_first(words):
    assert "ORDER BY 2 DESC" in sql("outings by weather", words)


@pytest.mark.parametrize("words", ["worst on top", "sort it worst to best", "sort them, worst at the top"])
def test_the_worst_of_what_is_bad_is_the_most(words):
    assert "ORDER BY 2 DESC" in sql("damage cost by weather", words)


def test_a_picture_may_be_asked_for_with_its_order():
    assert "ORDER BY 2 DESC" in sql("outings by weather", "as a bar chart, highest on top")


@pytest.mark.parametrize("words", ["the worst two", "worst two", "the worst 2"])
def test_the_worst_few_are_as_many_as_is_said(words):
    said = sql("damage cost by weather", words)
    assert "LIMIT 2" in said and "DESC" in said


@pytest.mark.parametrize("words", ["and instead of weather, by stretch", "instead of weather by stretch"])
def test_what_goes_may_be_said_first(words):
    said = sql("outings by weather", words)
    assert '"stretch"' in said and '"weather"' not in said


@pytest.mark.parametrize("words", ["split into coached and not coached", "split it into coached and uncoached"])
def test_both_sides_of_a_flag_leave_out_neither(words):
    said = sql("outings by weather", words)
    assert '"coached"' in said and "WHERE" not in said


@pytest.mark.parametrize("words", ["as a %", "as a % please", "in % of the total"])
def test_a_sign_is_percent(words):
    assert "share" in sql("outings by weather", words)


def test_percent_is_of_those_that_were_spoken_of():
    said = sql("how many outings in calm weather in 2024", "how many of those were coached", "as a % please")
    condition = said.split("WHERE")[1]
    assert "calm" in condition and "calm" not in said.split("FROM")[0]


@pytest.mark.parametrize("words", ["no undo that, calm only again", "undo that, just calm"])
def test_what_holds_already_is_said_of_what_was_there(words):
    steps = ["outings by month in 2024", "only calm", "add the windy ones", words]
    assert "= 'calm'" in sql(*steps) and "windy" not in sql(*steps)


def test_more_may_be_said_of_what_was_there():
    said = sql("outings by month", "by weather", "no go back, in 2024")
    assert "DATE_TRUNC('month'" in said and "2024-01-01" in said


def test_what_was_not_answered_is_undone_by_what_is_shown_still():
    said = sql("outings by weather", "only in 2024", "now blurp them", "undo that")
    assert "2024-01-01" in said and '"weather"' in said


def test_rows_of_a_list_are_counted_where_it_is_asked_how_many():
    assert sql("list the outings in calm weather in march 2024", "how many were there in april").startswith(
        "SELECT COUNT(*)"
    )


def test_days_have_no_hours():
    assert not going_on("outings by boat", "add their hours").tool


def test_how_often_something_happened_is_asked_of_what_was_shown():
    said = sql("list boats with 1 seat", "how often were they out in 2024")
    assert '"outings"' in said and '"seats" = 1' in said and "2024-01-01" in said


@pytest.mark.parametrize("words", ["how many outings did they have", "which of them have windy outings"])
def test_they_are_those_of_the_question_that_was_not_answered(words):
    assert not going_on("who blurps the most", words).tool


def test_other_words_for_part_of_an_edit_are_no_question_of_their_own():
    answer = going_on("top 2 boats by outings", "of those how many were blurped in calm weather", "i meant windy")
    assert not answer.tool or "windy" not in answer.tool["input"]["sqlQuery"] or "left out" in answer.answer.text


@pytest.mark.parametrize(
    "words", ["now for something different, how many boats are there", "ok new one, how many boats are there"]
)
def test_something_different_is_no_word_of_the_question(words):
    answer = going_on("outings by weather", words)
    assert "6 boats" in answer.answer.text and "left out" not in answer.answer.text


def test_a_part_is_not_the_whole():
    answer = going_on("damage cost in 2024", "how much of that is paid already")
    assert not answer.tool
    assert '"coached"' in sql("number of outings in 2024", "how many of those were coached")


def test_a_value_that_is_looked_up_is_no_average():
    toolbox = boats().toolbox(None)
    metadata = load_metadata(toolbox)
    looked_up = "(SELECT boat_id FROM boats ORDER BY built LIMIT 1)"
    form = from_sql(
        f"SELECT weather, COUNT(*) AS n FROM outings WHERE boat_id = {looked_up} GROUP BY 1", metadata.catalog
    )
    assert isinstance(form, Form) and plan_of(form, metadata) is None
