"""Answers in German and French: phrases that are there in both, whole sentences, numbers and dates as they are written."""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook import locales
from svc_notebook.analyst.offline import languages
from svc_notebook.results.charts import render_result

PLACE, CELLS = files(languages), files(locales)
PARTS = ("sentences", "caveats", "refusals", "titles", "names")
FORMED = (
    "part_",
    "grain_",
    "text_",
    "head_",
    "first_",
    "place_",
    "in_period",
    "between",
    "period_between",
    "up_to",
    "not_",
)
MONTHS = pd.date_range("2023-01-01", "2024-03-10", freq="D")
SOLD = pd.DataFrame(
    {
        "Tag": MONTHS,
        "Land": [("Schweiz", "Österreich", "Italien")[day.day % 3] for day in MONTHS],
        "Menge": [1200 + 7.5 * (day.day_of_year % 11) for day in MONTHS],
    }
)


def told(code: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((PLACE / code / "phrases.toml").read_text("utf8"))


def parts_of(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


def test_every_phrase_is_there_in_every_language_with_the_same_parts() -> None:
    german, french, english = told("de"), told("fr"), told("en")
    for part in PARTS:
        assert set(german[part]) == set(french[part])
        assert set(english.get(part, {})) <= set(german[part])
        for name, phrase in german[part].items():
            assert parts_of(phrase) == parts_of(french[part][name]), name
    german_signs, french_signs = (tomllib.loads((CELLS / f"{code}.toml").read_text("utf8")) for code in ("de", "fr"))
    assert {part: set(said) for part, said in german_signs.items() if isinstance(said, dict)} == {
        part: set(said) for part, said in french_signs.items() if isinstance(said, dict)
    }
    assert set(german_signs) == set(french_signs)


def test_no_phrase_stands_for_two() -> None:
    names = [name for part in PARTS for name in told("de")[part]]
    assert len(names) == len(set(names))


def test_what_is_said_has_a_phrase_and_each_phrase_is_said() -> None:
    """Names that are put together of pieces (``head_high``) are known by their beginning."""
    offline = Path(str(PLACE)).parent
    sources = [*Path(str(PLACE)).glob("*.py"), *(offline / "answering").glob("*.py")]
    sources += [offline / "dialogue" / "choosing.py", offline / "telling" / "caveats.py"]
    code = "".join(source.read_text("utf8") for source in sources).replace("'", '"')
    known = {name for part in PARTS for name in told("de")[part]}
    said = set(re.findall(r'say\(\s*"(\w+)"', code))
    assert said <= known
    unsaid = {name for name in known if f'"{name}"' not in code and not name.startswith(FORMED)}
    assert not unsaid


@pytest.fixture(scope="module")
def chat() -> Iterator[svc.Chat]:
    with svc.embedded({"Verkauf": SOLD}) as client:
        yield client.chat()


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Menge pro Monat", ["März 2024 ist nicht vollständig", "Die Daten enden am 10. März 2024", "Am höchsten: **"]),
        (
            "durchschnittliche Menge je Land",
            ["hat den höchsten Wert: **1.2", "Durchschnitt von Menge", "von 3 Gruppen"],
        ),
        ("Summe der Menge nach Land ohne Schweiz", ["wobei Land ≠ Schweiz", "Der Unterschied beträgt"]),
        ("Gesamtmenge im März 2023", ["Summe von Menge, wobei Tag in März 2023"]),
        ("Summe der Menge nach Wochentag", ["Sonntag", "zuletzt von 7"]),
    ],
)
def test_answers_are_told_whole_in_the_language_of_the_question(
    chat: svc.Chat, question: str, wanted: list[str]
) -> None:
    answer = chat.ask(question)
    assert all(words in answer.text for words in wanted), answer.text
    assert not re.search(r"\b(?:the|where|highest|lowest|rose|fell|of|is|and)\b", answer.text.split("Gelesen")[0])


def test_numbers_are_those_of_the_result_written_with_comma_and_point(chat: svc.Chat) -> None:
    answer = chat.ask("Gesamtmenge im März 2023")
    number = float(answer.df.iloc[0, -1])
    assert f"**{number:,.0f}**".replace(",", ".") in answer.text


