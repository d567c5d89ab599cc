"""The parts of reading: words, numbers, dates, conditions."""

from __future__ import annotations

from datetime import datetime

import pytest
import worlds
from asking import ask
from hypothesis import example, given, settings
from hypothesis import strategies as st

from svc_notebook.analyst.offline.calendar.grains import find_grains
from svc_notebook.analyst.offline.calendar.moments import iso
from svc_notebook.analyst.offline.calendar.periods import find_periods
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.analyst.offline.schema.nouns import plural
from svc_notebook.analyst.offline.words.numbers import unit_factor, unit_of
from svc_notebook.analyst.offline.words.text import edit_distance, name_parts, singular, stem, tokenize

NOW = datetime.fromisoformat("2024-11-20")


@pytest.mark.parametrize(
    ("word", "one"),
    [
        *zip(
            "cities boxes classes buses days houses warehouses causes viruses bonuses campuses prizes sizes quizzes "
            "knives wolves shelves heroes potatoes movies calories caches headaches taxes people children criteria "
            "analyses indices lenses gases addresses shoes branches dishes".split(),
            "city box class bus day house warehouse cause virus bonus campus prize size quiz "
            "knife wolf shelf hero potato movie calorie cache headache tax person child criterion "
            "analysis index lens gas address shoe branch dish".split(),
            strict=True,
        ),
        *(
            (word, word)
            for word in "status bus series species news aircraft lens bias atlas canvas physics glass".split()
        ),
    ],
)
def test_singular(word: str, one: str) -> None:
    assert singular(word) == one


@pytest.mark.parametrize("word", "bus house virus prize quiz knife hero movie box city branch lens price gas".split())
def test_plural_and_back(word: str) -> None:
    assert singular(plural(word)) == word


@pytest.mark.parametrize(
    ("a", "b"), [("cancelled", "cancel"), ("delays", "delayed"), ("rated", "rating"), ("shipping", "ship")]
)
def test_words_of_one_root_share_a_stem(a: str, b: str) -> None:
    assert stem(a) == stem(b)


def test_names_come_apart() -> None:
    assert name_parts("sbTxAmount") == ("sb", "tx", "amount")
    assert name_parts("order_date") == ("order", "date")


@given(st.text(max_size=12), st.text(max_size=12))
@settings(max_examples=200, deadline=None)
def test_edit_distance_is_symmetric(a: str, b: str) -> None:
    assert edit_distance(a, b, 30) == edit_distance(b, a, 30)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_tokens_lie_where_they_say(text: str) -> None:
    for token in tokenize(text):
        assert 0 <= token.start < token.end <= len(text)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("in 2023", "2023-01-01", "2024-01-01"), ("in March 2013", "2013-03-01", "2013-04-01"), ("Q3 2022", "2022-07-01", "2022-10-01"),
        ("last month", "2024-10-01", "2024-11-01"), ("last 3 full months", "2024-08-01", "2024-11-01"), ("this year", "2024-01-01", "2025-01-01"),
        ("past 30 days", "2024-10-21", None), ("since March", "2024-03-01", None), ("before 2020-05-01", None, "2020-05-01"),
        ("between 2023-01-01 and 2023-01-31", "2023-01-01", "2023-02-01"), ("from March to May 2013", "2013-03-01", "2013-06-01"),
        ("from March 2022 to February 28", "2022-03-01", "2023-03-01"), ("from 29 February to March 2023", "2023-02-28", "2023-04-01"),
        ("between 5 March 2022 and 28 February", "2022-03-05", "2023-03-01"), ("from March 2022 to May", "2022-03-01", "2022-06-01"),
        ("year to date", "2024-01-01", "2024-11-21"), ("yesterday", "2024-11-19", "2024-11-20"), ("on 4 July 2013", "2013-07-04", "2013-07-05"),
        ("July 4, 2013", "2013-07-04", "2013-07-05"), ("last year", "2023-01-01", "2024-01-01"), ("second half of 2023", "2023-07-01", "2024-01-01"),
        ("after 2020", "2021-01-01", None), ("until June 2021", None, "2021-07-01"), ("last quarter", "2024-07-01", "2024-10-01"),
    ],
)  # fmt: skip
def test_periods(text: str, low: str | None, high: str | None) -> None:
    found = find_periods(tokenize(text), NOW)
    assert len(found) == 1
    assert (iso(found[0].low) if found[0].low else None, iso(found[0].high) if found[0].high else None) == (low, high)


@pytest.mark.parametrize(
    ("text", "unit"),
    [("by month", "month"), ("weekly", "week"), ("by day of week", "weekday"), ("per hour of day", "hour_of_day")],
)
def test_grains(text: str, unit: str) -> None:
    assert [grain.unit for grain in find_grains(tokenize(text))] == [unit]


def test_units() -> None:
    assert unit_of("Delay in minutes") == "minute"
    assert unit_factor("hour", "minute") == 60
    assert unit_factor("hour", "mile") is None


@pytest.mark.parametrize("world", [worlds.shop, worlds.hospital])
@given(words=st.lists(st.sampled_from(
    "revenue orders visits patients cost by per top 5 average total number of how many country ward severity in 2024 last month not or and Germany severe "
    "distribution share growth versus line chart pie compare higher than 3 between 1 10 sorted descending each which most the customer name why with without".split()
), max_size=12))  # fmt: skip
@example(words="patients last revenue month patients average ward".split())
@settings(max_examples=150, deadline=None)
def test_whatever_is_read_can_be_written_and_run(world: object, words: list[str]) -> None:
    made = world()  # type: ignore[operator]  # a world of the parameters
    reading = read(" ".join(words), made.metadata, NOW)
    if reading.plan is not None:
        statement = write_sql(reading.plan, made.metadata)
        table = made.toolbox().sight.query(statement.sql).table
        assert table.column_names == [column.name for column in statement.columns]


@pytest.mark.parametrize(
    "question",
    ["number of flights in the morning vs the evening", "how many flights on weekdays vs on Sundays in the morning"],
)
def test_what_is_set_against_each_other_is_no_row_of_both(question: str) -> None:
    asked = ask(worlds.flights(), question)
    assert asked.table is None or asked.table.num_rows > 1, asked.answer.text
