"""What a compiled query becomes in PostgreSQL's words; no server is needed for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import sqlglot

from svc_notebook.semantic.dialects import DUCKDB, POSTGRES, dialect_of
from svc_notebook.semantic.dialects.nodes import statement
from svc_notebook.semantic.dialects.postgres import Kind, PhysicalColumn, Traits, lowered
from svc_notebook.semantic.dialects.walk.parts import refuse_unread
from svc_notebook.semantic.errors import NotAllowed, NotPlanned

FACTS = [
    PhysicalColumn("id", Kind("int4")), PhysicalColumn("name", Kind("text")), PhysicalColumn("price", Kind("numeric", 2, 10)),
    PhysicalColumn("at", Kind("timestamp")), PhysicalColumn("share", Kind("float8")), PhysicalColumn("day", Kind("date")), PhysicalColumn("clock", Kind("time")),
]  # fmt: skip


def tables(schema: str, table: str) -> Sequence[PhysicalColumn] | None:
    return FACTS if table == "facts" else None


PLAIN = Traits(collate=False, letters="C.utf8")


def said(sql: str, traits: Traits = PLAIN) -> str:
    return lowered(statement(sql), {"p1": "x", "p2": 3}, tables, traits).sql


def kinds(sql: str) -> list[str]:
    return [kind.duckdb for _, kind in lowered(statement(sql), {}, tables, Traits()).columns]


def test_dialects_by_name() -> None:
    assert (dialect_of("duckdb"), dialect_of("postgres")) == (DUCKDB, POSTGRES)
    assert POSTGRES.floats_fail
    assert not DUCKDB.floats_fail


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("sum(id)", "HUGEINT"), ("avg(price)", "DOUBLE"), ("sum(price)", "DECIMAL(38,2)"), ("id / 2", "DOUBLE"),
        ("price * price", "DECIMAL(38,4)"), ("date_trunc('month', day)", "TIMESTAMP"), ("date_trunc('hour', day)", "TIMESTAMP"),
        ("day - day", "BIGINT"), ("at - at", "INTERVAL"), ("coalesce(id, 1.5)", "DECIMAL(38,1)"), ("median(id)", "DOUBLE"),
        ("count(*)", "BIGINT"), ("round(share, 2)", "DOUBLE"), ("round(price, 1)", "DECIMAL(38,1)"), ("NULL", '"NULL"'),
    ],
)  # fmt: skip
def test_kinds_are_those_of_duckdb(sql: str, kind: str) -> None:
    assert kinds(f"SELECT {sql} AS v FROM data.main.facts AS f") == [kind]


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("mode(id)", "'mode'"), ("regexp_replace(name, 'a', 'b')", "'regexp_replace'"), ("nextval('s')", "'nextval'"),
        ("pg_sleep(9)", "'pg_sleep'"), ("set_config('a', 'b', false)", "'set_config'"), ("name = id", "a comparison"),
        ("clock = $p1", "a comparison of a TIME with a VARCHAR"), ("try_strptime(name, '%Y')", "'try_strptime'"), ("share % 2", "the rest of a division"),
        ("regexp_matches(name, '(?i)a')", "regular expression"), ("at * INTERVAL 1 DAY", "a part of an interval"),
        ("id + name", "a INTEGER + a VARCHAR"), ("list_filter([1], x -> x > 0)", "'filter'"), ("lo_import('/etc/passwd')", "'lo_import'"),
    ],
)  # fmt: skip
def test_what_is_not_declared_is_refused_by_its_name(sql: str, named: str) -> None:
    with pytest.raises(NotAllowed, match="Over PostgreSQL there is no way to say") as refused:
        said(f"SELECT {sql} AS v FROM data.main.facts AS f")
    assert named in refused.value.message


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM generate_series(1, 3)", "SELECT * FROM pg_read_file('x') AS t", "SELECT 1 AS x GROUP BY ALL",
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n FROM t) SELECT n FROM t", "SELECT id FROM data.main.facts TABLESAMPLE 1%",
        "SELECT f.id FROM data.main.facts AS f ASOF JOIN data.main.facts AS g ON f.id >= g.id", "INSERT INTO data.main.facts VALUES (1)",
    ],
)  # fmt: skip
def test_clauses_that_are_not_declared_are_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        said(sql)


def test_tables_and_columns_that_are_not_there() -> None:
    for sql in ("SELECT 1 AS x FROM data.main.secret AS s", "SELECT f.secret FROM data.main.facts AS f"):
        with pytest.raises(NotPlanned):
            said(sql)


def test_a_part_that_no_rule_reads_is_refused_not_passed_over() -> None:
    assert "NOT LIKE" in said("SELECT name NOT LIKE 'a' AS x FROM data.main.facts AS f")
    for name in ("negate", "unheard_of"):
        node = sqlglot.parse_one("SELECT f.id = 1", read="duckdb").expressions[0]
        node.set(name, True)
        with pytest.raises(NotAllowed, match=name):
            refuse_unread(node)


def test_null_beside_a_value_takes_its_kind() -> None:
    assert "CAST(NULL AS integer)" in said("SELECT id = NULL AS x FROM data.main.facts AS f")


def test_names_of_any_case_are_found_and_written_as_they_are() -> None:
    assert '"f"."name"' in said("SELECT F.NAME AS x FROM data.main.facts AS f")


def test_names_beyond_63_bytes_stay_different() -> None:
    one, other = "a" * 70 + "x", "a" * 70 + "y"
    text = said(
        f'SELECT q."{one}", q."{other}" FROM (SELECT id AS "{one}", id + 1 AS "{other}" FROM data.main.facts) AS q'
    )
    names = {name for name in text.split('"')[1::2] if name.startswith("a")}
    assert len(names) == 2
    assert all(len(name.encode()) <= 63 for name in names)


def test_untyped_nulls_of_a_union_take_the_kind_of_the_others() -> None:
    text = said("SELECT NULL AS a, 1 AS b UNION ALL SELECT day, NULL FROM data.main.facts")
    assert "CAST(NULL AS date)" in text
    assert "CAST(NULL AS integer)" in text
    assert kinds("SELECT NULL AS a UNION ALL SELECT day FROM data.main.facts") == ["DATE"]


def test_null_beside_null_is_joined_by_equations() -> None:
    text = said(
        "SELECT 1 AS x FROM data.main.facts AS a FULL JOIN data.main.facts AS b ON a.name IS NOT DISTINCT FROM b.name"
    )
    assert '("a"."name" IS NULL) = ("b"."name" IS NULL)' in text
    assert "DISTINCT" not in text


def test_texts_are_compared_by_their_bytes_where_the_database_would_not() -> None:
    linguistic = Traits(collate=True, letters="C.utf8")
    assert 'CAST($p1 AS text) COLLATE "C"' in said("SELECT $p1 AS x", linguistic)
    assert "COLLATE" not in said("SELECT $p1 AS x")
    assert 'lower("f"."name" COLLATE "C.utf8")' in said("SELECT lower(name) AS x FROM data.main.facts AS f")
    with pytest.raises(NotAllowed, match="cases"):
        said("SELECT lower(name) AS x FROM data.main.facts AS f", Traits(collate=False, letters=None))


def test_nulls_are_last_whatever_the_direction() -> None:
    assert said("SELECT id FROM data.main.facts ORDER BY id DESC").endswith("ORDER BY 1 DESC NULLS LAST")


def test_parameters_are_bound_by_the_types_of_their_values() -> None:
    assert said("SELECT $p2 AS n") == 'SELECT CAST($p2 AS bigint) AS "n"'
