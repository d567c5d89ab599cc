"""Run inside an environment with dbt-metricflow (and DuckDB before 2): one JSON line per question.

Usage: metricflow_peer.py shop.duckdb ROUNDS. It cannot read that file, so it loads the Parquet files beside it.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import duckdb

source, rounds = Path(sys.argv[1]).parent, int(sys.argv[2])
project = Path(tempfile.mkdtemp())
(project / "models").mkdir()
database = project / "shop.duckdb"
with duckdb.connect(str(database)) as con:
    for name in ("items", "orders", "products"):
        con.execute(f"CREATE TABLE t_{name} AS FROM '{source / name}.parquet'")


def write(name: str, text: str) -> None:
    (project / name).write_text(textwrap.dedent(text), "utf-8")


write(
    "dbt_project.yml",
    "name: shop\nversion: '1.0'\nprofile: shop\nmodel-paths: [models]\nflags: {send_anonymous_usage_stats: false}\n",
)
write("profiles.yml", f"shop:\n  target: dev\n  outputs:\n    dev: {{type: duckdb, path: '{database}', threads: 2}}\n")
for name in ("items", "orders", "products"):
    write(f"models/{name}.sql", f"SELECT * FROM main.t_{name}\n")
write(
    "models/spine.sql",
    "SELECT unnest(generate_series(DATE '2021-12-01', DATE '2025-01-31', INTERVAL 1 DAY)) AS date_day\n",
)
write(
    "models/semantics.yml",
    """
    models:
      - name: spine
        time_spine: {standard_granularity_column: date_day}
        columns: [{name: date_day, granularity: day}]
    semantic_models:
      - name: items
        model: ref('items')
        defaults: {agg_time_dimension: made_at}
        entities:
          - {name: item, type: primary, expr: item_id}
          - {name: order, type: foreign, expr: order_id}
          - {name: product, type: foreign, expr: product_id}
        dimensions:
          - {name: made_at, type: time, expr: "TIMESTAMP '2022-01-01'", type_params: {time_granularity: day}}
          - {name: region, type: categorical}
          - {name: quantity, type: categorical}
        measures:
          - {name: revenue, agg: sum, expr: amount, create_metric: true}
          - {name: pieces, agg: sum, expr: "1", create_metric: true}
      - name: orders
        model: ref('orders')
        defaults: {agg_time_dimension: ordered_at}
        entities: [{name: order, type: primary, expr: order_id}]
        dimensions:
          - {name: status, type: categorical}
          - {name: ordered_at, type: time, type_params: {time_granularity: day}}
        measures: [{name: freight, agg: sum, expr: freight, create_metric: true}]
      - name: products
        model: ref('products')
        entities: [{name: product, type: primary, expr: product_id}]
        dimensions: [{name: category, type: categorical}]
    """,
)
os.environ.update(DBT_PROJECT_DIR=str(project), DBT_PROFILES_DIR=str(project), DBT_SEND_ANONYMOUS_USAGE_STATS="false")
here = Path(__file__).parent
os.chdir(project)
done = subprocess.run(
    [Path(sys.executable).parent / "dbt", "--quiet", "run", "--no-use-colors"],
    capture_output=True,
    text=True,
    check=False,
)
if done.returncode:
    sys.exit(f"dbt: {done.stdout[-2000:]} {done.stderr[-2000:]}")

sys.path.insert(0, str(here))
from dbt_metricflow.cli.cli_configuration import CLIConfiguration  # noqa: E402 - the project must stand first
from metricflow.engine.metricflow_engine import MetricFlowQueryRequest  # noqa: E402
from timing import report  # noqa: E402

logging.disable(logging.CRITICAL)
configuration = CLIConfiguration()
configuration.setup(dbt_profiles_path=project, dbt_project_path=project, configure_file_logging=False)
engine = configuration.mf

QUESTIONS = {
    "revenue by region": {"metric_names": ["revenue", "pieces"], "group_by_names": ["item__region"]},
    "filtered, by category": {
        "metric_names": ["revenue"],
        "group_by_names": ["product__category"],
        "where_constraints": [
            "{{ Dimension('item__region') }} IN ('north', 'east') AND {{ Dimension('item__quantity') }} > 3"
        ],
    },
    "by month and status": {
        "metric_names": ["revenue"],
        "group_by_names": ["order__ordered_at__month", "order__status"],
    },
    "fan-out: revenue and freight by status": {
        "metric_names": ["revenue", "freight"],
        "group_by_names": ["order__status"],
    },
}


def request(question: dict[str, list[str]]) -> MetricFlowQueryRequest:
    return MetricFlowQueryRequest.create(**question)


for name, question in QUESTIONS.items():
    report(
        name,
        compile_=lambda q=question: engine.explain(request(q)),
        execute=lambda q=question: list(engine.query(request(q)).result_df.rows),
        rounds=rounds,
    )
