"""Views: what they show, under which names, by which way."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_notebook.semantic.model import Folder, View

from .models import SHOP, errors, load

VIEWS = SHOP + "views:\n"


def view(folder: Path, body: str) -> View:
    return load(folder, VIEWS + body).views["v"]


def shown(view: View) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    return {m.name: (m.kind, f"{m.cube}.{m.member}", m.join_path) for m in view.members}


def test_everything_but_what_is_hidden(tmp_path: Path) -> None:
    found = shown(view(tmp_path, '  - name: v\n    cubes: [{join_path: customers, includes: "*"}]\n'))
    assert found == {
        "id": ("dimension", "customers.id", ("customers",)),
        "region": ("dimension", "customers.region", ("customers",)),
        "count": ("measure", "customers.count", ("customers",)),
    }


def test_a_hidden_member_can_be_named(tmp_path: Path) -> None:
    found = shown(view(tmp_path, "  - name: v\n    cubes: [{join_path: customers, includes: [ssn]}]\n"))
    assert list(found) == ["ssn"]


def test_prefix_alias_excludes_and_settings(tmp_path: Path) -> None:
    found = view(
        tmp_path,
        """
  - name: v
    cubes:
      - join_path: orders
        includes: "*"
        excludes: [id, completed]
      - join_path: orders.customers
        prefix: true
        alias: client
        includes:
          - region
          - {name: count, alias: number, title: Clients, description: How many, format: number_0, meta: {a: 1}}
""".lstrip("\n"),
    )
    assert shown(found) == {
        "status": ("dimension", "orders.status", ("orders",)),
        "amount": ("dimension", "orders.amount", ("orders",)),
        "created_at": ("dimension", "orders.created_at", ("orders",)),
        "count": ("measure", "orders.count", ("orders",)),
        "total": ("measure", "orders.total", ("orders",)),
        "client_region": ("dimension", "customers.region", ("orders", "customers")),
        "client_number": ("measure", "customers.count", ("orders", "customers")),
    }
    last = found.members[-1]
    assert (last.title, last.description, last.format, last.meta) == ("Clients", "How many", "number_0", {"a": 1})


def test_the_older_form_with_whole_paths(tmp_path: Path) -> None:
    found = view(tmp_path, "  - name: v\n    includes: [orders.count, orders.customers.region]\n")
    assert shown(found) == {
        "count": ("measure", "orders.count", ("orders",)),
        "region": ("dimension", "customers.region", ("orders", "customers")),
    }


def test_members_of_its_own(tmp_path: Path) -> None:
    found = view(
        tmp_path,
        """
  - name: v
    cubes: [{join_path: orders, includes: [count, total, status]}]
    measures:
      - {name: average, type: number, sql: "{total} / {count}"}
    dimensions:
      - {name: upper_status, type: string, sql: "upper({status})"}
""".lstrip("\n"),
    )
    assert [m.name for m in found.measures] == ["average"]
    assert [d.name for d in found.dimensions] == ["upper_status"]


def test_extended_views(tmp_path: Path) -> None:
    text = """
  - name: base
    description: The base
    cubes: [{join_path: orders, includes: [count]}]
    access_policy: [{group: boss, row_level: {allow_all: true}}]
  - name: v
    extends: base
    cubes: [{join_path: orders.customers, includes: [region]}]
""".lstrip("\n")
    found = view(tmp_path, text)
    assert list(shown(found)) == ["count", "region"]
    assert found.description == "The base"
    assert found.access_policy is not None
    assert found.access_policy[0].groups == ("boss",)


def test_folders(tmp_path: Path) -> None:
    text = """
  - name: v
    cubes:
      - {join_path: orders, includes: [count, status, total]}
      - {join_path: orders.customers, includes: [region]}
    folders:
      - name: Basics
        includes: [count, {name: Inner, includes: [status]}]
      - name: Client
        includes: [{join_path: orders.customers}, total]
