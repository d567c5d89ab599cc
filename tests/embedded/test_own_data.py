"""One's own data, whatever they are in: each works, or a sentence says what to write."""

from __future__ import annotations

import io
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import svc_notebook as svc
from svc_notebook.client.errors import ConfigurationError

SALES = pd.DataFrame({"country": ["France", "Spain", "Spain"], "amount": [1.5, 2.0, 3.0]})
ROWS = [{"country": "France", "amount": 1.5}, {"country": "Spain"}, {"country": "Spain", "amount": 5}]


class ArrowOnly:
    """What a data frame of any library is to us: something that streams Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pa.table(SALES).__arrow_c_stream__(requested_schema)


def rows_of(data: Any, **more: Any) -> dict[str, int]:
    """The tables that something stands for, each with its number of rows; ``more`` in place of it."""
    with svc.embedded(data, **more) as client:
        names = [cube.name for cube in client.meta().cubes]
        return {name: int(client.sql(f'SELECT COUNT(*) FROM "{name}"').iloc[0, 0]) for name in names}


_SHEETS: dict[str, list[list[Any]]] = {
    "orders": [["Orders of 2024"], ["country", "amount"], ["France", 1.5], ["Spain", 5], ["Total", 6.5]],
    "people": [["name", "age"], ["Ana", 31], ["Ben", 27], ["Cleo", 45]],
    "notes": [[]],
}


def workbook(path: Path, sheets: dict[str, list[list[Any]]] = _SHEETS) -> Path:
    """Two sheets with a title above, a total below, and one that is empty; written by hand, as few bytes as do."""
    import zipfile

    def sheet(rows: list[list[Any]]) -> str:
        cells = "".join(f"<row>{''.join(_cell(value) for value in row)}</row>" for row in rows)
        return f'<worksheet xmlns="{_MAIN}"><sheetData>{cells}</sheetData></worksheet>'

    relations = "".join(
        f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="worksheets/s{n}.xml"/>' for n in range(len(sheets))
    )
    listed = "".join(f'<sheet name="{name}" sheetId="{n + 1}" r:id="r{n}"/>' for n, name in enumerate(sheets))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{_PACKAGE}/content-types"/>')
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="w" '
            f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships">{relations}</Relationships>',
        )
        for number, rows in enumerate(sheets.values()):
            archive.writestr(f"xl/worksheets/s{number}.xml", sheet(rows))
    return path


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def shop(connection: Any) -> Any:
    """A customer, two orders, their keys declared."""
    connection.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR(20))")
    connection.execute("CREATE TABLE orders (nr INTEGER PRIMARY KEY, buyer INTEGER REFERENCES people (id), cost REAL)")
    connection.execute("INSERT INTO people VALUES (1, 'Ana')")
    connection.execute("INSERT INTO orders VALUES (1, 1, 2.5), (2, 1, 7.5)")
    return connection


def folder(path: Path) -> Path:
    SALES.to_csv(path / "sales.csv", index=False)
    (path / "deep").mkdir()
    SALES.head(2).to_parquet(path / "deep" / "trips.parquet")
    return path


def sqlite_file(path: Path) -> Path:
    with closing(sqlite3.connect(path / "shop.sqlite")) as connection, connection:
        shop(connection)
    return path / "shop.sqlite"


def duckdb_file(path: Path) -> Path:
    with duckdb.connect(path / "shop.duckdb") as connection:
        shop(connection)
    return path / "shop.duckdb"


READ: dict[str, tuple[Callable[[Path], Any], dict[str, int]]] = {
    "a data frame": (lambda _: SALES, {"data": 3}),
    "an Arrow table": (lambda _: pa.table(SALES), {"data": 3}),
    "a record batch": (lambda _: pa.table(SALES).to_batches()[0], {"data": 3}),
    "an Arrow dataset": (lambda _: ds.dataset(pa.table(SALES)), {"data": 3}),
    "anything that streams Arrow": (lambda _: ArrowOnly(), {"data": 3}),
    "a relation of DuckDB": (lambda _: duckdb.sql("SELECT 1 AS a, 2 AS b"), {"data": 1}),
    "a series": (lambda _: SALES["amount"], {"data": 3}),
    "a group's index": (lambda _: SALES.groupby("country").sum(), {"data": 2}),
    "rows": (lambda _: ROWS, {"data": 3}),
    "rows as they come": (lambda _: (row for row in ROWS), {"data": 3}),
    "columns": (lambda _: {"country": ["France", "Spain"], "amount": [1, 2]}, {"data": 2}),
    "columns of arrays": (lambda _: {"a": np.arange(4), "b": pd.Series(list("wxyz"))}, {"data": 4}),
    "a structured array": (lambda _: np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]), {"data": 1}),
    "tables by name": (lambda _: {"sales": SALES, "rows": ROWS, "more": {"a": [1]}}, {"sales": 3, "rows": 3, "more": 1}),
    "several tables": (lambda _: [SALES, SALES.copy()], {"data_1": 3, "data_2": 3}),
    "a folder": (folder, {"sales": 3, "trips": 2}),
    "a folder's path as text": (lambda path: str(folder(path)), {"sales": 3, "trips": 2}),
    "a CSV file": (lambda path: folder(path) / "sales.csv", {"sales": 3}),
    "several files": (lambda path: [folder(path) / "sales.csv", path / "deep/trips.parquet"], {"sales": 3, "trips": 2}),
    "a file by name": (lambda path: {"orders": folder(path) / "sales.csv"}, {"orders": 3}),
    "a workbook": (lambda path: workbook(path / "book.xlsx"), {"orders": 2, "people": 3}),
    "a workbook in a folder": (lambda path: workbook(path / "book.xlsx").parent, {"orders": 2, "people": 3}),
    "an SQLite file": (sqlite_file, {"people": 1, "orders": 2}),
    "a DuckDB file": (duckdb_file, {"people": 1, "orders": 2}),
    "a DuckDB connection": (lambda _: shop(duckdb.connect()), {"people": 1, "orders": 2}),
    "an SQLite connection": (lambda _: shop(sqlite3.connect(":memory:", check_same_thread=False)), {"people": 1, "orders": 2}),
    "an empty frame": (lambda _: SALES.head(0), {"data": 0}),
}  # fmt: skip


@pytest.mark.parametrize("kind", READ)
def test_it_is_read(kind: str, tmp_path: Path) -> None:
    made, expected = READ[kind]
    found = rows_of(made(tmp_path))
    assert {name: count for name, count in found.items() if not name.endswith("_overview")} == expected


def nowhere(path: Path) -> Path:
    (path / "notes.docx").write_bytes(b"PK")
    return path


REFUSED: dict[str, tuple[Callable[[Path], Any], str]] = {
    "nothing": (lambda _: {}, r"give svc.embedded\(df\)"),
    "an array": (lambda _: np.zeros((2, 2)), r"pandas.DataFrame\(array, columns="),
    "an open file": (lambda _: io.StringIO("a\n1"), r"pandas.read_csv\(file\)"),
    "a number": (lambda _: 3, "expected a data frame"),
    "bytes": (lambda _: b"a,b", "expected a data frame"),
    "a list of numbers": (lambda _: [1, 2], "a list of int; give a list of dicts"),
    "an empty list": (lambda _: [], "an empty list; give a list of dicts"),
    "one row as a mapping": (lambda _: {"a": 1}, r"'a' is int, not a list of values; give \{'a': \[\.\.\.\]\}"),
    "columns of two lengths": (lambda _: {"a": [1], "b": [1, 2]}, r"different lengths \(a 1, b 2\)"),
    "a frame without columns": (lambda _: pd.DataFrame(), "no columns"),
    "a web address": (lambda _: "https://host/sales.csv", "svc.embedded.pandas.read_csv"),
    "another database": (lambda _: "mysql://root:secret@host/shop", "postgresql:// is read"),
    "no such file": (lambda _: "sales.csv", "there is no file 'sales.csv'"),
    "a folder of other things": (nowhere, "nothing to read in the folder"),
    "a document": (lambda path: nowhere(path) / "notes.docx", "cannot read 'notes.docx': give CSV"),
    "no workbook": (lambda path: _written(path / "a.xlsx"), "'a.xlsx' cannot be read"),
    "an empty connection": (lambda _: duckdb.connect(), "has no tables"),
    "a server that is not there": (lambda _: "postgresql://ana:secret@127.0.0.1:9/shop", "127.0.0.1:9/shop: conn"),
}


def _written(path: Path) -> Path:
    path.write_bytes(b"no workbook")
    return path


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_read_is_told_in_one_sentence(kind: str, tmp_path: Path) -> None:
    made, message = REFUSED[kind]
    with pytest.raises((ValueError, ConfigurationError), match=message) as caught:
        svc.embedded(made(tmp_path))
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_table_is_called_what_the_variable_is_called() -> None:
    orders = SALES.copy()
    with svc.embedded(orders) as client:
        assert client.chat().ask("how many orders are there").df.iloc[0, 0] == 3  # type: ignore[union-attr]
    df = SALES.copy()
    with svc.embedded(data=df) as client:
        assert client.sql("SELECT COUNT(*) FROM data").iloc[0, 0] == 3


def test_what_was_changed_while_reading_is_told(tmp_path: Path) -> None:
    mixed = pd.DataFrame([[1, 2, 3], ["x", None, 4]], columns=["a", "A", "c"])
    with svc.embedded(mixed) as client:
        assert sorted(client.notes.remarks) == [
            "mixed has two columns named 'A'; the later one is 'A_2'",
            "mixed.a holds values of several kinds (int, str) and is read as text",
        ]
    with svc.embedded(workbook(tmp_path / "book.xlsx")) as client:
        assert client.notes.remarks == [
            "book.xlsx, sheet 'orders': one line above the names of the columns is left out",
            "book.xlsx, sheet 'orders': one line below the rows (a total, or a note) is left out",
        ]
        assert "below the rows" in str(client.notes)


@pytest.mark.parametrize("opened", [sqlite_file, duckdb_file, lambda _: shop(duckdb.connect())])
def test_declared_keys_become_joins(opened: Callable[[Path], Any], tmp_path: Path) -> None:
    with svc.embedded(opened(tmp_path)) as client:
        found = client.sql("SELECT p.name, SUM(o.cost) FROM orders o JOIN people p ON o.buyer = p.id GROUP BY 1")
        assert found.values.tolist() == [["Ana", 10.0]]
        assert client.service.layer.model.cubes["orders"].joins


def test_a_model_is_still_a_model(tmp_path: Path) -> None:
    SALES.to_csv(tmp_path / "sales.csv", index=False)
    model = {"cubes": [{"name": "s", "sql_table": "sales", "measures": [{"name": "count", "type": "count"}]}]}
    for data in ({"sales": SALES}, tmp_path / "sales.csv", str(tmp_path)):
        with svc.embedded(model, data=data) as client:
            assert client.sql("SELECT MEASURE(count) FROM s").iloc[0, 0] == 3


def test_a_workbook_without_its_reader_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(ValueError, match=r'pip install "svc-notebook\[excel\]"'):
        svc.embedded(workbook(tmp_path / "book.xlsx"))


def test_polars_frames_lazy_ones_too() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"country": ["France", "Spain"], "amount": [1.5, 2.0]})
    assert rows_of(frame) == rows_of(frame.lazy()) == rows_of({"data": frame}) == {"data": 2}


@pytest.mark.postgres
def test_postgres_by_its_url(postgres: Any) -> None:
    import psycopg

    url = postgres.database().replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        shop(connection)
        connection.execute("CREATE TABLE kinds (d DATE, n NUMERIC(10, 2), b BOOLEAN, t TIMESTAMPTZ, j JSONB, u UUID)")
        connection.execute(
            "INSERT INTO kinds VALUES ('2024-02-01', 12.5, true, '2024-02-01T12:00Z', '{\"a\": 1}', gen_random_uuid())"
        )
    for given in ({"model": url}, {"database": url}, {"data": url}):
        with svc.embedded(**given) as client:
            found = client.sql("SELECT p.name, SUM(o.cost) FROM orders o JOIN people p ON o.buyer = p.id GROUP BY 1")
            assert found.values.tolist() == [["Ana", 10.0]]
            kinds = client.sql("SELECT d, n, b, j FROM kinds").iloc[0]
            assert (str(kinds["d"])[:10], float(kinds["n"]), bool(kinds["b"])) == ("2024-02-01", 12.5, True)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["12. März 2024", "3. Mai 2024", "1. Dez. 2024"], ["2024-03-12", "2024-05-03", "2024-12-01"]),
        (["12 mars 2024", "1er juin 2024", "3 août 2024"], ["2024-03-12", "2024-06-01", "2024-08-03"]),
        (["12 de marzo de 2024", "3 de mayo de 2024"], ["2024-03-12", "2024-05-03"]),
        (["12 March 2024", "3 May 2024"], ["2024-03-12", "2024-05-03"]),
        (["(1,234.50)", "2,000.00", "-10.00"], [-1234.5, 2000.0, -10.0]),
        (["($1,234.50)", "$2,000.00", "-$10.00"], [-1234.5, 2000.0, -10.0]),
        (["1.234,50-", "2.000,00", "10,00"], [-1234.5, 2000.0, 10.0]),
        (["(12)", "7", "0"], [-12.0, 7.0, 0.0]),
        (["12 März", "Mai 2024", "x"], ["12 März", "Mai 2024", "x"]),
        (["(a)", "(b)", "12-"], ["(a)", "(b)", "12-"]),
    ],
)
def test_months_in_words_and_negative_amounts_as_people_write_them(written: list[str], read: list[Any]) -> None:
    frame = pd.DataFrame({"entry": written})
    with svc.embedded({"ledger": frame}) as client:
        found = client.sql("SELECT entry FROM ledger")["entry"].tolist()
    assert [str(value.date()) if isinstance(value, pd.Timestamp) else value for value in found] == read


def test_a_date_with_the_year_first_leaves_no_doubt(tmp_path: Path) -> None:
    file = tmp_path / "ledger.csv"
    file.write_text("day,amount\n2024-03-12,1\n2024-05-03,2\n")
    with svc.embedded(file) as client:
        assert "other order" not in str(client.notes)
    file.write_text("day,amount\n03/12/2024,1\n05/03/2024,2\n")
    with svc.embedded(file) as client:
        assert "other order" in str(client.notes)
