"""Rows beyond what one result holds are told of everywhere, and stream whole; results become what other tools read."""

from __future__ import annotations

import asyncio
import warnings
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import httpx
import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.client.errors import BadRequest
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.protocol.ndjson import LineDecoder
from svc_notebook.results.evidence import evidence
from svc_notebook.results.frames import TruncatedResult
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.results.streamed import StreamedResult

ROWS, LIMIT = 5_000, 1_000
SQL = "SELECT id, city FROM orders ORDER BY id"


@pytest.fixture(scope="module")
def client() -> Iterator[EmbeddedClient]:
    data = pa.table({"id": range(ROWS), "city": [f"=city {n % 7}" for n in range(ROWS)]})
    with svc.embedded({"orders": data}, config={"result_rows": LIMIT}) as client:
        yield client


def test_a_cut_result_says_so_wherever_it_is_looked_at(client: EmbeddedClient) -> None:
    result = client.query(SQL)
    assert (len(result), result.limited, result.truncated) == (LIMIT, True, True)
    with pytest.warns(TruncatedResult, match=r"only the first 1,000 rows are here.*stream_sql"):
        frame = result.to_frame()
    assert (frame.attrs["truncated"], frame.attrs["total_rows"]) == (True, None)
    assert "more than 1,000 rows" in repr(result)
    shown = evidence(result)
    assert shown["partial"] and shown["rows"] == "first 1,000 of more than 1,000 rows"
    assert any("first 1,000 rows: there are more" in note for note in shown["notes"])
    with pytest.warns(TruncatedResult):
        assert result.to_arrow().schema.metadata[b"truncated"] == b"yes"
    with pytest.warns(TruncatedResult):
        assert len(result.load_all()) == LIMIT


def test_json_lines_say_it_too(client: EmbeddedClient) -> None:
    key = client.service.config.tenants[0].api_keys[0].secret()
    headers = {"Authorization": f"Api-Key {key}", "Accept": "application/x-ndjson"}
    with httpx.Client(transport=client.transport, base_url=client.base_url, headers=headers) as http:
        lines = LineDecoder().decode(http.post("/svc-api/v1/sql", json={"query": SQL}).content)
        assert b'"truncated":true' in lines[0] and b'"rowLimit":1000' in lines[0] and b'"asOf":"' in lines[0]
        refused = http.post("/svc-api/v1/sql", json={"query": SQL, "stream": True})
        assert refused.status_code == 400 and "Arrow" in refused.json()["message"]


def test_exactly_the_limit_is_not_cut(client: EmbeddedClient) -> None:
    result = client.query(f"{SQL} LIMIT {LIMIT}")
    assert (result.truncated, result.total_rows, result.notes) == (False, LIMIT, [])


def test_a_stream_has_all_rows_in_order(client: EmbeddedClient) -> None:
    with client.stream_sql(SQL) as rows:
        found = pa.Table.from_batches(rows, schema=rows.schema)
    assert found["id"].to_pylist() == list(range(ROWS)) and rows.as_of
    with client.stream_sql(SQL) as rows:
        assert next(iter(rows)).num_rows  # and left in the middle
    with pytest.raises(BadRequest, match="nope"):
        client.stream_sql("SELECT nope FROM orders")


def test_a_stream_may_be_awaited(client: EmbeddedClient) -> None:
    key = client.service.config.tenants[0].api_keys[0].secret()
    other = svc.AsyncClient(client.base_url, key, transport=client.transport)

    async def count() -> int:
        async with other.stream_sql(SQL) as rows:
            return sum([batch.num_rows async for batch in rows])

    assert asyncio.run(count()) == ROWS


def test_whole_numbers_of_a_stream_have_one_type_whatever_each_batch_holds() -> None:
    wide = 2**70
    values = [1] * 70_000 + [wide]
    engine = DuckDBEngine.open(data={"t": pa.table({"n": range(len(values))})})
    sql = f"SELECT n, CASE WHEN n = 70000 THEN {wide}::HUGEINT ELSE 1::HUGEINT END AS w, n::HUGEINT AS small FROM t"
    streamed = StreamedResult(lambda path: engine.write(sql, {}, path), (), (), (), "")
    try:
        found = pa.Table.from_batches(streamed.batches(), schema=streamed.schema).sort_by("n")
        assert pa.types.is_int64(found["small"].type) and found["w"][70_000].as_py() == Decimal(wide)
    finally:
        streamed.close()
        engine.close()
    assert not Path(streamed._folder.name).exists()


def test_results_become_arrow_duckdb_and_a_workbook(client: EmbeddedClient, tmp_path: Path) -> None:
    result = client.query("SELECT id, city FROM orders ORDER BY id LIMIT 50")
    table = result.to_arrow()
    assert (
        table.num_rows == 50 and table.schema.metadata[b"truncated"] == b"no" and b"data as of" in table.schema.metadata
    )
    connection = duckdb.connect()
    result.to_duckdb(connection, "mine")
    assert connection.execute("SELECT COUNT(*), MAX(id) FROM mine").fetchall() == [(50, 49)]
    assert result.to_duckdb().count("*").fetchall() == [(50,)]
    path = result.to_excel(tmp_path / "orders.xlsx")
    with zipfile.ZipFile(path) as book:
        everything = b"".join(book.read(name) for name in book.namelist())
        assert b"<f>" not in everything  # a cell that begins with = is text
        assert b"=city 3" in everything
    again = svc.embedded(path)
    try:
        assert int(again.sql("SELECT COUNT(*) AS n FROM rows").n[0]) == 50
    finally:
        again.close()
    assert [one.name for one in tmp_path.glob("orders*")] == ["orders.xlsx"]
    with pytest.raises(ValueError, match=r"orders\.xlsx"):
        result.to_excel(tmp_path / "orders.csv")


def test_results_become_polars_frames(client: EmbeddedClient) -> None:
    polars = pytest.importorskip("polars")
    found = client.query("SELECT id FROM orders ORDER BY id LIMIT 3").to_polars()
    assert isinstance(found, polars.DataFrame) and found["id"].to_list() == [0, 1, 2]


def test_loading_tells_how_far_it_is(client: EmbeddedClient, capsys: pytest.CaptureFixture[str]) -> None:
    result = client.chat().ask("list the orders by id").result
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TruncatedResult)
        result.load_all(progress=True)
    assert "rows" in capsys.readouterr().err
