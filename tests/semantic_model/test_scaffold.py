"""A first model over undescribed tables: what it finds, what it leaves alone, and that it always loads."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import check_model, load_model
from svc_notebook.semantic.scaffold import read_sqlite, scaffold_model, to_yaml, write_model
from svc_notebook.semantic.scaffolding.words import Vocabulary, identifier, plural

from .models import bare

ORDERS = {
    "order_id": list(range(1, 21)),
    "customer_id": [1, 2, 3, 1] * 5,
    "billing_customer_id": [2, 3, 1, 2] * 5,
    "status": ["open", "done", "done", "sent"] * 5,
    "ordered_on": [f"2024-0{1 + i % 9}-15" for i in range(20)],
    "total amount": [10.5 + i for i in range(20)],
    "unit_price": [1.25] * 10 + [2.5] * 10,
    "discount_rate": [0.0, 0.1, 0.25, 0.5] * 5,
    "fee_eur": [1.0, 2.0] * 10,
    "year": [2023, 2024] * 10,
    "api_token": ["x"] * 20,
}
CUSTOMERS = {
    "id": [1, 2, 3, 4],
    "name": ["Ann", "Bob", "Cy", "Di"],
    "country_code": ["IT", "FR", "IT", "DE"],
    "zip": ["01", "02", "03", "04"],
}
COUNTRIES = {"code": ["IT", "FR", "DE", "ES"], "name": ["Italy", "France", "Germany", "Spain"]}
TABLES = {"orders": pd.DataFrame(ORDERS), "customers": pd.DataFrame(CUSTOMERS), "countries": pa.table(COUNTRIES)}


def cubes(model: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {cube["name"]: cube for cube in model["cubes"]}


def members(cube: dict[str, Any], section: str) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in cube[section]}


def joins(model: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(c["name"], j["name"], j["sql"]) for c in model["cubes"] for j in c.get("joins", ())}


@pytest.fixture(scope="module")
def shop() -> dict[str, Any]:
    return scaffold_model(TABLES)


def test_types_and_special_columns(shop: dict[str, Any]) -> None:
    found = members(cubes(shop)["orders"], "dimensions")
    assert {name: item["type"] for name, item in found.items()} == {
        "order_id": "number", "customer_id": "number", "billing_customer_id": "number", "status": "string",
        "ordered_on": "time", "total_amount": "number", "unit_price": "number", "discount_rate": "number",
        "fee_eur": "number", "year": "number", "api_token": "string",
    }  # fmt: skip
    assert found["ordered_on"]["sql"] == "TRY_CAST({CUBE}.ordered_on AS TIMESTAMP)"
    assert found["total_amount"]["sql"] == '{CUBE}."total amount"'
    assert found["year"]["format"] == "id"
    assert found["discount_rate"]["format"] == "percent"
    assert (found["fee_eur"]["format"], found["fee_eur"]["currency"]) == ("currency", "EUR")
    assert found["api_token"]["public"] is False
    assert "format" not in found["unit_price"]


def test_keys_and_joins_by_names_and_values(shop: dict[str, Any]) -> None:
    keys = {c["name"]: [d["name"] for d in c["dimensions"] if d.get("primary_key")] for c in shop["cubes"]}
    assert keys == {"orders": ["order_id"], "customers": ["id"], "countries": ["code"], "billing_customers": ["id"]}
    assert joins(shop) == {
        ("orders", "customers", "{CUBE.customer_id} = {customers.id}"),
        ("orders", "billing_customers", "{CUBE.billing_customer_id} = {billing_customers.id}"),
        ("customers", "countries", "{CUBE.country_code} = {countries.code}"),
    }


def test_values_that_do_not_fit_speak_against_a_join() -> None:
    stray = {**CUSTOMERS, "id": [11, 12, 13, 14]}
    assert not [j for j in joins(scaffold_model({**TABLES, "customers": pa.table(stray)})) if j[0] == "orders"]


def test_measures(shop: dict[str, Any]) -> None:
    found = members(cubes(shop)["orders"], "measures")
    assert {(item["type"], name) for name, item in found.items()} == {
        ("count", "count"), ("count_distinct", "distinct_customers"), ("count_distinct", "distinct_billing_customers"),
        ("sum", "total_total_amount"), ("avg", "avg_total_amount"), ("min", "min_total_amount"), ("max", "max_total_amount"),
        ("avg", "avg_unit_price"), ("min", "min_unit_price"), ("max", "max_unit_price"),
        ("avg", "avg_discount_rate"), ("min", "min_discount_rate"), ("max", "max_discount_rate"),
        ("sum", "total_fee_eur"), ("avg", "avg_fee_eur"), ("min", "min_fee_eur"), ("max", "max_fee_eur"),
    }  # fmt: skip
    assert found["total_fee_eur"]["currency"] == "EUR"
    assert found["count"]["title"] == "Number of orders"


@pytest.mark.parametrize(
    ("name", "title"), [("data", "Number of rows"), ("df", "Number of rows"), ("visit", "Number of visits")]
)
def test_rows_of_a_table_whose_name_only_says_that_it_is_one_are_rows(name: str, title: str) -> None:
    [cube] = cubes(scaffold_model({name: pa.table({"guests": [1, 2, 2]})})).values()
    assert members(cube, "measures")["count"]["title"] == title


def test_a_view_walks_the_references(shop: dict[str, Any]) -> None:
    views = {view["name"]: view for view in shop["views"]}
    assert set(views) == {"orders_overview", "customers_overview"}
    paths = {entry["join_path"]: entry for entry in views["orders_overview"]["cubes"]}
    assert set(paths) == {"orders", "orders.customers", "orders.billing_customers", "orders.customers.countries"}
    assert paths["orders"]["includes"] == "*"
    assert "prefix" not in paths["orders.customers"]
    assert (paths["orders.billing_customers"]["prefix"], paths["orders.billing_customers"]["alias"]) == (
        True,
        "billing_customer",
    )
    assert scaffold_model(TABLES, views=False).get("views") is None


def test_it_loads_without_findings_and_answers(shop: dict[str, Any]) -> None:
    assert check_model(shop) == []
    layer = SemanticLayer(load_model(shop), DuckDBEngine.open(None, data=TABLES))
    try:
        asked = "SELECT name, MEASURE(count) FROM orders_overview WHERE ordered_on >= DATE '2024-02-01' GROUP BY 1 ORDER BY 1"
        rows = layer.query(SecurityContext.operator(), asked).table.to_pylist()
        wanted = (
            pd.DataFrame(ORDERS)
            .query("ordered_on >= '2024-02-01'")
            .merge(pd.DataFrame(CUSTOMERS), left_on="customer_id", right_on="id")
        )
        assert [tuple(row.values()) for row in rows] == list(wanted.groupby("name").size().items())
    finally:
        layer.close()


def test_written_files_say_the_same(shop: dict[str, Any], tmp_path: Path) -> None:
    files = write_model(shop, tmp_path / "model", header="Made from orders.csv.\nRead it.")
    assert {f.relative_to(tmp_path / "model").as_posix() for f in files} == {
        "cubes/orders.yml", "cubes/customers.yml", "cubes/countries.yml", "cubes/billing_customers.yml",
        "views/orders_overview.yml", "views/customers_overview.yml",
    }  # fmt: skip
    text = files[0].read_text()
    assert text.startswith(
        "# Made from orders.csv.\n# Read it.\ncubes:\n  - name: orders\n    sql_table: orders\n"
        "    meta:\n      headline: total_total_amount\n"
    )
    assert max(map(len, text.split("\n"))) <= 120
    written, direct = load_model(tmp_path / "model"), load_model(shop)
    assert {name: bare_one(written.cubes[name]) for name in written.cubes} == {
        n: bare_one(direct.cubes[n]) for n in direct.cubes
    }
    assert {name: bare_one(written.views[name]) for name in written.views} == {
        n: bare_one(direct.views[n]) for n in direct.views
    }


def bare_one(item: Any) -> object:
    from svc_notebook.semantic.model import Cube, DataModel

    return bare(DataModel({item.name: item}, {}) if isinstance(item, Cube) else DataModel({}, {item.name: item}))


def test_every_kind_of_source_gives_the_same(shop: dict[str, Any], tmp_path: Path) -> None:
    for name, table in TABLES.items():
        frame = table if isinstance(table, pd.DataFrame) else table.to_pandas()
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
        frame.to_parquet(tmp_path / f"{name}.parquet", index=False)
    order = list(TABLES)
    assert scaffold_model([tmp_path / f"{name}.parquet" for name in order]) == shop
    from_csv = scaffold_model({name: tmp_path / f"{name}.csv" for name in order})
    assert joins(from_csv) == joins(shop)
    with (
        duckdb.connect(str(tmp_path / "shop.duckdb")) as connection,
        closing(sqlite3.connect(tmp_path / "shop.sqlite")) as lite,
        lite,
    ):
        for name in order:
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM '{tmp_path / name}.parquet'")
            pd.read_parquet(tmp_path / f"{name}.parquet").to_sql(name, lite, index=False)
    for source in (tmp_path / "shop.duckdb", str(tmp_path / "shop.sqlite"), {"whatever": tmp_path / "shop.sqlite"}):
        found = scaffold_model(source)
        assert joins(found) == joins(shop)
        assert {name: sorted(map(str, cube["dimensions"])) for name, cube in cubes(found).items()} == {
            name: sorted(map(str, cube["dimensions"])) for name, cube in cubes(shop).items()
        }
    engine = DuckDBEngine.open(tmp_path / "shop.duckdb")
    try:
        assert joins(scaffold_model({}, engine=engine)) == joins(shop)
    finally:
        engine.close()


def test_declared_keys_of_a_database_are_kept(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.execute(
            "CREATE SCHEMA s; CREATE TABLE s.stops (line VARCHAR, position INTEGER, name VARCHAR, PRIMARY KEY "
            "(line, position))"
        )
    model = scaffold_model(tmp_path / "d.duckdb")
    (cube,) = model["cubes"]
    assert cube["sql_table"] == "s.stops"
    assert [d["name"] for d in cube["dimensions"] if d.get("primary_key")] == ["line", "position"]
    assert check_model(model) == []


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_declared_foreign_keys_are_joins_whatever_the_names(tmp_path: Path, kind: str) -> None:
    statements = (
        "CREATE TABLE people (nr INTEGER PRIMARY KEY, name VARCHAR)",
        "CREATE TABLE visits (a INTEGER, b INTEGER, who INTEGER REFERENCES people (nr), PRIMARY KEY (a, b))",
        "CREATE TABLE notes (x INTEGER, y INTEGER, FOREIGN KEY (x, y) REFERENCES visits (a, b))",
    )
    file = tmp_path / f"d.{kind}"
    with closing(duckdb.connect(str(file)) if kind == "duckdb" else sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    model = scaffold_model(file)
    assert joins(model) == {
        ("visits", "people", "{CUBE.who} = {people.nr}"),
        ("notes", "visits", "{CUBE.x} = {visits.a} AND {CUBE.y} = {visits.b}"),
    }
    keys = {c["name"]: [d["name"] for d in c["dimensions"] if d.get("primary_key")] for c in model["cubes"]}
    assert keys == {"people": ["nr"], "visits": ["a", "b"], "notes": []}
    assert check_model(model) == []


def test_a_description_with_labels_and_joins() -> None:
    model = scaffold_model(
        {
            "tables": [
                {"name": "STUDENT", "label": "student", "primary_key": ["STU_NUM"], "columns": [
                    {"name": "STU_NUM", "type": "number"}, {"name": "DEPT", "type": "string", "label": "department code"},
                    {"name": "GPA", "type": "number", "description": "Grade point average"}, {"name": "BORN", "type": "time"}]},
                {"name": "DEPARTMENT", "label": "department", "columns": [
                    {"name": "CODE", "type": "string", "primary_key": True}, {"name": "NAME", "type": "string"}]},
            ],
            "joins": [
                {"from_table": "DEPARTMENT", "from_column": "CODE", "to_table": "STUDENT", "to_column": "DEPT"},
                {"from_table": "STUDENT", "from_column": "NOTHING", "to_table": "DEPARTMENT", "to_column": "CODE"},
            ],
        }
    )  # fmt: skip
    assert check_model(model) == []
    student = cubes(model)["student"]
    assert student["sql_table"] == '"STUDENT"'
    assert student["joins"] == [
        {"name": "department", "relationship": "many_to_one", "sql": "{CUBE.dept} = {department.code}"}
    ]
    found = members(student, "dimensions")
    assert found["dept"]["title"] == "Department code"
    assert found["gpa"]["description"] == "Grade point average"
    assert found["born"]["type"] == "time"
    assert "total_gpa" not in members(student, "measures")


def test_foreign_keys_that_were_not_declared_are_added_where_name_and_values_say_so() -> None:
    data = {
        "claim": pa.table({"claim_id": [1, 2, 3], "place": ["a", "b", "c"]}),
        "payment": pa.table({"payment_id": [1, 2, 3], "claim_id": [1, 1, 2]}),
        "reserve": pa.table({"claim_id": [2, 3], "amount": [5.5, 6.5]}),
        "stray": pa.table({"stray_id": [1, 2], "claim_id": [8, 9]}),
    }
    kinds = {"claim_id": "number", "payment_id": "number", "stray_id": "number", "amount": "number", "place": "string"}
    described = {
        "tables": [
            {"name": n, "columns": [{"name": c, "type": kinds[c]} for c in t.column_names]} for n, t in data.items()
        ],
        "joins": [],
    }
    found = {
        (c["name"], j["name"], j["relationship"])
        for c in scaffold_model(described, data=data)["cubes"]
        for j in c.get("joins", ())
    }
    assert found == {("payment", "claim", "many_to_one"), ("reserve", "claim", "one_to_one")}


@pytest.mark.parametrize(
    "joined,relationship",
    [({"a": [1, 1, 2], "b": [1, 2, 3]}, ("many", "one")), ({"a": [1, 2, 3], "b": [1, 1, 2]}, ("one", "many"))],
)
def test_the_unique_side_of_a_declared_join_is_the_one_side(
    joined: dict[str, list[int]], relationship: tuple[str, str]
) -> None:
    description = {
        "tables": [{"name": n, "columns": [{"name": "k", "type": "number"}]} for n in ("a", "b")],
        "joins": [{"from_table": "a", "from_column": "k", "to_table": "b", "to_column": "k"}],
    }
    model = scaffold_model(description, data={name: pa.table({"k": values}) for name, values in joined.items()})
    many, one = ("a", "b") if relationship[0] == "many" else ("b", "a")
    assert {(m, o) for m, o, _ in joins(model)} == {(many, one)}


def test_dates_in_text_are_read_only_where_there_is_one_way() -> None:
    table = pa.table(
        {
            "iso": ["2024-01-31 10:00", None],
            "american": ["12/31/2024", "01/15/2023"],
            "either": ["01/02/2024", "03/04/2024"],
            "german": ["31.12.2024", "01.02.2023"],
            "mixed": ["2024-01-31", "soon"],
            "code": ["20240131", "20240201"],
        }
    )
    found = members(scaffold_model({"t": table})["cubes"][0], "dimensions")
    assert {name: item["type"] for name, item in found.items()} == {
        "iso": "time", "american": "time", "either": "string", "german": "time", "mixed": "string", "code": "string",
    }  # fmt: skip
    assert found["american"]["sql"] == "TRY_STRPTIME({CUBE}.american, '%m/%d/%Y')"


def test_sqlite_types_are_those_of_the_values(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as lite, lite:
        lite.execute("CREATE TABLE t (n INTEGER, r REAL, b BOOLEAN, s TEXT, m, e INTEGER, raw BLOB)")
        lite.executemany(
            "INSERT INTO t VALUES (?,?,?,?,?,?,?)",
            [(1, 1, 1, "a", 1, None, b"\x01"), (2, 2.5, 0, "ü", "x", None, None)],
        )
    table = read_sqlite(tmp_path / "a.db")["t"]
    assert {f.name: str(f.type) for f in table.schema} == {
        "n": "int64", "r": "double", "b": "bool", "s": "string", "m": "string", "e": "int64", "raw": "string",
    }  # fmt: skip
    assert table.column("m").to_pylist() == ["1", "x"]
    assert scaffold_model(tmp_path / "a.db")["cubes"][0]["name"] == "t"


@pytest.mark.parametrize(
    "name,words",
    [
        ("authorid", ["author", "id"]),
        ("FullName", ["full", "name"]),
        ("fullname", ["full", "name"]),
        ("sbCustName", ["cust", "name"]),
        ("candidate", ["candidate"]),
        ("update", ["update"]),
        ("username", ["user", "name"]),
        ("valid", ["valid"]),
        ("releasedate", ["release", "date"]),
    ],
)
def test_glued_words_are_taken_apart(name: str, words: list[str]) -> None:
    prefixed = [f"sb{word}" for word in ("CustName", "CustId", "TxAmount", "TxDate", "TxId", "TickerId")]
    vocabulary = Vocabulary(["sbAuthor"], prefixed) if name.startswith("sb") else Vocabulary(["author"], [name])
    assert vocabulary.words(name) == words


def test_titles_write_abbreviations_out() -> None:
    vocabulary = Vocabulary(["orders"], ["cust_qty", "avg_amt", "dept_id"])
    assert [vocabulary.title(name) for name in ("cust_qty", "avg_amt", "dept_id")] == [
        "Customer quantity", "Average amount", "Department ID",
    ]  # fmt: skip


def test_plurals_and_identifiers() -> None:
    assert [plural(word) for word in ("order", "category", "box", "news", "day", "class")] == [
        "orders", "categories", "boxes", "news", "days", "classes",
    ]  # fmt: skip
    assert [identifier(name) for name in ("Total Amount ($)", "2nd", "Größe", "", "a.b", "ID")] == [
        "total_amount", "n_2_nd", "grosse", "n_", "a_b", "id",
    ]  # fmt: skip


@pytest.mark.parametrize("source", [{"a": pa.table({})}, {}, "nowhere.csv", {"a": {"b": {"c": 1}}}, {"a": 3}, []])
def test_what_cannot_be_read_is_said(source: Any) -> None:
    with pytest.raises(ValueError):
        scaffold_model(source)


def test_broken_files_are_said(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.duckdb", "c.xyz"):
        (tmp_path / name).write_bytes(b"not what it says")
        with pytest.raises(ValueError, match=name):
            scaffold_model(tmp_path / name)


CELLS = {
    "number": st.one_of(st.none(), st.integers(-5, 5), st.just(2024)),
    "double": st.one_of(st.none(), st.floats(-3, 3, allow_nan=False)),
    "text": st.one_of(st.none(), st.sampled_from(["a", "b", "2024-01-01", "yes", "no", "1", "", "ü # : {x}", "null"])),
    "bool": st.one_of(st.none(), st.booleans()),
    "date": st.one_of(st.none(), st.dates(date(2020, 1, 1), date(2025, 1, 1))),
}
TYPES = {"number": pa.int64(), "double": pa.float64(), "text": pa.string(), "bool": pa.bool_(), "date": pa.date32()}
COLUMN_NAMES = st.one_of(
    st.sampled_from(
        "id order_id customer_id name count total_x x Year amount_usd rate select CUBE date parent_id".split()
    ),
    st.text(alphabet="abXY_ 1é\"'{}$.-", min_size=1, max_size=8).filter(lambda name: name.strip() != ""),
)
TABLE_NAMES = st.sampled_from(["orders", "customers", "Order Items", "CUBE", "select", "größen", "a", "1st"])


@st.composite
def tables(draw: st.DrawFn) -> dict[str, pa.Table]:
    found: dict[str, pa.Table] = {}
    for name in draw(st.lists(TABLE_NAMES, min_size=1, max_size=3, unique=True)):
        rows = draw(st.integers(0, 6))
        names = draw(st.lists(COLUMN_NAMES, min_size=1, max_size=5, unique_by=str.lower))
        kinds = [draw(st.sampled_from(sorted(CELLS))) for _ in names]
        columns = [pa.array(draw(st.lists(CELLS[k], min_size=rows, max_size=rows)), TYPES[k]) for k in kinds]
        found[name] = pa.table(dict(zip(names, columns, strict=True)))
    return found


@given(tables())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_the_tables_the_model_loads_and_survives_writing(tmp_path: Path, data: dict[str, pa.Table]) -> None:
    model = scaffold_model(data)
    assert [p for p in check_model(model) if p.severity == "error"] == []
    file = tmp_path / "all.yml"
    file.write_text(to_yaml(model), encoding="utf-8")
    assert bare(load_model(file)) == bare(load_model(model))
    every_member_answers(model, data)


def every_member_answers(model: dict[str, Any], data: dict[str, Any]) -> int:
    """Ask for every measure and every dimension of every cube and view; how many there were."""
    asked = 0
    with closing(SemanticLayer(load_model(model), DuckDBEngine.open(None, data=data))) as layer:
        operator = SecurityContext(unrestricted=True)
        for relation in layer.catalog(operator).relations.values():
            for member in relation.members.values():
                sql = f'MEASURE("{member.name}")' if member.kind == "measure" else f'"{member.name}", COUNT(*)'
                group = "" if member.kind == "measure" else " GROUP BY 1"
                layer.query(operator, f'SELECT {sql} FROM "{relation.name}"{group}')
                asked += 1
    return asked


def csv(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    file = folder / name
    file.write_bytes(text.encode(encoding))
    return file


@pytest.mark.parametrize(
    ("text", "dimensions", "measures"),
    [
        ("\ufeffid,name,amount\n1,x,2.5\n2,y,3\n", ["id", "name", "amount"], 5),
        ("id;amount;big;code\n1;2,5;1.234,50;1,234\n2;-3,25;7;2,345\n", ["id", "amount", "big", "code"], 10),
        ("id,when\n1,2024-01-01\n2,01/02/2024\n3,foo\n", ["id", "when"], 1),
        ("id,name,name,NAME\n1,x,y,z\n", ["id", "name", "name_1", "name_2"], 1),
        ("id,,  ,x\n1,2,3,4\n", ["id", "column_1", "column_2", "x"], 10),
        ("id,größe,名前,a b\n1,2,x,3\n", ["id", "grosse", "column_3", "a_b"], 7),
        ("id," + "x" * 300 + "\n1,2\n", ["id", "x" * 300], 4),
        ("select,from,order,count,measure,CUBE,id\n1,2,3,4,5,6,7\n", None, None),
        (",".join(f"c{i}" for i in range(120)) + "\n" + ",".join("1" * 120) + "\n", None, None),
        ("id,name,amount\n", ["id", "name", "amount"], None),
        ('id,"a ""q""",x{y},{CUBE},a.b,-- c,c;d\n1,2,3,4,5,6,7\n', None, None),
    ],
)
def test_odd_files_make_models_that_answer(
    tmp_path: Path, text: str, dimensions: list[str] | None, measures: int | None
) -> None:
    data = {"t": csv(tmp_path, "t.csv", text)}
    model = scaffold_model(data)
    assert check_model(model) == []
    assert every_member_answers(model, data) > 0
    (cube,) = model["cubes"]
    if dimensions is not None:
        assert [d["name"] for d in cube["dimensions"]] == dimensions
    if measures is not None:
        assert len(cube["measures"]) == measures


