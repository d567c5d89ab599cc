"""The small shop of the SQL attack corpus as a data model: two views, a hidden member, four shapes of row policy."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import duckdb

from svc_notebook.semantic.context import SecurityContext

SHAPES = ("plain", "list", "joined", "view")
_REGION = "{ userAttributes.region }"


def build(path: Path, *scripts: Path) -> Path:
    """Write the fixture's database."""
    with duckdb.connect(str(path)) as con:
        for script in scripts:
            con.execute(script.read_text(encoding="utf-8"))
        con.execute("CHECKPOINT")
    return path


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _policy(*filters: dict[str, Any], excludes: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    levels = {"member_level": {"includes": "*", "excludes": list(excludes)}} if excludes else {}
    return [{"group": "*", "row_level": {"filters": list(filters)}, **levels}]


def _equals(member: str, value: str = _REGION) -> dict[str, Any]:
    return {"member": member, "operator": "equals", "values": [value]}


def model(shape: str) -> dict[str, Any]:
    """The model with the row policy as a plain equality, inside a nested list, over a joined cube, or on the views."""
    own = _equals("region")
    nested = {
        "or": [
            {"and": [own, {"member": "region", "operator": "set"}]},
            {"and": [own, {"member": "region", "operator": "notEquals", "values": ["NOWHERE", "NO MORE"]}]},
        ]
    }
    orders_rows = {"plain": own, "list": nested, "joined": _equals("customer_facts.region")}
    customers_rows = {"plain": own, "list": nested, "joined": own}
    order_facts: dict[str, Any] = {
        "name": "order_facts",
        "public": False,
        "sql_table": "raw.orders",
        "joins": [
            {
                "name": "customer_facts",
                "relationship": "many_to_one",
                "sql": "{CUBE}.customer_id = {customer_facts}.customer_id",
            }
        ],
        "dimensions": [
            {"name": "order_id", "sql": "order_id", "type": "number", "primary_key": True, "public": True},
            {"name": "region", "sql": "region", "type": "string"},
            {"name": "status", "sql": "status", "type": "string"},
            {"name": "created_at", "sql": "created_at", "type": "time"},
            {"name": "amount", "sql": "amount", "type": "number"},
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "total_amount", "type": "sum", "sql": "amount"},
            {"name": "avg_amount", "type": "avg", "sql": "amount"},
        ],
    }
    customer_facts: dict[str, Any] = {
        "name": "customer_facts",
        "public": False,
        "sql_table": "raw.customers",
        "dimensions": [
            {"name": "customer_id", "sql": "customer_id", "type": "number", "primary_key": True, "public": True},
            {"name": "name", "sql": "name", "type": "string"},
            {"name": "region", "sql": "region", "type": "string"},
            {"name": "email", "sql": "email", "type": "string"},
        ],
    }
    orders: dict[str, Any] = {"name": "orders", "cubes": [{"join_path": "order_facts", "includes": "*"}]}
    customers: dict[str, Any] = {
        "name": "customers",
        "cubes": [{"join_path": "customer_facts", "includes": ["customer_id", "name", "region", "email"]}],
    }
    if shape == "view":
        orders["access_policy"] = _policy(own)
        customers["access_policy"] = _policy(own, excludes=("email",))
    else:
        order_facts["access_policy"] = _policy(orders_rows[shape])
        customer_facts["access_policy"] = _policy(customers_rows[shape])
        customers["access_policy"] = [
            {
                "group": "*",
                "member_level": {"includes": "*", "excludes": ["email"]},
                "row_level": {"allow_all": True},
            }
        ]
    return {"cubes": [order_facts, customer_facts], "views": [orders, customers]}


def context(case: dict[str, Any], shape: str) -> SecurityContext:
    """The asker of a line; the plain shape passes a one-element list as its element."""
    attributes = dict(case.get("user_attributes", {"region": ["EMEA"]}))
    region = attributes.get("region")
    if shape == "plain" and isinstance(region, list) and len(region) == 1:
        attributes["region"] = region[0]
    return SecurityContext(user="tester", user_attributes=attributes)
