"""Questions in German and French: over tables of the language and over English ones, the numbers that pandas gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.languages import LANGUAGES, ModelNames, rendered
from svc_notebook.analyst.offline.languages.lexicon import language, made_of

GERMAN = ["Bestellnummer", "Datum", "Kunde", "Land", "Produkt", "Menge", "Preis", "Umsatz"]
FRENCH = ["numéro", "date", "client", "pays", "produit", "quantité", "prix", "chiffre_affaires"]
ENGLISH = ["order_id", "order_date", "customer", "country", "product", "quantity", "price", "revenue"]
TABLES = {"de": ("verkauf", GERMAN), "fr": ("ventes", FRENCH), "en": ("orders", ENGLISH)}


def sold() -> pd.DataFrame:
    dice, count = np.random.default_rng(5), 400
    frame = pd.DataFrame(
        {
            "id": np.arange(1, count + 1),
            "day": pd.Timestamp("2022-01-01") + pd.to_timedelta(dice.integers(0, 730, count), "D"),
            "customer": dice.choice(["Anna", "Ben", "Clara", "David", "Eva"], count),
            "country": dice.choice(["Deutschland", "Österreich", "Schweiz"], count, p=[0.5, 0.3, 0.2]),
            "product": dice.choice(["Stuhl", "Tisch", "Lampe", "Regal", "Sofa", "Bett"], count),
            "quantity": dice.integers(1, 9, count),
            "price": dice.integers(10, 400, count).astype(float),
        }
    )
    return frame.assign(revenue=frame["quantity"] * frame["price"])


SOLD = sold()
IN_2023 = SOLD["day"].dt.year == 2023


def _by(column: str, value: str = "revenue", how: str = "sum") -> list[list[Any]]:
    return [[name, found] for name, found in SOLD.groupby(column)[value].agg(how).items()]


def _best(column: str, count: int = 1) -> list[list[Any]]:
    return [[name, found] for name, found in SOLD.groupby(column)["revenue"].sum().nlargest(count).items()]


def _months() -> list[list[Any]]:
    months = SOLD["day"].dt.to_period("M").dt.to_timestamp()
    return [[month, found] for month, found in SOLD.groupby(months)["revenue"].sum().items()]


BETWEEN = SOLD.loc[SOLD["day"].between("2022-03-01", "2022-06-30 23:59"), "revenue"].sum()
AFTER = SOLD.loc[SOLD["day"] >= "2023-07-02", "revenue"].sum()
MARCH = int((IN_2023 & (SOLD["day"].dt.month == 3)).sum())
NOT_SWISS = [row for row in _by("country", "quantity", "mean") if row[0] != "Schweiz"]

ASKED: dict[tuple[str, str], list[list[Any]]] = {
    ("de", "Umsatz nach Land"): _by("country"),
    ("de", "Gesamtumsatz im Jahr 2023"): [[SOLD.loc[IN_2023, "revenue"].sum()]],
    ("de", "Wie viele Verkäufe gab es im März 2023?"): [[MARCH]],
    ("de", "Durchschnittlicher Preis pro Produkt"): _by("product", "price", "mean"),
    ("de", "Durchschnittspreis pro Land"): _by("country", "price", "mean"),
    ("de", "Welches Land hat den höchsten Umsatz?"): _best("country"),
    ("de", "Top 3 Kunden nach Umsatz"): _best("customer", 3),
    ("de", "Umsatz pro Monat"): _months(),
    ("de", "Wie viele Kunden gibt es?"): [[5]],
    ("de", "durchschnittliche Menge je Land ohne Schweiz"): NOT_SWISS,
    ("de", "Umsatz nach dem 1.7.2023"): [[AFTER]],
    ("de", "Umsatz zwischen März 2022 und Juni 2022"): [[BETWEEN]],
    ("de", "Wie hoch ist der Median der Preise?"): [[SOLD["price"].median()]],
    ("de", "Anzahl der Verkäufe mit einem Preis über 1.000,50"): [[0]],
    ("fr", "Chiffre d'affaires par pays"): _by("country"),
    ("fr", "Chiffre d'affaires total en 2023"): [[SOLD.loc[IN_2023, "revenue"].sum()]],
    ("fr", "Combien de ventes en mars 2023 ?"): [[MARCH]],
    ("fr", "Prix moyen par produit"): _by("product", "price", "mean"),
    ("fr", "Les 3 meilleurs clients par chiffre d'affaires"): _best("customer", 3),
    ("fr", "Chiffre d’affaires par mois"): _months(),
    ("fr", "Combien y a-t-il de clients ?"): [[5]],
    ("fr", "quantité moyenne par pays sans Schweiz"): NOT_SWISS,
    ("fr", "Chiffre d'affaires après le 1.7.2023"): [[AFTER]],
    ("fr", "Chiffre d'affaires entre mars 2022 et juin 2022"): [[BETWEEN]],
    ("fr", "médiane des prix"): [[SOLD["price"].median()]],
    ("en", "Umsatz nach Land"): _by("country"),
    ("en", "Wie viele Bestellungen gab es im März 2023?"): [[MARCH]],
    ("en", "Welches Land hat den höchsten Gesamtumsatz?"): _best("country"),
    ("en", "die drei Kunden mit dem höchsten Umsatz"): _best("customer", 3),
    ("en", "chiffre d'affaires par pays"): _by("country"),
    ("en", "prix moyen par produit"): _by("product", "price", "mean"),
    ("en", "nombre de commandes en mars 2023"): [[MARCH]],
}


@pytest.fixture(scope="module")
def shops() -> Iterator[dict[str, svc.Client]]:
    made = {}
    for code, (table, names) in TABLES.items():
        made[code] = svc.embedded({table: SOLD.set_axis(names, axis=1)})
    yield made
    for client in made.values():
        client.close()


@pytest.mark.parametrize(("model", "question"), ASKED)
def test_a_question_gives_the_numbers_of_pandas(shops: dict[str, svc.Client], model: str, question: str) -> None:
    answer = shops[model].chat().ask(question)
    assert answer.df is not None, answer.text
    assert _plain(answer.df.values.tolist()) == _plain(ASKED[model, question]), answer.sql
    said = "Lu comme : « " if model == "fr" or question in _FRENCH else "Gelesen als: “"
    assert said in answer.text


_FRENCH = {question for model, question in ASKED if model == "en" and ("par" in question or "nombre" in question)}


@pytest.mark.parametrize(
    "questions",
    [
        ("de", "Umsatz nach Land", "stattdessen nach Produkt", "nur 2023", "als Tabelle"),
        ("fr", "Chiffre d'affaires par pays", "plutôt par produit", "seulement 2023", "en tableau"),
    ],
)
def test_a_conversation_goes_on_in_its_language(shops: dict[str, svc.Client], questions: tuple[str, ...]) -> None:
    model, first, *more = questions
    chat = shops[model].chat()
    assert _plain(chat.ask(first).df.values.tolist()) == _plain(_by("country"))
    answers = [chat.ask(question) for question in more]
    assert _plain(answers[0].df.values.tolist()) == _plain(_by("product"))
    only = SOLD[IN_2023].groupby("product")["revenue"].sum()
    assert _plain(answers[1].df.values.tolist()) == _plain([[name, value] for name, value in only.items()])
    assert _plain(answers[2].df.values.tolist()) == _plain([[name, value] for name, value in only.items()])


@pytest.mark.parametrize(
    ("model", "question", "said"),
    [
        (
            "de",
            "Welcher Kunde hat die höchste Zufriedenheit?",
            ["“Zufriedenheit” kenne ich hier nicht", "Fragen, die ich beantworten kann:", "nach Kunde"],
        ),
        (
            "fr",
            "Combien de girafes par pays ?",
            ["je ne connais pas “girafes” ici", "Questions auxquelles je peux répondre"],
        ),
    ],
)
def test_what_is_not_read_is_refused_in_the_language_it_was_asked_in(
    shops: dict[str, svc.Client], model: str, question: str, said: list[str]
) -> None:
    answer = shops[model].chat().ask(question)
    assert answer.outcome == "refused"
    assert all(part in answer.text for part in said), answer.text


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("Wie viele Flüge wurden gestrichen?", "how many flights were cancelled?"),
        ("Anteil der stornierten Flüge", "share of cancelled flights"),
        ("nombre de vols annulés par mois", "number of cancelled flight per month"),
        ("Flüge vor dem 5.3.2023", "flights before 2023-03-05"),
        ("die meisten Flüge", "the most flights"),
        ("les vols les plus longs", "the longest flights"),
        ("Flüge seit 2023-03-05 nach A-12", "flights since 2023-03-05 by A-12"),
        ("Flüge von „Air-Bus & Co.“ im Mai", 'flights from "Air-Bus & Co." in may'),
        ("vols de « Côte d'Azur » par mois", 'flight of "Côte d\'Azur" per month'),
    ],
)
def test_it_is_said_in_english(question: str, english: str) -> None:
    heard = rendered(question, ModelNames(lambda: [["flights"]]))
    assert heard is not None
    assert heard.question == english


@pytest.mark.parametrize(
    "question",
    [
        "How many flights left from La Guardia?", "La Guardia flights", "sales in Los Angeles by month",
        "average price per product", "top 5 customers pro rata", "what was the best month", "Die Hard ratings",
        "explain the sql", "orders for Le Mans", "revenue by country for El Salvador", "undo", "vol by month",
    ],
)  # fmt: skip
def test_english_stays_as_it_is(question: str) -> None:
    assert rendered(question, ModelNames(lambda: [["flights"], ["price"]])) is None


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_the_model_calls_a_thing_is_no_word_of_a_language(code: str) -> None:
    """A column called ``nach`` makes no German of an English question."""
    for word in sorted(language(code).signs)[:200]:
        assert rendered(f"average {word} per {word}", ModelNames(lambda word=word: [[word]])) is None


def test_a_language_begins_with_its_name_and_a_few_phrases() -> None:
    """All else that its file may hold is for more of it, and may come later."""
    italian = made_of("it", {"name": "Italian", "phrases": {"quanti": "how many", "per": "by", "città": "city"}})
    assert italian.phrases["quanti",].english == "how many" and italian.signs["citta"] == 1
    assert italian.longest == 1 and not italian.linking and not italian.nouns


def _plain(rows: list[list[Any]]) -> list[tuple[Any, ...]]:
    return sorted((tuple(map(_cell, row)) for row in rows), key=repr)


def _cell(value: Any) -> Any:
    return str(value)[:10] if isinstance(value, pd.Timestamp | str) else float(f"{float(value):.4g}")
