"""Readings that are about as near are offered; a click or words take one, and the thread remembers which."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
import worlds
from asking import Asked, ask

import svc_notebook as svc
from svc_notebook.analyst.base import PastTurn, Turn
from svc_notebook.analyst.offline import agent
from svc_notebook.analyst.offline import asking as running
from svc_notebook.analyst.offline.asking import given
from svc_notebook.analyst.offline.dialogue.choosing import chosen, kept_options, options_of, question_back
from svc_notebook.analyst.offline.dialogue.hearing import hear
from svc_notebook.analyst.offline.dialogue.weighing import Ranked, likely
from svc_notebook.analyst.offline.forms import Form, from_sql

DELAY = "average delay by airline"


def talk(*questions: str) -> Asked:
    return ask(worlds.flights(), *questions)


def sql(asked: Asked) -> str:
    return str(asked.tool["input"]["sqlQuery"])


def test_readings_about_as_near_stand_beside_the_answer() -> None:
    asked = talk(DELAY)
    questions = [choice.question for choice in asked.answer.choices]
    assert questions == ["Average departure delay by airline", "Average arrival delay by airline"]
    assert "avg_departure_delay" in sql(asked)
    assert "2. Average arrival delay by airline" in asked.answer.text  # for whoever shows no buttons


@pytest.mark.parametrize("words", ["2", "the second", "the second one, please", "by arrival", "arrival", "I meant arrival"])  # fmt: skip
def test_words_take_one(words: str) -> None:
    assert "avg_arrival_delay" in sql(talk(DELAY, words))


def test_the_first_is_the_one_that_was_answered() -> None:
    assert sql(talk(DELAY, "the first")) == sql(talk(DELAY))


def test_what_else_an_unsure_edit_may_be_stands_beside_it_and_can_be_taken() -> None:
    said = ["flights by month", "for LGA"]
    asked = talk(*said)
    first, *others = [choice.question for choice in asked.answer.choices]
    assert first.startswith("Flights by month") and others
    assert f"2. {others[0]}" in asked.answer.text
    assert sql(talk(*said, "1")) == sql(asked) != sql(talk(*said, "2")) and "'LGA'" in sql(talk(*said, "2"))


def test_readings_of_large_tables_are_not_run_to_tell_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(agent, "given", lambda toolbox, sql: ran.append(sql) or given(toolbox, sql))
    assert talk("flights by month", "for LGA").answer.choices and ran
    ran.clear()
    monkeypatch.setattr(running, "_QUICK", 1000)
    # What is said with less time is no answer that is stored.
    assert ask(replace(worlds.flights(), name=None), "flights by month", "for LGA").answer.text and not ran


def test_what_a_question_says_for_sure_stands_alone() -> None:
    for questions in (["how many flights were there"], ["flights by origin", "only JFK"]):
        assert talk(*questions).answer.choices == (), questions


def test_what_was_chosen_is_remembered_and_said() -> None:
    asked = talk(DELAY, "by arrival", "average delay by origin")
    assert "avg_arrival_delay" in sql(asked) and "chosen before" in asked.working


def test_a_question_that_says_which_is_no_choice_for_later() -> None:
    asked = talk(DELAY, "average arrival delay by origin", "average delay by month")
    assert "avg_departure_delay" in sql(asked)


def test_a_number_without_choices_before_it_chooses_nothing() -> None:
    assert talk("flights by origin", "2").tool == {}


def test_what_is_said_after_a_choice_builds_on_it() -> None:
    assert "avg_arrival_delay" in sql(talk(DELAY, "2", "only JFK")) and "JFK" in sql(talk(DELAY, "2", "only JFK"))


def test_a_question_back_names_complete_readings() -> None:
    catalog = worlds.shop().metadata.catalog
    forms = [
        form for sql in ("SELECT MEASURE(revenue) FROM orders", "SELECT MEASURE(profit) FROM orders")
        if isinstance(form := from_sql(sql, catalog), Form)
    ]  # fmt: skip
    options = options_of([*forms, forms[0]], catalog)
    assert [option.form for option in options] == forms
    assert "1. Revenue" in question_back(options) and "2. Profit" in question_back(options)
    assert options_of(forms[:1], catalog) == ()


def test_what_is_refused_is_offered_without_the_words_that_nobody_knows() -> None:
    refused = talk("flights to Bostonia by month")
    assert refused.tool == {} and refused.answer.outcome == "refused" and "“Bostonia”" in refused.answer.text
    assert refused.answer.choices[0].question == "Number of flights by month of scheduled departure"
    assert "1. Number of flights by month" in refused.answer.text
    assert "GROUP BY" in sql(talk("flights to Bostonia by month", "1"))


def test_a_subject_that_nobody_knows_is_offered_nothing_in_its_place() -> None:
    assert talk("average salary by airline").answer.choices == ()


@pytest.mark.parametrize("words", ["yes", "Yes, please", "exactly", "ok do that", "1", "the first"])
def test_one_reading_is_taken_by_a_yes(words: str) -> None:
    catalog = worlds.flights().metadata.catalog
    by_origin = from_sql('SELECT "origin", COUNT(*) AS n FROM "flights" GROUP BY 1', catalog)
    assert isinstance(by_origin, Form)
    one = options_of([by_origin], catalog, 1)
    assert "Did you mean" in question_back(one) and "1. Number of flights by origin" in question_back(one)
    past = PastTurn("flights of the origins", memory={"choices": kept_options(one)})
    assert chosen(hear(words), Turn(words, (past,)), catalog) == by_origin


def test_a_yes_takes_none_of_two() -> None:
    assert talk(DELAY, "yes").tool == {}


def test_a_name_that_two_columns_hold_is_shown_as_both_however_sure_the_rest_is() -> None:
    songs = pd.DataFrame(
        {
            "title": ["Air", "Gigue", "Fugue", "Nocturne", "Waltz", "Etude"],
            "artist": ["Bach", "Gould", "Gould", "Rubinstein", "Chopin", "Argerich"],
            "composer": ["Bach", "Bach", "Bach", "Chopin", "Chopin", "Chopin"],
            "seconds": [200, 180, 240, 260, 150, 120],
        }
    )
    chat = svc.embedded(songs).chat()
    asked = chat.ask("average seconds of Bach")
    assert [choice.question.split(", ")[1] for choice in asked.choices] == [
        "where artist is Bach",
        "where composer is Bach",
    ]
    assert not chat.ask("average seconds of Gould").choices  # one column holds it


def test_an_edit_is_no_surer_than_what_it_is_made_of() -> None:
    weights, facts = {"one": 2.0}, {"one": 1.0}
    surely, unsure = (likely(weights, Ranked(None, 0.0, {}, before), facts) for before in (1.0, 0.5))
    assert unsure == pytest.approx(surely / 2)
    first, second = (
        talk(*said).answer.memory["sure"] for said in (["flights by origin"], ["flights by origin", "only 2013"])
    )
    assert second < first
