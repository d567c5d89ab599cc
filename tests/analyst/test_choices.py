"""Readings that are about as near are offered; a click or words take one, and the thread remembers which."""

from __future__ import annotations

import pytest
import worlds
from asking import Asked, ask

from svc_notebook.analyst.offline import agent
from svc_notebook.analyst.offline import asking as running
from svc_notebook.analyst.offline.asking import given
from svc_notebook.analyst.offline.dialogue.choosing import options_of, question_back
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
    asked = talk("flights by month", "make it weekly")
    first, *others = [choice.question for choice in asked.answer.choices]
    assert first == "Flights by week of scheduled departure" and others
    assert f"2. {others[0]}" in asked.answer.text
    assert others[0].removeprefix("Flights by ") in sql(talk("flights by month", "make it weekly", "2"))


def test_readings_of_large_tables_are_not_run_to_tell_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(agent, "given", lambda toolbox, sql: ran.append(sql) or given(toolbox, sql))
    assert talk("flights by month", "make it weekly").answer.choices and ran
    ran.clear()
    monkeypatch.setattr(running, "_QUICK", 1000)
    assert sql(talk("flights by month", "make it weekly")) and not ran


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
