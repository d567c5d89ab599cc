"""What a compiled query becomes in Spark's words; no server is needed for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import sqlglot

from svc_notebook.semantic.dialects import SPARK, dialect_of
from svc_notebook.semantic.dialects.nodes import statement
from svc_notebook.semantic.dialects.spark import Kind, PhysicalColumn, Traits, lowered
from svc_notebook.semantic.dialects.spark.names import literal
from svc_notebook.semantic.errors import NotAllowed, NotPlanned

FACTS = [
    PhysicalColumn("id", Kind("int4")), PhysicalColumn("big", Kind("int8")), PhysicalColumn("name", Kind("text")),
    PhysicalColumn("price", Kind("numeric", 2, 10)), PhysicalColumn("at", Kind("timestamp")),
    PhysicalColumn("share", Kind("float8")), PhysicalColumn("day", Kind("date")), PhysicalColumn("flag", Kind("bool")),
]  # fmt: skip
TRAITS = Traits("lake", {("files", "flights"): "`svc_1_flights`"})


def tables(schema: str, table: str) -> Sequence[PhysicalColumn] | None:
    return FACTS if table in ("facts", "flights") else None


def said(sql: str) -> str:
    return lowered(statement(sql), {"p1": "x", "p2": 3, "p3": "2024-02-29"}, tables, TRAITS).sql


def value(expression: str) -> str:
    return said(f"SELECT {expression} AS v FROM lake.main.facts AS f")


def kinds(sql: str) -> list[str]:
    return [kind.duckdb for _, kind in lowered(statement(sql), {}, tables, TRAITS).columns]


def test_dialect_by_name() -> None:
    assert dialect_of("spark") is SPARK
    assert not SPARK.floats_fail


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("sum(id)", "HUGEINT"), ("sum(big)", "HUGEINT"), ("avg(price)", "DOUBLE"), ("sum(price)", "DECIMAL(38,2)"),
        ("id / 2", "DOUBLE"), ("price * price", "DECIMAL(38,4)"), ("date_trunc('month', day)", "TIMESTAMP"),
        ("day - day", "BIGINT"), ("coalesce(id, 1.5)", "DECIMAL(38,1)"), ("median(id)", "DOUBLE"), ("count(*)", "BIGINT"),
        ("round(share, 2)", "DOUBLE"), ("day + INTERVAL 1 MONTH", "TIMESTAMP"), ("NULL", '"NULL"'), ("dayname(day)", "VARCHAR"),
    ],
)  # fmt: skip
def test_kinds_are_those_of_duckdb(sql: str, kind: str) -> None:
    assert kinds(f"SELECT {sql} AS v FROM lake.main.facts AS f") == [kind]


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("mode(id)", "'mode'"), ("regexp_replace(name, 'a', 'b')", "'regexp_replace'"), ("reflect('a', 'b')", "'reflect'"),
        ("java_method('a', 'b')", "'java_method'"), ("CAST(share AS VARCHAR)", "a DOUBLE as text"), ("name = id", "a comparison"),
        ("share % 2", "the rest of a division"), ("regexp_matches(name, '(?i)a')", "regular expression"),
        ("regexp_matches(name, '[a&&b]')", "regular expression"), ("at - at", "a TIMESTAMP - a TIMESTAMP"),
        ("INTERVAL 1 DAY", "an interval as a result"), ("median(id) OVER ()", "a median in a window"),
        ("count(DISTINCT id) OVER ()", "a window over distinct values"), ("percentile_disc(0.5) WITHIN GROUP (ORDER BY name)", "a percentile of a VARCHAR"),
        ("sum(id) OVER (ORDER BY id RANGE BETWEEN 3 PRECEDING AND CURRENT ROW)", "a window by a range of values"),
        ("id << id", "what is no constant"), ("input_file_name()", "'input_file_name'"),
    ],
)  # fmt: skip
def test_what_is_not_declared_is_refused_by_its_name(sql: str, named: str) -> None:
    with pytest.raises(NotAllowed, match="Over Spark there is no way to say") as refused:
        value(sql)
    assert named in refused.value.message


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT DISTINCT ON (id) id FROM lake.main.facts", "SELECT * FROM range(3)", "SELECT id FROM lake.main.facts TABLESAMPLE 1%",
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n FROM t) SELECT n FROM t", "INSERT INTO lake.main.facts VALUES (1)",
        "SELECT f.id FROM lake.main.facts AS f ASOF JOIN lake.main.facts AS g ON f.id >= g.id", "DROP TABLE lake.main.facts",
    ],
)  # fmt: skip
def test_clauses_that_are_not_declared_are_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        said(sql)


def test_tables_and_columns_that_are_not_there() -> None:
    for sql in ("SELECT 1 AS x FROM lake.main.secret AS s", "SELECT f.secret FROM lake.main.facts AS f"):
        with pytest.raises(NotPlanned):
            said(sql)


def test_tables_are_qualified_and_files_go_by_a_name_that_nobody_knows() -> None:
    assert "FROM `lake`.`main`.`facts` AS `f`" in value("f.id")
    assert "FROM `svc_1_flights` AS `flights`" in said("SELECT id FROM lake.files.flights")


def test_every_text_is_one_constant() -> None:
    """Whatever is in it: quotes, backslashes, ``$`` of a substitution, a line's end."""
    for text in ("it's", "\\", "${spark.conf}", "a\nb", '"', "`", "\u2028", "\U0001f388"):
        written = literal(text)
        assert written.count("'") == 2
        assert not set(written[1:-1]) & set('"$`\n\u2028')
    assert literal("Ä \U0001f388") == "'Ä \U0001f388'"


