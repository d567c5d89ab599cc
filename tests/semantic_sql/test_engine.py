"""The engine: locked, typed, interruptible."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from decimal import Decimal
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from svc_notebook.cancellation import CancellationToken, Cancelled
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine, EngineLimits
from svc_notebook.semantic.engine.leases import Lease
from svc_notebook.semantic.engine.references import SERIALISE, read_sources, shape_of
from svc_notebook.semantic.errors import EngineFailure, NotComputed, OutOfMemory, QueryTimeout
from svc_notebook.semantic.layer import Limits, SemanticLayer
from svc_notebook.semantic.loader import load_model

ENDLESS = "SELECT COUNT(*) FROM range(100000000000) t(i) WHERE hash(i) % 7 = 3"


@pytest.fixture
def engine() -> DuckDBEngine:
    return DuckDBEngine.open(None, data={"t": pa.table({"a": [1, 2]})})


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/passwd')", "COPY t TO '/tmp/x.csv'", "ATTACH '/tmp/x.duckdb' AS x", "INSTALL httpfs", "LOAD httpfs",
        "SET threads = 1", "SET lock_configuration = false", "SET enable_external_access = true", "RESET memory_limit", "SELECT * FROM engine",
    ],
)  # fmt: skip
def test_what_the_engine_refuses_by_itself(engine: DuckDBEngine, sql: str) -> None:
    with pytest.raises(EngineFailure) as refused:
        engine.execute(sql, {})
    assert "/" not in str(refused.value)


RESTING = """
from pathlib import Path
import pyarrow as pa
from svc_notebook.semantic.engine import DuckDBEngine, EngineLimits

def threads():
    return len(list(Path("/proc/self/task").iterdir()))

before, limits = threads(), EngineLimits(threads=2)
engines = [DuckDBEngine.open(None, data={"t": pa.table({"a": [1, 2]})}, limits=limits) for _ in range(5)]
for engine in engines:
    engine.execute("SELECT sum(a) AS a FROM t", {})
