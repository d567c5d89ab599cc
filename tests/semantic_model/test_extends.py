"""``extends``: an heir has everything of its parent, member by member, and is never more open by accident."""

from __future__ import annotations

from pathlib import Path

from svc_notebook.semantic.loader import load_model

from .models import SHOP, errors, load

HEIRS = (
    SHOP
    + """
  - name: big_orders
    extends: orders
    sql: SELECT * FROM orders WHERE amount > 1000
    measures:
      - {name: total, type: sum, sql: amount / 1000, title: Thousands}
  - name: huge_orders
    extends: big_orders
    public: false
    sql_table: huge
    dimensions:
      - {name: colour, sql: colour, type: string}
"""
)


def test_members_are_taken_over_one_by_one(tmp_path: Path) -> None:
    model = load(tmp_path, HEIRS)
    big, huge = model.cubes["big_orders"], model.cubes["huge_orders"]
    assert [m.name for m in big.measures] == ["count", "total"]
    assert (big.measures[1].title, big.measures[1].format) == ("Thousands", None)
    assert [d.name for d in huge.dimensions] == ["id", "status", "amount", "created_at", "colour"]
    assert huge.joins[0].name == "customers"
    assert (big.sql_table, big.sql is not None) == (None, True)
    assert (huge.sql_table, huge.sql) == ("huge", None)


def test_the_parent_may_stand_in_another_file_and_later(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    (folder / "a.yml").write_text("cubes:\n  - {name: heir, extends: zoo}\n")
    (folder / "z.yml").write_text(
        "cubes:\n  - {name: zoo, sql_table: zoo, dimensions: [{name: x, sql: x, type: string}]}\n"
    )
    model = load_model(folder)
    assert list(model.cubes) == ["heir", "zoo"]
    assert model.cubes["heir"].sql_table == "zoo"


def test_privacy_and_policies_are_inherited(tmp_path: Path) -> None:
    text = HEIRS.replace(
        "sql_table: orders",
        "sql_table: orders\n    public: false\n    title: Orders\n    access_policy: "
        "[{group: boss, row_level: {allow_all: true}}]",
    )
    model = load(tmp_path, text)
    assert [model.cubes[name].public for name in ("orders", "big_orders")] == [False, False]
    assert model.cubes["big_orders"].access_policy == model.cubes["orders"].access_policy
    assert model.cubes["big_orders"].title is None


def test_circles_are_told(tmp_path: Path) -> None:
    text = "cubes:\n  - {name: a, extends: b, sql_table: t}\n  - {name: b, extends: c}\n  - {name: c, extends: a}\n"
    found = errors(tmp_path, text)
    assert any("a → b → c → a" in p.message for p in found)
    assert all("extends itself" in p.message for p in found if "extends" in p.message)


def test_references_of_an_heir_are_its_own(tmp_path: Path) -> None:
    text = """
    cubes:
      - name: base
        sql_table: t
        dimensions: [{name: x, sql: x, type: number}]
        measures: [{name: m, type: sum, sql: "{CUBE.x}"}]
      - name: heir
        extends: base
        dimensions: [{name: x, sql: "{y} + 1", type: number}]
    """
    found = errors(tmp_path, text)
    assert [(p.line, "'y' is unknown in 'heir'" in p.message) for p in found] == [(9, True)]
