"""One table as people export it: headings that ask, that name a scale or a unit by its sign, amounts with a sign."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def feedback() -> dict[str, pd.DataFrame]:
    """Answers of guests of an inn, as a form exports them."""
    dice = np.random.default_rng(3)
    n = 240
    return {
        "Guest feedback 2025": pd.DataFrame(
            {"Response ID": [f"G{at:04}" for at in range(n)],
             "Submitted on": pd.Timestamp("2025-02-01") + pd.to_timedelta(np.sort(dice.integers(0, 200, n)), "D"),
             "Party": dice.choice(["Couple", "Family", "Alone"], n),
             "Q1. How happy were you with the room? (1-5)": dice.integers(1, 6, n),
             "Breakfast (1 = poor, 5 = great)": dice.integers(1, 6, n),
             "How much did you spend in the bar? (€)": np.round(dice.gamma(3, 6, n), 2)}
        )
    }  # fmt: skip


def statement() -> dict[str, pd.DataFrame]:
    """What an account's bank hands out."""
    months = pd.date_range("2025-01-05", periods=12, freq="MS")
    rows = [(m, "Harbour Rent", "Rent", -700.0) for m in months]
    rows += [(m + pd.Timedelta(days=3), "Corner Shop", "Food", -20.0 - at) for at, m in enumerate(months)]
    rows += [(m + pd.Timedelta(days=20), "Brick & Co", "Wages", 1500.0) for m in months]
    columns = ["Date", "Payee", "Category", "Amount (EUR)"]
    return {"statement_export_2025": pd.DataFrame(rows, columns=columns).sort_values("Date", ignore_index=True)}


def meter() -> dict[str, pd.DataFrame]:
    """What a house with panels used and made, hour by hour."""
    times = pd.date_range("2025-03-01", periods=24 * 40, freq="h")
    dice = np.random.default_rng(8)
    return {
        "meter log": pd.DataFrame(
            {"Timestamp": times, "PV yield (kWh)": np.round(dice.gamma(1, 0.4, len(times)), 2),
             "Household use (kWh)": np.round(dice.gamma(2, 0.3, len(times)), 2),
             "Battery SoC (%)": dice.integers(5, 101, len(times))}
        )
    }  # fmt: skip


def test_a_question_over_a_column_is_called_by_what_it_asks_for() -> None:
    with svc.embedded(feedback()) as service:
        answer = service.chat().ask("average happiness with the room by party")
        assert "average happiness with the room" in answer.text
        assert len(answer.result.to_frame()) == 3
        spent = service.chat().ask("average spend in the bar").text
        assert "€" in spent and "average spend in the bar" in spent


def test_marks_on_a_scale_are_averaged_and_their_scale_is_no_part_of_their_name() -> None:
    with svc.embedded(feedback()) as service:
        said = service.chat().ask("average breakfast")
        mean = feedback()["Guest feedback 2025"]["Breakfast (1 = poor, 5 = great)"].mean()
        assert said.result.to_frame().iloc[0, 0] == pytest.approx(mean)
        assert "poor" not in said.text


def test_rows_are_called_without_how_they_are_kept() -> None:
    with svc.embedded(feedback()) as service:
        assert "240 guest feedback responses" in service.chat().ask("how many responses are there?").text
    with svc.embedded(statement()) as service:
        assert "export" not in service.chat().ask("how many rows are there?").text


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how much did I spend in March 2025?", 721.0),
        ("total spending on food", 306.0),
        ("total income", 18000.0),
        ("what's the biggest expense?", 700.0),
        ("how much on food in May 2025?", 23.0),
        ("which month did I spend the most?", 731.0),
        ("where does most of my money go?", 8400.0),
        ("how much did I pay Harbour Rent in 2025?", 7700.0),
        ("net in April 2025", 778.0),
        ("how much did Brick pay us in April 2025?", 1500.0),
        ("average monthly spending", 725.5),
        ("how much do I spend a month on average?", 725.5),
        ("how much money came in in April 2025?", 1500.0),
    ],
)
def test_what_went_out_and_what_came_in_are_apart(question: str, number: float) -> None:
    with svc.embedded(statement()) as service:
        assert service.chat().ask(question).result.to_frame().iloc[0].iloc[-1] == pytest.approx(number, abs=0.01)