def test_decimal_commas_are_numbers_where_there_is_one_way(tmp_path: Path) -> None:
    data = {"t": csv(tmp_path, "t.csv", "id;amount;code\n1;1.002,5;1,234\n2;-3,25;2,345\n")}
    model = scaffold_model(data)
    assert [d["type"] for d in model["cubes"][0]["dimensions"]] == ["number", "number", "string"]
    with closing(SemanticLayer(load_model(model), DuckDBEngine.open(None, data=data))) as layer:
        table = layer.query(SecurityContext(unrestricted=True), "SELECT MEASURE(total_amount) AS s FROM t").table
        assert table.to_pylist() == [{"s": 999.25}]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16"])
def test_a_file_that_is_not_utf_8_is_read_for_the_model_as_for_its_answers(tmp_path: Path, encoding: str) -> None:
    data = {"t": csv(tmp_path, "t.csv", "id,größe\n1,ä\n2,ß\n", encoding)}
    model = scaffold_model(data)
    assert [d["name"] for d in model["cubes"][0]["dimensions"]] == ["id", "grosse"]
    with closing(SemanticLayer(load_model(model), DuckDBEngine.open(None, data=data))) as layer:
        found = layer.query(SecurityContext.operator(), "SELECT grosse FROM t ORDER BY id").table
        assert found.column(0).to_pylist() == ["ä", "ß"]


