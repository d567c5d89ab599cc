"""Models of several tables made by the code of ``svc-notebook init`` from tables that are described nowhere else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import yaml

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

FOLDER = Path(__file__).parent / "multitable"


class TableWorld:
    """One field: its tables, a model made of them, the questions and their answers."""

    def __init__(self, name: str) -> None:
        self.told: dict[str, Any] = yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf8"))
        self.oracle = duckdb.connect()
        for table, sql in self.told["tables"].items():
            self.oracle.execute(f"CREATE TABLE {table} AS {sql}")
        data: dict[str, pa.Table] = {t: self.oracle.execute(f"FROM {t}").to_arrow_table() for t in self.told["tables"]}
        engine = DuckDBEngine.open(None, data=data)
        self.layer = SemanticLayer(
            load_model(scaffold_model(self._described(data), engine=engine, views=False)), engine
        )

    def _described(self, data: dict[str, pa.Table]) -> dict[str, Any]:
        tables = [
            {
                "name": name,
                "columns": [{"name": f.name, "type": _kind(f.type)} for f in table.schema],
                "primary_key": [self.told["keys"][name]],
            }
            for name, table in data.items()
        ]
        joins = [(*here.split("."), *there.split(".")) for here, there in self.told["joins"]]
        sides = ("from_table", "from_column", "to_table", "to_column")
        return {"tables": tables, "joins": [dict(zip(sides, join, strict=True)) for join in joins]}

    def expected(self, sql: str) -> list[list[Any]]:
        """The rows that the SQL of a question gives over the tables themselves."""
        return [list(row) for row in self.oracle.execute(sql).fetchall()]


@cache
def table_world(name: str) -> TableWorld:
    """A world by the name of its file, made once."""
    return TableWorld(name)


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_temporal(kind):
        return "time"
    return "string" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else "number"
