"""What stands around the object of an edit: a frame says the same as the plain verb, and softeners say nothing."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import pandas as pd
import pytest

import svc_notebook as svc


@cache
def rides() -> svc.Client:
    count = 480
    rows = pd.DataFrame({
        "ride_no": range(1, count + 1),
        "started_on": [date(2023, 1, 3) + timedelta(days=n * 5 % 720) for n in range(count)],
        "guide": ["Ilse", "Jonas", "Kaya", "Luc"] * (count // 4),
        "trail": ["forest", "lake", "ridge"] * (count // 3),
        "booked_by": ["phone", "web", "desk", "agency", "web"] * (count // 5),
        "at_night": [n % 6 == 0 for n in range(count)],
        "fee": [float(n * 17 % 97 + 30) for n in range(count)],
    })  # fmt: skip
    return svc.embedded({"rides": rows})


@cache
def sql(*turns: str) -> str:
    chat = rides().chat()
    answers = [chat.ask(turn) for turn in turns]
    return str(answers[-1].sql)


BASE = "number of rides by trail"
NARROWED = (BASE, "only those booked by phone")
WITHOUT = (BASE, "leave out the ridge")


def _says(turns: tuple[str, ...], turn: str, plain: str) -> None:
    assert sql(*turns, turn) == sql(*turns, plain) != "None"


@pytest.mark.parametrize("turn", [
    "the ridge can go", "ridge out please", "the ridge shouldn't be in there", "ridge should be left out",
    "could we lose the ridge", "I don't want the ridge in there", "the ridge doesn't count",
])  # fmt: skip
def test_what_is_out_is_left_out(turn):
    _says((BASE,), turn, "leave out the ridge")


@pytest.mark.parametrize("turn", [
    "put the ridge back in", "the ridge can stay after all", "ridge back in please", "actually let the ridge back in",
    "with ridge again", "show ridge again", "count the ridge in again", "but keep the ridge in",
])  # fmt: skip
def test_what_was_left_out_is_brought_back(turn):
    assert sql(*WITHOUT, turn) == sql(BASE)


def test_what_was_never_left_out_is_not_brought_back():
    assert sql(BASE, "lake can stay after all") == "None"


@pytest.mark.parametrize("turn", [
    "web, sorry", "web is what I meant", "it was web I wanted", "should have said web", "web, not phone",
    "sorry, web not phone", "what I wanted was web", "not phone, web",
])  # fmt: skip
def test_what_was_meant_takes_the_place_of_what_was_said(turn):
    said = sql(*NARROWED, turn)
    assert "\"booked_by\" = 'web'" in said and "phone" not in said and '"trail"' in said


def test_what_was_not_shown_is_only_denied():
    said = sql(BASE, "web rides, not at night")
    assert "\"booked_by\" = 'web'" in said and '"at_night"' in said


def test_what_is_swapped_goes_whatever_it_is_on():
    said = sql(*NARROWED, "at night, not phone")
    assert '"at_night"' in said and "phone" not in said


@pytest.mark.parametrize("turn", ["by guide, not by trail", "guide not trail", "per guide and not per trail"])
def test_a_group_takes_the_place_of_the_one_that_is_denied(turn):
    said = sql(BASE, turn)
    assert '"guide"' in said and '"trail"' not in said


@pytest.mark.parametrize("turn", [
    "go back one step", "undo the last step please", "revert to the one before", "actually no, one step back",
    "put it back the way it was", "could you return to the previous view", "go back to what we had before",
    "remove that filter again", "scrap that",
])  # fmt: skip
def test_a_step_is_taken_back(turn):
    assert sql(*NARROWED, turn) == sql(BASE)


@pytest.mark.parametrize("turn", [
    "all rides again please", "every ride again", "no longer only phone, all rides again", "with the others again",
    "not just phone, all rides", "without that restriction", "lose the filter",
])  # fmt: skip
def test_all_of_them_are_looked_at_again(turn):
    assert sql(*NARROWED, turn) == sql(BASE)


@pytest.mark.parametrize("turn", [
    "put the biggest one first", "starting with the highest", "could you begin with the largest",
    "put them in order, largest first", "arrange them from biggest to smallest", "with the largest at the top",
    "sort them with the biggest up top",
])  # fmt: skip
def test_the_end_that_comes_first_sorts_and_cuts_nothing(turn):
    _says((BASE,), turn, "descending")


@pytest.mark.parametrize("turn", [
    "sort it the other way round", "can you reverse that", "flip the order please", "in the opposite order",
    "turn the order around", "from the bottom up", "the other direction",
])  # fmt: skip
def test_an_order_is_turned_around(turn):
    _says((BASE, "descending"), turn, "ascending")


@pytest.mark.parametrize("turn", [
    "how many percent is each", "convert those to percentages", "what is that as a share of the whole",
    "show the share of each one", "could I get that as percentages?", "what percentages are those",
])  # fmt: skip
def test_each_is_told_in_percent(turn):
    _says((BASE,), turn, "as a percentage")


@pytest.mark.parametrize("turn", [
    "how many was it in each month", "how was that per month", "on a monthly basis", "how it's spread over the months",
    "how many were there each month", "monthly please",
])  # fmt: skip
def test_a_number_is_asked_of_each_unit(turn):
    _says(("number of rides in 2023",), turn, "per month")


def test_a_frame_around_more_than_a_name_is_none():
    assert "<>" not in sql(BASE, "which guides dropped out")


@pytest.mark.parametrize("turn", [
    "and the first of them, month by month?", "show me the months for number one", "by month for the top one",
    "how does the first one look by month", "the first one per month",
])  # fmt: skip
def test_one_of_those_that_were_shown_is_named_by_its_place(turn):
    said = sql("total fee by guide", "only the top 2", turn)
    assert "DATE_TRUNC('month'" in said and '"guide" = ' in said and "LIMIT" not in said


def test_a_place_in_what_stands_in_no_order_is_asked_back():
    assert sql(BASE, "by month for the second one") == "None"


def test_customers_of_a_kind_are_no_group_of_customers():
    rows = pd.DataFrame({
        "customer_name": ["Abel", "Bo", "Cid", "Abel", "Dee", "Eve"] * 20, "customer_type": ["trade", "private"] * 60,
        "channel": ["web", "phone", "desk"] * 40, "amount": [float(n % 17) for n in range(120)],
    })  # fmt: skip
    chat = svc.embedded({"orders": rows}).chat()
    said = [str(chat.ask(turn).sql) for turn in ("number of orders by channel", "private only", "trade customers then")]
    assert "\"customer_type\" = 'trade'" in said[-1] and '"channel"' in said[-1] and "customer_name" not in said[-1]