print(threads() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads of a process are listed by Linux")
def test_engines_that_rest_keep_no_threads_but_their_workers() -> None:
    """A process may hold a hundred services: eight threads more for each would come to what a machine allows."""
    done = subprocess.run([sys.executable, "-c", RESTING], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 10  # a worker beside the asking thread for each of five, and what Arrow starts


def test_a_database_file_is_read_only(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE SCHEMA raw; CREATE TABLE raw.t AS SELECT 1 AS a; CREATE TABLE t AS SELECT 2 AS a")
    engine = DuckDBEngine.open(path)
    assert engine.describe() == {"t": {"a": "INTEGER"}, "raw.t": {"a": "INTEGER"}}
    assert engine.qualify("raw", "T") == ("data", "raw", "T")
    assert engine.qualify(None, "t") == ("data", "main", "t")
    with pytest.raises(EngineFailure):
        engine.execute("INSERT INTO data.raw.t VALUES (2)", {})
    with pytest.raises(ValueError, match="there is no database file"):
        DuckDBEngine.open(tmp_path / "absent.duckdb")
    assert not (tmp_path / "absent.duckdb").exists()


def test_results_have_seven_types(engine: DuckDBEngine) -> None:
    table = engine.execute(
        "SELECT 1::TINYINT a, 2::HUGEINT b, 99999999999999999999::HUGEINT c, 1.5::FLOAT d, 1.50::DECIMAL(5,2) e, 'x'::ENUM('x') f, "
        "TIMESTAMPTZ '2024-01-01 00:00:00+02' g, DATE '2024-01-01' h, [1] i, NULL j, TRUE k, 'infinity'::TIMESTAMP l, 5::UBIGINT m, "
        "INTERVAL 1 DAY n",
        {},
    )
    assert [str(f.type) for f in table.schema] == [
        "int64", "int64", "decimal128(38, 0)", "double", "decimal128(5, 2)", "string", "timestamp[us]", "date32[day]", "string",
        "string", "bool", "timestamp[us]", "int64", "string",
    ]  # fmt: skip
    row = table.to_pylist()[0]
    assert row["c"] == Decimal("99999999999999999999")
    assert str(row["g"]) == "2023-12-31 22:00:00"
    assert row["l"] is None


def test_a_stop_ends_the_query_and_the_engine_goes_on(engine: DuckDBEngine) -> None:
    token = CancellationToken()
    threading.Timer(0.2, token.cancel, ["enough"]).start()
    with pytest.raises(Cancelled, match="enough"):
        engine.execute(ENDLESS, {}, cancel=token)
    with pytest.raises(Cancelled):
        engine.execute("SELECT 1", {}, cancel=token)
    assert engine.execute("SELECT 1 AS a", {}).to_pylist() == [{"a": 1}]


def test_the_time_limit_holds(engine: DuckDBEngine) -> None:
    began = time.monotonic()
    with pytest.raises(QueryTimeout, match=r"longer than 0\.3 seconds"):
        engine.execute(ENDLESS, {}, timeout=0.3)
    assert time.monotonic() - began < 20


def test_the_memory_limit_holds() -> None:
    engine = DuckDBEngine.open(None, limits=EngineLimits(memory="50MB", temp="1MB"))
    with pytest.raises(OutOfMemory):
        engine.execute("SELECT LENGTH(STRING_AGG(i::VARCHAR || repeat('x', 100), '')) FROM range(3000000) t(i)", {})
    engine.close()


def test_what_does_not_fit_is_spilled_into_the_folder_that_is_named(tmp_path: Path) -> None:
    wide = "SELECT md5(i::VARCHAR) || repeat('x', 230) AS t FROM range(800000) r(i)"
    sorted_ = (
        f"SELECT SUM(r) AS n FROM (SELECT t, row_number() OVER (ORDER BY t) AS r FROM ({wide}) AS a) AS s WHERE t > ''"
    )
    engine = DuckDBEngine.open(None, limits=EngineLimits(memory="120MB", temp="2GB", spill=tmp_path, threads=2))
    found: list[object] = []
    asking = threading.Thread(target=lambda: found.append(engine.execute(sorted_, {}).column(0)[0].as_py()))
    asking.start()
    spilled = False
    while asking.is_alive():
        spilled = spilled or any(tmp_path.glob("*storage*"))
        asking.join(0.001)
    engine.close()
    assert found == [800_000 * 800_001 // 2] and spilled
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="make it first"):
        DuckDBEngine.open(None, limits=EngineLimits(spill=tmp_path / "none"))


def test_rows_are_capped(engine: DuckDBEngine) -> None:
    assert engine.execute("SELECT * FROM range(100000)", {}, max_rows=7).num_rows == 7


def test_files_and_frames_are_loaded_before_the_lock(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,a\n")
    (tmp_path / "b.json").write_text('[{"x": 2}]')
    engine = DuckDBEngine.open(None, data={"a": tmp_path / "a.csv", "s.b": str(tmp_path / "b.json"), "c": {"x": [3]}})
    assert engine.execute("SELECT a.x, b.x AS bx, c.x AS cx FROM a, s.b, c", {}).to_pylist() == [
        {"x": 1, "bx": 2, "cx": 3}
    ]
    for wrong in (tmp_path / "a.xyz", tmp_path / "none.csv", 5):
        with pytest.raises(ValueError, match="data 'w'"):
            DuckDBEngine.open(None, data={"w": wrong})


def test_queries_run_side_by_side(engine: DuckDBEngine) -> None:
    found: list[int] = []

    def ask(number: int) -> None:
        found.append(engine.execute("SELECT $n AS n", {"n": number}).column(0)[0].as_py())

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(30))


def test_an_engine_is_not_pickled(engine: DuckDBEngine) -> None:
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(engine)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; SELECT 2", "SELECT * FROM read_text('x')", "SELECT * FROM s.range(3), query('SELECT 1')", "SELECT * FROM (SHOW ALL TABLES)", "INSERT INTO t VALUES (1)", "SELECT (",
        "SELECT * FROM a.b.c TABLESAMPLE 10%", "PIVOT t ON a USING SUM(a)", "SELECT * FROM a.b.c AT (VERSION => 1)",
    ],
)  # fmt: skip
def test_the_second_reading_of_compiled_sql_knows_only_tables(engine: DuckDBEngine, sql: str) -> None:
    assert engine.tables_read(sql) is None


def test_series_and_lists_are_no_tables(engine: DuckDBEngine) -> None:
    sql = "SELECT * FROM generate_series(1, 3) AS g(n), range(2), unnest([1, 2]) AS u(x)"
    assert engine.tables_read(sql) == frozenset()


def test_the_second_reading_finds_every_table(engine: DuckDBEngine) -> None:
    sql = 'WITH x AS (SELECT * FROM "a"."b"."c") SELECT (SELECT 1 FROM y), \'},{"node":\' FROM x JOIN d.e ON EXISTS (FROM z) UNION SELECT 1 FROM x'
    found = engine.tables_read(sql)
    assert found is not None
    assert {tuple(name) for name in found} == {("a", "b", "c"), ("", "", "y"), ("", "d", "e"), ("", "", "z")}


@pytest.mark.parametrize(
    ("sql", "shape", "names"),
    [
        ('SELECT 17 FROM "t1" WHERE a IN (1, 23) LIMIT 4', 'SELECT 0 FROM "#0" WHERE a IN (0, 0) LIMIT 0', ("t1",)),
        ("SELECT '5', \"a\"\"7\" FROM t2 WHERE b = $p1 AND c$3 > 1.5", "SELECT '5', \"#0\" FROM t2 WHERE b = $p1 AND c$3 > 1.5", ('a"7',)),
        ('SELECT "a", "b" FROM "a"', 'SELECT "#0", "#1" FROM "#0"', ("a", "b")),
        ('SELECT "b".a, "b".now(), b.c, .5 FROM "a"', 'SELECT "#0"."#1", "#0".now(), b.c, .5 FROM "#1"', ("b", "a")),
        ('SELECT "" , \'"\', "b"', 'SELECT "" , \'"\', "#0"', ("b",)),
        ('SELECT 1 FROM "a", "A"', 'SELECT 1 FROM "a", "A"', ()),
        ("SELECT 1, \"b\" FROM '#0'", "SELECT 1, \"b\" FROM '#0'", ()),
        ('SELECT 1 FROM U&"!0061" UESCAPE \'!\'', 'SELECT 1 FROM U&"!0061" UESCAPE \'!\'', ()),
        ("SELECT 1 -- of \" 2", "SELECT 1 -- of \" 2", ()),
        ("SELECT e'\\' 1', 2", "SELECT e'\\' 1', 2", ()),
        ("SELECT $$ ' $$ || 1", "SELECT $$ ' $$ || 1", ()),
        ("SELECT 1 FROM é1", "SELECT 1 FROM é1", ()),
    ],
)  # fmt: skip
def test_statements_that_differ_in_numbers_and_names_alone_have_one_shape(
    sql: str, shape: str, names: tuple[str, ...]
) -> None:
    found = shape_of(sql)
    assert (found.text, found.names) == (shape, names)


def test_what_is_parsed_for_a_shape_has_its_names_and_the_own_numbers() -> None:
    assert shape_of('SELECT "b".a, 17 FROM "a" LIMIT 4').named == 'SELECT "#0"."#1", 17 FROM "#1" LIMIT 4'
    assert shape_of("SELECT 17").named == "SELECT 17"
    assert shape_of('SELECT 1 FROM "a", "A"').named == 'SELECT 1 FROM "a", "A"'


@pytest.mark.parametrize(
    "form",
    [
        'WITH "{0}" AS (SELECT * FROM "{1}"."{2}") SELECT (SELECT 1 FROM "{3}") FROM "{0}" JOIN {0} ON "{2}" = 3',
        'SELECT "{0}" FROM "{1}"."{0}"."{2}" AS "{3}", \'{0}\' WHERE "{3}"."{0}" IN (SELECT "{2}" FROM "{0}")',
        'WITH {0} AS (SELECT 1) SELECT 2 FROM "{0}" JOIN s."{0}" ON TRUE JOIN "{1}"."{2}" ON "{3}" LIMIT 7',
        'SELECT "{0}".t, "{2}".main FROM "{1}".t.main JOIN "{3}".{4} ON "{0}".{4}(2)', 'SELECT * FROM "{0}".range(3), "{2}".{4}',
        'SELECT "{0}"("{1}") FROM "{0}"(3) AS "{2}", "{3}"."{2}"', 'SELECT CAST(1 AS "{0}") FROM "{1}"."{2}" TABLESAMPLE 3%',
    ],
)  # fmt: skip
def test_what_is_remembered_of_other_names_is_what_a_statement_reads_itself(form: str, engine: DuckDBEngine) -> None:
    names = ["range", "t", 'a""b', "T t", "select", "read_text", "main", "integer", "0", "x'", "unnest"]
    with duckdb.connect() as parser:
        for number, chosen in enumerate(islice(permutations(names, 4), 0, None, 97)):
            sql = form.format(*chosen, ["t", "main", "T", "order"][number % 4]).replace("7", str(number))
            (document,) = parser.execute(SERIALISE, [sql]).fetchone() or ("",)
            alone = read_sources(document)
            assert engine.tables_read(sql) == (None if alone is None else alone.tables), sql


def test_what_a_shape_reads_is_remembered_and_what_is_refused_is_not(engine: DuckDBEngine) -> None:
    def read(sql: str) -> set[str] | None:
        found = engine.tables_read(sql)
        return None if found is None else {name.table for name in found}

    assert read("SELECT CAST(1 AS DECIMAL(99, 2)) FROM t1 LIMIT 5 +") is None
    for number in (1, 2):
        assert read(f"SELECT {number} FROM t1") == {"t1"}
        assert read(f"SELECT {number} FROM t2") == {"t2"}
        assert read(f"SELECT {number} FROM a.b.c TABLESAMPLE {number}%") is None
        assert read(f"SELECT {number}; SELECT {number}") is None


@pytest.mark.parametrize(
    "work",
    [lambda engine: engine.execute("SELECT 1 AS a", {}), lambda engine: engine.tables_read("SELECT a FROM t")],
    ids=["run", "read"],
)
def test_closing_while_queries_begin_ends_them_in_words(work: Callable[[DuckDBEngine], object]) -> None:
    """DuckDB refuses a connection that another thread is just using; closing must wait, and what comes later is told."""
    ends: list[Exception] = []

    def ask_on(engine: DuckDBEngine, begun: threading.Barrier) -> None:
        begun.wait()
        try:
            while True:
                work(engine)
        except Exception as error:  # noqa: BLE001  whatever it is, it is looked at below
            ends.append(error)

    for _ in range(5):
        engine = DuckDBEngine.open(None, data={"t": pa.table({"a": [1, 2]})})
        begun = threading.Barrier(5)
        askers = [threading.Thread(target=ask_on, args=(engine, begun)) for _ in range(4)]
        for asker in askers:
            asker.start()
        begun.wait()
        engine.execute("SELECT 2 AS a", {})
        engine.close()
        for asker in askers:
            asker.join()
    assert {type(error) for error in ends} == {EngineFailure}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT max(a * 9000000000000000000 * 9000000000000000000) FROM t", "SELECT CAST('x' || a AS INTEGER) FROM t",
        "SELECT DATE '2024-01-01' + a * INTERVAL '3000000 days' * 100000 FROM t", "SELECT a, (SELECT a FROM t) FROM t",
    ],
)  # fmt: skip
def test_what_the_askers_own_values_make_fail_is_told_in_words_of_its_own(engine: DuckDBEngine, sql: str) -> None:
    with pytest.raises(NotComputed, match="cannot be computed with the values it finds") as told:
        engine.execute(sql, {})
    assert not isinstance(told.value, EngineFailure)  # which would be a failure of the service


