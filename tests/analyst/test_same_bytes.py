"""A question answered twice, and by an analyst that was just made, gives the same bytes."""

from __future__ import annotations

import json

import pytest
import trades
import worlds
from asking import Asked, ask

QUESTIONS = [
    (worlds.flights, ("busiest airport",)),
    (worlds.flights, ("flights by month", "only Delta", "why is july higher")),
    (trades.retail, ("revenue by fiscal quarter",)),
    (trades.retail, ("revenue of (Shoes or Camping) and not Fjell",)),
    (trades.retail, ("top 2 products by revenue in each category",)),
    (trades.school, ("oldest pupils",)),
]


def spoken(asked: Asked) -> str:
    return json.dumps(
        [asked.answer.text, asked.working, asked.answer.suggestions, asked.tool.get("input")], sort_keys=True
    )


@pytest.mark.parametrize(("world", "questions"), QUESTIONS)
def test_twice_the_same(world: object, questions: tuple[str, ...]) -> None:
    once = ask(world(), *questions)  # type: ignore[operator]  # the worlds are functions
    fresh = world.__wrapped__()  # type: ignore[attr-defined]  # made anew, without its cache
    assert spoken(once) == spoken(ask(world(), *questions)) == spoken(ask(fresh, *questions))  # type: ignore[operator]
    fresh.layer.close()
