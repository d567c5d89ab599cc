"""What the analyst knows of a table that nobody has described."""

from __future__ import annotations

from typing import Any

import pandas as pd

from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

_OPEN: list[SemanticLayer] = []  # kept as long as what is known of them


def scaffolded(name: str, rows: list[dict[str, Any]]) -> Metadata:
    """The metadata of one table, with the model that ``init`` writes for it."""
    data = {name: pd.DataFrame(rows)}
    _OPEN.append(SemanticLayer(load_model(scaffold_model(data)), DuckDBEngine.open(None, data=data)))
    return load_metadata(Toolbox(_OPEN[-1], SecurityContext.operator()))
