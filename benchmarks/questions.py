"""The public question sets, asked of the offline analyst: how many charts and results are right.

::

    python benchmarks/questions.py [SET ...] [--cases DIR] [--split dev] [--out DIR] [--fails N]

Each set's tables are described in a neutral ``models.json``; a model is made of them by the code of ``svc-notebook init``
and nothing else, and every question goes through the same analyst, semantic layer and engine as a user's does. A case with
several ``turns`` is asked as a conversation; ``as_of`` is the clock. Scores come from the scorer that lies beside the cases.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import importlib
import json
import os
import statistics
import sys
import time
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from svc_notebook.analyst.base import AnswerDone, PastTurn, ToolFinished, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.knowledge import load_metadata
from svc_notebook.analyst.offline.plan import Plan, from_memory
from svc_notebook.analyst.offline.sql import write_sql
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.protocol.tools import SQL_TOOL
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

SETS = ("nlv", "nvbench", "defog", "acme", "nl4dv_conv")
_AGGREGATES = {"avg": "mean", "count_values": "count", "count_distinct": "distinct"}


def cases_folder(given: str | None) -> Path:
    """Where the cases lie: ``--cases``, ``SVC_CASES``, or beside the project."""
    return Path(given or os.environ.get("SVC_CASES") or Path(__file__).resolve().parents[1].parent / "shared" / "cases")


def build_layer(folder: Path, described: dict[str, Any]) -> SemanticLayer:
    """A layer over one set of described tables, as ``svc-notebook init`` would make it."""
    data = {
        ".".join(filter(None, (table.get("schema"), table["name"]))): _load(folder, table)
        for table in described["tables"]
    }
    engine = DuckDBEngine.open(None, data=data)
    return SemanticLayer(load_model(scaffold_model(described, engine=engine, views=False)), engine)


def _load(folder: Path, table: dict[str, Any]) -> pa.Table:
    """A table's rows with the declared types; empty cells are missing."""
    if table.get("parquet"):
        import pyarrow.parquet as pq

        return pq.read_table(folder / table["parquet"])
    with (folder / table["file"]).open(encoding="utf8", newline="") as handle:
        rows = list(csv.reader(handle))
    names, body = rows[0], rows[1:]
    columns = {}
    for place, (name, column) in enumerate(zip(names, table["columns"], strict=True)):
        columns[name] = _typed([row[place] for row in body], column["type"])
    return pa.table(columns)


def _typed(cells: list[str], kind: str) -> pa.Array:
    values: list[Any] = [cell if cell != "" else None for cell in cells]
    if kind == "number":
        numbers = [float(v) if v is not None else None for v in values]
        whole = all(n is None or n.is_integer() and abs(n) < 2**53 for n in numbers)
        return (
            pa.array([int(n) if n is not None else None for n in numbers], pa.int64())
            if whole
            else pa.array(numbers, pa.float64())
        )
    if kind == "boolean":
        return pa.array([v.lower() in ("true", "1", "t") if v is not None else None for v in values], pa.bool_())
    if kind == "time":
        try:
            return pa.array([datetime.fromisoformat(v) if v is not None else None for v in values], pa.timestamp("us"))
        except ValueError:
            return pa.array(values, pa.string())
    return pa.array(values, pa.string())


async def predict(layer: SemanticLayer, case: dict[str, Any], analyst: OfflineAnalyst) -> dict[str, Any]:
    """One case as a line of predictions."""
    now = datetime.fromisoformat(case.get("as_of") or "2025-06-18").replace(tzinfo=UTC)
    history: list[PastTurn] = []
    prediction: dict[str, Any] = {"id": case["id"]}
    started = time.perf_counter()
    for question in case.get("turns") or [case["utterance"]]:
        toolbox = Toolbox(layer, SecurityContext.operator())
        prediction = {"id": case["id"]}
        async for event in analyst.answer(Turn(question, tuple(history), now=now), toolbox, toolbox.cancel):
            if isinstance(event, ToolFinished) and event.name == SQL_TOOL:
                prediction.update(_result(toolbox, event))
            if isinstance(event, AnswerDone):
                history.append(PastTurn(question, event.text, memory=event.memory))
                prediction.update(_members(toolbox, event))
    prediction.setdefault("abstained", "sql" not in prediction)
    prediction["seconds"] = time.perf_counter() - started
    return prediction


