"""DuckDB and Spark say the same of the same rows, or Spark refuses by name; `make engines` asks hundreds more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from svc_notebook.semantic.errors import QueryError

from ..semantic_sql.shop import DATA, OPERATOR
from .questions import BY_HAND, EMEA, MODEL, MORE, drawn, facts
from .twins import Twins, spark_twins

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def both(spark: Any, tmp_path_factory: Any) -> Iterator[Twins]:
    with spark_twins(MODEL, {**DATA, "facts": facts()}, spark.url, tmp_path_factory.mktemp("shop") / "tables") as made:
        yield made


@pytest.mark.parametrize("sql", [*BY_HAND, *MORE])
def test_questions_by_hand(both: Twins, sql: str) -> None:
    for difference in (both.difference(sql, OPERATOR), both.difference(sql, EMEA, timezone="Europe/Berlin")):
        assert not difference or difference.startswith("refused: Over Spark"), difference


def test_most_of_them_are_not_refused(both: Twins) -> None:
    refused = [sql for sql in [*BY_HAND, *MORE] if _is_refused(both, sql)]
    assert len(refused) <= 6, refused


def _is_refused(both: Twins, sql: str) -> bool:
    try:
        both.there.compile(OPERATOR, sql)
    except QueryError as refusal:
        return "Over Spark" in refusal.message
    return False


@pytest.mark.parametrize("seed", range(12))
def test_drawn_questions(both: Twins, seed: int) -> None:
    sql = drawn(seed)
    difference = both.difference(sql, EMEA if seed % 2 else OPERATOR)
    assert not difference or difference.startswith("refused: Over Spark"), f"{sql}\n{difference}"
