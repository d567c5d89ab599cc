"""The catalog: what one asker may see, with titles, types and synonyms filled in; and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_notebook.semantic.catalog import Catalog
from svc_notebook.semantic.catalog_builder import catalog_of, matched_by
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.naming import title_of, words_of

from .models import SHOP, load

OPERATOR = SecurityContext.operator()


def catalog(folder: Path, text: str, ctx: SecurityContext = OPERATOR) -> Catalog:
    model = load(folder, text)
    return catalog_of(model, matched_by(model, ctx))


@pytest.mark.parametrize(
    "name,title",
    [
        ("avg_arr_delay", "Avg arr delay"),
        ("avgArrDelay", "Avg arr delay"),
        ("customerID", "Customer ID"),
        ("HTTPRequests", "HTTP requests"),
        ("TOTAL_AMOUNT", "Total amount"),
        ("address_2", "Address 2"),
        ("kwh", "kWh"),
        ("KWH_used", "kWh used"),
        ("usage_mwh", "Usage MWh"),
        ("sbTxCustId", "Sb tx cust id"),
        ("été", "Été"),
        ("__", "__"),
    ],
)
def test_titles_from_names(name: str, title: str) -> None:
    assert title_of(name) == title


def test_words_of_names() -> None:
    assert words_of("netRevenue2024_inUSD") == ["net", "Revenue", "2024", "in", "USD"]


def test_types_formats_and_keys_go_through_views(tmp_path: Path) -> None:
    text = SHOP.replace(
        "      - {name: total,",
        '      - {name: first, type: min, sql: created_at}\n      - {name: newest, type: max, sql: "{created_at}"}\n'
        "      - {name: least, type: min, sql: amount}\n      - {name: total,",
        1,
    )
    found = catalog(
        tmp_path, text + 'views:\n  - {name: v, cubes: [{join_path: orders, prefix: true, includes: "*"}]}\n'
    )
    view = found.relations["v"]
    assert list(found.relations) == ["v", "orders", "customers"]
    assert {m.cube_member: (m.kind, m.type) for m in view.members.values()} == {
        "id": ("dimension", "number"),
        "status": ("dimension", "string"),
        "amount": ("dimension", "number"),
        "created_at": ("dimension", "time"),
        "count": ("measure", "number"),
        "first": ("measure", "time"),
        "newest": ("measure", "time"),
        "least": ("measure", "number"),
        "total": ("measure", "number"),
        "completed": ("segment", "boolean"),
    }
    total = view.members["orders_total"]
    assert (total.format, total.currency, total.agg_type, total.cube) == ("currency", "EUR", "sum", "orders")
    assert total.title == "Orders total"
    assert view.members["orders_id"].primary_key


def test_titles_in_views(tmp_path: Path) -> None:
    text = (
        SHOP.replace("name: region, sql: region", "name: region, sql: region, title: Sales region")
        + """
views:
  - name: v
    cubes:
      - {join_path: orders, includes: [{name: status, alias: order_state}, {name: amount, title: Worth}, total]}
      - {join_path: orders.customers, prefix: true, alias: client, includes: [region]}
      - {join_path: customers, includes: [region]}
"""
    )
    members = catalog(tmp_path, text).relations["v"].members
    assert {name: m.title for name, m in members.items()} == {
        "order_state": "Order state", "amount": "Worth", "total": "Total", "client_region": "Client sales region",
        "region": "Sales region",
    }  # fmt: skip


@pytest.mark.parametrize(
    "meta",
    ["{synonyms: [turnover, sales]}", '{synonyms: "turnover, sales"}', "{ai_context: {synonyms: [turnover, sales]}}"],
)
def test_synonyms(tmp_path: Path, meta: str) -> None:
    text = SHOP.replace("currency: eur", f"currency: eur, meta: {meta}")
    assert catalog(tmp_path, text).relations["orders"].members["total"].synonyms == ("turnover", "sales")


def test_what_the_model_hides_nobody_sees(tmp_path: Path) -> None:
    found = catalog(tmp_path, SHOP.replace("sql_table: customers", "sql_table: customers\n    public: false"))
    assert set(found.relations) == {"orders"}
    assert set(found.relations["orders"].members) == {"status", "amount", "created_at", "count", "total", "completed"}
    assert found.relations["orders"].joins == ()


def test_joins_are_told_in_terms_of_visible_members(tmp_path: Path) -> None:
    open_keys = SHOP.replace("primary_key: true", "primary_key: true, public: true").replace(
        "      - {name: status,", "      - {name: client, sql: customer_id, type: number}\n      - {name: status,"
    )
    orders = catalog(tmp_path, open_keys).relations["orders"]
    assert orders.joins == ("customers",)
    assert orders.meta["joins"] == {"customers": "orders.client = customers.id"}
    assert "joins" not in catalog(tmp_path, SHOP).relations["orders"].meta


def test_policies_decide_and_masked_members_say_so(tmp_path: Path) -> None:
    text = SHOP.replace(
        "sql_table: orders",
        """sql_table: orders
    access_policy:
      - group: staff
        member_level: {includes: [count, status]}
        member_masking: {includes: [amount]}""",
        1,
    )
    staff = catalog(tmp_path, text, SecurityContext(groups=frozenset({"staff"})))
    assert {m.name: m.masked for m in staff.relations["orders"].members.values()} == {
        "status": False, "amount": True, "count": False,
    }  # fmt: skip
    assert "orders" not in catalog(tmp_path, text, SecurityContext()).relations
    assert "total" in catalog(tmp_path, text).relations["orders"].members
