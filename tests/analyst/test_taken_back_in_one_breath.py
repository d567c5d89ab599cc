"""What a turn takes back itself, and other words for shares, numbers and whose something is."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from asking import ask
from tuition import lessons, rows, talk
from worlds import World

from svc_notebook.analyst.offline.dialogue.plainly import repaired
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def cars() -> World:
    owners = pd.DataFrame({"owner_no": [1, 2, 3, 4], "owner_name": ["Ada Ash", "Bo Birch", "Cy Cole", "Di Dale"]})
    vehicles = pd.DataFrame({
        "plate": [f"P{n}" for n in range(12)], "owner_no": [1, 2, 3, 1, 2, 4] * 2, "fuel": ["diesel", "petrol", "petrol"] * 4,
    })  # fmt: skip
    tables = {"owners": owners, "vehicles": vehicles}
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("longest first... no sorry, alphabetically", "alphabetically"),
        ("only Germany, no wait, France", "only France"),
        ("without the dogs, sorry, the cats", "without the cats"),
        ("and in March, sorry, April", "and April"),
        ("sales by region, no wait, by country", "sales by region, no wait, by country"),
        ("is there a no-show, sorry?", "is there a no-show, sorry?"),
        ("only those with no dogs", "only those with no dogs"),
    ],
)
def test_only_an_edit_is_taken_back_for_another(said, meant):
    assert repaired(said) == meant


def test_what_is_taken_back_is_not_done():
    asked = talk("total fee by tutor", "highest first... no sorry, alphabetically")
    assert [row[0] for row in asked.rows()] == sorted(set(lessons().tutor_name))
    assert rows("total fee by tutor", "only french, no wait, chess") == rows("total fee by tutor", "only chess")


@pytest.mark.parametrize(
    "words", ["what share did each one have", "what percentage did each of them have", "what share does each one have"]
)
def test_the_share_of_each_is_asked_in_many_words(words):
    found = {row[0]: row[-1] for row in talk("number of lessons by subject", words).rows()}
    assert found == pytest.approx((lessons().groupby("subject").size() / len(lessons())).to_dict())
    assert rows("number of lessons by subject", words, "and in numbers again") == rows("number of lessons by subject")


def test_a_group_is_left_away_again():
    assert rows("number of lessons by subject", "split by outcome as well", "leave the outcome away again") == rows(
        "number of lessons by subject"
    )


def test_who_owns_what_was_listed():
    asked = ask(cars(), "which vehicles are diesel", "who owns them")
    assert {name for row in asked.rows() for name in row if str(name).count(" ")} == {"Ada Ash"}


def test_how_somebody_did_is_asked_of_the_number_that_was_shown():
    known = lessons()[lessons().tutor_name == "Quinn Marsh"].fee.sum()
    assert [row[-1] for row in talk("total fee by tutor", "how did Quinn do").rows()] == [known]
    asked = talk("total fee by tutor", "average florb of the zorks by school", "how did Quinn do")
    assert asked.tool == {} and "not answered" in asked.answer.text
