"""What is asked of a few that were shown stays beside them, and readings that give the same rows are no choice."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from asking import ask
from tuition import lessons, rows, talk
from worlds import World

from svc_notebook.analyst.offline.schema.values import ValueIndex
from svc_notebook.analyst.offline.words.text import tokenize
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def departures() -> World:
    """Flights by the code of who flew them, and what the codes stand for."""
    count = 400
    carriers = pd.DataFrame(
        {"carrier": ["AA", "DL", "UA", "B6"], "name": ["American Air", "Delta Lines", "United Jets", "Blue Sky"]}
    )
    flights = pd.DataFrame({
        "flight_id": range(1, count + 1), "carrier": [["AA", "AA", "DL", "UA", "B6", "UA", "AA"][n % 7] for n in range(count)],
        "departure_delay": [n * 37 % 200 for n in range(count)],
    })  # fmt: skip
    tables = {"flights": flights, "airlines": carriers}
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


@cache
def tea() -> World:
    """What a shop has, and what of it was sold."""
    products = pd.DataFrame({
        "product_id": range(1, 7), "product_name": ["Assam", "Espresso", "Cocoa", "Darjeeling", "Mocha", "White Cocoa"],
        "category": ["tea", "coffee", "chocolate"] * 2,
    })  # fmt: skip
    sales = pd.DataFrame({
        "sale_id": range(1, 61), "product_id": [n % 6 + 1 for n in range(60)], "quantity": [n % 4 + 1 for n in range(60)],
    })  # fmt: skip
    tables = {"products": products, "sales": sales}
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


def beside(column: str, person: str, number: int, by: str) -> list[tuple[object, ...]]:
    """The few of one kind with the most, with a column of theirs, by the data themselves."""
    grouped = lessons().groupby([person, column])
    found = (grouped.size() if by == "count" else grouped[by].sum()).sort_values(ascending=False).head(number)
    return sorted(((*key, value) for key, value in found.items()), key=repr)


@pytest.mark.parametrize(
    "words", ["which cities?", "what cities are they in", "and the city of each", "which cities are they from?"]
)
def test_a_column_is_shown_beside_the_few(words):
    assert rows("top 3 tutors by total fee", words) == beside("city", "tutor_name", 3, "fee")


def test_the_few_stay_the_ones_that_are_spoken_of():
    found = talk("top 3 tutors by total fee", "which cities?", "how many lessons did each of them give")
    known = lessons().groupby("tutor_name").size()
    assert sorted((row[0], row[-1]) for row in found.rows()) == [
        (t, known[t]) for t in ("Ola Rau", "Pete Lind", "Sven Oke")
    ]


def test_a_bare_kind_is_of_a_list_that_was_shown():
    pupils = lessons().drop_duplicates("pupil_name")
    of_grade = pupils[pupils.grade == 8]
    assert rows("which pupils are in grade 8", "which schools?") == sorted(
        zip(of_grade.pupil_name, of_grade.school, strict=True)
    )


def test_a_bare_kind_is_all_of_it_where_no_few_were_shown():
    assert rows("how many lessons are there?", "which schools?") == sorted((s,) for s in set(lessons().school))
    assert rows("total fee by subject", "which schools?") == sorted((s,) for s in set(lessons().school))


def test_codes_and_names_of_the_same_groups_are_no_choice():
    asked = ask(
        departures(), "how many flights had a departure delay of more than 100?", "which airline had the most of them"
    )
    delayed = [n for n in range(400) if n * 37 % 200 > 100 and n % 7 in (0, 1, 6)]
    assert asked.rows() == [("American Air", len(delayed))]


@pytest.mark.parametrize("words", ["which tutors have them", "and which tutors know them?"])
def test_who_does_something_with_those_that_were_listed(words):
    of_grade = lessons()[lessons().grade == 8]
    assert rows("which pupils are in grade 8", words) == sorted((name,) for name in set(of_grade.tutor_name))


def test_whether_something_was_done_to_any_of_them_is_counted():
    asked = ask(tea(), "which products have the category tea", "did we sell any of them?")
    assert asked.rows() == [(sum(n % 3 == 0 for n in range(60)),)]


MISSED = ("number of lessons by tutor", "only the missed ones")


def missed() -> list[tuple[str, int]]:
    held = lessons()
    return sorted(
        held[held.outcome == "missed"].groupby("tutor_name").size().items(), key=lambda one: (-one[1], one[0])
    )


def test_the_worst_has_most_of_the_rows_that_are_bad():
    assert talk(*MISSED, "sort from worst to best").rows() == missed()
    assert talk(*MISSED, "sort from best to worst").rows() != missed()
    assert talk(*MISSED, "the worst 2").rows() == missed()[:2]


@pytest.mark.parametrize("words", ["in percent of their lessons", "no, in percent of their lessons i mean"])
def test_a_share_of_theirs_is_of_all_rows_of_each(words):
    found = dict(talk(*MISSED, words).rows())
    whole = lessons().groupby("tutor_name").size()
    assert found == pytest.approx({tutor: 100 * count / whole[tutor] for tutor, count in missed()})
    worst = max(found, key=lambda tutor: found[tutor])
    assert talk(*MISSED, words, "sort it worst to best").rows()[0][0] == worst


@pytest.mark.parametrize(
    ("word", "found"), [("laguardia", ["La Guardia"]), ("lagooardia", []), ("sanjose", ["San Jose"])]
)
def test_a_value_of_two_words_is_known_when_it_is_written_as_one(word, found):
    index = ValueIndex()
    index.add("airports.name", ["La Guardia", "San Jose", "Newark Liberty Intl", "Laguna"], complete=True)
    assert [match.value for match in index.find(tokenize(word), 0)] == found
