"""Whatever a file holds, loading ends with a model or with a ModelError that names a place."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svc_notebook.semantic.loader import check_model, load_model

from .models import SHOP, raised

PARSED = yaml.safe_load(
    SHOP
    + """
views:
  - name: v
    cubes:
      - {join_path: orders, includes: "*"}
      - {join_path: orders.customers, prefix: true, includes: [region, {name: count, alias: clients}]}
    folders: [{name: F, includes: [count, {name: G, includes: [status]}]}]
    access_policy:
      - group: "*"
        conditions: [{if: "{ userAttributes.ok }"}]
        member_level: {includes: "*", excludes: [amount]}
        member_masking: {includes: [amount]}
        row_level: {filters: [{or: [{member: status, operator: equals, values: ["{ userAttributes.s }"]}]}]}
"""
)
KEYS = sorted(
    {"cubes", "views", "extends", "case", "when", "else", "label", "sql", "mask", "rolling_window", "granularities", "time_shift"}
    | {"hierarchies", "levels", "grain", "group_by", "order_by", "switch", "origin", "interval", "filters", "if", "joins"}
)  # fmt: skip
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**20),
    st.floats(allow_nan=True),
    st.sampled_from(["*", "orders", "customers", "count", "{count}", "{CUBE}", "{orders.sql()}", "1 month", "number", "time", "true", "sum"]),
    st.text(max_size=8),
)  # fmt: skip
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(KEYS), st.text(max_size=6)), inner, max_size=4),
    ),
    max_leaves=12,
)


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [here] if here else []
    if isinstance(value, dict):
        return found + [p for key, item in value.items() for p in paths(item, (*here, key))]
    if isinstance(value, list):
        return found + [p for i, item in enumerate(value) for p in paths(item, (*here, i))]
    return found


PATHS = paths(PARSED)


def changed(path: tuple[Any, ...], change: str, value: Any) -> Any:
    tree = copy.deepcopy(PARSED)
    holder = tree
    for step in path[:-1]:
        holder = holder[step]
    if change == "remove":
        del holder[path[-1]]
    elif change == "rename" and isinstance(holder, dict):
        holder[str(value)] = holder.pop(path[-1])
    else:
        holder[path[-1]] = value
    return tree


def loads_or_tells(source: Any) -> None:
    findings = check_model(source)
    told = raised(source)
    assert all(problem.message for problem in findings)
    assert told == [p for p in findings if p.severity == "error"]
    if not told:
        model = load_model(source)
        assert model.cubes or model.views


@given(st.sampled_from(PATHS), st.sampled_from(["replace", "remove", "rename"]), TREES)
@settings(max_examples=400)
def test_one_part_replaced_by_anything(path: tuple[Any, ...], change: str, value: Any) -> None:
    loads_or_tells(changed(path, change, value))


@given(TREES)
@settings(max_examples=200)
def test_any_tree(value: Any) -> None:
    loads_or_tells(value if isinstance(value, (dict, list)) else {"cubes": value})


@given(st.text(alphabet="abc:-{}[]|>&*!%#?,\"' \n\t\\@`0.\u2028\x00\ufeff", max_size=80))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "any.yml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    loads_or_tells(file)
    assert all(p.line >= 1 and p.column >= 1 for p in check_model(file))


@given(st.integers(0, len(SHOP)), st.integers(0, 60), st.text(max_size=5))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_with_a_piece_torn_out(tmp_path: Path, start: int, length: int, filling: str) -> None:
    file = tmp_path / "torn.yml"
    file.write_bytes((SHOP[:start] + filling + SHOP[start + length :]).encode("utf-8", "surrogatepass"))
    loads_or_tells(file)
    assert all(p.line >= 1 and p.column >= 1 for p in check_model(file))


def test_aliases_that_explode_are_refused(tmp_path: Path) -> None:
    lines = ["a: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"b{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    (tmp_path / "bomb.yml").write_text("\n".join(lines))
    assert any("expand to too much" in p.message for p in check_model(tmp_path))


def test_a_query_that_contains_itself_many_times_is_refused(tmp_path: Path) -> None:
    cubes = [{"name": "c0", "sql": "SELECT 1 AS x"}]
    cubes += [{"name": f"c{i}", "sql": f"SELECT * FROM {{c{i - 1}.sql()}}, {{c{i - 1}.sql()}}"} for i in range(1, 40)]
    assert any("too long" in p.message for p in check_model({"cubes": cubes}))
