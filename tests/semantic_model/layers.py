"""A layer over a small model and tables given in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pandas as pd
import yaml

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

OPERATOR = SecurityContext(unrestricted=True)


@contextmanager
def opened(model: str, tables: Mapping[str, pd.DataFrame] | None = None) -> Iterator[SemanticLayer]:
    """The layer over a model in YAML."""
    layer = SemanticLayer(load_model(yaml.safe_load(model)), DuckDBEngine.open(None, data=dict(tables or {})))
    try:
        yield layer
    finally:
        layer.close()


def rows(layer: SemanticLayer, sql: str, ctx: SecurityContext = OPERATOR, **options: Any) -> list[tuple[Any, ...]]:
    """The answer's rows; numbers that are whole as int, moments of midnight as dates."""
    table = layer.query(ctx, sql, **options).table
    return [tuple(_plain(row[name]) for name in table.column_names) for row in table.to_pylist()]


def _plain(value: Any) -> Any:
    if hasattr(value, "date") and callable(value.date):
        return value.date().isoformat() if (value.hour, value.minute, value.second) == (0, 0, 0) else value.isoformat()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, (str, bool)) or value is None:
        return value
    return int(value) if float(value).is_integer() else round(float(value), 6)
