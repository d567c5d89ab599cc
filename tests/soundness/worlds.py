"""Two worlds to compare: the full data under a policy, and plain tables that hold only what the policy permits.

A :class:`Shape` says the same thing twice and independently: once as ``access_policy`` of a data model, once as plain
SQL over the base tables (``permitted``). Whoever asks a question in either world must get the same answer; the hidden
rows are full of mines (texts that do not cast, amounts that overflow, zero divisors) so that touching one shows.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from svc_notebook.semantic.context import SecurityContext

CANARY = "CANARY"
CANARY_NUMBER = 777777.77
VISIBLE_REGIONS = ("EMEA", "APAC", "LATAM")

# --- the data ------------------------------------------------------------------------------------------------------

DDL = """
CREATE SCHEMA raw;
CREATE TABLE raw.customers(customer_id INTEGER, name VARCHAR, region VARCHAR, tier VARCHAR, credit DOUBLE,
                           joined DATE, email VARCHAR);
CREATE TABLE raw.products(product_id INTEGER, label VARCHAR, line VARCHAR, price DECIMAL(10,2), weight DOUBLE);
CREATE TABLE raw.orders(order_id INTEGER, customer_id INTEGER, product_id INTEGER, region VARCHAR, status VARCHAR,
                        created_at TIMESTAMP, ship_date DATE, amount DECIMAL(12,2), qty INTEGER, score DOUBLE,
                        code VARCHAR, is_paid BOOLEAN, internal_note VARCHAR);
CREATE TABLE raw.tickets(ticket_id INTEGER, customer_id INTEGER, region VARCHAR, topic VARCHAR, minutes INTEGER,
                         opened_at TIMESTAMP);
