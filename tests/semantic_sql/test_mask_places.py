"""Which members are masked for whom, on which rows, through cubes and views, and where a mask by row looks."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext

from ..semantic_model.layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: visits
    sql_table: visits
    public: PUBLIC
    joins: [{name: people, relationship: many_to_one, sql: "{CUBE}.person = {people}.person"}]
    dimensions:
      - {name: visit, sql: visit, type: number, primary_key: true, public: true}
      - {name: open, sql: open, type: boolean}
      - {name: cost, sql: cost, type: number, mask: 0}
    measures:
      - {name: count, type: count}
      - {name: spent, type: sum, sql: cost, mask: -1}
      - {name: most, type: max, sql: cost}
      - {name: least, type: min, sql: cost, mask: "{CUBE}.visit"}
      - {name: evenly, type: avg, sql: "{count}", multi_stage: true, add_group_by: [open, cost]}
VISITS
  - name: people
    sql_table: people
    joins: [{name: towns, relationship: many_to_one, sql: "{CUBE}.town = {towns}.town"}]
    dimensions:
      - {name: person, sql: person, type: number, primary_key: true, public: true}
      - {name: age, sql: age, type: number, mask: "-1"}
      - {name: name, sql: name, type: string}
    measures: [{name: heads, type: count}]
PEOPLE
  - name: towns
    sql_table: towns
    dimensions:
      - {name: town, sql: town, type: string, primary_key: true, public: true}
      - {name: large, sql: large, type: boolean}
views:
  - name: v
    cubes:
      - {join_path: visits, includes: "*"}
      - {join_path: visits.people, includes: [age, name, heads]}
    measures: [{name: twice, type: number, sql: "{spent} * 2"}]
VIEW
"""
TABLES = {
    "visits": pd.DataFrame({"visit": [1, 2, 3, 4], "person": [1, 1, 2, 3], "open": [True, False, True, False], "cost": [5, 6, 7, 8]}),
    "people": pd.DataFrame({"person": [1, 2, 3], "age": [30, 40, 50], "name": ["Ada", "Bob", "Cy"], "town": ["a", "b", "a"]}),
    "towns": pd.DataFrame({"town": ["a", "b"], "large": [True, False]}),
}  # fmt: skip
ANA = SecurityContext(user="ana", groups=frozenset({"staff"}))
MASKED = '{group: "*", member_level: {includes: "*", excludes: [%s]}, member_masking: {includes: [%s]}}'
ON_ROWS = '{group: staff, row_level: {filters: [{member: %s, operator: equals, values: [%s]}]}}'  # fmt: skip


def asked(
    sql: str, *, visits: str = "", people: str = "", view: str = "", public: str = "true"
) -> list[tuple[Any, ...]]:
    """The rows for Ana, under policies of these."""
    model = MODEL.replace("PUBLIC", public)
    for name, policies in (("VISITS", visits), ("PEOPLE", people), ("VIEW", view)):
        model = model.replace(name, f"    access_policy: [{policies}]" if policies else "")
    with opened(model, TABLES) as layer:
        return rows(layer, sql, ANA)


def masked(*names: str) -> str:
    return MASKED % (", ".join(names), ", ".join(names))


BY_OPEN = f"{masked('cost')}, {ON_ROWS % ('open', 'true')}"


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ({}, [5, 6, 7, 8]),
        ({"visits": masked("cost")}, [0, 0, 0, 0]),
        ({"visits": BY_OPEN}, [5, 0, 7, 0]),
        ({"visits": f"{masked('cost')}, {ON_ROWS % ('people.name', 'Ada')}"}, [0, 0, 0, 0]),  # another cube's: not a row's own
        ({"visits": f"{masked('cost')}, {{group: staff}}"}, [5, 6, 7, 8]),
        ({"visits": f"{masked('cost')}, {{group: others}}"}, [0, 0, 0, 0]),
    ],
)  # fmt: skip
def test_a_cube_shows_a_value_on_the_rows_of_the_policy_that_shows_it(
    policies: dict[str, str], expected: list[int]
) -> None:
    assert asked("SELECT visit, cost FROM visits ORDER BY 1", **policies) == list(
        zip((1, 2, 3, 4), expected, strict=True)
    )


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ({}, [30, 30, 40, 50]),
        ({"people": masked("age")}, [-1] * 4),
        ({"people": f"{masked('age')}, {ON_ROWS % ('name', 'Bob')}"}, [-1] * 4),  # the view has no rows to show it on
        ({"view": masked("age")}, [-1] * 4),
        ({"view": f"{masked('age')}, {ON_ROWS % ('name', 'Bob')}"}, [-1, -1, 40, -1]),
        ({"view": f"{masked('age')}, {ON_ROWS % ('open', 'true')}"}, [30, -1, 40, -1]),
        ({"people": masked("age"), "view": '{group: "*"}'}, [30, 30, 40, 50]),  # the view's own policy decides
        ({"people": masked("age"), "view": masked("cost")}, [30, 30, 40, 50]),
        ({"people": '{group: "*"}', "view": masked("age")}, [-1] * 4),
    ],
)  # fmt: skip
def test_a_view_masks_what_its_policy_masks_or_else_what_its_cubes_do(
    policies: dict[str, str], expected: list[int]
) -> None:
    assert asked("SELECT visit, age FROM v ORDER BY 1", **policies) == list(zip((1, 2, 3, 4), expected, strict=True))


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ({}, (26, 8, 5)),
        ({"visits": masked("spent", "most", "least")}, (-1, None, None)),
        ({"visits": f"{masked('spent', 'most')}, {ON_ROWS % ('open', 'true')}"}, (-1, None, 5)),
        ({"visits": masked("cost")}, (26, 8, 5)),
    ],
)  # fmt: skip
def test_a_measure_that_is_masked_anywhere_is_its_mask(
    policies: dict[str, str], expected: tuple[int | None, ...]
) -> None:
    for relation in ("visits", "v"):
        assert asked(f"SELECT MEASURE(spent), MEASURE(most), MEASURE(least) FROM {relation}", **policies) == [expected]


