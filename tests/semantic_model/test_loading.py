"""A model says the same in every spelling the format has had."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.model import Cube, RollingWindow

from .models import SHOP, bare, load, written


def cube_of(folder: Path, body: str) -> Cube:
    text = "cubes:\n  - name: a\n    sql_table: t\n" + "\n".join("    " + line for line in body.strip("\n").split("\n"))
    return load(folder, text).cubes["a"]


def test_a_folder_a_file_and_a_mapping_are_one_model(tmp_path: Path) -> None:
    parsed = yaml.safe_load(SHOP)
    folder = tmp_path / "model"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.yml").write_text(yaml.safe_dump({"cubes": parsed["cubes"][:1]}))
    (folder / "deep" / "b.yaml").write_text(yaml.safe_dump({"cubes": parsed["cubes"][1:]}))
    (folder / "notes.txt").write_text("not: [a model")
    expected = bare(load(tmp_path, SHOP))
    assert bare(load_model(parsed)) == expected
    assert bare(load_model([{"cubes": parsed["cubes"][:1]}, {"cubes": parsed["cubes"][1:]}])) == expected
    assert bare(load_model(folder)) == expected
    assert bare(load_model(str(folder))) == expected


def test_the_version_follows_the_text(tmp_path: Path) -> None:
    first = load(tmp_path, SHOP)
    assert load(tmp_path, SHOP).version == first.version
    assert load(tmp_path, SHOP.replace("sql: region", "sql: area")).version != first.version


def test_camel_case_and_snake_case_are_one(tmp_path: Path) -> None:
    snake = """
    cubes:
      - name: a
        sql_table: t
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true, sub_query: false}
          - {name: at, sql: at, type: time}
        measures:
          - {name: n, type: count_distinct, sql: x, drill_members: [id]}
          - {name: run, type: count, rolling_window: {trailing: unbounded}}
          - name: prior
            type: number
            multi_stage: true
            sql: "{n}"
            time_shift: [{time_dimension: at, interval: 1 year, type: prior}]
          - {name: share, type: sum, multi_stage: true, sql: "{n}", reduce_by: [id]}
        access_policy:
          - group: "*"
            row_level: {allow_all: true}
            member_level: {includes: "*"}
    views:
      - name: v
        cubes:
          - {join_path: a, includes: "*"}
    """
    camel = snake
    for word in (
        "sql_table primary_key sub_query drill_members rolling_window multi_stage time_shift time_dimension reduce_by "
        "access_policy row_level allow_all member_level join_path count_distinct"
    ).split():
        first, *rest = word.split("_")
        camel = camel.replace(word, first + "".join(part.capitalize() for part in rest))
    assert camel != snake
    assert bare(load(tmp_path, camel)) == bare(load(tmp_path, snake))


@pytest.mark.parametrize("section", ["dimensions", "measures", "segments", "joins"])
def test_sections_are_lists_or_mappings_by_name(tmp_path: Path, section: str) -> None:
    parsed = yaml.safe_load(SHOP)
    expected = bare(load_model(parsed))
    for cube in parsed["cubes"]:
        if section in cube:
            cube[section] = {item.pop("name"): item for item in cube[section]}
    assert bare(load_model(parsed)) == expected


def test_cubes_themselves_may_be_a_mapping_by_name() -> None:
    parsed = yaml.safe_load(SHOP)
    expected = bare(load_model(parsed))
    parsed["cubes"] = {cube.pop("name"): cube for cube in parsed["cubes"]}
    assert bare(load_model(parsed)) == expected


@pytest.mark.parametrize(
    "old,new",
    [
        ("has_one", "one_to_one"),
        ("hasOne", "one_to_one"),
        ("has_many", "one_to_many"),
        ("hasMany", "one_to_many"),
        ("belongs_to", "many_to_one"),
        ("belongsTo", "many_to_one"),
        ("manyToOne", "many_to_one"),
    ],
)
def test_older_relationships(tmp_path: Path, old: str, new: str) -> None:
    model = load(tmp_path, SHOP.replace("many_to_one", old))
    assert model.cubes["orders"].joins[0].relationship == new


def test_references_in_the_older_style_are_rewritten(tmp_path: Path) -> None:
    model = load(tmp_path, SHOP.replace('"{CUBE}.status"', '"${CUBE}.status"'))
    assert model.cubes["orders"].dimensions[1].sql == "{CUBE}.status"


def test_a_primary_key_is_private_unless_it_says_otherwise(tmp_path: Path) -> None:
    cube = cube_of(
        tmp_path,
        """
