"""The PostgreSQL engine alone: what it may, how it ends, what it tells."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.cancellation import CancellationToken, Cancelled
from svc_notebook.semantic.dialects.nodes import statement
from svc_notebook.semantic.engine.base import TableName
from svc_notebook.semantic.engine.postgres import PostgresEngine
from svc_notebook.semantic.errors import EngineFailure, NotComputed, NotPlanned, QueryTimeout, UnknownPlace

pytestmark = pytest.mark.postgres

_LONG = "SELECT count(*) AS n FROM generate_series(1, 3000000000) AS g(n)"
_TABLES = """
CREATE SCHEMA sales; CREATE SCHEMA other;
CREATE TABLE public.orders (id integer PRIMARY KEY, amount numeric(12, 2), name varchar(20), kind mood, tags text[], free numeric,
    small smallint, short real, uid uuid, info jsonb, at timestamptz, padded char(5));
INSERT INTO public.orders VALUES (1, 12.50, 'é', 'sad', '{a,b}', 1.125, 7, 0.5, '7b1c5a1e-0000-0000-0000-000000000001', '{"a": 1}',
    '2024-01-01 12:00+02', 'ab'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE sales.deals (id integer); CREATE TABLE other.deals (id integer); CREATE TABLE other.only_here (id integer);
CREATE TABLE public.hidden (id integer);
CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA sales, other TO {role};
GRANT SELECT ON public.orders, sales.deals, other.deals, other.only_here TO {role};
"""


@pytest.fixture(scope="module")
def urls(postgres: Any) -> tuple[str, str]:
    """Of the owner, and of a role that may only read."""
    import psycopg

    url = postgres.database().replace("+psycopg", "")
    role = "reader_" + url.rpartition("/")[2]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('sad', 'glad')")
        connection.execute(_TABLES.replace("{role}", role))  # type: ignore[arg-type]
    return url, url.replace("svc@", f"{role}@")


@pytest.fixture(scope="module")
def engine(urls: tuple[str, str]) -> Iterator[PostgresEngine]:
    opened = PostgresEngine.open(urls[1])
    yield opened
    opened.close()


def asked(engine: PostgresEngine, sql: str, **params: Any) -> pa.Table:
    return engine.execute(engine.lowered(statement(sql), params), params)


def test_every_kind_of_column_arrives_as_what_it_is(engine: PostgresEngine) -> None:
    table = asked(engine, "SELECT * FROM public.orders ORDER BY id")
    first = {name: column[0] for name, column in table.to_pydict().items()}
    assert str(first["amount"]) == "12.50"
    assert table.schema.field("amount").type == pa.decimal128(38, 2)
    assert (first["name"], first["kind"], first["tags"], first["small"], first["short"]) == (
        "é",
        "sad",
        '["a", "b"]',
        7,
        0.5,
    )
    assert (str(first["free"]), first["info"], str(first["at"]), first["padded"]) == (
        "1.125",
        '{"a": 1}',
        "2024-01-01 10:00:00",
        "ab",
    )
    assert all(column[1] is None for name, column in table.to_pydict().items() if name != "id")
    types = engine.column_types(statement("SELECT amount, name, kind, tags, small, short, at FROM public.orders"))
    assert types == [
        "DECIMAL(12,2)",
        "VARCHAR",
        "VARCHAR",
        "VARCHAR[]",
        "INTEGER",
        "DOUBLE",
        "TIMESTAMP WITH TIME ZONE",
    ]


def test_what_the_role_may_not_read_is_not_there(engine: PostgresEngine) -> None:
    assert sorted(engine.describe()) == ["orders", "other.deals", "other.only_here", "sales.deals"]
    with pytest.raises(NotPlanned, match="hidden"):
        asked(engine, "SELECT id FROM public.hidden")
    with pytest.raises(NotPlanned, match="role"):
        engine.execute('SELECT id FROM "public"."hidden"', {})


def test_places(engine: PostgresEngine) -> None:
    database = engine.qualify(None, "orders").catalog
    assert engine.qualify(None, "only_here") == TableName(database, "other", "only_here")
    assert engine.qualify("SALES", "Deals") == TableName(database, "sales", "deals")
    for schema, table, catalog in ((None, "deals", None), ("nowhere", "deals", None), (None, "orders", "elsewhere")):
        with pytest.raises(UnknownPlace):
            engine.qualify(schema, table, catalog)


def test_nothing_can_be_written_by_whom_ever(urls: tuple[str, str]) -> None:
    owner = PostgresEngine.open(urls[0])
    try:
        assert "may write" in owner.remarks[0]
        for sql in (
            "SELECT nextval('pg_catalog.nothing')",
            "WITH x AS (DELETE FROM public.orders RETURNING id) SELECT id FROM x",
        ):
            with pytest.raises(EngineFailure):
                owner.execute(sql, {})
        assert asked(owner, "SELECT count(*) AS n FROM public.orders").to_pydict() == {"n": [2]}
    finally:
        owner.close()


def test_a_role_that_only_reads_is_told_nothing(engine: PostgresEngine) -> None:
    assert engine.remarks == []


def test_settings_are_pinned(engine: PostgresEngine) -> None:
    names = ("search_path", "TimeZone", "default_transaction_read_only", "standard_conforming_strings")
    assert [engine.rows(f"SELECT current_setting('{name}')")[0][0] for name in names] == [
        "pg_catalog",
        "UTC",
        "on",
        "on",
    ]


def test_a_stop_ends_the_work_on_the_server_within_a_second(engine: PostgresEngine) -> None:
    token, ended = CancellationToken(), []
    begun = threading.Event()

    def run() -> None:
        begun.set()
        with pytest.raises(Cancelled):
            engine.execute(_LONG, {}, cancel=token)
        ended.append(time.monotonic())

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    running = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%3000000000%' AND state = 'active' AND pid <> pg_backend_pid()"
    while engine.rows(running)[0][0] == 0:
        pass
    stopped = time.monotonic()
    token.cancel("enough")
    thread.join(30)
    assert ended
    while engine.rows(running)[0][0]:
        assert time.monotonic() - stopped < 30
    assert engine.execute("SELECT 1 AS one", {}).to_pydict() == {"one": [1]}


def test_the_server_ends_what_takes_too_long(engine: PostgresEngine) -> None:
    with pytest.raises(QueryTimeout, match=r"longer than 0\.2 seconds"):
        engine.execute(_LONG, {}, timeout=0.2)


def test_failures_say_nothing_of_the_values(engine: PostgresEngine) -> None:
    with pytest.raises(NotComputed) as failed:
        engine.execute("SELECT CAST(name AS integer) AS x FROM public.orders WHERE id = 1", {})
    assert "é" not in failed.value.message


def test_a_connection_that_was_cut_is_opened_anew(urls: tuple[str, str], engine: PostgresEngine) -> None:
    import psycopg

    assert engine.execute("SELECT 1 AS one", {}).num_rows == 1
    with psycopg.connect(urls[0], autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-notebook'"
        )
    assert engine.execute("SELECT 1 AS one", {}).num_rows == 1


def test_tables_read_as_the_finished_text_has_them(engine: PostgresEngine) -> None:
    asked = "WITH q AS (SELECT id FROM public.orders) SELECT q.id FROM q JOIN sales.deals AS d ON q.id = d.id"
    text = engine.lowered(statement(asked), {})
    found = engine.tables_read(text)
    assert found is not None
    assert {(name.schema, name.table) for name in found} == {("public", "orders"), ("sales", "deals")}
    for sql in (
        "SELECT * FROM orders",
        "SELECT * FROM pg_read_file('x')",
        "DELETE FROM public.orders",
        "SELECT 1; SELECT 2",
    ):
        assert engine.tables_read(sql) is None


def test_values_are_bound(engine: PostgresEngine) -> None:
    text = "'; DROP TABLE orders; --"
    assert asked(engine, "SELECT $p1 AS t, $p2 AS n, '$p1' AS kept", p1=text, p2=2**70).to_pydict() == {
        "t": [text], "n": [Decimal(2**70)], "kept": ["$p1"],
    }  # fmt: skip


def test_an_address_that_nobody_answers_is_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"PostgreSQL at 127\.0\.0\.1:9/shop") as failed:
        PostgresEngine.open("postgresql://ana:secret@127.0.0.1:9/shop")
    assert "secret" not in str(failed.value)


def test_a_model_is_made_of_lines_and_what_they_belong_to(urls: tuple[str, str]) -> None:
    import psycopg

    rows = [(f"L{at}", 7000 + at // 2, f"2024-03-{1 + at // 4:02d}", "08:15", at % 3 == 0) for at in range(20)]
    with psycopg.connect(urls[0], autocommit=True) as connection:
        connection.execute('CREATE TABLE bills (line_id text, ticket_no int, sold_on date, "time" text, hot boolean)')
        connection.cursor().executemany("INSERT INTO bills VALUES (%s, %s, %s, %s, %s)", rows)
        connection.execute("GRANT SELECT ON bills TO PUBLIC")
    with svc.embedded(urls[1]) as client:
        assert client.sql("SELECT count(*) AS n FROM tickets").n[0] == 10
        assert client.sql("SELECT min(sold_on) AS first FROM tickets")["first"][0].hour == 8