CREATE TABLE raw.secrets(name VARCHAR, pay INTEGER);
INSERT INTO raw.secrets VALUES ('CANARY_SECRET', 987654);
"""
# JSON and lists of each order: what is no JSON, fields that do not cast, nothing; those of hidden rows are mines.
_INFO = """CASE WHEN order_id > 1000
    THEN [NULL, 'CANARY [', '{"a": "CANARY", "n": "CANARY", "b": {"c": "CANARY"}, "l": ["CANARY"]}'][1 + order_id % 3]
    ELSE [NULL, '{"a": "x", "n": "7", "b": {"c": "EMEA"}, "l": [1, "two"]}', '{"a": "y", "n": 12, "l": []}', 'plain',
          '{"n": null, "b": 5}'][1 + order_id % 5] END"""
_TAGS = """CASE WHEN order_id > 1000 THEN ['CANARY', NULL]
    ELSE [NULL, ['x', 'y'], [], ['EMEA', NULL, 'gold']][1 + order_id % 4] END"""


def _customers(rng: random.Random) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for number in range(1, 61):
        region = (*VISIBLE_REGIONS, "NA", "NA", None)[number % 6]
        hidden = region in ("NA", None)
        name = f"CANARY_CUST_{number}" if hidden else f"Person {number % 37}"
        tier = "CANARY_TIER" if hidden else rng.choice(["gold", "silver", "bronze", None])
        credit = CANARY_NUMBER if hidden else rng.choice([None, 0.0, rng.randrange(4000) / 4])
        rows.append(
            (number, name, region, tier, credit, f"202{number % 5}-0{1 + number % 9}-15", f"CANARY_MAIL_{number}")
        )
    return rows


def _orders(rng: random.Random, hidden_rows: int) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for number in range(1, 241):
        customer = rng.choice([None, 999, *range(1, 61)])
        day = f"2024-{1 + rng.randrange(12):02d}-{1 + rng.randrange(28):02d}"
        rows.append(
            (
                number, customer, rng.choice([None, *range(1, 13)]), rng.choice(VISIBLE_REGIONS),
                rng.choice(["completed", "pending", "cancelled", None]),
                f"{day} {rng.randrange(24):02d}:{rng.randrange(60):02d}:00", rng.choice([None, day]),
                rng.choice([None, rng.randrange(50000) / 100]), rng.choice([None, *range(1, 9)]),
                rng.choice([None, rng.randrange(800) / 8]), str(rng.randrange(90)), rng.choice([True, False, None]),
                f"CANARY_NOTE_{number}",
            )
        )  # fmt: skip
    for number in range(1001, 1001 + hidden_rows):
        rows.append(
            (
                number, rng.choice([4, 5, 10, 11, 16, 17]), rng.choice([None, 13, 14]),
                rng.choice(["NA", None]), f"CANARY_STATUS_{number % 7}", f"199{number % 10}-03-03 03:03:03",
                "1999-12-31", CANARY_NUMBER, 0, -1e300, f"CANARY_{number}", rng.choice([True, None]), "CANARY_NOTE",
            )
        )  # fmt: skip
    rng.shuffle(rows)
    return rows


def build_full(path: Path, *, hidden_rows: int = 3000, seed: int = 7) -> Path:
    """Write the full database, hidden rows and all."""
    rng = random.Random(seed)
    with duckdb.connect(str(path)) as con:
        con.execute(DDL)
        con.executemany("INSERT INTO raw.customers VALUES (?,?,?,?,?,?,?)", _customers(rng))
        for number in range(1, 15):
            label, line, price, weight = f"Thing {number}", "abcd"[number % 4], number * 2.5, number / 4
            con.execute("INSERT INTO raw.products VALUES (?,?,?,?,?)", [number, label, line, price, weight])
        orders = _orders(rng, min(hidden_rows, 1000))
        columns = list(zip(*orders, strict=True))
        types = [row[0] for row in con.execute(
            "SELECT data_type FROM information_schema.columns WHERE table_name='orders' ORDER BY ordinal_position"
        ).fetchall()]  # fmt: skip
        lists = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in types)
        con.execute(f"INSERT INTO raw.orders SELECT {lists}", [list(map(_text, column)) for column in columns])
        if hidden_rows > 1000:
            con.execute(
                "INSERT INTO raw.orders SELECT 100000 + i, 4 + (i % 2)::INT, 13, CASE WHEN i % 2 = 0 THEN 'NA' END, "
                "'CANARY_BULK', TIMESTAMP '1995-01-01' + INTERVAL (i % 3000) HOUR, DATE '1999-12-31', 777777.77, 0, "
                "-1e300, 'CANARY_' || i, i % 3 = 0, 'CANARY_NOTE' FROM range(?) t(i)",
                [hidden_rows - 1000],
            )
        con.execute(f"CREATE OR REPLACE TABLE raw.orders AS SELECT *, {_INFO} AS info, {_TAGS} AS tags FROM raw.orders")
        con.execute(
            "INSERT INTO raw.tickets SELECT order_id, customer_id, region, CASE WHEN order_id > 1000 THEN 'CANARY_TOPIC' ELSE "
            "['a', 'b', NULL][1 + order_id % 3] END, CASE WHEN order_id > 1000 THEN 2147483647 ELSE order_id % 50 END, "
            "created_at FROM raw.orders WHERE order_id % 4 <> 0 AND order_id < 100000"
        )
        con.execute("CHECKPOINT")
    return path


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def build_permitted(full: Path, path: Path, permitted: Mapping[str, str]) -> Path:
    """Write a database that holds only the rows of ``full`` that ``permitted`` (table → condition) names.

    A view shows its root's rows LEFT JOINed; a row filter of a to-one cube is a condition on those rows, so an order
    whose customer is hidden or missing is hidden in ``sales`` (and stays in ``orders``): ``raw.sales_orders``.
    """
    with duckdb.connect(str(path)) as con:
        con.execute(f"ATTACH '{full}' AS whole (READ_ONLY)")
        con.execute("CREATE SCHEMA raw")
        for table in ("customers", "products", "orders", "tickets"):
            condition = permitted.get(table, "TRUE")
            con.execute(f"CREATE TABLE raw.{table} AS SELECT * FROM whole.raw.{table} t WHERE {condition}")
        con.execute(
            "CREATE TABLE raw.sales_orders AS SELECT * FROM raw.orders "
            "WHERE customer_id IN (SELECT customer_id FROM raw.customers)"
        )
        con.execute("CREATE TABLE raw.accounts AS SELECT * FROM whole.raw.customers WHERE tier NOT ILIKE '%CAN%'")
        con.execute("UPDATE raw.customers SET email = NULL")
        con.execute("UPDATE raw.sales_orders SET internal_note = NULL")
        con.execute("UPDATE raw.orders SET internal_note = NULL")
        con.execute("DETACH whole")
        con.execute("CHECKPOINT")
    return path


# --- the model -----------------------------------------------------------------------------------------------------


def _dimension(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "sql": f"{{CUBE}}.{name}", "type": kind, **more}


def base_model() -> dict[str, Any]:
    """The data model without any policy, hidden members included."""
    orders = {
        "name": "orders",
        "sql_table": "raw.orders",
        "joins": [
            {"name": "customers", "relationship": "many_to_one", "sql": "{CUBE}.customer_id = {customers}.customer_id"},
            {"name": "products", "relationship": "many_to_one", "sql": "{CUBE}.product_id = {products}.product_id"},
        ],
        "dimensions": [
            _dimension("order_id", "number", primary_key=True, public=True),
            _dimension("region", "string"),
            _dimension("status", "string"),
            _dimension(
                "created_at",
                "time",
                granularities=[
                    {"name": "fiscal_year", "interval": "1 year", "offset": "3 months"},
                    {"name": "ten_days", "interval": "10 days", "origin": "2024-01-01"},
                ],
            ),
            _dimension("ship_date", "time"),
            _dimension("amount", "number"),
            _dimension("qty", "number"),
            _dimension("score", "number"),
            _dimension("code", "string"),
            _dimension("is_paid", "boolean"),
            _dimension("internal_note", "string"),
            _dimension("info", "string"),
            _dimension("tags", "string"),
            {"name": "code_number", "sql": "CAST({CUBE}.code AS INTEGER)", "type": "number"},
            {
                "name": "band",
                "type": "string",
                "multi_stage": True,
                "add_group_by": ["status"],
                "sql": "CASE WHEN {total_amount} > 900 THEN 'high' WHEN {count} > 3 THEN 'often' ELSE 'low' END",
            },
            {
                "name": "size",
                "type": "string",
                "case": {
                    "when": [{"sql": "{CUBE}.qty > 6", "label": "large"}, {"sql": "{CUBE}.qty > 3", "label": "medium"}],
                    "else": {"label": "small"},
                },
            },
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "total_amount", "type": "sum", "sql": "{CUBE}.amount"},
            {"name": "avg_score", "type": "avg", "sql": "{CUBE}.score"},
            {"name": "max_amount", "type": "max", "sql": "{CUBE}.amount"},
            {"name": "min_score", "type": "min", "sql": "{CUBE}.score"},
            {"name": "statuses", "type": "count_distinct", "sql": "{CUBE}.status"},
            {"name": "code_sum", "type": "sum", "sql": "CAST({CUBE}.code AS INTEGER)"},
            {"name": "per_item", "type": "sum", "sql": "{CUBE}.score / {CUBE}.qty"},
            {"name": "paid_count", "type": "count", "filters": [{"sql": "{CUBE}.is_paid"}]},
            {"name": "paid_share", "type": "number", "sql": "1.0 * {paid_count} / NULLIF({count}, 0)"},
            {"name": "last_order", "type": "time", "sql": "MAX({CUBE}.created_at)"},
            {"name": "any_big", "type": "boolean", "sql": "BOOL_OR({CUBE}.amount > 400)"},
            {"name": "codes", "type": "count_distinct_approx", "sql": "{CUBE}.code"},
            {"name": "rolling", "type": "count", "rolling_window": {"trailing": "1 month"}},
            {"name": "running", "type": "sum", "sql": "{CUBE}.amount", "rolling_window": {"trailing": "unbounded"}},
            {
                "name": "fiscal",
                "type": "count",
                "rolling_window": {"type": "to_date", "granularity": "fiscal_year"},
            },
            {
                "name": "coming",
                "type": "count_distinct",
                "sql": "{CUBE}.code",
                "rolling_window": {"leading": "unbounded"},
            },
            {
                "name": "busiest",
                "type": "max",
                "multi_stage": True,
                "sql": "{count}",
                "filters": [{"sql": "{total_amount} > 10"}],
                "add_group_by": ["status"],
            },
            {
                "name": "earlier",
                "type": "number",
                "multi_stage": True,
                "sql": "{total_amount}",
                "time_shift": [{"time_dimension": "created_at", "interval": "1 month", "type": "prior"}],
            },
            {
                "name": "all_statuses",
                "type": "sum",
                "multi_stage": True,
                "sql": "{total_amount}",
                "reduce_by": ["status"],
            },
            {
                "name": "share",
                "type": "number",
                "multi_stage": True,
                "sql": "{total_amount} / NULLIF({all_statuses}, 0)",
            },
        ],
        "segments": [{"name": "done", "sql": "{CUBE}.status = 'completed'"}],
    }
    customers = {
        "name": "customers",
        "sql_table": "raw.customers",
        "dimensions": [
            _dimension("customer_id", "number", primary_key=True, public=True),
            _dimension("name", "string"),
            _dimension("region", "string"),
            _dimension("tier", "string"),
            _dimension("credit", "number"),
            _dimension("joined", "time"),
            _dimension("email", "string"),
            {"name": "contact", "sql": "{CUBE}.email", "type": "string", "mask": "***"},
        ],
        "measures": [
            {"name": "contacts", "type": "count_distinct", "sql": "{CUBE}.email", "mask": 0},
            {"name": "count", "type": "count"},
            {"name": "total_credit", "type": "sum", "sql": "{CUBE}.credit"},
            {"name": "mails", "type": "count_distinct", "sql": "{CUBE}.email"},
        ],
    }
    products = {
        "name": "products",
        "sql_table": "raw.products",
        "dimensions": [
            _dimension("product_id", "number", primary_key=True, public=True),
            _dimension("label", "string"),
            _dimension("line", "string"),
            _dimension("price", "number"),
            _dimension("weight", "number"),
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "avg_price", "type": "avg", "sql": "{CUBE}.price"},
        ],
    }
    accounts = {
        "name": "accounts",
        "sql_table": "raw.customers",
        "joins": [
            {"name": "tickets", "relationship": "one_to_many", "sql": "{CUBE}.customer_id = {tickets}.customer_id"},
        ],
        "dimensions": [
            _dimension("customer_id", "number", primary_key=True, public=True),
            _dimension("tier", "string"),
            {"name": "calls", "sql": "{tickets.count}", "type": "number", "sub_query": True},
            {"name": "spent", "sql": "{tickets.minutes_total}", "type": "number", "sub_query": True},
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "credit_total", "type": "sum", "sql": "{CUBE}.credit"},
            {"name": "mean_calls", "type": "avg", "sql": "{calls}"},
            {"name": "per_ticket", "type": "number", "sql": "{credit_total} / NULLIF({tickets.count}, 0)"},
        ],
    }
    tickets = {
        "name": "tickets",
        "sql_table": "raw.tickets",
        "dimensions": [
            _dimension("ticket_id", "number", primary_key=True, public=True),
            _dimension("region", "string"),
            _dimension("topic", "string"),
            _dimension("minutes", "number"),
            _dimension("opened_at", "time"),
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "minutes_total", "type": "sum", "sql": "{CUBE}.minutes"},
            {"name": "longest", "type": "max", "sql": "{CUBE}.minutes"},
        ],
    }
    desk = {
        "name": "desk",
        "cubes": [
            {"join_path": "accounts", "includes": "*"},
            {"join_path": "accounts.tickets", "includes": "*", "prefix": True},
        ],
    }
    sales = {
        "name": "sales",
        "cubes": [
            {"join_path": "orders", "includes": "*"},
            {
                "join_path": "orders.customers",
                "includes": [
                    "name",
                    "region",
                    "tier",
                    "credit",
                    "email",
                    "contact",
                    "contacts",
                    "count",
                    "total_credit",
                ],
                "prefix": True,
            },
            {
                "join_path": "orders.products",
                "includes": ["label", "line", "price", "weight", "avg_price"],
                "prefix": True,
            },
        ],
    }
    parts = {
        "name": "parts",
        "cubes": [
            {"join_path": "products", "includes": ["label", "line", "price", "avg_price"]},
            {"join_path": "tickets", "includes": ["topic", "minutes", "minutes_total", "longest"]},
        ],
    }
    return {"cubes": [orders, customers, products, accounts, tickets], "views": [sales, desk, parts]}


HIDDEN = {"orders": ["internal_note"], "customers": ["email", "mails"], "sales": ["internal_note", "customers_email"]}
MASKED = {"customers": ["contact", "contacts"], "sales": ["customers_contact", "customers_contacts"]}


def permitted_model() -> dict[str, Any]:
    """The model as it would be if the hidden members had never been written."""
    model = base_model()
    model["cubes"][1]["dimensions"][-1]["sql"] = "'***'"  # a mask in the place of what it covers
    model["cubes"][1]["measures"][0] = {"name": "contacts", "type": "number", "sql": "0"}
    for cube in model["cubes"]:
        for key in ("dimensions", "measures"):
            cube[key] = [member for member in cube[key] if member["name"] not in HIDDEN.get(cube["name"], ())]
    for part in model["views"][0]["cubes"]:
        if isinstance(part["includes"], list):
            part["includes"] = [name for name in part["includes"] if name != "email"]
        part["join_path"] = part["join_path"].replace("orders", "sales_orders")
    model["cubes"][3]["sql_table"] = "raw.accounts"
    model["cubes"].append(
        {**model["cubes"][0], "name": "sales_orders", "sql_table": "raw.sales_orders", "public": False}
    )
    return model


# --- the policies --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """One policy, written twice: ``policies`` for the model, ``permitted`` in SQL over the base tables."""

    name: str
    policies: Mapping[str, list[dict[str, Any]]]
    context: SecurityContext
    permitted: Mapping[str, str]

    def policed_model(self) -> dict[str, Any]:
        model = base_model()
        for relation in (*model["cubes"], *model["views"]):
            name = relation["name"]
            policy = {"tickets": _TICKETS, "accounts": _ACCOUNTS, **self.policies}.get(name)
            if policy:
                relation["access_policy"] = copy.deepcopy(policy)
        return model


def _rows(*filters: dict[str, Any], hide: str, group: str = "*") -> list[dict[str, Any]]:
    return [
        {
            "group": group,
            "member_level": {"includes": "*", "excludes": [*HIDDEN[hide], *MASKED.get(hide, ())]},
            "member_masking": {"includes": MASKED.get(hide, [])},
            "row_level": {"filters": list(filters)},
        }
    ]


def _equals(member: str, value: str) -> dict[str, Any]:
    return {"member": member, "operator": "equals", "values": [value]}


_VIEW = [
    {
        "group": "*",
        "member_level": {"includes": "*", "excludes": [*HIDDEN["sales"], *MASKED["sales"]]},
        "member_masking": {"includes": MASKED["sales"]},
        "row_level": {"allow_all": True},
    }
]
_REGION = "{ userAttributes.region }"
_TICKETS = [{"group": "*", "row_level": {"filters": [_equals("region", _REGION)]}}]
_ACCOUNTS = [
    {"group": "*", "row_level": {"filters": [{"member": "tier", "operator": "notContains", "values": ["CAN"]}]}}
]


def _quoted(values: list[str]) -> str:
    return ", ".join(f"'{value}'" for value in values)


def shapes() -> list[Shape]:
    """Three policy shapes, two attribute sets each."""
    found: list[Shape] = []
    for label, regions in (("one", ["EMEA"]), ("two", ["APAC", "LATAM"])):
        inside = f"region IN ({_quoted(regions)})"
        alone: Any = regions[0] if label == "one" else regions
        found.append(
            Shape(
                f"plain-{label}",
                {
                    "orders": _rows(_equals("region", _REGION), hide="orders"),
                    "customers": _rows(_equals("region", _REGION), hide="customers"),
                    "sales": _VIEW,
                },
                SecurityContext(user="ana", user_attributes={"region": alone}),
                {"orders": inside, "customers": inside, "tickets": inside},
            )
        )
        bound = 3 if label == "one" else 5
        found.append(
            Shape(
                f"nested-{label}",
                {
                    "orders": _rows(
                        {
                            "or": [
                                {
                                    "and": [
                                        _equals("region", _REGION),
                                        {"member": "code", "operator": "notStartsWith", "values": ["CAN"]},
                                    ]
                                },
                                {
                                    "and": [
                                        {
                                            "member": "qty",
                                            "operator": "gt",
                                            "values": ["{ securityContext.limits.qty }"],
                                        },
                                        {"member": "is_paid", "operator": "equals", "values": [True]},
                                        {"member": "created_at", "operator": "afterDate", "values": ["2024-05-31"]},
                                    ]
                                },
                            ]
                        },
                        hide="orders",
                        group="analysts",
                    ),
                    "customers": _rows(
                        _equals("region", _REGION),
                        {"member": "name", "operator": "notContains", "values": ["NARY"]},
                        {"member": "customer_id", "operator": "lte", "values": ["{ userAttributes.top_customer }"]},
                        hide="customers",
                        group="analysts",
                    ),
                    "sales": [{**_VIEW[0], "group": "analysts"}],
                },
                SecurityContext(
                    user="bo",
                    groups=frozenset({"analysts"}),
                    user_attributes={"region": regions, "top_customer": 45},
                    security_context={"limits": {"qty": bound}},
                ),
                {
                    "orders": f"({inside} AND code NOT LIKE 'CAN%') OR (qty > {bound} AND is_paid "
                    "AND created_at > TIMESTAMP '2024-05-31 23:59:59.999')",
                    "customers": f"{inside} AND name NOT LIKE '%NARY%' AND customer_id <= 45",
                    "tickets": inside,
                },
            )
        )
        found.append(
            Shape(
                f"joined-{label}",
                {
                    "orders": _rows(_equals("customers.region", _REGION), hide="orders"),
                    "customers": _rows(_equals("region", _REGION), hide="customers"),
                    "sales": _VIEW,
                },
                SecurityContext(user="cy", user_attributes={"region": regions}),
                {
                    "orders": f"customer_id IN (SELECT customer_id FROM whole.raw.customers WHERE {inside})",
                    "customers": inside,
                    "tickets": inside,
                },
            )
        )
    return found
