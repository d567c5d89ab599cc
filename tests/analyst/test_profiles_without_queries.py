"""Where all values of a dimension were counted, how they lie is known: the same as a query of its own would say."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pandas as pd
import pytest

from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.offline.schema.literals import quote
from svc_notebook.analyst.offline.walk.segments import segment
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

ROWS = 3_000
SALES = pd.DataFrame({
    "id": range(ROWS),
    "shop": [None if n % 11 == 3 else n % 40 for n in range(ROWS)],
    "colour": [None if n % 7 == 2 else ("red", "Öl", "42", "")[n % 4] for n in range(ROWS)],
    "receipt": [f"r{n}" for n in range(ROWS)],
    "nothing": pd.Series([None] * ROWS, dtype="string"),
})  # fmt: skip
SHOPS = pd.DataFrame({"id": range(40), "town": [f"town {n % 9}" if n % 5 else None for n in range(40)]})
POLICY = [{
    "group": "*",
    "member_level": {"includes": "*"},
    "row_level": {"filters": [{"member": "colour", "operator": "equals", "values": ["{ userAttributes.colours }"]}]},
}]  # fmt: skip


def text(name: str) -> dict[str, Any]:
    return {"name": name, "sql": name, "type": "string"}


def layer_of() -> SemanticLayer:
    key = {"name": "id", "sql": "id", "type": "number", "primary_key": True}
    sales = {
        "name": "sales", "sql_table": "sales", "access_policy": POLICY,
        "dimensions": [key, *map(text, ("colour", "receipt", "nothing")),
                       {"name": "colour_depth", "sql": "id", "type": "number"}],
        "measures": [{"name": "count", "type": "count"}],
        "joins": [{"name": "shops", "sql": "{CUBE}.shop = {shops}.id", "relationship": "many_to_one"}],
    }  # fmt: skip
    shops = {"name": "shops", "sql_table": "shops", "dimensions": [key, text("town")]}
    view = {
        "name": "bought", "description": "What was bought, and where.",
        "cubes": [{"join_path": "sales", "includes": "*"}, {"join_path": "sales.shops", "includes": ["town"]}],
    }  # fmt: skip
    model = load_model({"cubes": [sales, shops], "views": [view]})
    return SemanticLayer(model, DuckDBEngine.open(data={"sales": SALES, "shops": SHOPS}))


@pytest.mark.parametrize("who", [
    SecurityContext.operator(),
    SecurityContext(user="ana", user_attributes={"colours": ["red", "42"]}),
    SecurityContext(user="bob", user_attributes={"colours": []}),
])  # fmt: skip
def test_a_profile_is_what_a_query_would_say(who: SecurityContext) -> None:
    layer = layer_of()
    metadata = load_metadata(Toolbox(layer, who))
    texts = [member for member in metadata.members.values() if member.type == "string"]
    assert {"bought.colour", "bought.town", "bought.receipt", "bought.nothing"} <= {member.path for member in texts}
    for member in texts:
        name = quote(member.name)
        sql = (
            f"SELECT COUNT(*) AS n, COUNT(DISTINCT {name}) AS d, COUNT(*) - COUNT({name}) AS m, MIN({name}) AS low, "
            f"MAX({name}) AS high FROM {quote(member.relation)}"
        )
        [row] = layer.query(who, sql).table.to_pylist()
        found = metadata.profile(member.path)
        assert (found.rows, found.distinct, found.missing, found.low, found.high) == tuple(row.values()), member.path
    layer.close()


def test_values_that_are_all_counted_are_asked_for_once() -> None:
    layer = layer_of()
    metadata = load_metadata(Toolbox(layer, SecurityContext.operator()))
    layer.close()  # from here on nothing can be asked
    assert metadata.profile("bought.colour").distinct == 4 and metadata.profile("bought.town").missing > 0


def test_the_data_are_not_asked_of_numbers_that_are_not_named_whole() -> None:
    layer = layer_of()
    metadata, asked = load_metadata(Toolbox(layer, SecurityContext.operator())), list[str]()
    metadata.measure_profile = lambda member: asked.append(member.path)
    segment("sales by colour", metadata, datetime.fromisoformat("2026-01-01"))
    assert not any(path.endswith("colour_depth") for path in asked)
    layer.close()
