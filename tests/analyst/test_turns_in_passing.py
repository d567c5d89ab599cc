"""Turns as people type them in passing: half a superlative, both of two, other words for what was refused."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, bills, rides, rows_of

from svc_notebook.analyst.base import PastTurn


def dated() -> pd.DataFrame:
    known = rides().copy()
    return known.assign(ridden=pd.to_datetime(known.ridden_on))


def by(frame: pd.DataFrame, group: str, number: str = "price", how: str = "sum") -> list[list[object]]:
    return rows_of(frame.groupby(group)[number].agg(how).reset_index())


def counted(frame: pd.DataFrame, group: str) -> list[list[object]]:
    return rows_of(frame.groupby(group).size().reset_index())


def test_several_months_of_one_turn_are_all_meant() -> None:
    known = dated()
    wanted = known[(known.ridden >= "2024-07-01") & (known.ridden < "2024-09-01")]
    assert answered("total price by lift", "only July and August")[1] == by(wanted, "lift")


def test_a_month_of_several_years_is_each_ones() -> None:
    known = dated()
    _, rows = answered("total price by lift from 2023 to 2024", "only March")
    assert rows == by(known[known.ridden.dt.month == 3], "lift")


def test_the_ones_from_a_year_are_those_of_it() -> None:
    known = dated()
    assert answered("number of rides by lift", "only the ones from 2023")[1] == counted(
        known[known.ridden.dt.year == 2023], "lift"
    )


@pytest.mark.parametrize(
    ("turn", "lift_or_pass"), [("which pass kind has the most?", "pass_kind"), ("which lift is the best?", "lift")]
)
def test_half_a_superlative_ranks_by_the_number_before(turn: str, lift_or_pass: str) -> None:
    sums = rides().groupby(lift_or_pass).minutes_queued.sum()
    first = turn.endswith("most?")
    _, rows = answered("total minutes queued by lift", turn)
    assert rows is not None and rows[0][0] == (sums.idxmax() if first else sums.idxmin())


def test_both_together_is_what_the_last_two_were_about() -> None:
    known = rides()
    _, rows = answered("total price by lift", "only day", "and evening?", "both together")
    assert rows == by(known[known.pass_kind.isin(["day", "evening"])], "lift")


def test_two_periods_of_groups_are_set_side_by_side() -> None:
    known = dated()
    wanted = known.assign(year=known.ridden.dt.to_period("Y").dt.start_time).groupby(["year", "lift"]).size()
    _, rows = answered("rides per lift in 2024", "and the year before?", "compare the two")
    assert rows is not None and sorted(row[-1] for row in rows) == sorted(float(n) for n in wanted)


@pytest.mark.parametrize("words", ["in percent of all rides there", "as a share of all rides"])
def test_a_percentage_of_all_rows_is_a_rate_of_each_group(words: str) -> None:
    known = rides()
    _, rows = answered("how many rides were refused per lift?", words)
    rates = known.groupby("lift").refused.mean()
    assert rows is not None and {row[0]: pytest.approx(row[1], abs=1e-3) for row in rows} in (
        rates.to_dict(), (rates * 100).to_dict(),
    )  # fmt: skip


def test_what_is_said_about_an_answer_is_no_part_of_what_is_asked() -> None:
    months = dated().assign(month=lambda known: known.ridden.dt.to_period("M").dt.start_time)
    assert answered("rides per week", "thats too fine, make it months")[1] == counted(months, "month")


def test_how_many_rows_that_is() -> None:
    known = rides()
    wanted = len(known[known.lift == "Tow"])
    assert answered("total price for the Tow", "how many rides is that?")[1] == [[float(wanted)]]


def test_the_sum_of_a_list_that_was_cut() -> None:
    known = rides()
    total = known.nlargest(4, "price").price.sum()
    assert answered("list the 4 most expensive rides", "how much is that in total")[1] == [[round(total, 4)]]


def test_rows_of_a_moment_are_listed() -> None:
    months = dated().assign(month=lambda known: known.ridden.dt.to_period("M").dt.start_time)
    most = months.groupby("month").size().idxmax()
    wanted = months[(months.month == most) & (months.lift == "Chair")]
    _, rows = answered("rides per month", "in which month did most take place?", "list the Chair ones of that month")
    assert rows is not None and sorted(row[0] for row in rows) == sorted(float(number) for number in wanted.ride_id)


def test_back_to_all_rows() -> None:
    assert answered("total price by lift", "only season", "back to all rides")[1] == by(rides(), "lift")


@pytest.mark.parametrize(
    "words", ["i mean minutes queued", "sorry, i meant total minutes queued", "minutes queued, i mean"]
)
def test_other_words_for_what_was_refused(words: str) -> None:
    assert answered("total blubber by lift", words)[1] == by(rides(), "lift", "minutes_queued")


def test_what_is_meant_corrects_an_answer_as_well_when_it_is_said_last() -> None:
    assert answered("rides by lift", "by pass kind i meant")[1] == answered("rides by pass kind")[1]


def test_nothing_is_corrected_where_nothing_was_said_before() -> None:
    assert answered("total price by lift, i mean")[1] == answered("total price by lift")[1]


@pytest.mark.parametrize(
    "words",
    ["no percentages, just counts", "no percentages any more", "not in percent please", "back to plain numbers"],
)
def test_no_shares_any_more(words: str) -> None:
    assert answered("rides by lift", "in percent", words)[1] == answered("rides by lift")[1]


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("sort it from longest to shortest", "descending"), ("rank them from biggest to smallest", "descending"),
        ("order from shortest to longest", "ascending"), ("from fewest to most", "ascending"),
    ],
)  # fmt: skip
def test_an_order_is_said_by_both_its_ends(words: str, same: str) -> None:
    assert answered("total price by lift", words)[1] == answered("total price by lift", same)[1]


def test_other_words_that_are_not_known_either_are_refused() -> None:
    text, rows = answered("total blubber by lift", "i mean total whatsit")
    assert rows is None and "whatsit" in text


def test_what_hangs_on_a_rephrased_question_goes_on() -> None:
    known = rides()
    _, rows = answered("total blubber by lift", "i mean minutes queued", "only season")
    assert rows == by(known[known.pass_kind == "season"], "lift", "minutes_queued")


def asked_back(*readings: str) -> tuple[PastTurn, ...]:
    """A thread whose last question was asked back with these readings."""
    choices = [{"question": sql, "sql": sql} for sql in readings]
    return (PastTurn("price or wait", "This can be read in two ways", memory={"choices": choices}),)


BY_LIFT = "SELECT lift, COUNT(*) FROM rides GROUP BY lift ORDER BY 2 DESC LIMIT 1"
BY_KIND = "SELECT pass_kind, COUNT(*) FROM rides GROUP BY pass_kind ORDER BY 2 DESC LIMIT 1"


def test_an_edit_that_makes_the_same_of_all_readings_needs_no_choice() -> None:
    months = dated().assign(month=lambda known: known.ridden.dt.to_period("M").dt.start_time)
    text, rows = answered("per month instead", history=asked_back(BY_LIFT, BY_KIND))
    assert rows == counted(months, "month") and "price or wait" not in text


def test_an_edit_instead_of_a_choice_is_made_of_each_reading() -> None:
    text, rows = answered("only season", history=asked_back(BY_LIFT, BY_KIND))
    assert rows is None and text.count("season") == 2
    season = rides()[rides().pass_kind == "season"]
    _, taken = answered("only season", "the first", history=asked_back(BY_LIFT, BY_KIND))
    assert taken == rows_of(season.groupby("lift").size().nlargest(1).reset_index())


def test_what_hangs_on_a_question_that_was_refused_is_refused() -> None:
    assert answered("total blubber by lift", "only season")[1] is None


def test_the_most_of_them_is_of_nothing_else() -> None:
    known = rides()
    refused = known[known.refused]
    _, rows = answered("how many rides were refused?", "which lift had the most of them")
    assert rows == rows_of(refused.groupby("lift").size().nlargest(1).reset_index())


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("now accross all pass kinds", "now across all pass kinds"), ("witout season", "without season"),
     ("as a percetage", "as a percentage"), ("per month intsead", "per month instead")],
)  # fmt: skip
def test_slips_in_the_words_of_discourse(typed: str, meant: str) -> None:
    first = ("number of rides by lift", "only day")
    assert answered(*first, typed)[1] == answered(*first, meant)[1] is not None


def test_names_are_no_slips_of_discourse() -> None:
    text, rows = answered("number of rides by lift", "only stocked")
    assert rows is None and "stocked" in text


def test_the_amount_of_rows_is_their_own() -> None:
    known = bills()["bill"]
    _, rows = answered("how many bills are there by region?", "now the amount instead of the number", over="bills")
    assert rows == rows_of(known.groupby("region").total.sum().reset_index())


@pytest.mark.parametrize(
    "words", ["more than 150", "no less than 150", "only not less than 150", "exceeding 150", "only those over 150"]
)
def test_all_ways_of_comparing_are_known_in_a_thread(words: str) -> None:
    counts = rides().groupby("lift").size()
    _, rows = answered("number of rides by lift", words)
    assert rows == rows_of(counts[counts > 150].reset_index())


def test_that_rows_have_a_match_is_asked_once_and_not_told() -> None:
    text, rows = answered("total quantity by region", "top 1", over="bills")
    known = bills()["bill_line"].merge(bills()["bill"], on="bill_id").groupby("region").quantity.sum()
    assert rows == rows_of(known.nlargest(1).reset_index()) and "known" not in text


def test_groups_with_more_than_so_many_are_those_of_so_many_rows() -> None:
    known = rides()
    wanted = known.groupby("lift").minutes_queued.agg(["median", "size"]).reset_index()
    wanted = wanted[wanted["size"] > 150]
    thread = ("median minutes queued by lift", "add the number of rides", "only lifts with more than 150")
    assert answered(*thread)[1] == rows_of(wanted)


def test_more_of_an_answer_chooses_none_of_the_readings_beside_it() -> None:
    kept = {
        "reading": BY_LIFT,
        "focus": [["lift", ["Gondola"]]],
        "choices": [{"question": q, "sql": q} for q in (BY_LIFT, BY_KIND)],
    }
    known = rides()
    _, rows = answered("and by pass kind at that lift?", history=(PastTurn("rides", "Gondola", memory=kept),))
    wanted = known[known.lift == "Gondola"].groupby("pass_kind").size()
    assert rows is not None and sorted(row[-1] for row in rows) == sorted(float(number) for number in wanted)


def test_what_is_returned_to_is_named_by_more_than_an_article() -> None:
    known = rides()
    thread = ("average price for the Gondola by pass kind", "what about the Tow?", "add the number of rides")
    _, rows = answered(*thread, "go back to the Gondola")
    assert rows == by(known[known.lift == "Gondola"], "pass_kind", how="mean")


def test_a_group_of_which_one_alone_was_looked_at_is_of_all() -> None:
    known = rides()
    season = known[known.pass_kind == "season"]
    thread = ("total price for the Tow by pass kind", "only season")
    assert answered(*thread, "by lift")[1] == by(season, "lift")
    assert answered("total price by lift", "only season", "by pass kind")[1] == by(known, "pass_kind")


def test_that_month_is_the_one_that_was_shown() -> None:
    months = dated().assign(month=lambda known: known.ridden.dt.to_period("M").dt.start_time)
    most = months.groupby("month").size().idxmax()
    _, rows = answered("rides per month", "which one has the most?", "show that month by lift")
    wanted = months[months.month == most].groupby("lift").size()
    assert rows is not None and sorted(row[-1] for row in rows) == sorted(float(number) for number in wanted)
