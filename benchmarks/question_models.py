"""Data models for the question sets, as ``svc-notebook init`` writes them: views and all, only keys and joins are given.

A set describes its databases in a neutral ``models.json``. Tables that lie there as plain files of people (``everyday``)
are read by ``init`` as they are; the others come out of databases, and keep the types they had there.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from svc_notebook.semantic.engine import DuckDBEngine, EngineLimits
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

__all__ = ["build_layer", "same_database"]


def build_layer(folder: Path, described: Mapping[str, Any], *, as_files: bool = False) -> SemanticLayer:
    """A layer over one described database; ``as_files`` leaves the types of its columns to ``init``."""
    data = {_name(table): _file(folder, table) if as_files else _rows(folder, table) for table in described["tables"]}
    engine = DuckDBEngine.open(None, data=data, limits=EngineLimits(timeout=600))  # however busy the machine is
    return SemanticLayer(load_model(scaffold_model(_keys(described), engine=engine)), engine)


def same_database(folder: Path, described: Mapping[str, Any]) -> str:
    """A text that is equal for descriptions of one database, whatever set they stand in."""
    files = sorted(str(_file(folder, table).resolve()) for table in described["tables"])
    return repr((files, _joins(described), [table.get("primary_key") for table in described["tables"]]))


def _keys(described: Mapping[str, Any]) -> dict[str, Any]:
    """What is given of a description: names, types, keys and joins; no labels or descriptions."""
    tables = [
        {
            "name": _name(table),
            "columns": [{"name": column["name"], "type": column["type"]} for column in table["columns"]],
            "primary_key": table.get("primary_key") or [],
        }
        for table in described["tables"]
    ]
    return {"tables": tables, "joins": _joins(described)}


def _joins(described: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The joins, those of several columns (``composite``) as one."""
    several: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    joins: list[dict[str, Any]] = []
    for join in described["joins"]:
        if join.get("composite"):
            several[join["composite"]].append(join)
        else:
            joins.append(dict(join))
    for parts in several.values():
        ends = {f"{end}_columns": [part[f"{end}_column"] for part in parts] for end in ("from", "to")}
        joins.append({key: parts[0].get(key) for key in ("from_table", "to_table", "relationship")} | ends)
    return joins


def _name(table: Mapping[str, Any]) -> str:
    return ".".join(filter(None, (table.get("schema"), table["name"])))


def _file(folder: Path, table: Mapping[str, Any]) -> Path:
    return folder / str(table.get("parquet") or table["file"])


def _rows(folder: Path, table: Mapping[str, Any]) -> pa.Table:
    """A table's rows with the declared types; empty cells are missing."""
    file = _file(folder, table)
    if file.suffix == ".parquet":
        return pq.read_table(file)
    with file.open(encoding="utf8", newline="") as handle:
        names, *body = csv.reader(handle)
    kinds = [column["type"] for column in table["columns"]]
    cells = [[row[place] for row in body] for place in range(len(names))]
    return pa.table({name: _typed(column, kind) for name, column, kind in zip(names, cells, kinds, strict=True)})


def _typed(cells: list[str], kind: str) -> pa.Array:
    values: list[Any] = [cell if cell != "" else None for cell in cells]
    if kind == "number":
        numbers = [float(v) if v is not None else None for v in values]
        whole = all(n is None or n.is_integer() and abs(n) < 2**53 for n in numbers)
        if whole:
            return pa.array([int(n) if n is not None else None for n in numbers], pa.int64())
        return pa.array(numbers, pa.float64())
    if kind == "boolean":
        return pa.array([v.lower() in ("true", "1", "t") if v is not None else None for v in values], pa.bool_())
    if kind == "time":
        try:
            return pa.array([datetime.fromisoformat(v) if v is not None else None for v in values], pa.timestamp("us"))
        except ValueError:
            return pa.array(values, pa.string())
    return pa.array(values, pa.string())
