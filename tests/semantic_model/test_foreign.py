"""Whole projects: other YAML, scripts and cubes in JavaScript beside the model are told, never skipped silently."""

from __future__ import annotations

from pathlib import Path

from svc_notebook.semantic.loader import check_model, load_model

from .models import SHOP

SCRIPT = """
// a cube of somebody
cube(`lines`, {
  sql_table: `lines`,
  joins: { orders: { relationship: `many_to_one`, sql: `${CUBE}.o = ${orders}.id` } },
});

  view('lines_of', { cubes: [] })
"""


def project(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_project_with_other_yaml_loads(tmp_path: Path) -> None:
    folder = project(
        tmp_path,
        {
            "model/cubes/shop.yml": SHOP,
            "docker-compose.yml": "version: '2'\nservices:\n  cube: {image: cubejs/cube, ports: !reset [1]}\n",
            "dbt/models/schema.yml": "models:\n  - name: x\n    description: '{{ doc(\"x\") }}'\n",
            "node_modules/a/cubes.yml": "cubes: nonsense\n",
            ".github/workflows/a.yml": "cubes: nonsense\n",
        },
    )
    told = {p.file: p.severity for p in load_model(folder).warnings}
    assert told == {"docker-compose.yml": "info", "dbt/models/schema.yml": "info"}


def test_a_slip_in_the_first_word_is_still_an_error(tmp_path: Path) -> None:
    folder = project(tmp_path, {"a.yml": SHOP, "b.yml": "cube:\n  - name: x\n    sql_table: x\n"})
    (found,) = [p for p in check_model(folder) if p.severity == "error"]
    assert (found.file, "did you mean 'cubes'" in found.message) == ("b.yml", True)


def test_cubes_in_javascript_are_told_and_what_rests_on_them_is_left_out(tmp_path: Path) -> None:
    more = """
cubes:
  - name: returns
    sql_table: returns
    joins:
      - {name: lines, relationship: many_to_one, sql: "{CUBE}.line = {lines}.id"}
      - {name: orders, relationship: many_to_one, sql: "{CUBE}.o = {orders.id}"}
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: count, type: count, drill_members: [id, lines.id]}]
  - name: fines
    sql_table: fines
    joins: [{name: lines, relationship: many_to_one, sql: "{CUBE}.line = {lines}.id"}]
    dimensions: [{name: line_price, sql: "{lines.price}", type: number}]
  - {name: heirs, extends: fines}
views:
  - {name: v, cubes: [{join_path: returns, includes: "*"}, {join_path: returns.orders, includes: [total]}]}
  - {name: w, cubes: [{join_path: lines, includes: "*"}]}
  - {name: x, cubes: [{join_path: fines, includes: "*"}]}
  - name: y
    cubes: [{join_path: orders, includes: [total]}]
    access_policy: [{group: "*", row_level: {filters: [{member: lines.id, operator: set}]}}]
"""
    folder = project(tmp_path, {"cubes/a.yml": SHOP, "cubes/b.yml": more, "cubes/lines.js": SCRIPT})
    model = load_model(folder)
    assert set(model.cubes) == {"orders", "customers", "returns"}
    assert [join.name for join in model.cubes["returns"].joins] == ["orders"]
    assert set(model.views) == {"v"}
    told = [(p.file, p.line, p.severity) for p in model.warnings if "JavaScript" in p.message]
    assert {("cubes/lines.js", 3, "warning"), ("cubes/lines.js", 8, "warning")} < set(told)
    for name in ("fines", "heirs", "w", "x", "y"):
        assert any(
            f"'{name}' is left out, because 'lines' is written in JavaScript (cubes/lines.js:3)" in p.message
            for p in model.warnings
        )


def test_rules_in_code_are_told_with_what_to_write_instead(tmp_path: Path) -> None:
    folder = project(
        tmp_path,
        {
            "model/a.yml": SHOP,
            "cube.js": "module.exports = {\n  queryRewrite: (query, { securityContext }) => query,\n};\n",
            "cube.py": "from cube import config\n\n@config('query_rewrite')\ndef f(q, ctx): return q\n",
            "model/globals.py": "template = TemplateContext('globals')\n",
            "web/app.js": "view('home', {}); queryRewrite(1)",
        },
    )
    told = {(p.file, p.line): p.message for p in load_model(folder).warnings}
    assert set(told) == {("cube.js", 2), ("cube.py", 3), ("model/globals.py", 1), ("web/app.js", 1)}
    assert "write an access_policy" in told["cube.js", 2]
    assert "write an access_policy" in told["cube.py", 3]
    assert "plain YAML" in told["model/globals.py", 1]


def test_templates_say_what_to_write_instead(tmp_path: Path) -> None:
    text = SHOP.replace("sql_table: orders", 'sql_table: orders\n    public: "{{ COMPILE_CONTEXT.securityContext.x }}"')
    (found,) = check_model(project(tmp_path, {"a.yml": text}))
    assert (found.line, "said by an access_policy" in found.message) == (5, True)


def test_a_file_of_a_larger_model_loads_alone(tmp_path: Path) -> None:
    text = """
cubes:
  - name: orders
    sql_table: orders
    joins:
      - {name: users, relationship: many_to_one, sql: "{CUBE}.u = {users}.id"}
      - {name: items, relationship: one_to_many, sql: "{CUBE}.id = {items.order}"}
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
  - {name: order_parts, sql_table: parts, dimensions: [{name: city, sql: "{users.city}", type: string}]}
views:
  - {name: v, cubes: [{join_path: orders.users, includes: [city]}]}
"""
    folder = project(tmp_path, {"orders.yml": text})
    model = load_model(folder / "orders.yml")
    assert (set(model.cubes), model.cubes["orders"].joins, set(model.views)) == ({"orders"}, (), set())
    assert {p.severity for p in model.warnings} == {"warning"}
    assert any("'users' is in another file" in p.message for p in model.warnings)
    assert [p.severity for p in check_model(folder)].count("error") >= 3  # a folder is a whole model
    slip = project(tmp_path, {"slip.yml": text.replace("name: items,", "name: order_part,")}) / "slip.yml"
    assert any("joins 'order_part'" in p.message for p in check_model(slip) if p.severity == "error")
