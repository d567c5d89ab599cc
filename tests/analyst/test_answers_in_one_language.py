"""Whatever is asked in German or French is answered in it: drawn questions of all recipes, every text that is read."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline import languages
from svc_notebook.front.payloads import turn_payload
from svc_notebook.locales import locale_of
from svc_notebook.results.charts import render_result
from svc_notebook.results.tables import html_table

PLACE = files(languages)
NUMBERS, GROUPS = ("Kosten", "Dauer", "Alter"), ("Station", "Kanal")
OWN = {
    "augen",
    "herz",
    "haut",
    "besuche",
    "besuch",
    "station",
    "kanal",
    "kosten",
    "dauer",
    "alter",
    "dringend",
    "beginn",
    "web",
    "post",
}
RECIPES = {
    "de": (
        "Verteilung von {n}", "kumulierte Verteilung der {n}", "Boxplot von {n} nach {g}", "Korrelation zwischen {n} und {m}",
        "Ausreißer bei {n}", "Trend von {n}", "Wie hat sich {n} von März 2023 bis April 2023 verändert?",
        "Warum war der Durchschnitt von {n} im Mai 2023 höher als im Juni 2023?", "ungewöhnliche Tage bei der Anzahl Besuche",
        "Welche {g} machen 70 % der Summe von {n} aus?", "Unterschied bei {n} zwischen Augen und Herz",
        "Zusammenfassung der Besuche", "Was hat sich zwischen März 2023 und April 2023 geändert?",
        "Summe von {n} nach {g}", "Durchschnitt von {n} nach {g}", "Anzahl Besuche pro Monat", "Anzahl Besuche nach Wochentag",
        "Durchschnitt von {n} nach Monat und {g}", "Median von {n}", "Anteil der Besuche nach {g}", "Anzahl Besuche nach Dringend",
        "Top 2 {g} nach Summe von {n}", "Wird die {n} nächsten Monat steigen?", "Summe von {n} im Jahr 1990",
        "Vergleiche Augen und Herz nach Summe von {n}", "laufende Summe der {n} pro Monat", "{n} nach Wolkenform",
        "Was kann ich fragen?", "Wie aktuell sind die Daten?", "hallo",
    ),
    "fr": (
        "répartition de {n}", "distribution cumulée de la {n}", "boîte à moustaches de {n} par {g}", "corrélation entre {n} et {m}",
        "valeurs aberrantes de {n}", "tendance de {n}",
        "Pourquoi la moyenne de {n} était plus élevée en mai 2023 qu'en juin 2023 ?",
        "différence de {n} entre Augen et Herz", "résumé des Besuche", "qu'est-ce qui a changé entre mars 2023 et avril 2023 ?",
        "somme de {n} par {g}", "moyenne de {n} par {g}", "nombre de Besuche par mois", "nombre de Besuche par jour de la semaine",
        "moyenne de {n} par mois et {g}", "médiane de {n} pour Augen", "nombre de Besuche par Dringend",
        "somme de {n} en 1990", "somme de {n} par Wolkenform", "aide", "bonjour",
    ),
}  # fmt: skip


@lru_cache(1)
def rows() -> pd.DataFrame:
    random = np.random.default_rng(7)
    count = 2400
    station = random.choice(["Augen", "Herz", "Haut"], count, p=[0.5, 0.3, 0.2])
    begin = pd.Timestamp("2023-01-01") + pd.to_timedelta(np.sort(random.integers(0, 500 * 24, count)), unit="h")
    age = random.integers(1, 95, count)
    cost = random.gamma(2.0, 60.0, count) * (1 + (station == "Herz")) + age
    stay = np.where(random.random(count) < 0.06, np.nan, random.integers(1, 30, count) + age / 20)
    return pd.DataFrame(
        {
            "Beginn": begin, "Station": station, "Kanal": random.choice(["Web", "Post", None], count, p=[0.6, 0.35, 0.05]),
            "Kosten": cost.round(2), "Dauer": stay, "Alter": age, "Dringend": random.random(count) < 0.3,
        }
    )  # fmt: skip


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-zäöüßàâçéèêëîïôûùœ]+", text.lower()))


def data_of(code: str) -> list[dict[str, Any]]:
    return [tomllib.loads((PLACE / code / f"{name}.toml").read_text("utf8")) for name in ("phrases", "sayings")]


def english_words(code: str) -> set[str]:
    """Words that only English has: of what is said there, without what a language says itself."""
    phrases, sayings = data_of(code)
    english = tomllib.loads((PLACE / "en" / "phrases.toml").read_text("utf8"))
    told = " ".join(key for part in ("sentences", "parts", "titles") for key in sayings[part])
    told += " ".join(text for part in english.values() for text in part.values())
    known, own = locale_of("en"), locale_of(code)
    told += " ".join((*known.months, *known.weekdays, *known.short_weekdays, *known.cells.values()))
    here = " ".join(
        text for part in (*phrases.values(), *sayings.values()) for text in part.values() if isinstance(text, str)
    )
    here += " ".join((*own.months, *own.weekdays, *own.short_months, *own.short_weekdays, *own.cells.values()))
    told = re.sub(r"\{\w+\}", " ", told)
    return {word for word in words_of(told) - words_of(re.sub(r"\{\w+\}", " ", here)) - OWN if len(word) > 1}


def read(answer: svc.Answer) -> Iterator[tuple[str, str]]:
    """Every text that a person reads of an answer, and where it stands."""
    yield "words", answer.text or ""
    yield "offers", "; ".join(answer.suggestions)
    for choice in answer.choices:
        yield "choice", choice.question
    for result in answer.results:
        yield "title", result.title
        yield "table", re.sub(r"<[^>]+>", " ", html_table(result.schema, result.rows, title=result.title))
        if result.vega_spec and (chart := render_result(result)) is not None:
            assert not chart.notes, chart.notes
            svg = chart.to_svg()
            yield "picture", "; ".join(re.findall(r">([^<>]+)</text>", svg or ""))
    reading = turn_payload(1, answer)["reading"]
    if reading is not None and answer.results:
        for part in ("measures", "groups", "where", "sort"):
            yield part, "; ".join(clause["words"] for clause in reading[part] if "expression" not in clause)


@pytest.fixture(scope="module")
def chats() -> Iterator[svc.EmbeddedClient]:
    pytest.importorskip("vl_convert")
    with svc.embedded({"Besuche": rows()}) as client:
        yield client


def drawn(code: str, template: str) -> str:
    random = np.random.default_rng(len(template))
    n, m = random.choice(NUMBERS, 2, replace=False)
    return template.format(n=n, m=m, g=random.choice(GROUPS))


@pytest.mark.parametrize(("code", "template"), [(code, each) for code, all_ in RECIPES.items() for each in all_])
def test_nothing_that_is_read_is_english(chats: svc.EmbeddedClient, code: str, template: str) -> None:
    question = drawn(code, template)
    answer = chats.chat().ask(question)
    english = english_words(code)
    for place, text in read(answer):
        assert not words_of(text) & english, (question, place, words_of(text) & english, text)
    for result in answer.results:
        assert {column.language for column in result.schema} == {code}


def test_an_english_turn_after_is_english(chats: svc.EmbeddedClient) -> None:
    chat = chats.chat()
    for code, asked in (("de", "Summe von Kosten nach Station"), ("fr", "somme de Kosten par Station")):
        chat.ask(asked)
        answer = chat.ask("how many Besuche are there per Station?")
        told = words_of(" ".join(text for _, text in read(answer)))
        foreign = {
            word
            for part in data_of(code)
            for texts in part.values()
            for text in texts.values()
            for word in words_of(text)
        }
        foreign -= words_of(
            json.dumps([list(part.keys()) for d in data_of(code) for part in d.values()])
        ) | english_words(code)
        assert not told & (foreign - OWN - {"der", "in", "on", "as"}), (told & foreign, answer.text)
        assert all(column.language is None for column in answer.results[-1].schema)


def test_numbers_and_truth_in_tables_are_written_as_in_the_language(chats: svc.EmbeddedClient) -> None:
    answer = chats.chat().ask("Summe von Kosten nach Dringend")
    table = html_table(answer.result.schema, answer.result.rows)
    total = rows().groupby("Dringend")["Kosten"].sum()
    for urgent, value in total.items():
        assert f">{'ja' if urgent else 'nein'}<" in table
        assert f"{value:,.2f}".translate(str.maketrans(",.", ".,")) in table, table
    assert "alle 2 Zeilen" in table


def test_an_edit_of_a_reading_is_answered_in_its_language(chats: svc.EmbeddedClient) -> None:
    chat = chats.chat()
    first = chat.ask("Summe von Kosten nach Station im März 2023")
    edited = chat.ask("Dasselbe ohne die Zeit", reading=first.reading.without("where", 0))
    assert "hat den größten Teil" in (edited.text or ""), edited.text
    assert edited.result is not None and edited.result.title == "Summe von Kosten nach Station"


def test_sayings_are_the_same_in_all_languages_with_their_parts() -> None:
    (_, german), (_, french) = data_of("de"), data_of("fr")
    slots = re.compile(r"\{\w+\}")
    for part in german:
        assert list(german[part]) == list(french[part])
        for english, here in german[part].items():
            for said in (here, french[part][english]):
                assert set(slots.findall(said)) <= set(slots.findall(english)), (english, said)