def test_a_file_in_no_encoding_that_is_known_says_so(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'t.csv' cannot be read: it is not UTF-8; save it as UTF-8"):
        scaffold_model({"t": csv(tmp_path, "t.csv", "id,名前\n1,東京\n", "shift-jis")})


VALUES = st.recursive(
    st.one_of(st.text(max_size=12), st.integers(), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(alphabet="abc_", min_size=1, max_size=4), inner, max_size=3),
    ),
    max_leaves=8,
)


@given(VALUES)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_meta_survives_writing(tmp_path: Path, value: Any) -> None:
    model = {"cubes": [{"name": "a", "sql_table": "t", "meta": {"kept": value}}]}
    write_model(model, tmp_path)
    assert load_model(tmp_path).cubes["a"].meta == {"kept": value}


def test_an_sqlite_file_can_be_asked_like_any_other_data(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as lite, lite:
        lite.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, worth REAL)")
        lite.executemany("INSERT INTO t VALUES (?, ?)", [(1, 1.5), (2, 2.5)])
    for opened in (
        DuckDBEngine.open(tmp_path / "a.sqlite"),
        DuckDBEngine.open(None, data={"any": tmp_path / "a.sqlite"}),
    ):
        layer = SemanticLayer(load_model(scaffold_model({}, engine=opened)), opened)
        try:
            found = layer.query(SecurityContext.operator(), "SELECT MEASURE(total_worth) AS w FROM t").table
            assert found.to_pylist() == [{"w": 4.0}]
        finally:
            layer.close()