dimensions:
  - {name: a1, sql: a, type: number, primary_key: true}
  - {name: a2, sql: a, type: number, primaryKey: true, shown: true}
  - {name: a3, sql: a, type: number, primary_key: true, public: true}
  - {name: a4, sql: a, type: number, shown: false}
""",
    )
    assert [d.public for d in cube.dimensions] == [False, True, True, False]
    assert [d.primary_key for d in cube.dimensions] == [True, True, True, False]


def test_running_totals_and_windows(tmp_path: Path) -> None:
    cube = cube_of(
        tmp_path,
        """
measures:
  - {name: m1, type: runningTotal, sql: x}
  - {name: m2, type: sum, sql: x, rolling_window: {trailing: 1 month, offset: start}}
  - {name: m3, type: sum, sql: x, rolling_window: {type: to_date, granularity: quarter}}
  - {name: m4, type: sum, sql: x, rollingWindow: {type: year_to_date}}
  - {name: m5, type: sum, sql: x, rolling_window: {leading: -2 days, trailing: unbounded}}
""",
    )
    windows = [m.rolling_window for m in cube.measures]
    assert [m.type for m in cube.measures] == ["sum"] * 5
    assert windows == [
        RollingWindow(trailing="unbounded"),
        RollingWindow(trailing="1 month", offset="start"),
        RollingWindow(type="to_date", granularity="quarter"),
        RollingWindow(type="to_date", granularity="year"),
        RollingWindow(trailing="unbounded", leading="-2 days"),
    ]


def test_the_grain_of_a_multi_stage_measure_in_both_spellings(tmp_path: Path) -> None:
    cube = cube_of(
        tmp_path,
        """
dimensions: [{name: d, sql: d, type: string}, {name: e, sql: e, type: string}]
measures:
  - {name: base, type: sum, sql: x}
  - {name: m1, type: sum, multi_stage: true, sql: "{base}", group_by: [d]}
  - {name: m2, type: sum, multi_stage: true, sql: "{base}", grain: {keep_only: [d]}}
  - {name: m3, type: sum, multi_stage: true, sql: "{base}", reduce_by: [d], add_group_by: [e]}
  - {name: m4, type: sum, multi_stage: true, sql: "{base}", grain: {exclude: ["{CUBE.d}"], include: [CUBE.e]}}
  - {name: m5, type: rank, multi_stage: true, order_by: [{sql: "{base}", dir: desc}], reduce_by: [d]}
""",
    )
    grains = [(m.group_by, m.reduce_by, m.add_group_by) for m in cube.measures[1:]]
    assert grains[0] == grains[1] == (("d",), None, None)
    assert grains[2] == grains[3] == (None, ("d",), ("e",))
    assert cube.measures[5].order_by == (("{base}", "desc"),)


def test_case_in_all_its_forms(tmp_path: Path) -> None:
    cube = cube_of(
        tmp_path,
        """
dimensions:
  - name: size
    type: string
    case:
      when:
        - {sql: "{CUBE}.s = 'xl'", label: XL}
        - {sql: "{CUBE}.s = 'l'", label: {sql: "{CUBE}.label"}}
      else: {label: Other}
  - {name: currency, type: switch, sql: currency, values: [EUR, USD]}
measures:
  - {name: eur, type: sum, sql: eur}
  - {name: usd, type: sum, sql: usd}
  - name: amount
    type: number
    multi_stage: true
    case:
      switch: "{CUBE.currency}"
      when: [{value: EUR, sql: "{eur}"}]
      else: {sql: "{usd}"}
