"""Single values of a YAML text are changed, and nothing else: over layouts of every kind, by meaning and by lines."""

from __future__ import annotations

import difflib
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from svc_notebook.semantic.editing.yaml_text import CannotEdit, changed, removed
from svc_notebook.semantic.scaffolding.writing import to_yaml

MODEL = """\
# what we sell
cubes:
  - name: sales   # one row per line of an order
    sql_table: sales

    dimensions:
      # the key
      - name: id
        sql: id
        type: number
        primary_key: true
      - {name: qty, sql: qty, type: number}
      - name: note
        description: |
          two
          lines
        type: string  # free text
        meta:
          synonyms: [remark]   # said by the shop

    measures:
      - name: count
        type: count
"""
CUBE = (0, "cubes", 0)


def line_changes(before: str, after: str) -> list[str]:
    return [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[:2] in {"- ", "+ "}]


@pytest.mark.parametrize(
    ("path", "value", "lines"),
    [
        ((*CUBE, "title"), "Sales: 2024", ['+     title: "Sales: 2024"']),
        ((*CUBE, "name"), "shop", ["-   - name: sales   # one row per line of an order",
                                   "+   - name: shop   # one row per line of an order"]),
        ((*CUBE, "dimensions", 0, "meta", "unit"), "kg", ["+         meta: {unit: kg}"]),
        ((*CUBE, "dimensions", 1, "meta", "synonyms"), ["a, b", "no"],
         ["-       - {name: qty, sql: qty, type: number}",
          '+       - {name: qty, sql: qty, type: number, meta: {synonyms: ["a, b", "no"]}}']),
        ((*CUBE, "dimensions", 2, "description"), "one",
         ["-         description: |", "+         description: one", "-           two", "-           lines"]),
        ((*CUBE, "dimensions", 2, "meta", "synonyms"), ["remark", "memo"],
         ["-           synonyms: [remark]   # said by the shop", "+           synonyms: [remark, memo]   # said by the shop"]),
        ((*CUBE, "dimensions", 2, "meta", "unit"), "%", ['+           unit: "%"']),
        ((*CUBE, "measures", 1), {"name": "items", "sql": "{qty}", "type": "sum"},
         ["+       - name: items", '+         sql: "{qty}"', "+         type: sum"]),
    ],
)  # fmt: skip
def test_a_change_touches_its_own_lines(path: Any, value: Any, lines: list[str]) -> None:
    assert line_changes(MODEL, changed(MODEL, path, value)) == lines


def test_what_was_added_can_be_taken_away_without_a_trace() -> None:
    text = changed(changed(MODEL, (*CUBE, "dimensions", 0, "meta", "unit"), "kg"), (*CUBE, "title"), "Sales")
    assert removed(removed(text, (*CUBE, "dimensions", 0, "meta", "unit")), (*CUBE, "title")) == MODEL
    assert removed(MODEL, (*CUBE, "title")) == MODEL, "what is not there is not missed"


def test_a_place_that_cannot_be_changed_alone_is_refused() -> None:
    shared = "a: &one {x: 1}\nb: *one\n"
    with pytest.raises(CannotEdit, match="by hand"):
        changed(shared, (0, "b", "x"), 2)
    with pytest.raises(CannotEdit, match="no such document"):
        changed(MODEL, (1, "cubes"), [])
    with pytest.raises(CannotEdit, match="no place"):
        changed(MODEL, (*CUBE, "name", "first"), 1)


scalars = st.one_of(
    st.booleans(), st.none(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029\ufeff", exclude_categories=["Cc", "Cs"])),
    st.sampled_from(["yes", "no", "null", "1e3", "2024-01-01", "{CUBE}.x", "a: b", "# no comment", "- x", "two\nlines", ""]),
)  # fmt: skip
keys = st.text("abcdefgh_", min_size=1, max_size=6)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4))
documents = st.dictionaries(keys, values, min_size=1, max_size=4)
layouts = st.sampled_from(
    [
        to_yaml,
        lambda value: yaml.safe_dump(value, sort_keys=False, allow_unicode=True),
        lambda value: yaml.safe_dump(value, sort_keys=False, default_flow_style=True, allow_unicode=True),
        lambda value: yaml.safe_dump(value, sort_keys=False, default_style='"', width=20),
        lambda value: "# a head\n---\n" + yaml.safe_dump(value, indent=4, allow_unicode=True) + "# an end\n",
    ]
)


def paths_of(value: Any, here: tuple[Any, ...] = (0,)) -> list[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for key, item in below for path in paths_of(item, (*here, key)))]


@given(documents, layouts, scalars | st.lists(scalars, max_size=3), st.data())
def test_a_value_is_changed_as_meant_or_refused(document: Any, layout: Any, value: Any, data: st.DataObject) -> None:
    text = layout(document)
    path = data.draw(st.sampled_from(paths_of(yaml.safe_load(text))[1:] or [(0, "new")]))
    if data.draw(st.booleans()) and isinstance(path[-1], str):
        path = (*path[:-1], "zz_new")
    try:
        after = changed(text, path, value)
    except CannotEdit:
        return
    found: Any = list(yaml.safe_load_all(after))
    for key in path:
        found = found[key]
    assert found == value
    assert {line for line in text.splitlines() if line.startswith("#")} <= set(after.splitlines())


@given(documents, layouts, st.data())
def test_a_key_is_removed_as_meant_or_refused(document: Any, layout: Any, data: st.DataObject) -> None:
    text = layout(document)
    path = data.draw(
        st.sampled_from([path for path in paths_of(yaml.safe_load(text))[1:] if isinstance(path[-1], str)])
    )
    try:
        after = removed(text, path)
    except CannotEdit:
        return
    here: Any = list(yaml.safe_load_all(after))
    for key in path:
        if not isinstance(here, (dict, list)) or (isinstance(here, dict) and key not in here) or here == []:
            return
        here = here[key]
    raise AssertionError("it is still there")


@example("title", (0,), 1e-05)
@example("unit", (1,), -1e16)
@given(st.sampled_from(["title", "synonyms", "unit"]), st.sampled_from([(0,), (1,), (2,)]), scalars)
def test_a_model_in_its_usual_layout_is_never_refused(field: str, place: Any, value: Any) -> None:
    keys = {"title": ("title",), "synonyms": ("meta", "synonyms"), "unit": ("meta", "unit")}[field]
    changed(MODEL, (*CUBE, "dimensions", *place, *keys), value)
