"""Questions about the data, about the answer before, and small talk are answered from the model and the data."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest
import worlds
from asking import ask

import svc_notebook as svc


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what can I ask?", "How many flights were there?"),
        ("hi", "for example"),
        ("thanks, that's all", "You are welcome"),
        ("what is in here?", "avg departure delay"),
        ("which months do we have?", "January 2013 to December 2013"),
        ("how fresh is it?", "2013-12-31"),
        ("what does departure delay mean?", "`flights."),
        ("what data do you have about airports?", "altitude"),
        ("start over", "anew"),
    ],
)
def test_it_is_said_without_a_query(question: str, said: str) -> None:
    asked = ask(worlds.flights(), question)
    assert asked.tool == {} and said.lower().replace("avg", "average") in asked.answer.text.lower().replace("avg", "average")  # fmt: skip


def _asking_what_there_is() -> list[str]:
    table = resources.files("svc_notebook.analyst.offline.dialogue.lexicon") / "en" / "discourse.toml"
    return list(tomllib.loads(table.read_text("utf8"))["turn"]["contents"])


@pytest.mark.parametrize("said", _asking_what_there_is())
def test_whoever_asks_what_there_is_is_told(said: str) -> None:
    assert "what you can ask about" in ask(worlds.shop(), f"{said}?").answer.text


@pytest.mark.parametrize("question", ["what can I ask?", "hello", "what is in here?", "what does revenue mean?"])
def test_what_is_offered_can_be_asked(question: str) -> None:
    for offer in ask(worlds.shop(), question).answer.suggestions:
        assert ask(worlds.shop(), offer).table is not None, offer


def test_small_talk_leaves_what_was_asked_as_it_was() -> None:
    asked = ask(worlds.shop(), "revenue by country", "thanks", "which months do we have?", "only Germany")
    assert {row[0] for row in asked.rows()} == {"Germany"}


def test_after_start_over_nothing_is_kept() -> None:
    assert ask(worlds.shop(), "revenue by country", "start over", "only Germany").tool.get("input", {}).get(
        "sqlQuery", ""
    ).find("revenue") == -1  # fmt: skip


def test_the_sql_of_the_answer_before_is_shown() -> None:
    first = ask(worlds.shop(), "revenue by country")
    asked = ask(worlds.shop(), "revenue by country", "explain the SQL")
    assert asked.tool == {} and first.tool["input"]["sqlQuery"] in asked.answer.text


def test_what_was_assumed_is_told() -> None:
    text = ask(worlds.shop(), "revenue by country", "only Germany", "what did you assume?").answer.text
    assert "Kept from before: revenue; by country" in text and "In the question: where country is Germany" in text


def test_why_is_that_looks_at_the_group_that_stood_out() -> None:
    first = ask(worlds.shop(), "which country has the most revenue").rows()[0][0]
    asked = ask(worlds.shop(), "which country has the most revenue", "why is that?")
    assert f"where country is {first}" in asked.answer.text and "not what caused it" in asked.answer.text


def test_why_is_that_of_a_month() -> None:
    assert "in July 2013" in ask(worlds.flights(), "what was the worst month for departure delays?", "why?").answer.text


def test_a_word_nobody_knows_has_no_meaning_here() -> None:
    asked = ask(worlds.shop(), "what does florb mean?")
    assert asked.tool == {} and "I could not read this" in asked.answer.text


def test_questions_offered_for_a_refused_one_differ() -> None:
    with svc.demo() as client:
        offered = client.chat().ask("flights of Atlantis in the sunken sea of dreams").suggestions
    assert len(offered) >= 2
    assert len({" ".join(question.lower().split()[:3]) for question in offered}) == len(offered)
