"""A seeded sample of the two promises' suites over other engines; `make engines` runs them whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from svc_notebook.semantic.engine.postgres import PostgresEngine

from .elsewhere import Elsewhere, Found, Opened, drivers, elsewhere
from .spark_server import written
from .twins import filled

ENGINES = [
    pytest.param("postgres", marks=pytest.mark.postgres),
    pytest.param("spark", marks=pytest.mark.spark),
]
SHOWN = {"postgres": "PostgreSQL", "spark": "Spark"}
HOW_MANY = {"postgres": 60, "spark": 8}  # a query of Spark's takes a second


@pytest.fixture(scope="module", params=ENGINES)
def opened(request: Any, tmp_path_factory: Any) -> tuple[str, Opened]:
    """An engine's name, and what puts tables there and opens it."""
    server = request.getfixturevalue(request.param)
    if request.param == "postgres":
        return "postgres", lambda tables: PostgresEngine.open(filled(server.database(), tables))
    from svc_notebook.semantic.engine.spark import SparkEngine

    return "spark", lambda tables: SparkEngine.open(
        server.url, files=written(tmp_path_factory.mktemp("tables"), tables)
    )


@pytest.fixture(scope="module")
def worlds(opened: tuple[str, Opened], tmp_path_factory: Any) -> Iterator[Elsewhere]:
    with elsewhere(SHOWN[opened[0]], opened[1], tmp_path_factory.mktemp("worlds"), hidden_rows=1000) as made:
        yield made


def nothing_wrong(found: Found) -> None:
    print(dict(found.counts))
    assert not found.wrong, "\n".join(found.wrong)


def test_attacks(worlds: Elsewhere) -> None:
    nothing_wrong(worlds.attacks(how_many(worlds)))


def test_hidden_rows_and_members_change_nothing(worlds: Elsewhere) -> None:
    found = worlds.hidden_rows(range(how_many(worlds)))
    nothing_wrong(found)
    assert found.counts["answered"] > 0.4 * found.counts["asked"]


def test_drawn_queries_are_answered_as_duckdb_answers_them(worlds: Elsewhere) -> None:
    found = worlds.equal_answers(range(5_000, 5_000 + how_many(worlds)))
    nothing_wrong(found)
    assert found.counts["equal"] > found.counts["refused"]


def test_drivers_cases(opened: tuple[str, Opened]) -> None:
    found = drivers(SHOWN[opened[0]], opened[1])
    if not found.counts:
        pytest.skip("no corpus of drivers' cases here")
    nothing_wrong(found)


def how_many(worlds: Elsewhere) -> int:
    return HOW_MANY["spark" if worlds.engine == "Spark" else "postgres"]