def test_a_measure_of_the_view_itself_is_as_open_as_the_view() -> None:
    assert asked("SELECT MEASURE(twice) FROM v", visits=masked("spent")) == [(52,)]
    assert asked("SELECT MEASURE(twice) FROM v", view=masked("twice")) == [(None,)]


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ({"view": f"{masked('age')}, {ON_ROWS % ('open', 'true')}"}, [(-1, 2), (30, 1), (40, 1)]),
        ({"view": masked("age")}, [(-1, 3)]),
        ({"people": masked("age")}, [(-1, 3)]),
        ({}, [(30, 1), (40, 1), (50, 1)]),
    ],
)  # fmt: skip
def test_heads_are_counted_once_by_what_is_shown_of_them(
    policies: dict[str, str], expected: list[tuple[int, int]]
) -> None:
    assert asked("SELECT age, MEASURE(heads) FROM v GROUP BY 1 ORDER BY 1", **policies) == expected


def test_groups_that_a_measure_adds_are_those_of_the_cube() -> None:
    assert asked("SELECT MEASURE(evenly) FROM v") == [(1,)]
    assert asked("SELECT MEASURE(evenly) FROM visits") == [(1,)]


def test_policies_that_show_and_mask_count_by_the_members_used_together() -> None:
    both = (
        '{group: "*", member_level: {includes: [visit, open]}, member_masking: {includes: [cost]}}, '
        '{group: "*", member_level: {includes: [visit, cost]}, row_level: {filters: [{member: open, operator: equals, values: [true]}]}}'
    )
    assert asked("SELECT visit, cost FROM visits ORDER BY 1", visits=both) == [(1, 5), (2, 0), (3, 7), (4, 0)]
    assert asked("SELECT visit, open, cost FROM visits ORDER BY 1", visits=both) == [
        (1, True, 0), (2, False, 0), (3, True, 0), (4, False, 0)
    ]  # fmt: skip


def test_what_is_masked_wholly_is_counted_without_the_join_that_repeats_it() -> None:
    model = MODEL.replace("PUBLIC", "true").replace("VISITS", "").replace("PEOPLE", "")
    with opened(model.replace("VIEW", f"    access_policy: [{masked('age')}]"), TABLES) as layer:
        sql = "SELECT age, MEASURE(heads) FROM v GROUP BY 1"
        assert 'SELECT DISTINCT "visits".person FROM' in layer.compile(ANA, sql).sql
        assert rows(layer, sql, ANA) == [(-1, 3)]
        assert rows(layer, f"{sql} ORDER BY 1", OPERATOR) == [(30, 1), (40, 1), (50, 1)]


def test_a_filter_on_what_is_masked_is_not_asked_again_of_what_is_hidden() -> None:
    model = MODEL.replace("PUBLIC", "true").replace("VISITS", "").replace("VIEW", "").replace(
        "PEOPLE", f"    access_policy: [{masked('age')}]"
    ).replace(
        '      - {name: name, sql: name, type: string}\n',
        '      - {name: name, sql: name, type: string}\n'
        '      - {name: calls, sub_query: true, propagate_filters_to_sub_query: true, type: number, sql: "{calls.count}"}\n',
    ).replace(
        "    joins: [{name: towns,",
        '    joins: [{name: calls, relationship: one_to_many, sql: "{CUBE}.person = {calls}.person"}, {name: towns,',
    ).replace(
        "views:", "  - name: calls\n    sql_table: visits\n    dimensions: [{name: visit, sql: visit, type: number, primary_key: true}]\n"
        "    measures: [{name: count, type: count}]\n"
        '    joins: [{name: people, relationship: many_to_one, sql: "{CUBE}.person = {people}.person"}]\nviews:'
    )  # fmt: skip
    with opened(model, TABLES) as layer:
        found = [
            rows(layer, "SELECT person, calls FROM people WHERE age < 35 ORDER BY 1", who) for who in (OPERATOR, ANA)
        ]
    assert found == [[(1, 2)], [(1, 2), (2, 1), (3, 1)]]


KINDS = """
cubes:
  - name: t
    sql_table: t
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: word, sql: word, type: string MASK}
      - {name: number, sql: number, type: number MASK}
      - {name: flag, sql: flag, type: boolean MASK}
      - {name: moment, sql: moment, type: time MASK}
      - {name: day, sql: "CAST(moment AS DATE)", type: time MASK}
    access_policy: [{group: "*", member_level: {includes: [id]}, member_masking: {includes: "*"}}]
"""


@pytest.mark.parametrize(
    ("mask", "shown"), [("", None), (", mask: {sql: \"'7'\"}", 7), (", mask: {sql: \"'x'\"}", None)]
)
def test_what_is_masked_keeps_the_type_of_its_column(mask: str, shown: int | None) -> None:
    one = pd.DataFrame(
        {"id": [1], "word": ["a"], "number": [1.5], "flag": [True], "moment": [pd.Timestamp("2024-01-01 10:00")]}
    )
    with opened(KINDS.replace(" MASK", mask), {"t": one}) as layer:
        sql = "SELECT word, number, flag, moment, day FROM t"
        masked, whole = (layer.query(who, sql).table for who in (ANA, OPERATOR))
    assert masked.schema.types == whole.schema.types
    assert masked["number"].to_pylist() == [shown]
    assert masked["word"].to_pylist() == [None if not mask else mask.split("'")[1]]
