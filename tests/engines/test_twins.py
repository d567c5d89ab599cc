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
    """None of these is refused."""
    assert not both.difference(sql, OPERATOR)
    assert not both.difference(sql, EMEA, timezone="Europe/Berlin")


@pytest.mark.parametrize("seed", range(40))
def test_drawn_questions(both: Twins, seed: int) -> None:
    sql = drawn(seed)
    ctx = EMEA if seed % 2 else OPERATOR
    difference = both.difference(sql, ctx)
    assert not difference or difference.startswith("refused: Over PostgreSQL"), f"{sql}\n{difference}"


def test_an_escape_character_is_read_back(both: Twins) -> None:
    """A cast around it was not: the finished text could not be held against its tables, and was not run."""
    assert not both.difference("SELECT id FROM facts WHERE word LIKE 'a!_%' ESCAPE '!' ORDER BY id", OPERATOR)


def test_a_full_join_without_an_equation_is_refused_by_name(both: Twins) -> None:
    join = "SELECT COUNT(*) AS n, COUNT(a.id) AS x FROM facts a FULL JOIN facts b ON "
    for condition in ("a.whole > b.whole", "1.5 = b.whole AND b.id > 3", "a.id = a.whole"):
        refusal = both.difference(join + condition, OPERATOR)
        assert refusal.startswith("refused: Over PostgreSQL there is no way to say a FULL JOIN"), refusal
    for condition in ("a.id = b.id", "b.whole = a.whole + 1 AND a.id > b.id", "TRUE"):
        assert not both.difference(join + condition, OPERATOR)


@pytest.fixture(scope="module")
def elsewhere(postgres: Any) -> Iterator[Twins]:
    """A database that sorts texts as dictionaries do."""
    with twins(
        MODEL, {**DATA, "facts": facts()}, postgres.database(" LOCALE_PROVIDER icu ICU_LOCALE 'en' TEMPLATE template0")
    ) as made:
        yield made


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT word, COUNT(*) AS n FROM facts GROUP BY 1 ORDER BY 1",
        "SELECT MIN(word), MAX(word), MIN(lower(word)), MAX(upper(word)), COUNT(DISTINCT word) FROM facts",
        "SELECT id, word < 'b' AS a, word > region AS b, word || 'x' < 'ax' AS c, concat(word, 1) < 'a2' AS d FROM facts ORDER BY id",
        "SELECT CAST(whole AS TEXT) AS t FROM facts GROUP BY 1 ORDER BY 1",
        "SELECT to_char(day, 'Mon') AS t, COUNT(*) FROM facts GROUP BY 1 ORDER BY 1",
        "SELECT id FROM facts WHERE word ILIKE 'ä%' OR lower(word) = 'é' OR word LIKE 'A%' ORDER BY word, id",
    ],
)  # fmt: skip
def test_texts_are_in_the_same_order_in_a_database_with_another(elsewhere: Twins, sql: str) -> None:
    assert not elsewhere.difference(sql, OPERATOR)
    assert not elsewhere.difference(sql, EMEA)