def _result(toolbox: Toolbox, event: ToolFinished) -> dict[str, Any]:
    asked, told = json.loads(event.input), json.loads(event.result)
    if "error" in told:
        return {"sql": asked["sqlQuery"], "error": told["error"]}
    table = toolbox.table(told["uuid"])
    rows = [[_plain(value) for value in row.values()] for row in table.to_pylist()]
    return {"sql": asked["sqlQuery"], "columns": table.column_names, "rows": rows, "spec": asked.get("vegaSpec")}


def _members(toolbox: Toolbox, event: AnswerDone) -> dict[str, Any]:
    if "plan" not in event.memory:
        return {}
    plan: Plan = from_memory(event.memory["plan"])
    metadata = load_metadata(toolbox)
    found = {}
    for column in write_sql(plan, metadata).columns:
        field = column.member.split(".", 1)[1] if column.member else None
        aggregate: str | None = None
        if column.role == "measure":
            measure = plan.measures[column.place]
            aggregate = _AGGREGATES.get(measure.aggregate, measure.aggregate)
            if measure.aggregate == "measure" and column.member is not None:
                kind = metadata.member(column.member).agg_type or ""
                aggregate, field = _AGGREGATES.get(kind, kind), _base(field or "")
        found[column.name] = {"field": field, "agg": aggregate}
    return {"members": found, "confidence": plan.confidence, "unread": list(plan.unread)}


def _base(name: str) -> str | None:
    """The column a generated measure is made of (``avg_weight`` → ``weight``)."""
    head, _, rest = name.partition("_")
    return rest if head in ("avg", "total", "min", "max", "distinct") else None


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


async def run(folder: Path, name: str, split: str, scorer: Any) -> list[dict[str, Any]]:
    """Predictions of a whole set."""
    described = scorer.models(name)
    layers: dict[str, SemanticLayer] = {}
    analyst, predictions = OfflineAnalyst(), []
    for case in scorer.load_cases(name, split):
        if case["model"] not in layers:
            layers[case["model"]] = build_layer(folder / "questions" / name, described[case["model"]])
            toolbox = Toolbox(layers[case["model"]], SecurityContext.operator())
            await asyncio.to_thread(load_metadata, toolbox)
        predictions.append(await predict(layers[case["model"]], case, analyst))
    for layer in layers.values():
        layer.close()
    return predictions


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--cases")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--out", help="folder for the prediction files")
    chosen = parser.parse_args(arguments)
    folder = cases_folder(chosen.cases)
    if not (folder / "questions").is_dir():
        print(f"no question sets under {folder}: give --cases DIR or SVC_CASES")
        return 0
    sys.path.insert(0, str(folder / "questions"))
    scorer = importlib.import_module("score")
    print(f"{'set':12s} {'n':>4s} {'answered':>9s} {'result':>7s} {'chart':>7s} {'precision':>10s} {'median ms':>10s}")
    for name in chosen.sets or SETS:
        predictions = asyncio.run(run(folder, name, chosen.split, scorer))
        if chosen.out:
            Path(chosen.out).mkdir(parents=True, exist_ok=True)
            lines = [json.dumps(p, default=str) + "\n" for p in predictions]
            (Path(chosen.out) / f"{name}.jsonl").write_text("".join(lines), encoding="utf8")
        scored = scorer.score(name, chosen.split, predictions)
        total = scorer.S.summarize(scored)["ALL"]
        key = "chart" if "chart" in total else "result"
        answered = [s["m"][key] for s in scored if s["m"]["answered"] and s["m"].get(key) is not None]
        precision = 100 * sum(answered) / len(answered) if answered else 0.0
        median = 1000 * statistics.median(p["seconds"] for p in predictions)
        print(
            f"{name:12s} {total['n']:4d} {total['answered']:>9s} {str(total.get('result', '-')).split()[0]:>7s} {total.get('chart', '-'):>7s} {precision:10.1f} {median:10.1f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
