"""Both engines say the same of the same rows, or PostgreSQL refuses by name; `make engines` asks thousands more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ..semantic_sql.shop import DATA, OPERATOR
from .questions import BY_HAND, EMEA, MODEL, drawn, facts
from .twins import Twins, twins

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def both(postgres: Any) -> Iterator[Twins]:
    with twins(MODEL, {**DATA, "facts": facts()}, postgres.database()) as made:
        yield made


@pytest.mark.parametrize("sql", BY_HAND)
def test_questions_by_hand(both: Twins, sql: str) -> None:
    for ctx in (OPERATOR, EMEA):
        difference = both.difference(sql, ctx)
        assert not difference or difference.startswith("refused: Over PostgreSQL"), difference
    assert not both.difference(sql, OPERATOR, timezone="Europe/Berlin") or "reverse" in sql or "QUALIFY" in sql


def test_few_of_them_are_refused(both: Twins) -> None:
    refused = [sql for sql in BY_HAND if both.difference(sql, OPERATOR)]
    assert [sql for sql in refused if "reverse" not in sql] == []


@pytest.mark.parametrize("seed", range(40))
def test_drawn_questions(both: Twins, seed: int) -> None:
    sql = drawn(seed)
    ctx = EMEA if seed % 2 else OPERATOR
    difference = both.difference(sql, ctx)
    assert not difference or difference.startswith("refused: Over PostgreSQL"), f"{sql}\n{difference}"
