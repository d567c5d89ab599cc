"""Who shares a place is named with whoever has it; an average of few values says of how many rows it is."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

SCORES = pd.DataFrame(
    {
        "team": ["Owls"] * 40 + ["Bears"] * 40 + ["Foxes"] * 40 + ["Seals"] * 40,
        "score": [9.0] * 40 + [9.0] * 40 + [7.0] * 20 + [None] * 20 + [4.0] * 40,
        "shots": [3] * 40 + [2] * 40 + [1] * 40 + [1] * 40,
    }
)


@pytest.fixture(scope="module")
def chat() -> Iterator[svc.EmbeddedClient]:
    with svc.embedded({"games": SCORES}) as client:
        yield client


def test_two_who_are_highest_are_both_named(chat: svc.EmbeddedClient) -> None:
    answer = chat.chat().ask("average score by team")
    assert "**Owls** and **Bears** have the highest average score: **9**" in _either(answer), answer.text
    assert "Seals the lowest (4)" in (answer.text or "")
    assert '"Bears and Owls have' in answer.result.vega_spec or '"Owls and Bears have' in answer.result.vega_spec


def _either(answer: svc.Answer) -> str:
    """Names in one order, however ties are sorted."""
    return (answer.text or "").replace("**Bears** and **Owls**", "**Owls** and **Bears**")


def test_two_who_are_last_are_both_named(chat: svc.EmbeddedClient) -> None:
    text = chat.chat().ask("total shots by team").text or ""
    totals = SCORES.groupby("team").shots.sum().sort_values()
    assert "**Owls** has the" in text and f"{totals.max() / totals.sum():.1%}".replace("%", " %") in text
    assert "Foxes and Seals are last of 4 (40)" in text.replace("Seals and Foxes", "Foxes and Seals"), text


def test_an_average_of_few_values_says_so(chat: svc.EmbeddedClient) -> None:
    known = int(SCORES.score.notna().sum())
    for question in ("average score", "average score by team"):
        text = chat.chat().ask(question).text or ""
        assert f"Only {known} of {len(SCORES)} rows have a value; the others are left out." in text, text
    foxes = chat.chat().ask("average score of Foxes").text or ""
    assert "Only 20 of 40 rows have a value" in foxes, foxes
    assert "have a value" not in (chat.chat().ask("average shots by team").text or "")
    assert "Nur 140 von 160 Zeilen haben einen Wert" in (chat.chat().ask("Durchschnitt von score nach team").text or "")
