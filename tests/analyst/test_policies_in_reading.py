"""Nothing the analyst says, offers or matches comes from rows or members its asker may not see."""

from __future__ import annotations

import worlds
from asking import ask

from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.semantic.context import SecurityContext

DELTA = SecurityContext(user="dl", user_attributes={"carrier": ["DL"], "origin": ["JFK", "LGA", "EWR"]})


def test_values_of_others_are_not_known() -> None:
    metadata = load_metadata(worlds.flights().toolbox(DELTA))
    assert metadata.values.members["flights.carrier"] == ("DL",)


def test_asking_for_another_carrier_shows_none_of_its_rows() -> None:
    asked = ask(worlds.flights(), "how many flights did United have", ctx=DELTA)
    assert "58,665" not in asked.answer.text
    assert "United Air" not in str(asked.events)


def test_counts_are_the_askers_own() -> None:
    asked = ask(worlds.flights(), "how many flights were there", ctx=DELTA)
    assert asked.rows() == [(48110,)]


def test_the_answer_says_whose_rows_were_counted() -> None:
    assert "Only rows you may see" in ask(worlds.flights(), "flights by month", ctx=DELTA).answer.text


def test_a_missing_attribute_is_named() -> None:
    asked = ask(worlds.flights(), "flights by carrier", ctx=SecurityContext(user="nobody"))
    assert "carrier" in asked.answer.text and "not set" in asked.answer.text


def test_nothing_hidden_is_in_offers() -> None:
    asked = ask(worlds.flights(), "florbs by zork", ctx=DELTA)
    assert "tail" not in asked.answer.text.lower()


def test_superlatives_and_periods_count_the_askers_rows_alone() -> None:
    for question in (
        "busiest airport",
        "flights in fiscal year 2013",
        "flights before noon",
        "is JFK busier than LGA?",
    ):
        seen = ask(worlds.flights(), question, ctx=DELTA)
        everything = ask(worlds.flights(), question)
        assert seen.table is not None and seen.rows() != everything.rows()
        assert "Only rows you may see" in seen.answer.text


def test_askers_who_see_the_same_share_what_was_prepared_and_others_do_not() -> None:
    flights = worlds.flights()
    one = load_metadata(flights.toolbox(DELTA))
    twin = SecurityContext(
        user="dl2", user_attributes={"carrier": ["DL"], "origin": ["JFK", "LGA", "EWR"], "team": ["x"]}
    )
    other = SecurityContext(user="ua", user_attributes={"carrier": ["UA"], "origin": ["JFK", "LGA", "EWR"]})
    assert load_metadata(flights.toolbox(twin)).values is one.values
    assert load_metadata(flights.toolbox(other)).values is not one.values
    assert load_metadata(flights.toolbox(other)).values.members["flights.carrier"] == ("UA",)