def test_title_and_columns_are_in_the_language(chat: svc.Chat) -> None:
    answer = chat.ask("Summe der Menge nach Land")
    assert answer.result is not None and answer.result.title == "Summe von Menge nach Land"


def test_a_column_over_the_groups_is_told_in_the_language(chat: svc.Chat) -> None:
    text = chat.ask("Menge pro Monat im Vergleich zum Vorjahr").text
    assert text.startswith("Zuwachs von Summe von Menge") and "Gelesen als" in text and "It was read" not in text


def test_an_edit_that_has_no_place_is_refused_in_the_language(chat: svc.Chat) -> None:
    chat.ask("Summe der Menge nach Land")
    assert "Das geht mit der Antwort davor nicht" in chat.ask("ohne Filter").text


def written(svg: str) -> set[str]:
    """The texts of a picture."""
    return set(re.findall(r">([^<>]+)</text>", svg))


@pytest.mark.parametrize(
    ("question", "there", "not_there"),
    [
        ("Flüge pro Monat", {"Mai 2013", "10.000"}, {"May 2013", "10,000"}),
        ("vols par mois", {"mai 2013", "10\u202f000"}, {"May 2013", "10,000"}),
        ("Summe von Menge nach Wochentag", {"Mo", "Di", "So"}, {"Mon", "Tue", "Sun"}),
        ("somme de Menge par jour de la semaine", {"lun.", "dim."}, {"Mon", "Sun"}),
        ("flights per month", {"May 2013", "10,000"}, {"Mai 2013", "10.000"}),
    ],
)
def test_axes_are_written_in_the_language_of_the_question(question: str, there: set[str], not_there: set[str]) -> None:
    pytest.importorskip("vl_convert")
    with svc.embedded(data=SOLD) if "Menge" in question else svc.demo() as client:
        answer = client.chat().ask(question)
        chart = render_result(answer.result)
        svg = chart.to_svg()
    assert chart.notes == [] and svg is not None
    assert there <= written(svg), written(svg)
    assert not not_there & written(svg)
    assert answer.chart is not None  # Altair takes it


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("Flüge pro Monat", "Jetzt nach Woche"),
        ("durchschnittliche Ankunftsverspätung nach Fluggesellschaft", "Und nach Wochentag"),
        ("vols par mois", "Maintenant par semaine"),
    ],
)
def test_questions_that_lead_on_are_in_the_language_and_are_answered(question: str, offered: str) -> None:
    with svc.demo() as client:
        suggested = client.chat().ask(question).suggestions
        assert offered in suggested
        for offer in suggested:
            chat = client.chat()
            chat.ask(question)
            answer = chat.ask(offer)
            assert answer.outcome == "complete", offer


def test_a_question_that_leads_on_is_read_as_in_english() -> None:
    def then(question: str, offer: str) -> list[tuple[str, object, object]]:
        chat = client.chat()
        chat.ask(question)
        return bare(chat.ask(offer).reading)

    def bare(reading: svc.Reading) -> list[tuple[str, object, object]]:
        """What is asked, whatever its words."""
        wire = reading.to_dict()
        parts = ("measures", "groups", "where", "sort")
        return [(part, clause.get("member"), clause.get("grain")) for part in parts for clause in wire[part]]

    with svc.demo() as client:
        for place in range(3):
            english, german, french = (
                client.chat().ask(q).suggestions[place]
                for q in ("flights per month", "Flüge pro Monat", "vols par mois")
            )
            assert english != german != french
            expected = then("flights per month", english)
            assert then("Flüge pro Monat", german) == expected
            assert then("vols par mois", french) == expected


def test_what_is_refused_in_german_leads_on_in_german() -> None:
    with svc.demo() as client:
        answer = client.chat().ask("Flüge pro Quatsch und Blubb")
    assert "Fragen, die ich beantworten kann:" in answer.text
    assert "- Wie viele Flights gibt es?" in answer.text
