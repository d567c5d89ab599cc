"""``svc-notebook init`` over files as people have them: what it makes of them, what it says, and what it leaves alone."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from svc_notebook.cli import main
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import check_model, load_model

DAYS = range(1, 25)


def column(values: Any) -> str:
    return "id,v\n" + "".join(f'{n},"{value}"\n' for n, value in enumerate(values, 100))


def made(capsys: pytest.CaptureFixture[str], *sources: object) -> dict[str, Any]:
    """The model as ``--json`` prints it."""
    assert main(["init", *map(str, sources), "--json"]) == 0
    model: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert check_model(model) == []
    return model


def only(model: dict[str, Any], section: str = "dimensions") -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in model["cubes"][0][section]}


# --- values that are something else than their type says --------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "kind", "shown", "first"),
    [
        ([f"${n},250.50" for n in DAYS], "number", {"format": "currency", "currency": "USD"}, 1250.5),
        ([f"{n}.250,50 €" for n in DAYS], "number", {"format": "currency", "currency": "EUR"}, 1250.5),
        ([f"-£{n}" for n in DAYS], "number", {"format": "currency", "currency": "GBP"}, -1.0),
        ([f"{n}%" for n in DAYS], "number", {"format": "percent"}, 0.01),
        ([f"{n},5 %" for n in DAYS], "number", {"format": "percent"}, 0.015),
        ([f"{n},250.75" for n in DAYS], "number", {}, 1250.75),
        ([f"{n:02d}-Mar-2024" for n in DAYS], "time", {}, "2024-03-01"),
        ([f"March {n}, 2024" for n in DAYS], "time", {}, "2024-03-01"),
        ([f"{n:02d}.03.2024" for n in DAYS], "time", {}, "2024-03-01"),
        ([f"2024-{n % 12 + 1:02d}" for n in DAYS], "time", {}, "2024-02-01"),
        ([f"€{n},250" for n in DAYS], "string", {}, "€1,250"),  # a thousand, or one and a quarter
        ([f"${n}" if n % 2 else f"€{n}" for n in DAYS], "string", {}, "$1"),
        ([f"{n:05d}" for n in DAYS], "string", {}, "00001"),
        (["12:30"] * 24, "string", {}, None),
    ],
)
def test_text_is_read_as_what_it_is(tmp_path, capsys, values, kind, shown, first):
    file = tmp_path / "t.csv"
    file.write_text(column(values))
    model = made(capsys, file)
    found = only(model)["v"]
    assert found["type"] == kind
    assert {key: found[key] for key in ("format", "currency") if key in found} == shown
    if first is None:
        return
    with closing(SemanticLayer(load_model(model), DuckDBEngine.open(None, data={"t": file}))) as layer:
        answered = layer.query(SecurityContext.operator(), "SELECT v FROM t ORDER BY id LIMIT 1").table.to_pylist()
        value = answered[0]["v"]
        assert value == pytest.approx(first) if isinstance(first, float) else str(value)[: len(first)] == first


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("created_at", [1_700_000_000 + 60 * n for n in DAYS], "time"),
        ("unix_ms", [1_700_000_000_000 + n for n in DAYS], "time"),
        ("order_date", [20_240_100 + n for n in DAYS], "time"),
        ("order_date", [20_241_300 + n for n in DAYS], "number"),  # there is no thirteenth month
        ("population", [1_700_000_000 + n for n in DAYS], "number"),
        ("date_id", [20_240_100 + n for n in DAYS], "number"),  # a key, to be joined by
    ],
)
def test_numbers_that_are_points_in_time(tmp_path, capsys, name, values, kind):
    (tmp_path / "t.csv").write_text(f"n,{name}\n" + "".join(f"x,{value}\n" for value in values))
    assert only(made(capsys, tmp_path / "t.csv"))[name]["type"] == kind


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("amount", [1.5 * n for n in DAYS], {"total", "avg", "min", "max"}),
        ("close", [1.5 * n for n in DAYS], {"avg", "min", "max"}),
        ("life_expectancy", [60 + n for n in DAYS], {"avg", "min", "max"}),
        ("emissions_per_capita", [1.5 * n for n in DAYS], {"avg", "min", "max"}),
        ("profit_margin", [n / 100 for n in DAYS], {"avg", "min", "max"}),
        ("profit_margin", [n * 100 for n in DAYS], {"total", "avg", "min", "max"}),
        ("is_returned", [n % 2 for n in DAYS], set()),  # yes and no, of which there are shares
        ("latitude", [40 + n / 10 for n in DAYS], set()),
        ("founded", [1900 + n for n in DAYS], set()),
        ("zip", [10_000 + n for n in DAYS], set()),
        ("customer_nr", [n % 5 for n in DAYS], {"distinct"}),
    ],
)
def test_measures_make_sense_for_what_is_measured(tmp_path, capsys, name, values, expected):
    (tmp_path / "t.csv").write_text(f"label,{name}\n" + "".join(f"x,{value}\n" for value in values))
    measures = only(made(capsys, tmp_path / "t.csv"), "measures")
    assert {measure.partition("_")[0] for measure in measures if measure != "count"} == expected


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Bestellnr,Ort\n" + "".join(f"{n},x\n" for n in DAYS), ["bestellnr"]),
        ("zaehler,Ort\n" + "".join(f"{n},x\n" for n in DAYS), ["zaehler"]),  # counts the rows without a gap
        ("rank,Ort\n" + "".join(f"{n},x\n" for n in DAYS), []),
        ("order_id,line_no,x\n" + "".join(f"{n // 2},{n % 2},x\n" for n in DAYS), ["order_id", "line_no"]),
        ("order_id,line_no,x\n" + "".join(f"{n // 3},{n % 2},x\n" for n in DAYS), []),
        ("a_id,b_id\n" + "".join(f"{n // 5},{n % 5}\n" for n in DAYS), ["a_id", "b_id"]),
        ("id,x\n", ["id"]),  # no rows: the name decides
    ],
)
def test_primary_keys(tmp_path, capsys, text, key):
    (tmp_path / "orders.csv").write_text(text)
    found = only(made(capsys, tmp_path / "orders.csv"))
    assert [name for name, item in found.items() if item.get("primary_key")] == key


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"", "'a.csv' is empty"),
        ("a.csv", b"a,b,c\n1,2,3\n1,2\n4,5,6,7\n", "line 4 has 4 values where the first has 3"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0", "it is no text file"),
        ("a.csv", "größe,b\n1,2\n1,2,3\n".encode("cp1252"), "'a.csv' cannot be read: line 3 has 3 values"),
        ("a.csv.gz", b"a,b\n1,2\n", "not packed with gzip"),
        ("a.parquet", b"a,b\n1,2\n", "no Parquet file, or a damaged one"),
        ("a.duckdb", b"\0" * 5000, "no DuckDB database, or a damaged one"),
        ("a.sqlite", b"SQLite format 3\0" + b"\xff" * 3000, "cannot be read as SQLite"),
        ("a.json", b'{"a": [1,2', "'a.json' cannot be read: Malformed JSON"),
        ("a.xlsx", b"PK\3\4", "save the sheet as CSV"),
    ],
)
def test_files_that_cannot_be_read_are_said_in_one_line(tmp_path, capsys, name, content, words):
    (tmp_path / name).write_bytes(content)
    assert main(["init", str(tmp_path / name), "--json"]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert str(tmp_path) not in said


def test_a_value_of_another_type_late_in_a_file_makes_a_text_column(tmp_path, capsys):
    file = tmp_path / "late.csv"
    file.write_text("id,v\n" + "".join(f"{n},{n}\n" for n in range(30_000)) + "x,abc\n")
    model = made(capsys, file)
    assert {d["type"] for d in only(model).values()} == {"string"}
    DuckDBEngine.open(None, data={"late": file}).close()


def test_lines_that_end_early_are_filled_up_and_told(tmp_path, capsys):
    file = tmp_path / "releases.csv"
    file.write_text(
        "version,name,day,end\n" + "".join(f"{n},R{n},2024-01-{n:02d}\n" for n in DAYS) + "99,Z,2024-02-01,x\n"
    )
    assert main(["init", str(file), "--json"]) == 0
    printed = capsys.readouterr()
    assert [d["name"] for d in json.loads(printed.out)["cubes"][0]["dimensions"]] == ["version", "name", "day", "end"]
    assert "line 2 has 3 values where the first has 4" in printed.err


def test_lines_above_a_table_are_left_out_and_told(tmp_path, capsys):
    file = tmp_path / "report.csv"
    file.write_text("Report of May\n\nid,amount\n" + "".join(f"{n},{n}.5\n" for n in DAYS))
    assert main(["init", str(file), "--json"]) == 0
    printed = capsys.readouterr()
    assert [d["name"] for d in json.loads(printed.out)["cubes"][0]["dimensions"]] == ["id", "amount"]
    assert "2 lines above the names of the columns left out" in printed.err


def test_names_of_tables_are_those_of_the_files_without_their_suffixes(tmp_path, capsys):
    with gzip.open(tmp_path / "web.events.csv.gz", "wt") as file:
        file.write("id,x\n1,2\n")
    model = made(capsys, tmp_path / "web.events.csv.gz")
    assert (model["cubes"][0]["name"], model["cubes"][0]["sql_table"]) == ("web_events", "web_events")


def test_a_folder_is_all_the_files_below_it(tmp_path, capsys):
    for place in ("2024", "ref/deep"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "2024/orders.csv").write_text("id,customer_id\n" + "".join(f"{n},{n % 9 + 1}\n" for n in DAYS))
    (tmp_path / "ref/deep/customers.csv").write_text("id,name\n" + "".join(f"{n},x\n" for n in DAYS))
    (tmp_path / "ref/readme.md").write_text("# no data")
    duckdb.execute(
        f"COPY (SELECT n AS id, n % 2 AS half FROM range(9) t(n)) TO '{tmp_path}/parts' (FORMAT parquet, PARTITION_BY half)"
    )
    model = made(capsys, tmp_path)
    assert {cube["name"] for cube in model["cubes"]} == {"orders", "customers", "parts"}
    assert [join["name"] for cube in model["cubes"] for join in cube.get("joins", ())] == ["customers"]
    with closing(SemanticLayer(load_model(model), DuckDBEngine.open(None, data=_opened(tmp_path)))) as layer:
        asked = "SELECT half, MEASURE(count) AS n FROM parts GROUP BY 1 ORDER BY 1"
        assert [row["n"] for row in layer.query(SecurityContext.operator(), asked).table.to_pylist()] == [5, 4]


def _opened(folder: Path) -> dict[str, Path]:
    return {
        "orders": folder / "2024/orders.csv",
        "customers": folder / "ref/deep/customers.csv",
        "parts": folder / "parts",
    }


def test_a_folder_without_data_is_said(tmp_path, capsys):
    assert main(["init", str(tmp_path)]) == 1
    assert "there are no CSV, Parquet, JSON, DuckDB or SQLite files in" in capsys.readouterr().err


def test_columns_without_a_dimension_are_said(tmp_path, capsys):
    duckdb.execute(f"COPY (SELECT 1 AS id, [1] AS tags, 2 AS \"{{x}}\") TO '{tmp_path}/t.parquet'")
    assert main(["init", str(tmp_path / "t.parquet"), "--json"]) == 0
    assert "t: no dimensions for tags (INTEGER[]), {x} (INTEGER)" in capsys.readouterr().err


def test_what_comes_next_can_be_pasted_into_a_shell(tmp_path, capsys):
    (tmp_path / "my data.csv").write_text("id,x\n1,2\n")
    assert main(["init", str(tmp_path / "my data.csv"), "--out", str(tmp_path / "a model")]) == 0
    shown = capsys.readouterr().out
    assert f"--data 'my data={tmp_path}/my data.csv'" in shown
    assert f"validate '{tmp_path}/a model'" in shown


def test_dates_declared_in_an_empty_sqlite_table(tmp_path, capsys):
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as lite, lite:
        lite.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, happened DATE, logged TIMESTAMP, amount REAL)")
    found = only(made(capsys, tmp_path / "a.sqlite"))
    assert [item["type"] for item in found.values()] == ["number", "time", "time", "number"]


def test_a_prefix_does_not_say_again_what_the_names_say(tmp_path, capsys):
    rows = "".join(f"{n},{n % 9 + 1},{(n + 3) % 9 + 1}\n" for n in DAYS)
    (tmp_path / "matches.csv").write_text("match_id,home_team_id,away_team_id\n" + rows)
    (tmp_path / "teams.csv").write_text("team_id,team_name\n" + "".join(f"{n},T{n}\n" for n in DAYS))
    (view,) = made(capsys, tmp_path / "matches.csv", tmp_path / "teams.csv")["views"]
    paths = {entry["join_path"]: entry for entry in view["cubes"]}
    assert (paths["matches.away_teams"]["alias"], paths["matches.away_teams"]["includes"]) == ("away", ["team_name"])


# --- running it again --------------------------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "orders.csv").write_text("id,customer_id,amount\n" + "".join(f"{n},{n % 9 + 1},2.5\n" for n in DAYS))
    (tmp_path / "customers.csv").write_text("id,name\n" + "".join(f"{n},x\n" for n in DAYS))
    return tmp_path


def init(shop: Path, *more: str) -> int:
    return main(["init", *(str(shop / name) for name in more if "-" not in name), "--out", str(shop / "model")])


def test_running_it_again_keeps_what_was_edited_and_adds_what_is_new(shop, capsys):
    assert init(shop, "orders.csv") == 0
    edited = shop / "model/cubes/orders.yml"
    edited.write_text(edited.read_text().replace("Number of orders", "Orders"))
    mine = edited.read_text()
    capsys.readouterr()
    assert init(shop, "orders.csv", "customers.csv") == 0
    shown = capsys.readouterr().out
    assert edited.read_text() == mine
    assert (shop / "model/cubes/customers.yml").exists()
    assert "orders: kept as it is in cubes/orders.yml" in shown
    assert check_model(shop / "model") == []


def test_a_cube_that_moved_to_another_file_is_known_there(shop, capsys):
    assert init(shop, "orders.csv") == 0
    (shop / "model/cubes/orders.yml").rename(shop / "model/sales.yaml")
    assert init(shop, "orders.csv") == 0
    assert not (shop / "model/cubes/orders.yml").exists()
    assert "orders: kept as it is in sales.yaml" in capsys.readouterr().out
    assert check_model(shop / "model") == []


def test_new_columns_are_told_not_written(shop, capsys):
    assert init(shop, "orders.csv") == 0
    (shop / "orders.csv").write_text("id,customer_id,amount,channel\n1,1,2.5,web\n2,1,2.5,shop\n")
    assert init(shop, "orders.csv") == 0
    assert "orders: kept as it is in cubes/orders.yml, which lacks channel\n" in capsys.readouterr().out
    assert "channel" not in (shop / "model/cubes/orders.yml").read_text()


def test_a_view_that_does_not_fit_what_was_kept_is_left_out(shop, capsys):
    assert init(shop, "customers.csv") == 0
    kept = shop / "model/cubes/customers.yml"
    kept.write_text(kept.read_text().replace("- name: name", "- name: full_name"))
    assert init(shop, "orders.csv", "customers.csv") == 0
    assert "orders_overview: left out, since it does not fit what was kept" in capsys.readouterr().out
    assert check_model(shop / "model") == []


def test_force_writes_anew_and_saves_the_old(shop, capsys):
    assert init(shop, "orders.csv") == 0
    file = shop / "model/cubes/orders.yml"
    file.write_text("# mine\n" + file.read_text())
    assert main(["init", str(shop / "orders.csv"), "--out", str(shop / "model"), "--force"]) == 0
    assert "cubes/orders.yml: written anew; the old one is orders.yml.bak" in capsys.readouterr().out
    assert file.with_name("orders.yml.bak").read_text().startswith("# mine\n")
    assert not file.read_text().startswith("# mine\n")
    assert check_model(shop / "model") == []


def test_a_folder_of_other_things_is_not_written_into(shop, capsys):
    shutil.copytree(shop, shop / "other")
    assert main(["init", str(shop / "orders.csv"), "--out", str(shop / "other")]) == 1
    assert "is not empty" in capsys.readouterr().err
