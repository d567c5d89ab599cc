"""Small models to start a test from, and the ways the tests look at findings."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from pathlib import Path

from svc_notebook.semantic.errors import ModelError, ModelProblem
from svc_notebook.semantic.loader import ModelSource, check_model, load_model
from svc_notebook.semantic.model import DataModel, Source

SHOP = """
cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: customers
        relationship: many_to_one
        sql: "{CUBE}.customer_id = {customers.id}"
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: "{CUBE}.status", type: string}
      - {name: amount, sql: amount, type: number}
      - {name: created_at, sql: created_at, type: time}
    measures:
      - {name: count, type: count}
      - {name: total, type: sum, sql: amount, format: currency, currency: eur}
    segments:
      - {name: completed, sql: "{CUBE}.status = 'completed'"}
  - name: customers
    sql_table: customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: region, sql: region, type: string}
      - {name: ssn, sql: ssn, type: string, public: false}
    measures:
      - {name: count, type: count}
"""


def load(folder: Path, text: str) -> DataModel:
    """The model in ``text``, through a file."""
    return load_model(written(folder, text))


def written(folder: Path, text: str, name: str = "model.yml") -> Path:
    file = folder / name
    file.write_text(textwrap.dedent(text), encoding="utf-8")
    return file


def findings(folder: Path, text: str) -> list[ModelProblem]:
    return check_model(written(folder, text))


def errors(folder: Path, text: str) -> list[ModelProblem]:
    """The errors, which must also be what loading raises."""
    found = [problem for problem in findings(folder, text) if problem.severity == "error"]
    assert raised(folder / "model.yml") == found
    return found


def raised(source: ModelSource) -> list[ModelProblem]:
    """The problems that loading raises; none if it does not."""
    try:
        load_model(source)
    except ModelError as error:
        return error.problems
    return []


def bare(model: DataModel) -> object:
    """The model without places and without its version."""

    def strip(value: object) -> object:
        if isinstance(value, Source):
            return None
        if isinstance(value, tuple):
            return tuple(strip(item) for item in value)
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items()}
        if hasattr(value, "__dataclass_fields__"):
            return (type(value).__name__, *(strip(getattr(value, name)) for name in value.__dataclass_fields__))
        return value

    return strip(replace(model, version="", warnings=()))
