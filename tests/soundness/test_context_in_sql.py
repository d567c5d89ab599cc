"""A cube whose SQL filters by the asker's security context hides rows as a policy does: nothing is felt of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .compare import ask, difference
from .pairs import no_optimiser

ANA = SecurityContext(user="ana", security_context={"tenant": "acme"})
ROWS = [(n, "acme", n % 5, "a") for n in range(200)]
MINES = [(10**9 + n, "CANARY", 9_223_372_036_854_775_000, "CANARY") for n in range(200)]


WRITTEN = ("{SECURITY_CONTEXT.tenant.filter('tenant')}", "tenant = {SECURITY_CONTEXT.tenant}")


def open_layer(rows: list[tuple[Any, ...]], condition: str, *, optimiser: bool) -> SemanticLayer:
    table = pa.table({name: [row[n] for row in rows] for n, name in enumerate(("id", "tenant", "amount", "code"))})
    kinds = {"id": "number", "amount": "number", "code": "string"}
    dimensions = [
        {"name": name, "sql": f"{{CUBE}}.{name}", "type": kind, "primary_key": name == "id", "public": True}
        for name, kind in kinds.items()
    ]
    sql = f"SELECT * FROM deals WHERE {condition}"
    deals = {"name": "deals", "sql": sql, "dimensions": dimensions, "measures": [{"name": "count", "type": "count"}]}
    lines = {
        "name": "lines",
        "sql_table": "deals",
        "dimensions": [dimensions[0]],
        "measures": [{"name": "count", "type": "count"}],
        "joins": [{"name": "deals", "relationship": "many_to_one", "sql": "{CUBE}.id = {deals}.id"}],
        "access_policy": [
            {
                "group": "*",
                "row_level": {"filters": [{"member": "deals.amount", "operator": "lt", "values": [10]}]},
            }
        ],
    }
    view = {"name": "v", "cubes": [{"join_path": "lines", "includes": ["count"]},
                                   {"join_path": "lines.deals", "includes": ["id", "amount", "code"]}]}  # fmt: skip
    engine = DuckDBEngine.open(data={"deals": table}, settings={} if optimiser else no_optimiser())
    return SemanticLayer(load_model({"cubes": [deals, lines], "views": [view]}), engine)


@pytest.fixture(scope="module", params=[True, False], ids=["optimiser", "no-optimiser"])
def optimiser(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module", params=WRITTEN, ids=["filter", "value"])
def worlds(request: pytest.FixtureRequest, optimiser: bool) -> Iterator[list[SemanticLayer]]:
    layers = [open_layer(rows, request.param, optimiser=optimiser) for rows in (ROWS + MINES, ROWS)]
    yield layers
    for layer in layers:
        layer.close()


@pytest.mark.parametrize("sql", [
    "SELECT count(*) FROM {r} WHERE amount * 9000 >= 0", "SELECT count(*) FROM {r} WHERE amount + 9223372036854770000 > 0 AND code = 'a'",
    "SELECT count(*) FROM {r} WHERE code = 'CANARY'", "SELECT max(amount) FROM {r}", "SELECT count(*) FROM {r}", "SELECT MEASURE(count) FROM {r}",
    "SELECT code, count(*) FROM {r} WHERE -amount * 9000 < 1 GROUP BY 1", "SELECT id FROM {r} WHERE substring(code, amount) = 'x'",
    "SELECT count(*) FROM {r} a JOIN {r} b ON a.amount * 9000 = b.amount", "SELECT id FROM {r} WHERE amount IN (SELECT amount * 9000 FROM {r})",
])  # fmt: skip
@pytest.mark.parametrize("relation", ["deals", "v"])
def test_rows_of_other_contexts_are_not_felt(sql: str, relation: str, worlds: list[SemanticLayer]) -> None:
    text = sql.replace("{r}", relation)
    one, other = (ask(layer, ANA, text) for layer in worlds)
    assert difference(one, other) is None
    assert not one.error
    nobody = ask(worlds[0], SecurityContext(user="bob"), text)
    assert difference(nobody, ask(worlds[1], SecurityContext(user="bob"), text)) is None
    if relation == "deals":
        assert "OFFSET 0" in worlds[0].compile(ANA, text).sql or "* 9000" not in text


def test_nothing_of_the_table_is_told(worlds: list[SemanticLayer]) -> None:
    for found in worlds[0].query(ANA, "SELECT count(*) FROM deals").row_filters:
        assert found.told is not None
        assert "tenant" not in found.told.filter
