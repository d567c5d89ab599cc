"""Turns of German and French threads over a table of that language: what they leave out, correct and point at."""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import cache

import pandas as pd
import pytest

import svc_notebook as svc


@cache
def sold() -> pd.DataFrame:
    chance = random.Random("sold")
    return pd.DataFrame([
        {"id": number, "laden": chance.choice(["Mitte", "Nord", "Hafen"]), "ware": chance.choice(["Brot", "Milch"]),
         "tag": date(2023, 1, 1) + timedelta(days=chance.randint(0, 720)), "betrag": chance.randint(2, 90)}
        for number in range(1, 401)
    ])  # fmt: skip


def asked(names: dict[str, str], table: str, *turns: str) -> tuple[str, list[list[object]]]:
    with svc.embedded({table: sold().rename(columns=names)}) as client:
        chat = client.chat()
        for turn in turns:
            answer = chat.ask(turn)
    return answer.text, [] if answer.df is None else answer.df.to_numpy().tolist()


GERMAN: dict[str, str] = {}
FRENCH = {"laden": "magasin", "ware": "rayon", "tag": "jour", "betrag": "montant"}


@pytest.mark.parametrize(
    ("turns", "mask"),
    [(["Summe Betrag nach Laden", "nein, ich meinte nach Ware"], ("ware", None)),
     (["Summe Betrag nach Laden", "ohne Hafen"], ("laden", "Hafen")),
     (["Summe Betrag nach Laden", "nach Ware statt dessen"], ("ware", None))],
)  # fmt: skip
def test_german_turns(turns: list[str], mask: tuple[str, str | None]) -> None:
    group, out = mask
    told, rows = asked(GERMAN, "verkäufe", *turns)
    known = sold() if out is None else sold()[sold()[group] != out]
    assert sorted(map(str, rows)) == sorted(
        map(str, known.groupby(group).betrag.sum().reset_index().to_numpy().tolist())
    ), told


def test_german_year_before() -> None:
    told, rows = asked(GERMAN, "verkäufe", "Wie viele Verkäufe gab es 2024?", "und im Jahr davor?")
    assert rows == [[int((pd.to_datetime(sold().tag).dt.year == 2023).sum())]], told


@pytest.mark.parametrize(
    ("turn", "laden"), [("dont Nord ?", "Nord"), ("sans Nord", ""), ("et l'année précédente ?", "2023")]
)
def test_french_turns(turn: str, laden: str) -> None:
    known = sold()
    year = pd.to_datetime(known.tag).dt.year
    wanted = {"Nord": (year == 2024) & (known.laden == "Nord"), "": (year == 2024) & (known.laden != "Nord")}
    told, rows = asked(FRENCH, "ventes", "combien de ventes en 2024 ?", turn)
    assert rows == [[int(wanted.get(laden, year == 2023).sum())]], told


def test_french_correction_is_no_exclusion() -> None:
    known = sold()
    turns = ("combien de ventes en 2024 ?", "seulement Nord", "non, je voulais dire Mitte")
    told, rows = asked(FRENCH, "ventes", *turns)
    assert rows == [[int(((pd.to_datetime(known.tag).dt.year == 2024) & (known.laden == "Mitte")).sum())]], told
