"""What forms a question can reach: each mechanism, and several at once, over a small shop of our own.

Which candidate is chosen is the ranking's part; here the right one must be among them. Rows are compared with plain SQL
over the tables themselves.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import svc_notebook
from svc_notebook.analyst.offline.budget import Budget
from svc_notebook.analyst.offline.forms import CannotWrite, to_sql
from svc_notebook.analyst.offline.reader import forms_of
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import SemanticError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

NOW = datetime.fromisoformat("2024-06-18")
OTHER = {
    "couriers": "riders", "courier": "rider", "parcels": "crates", "parcel": "crate", "depot": "yard", "depots": "yards",
    "harbour": "quarry", "market": "square", "mill": "forge", "fragile": "brittle", "bulky": "hefty", "frozen": "chilled",
    "wage": "stipend", "postage": "freight", "handling": "cushioning", "insured": "assessed",
}  # fmt: skip


def tables() -> dict[str, pa.Table]:
    places = [
        {"depot_id": n + 1, "name": name, "staff": 4 + 3 * n} for n, name in enumerate(("harbour", "market", "mill"))
    ]
    couriers = [
        {
            "courier_id": n + 1,
            "name": f"Mx {n % 5}",
            "depot_id": n % 3 + 1,
            "wage": 10 + n,
            "grade": str(20 + (n * 7) % 40),
        }
        for n in range(8)
    ]
    kinds = ("fragile", "bulky", "frozen")
    parcels = [
        {
            "parcel_id": n + 1, "courier_id": n % 6 + 1, "handling": kinds[(n * n + n // 4) % 3], "grams": 300 + (n * 37) % 4000,
            "postage": 2.0 + (n * 11) % 9, "insured": 10.0 + (n * 13) % 50, "note": "late" if n % 4 == 0 else None,
            "minutes": 5 + (n * 17) % 90,
            "sent": datetime.fromisoformat(f"{2022 + n % 2}-{(1, 2, 3, 5, 6, 9)[n % 6]:02d}-{1 + n % 27:02d}"),
        }
        for n in range(90)
    ]  # fmt: skip
    return {name: pa.Table.from_pylist(rows) for name, rows in
            (("depots", places), ("couriers", couriers), ("parcels", parcels))}  # fmt: skip


def renamed(text: str) -> str:
    return re.sub(r"[a-z]+", lambda word: OTHER.get(word.group(), word.group()), text)


@cache
def post(other: bool = False) -> tuple[SemanticLayer, Metadata]:
    """A small parcel post; ``other``: the same under other names, values and all."""
    data = tables()
    if other:
        data = {
            renamed(name): pa.Table.from_pylist([
                {renamed(key.replace("_", " ")).replace(" ", "_"): renamed(v) if isinstance(v, str) else v
                 for key, v in row.items()}
                for row in table.to_pylist()
            ])
            for name, table in data.items()
        }  # fmt: skip
    keys = {"depots": "depot_id", "couriers": "courier_id", "parcels": "parcel_id"}
    links = [("couriers", "depot_id", "depots"), ("parcels", "courier_id", "couriers")]

    def named(text: str) -> str:
        return renamed(text.replace("_", " ")).replace(" ", "_") if other else text

    engine = DuckDBEngine.open(None, data=data)
    described = {
        "tables": [
            {"name": named(name), "primary_key": [named(keys[name])],
             "columns": [{"name": named(c)} for c in table.column_names]}
            for name, table in tables().items()
        ],
        "joins": [
            {"from_table": named(one), "from_column": named(column), "to_table": named(to), "to_column": named(column),
             "relationship": "many_to_one"}
            for one, column, to in links
        ],
    }  # fmt: skip
    layer = SemanticLayer(load_model(scaffold_model(described, engine=engine)), engine)
    return layer, load_metadata(Toolbox(layer, SecurityContext.operator()))


def plain(sql: str) -> list[str]:
    with duckdb.connect() as connection:
        for name, table in tables().items():
            connection.register(name, table)
        return _comparable(connection.execute(sql).fetchall())


def _comparable(rows: list[tuple[Any, ...]]) -> list[str]:
    return sorted(
        repr(tuple(round(float(v), 6) if isinstance(v, (int, float)) else str(v)[:10] for v in r)) for r in rows
    )


def reached(question: str, wanted: list[str]) -> bool:
    layer, metadata = post()
    for candidate in forms_of(question, metadata, NOW, None, 1, Budget()):
        try:
            table = layer.query(SecurityContext.operator(), to_sql(candidate.form)).table
        except (CannotWrite, SemanticError):
            continue
        if _comparable(list(zip(*(c.to_pylist() for c in table.columns), strict=True))) == wanted:
            return True
    return False


JOINED = "parcels p JOIN couriers c USING (courier_id)"
ASKED = {
    # change, and periods beside each other
    "by how much percent did postage grow from 2022 to 2023":
        "SELECT 100.0 * (sum(postage) FILTER (year(sent) = 2023) / sum(postage) FILTER (year(sent) = 2022) - 1) FROM parcels",
    "how did the number of fragile parcels change from 2022 to 2023":
        "SELECT a - b, 100.0 * (a - b) / b FROM (SELECT count(*) FILTER (year(sent) = 2023) a, "
        "count(*) FILTER (year(sent) = 2022) b FROM parcels WHERE handling = 'fragile')",
    "total postage 2022 vs 2023":
        "SELECT date_trunc('year', sent), sum(postage) FROM parcels GROUP BY 1",
    "average grams of frozen parcels in February 2023 and March 2023":
        "SELECT avg(grams) FROM parcels WHERE handling = 'frozen' AND sent >= '2023-02-01' AND sent < '2023-04-01'",
    "cumulative postage per month in 2023":
        "SELECT date_trunc('month', sent), sum(sum(postage)) OVER (ORDER BY date_trunc('month', sent)) FROM parcels "
        "WHERE year(sent) = 2023 GROUP BY 1",
    # numbers over numbers
    "postage as a percentage of insured per handling":
        "SELECT handling, 100.0 * sum(postage) / sum(insured) FROM parcels GROUP BY 1",
    "ratio of postage to insured by handling":
        "SELECT handling, avg(postage / insured) FROM parcels GROUP BY 1",
    "average postage per courier by handling":
        "SELECT handling, sum(postage) / count(DISTINCT courier_id) FROM parcels GROUP BY 1",
    "average number of parcels per day":
        "SELECT count(*) / (date_diff('day', min(sent), max(sent)) + 1) FROM parcels",
    "correlation between grams and postage": "SELECT corr(grams, postage) FROM parcels",
    # shares
    "share of parcels over 2 kg per handling in per cent":
        "SELECT handling, 100.0 * count(*) FILTER (grams > 2000) / count(*) FROM parcels GROUP BY 1",
    "how many parcels have no note and what percentage is that":
        "SELECT count(*) FILTER (note IS NULL), 100.0 * count(*) FILTER (note IS NULL) / count(*) FROM parcels",
    # units
    "total grams in kg per handling": "SELECT handling, sum(grams) / 1000.0 FROM parcels GROUP BY 1",
    "how many parcels took more than an hour": "SELECT count(*) FROM parcels WHERE minutes > 60",
    "average duration of bulky parcels in hours":
        "SELECT avg(minutes) / 60.0 FROM parcels WHERE handling = 'bulky'",
    # related rows
    "couriers that never had fragile parcels":
        "SELECT name FROM couriers WHERE courier_id NOT IN (SELECT courier_id FROM parcels WHERE handling = 'fragile')",
    "names of couriers without parcels in 2023":
        "SELECT name FROM couriers WHERE courier_id NOT IN (SELECT courier_id FROM parcels WHERE year(sent) = 2023)",
    "names of couriers in the depot with the most staff":
        "SELECT name FROM couriers WHERE depot_id = (SELECT depot_id FROM depots ORDER BY staff DESC LIMIT 1)",
    "which depots have both fragile and frozen parcels":
        "SELECT name FROM depots WHERE depot_id IN (SELECT depot_id FROM parcels JOIN couriers USING (courier_id) "
        "WHERE handling = 'fragile') AND depot_id IN (SELECT depot_id FROM parcels JOIN couriers USING (courier_id) "
        "WHERE handling = 'frozen')",
    # entities, texts that hold numbers, slips
    "number of parcels per courier": f"SELECT c.name, count(*) FROM {JOINED} GROUP BY c.courier_id, c.name",
    "average grade per depot name":
        "SELECT d.name, avg(CAST(grade AS DOUBLE)) FROM couriers JOIN depots d USING (depot_id) GROUP BY 1",
    "names of couriers with a grade over 40": "SELECT name FROM couriers WHERE CAST(grade AS DOUBLE) > 40",
    "how many parcels have more then 2000 grams": "SELECT count(*) FROM parcels WHERE grams > 2000",
    "averge postage of frozen parcels": "SELECT avg(postage) FROM parcels WHERE handling = 'frozen'",
    "compare average postage of fragile and bulky parcels":
        "SELECT handling, avg(postage) FROM parcels WHERE handling IN ('fragile', 'bulky') GROUP BY 1",
    "couriers of depot 1 or 3": "SELECT name FROM couriers WHERE depot_id IN (1, 3)",
    "couriers with the letter 4 in their name": "SELECT name FROM couriers WHERE name LIKE '%4%'",
    "all details of the depots": "SELECT * FROM depots",
    # adjectives: what they measure, of whom, and two set against each other
    "which handling is slowest":
        "SELECT handling, avg(minutes) FROM parcels GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
    "quickest handling on average": "SELECT handling, avg(minutes) FROM parcels GROUP BY 1 ORDER BY 2 LIMIT 1",
    "are fragile parcels faster than bulky ones":
        "SELECT handling, avg(minutes) FROM parcels WHERE handling IN ('fragile', 'bulky') GROUP BY 1",
    "first parcel of each courier": f"SELECT c.name, min(sent) FROM {JOINED} GROUP BY c.courier_id, c.name",
    # who, per row, over time
    "who handled the fewest bulky parcels":
        f"SELECT c.name, count(*) FROM {JOINED} WHERE handling = 'bulky' GROUP BY c.courier_id, c.name ORDER BY 2 LIMIT 1",
    "postage per parcel by handling": "SELECT handling, avg(postage) FROM parcels GROUP BY 1",
    "postage over time": "SELECT date_trunc('month', sent), sum(postage) FROM parcels GROUP BY 1",
    "parcels over 2 kg": "SELECT * FROM parcels WHERE grams > 2000",
    "parcels on weekdays against weekends":
        "SELECT CASE WHEN isodow(sent) > 5 THEN 'weekend' ELSE 'weekday' END, count(*) FROM parcels GROUP BY 1",
}  # fmt: skip


@pytest.mark.parametrize("question", ASKED)
def test_the_right_form_is_among_the_candidates(question: str) -> None:
    assert reached(question, plain(ASKED[question]))


@pytest.mark.parametrize("question", list(ASKED)[::3])
def test_other_names_reach_the_same_forms(question: str) -> None:
    """Nothing hangs on what things are called."""
    here = forms_of(question, post()[1], NOW, None, 1, Budget())
    there = forms_of(renamed(question), post(True)[1], NOW, None, 1, Budget())
    assert len(here) == len(there)
    assert {round(c.score, 6) for c in here} == {round(c.score, 6) for c in there}


def test_the_time_that_the_model_says_counts_is_the_one_that_is_meant() -> None:
    days = [datetime.fromisoformat(f"2024-0{1 + n % 5}-10") for n in range(20)]
    loans = pa.table({"loan_id": list(range(20)), "due_date": days[::-1], "loan_date": days})
    engine = DuckDBEngine.open(None, data={"loans": loans})
    layer = SemanticLayer(load_model(scaffold_model({"loans": loans})), engine)
    metadata = load_metadata(Toolbox(layer, SecurityContext.operator()))
    assert metadata.times(["loans"]) == ["loans.loan_date", "loans.due_date"]
    [best, *_] = forms_of("number of loans per month", metadata, NOW, None, 1, Budget())
    assert "loan_date" in to_sql(best.form) and "due_date" not in to_sql(best.form)


def read_over(question: str, table: pa.Table) -> str:
    """The SQL of the first form of a question over one table of its own model."""
    engine = DuckDBEngine.open(None, data={"jobs": table})
    layer = SemanticLayer(load_model(scaffold_model({"jobs": table})), engine)
    metadata = load_metadata(Toolbox(layer, SecurityContext.operator()))
    return to_sql(forms_of(question, metadata, NOW, None, 1, Budget())[0].form)


JOBS = pa.table({
    "job_id": list(range(40)), "billable": [n % 3 == 0 for n in range(40)], "town": ["Ulm", "Bern"] * 20,
    "birth_date": [datetime.fromisoformat(f"{1960 + n}-01-01") for n in range(40)],
    "joined_on": [datetime.fromisoformat(f"2020-{1 + n % 12:02d}-01") for n in range(40)],
})  # fmt: skip


@pytest.mark.parametrize("word", ["unbillable", "non-billable", "nonbillable"])
def test_a_prefix_denies_a_flag(word: str) -> None:
    assert 'NOT ("jobs"."billable")' in read_over(f"how many {word} jobs are there", JOBS)
    assert "NOT" not in read_over("how many billable jobs are there", JOBS)


def test_a_birth_is_not_when_a_row_happened() -> None:
    assert "joined_on" in read_over("how many jobs per month", JOBS)


def test_two_people_of_one_name_stay_two() -> None:
    """``Mx 0`` drives under two numbers: what each of them drove is never added up."""
    _, metadata = post()
    for candidate in forms_of("number of parcels per courier", metadata, NOW, None, 1, Budget())[:5]:
        sql = to_sql(candidate.form)
        assert 'GROUP BY "couriers"."name"' not in sql or 'GROUP BY "couriers"."name", "couriers"."courier_id"' in sql


def _lines() -> dict[str, pa.Table]:
    days = [datetime.fromisoformat(f"{2022 + n % 3}-{1 + n % 12:02d}-05") for n in range(60)]
    states = ["returned" if n % 5 == 0 else "kept" for n in range(60)]
    orders = pa.table({"order_id": list(range(60)), "order_date": days, "status": states})
    goods = pa.table({"good_id": list(range(8)), "title": [f"Good {n}" for n in range(8)]})
    lines = pa.table({
        "line_id": list(range(180)), "order_id": [n % 60 for n in range(180)], "good_id": [n % 7 for n in range(180)],
        "revenue": [5.0 + n % 90 for n in range(180)],
    })  # fmt: skip
    return {"orders": orders, "goods": goods, "lines": lines}


LINES = {
    "total revenue in 2023": "SELECT sum(revenue) FROM lines JOIN orders USING (order_id) WHERE year(order_date) = 2023",
    "revenue 2023": "SELECT sum(revenue) FROM lines JOIN orders USING (order_id) WHERE year(order_date) = 2023",
    "revenue per year": "SELECT date_trunc('year', order_date), sum(revenue) FROM lines JOIN orders USING (order_id) GROUP BY 1",
    "how many orders were returned?": "SELECT count(*) FROM orders WHERE status = 'returned'",
    "goods that were never sold": "SELECT title FROM goods WHERE good_id NOT IN (SELECT good_id FROM lines)",
}  # fmt: skip


@pytest.mark.parametrize("question", LINES)
def test_lines_have_the_date_of_their_order(question: str) -> None:
    with svc_notebook.embedded(_lines()) as client, duckdb.connect() as connection:
        for name, table in _lines().items():
            connection.register(name, table)
        answer = client.chat().ask(question)
        rows = [tuple(row) for row in answer.df.astype(object).to_numpy().tolist()]
        assert _comparable(rows) == _comparable(connection.execute(LINES[question]).fetchall()), answer.sql


def test_a_rate_of_what_rows_may_be_is_a_share() -> None:
    states = pa.table({"job_id": list(range(40)), "state": ["returned", "kept", "kept", "lost"] * 10})
    sql = read_over("what is the return rate", states)
    assert "FILTER" in sql and "'returned'" in sql
    assert "'lost'" in read_over("lost rate of jobs", states)


def test_the_hour_of_a_day_is_not_so_many_hours_long() -> None:
    jobs = pa.table({
        "job_id": list(range(200)), "hour_of_day": [n % 24 for n in range(200)],
        "delay_minutes": [float(n * 7 % 400) for n in range(200)],
    })  # fmt: skip
    for question in ("how many jobs took more than 2 hours", "share of jobs that were more than 2 hours late"):
        sql = read_over(question, jobs)
        assert '"delay_minutes" > 120' in sql and "hour_of_day" not in sql
