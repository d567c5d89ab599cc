"""The questions of TPC-H: through the model as by hand on DuckDB, and the same over the other engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from ..semantic_sql.shop import OPERATOR
from .test_suites import ENGINES
from .trade import MODEL, QUESTIONS, tables
from .twins import Twins, rows_of, spark_twins, twins


@pytest.fixture(scope="module")
def traded() -> dict[str, pa.Table]:
    return tables()


@pytest.fixture(scope="module")
def layer(traded: dict[str, pa.Table]) -> Iterator[SemanticLayer]:
    made = SemanticLayer(load_model(MODEL), DuckDBEngine.open(data=dict(traded)))
    yield made
    made.close()


@pytest.mark.parametrize("name", QUESTIONS)
def test_through_the_model_as_by_hand(layer: SemanticLayer, traded: dict[str, pa.Table], name: str) -> None:
    with duckdb.connect() as connection:
        for table, rows in traded.items():
            connection.register(table, rows)
        by_hand = connection.sql(QUESTIONS[name]).to_arrow_table()
    found = layer.query(OPERATOR, QUESTIONS[name]).table
    assert by_hand.num_rows and any(value is not None for value in by_hand.to_pylist()[0].values())
    assert rows_of(found) == rows_of(by_hand)


@pytest.fixture(scope="module", params=ENGINES)
def both(request: Any, traded: dict[str, pa.Table], tmp_path_factory: Any) -> Iterator[Twins]:
    server = request.getfixturevalue(request.param)
    if request.param == "postgres":
        with twins(MODEL, traded, server.database()) as made:
            yield made
    else:
        with spark_twins(MODEL, traded, server.url, tmp_path_factory.mktemp("traded")) as made:
            yield made


@pytest.mark.parametrize("name", QUESTIONS)
def test_over_another_engine(both: Twins, name: str) -> None:
    """None of these is refused."""
    assert not both.difference(QUESTIONS[name], OPERATOR)
