"""The Spark engine alone, and a service over it: what it may, how it ends, what it tells."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.cancellation import CancellationToken, Cancelled
from svc_notebook.semantic.dialects.nodes import statement
from svc_notebook.semantic.engine.base import TableName
from svc_notebook.semantic.errors import EngineFailure, NotComputed, NotPlanned, QueryTimeout, UnknownPlace

from .spark_server import missing, server, written
from .test_embedded import MODEL, ORDERS

pytestmark = pytest.mark.spark

_LONG = "SELECT count(*) AS n FROM range(100000000000) WHERE pmod(id * 31, 7) = 3"
_KINDS = pa.table(
    {
        "id": pa.array([1, 2], pa.int16()),
        "amount": pa.array([Decimal("12.50"), None], pa.decimal128(12, 2)),
        "short": pa.array([0.5, None], pa.float32()),
        "name": pa.array(["é", None]),
        "tags": pa.array([["a", "b"], None], pa.list_(pa.string())),
        "raw": pa.array([b"\x01\xff", None], pa.binary()),
        "at": pa.array([1704103200 * 10**6, None], pa.timestamp("us", "UTC")),
        "local": pa.array([1704103200 * 10**6, None], pa.timestamp("us")),
        "day": pa.array([19723, None], pa.date32()),
        "info": pa.array([{"a": 1}, None], pa.struct([("a", pa.int32())])),
    }
)


@pytest.fixture(scope="module")
def places(tmp_path_factory: Any) -> dict[str, str]:
    return written(tmp_path_factory.mktemp("lake"), {"kinds": _KINDS, "orders": ORDERS})


@pytest.fixture(scope="module")
def engine(spark: Any, places: dict[str, str]) -> Iterator[Any]:
    from svc_notebook.semantic.engine.spark import SparkEngine

    opened = SparkEngine.open(spark.url, files=places)
    yield opened
    opened.close()


def asked(engine: Any, sql: str, **params: Any) -> pa.Table:
    return engine.execute(engine.lowered(statement(sql), params), params)


def test_every_kind_of_column_arrives_as_what_it_is(engine: Any) -> None:
    table = asked(engine, "SELECT * FROM files.kinds ORDER BY id")
    first = {name: column[0] for name, column in table.to_pydict().items()}
    assert (first["id"], str(first["amount"]), first["short"], first["name"]) == (1, "12.50", 0.5, "é")
    assert (first["tags"], first["raw"], first["info"]) == ('["a", "b"]', "01ff", '{"a":1}')
    assert str(first["at"]) == str(first["local"]) == "2024-01-01 10:00:00"
    assert str(first["day"]) == "2024-01-01"
    assert all(column[1] is None for name, column in table.to_pydict().items() if name != "id")
    assert table.schema.field("amount").type == pa.decimal128(38, 2)
    assert engine.column_types(statement("SELECT id, amount, short, tags, at, local FROM files.kinds")) == [
        "INTEGER", "DECIMAL(12,2)", "DOUBLE", "VARCHAR[]", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP",
    ]  # fmt: skip


def test_values_are_bound_and_texts_stay_what_they_are(engine: Any) -> None:
    for text in ("it's", "\\", "${x}", '"', "`; DROP VIEW x", "é🎈", "a\nb"):
        assert asked(engine, "SELECT $p1 AS t", p1=text).to_pydict() == {"t": [text]}
        quoted = text.replace("'", "''")
        assert asked(engine, f"SELECT '{quoted}' AS t").to_pydict() == {"t": [text]}
    table = asked(engine, "SELECT id FROM files.kinds WHERE name = ANY($p1) AND id < $p2", p1=["é", "x"], p2=2**40)
    assert table.to_pydict() == {"id": [1]}


def test_places(engine: Any) -> None:
    catalog = engine.qualify(None, "orders").catalog
    assert engine.qualify("FILES", "Orders") == TableName(catalog, "files", "orders")
    assert sorted(engine.describe()) == ["kinds", "orders"]
    for schema, table, other in (("nowhere", "orders", None), (None, "orders", "elsewhere")):
        with pytest.raises(UnknownPlace):
            engine.qualify(schema, table, other)
    with pytest.raises(NotPlanned, match="secret"):
        asked(engine, "SELECT id FROM files.secret")


def test_what_is_read_is_seen_in_the_finished_text(engine: Any) -> None:
    orders = engine.qualify(None, "orders")
    text = engine.lowered(statement("SELECT id FROM files.orders WHERE id IN (SELECT id FROM files.kinds)"), {})
    assert engine.tables_read(text) == {orders, engine.qualify(None, "kinds")}
    view = text.partition("FROM `")[2].partition("`")[0]
    assert "orders" in view
    assert view != "orders"
    assert engine.tables_read(f"WITH `{view}` AS (SELECT 1 AS id) SELECT id FROM `{view}`") is None
    for other in ("SELECT 1 FROM orders", "SELECT * FROM range(3)", "DROP TABLE a.b.c", "nonsense ("):
        assert engine.tables_read(other) is None


def test_settings_are_pinned(engine: Any) -> None:
    for name, value in (("ansi.enabled", "true"), ("session.timeZone", "UTC"), ("caseSensitive", "true")):
        assert engine._session.rows(f"SET spark.sql.{name}")[0]["value"] == value


def test_a_stop_ends_the_work_on_the_server(engine: Any) -> None:
    token, ended = CancellationToken(), []

    def run() -> None:
        with pytest.raises(Cancelled):
            engine.execute(_LONG, {}, cancel=token)
        ended.append(time.monotonic())

    thread = threading.Thread(target=run)
    thread.start()
    until = time.monotonic() + 60
    while not engine._session._running and time.monotonic() < until:
        time.sleep(0.01)
    token.cancel("enough")
    thread.join(60)
    assert ended
    assert asked(engine, "SELECT 1 AS one").to_pydict() == {"one": [1]}  # the one core it had is free again


def test_what_takes_too_long_is_ended(engine: Any) -> None:
    with pytest.raises(QueryTimeout, match=r"0\.5 seconds"):
        engine.execute(_LONG, {}, timeout=0.5)


def test_errors_tell_nothing_of_the_rows(engine: Any, capfd: Any) -> None:
    with pytest.raises(NotComputed) as failed:
        engine.execute("SELECT CAST(country AS INT) AS n FROM " + engine._session.views["orders"], {})
    assert "France" not in failed.value.message
    with pytest.raises(NotPlanned):
        engine.execute("SELECT nothing FROM " + engine._session.views["orders"], {})
    assert "France" not in "".join(capfd.readouterr())


def test_rows_are_written_as_they_come(engine: Any, tmp_path: Path) -> None:
    rows_asked = statement("SELECT id, country FROM files.orders ORDER BY id")
    engine.write(engine.lowered(rows_asked, {}), {}, tmp_path / "rows.arrow")
    with pa.memory_map(str(tmp_path / "rows.arrow")) as file:
        assert pa.ipc.open_file(file).read_all().column(0).to_pylist() == [1, 2, 3, 4]
    none_asked = statement("SELECT id FROM files.orders WHERE id > 9")
    engine.write(engine.lowered(none_asked, {}), {}, tmp_path / "none.arrow")
    with pa.memory_map(str(tmp_path / "none.arrow")) as file:
        assert pa.ipc.open_file(file).read_all().num_rows == 0


def test_a_session_that_the_server_forgot_is_made_anew(engine: Any) -> None:
    engine._session._spark.client.release_session()
    assert asked(engine, "SELECT count(*) AS n FROM files.orders").to_pydict() == {"n": [4]}


def test_questions_are_answered_in_the_same_words(spark: Any, places: dict[str, str], tmp_path: Path) -> None:
    ana = {"external_id": "ana", "user_attributes": {"country": ["France"]}}
    folders = {"orders": places["orders"]}
    with (
        svc.embedded(MODEL, database=spark.url, data=folders) as there,
        svc.embedded(MODEL, data={"orders": ORDERS}) as here,
    ):
        for who in ({}, ana):
            for question in ("revenue by country", "orders per month", "revenue in France"):
                one, other = here.chat(**who).ask(question), there.chat(**who).ask(question)
                assert (other.status, other.text) == ("complete", one.text)
                assert other.df.equals(one.df)
        with there.stream_sql("SELECT id FROM orders ORDER BY 1", **ana) as rows:
            assert pa.Table.from_batches(rows).column(0).to_pylist() == [1, 3]
        assert there.service.freshness.as_of == ""


def test_a_server_that_goes_away_is_told_in_a_sentence(places: dict[str, str]) -> None:
    from svc_notebook.semantic.engine.spark import SparkEngine

    if reason := missing():
        pytest.skip(reason)
    with server() as going:
        engine = SparkEngine.open(going.url, files=places)
        assert going.process is not None
        going.process.kill()
        going.process.wait()
        with pytest.raises(EngineFailure, match="does not answer"):
            engine.execute("SELECT 1 AS one", {})
        engine.close()