def test_what_went_out_by_kind_is_shown_as_numbers_above_nought() -> None:
    with svc.embedded(statement()) as service:
        shown = service.chat().ask("spending by category").result.to_frame()
        assert dict(zip(shown.iloc[:, 0], shown.iloc[:, 1], strict=True))["Rent"] == 8400.0


def test_what_a_day_uses_on_average_is_the_mean_of_days() -> None:
    frame = meter()["meter log"]
    days = frame.groupby(frame["Timestamp"].dt.date)["Household use (kWh)"].sum()
    with svc.embedded(meter()) as service:
        for asked in ("average daily household use", "average household use per day"):
            assert service.chat().ask(asked).result.to_frame().iloc[0, 0] == pytest.approx(days.mean())


def test_sales_with_a_few_returns_stay_one_amount() -> None:
    frame = pd.DataFrame({"Date": pd.date_range("2025-01-01", periods=100), "Amount": [-5.0] * 5 + [20.0] * 95})
    with svc.embedded({"sales": frame}) as service:
        names = [member.name for cube in service.meta().cubes for member in cube.members]
        assert not any("outgoings" in name for name in names)


def test_units_of_headings_are_units() -> None:
    with svc.embedded(meter()) as service:
        used = service.chat().ask("consumption by week")
        assert "household use" in used.text.lower() and "kWh" in used.text
        assert "total" in used.text.lower()
        assert (
            "SoC" in service.chat().ask("average battery").text or "soc" in service.chat().ask("average battery").text
        )


def answers() -> dict[str, pd.DataFrame]:
    """What members of a club said."""
    dice = np.random.default_rng(5)
    n = 300
    marks = pd.Series(dice.integers(1, 6, n), dtype="Int64")
    marks[:20] = pd.NA
    return {
        "member survey": pd.DataFrame(
            {"Response no": range(1, n + 1), "Club": dice.choice(["Rowing", "Chess", "Choir"], n),
             "Would you renew your membership?": dice.choice(["Yes", "No", "Maybe"], n, p=[0.5, 0.2, 0.3]),
             "Changing rooms (1-5)": marks, "How satisfied are you with the coaching? (1-5)": dice.integers(1, 6, n)}
        )
    }  # fmt: skip


def test_who_said_yes_is_counted_by_what_was_asked() -> None:
    frame = answers()["member survey"]
    said = frame["Would you renew your membership?"]
    with svc.embedded(answers()) as service:
        yes = service.chat().ask("how many would renew your membership?").result.to_frame().iloc[0, 0]
        no = service.chat().ask("how many would not renew your membership?").result.to_frame().iloc[0, 0]
        share = service.chat().ask("what share would renew your membership?").result.to_frame().iloc[0, 0]
    assert (yes, no) == ((said == "Yes").sum(), (said == "No").sum())
    assert share in (pytest.approx((said == "Yes").mean()), pytest.approx(100 * (said == "Yes").mean()))


def test_marks_that_were_given_are_marks_of_what_was_rated() -> None:
    frame = answers()["member survey"]
    rooms, coaching = frame["Changing rooms (1-5)"], frame["How satisfied are you with the coaching? (1-5)"]
    with svc.embedded(answers()) as service:
        low = service.chat().ask("how many rated the changing rooms 1 or 2?").result.to_frame().iloc[0, 0]
        top = service.chat().ask("how many people gave us a 5 for coaching?").result.to_frame().iloc[0, 0]
    assert (low, top) == (rooms.isin([1, 2]).sum(), (coaching == 5).sum())


def test_people_are_those_who_answered() -> None:
    with svc.embedded(answers()) as service:
        assert "300" in service.chat().ask("how many people answered?").text


def test_a_bound_in_degrees_is_of_a_temperature() -> None:
    frame = meter()["meter log"].assign(**{"Outdoor temp (°C)": lambda f: np.arange(len(f)) % 25})
    with svc.embedded({"meter log": frame}) as service:
        answer = service.chat().ask("total household use below 5 degrees")
        cold = frame[frame["Outdoor temp (°C)"] < 5]["Household use (kWh)"].sum()
        assert answer.result.to_frame().iloc[0, 0] == pytest.approx(cold)