def test_the_engines_time_limit_holds_above_that_of_the_layer() -> None:
    engine = DuckDBEngine.open(None, data={"t": {"a": [1]}}, limits=EngineLimits(timeout=90.0))
    model = load_model({"cubes": [{"name": "t", "sql_table": "t", "measures": [{"name": "n", "type": "count"}]}]})
    asked: list[float | None] = []

    class Watched:
        def __getattr__(self, name: str) -> Any:
            return getattr(engine, name)

        def execute(self, sql: str, params: Any, *, timeout: float | None = None, **more: Any) -> Any:
            asked.append(timeout)
            return engine.execute(sql, params, timeout=timeout, **more)

    SemanticLayer(model, Watched()).query(SecurityContext.operator(), "SELECT MEASURE(n) FROM t")
    SemanticLayer(model, Watched(), Limits(timeout=3.0)).query(SecurityContext.operator(), "SELECT MEASURE(n) FROM t")
    assert asked == [None, 3.0]  # None: the engine's own
    setting = engine.execute("SELECT current_setting('max_execution_time') AS limit_ms", {}).column(0).to_pylist()
    assert [int(str(value)) for value in setting] == [90_000]
    engine.close()


def test_a_cursor_is_lent_again_and_never_after_an_interrupt() -> None:
    interrupted: list[str] = []

    class Cursor:
        def interrupt(self) -> None:
            interrupted.append("once")

    cursor: Any = Cursor()
    whole, stopped, failed = Lease(cursor), Lease(cursor), Lease(cursor)
    stopped.interrupt()
    failed.spoil()
    assert [whole.end(), stopped.end(), failed.end()] == [True, False, False]
    whole.interrupt()  # late: the cursor is another query's by now
    assert interrupted == ["once"]


def test_a_stop_reaches_its_own_query_alone() -> None:
    with closing(DuckDBEngine.open(data={"t": pa.table({"n": list(range(1000))})})) as engine:

        def stopped() -> str:
            token = CancellationToken()
            threading.Timer(0.01, token.cancel).start()
            try:
                engine.execute(ENDLESS, {}, cancel=token)
            except Cancelled:
                return "stopped"
            return "went on"

        def quick() -> int:
            return sum(engine.execute("SELECT SUM(n) AS s FROM t", {}).column(0).to_pylist()[0] for _ in range(30))

        with ThreadPoolExecutor(4) as threads:
            stops = [threads.submit(stopped) for _ in range(20)]
            sums = [threads.submit(quick) for _ in range(4)]
            assert {stop.result() for stop in stops} == {"stopped"}
            assert {found.result() for found in sums} == {30 * 499_500}