""",
    )
    size, currency = cube.dimensions
    assert size.case is not None
    assert [(w.label, w.label_sql) for w in size.case.when] == [("XL", None), ("", "{CUBE}.label")]
    assert size.case.else_label == "Other"
    assert currency.type == "string"
    switch = cube.measures[2].case
    assert switch is not None
    assert (switch.when[0].sql, switch.when[0].label_sql, switch.else_sql) == (
        "({CUBE.currency}) = 'EUR'",
        "{eur}",
        "{usd}",
    )


def test_masks_are_sql(tmp_path: Path) -> None:
    cube = cube_of(
        tmp_path,
        """
dimensions:
  - {name: d1, sql: a, type: string, mask: "it's hidden"}
  - {name: d2, sql: a, type: number, mask: -1}
  - {name: d3, sql: a, type: boolean, mask: false}
  - {name: d4, sql: a, type: string, mask: {sql: "left({CUBE}.a, 2)"}}
  - {name: d5, sql: a, type: string}
""",
    )
    assert [d.mask for d in cube.dimensions] == ["'it''s hidden'", "-1", "FALSE", "left({CUBE}.a, 2)", None]


def test_places_formats_granularities_and_meta(tmp_path: Path) -> None:
    cube = cube_of(
        tmp_path,
        """
dimensions:
  - {name: place, type: geo, latitude: {sql: "{CUBE}.lat"}, longitude: {sql: lon}}
  - {name: page, type: string, sql: p, format: {type: link, label: Open}}
  - name: at
    type: time
    sql: at
    granularities:
      - {name: fiscal, interval: 1 year, offset: -3 months, title: Fiscal year}
      - {name: two_weeks, interval: 2 weeks, origin: 2024-01-01}
measures:
  - {name: n, type: count, meta: {synonyms: [number, tally], ai_context: hint}}
""",
    )
    place, page, at = cube.dimensions
    assert (place.latitude, place.longitude) == ("{CUBE}.lat", "lon")
    assert page.format == "link"
    assert [(g.name, g.interval, g.offset, g.origin) for g in at.granularities] == [
        ("fiscal", "1 year", "-3 months", None),
        ("two_weeks", "2 weeks", None, "2024-01-01"),
    ]
    assert cube.measures[0].meta == {"synonyms": ["number", "tally"], "ai_context": "hint"}


def test_words_of_yaml_1_1_stay_words(tmp_path: Path) -> None:
    model = load(tmp_path, SHOP.replace("name: region, sql: region", "name: region, sql: region, title: No"))
    assert model.cubes["customers"].dimensions[1].title == "No"


def test_the_sql_of_another_cube_is_written_out(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        """
        cubes:
          - {name: people, sql_table: people}
          - {name: adults, sql: "SELECT * FROM {people.sql()} WHERE age > 17"}
          - {name: old, sql: "SELECT * FROM ${adults.sql()} AS x WHERE age > 70;"}
        """,
    )
    assert model.cubes["adults"].sql == "SELECT * FROM (SELECT * FROM people) WHERE age > 17"
    assert (
        model.cubes["old"].sql
        == "SELECT * FROM (SELECT * FROM (SELECT * FROM people) WHERE age > 17) AS x WHERE age > 70"
    )


def test_warnings_are_kept_with_the_model(tmp_path: Path) -> None:
    model = load(
        tmp_path, SHOP.replace("sql_table: customers", "sql_table: customers\n    refresh_key: {every: 1 hour}")
    )
    assert [(w.line, w.severity) for w in model.warnings] == [(21, "info")]
    assert "refresh_key" in model.warnings[0].message


def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    written(tmp_path, "")
    (tmp_path / "model.yml").write_bytes(b"\xef\xbb\xbf" + SHOP.replace("\n", "\r\n").encode())
    assert set(load_model(tmp_path).cubes) == {"orders", "customers"}