def test_who_gave_no_answer_is_counted_by_the_gap() -> None:
    with svc.embedded(answers()) as service:
        for asked in ("how many didn't rate the changing rooms?", "how many people skipped changing rooms?"):
            assert service.chat().ask(asked).result.to_frame().iloc[0, 0] == 20


def test_per_cent_is_of_a_hundred_where_values_are() -> None:
    frame = meter()["meter log"]
    with svc.embedded(meter()) as service:
        low = service.chat().ask("average household use when the battery is below 20%").result.to_frame().iloc[0, 0]
    assert low == pytest.approx(frame[frame["Battery SoC (%)"] < 20]["Household use (kWh)"].mean())


def test_how_many_times_is_how_often_of_what_was_told_before() -> None:
    with svc.embedded(statement()) as service:
        chat = service.chat()
        assert "306" in chat.ask("total spent at Corner Shop").text
        assert chat.ask("how many times?").result.to_frame().iloc[0, 0] == 12


def test_hours_are_rows_where_each_row_is_an_hour() -> None:
    frame = meter()["meter log"].assign(**{"Pump running": lambda f: np.arange(len(f)) % 3 == 0})
    with svc.embedded({"meter log": frame}) as service:
        hours = service.chat().ask("how many hours was the pump running?").result.to_frame().iloc[0, 0]
        share = service.chat().ask("what share of the time is the pump running?").text
    assert hours == frame["Pump running"].sum()
    assert "33.3 %" in share


def test_what_was_answered_is_drawn_where_it_is_to_be() -> None:
    with svc.embedded(meter()) as service:
        chat = service.chat()
        first = chat.ask("total household use by week").result.to_frame()
        assert len(chat.ask("chart it").result.to_frame()) == len(first)
        assert len(service.chat().ask("plot household use and pv yield by week").result.to_frame()) == len(first)


def runs() -> dict[str, pd.DataFrame]:
    """Who ran which race in what time."""
    dice = np.random.default_rng(9)
    n = 120
    minutes = np.round(dice.normal(48, 6, n), 1)
    return {
        "race_results_2025-26": pd.DataFrame(
            {"Runner": [f"Runner {at}" for at in range(n)], "Race": dice.choice(["Canal 10", "Hill Loop"], n),
             "Race date": pd.Timestamp("2025-04-06") + pd.to_timedelta(dice.integers(0, 3, n) * 90, "D"),
             "Chip time (mins)": minutes, "Pace (min/km)": np.round(minutes / 10, 2),
             "Training days per week": dice.integers(0, 7, n)}
        )
    }  # fmt: skip


def test_the_fastest_time_is_the_least() -> None:
    frame = runs()["race_results_2025-26"]
    with svc.embedded(runs()) as service:
        assert service.chat().ask("fastest chip time").result.to_frame().iloc[0, -1] == frame["Chip time (mins)"].min()
        assert service.chat().ask("best pace").result.to_frame().iloc[0, -1] == frame["Pace (min/km)"].min()


def test_a_unit_over_another_is_one_unit() -> None:
    with svc.embedded(runs()) as service:
        assert "min/km" in service.chat().ask("average pace by race").text


def test_results_per_week_are_rows_and_no_number_that_ends_so() -> None:
    with svc.embedded(runs()) as service:
        shown = service.chat().ask("results per week").result.to_frame()
        assert shown.iloc[:, -1].sum() == 120
        assert "2025" not in service.chat().ask("how many results are there?").text.split("**")[1]


def test_what_people_said_to_a_sentence_is_no_number_of_people() -> None:
    frame = answers()["member survey"].assign(**{"My coach listens to me": ["Agree", "Disagree", "Neutral"] * 100})
    with svc.embedded({"member survey": frame}) as service:
        answer = service.chat().ask("how many coaches are there?")
        assert not answer.sql or "COUNT" not in answer.sql


def test_spending_over_expenses_is_their_amount() -> None:
    dice = np.random.default_rng(2)
    claims = pd.DataFrame(
        {"Claim no": range(1, 101), "Date of expense": pd.date_range("2025-01-01", periods=100),
         "Team": dice.choice(["North", "South"], 100), "Net (£)": [10.0, 20.0] * 50, "VAT (£)": [2.0, 4.0] * 50, "Gross (£)": [12.0, 24.0] * 50}
    )  # fmt: skip
    with svc.embedded({"Expenses (Nov 2025)": claims}) as service:
        assert service.chat().ask("total expenses").result.to_frame().iloc[0, -1] == 1800.0
        assert service.chat().ask("spend by team").result.to_frame().iloc[:, -1].sum() == 1800.0