def test_rows_end_in_what_no_condition_is_moved_below() -> None:
    text = said(
        "SELECT q.id FROM (SELECT f.id FROM lake.main.facts AS f WHERE f.name = $p1 OFFSET 0) AS q WHERE q.id > 1"
    )
    assert "(SELECT svc_ended.* FROM (SELECT `f`.`id` AS `id` FROM" in text
    assert "AS svc_ended WHERE rand() >= 0) AS `q`" in text
    assert "OFFSET" not in text


def test_whole_sums_do_not_overflow_and_a_filter_is_a_case() -> None:
    assert "sum(shiftright(`f`.`big`, 32))" in value("sum(big)")
    assert "count(CASE WHEN `f`.`flag` THEN 1 END) OVER (ORDER BY `f`.`id` NULLS LAST)" in value(
        "count(*) FILTER (WHERE flag) OVER (ORDER BY id)"
    )


def test_dates_that_are_written_are_constants_so_that_files_can_be_passed_over() -> None:
    assert "DATE'2024-02-29'" in value("f.day >= CAST('2024-02-29' AS DATE)")
    assert "TIMESTAMP_NTZ'2024-02-29 00:00:00'" in value("f.at < CAST($p3 AS TIMESTAMP)")
    assert "raise_error" in value("CAST(name AS DATE)")
    assert "raise_error" not in value("TRY_CAST(name AS DATE)")


def test_nulls_are_last_and_limits_are_numbers() -> None:
    text = said("SELECT id FROM lake.main.facts ORDER BY id DESC LIMIT $p2")
    assert text.endswith("ORDER BY 1 DESC NULLS LAST LIMIT 3")


def test_sqlglot_reads_what_is_written() -> None:
    """The engine holds every finished text against the tables it may read."""
    text = said("WITH a AS (SELECT id, sum(big) AS s FROM lake.main.facts GROUP BY 1) SELECT a.s FROM a WHERE a.id = 1")
    named = {table.sql(dialect="spark") for table in sqlglot.parse_one(text, read="spark").find_all(sqlglot.exp.Table)}
    assert named == {"`lake`.`main`.`facts` AS `facts`", "`a` AS `a`"}
