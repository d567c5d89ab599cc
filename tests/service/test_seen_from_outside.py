"""What an operator sees: health, figures, a line for a request and for a slow query, the audit log, ids of errors."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from svc_notebook.service.operation.audit import AuditLog
from svc_notebook.service.operation.metrics import Metrics

from .service_world import World, embedded_world, eventually

Open = Callable[..., World]
SAMPLE = re.compile(r'((?:svc|process)_\w+)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)')


@pytest.fixture
def open_figures() -> Any:
    with embedded_world(metrics="open") as w:
        yield w


def figures(w: World) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in w.get("/metrics", None).text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(
                r"# (HELP (?:svc|process)_\w+ .+|TYPE (?:svc|process)_\w+ (counter|gauge|histogram))", line
            )
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample, line
        found[f"{sample[1]}{{{sample[2]}}}" if sample[2] else sample[1]] = float(sample[3])
    return found


def test_a_process_that_answers_is_alive(w: World) -> None:
    assert w.get("/livez", None).json() == {"status": "alive"}


def test_a_service_is_ready_when_store_model_and_engine_are(w: World) -> None:
    response = w.get("/readyz", None)
    said = response.json()
    assert (said["status"], said["checks"]) == ("ready", {"store": "ok", "model": "ok", "engine": "ok"})
    assert said["generation"]["heldBack"] is False
    assert response.status_code == 200


def test_a_store_that_is_gone_is_not_ready_and_still_alive(tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "state.sqlite"
    w = opened(str(path))
    path.rename(tmp_path / "elsewhere.sqlite")
    response = w.get("/readyz", None)
    assert response.status_code == 503
    assert "moved or replaced" in response.json()["checks"]["store"]
    assert str(tmp_path) not in response.text
    assert response.json()["checks"]["model"] == "ok"
    assert w.get("/livez", None).status_code == 200


def test_an_engine_that_fails_is_not_ready(w: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from svc_notebook.semantic.errors import EngineFailure

    class Broken:
        concurrent = 1

        def execute(self, *_: Any, **__: Any) -> Any:
            raise EngineFailure("the disk /srv/data.duckdb is gone")

    monkeypatch.setattr(w.layer, "engine", Broken(), raising=False)
    response = w.get("/readyz", None)
    assert response.status_code == 503
    assert response.json()["checks"]["engine"] == "cannot be used; the log says why"


def test_figures_are_for_whoever_holds_their_key(w: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert w.get("/metrics", None).status_code == 404
    monkeypatch.setenv("SVC_METRICS_KEY", "of-the-scraper")
    assert w.get("/metrics", None).status_code == 401
    assert w.get("/metrics").status_code == 401, "an account's key opens no other account's figures"
    response = w.get("/metrics", "Bearer of-the-scraper")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")


def test_figures_count_what_happened_and_name_nobody(open_figures: World) -> None:
    w = open_figures
    w.session(externalId="ana", userAttributes=[{"name": "region", "value": ["EMEA"]}])
    w.ask("orders", "ana")
    w.ask("Run: SELECT nothing FROM orders", "ana")
    w.session(externalId="Not Good")
    eventually(lambda: figures(w)["svc_turns_running"] == 0)
    seen = figures(w)
    assert seen['svc_turns_total{outcome="complete"}'] == 2
    assert seen['svc_queries_total{outcome="complete"}'] == 1
    assert seen['svc_queries_total{outcome="refused"}'] == 1
    assert seen["svc_rows_total"] == 2
    assert seen['svc_requests_total{endpoint="generate_session",status="200"}'] == 1
    assert seen['svc_requests_total{endpoint="generate_session",status="400"}'] == 1
    assert seen["svc_first_line_seconds_count"] == 2
    assert seen['svc_first_line_seconds_bucket{le="+Inf"}'] == 2
    assert seen['svc_store_seconds_count{kind="write"}'] >= 3
    assert seen["svc_turns_unsaved"] == 0
    assert seen['svc_lane_waiting{lane="query"}'] == 0
    text = w.get("/metrics", None).text
    assert not [name for name in ("acme", "ana", "orders", "EMEA") if re.search(rf"\b{name}\b", text)]


def test_a_stopped_turn_is_counted_as_one(open_figures: World) -> None:
    import asyncio

    from svc_notebook.analyst.base import AnswerDelta

    w = open_figures

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("so far")
        await asyncio.Event().wait()

    with w.streaming("slow", "ana") as stream:
        stream.until(lambda frame: frame.get("content") == "so far")
        assert figures(w)["svc_turns_running"] == 1
        assert w.abort(stream.chat_id, "ana").status_code == 204
    assert figures(w)['svc_aborts_total{reason="aborted"}'] == 1
    assert figures(w)['svc_turns_total{outcome="aborted"}'] == 1


def test_histograms_add_up_and_labels_are_escaped() -> None:
    metrics = Metrics()
    spread = metrics.histogram("svc_x", "X.", bounds=(1.0, 2.0))
    for amount in (0.5, 1.0, 1.5, 9.0):
        spread.observe(amount)
    metrics.counter("svc_y", "Y.", "label").add('a "b"\n\\')
    text = metrics.text().splitlines()
    assert 'svc_x_bucket{le="1"} 2' in text
    assert 'svc_x_bucket{le="2"} 3' in text
    assert 'svc_x_bucket{le="+Inf"} 4' in text
    assert "svc_x_sum 12" in text
    assert r'svc_y{label="a \"b\"\n\\"} 1' in text


def test_a_request_is_a_line_without_its_query_string(w: World, caplog: pytest.LogCaptureFixture) -> None:
    def told() -> list[str]:
        return [record.getMessage() for record in caplog.records if record.name == "svc_notebook.access"]

    with caplog.at_level(logging.INFO, "svc_notebook.access"):
        response = w.http.get(
            "/svc-api/v1/meta?externalId=secret-person",
            headers={"Authorization": "Api-Key nonsense", "X-Request-Id": "mine-1"},
        )
        # The line is written when the answer has left, which may be after it is here.
        eventually(lambda: any("GET /svc-api/v1/meta 401" in line and "id=mine-1" in line for line in told()))
    assert response.headers["x-request-id"] == "mine-1"
    assert "secret-person" not in caplog.text


def test_a_slow_query_is_told_with_the_id_of_its_request(caplog: pytest.LogCaptureFixture) -> None:
    with embedded_world(slow_query=0.0) as w:
        body = {"query": "SELECT id\nFROM orders"}
        response = w.http.post(
            "/svc-api/v1/sql", json=body, headers={"Authorization": "Api-Key test-admin-key", "X-Request-Id": "slow-1"}
        )
        assert response.status_code == 200
    told = [record.getMessage() for record in caplog.records if record.name == "svc_notebook.slow"]
    assert len(told) == 1
    assert "4 rows, request slow-1: SELECT id FROM orders" in told[0]


def test_an_error_a_user_sees_has_an_id_that_the_log_has(w: World, caplog: pytest.LogCaptureFixture) -> None:
    @w.analyst.on("bug")
    async def bug(turn: Any, toolbox: Any, cancel: Any) -> Any:
        raise RuntimeError("an internal secret")
        yield

    said = w.ask("bug", "ana")[-2]["error"]
    reference = said.rpartition(" under ")[2].rstrip(".")
    assert len(reference) == 16
    assert [record for record in caplog.records if reference in record.getMessage() and record.exc_info]
    assert "internal secret" not in said


def test_every_query_is_written_down_with_who_asked_what(tmp_path: Path) -> None:
    with embedded_world(audit_log=str(tmp_path / "audit")) as w:
        w.session(externalId="ana", userAttributes=[{"name": "region", "value": ["EMEA"]}])
        w.ask("how many orders", "ana")
        w.post("/svc-api/v1/sql", {"query": "SELECT secret FROM orders", "sessionSettings": {"externalId": "ana"}})
    (path,) = (tmp_path / "audit").glob("audit-*.jsonl")
    assert path.stat().st_mode & 0o777 == 0o600
    asked, refused = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert asked["question"] == "how many orders"
    assert asked["sql"] == "SELECT * FROM orders"
    assert asked["rowFilters"] == [{"cube": "orders", "filter": "region IN (?)"}]
    assert {name: asked[name] for name in ("account", "deployment", "user", "rows")} == {
        "account": "acme", "deployment": 32, "user": "ana", "rows": 2,
    }  # fmt: skip
    assert asked["seconds"] >= 0
    assert asked["at"].endswith("+00:00")
    assert refused["refused"] == "UnknownMember"
    assert "rows" not in refused


def test_an_audit_log_forgets_after_its_days(tmp_path: Path) -> None:
    now = [1_763_640_000.0]
    lost: list[int] = []
    log = AuditLog(tmp_path, 2, lambda: now[0], lambda: lost.append(1))
    for _ in range(5):
        log.put({"sql": "x"})
        now[0] += 86_400
    log.close()
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "audit-2025-11-22.jsonl", "audit-2025-11-23.jsonl", "audit-2025-11-24.jsonl",
    ]  # fmt: skip
    assert not lost


def test_an_audit_log_that_cannot_write_counts_what_it_lost(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lost: list[int] = []
    log = AuditLog(tmp_path / "a", 2, lambda: 0.0, lambda: lost.append(1))
    (tmp_path / "a").rmdir()
    log.put({"sql": "x"})
    log.close()
    assert lost == [1]
    assert "did not take an entry" in caplog.text


def test_the_dashboard_and_the_docs_speak_of_figures_that_there_are(open_figures: World) -> None:
    folder = Path(__file__).parents[2] / "docs"
    known = {line.split()[2] for line in open_figures.get("/metrics", None).text.splitlines() if "# TYPE" in line}
    shown = json.loads((folder / "grafana-dashboard.json").read_text("utf-8"))
    queries = " ".join(target["expr"] for panel in shown["panels"] for target in panel["targets"])
    asked = {re.sub(r"_bucket$", "", name) for name in re.findall(r"(?:svc|process)_\w+", queries)}
    assert asked <= known
    told = set(re.findall(r"`((?:svc|process)_[a-z_]*[a-z])", (folder / "service.md").read_text("utf-8")))
    assert told - {"svc_notebook"} == known