def test_what_was_used_is_what_one_number_is_called_by() -> None:
    frame = meter()["meter log"]
    days = frame.groupby(frame["Timestamp"].dt.date)["Household use (kWh)"].sum()
    with svc.embedded(meter()) as service:
        most = service.chat().ask("which day did we use the most?").result.to_frame()
        march = service.chat().ask("how much did we use in March?").result.to_frame()
    assert most.iloc[0, -1] == pytest.approx(days.max())
    assert march.iloc[0, -1] == pytest.approx(frame[frame["Timestamp"].dt.month == 3]["Household use (kWh)"].sum())


def test_a_level_now_is_that_of_the_last_row() -> None:
    frame = statement()["statement_export_2025"]
    frame["Balance"] = 500 + frame["Amount (EUR)"].cumsum()
    with svc.embedded({"statement_export_2025": frame}) as service:
        for asked in ("what's my current balance?", "balance right now"):
            shown = service.chat().ask(asked).result.to_frame()
            assert len(shown) == 1 and shown.iloc[0, -1] == frame["Balance"].iloc[-1]


def test_below_freezing_is_of_a_temperature() -> None:
    frame = meter()["meter log"].assign(**{"Outside temp (°C)": lambda f: np.arange(len(f)) % 25 - 5})
    with svc.embedded({"meter log": frame}) as service:
        hours = service.chat().ask("hours below freezing").result.to_frame().iloc[0, 0]
    assert hours == (frame["Outside temp (°C)"] < 0).sum()


def test_what_goes_up_with_another_number_is_set_against_it() -> None:
    with svc.embedded(feedback()) as service:
        assert "correlation" in service.chat().ask("does spend in the bar go up with happiness with the room?").text


def test_a_value_between_its_own_rows_and_a_time_is_heard_in_a_thread() -> None:
    with svc.embedded(statement()) as service:
        chat = service.chat()
        chat.ask("rent payments per month")
        assert chat.ask("how much is Corner Shop a year?").text


def test_a_value_beside_a_balance_is_what_went_out_and_came_in() -> None:
    frame = statement()["statement_export_2025"].rename(columns={"Amount (EUR)": "Value"})
    frame["Running balance"] = 500 + frame["Value"].cumsum()
    with svc.embedded({"statement": frame}) as service:
        assert service.chat().ask("how much did I spend in March 2025?").result.to_frame().iloc[0, -1] == 721.0
        assert service.chat().ask("current balance").result.to_frame().iloc[0, -1] == frame["Running balance"].iloc[-1]
        assert service.chat().ask("net by month").result.to_frame().iloc[0, -1] == 780.0


def test_what_was_used_of_a_mass_adds_up() -> None:
    frame = pd.DataFrame(
        {"Read at": pd.date_range("2025-01-01", periods=400, freq="6h"), "Water used (m3)": [0.5, 1.5] * 200}
    )
    with svc.embedded({"plant_readings_q2": frame}) as service:
        assert service.chat().ask("water used in January").result.to_frame().iloc[0, -1] == 124.0
        assert "q" not in service.chat().ask("how many rows are there?").text.split("**")[1].split()[-1]


def fills() -> dict[str, pd.DataFrame]:
    """What a depot's pumps gave out, and for what a litre."""
    dice = np.random.default_rng(6)
    n = 200
    return {
        "fuel_fills": pd.DataFrame(
            {"fill_id": range(1, n + 1), "filled_on": pd.Timestamp("2025-01-01") + pd.to_timedelta(range(n), "D"),
             "station": dice.choice(["North", "South"], n), "litres": dice.integers(40, 200, n),
             "price_per_litre": 1.4 + dice.integers(0, 400, n) / 1000}
        )
    }  # fmt: skip


def test_a_price_is_that_of_a_unit_and_not_what_all_of_it_cost() -> None:
    rows = fills()["fuel_fills"]
    with svc.embedded(fills()) as service:
        found = service.chat().ask("average fuel price by station").result.to_frame()
    assert list(found.iloc[:, 1]) == pytest.approx(list(rows.groupby("station").price_per_litre.mean()))
