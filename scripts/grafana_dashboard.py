"""Write docs/grafana-dashboard.json: the figures of a service, one panel each (run by hand when figures change)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

OUT = Path(__file__).parents[1] / "docs" / "grafana-dashboard.json"


def spread(name: str) -> list[str]:
    return [f"histogram_quantile({q}, sum by (le) (rate({name}_bucket[5m])))" for q in (0.5, 0.95, 0.99)]


PANELS: list[tuple[str, str, list[str]]] = [
    ("Requests a second, by status", "reqps", ["sum by (status) (rate(svc_requests_total[5m]))"]),
    ("First line of an answer (p50, p95, p99)", "s", spread("svc_first_line_seconds")),
    ("Answers under way, and not yet kept", "short", ["svc_turns_running", "svc_turns_unsaved"]),
    ("Answers a minute, by outcome", "short", ["60 * sum by (outcome) (rate(svc_turns_total[5m]))"]),
    ("Stops a minute, by reason", "short", ["60 * sum by (reason) (rate(svc_aborts_total[5m]))"]),
    ("How long answers take (p50, p95, p99)", "s", spread("svc_turn_seconds")),
    ("Queries (p50, p95, p99)", "s", spread("svc_query_seconds")),
    ("Queries a second, by outcome", "short", ["sum by (outcome) (rate(svc_queries_total[5m]))"]),
    ("Rows a second", "short", ["rate(svc_rows_total[5m])"]),
    ("Waiting for a place", "short", ["svc_lane_waiting"]),
    ("Open, of how many may be", "percentunit", ["svc_open / svc_open_limit"]),
    ("State store (p50, p95, p99)", "s", spread("svc_store_seconds")),
    ("State store: not done, a minute", "short", ["60 * sum by (error) (rate(svc_store_faults_total[5m]))"]),
    ("State store is silent", "short", ["svc_store_silent"]),
    ("Newer data are held back", "short", ["svc_generation_held_back"]),
    ("Audit entries lost", "short", ["svc_audit_lost_total"]),
    ("Workers that answer, and that do not", "short", ["svc_workers", "svc_workers_silent"]),
    ("Memory, by worker", "bytes", ["process_resident_memory_bytes"]),
    ("Cores busy, by worker", "short", ["rate(process_cpu_seconds_total[5m])"]),
]


def panel(index: int, title: str, unit: str, queries: list[str]) -> dict[str, Any]:
    source = {"type": "prometheus", "uid": "${source}"}
    return {
        "id": index + 1, "title": title, "type": "timeseries", "datasource": source,
        "gridPos": {"h": 8, "w": 8, "x": index % 3 * 8, "y": index // 3 * 8},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(65 + number), "expr": query, "datasource": source} for number, query in enumerate(queries)
        ],
    }  # fmt: skip


def dashboard() -> dict[str, Any]:
    return {
        "title": "svc-notebook", "uid": "svc-notebook", "schemaVersion": 39, "editable": True, "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [{"name": "source", "type": "datasource", "query": "prometheus", "label": "Source"}]},
        "panels": [panel(index, *each) for index, each in enumerate(PANELS)],
    }  # fmt: skip


if __name__ == "__main__":
    OUT.write_text(json.dumps(dashboard(), indent=1) + "\n", "utf-8")
