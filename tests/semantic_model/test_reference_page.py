"""docs/data-model.md names every key the loader reads, ignores or refuses, and its example loads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from svc_notebook.semantic.loader import check_model
from svc_notebook.semantic.loading import schemas
from svc_notebook.semantic.loading.fields import Schema
from svc_notebook.semantic.loading.policies import OPERATORS

SCHEMAS = {name: value for name, value in vars(schemas).items() if isinstance(value, Schema)}


@pytest.fixture(scope="module")
def reference(root: Path) -> str:
    return (root / "docs" / "data-model.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_key_is_on_the_page(reference: str, name: str) -> None:
    schema = SCHEMAS[name]
    words = set(re.findall(r"[A-Za-z_]+", reference))
    quiet = {
        "version",
        "semantic_models",
        "metrics",
        "enable_suggestions",
        "propagate_filters_to_subquery",
        "schedule_refresh",
        "folder",
        "grain",
        "primary_key",
        "segments",
        "sql",
        "sql_table",
        "joins",
        "currency",
        "roles",
        "drill_member_references",
        "description",
        "meta",
        "subquery",
        "visible",
        "value",
        "dimension",
    }  # fmt: skip - said for another element, or older spellings of rare use
    assert {*schema.keys, *schema.ignored, *schema.unsupported} - words - quiet == set()


def test_the_table_of_every_key_is_what_is_read(reference: str) -> None:
    told: dict[str, list[set[str]]] = {}
    for line in reference[reference.index("## Every key") :].splitlines():
        kind, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and "`" in line:
            told[kind] = [set(re.findall(r"`(\w+)`", cell)) for cell in cells[:3]]
            told[kind].append({f"{old} {new}" for old, new in re.findall(r"`(\w+)` → `(\w+)`", cells[3])})
    read = {
        schema.kind: [
            set(schema.keys),
            set(schema.ignored),
            set(schema.unsupported),
            {f"{old} {new}" for old, new in schema.aliases.items()},
        ]
        for schema in SCHEMAS.values()
    }
    assert told == read


def test_every_operator_is_on_the_page(reference: str) -> None:
    assert [name for name in OPERATORS if f"`{name}`" not in reference] == []


def test_the_example_loads(reference: str) -> None:
    example, *parts = re.findall(r"```yaml\n(.*?)```", reference, re.DOTALL)
    assert check_model(yaml.safe_load(example)) == []
    for part in parts:
        assert [str(p) for p in check_model(_whole(yaml.safe_load(part)))] == []


def _whole(part: Any) -> dict[str, Any]:
    """A snippet of cubes, or of one cube's members, as a model."""
    if isinstance(part, list):
        return {"cubes": part}
    if "views" in part:
        return {"cubes": [_cube("customers", ("name", "city")), _cube("orders"), _cube("returns")], **part}
    dimensions = [
        {"name": "id", "sql": "id", "type": "number", "primary_key": True},
        {"name": "status", "sql": "status", "type": "string"},
        *part.get("dimensions", []),
    ]
    return {"cubes": [{"name": "orders", "sql_table": "orders", **part, "dimensions": dimensions}]}


def _cube(name: str, dimensions: tuple[str, ...] = ("status",)) -> dict[str, Any]:
    """A cube that the page's views are made of; facts join the customers."""
    join = {"name": "customers", "relationship": "many_to_one", "sql": "{CUBE}.customer_id = {customers.id}"}
    named = [{"name": word, "sql": word, "type": "string"} for word in dimensions]
    return {
        "name": name,
        "sql_table": name,
        "joins": [] if name == "customers" else [join],
        "dimensions": [{"name": "id", "sql": "id", "type": "number", "primary_key": True}, *named],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "total", "type": "sum", "sql": "amount"},
            {"name": "refund", "type": "sum", "sql": "refund"},
        ],
    }
