"""What people ask in everyday words, over sailings that nobody has a model for; answers in pandas."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

COUNT = 24


def sailings() -> pd.DataFrame:
    """Ferries of two companies over one year: when they left, how late, how long it took, and in what rain."""
    place = pd.Series(range(COUNT))
    return pd.DataFrame({
        "sailing_id": place + 1, "company": ["Norden", "Viking", "Norden", "Stena"] * 6,
        "company_code": ["NO", "VI", "NO", "ST"] * 6,
        "harbour": [*["Bergen", "Oslo", "Malmo", "Oslo"] * 5, "Oslo", "Oslo", "Malmo", "Bergen"],
        "departure": pd.Timestamp("2022-01-03 05:40") + pd.to_timedelta(place * 13 * 24 + place % 7 * 3, unit="h"),
        "departure_delay_min": [-5, 0, 20, -2, 45, 3, 7, 1] * 3, "crossing_duration_min": 60 + place * 7 % 50,
        "distance_km": [20, 55, 31, 55] * 6, "seats": [300, 450, 300, 200] * 6,
        "cancelled": [False, False, True, False, True, False, False, False] * 3,
        "year_built": [1985, 2010, 1999, 2004] * 6, "rain_mm": [0.0, 0.0, 1.5] * 8,
    })  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"sailings": sailings()}) as opened:
        yield opened


def rows(client: Any, *turns: str) -> list[tuple[Any, ...]]:
    chat = client.chat()
    answer = [chat.ask(turn) for turn in turns][-1]
    assert answer.result is not None, (turns, answer.text)
    return [tuple(_plain(v) for v in row) for row in answer.result.load_all().itertuples(index=False)]


def _between(known: pd.DataFrame, low: str, high: str) -> int:
    return int(((known.departure >= low) & (known.departure < high)).sum())


def _plain(value: Any) -> Any:
    if isinstance(value, pd.Timestamp | datetime):
        return f"{value:%Y-%m-%d}"
    return value if isinstance(value, str | bool) else round(float(value), 4)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [("how far is it from Bergen", lambda s: s[s.harbour == "Bergen"].distance_km.mean()),
     ("how long does it take to cross from Oslo", lambda s: s[s.harbour == "Oslo"].crossing_duration_min.mean()),
     ("how long do sailings of Viking take on average", lambda s: s[s.company == "Viking"].crossing_duration_min.mean()),
     ("how often did it rain", lambda s: (s.rain_mm > 0).sum()),
     ("how many sailings left before 8 am", lambda s: (s.departure.dt.hour < 8).sum()),
     ("what share of Norden sailings cancelled", lambda s: s[s.company == "Norden"].cancelled.mean()),
     ("what percent of sailings from Oslo have seats above 300", lambda s: (s[s.harbour == "Oslo"].seats > 300).mean()),
     ("how many sailings above seats 300", lambda s: (s.seats > 300).sum()),
     ("how many Oslo sailings below distance 50", lambda s: ((s.harbour == "Oslo") & (s.distance_km < 50)).sum()),
     ("what share of sailings leave in the evening", lambda s: s.departure.dt.hour.between(18, 21).mean()),
     ("how many sailings left early", lambda s: (s.departure_delay_min < 0).sum()),
     ("how many sailings were delayed more than 15 minutes", lambda s: (s.departure_delay_min > 15).sum()),
     ("how many sailings with ships older than 20 years", lambda s: (s.year_built < 2002).sum()),
     ("longest delay of the year", lambda s: s.departure_delay_min.max()),
     ("average number of seats per sailing of Viking", lambda s: s[s.company == "Viking"].seats.mean()),
     ("how many sailings left before 7 in the morning", lambda s: (s.departure.dt.hour < 7).sum()),
     ("how many sailings got delayed more than 15 minutes", lambda s: (s.departure_delay_min > 15).sum()),
     ("how many sailings over 2022", len),
     ("how many sailings were more than 15 minutes late", lambda s: (s.departure_delay_min > 15).sum()),
     ("how many sailings left at least a quarter of an hour late", lambda s: (s.departure_delay_min >= 15).sum()),
     ("sailings in the week of christmas", lambda s: _between(s, "2022-12-19", "2022-12-26")),
     ("sailings between christmas and new year", lambda s: _between(s, "2022-12-25", "2023-01-01"))],
)  # fmt: skip
def test_everyday_words_are_read_as_the_names_say_it(client: Any, question: str, wanted: Any) -> None:
    assert rows(client, question) == [(round(float(wanted(sailings())), 4),)]


@pytest.mark.parametrize("question", ["who sails from Oslo most often", "who sails most often from Oslo"])
def test_who_is_a_company_where_nobody_else_is(client: Any, question: str) -> None:
    known = sailings()
    assert rows(client, question)[0][0] == known[known.harbour == "Oslo"].company.value_counts().index[0]


def test_which_day_is_a_day(client: Any) -> None:
    known = sailings()
    day = known.groupby(known.departure.dt.date).departure_delay_min.sum().idxmax()
    assert rows(client, "on which day was the total departure delay highest")[0][0] == day.isoformat()


@pytest.mark.parametrize(
    ("question", "those"),
    [("on which days did it rain", lambda s: s[s.rain_mm > 0]), ("how many rainy days were there", lambda s: s[s.rain_mm > 0]),
     ("on how many days were sailings cancelled", lambda s: s[s.cancelled]),
     ("how many days without rain", lambda s: s[s.rain_mm == 0]),
     ("on which days were there no cancelled sailings", lambda s: s[~s.cancelled])],
)  # fmt: skip
def test_days_with_and_without_are_told_one_by_one(client: Any, question: str, those: Any) -> None:
    found = [row[0] for row in rows(client, question)]
    assert found == sorted({f"{day:%Y-%m-%d}" for day in those(sailings()).departure})


def test_months_without_any_rows_are_not_looked_for_among_those_with_some(client: Any) -> None:
    assert client.chat().ask("how many months had no sailings").result is None


@pytest.mark.parametrize(
    ("question", "worst"),
    [("worst company to sail with", lambda s: s.groupby("company").departure_delay_min.mean().idxmax()),
     ("which harbour is the worst", lambda s: s.groupby("harbour").departure_delay_min.mean().idxmax()),
     ("what is the best harbour to sail from", lambda s: s.groupby("harbour").departure_delay_min.mean().idxmin())],
)  # fmt: skip
def test_the_worst_to_do_something_is_latest_and_not_rarest(client: Any, question: str, worst: Any) -> None:
    assert rows(client, question)[0][0] == worst(sailings())


def test_a_share_of_those_that_are_late_is_of_all_of_each(client: Any) -> None:
    known = sailings()
    late = (known.departure_delay_min > 15).groupby(known.company).mean()
    found = rows(client, "over 15 minutes late, per company, in percent")
    assert {row[0]: row[1] for row in found} == {name: round(share, 4) for name, share in late.items()}


@pytest.mark.parametrize(
    "question",
    ["who is cancelled more often: Norden or Viking", "which company is more often cancelled, Norden or Viking"],
)
def test_who_of_two_does_it_more_often_is_told_by_their_shares(client: Any, question: str) -> None:
    shares = sailings().groupby("company").cancelled.mean()
    assert {row[0]: row[1] for row in rows(client, question)} == {c: round(shares[c], 4) for c in ("Norden", "Viking")}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [("which company has more sailings, Norden or Viking", lambda s: s.groupby("company").size()),
     ("which company had fewer seats: Norden or the Viking?", lambda s: s.groupby("company").seats.sum())],
)  # fmt: skip
def test_which_of_two_has_more_is_told_by_both(client: Any, question: str, wanted: Any) -> None:
    known = wanted(sailings())
    assert dict(rows(client, question)) == {company: known[company] for company in ("Norden", "Viking")}


@pytest.mark.parametrize(
    ("turn", "of"),
    [("how far do they go on average", "distance_km"), ("how late were they on average", "departure_delay_min"),
     ("how many seats do they have on average", "seats")],
)  # fmt: skip
def test_how_much_they_do_so_on_average(client: Any, turn: str, of: str) -> None:
    means = sailings().groupby("company")[of].mean().round(4)
    assert dict(rows(client, "sailings by company", turn)) == means.to_dict()


def test_what_somebody_wants_to_see_is_no_aside(client: Any) -> None:
    answer = client.chat().ask("how far do they usually go? I want to see the spread")
    assert answer.text.startswith("Half of the values of distance"), answer.text


def test_how_many_of_an_amount_are_as_many_as_there_are(client: Any) -> None:
    seats = sailings().groupby("company").seats.sum()
    assert dict(rows(client, "sailings by company", "how many seats do they have")) == seats.to_dict()


def test_what_is_worst_goes_by_the_delay_that_was_shown(client: Any) -> None:
    known = sailings().query("company == 'Norden'").groupby("harbour").departure_delay_min.mean()
    shown = rows(client, "average departure delay by company", "only Norden", "which harbour was the worst?")
    assert shown == [(known.idxmax(), pytest.approx(known.max(), abs=1e-4))]
    assert rows(client, "sailings by company", "which harbour is the worst") == rows(
        client, "which harbour is the worst"
    )


def test_no_share_is_of_rows_that_are_of_two_companies_at_once(client: Any) -> None:
    answer = client.chat().ask("what share of sailings is cancelled at Norden and Viking")
    assert answer.result is None or rows(client, "what share of sailings is cancelled at Norden and Viking") != [(0.0,)]


def test_whether_more_of_one_is_more_of_another_is_told_by_both(client: Any) -> None:
    text = client.chat().ask("do longer sailings have more delay").text
    known = sailings()
    assert f"**{known.crossing_duration_min.corr(known.departure_delay_min):.2f}**" in text
    assert text.startswith(("**Yes**", "**No**", "**Hardly**"))


@pytest.mark.parametrize(
    "question",
    ["Which company has the most sailings? I'd like evidence.", "I am in a hurry. Which company has the most sailings?",
     "Which company has the most sailings? Return the company and the number of sailings."],
)  # fmt: skip
def test_a_sentence_that_asks_for_nothing_is_no_part_of_the_question(client: Any, question: str) -> None:
    assert rows(client, question)[0][0] == "Norden"


def test_rows_are_sorted_by_the_number_that_each_has_of_something(client: Any) -> None:
    known = sailings().sort_values("seats", ascending=False)
    shown = rows(client, "list the companies and harbours of sailings by descending number of seats")
    assert shown[0][:2] == ("Viking", "Oslo") and known.seats.iloc[0] == 450 and len(shown) == COUNT


def test_the_rainiest_month_has_most_of_what_rain_is_kept_as(client: Any) -> None:
    known = sailings()
    month = known.groupby(known.departure.dt.strftime("%Y-%m-01")).rain_mm.sum()
    assert rows(client, "what was the rainiest month")[0] == (month.idxmax(), month.max())


def test_what_happened_on_a_day_is_told_of_its_rows_and_of_no_day_before(client: Any) -> None:
    day = sailings().departure.dt.date[3]
    answer = client.chat().ask(f"what happened on {day:%d %B %Y}")
    assert answer.text.startswith("**1** sailing"), answer.text


def test_a_year_stands_on_its_chip_without_a_comma(client: Any) -> None:
    answer = client.chat().ask("how many sailings with year built below 2002")
    assert "2002" in str(answer.reading) and "2,002" not in str(answer.reading)


def test_a_text_is_never_compared_with_a_number(client: Any) -> None:
    answer = client.chat().ask("sailings by harbour above 2013")
    said = [answer.text, *(choice.question for choice in answer.choices or [])]
    assert not any("arbour above" in text or "arbour is more" in text for text in said), said


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [(("how many sailings did Norden have", "what about VI?"), lambda s: (s.company == "Viking").sum()),
     (("average crossing duration of Norden", "and ST"), lambda s: s[s.company == "Stena"].crossing_duration_min.mean())],
)  # fmt: skip
def test_a_code_after_a_name_is_another_one_of_the_kind(client: Any, turns: tuple[str, ...], wanted: Any) -> None:
    assert rows(client, *turns)[-1][-1] == round(float(wanted(sailings())), 4)


@pytest.mark.parametrize(
    ("turns", "said"),
    [(("which company has the most sailings", "is that more than Stena?"), "**Yes**"),
     (("how many sailings did Stena have", "is that more than Norden"), "**No**"),
     (("which company has the lowest average departure delay", "is that better than Viking?"), "**Yes**")],
)  # fmt: skip
def test_what_was_shown_is_more_than_another_or_not(client: Any, turns: tuple[str, ...], said: str) -> None:
    chat = client.chat()
    answer = [chat.ask(turn) for turn in turns][-1]
    assert answer.text.startswith(said), answer.text


def test_a_share_in_absolute_numbers_is_what_it_is_of(client: Any) -> None:
    known = sailings().groupby("company").size()
    found = rows(client, "share of sailings by company", "in absolute numbers")
    assert {row[0]: row[1] for row in found} == {name: float(n) for name, n in known.items()}


def test_two_values_over_time_are_a_line_each_and_either_of_them_is_one(client: Any) -> None:
    both = rows(client, "sailings by month for Norden and Viking")
    assert {row[1] for row in both} == {"Norden", "Viking"}
    assert all(len(row) == 2 for row in rows(client, "sailings by month for Norden or Viking"))


def test_nobody_chooses_between_an_answer_and_itself(client: Any) -> None:
    known = sailings()
    most = known.harbour.value_counts().max()
    assert rows(client, "most popular harbour", "how many sailings go there") == [(float(most),)]


@pytest.mark.parametrize(
    ("question", "said"),
    [("are morning sailings less cancelled than evening sailings", None),
     ("are Norden sailings cancelled more often than Viking sailings", "**Yes**"),
     ("is Viking more often cancelled than Norden", "**No**")],
)  # fmt: skip
def test_what_is_so_more_often_is_a_matter_of_shares(client: Any, question: str, said: str | None) -> None:
    answer, known = client.chat().ask(question), sailings()
    part = known.departure.dt.hour.map(lambda h: "morning" if 6 <= h < 12 else "evening" if 18 <= h < 22 else "")
    rates = known.cancelled.groupby(known.company if said else part).mean()
    pair = ["Norden", "Viking"] if said else ["morning", "evening"]
    assert answer.text.startswith(said or ("**Yes**" if rates["morning"] < rates["evening"] else "**No**")), answer.text
    found = {row[0]: round(float(row[-1]), 4) for row in answer.result.load_all().itertuples(index=False)}
    assert found == {name: round(float(rates[name]), 4) for name in pair}


@pytest.mark.parametrize("first", ["which company is nicest", "how many sailings per company"])
def test_what_stands_for_nothing_points_back_to_nothing(client: Any, first: str) -> None:
    from_bergen = sailings().query("harbour == 'Bergen'")
    assert rows(client, first, "how far is it from Bergen")[0] == (
        pytest.approx(from_bergen.distance_km.mean(), abs=1e-4),
    )
    assert rows(client, first, "how often did it rain in Oslo")[0] == (4,)


def test_what_was_shown_in_another_unit(client: Any) -> None:
    hours = sailings().groupby("company").departure_delay_min.mean() / 60
    turns = ("average departure delay by company", "in hours")
    assert rows(client, *turns) == [(name, pytest.approx(hour, abs=1e-4)) for name, hour in hours.items()]
    assert rows(client, *turns, "what is that in minutes?")[0] == ("Norden", pytest.approx(60 * hours["Norden"]))
    miles = sailings().groupby("harbour").distance_km.sum() / 1.609344
    shown = rows(client, "total distance by harbour", "in miles", "the top one")
    assert shown == [(miles.idxmax(), pytest.approx(miles.max(), abs=1e-3))]
    told = client.chat()
    assert told.ask("sailings per month").sql and told.ask("in hours").sql is None


@pytest.mark.parametrize("unit", ["quarter", "month"])
def test_a_time_that_is_named_is_grouped_by_the_unit_said_behind_it(client: Any, unit: str) -> None:
    found = rows(client, f"number of sailings by departure {unit}")
    known = sailings().departure
    assert [count for _, count in found] == list(known.groupby(getattr(known.dt, unit)).size())


def _pitches() -> pd.DataFrame:
    states = ["successful", "failed", "failed", "live", "successful", "failed"]
    return pd.DataFrame({
        "pitch_id": range(1, 61), "field": ["games", "music", "food"] * 20, "state": [states[n * n % 6] for n in range(60)],
        "goal": [500 + n * 37 % 900 for n in range(60)],
    })  # fmt: skip


@pytest.mark.parametrize(
    ("question", "state"), [("success rate by field", "successful"), ("what is the failure rate by field", "failed")]
)
def test_a_rate_is_of_the_state_that_its_noun_is_for(question: str, state: str) -> None:
    with svc.embedded({"pitches": _pitches()}) as opened:
        found = dict(rows(opened, question))
        (single,) = rows(opened, question.replace("by field", "of games pitches"))
    wanted = _pitches().assign(so=_pitches().state == state).groupby("field").so.mean()
    assert found == pytest.approx(wanted.to_dict(), abs=1e-4)
    assert single == pytest.approx((wanted["games"],), abs=1e-4)