"""
    assert view(tmp_path, text.lstrip("\n")).folders == (
        Folder("Basics", ("count",), (Folder("Inner", ("status",)),)),
        Folder("Client", ("region", "total")),
    )


def test_a_hierarchy_brings_its_levels(tmp_path: Path) -> None:
    text = SHOP.replace(
        "    segments:", "    hierarchies:\n      - {name: drill, levels: [status, created_at]}\n    segments:", 1
    )
    model = load(tmp_path, text + "views:\n  - {name: v, cubes: [{join_path: orders, includes: [drill]}]}\n")
    assert [(m.name, m.kind) for m in model.views["v"].members] == [
        ("drill", "hierarchy"), ("status", "dimension"), ("created_at", "dimension"),
    ]  # fmt: skip


CHAIN = """
cubes:
  - {name: a, sql_table: a, joins: [{name: b, relationship: many_to_one, sql: "{CUBE}.b = {b}.id"}%s], dimensions: [{name: x, sql: x, type: string}]}
  - {name: b, sql_table: b, joins: [{name: d, relationship: many_to_one, sql: "{CUBE}.d = {d}.id"}], dimensions: [{name: x, sql: x, type: string}]}
  - {name: c, sql_table: c, joins: [{name: d, relationship: many_to_one, sql: "{CUBE}.d = {d}.id"}], dimensions: [{name: x, sql: x, type: string}]}
  - {name: d, sql_table: d, dimensions: [{name: x, sql: x, type: string}]}
views:
  - {name: v, cubes: [{join_path: %s, includes: "*"}]}
"""
TO_C = ', {name: c, relationship: many_to_one, sql: "{CUBE}.c = {c}.id"}'


def test_a_join_path_that_leaves_cubes_out_is_completed(tmp_path: Path) -> None:
    model = load(tmp_path, CHAIN % ("", "a.d"))
    assert model.views["v"].members[0].join_path == ("a", "b", "d")


def test_but_not_where_two_ways_lead(tmp_path: Path) -> None:
    found = errors(tmp_path, CHAIN % (TO_C, "a.d"))
    assert [p.line for p in found] == [8]
    assert "a.b.d or a.c.d" in found[0].message
    assert load(tmp_path, CHAIN % (TO_C, "a.c.d")).views["v"].members[0].join_path == ("a", "c", "d")


@pytest.mark.parametrize(
    "body,line,words",
    [
        ('cubes: [{join_path: order, includes: "*"}]', 29, "did you mean 'orders'?"),
        ('cubes: [{join_path: customers.orders, includes: "*"}]', 29, "'orders' joins 'customers'"),
        ("cubes: [{join_path: orders, includes: [cont]}]", 29, "did you mean 'count'?"),
        ("cubes: [{join_path: orders, includes: [customers.region]}]", 29, "its own join_path"),
        ('cubes: [{join_path: orders, includes: "*", excludes: [statu]}]', 29, "did you mean 'status'?"),
        ("cubes: [{join_path: orders}]", 29, "needs includes"),
        ('cubes: [{includes: "*"}]', 29, "needs a join_path"),
        ('cubes: [{joinpath: orders, includes: "*"}]', 29, "did you mean 'join_path'?"),
        ('cubes: [{join_path: orders, includes: "*"}, {join_path: orders.customers, includes: "*"}]', 29, "'prefix: true', an alias"),
        ('cubes: [{join_path: orders, includes: [{name: count, alias: total}, total]}]', 29, "two members named 'total'"),
        ("description: nothing else", 28, "shows nothing"),
        ('cubes: [{join_path: orders, includes: "*"}]\n    folders: [{name: F, includes: [statu]}]', 30, "did you mean 'status'?"),
        ('cubes: [{join_path: orders, includes: "*"}]\n    measures: [{name: m, type: number, sql: "{cout}"}]', 30, "did you mean 'count'?"),
        ('cubes: [{join_path: orders, includes: [id]}]\n    measures: [{name: m, type: number, sql: "{customers.count}"}]', 30, "is not part of view 'v'"),
        ('cubes: [{join_path: orders, includes: "*"}]\n    joins: [{name: a}]', 30, "follows the joins of its cubes"),
    ],
)  # fmt: skip
def test_slips_in_views(tmp_path: Path, body: str, line: int, words: str) -> None:
    found = errors(tmp_path, VIEWS + f"  - name: v\n    {body}\n")
    assert words in "\n".join(p.message for p in found)
    assert {p.line for p in found} == {line}
