"""A question as one trace, from whoever asks to the query; and nothing of it that should not leave."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDelta
from svc_notebook.embedded_config import OPERATOR
from svc_notebook.service.config import load_config

from .service_world import Gate, World, embedded_world, eventually

pytest.importorskip("opentelemetry.sdk", reason="the extra `dev` brings OpenTelemetry's SDK")

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

Spans = InMemorySpanExporter
HEADERS = {"Authorization": "Api-Key test-admin-key"}
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[Spans]:
    """What is traced while the test runs; a process sets its provider once, so it is put in its place by hand."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    yield exporter
    provider.shutdown()


def named(spans: Spans, name: str) -> ReadableSpan:
    (found,) = [
        each for each in spans.get_finished_spans() if each.name == name and told(each).get("tool") != "svcMeta"
    ]
    return found


def ended(spans: Spans, *names: str) -> None:
    """Spans end when their work has, which may be after its answer is here."""
    eventually(lambda: {each.name for each in spans.get_finished_spans()} >= set(names))


def told(span: ReadableSpan) -> dict[str, Any]:
    return {name.removeprefix("svc."): value for name, value in (span.attributes or {}).items()}


def parent(span: ReadableSpan) -> int:
    assert span.parent is not None
    return span.parent.span_id


def test_a_question_is_one_trace_from_the_client_to_the_query(spans: Spans) -> None:
    with svc.demo() as client:
        answer = client.chat().ask("how many flights")
        ended(spans, "svc.ask", "POST", "POST chat", "svc.turn", "svc.tool", "svc.query")
    chain = [named(spans, name) for name in ("svc.ask", "POST", "POST chat", "svc.turn", "svc.tool", "svc.query")]
    assert len({each.context.trace_id for each in chain}) == 1
    assert [parent(each) for each in chain[1:]] == [each.context.span_id for each in chain[:-1]]
    assert [told(each).get("outcome") for each in chain] == ["complete", None, None, "complete", "complete", "complete"]
    assert told(chain[0])["chat"] == told(chain[3])["chat"] == answer.chat_id
    assert told(chain[0])["surface"] == "python"
    assert told(chain[4])["uuid"] == answer.result.uuid
    assert told(chain[5])["rows"] == 1


def test_a_question_of_a_widget_says_so(spans: Spans) -> None:
    with svc.demo() as client:
        widget = svc.ChatWidget(client)
        widget.ask("how many flights")
        ended(spans, "svc.ask", "svc.query")
        widget.close()
    assert told(named(spans, "svc.ask"))["surface"] == "widget"
    assert named(spans, "svc.ask").context.trace_id == named(spans, "svc.query").context.trace_id


def test_a_json_query_says_how_many_queries_and_rows_it_took(spans: Spans) -> None:
    asked = {"measures": ["flights.count"], "dimensions": ["flights.origin"]}
    with svc.demo() as client:
        key = client.service.config.tenants[0].api_keys[0].secret()
        headers = {"Authorization": f"Api-Key {key}"}
        with httpx.Client(base_url=client.base_url, transport=client.transport, headers=headers) as http:
            answered = http.post(
                "/svc-api/v1/load", json={"query": asked, "sessionSettings": {"internalId": OPERATOR.email}}
            )
        assert answered.status_code == 200, answered.text
        ended(spans, "svc.query")
    query = told(named(spans, "svc.query"))
    assert (query["outcome"], query["queries"], query["rows"]) == ("complete", 1, 3)


def test_neither_questions_nor_sql_nor_values_nor_names_are_told(spans: Spans) -> None:
    with embedded_world() as w:
        w.session(externalId="ana", userAttributes=[{"name": "region", "value": ["EMEA"]}])
        w.ask("how many orders", "ana")
        w.post("/svc-api/v1/sql", {"query": "SELECT secret FROM orders", "sessionSettings": {"externalId": "ana"}})
    everything = "".join(each.to_json() for each in spans.get_finished_spans())
    for word in ("how many", "SELECT", "secret", "orders", "EMEA", "ana", "acme", "test-admin-key"):
        assert word not in everything.replace("analyst", ""), word


def test_an_operator_may_have_question_and_sql_told(spans: Spans) -> None:
    with embedded_world(trace_text=True) as w:
        w.session(externalId="ana", userAttributes=[{"name": "region", "value": ["EMEA"]}])
        w.ask("how many orders", "ana")
    assert told(named(spans, "svc.query"))["question"] == "how many orders"
    assert told(named(spans, "svc.query"))["sql"] == "SELECT * FROM orders"
    assert load_config({"trace_text": True}).trace_text
    assert not load_config({}).trace_text


def test_a_trace_from_outside_goes_on_and_a_broken_one_is_a_new_one(spans: Spans) -> None:
    with embedded_world() as w:
        for sent in (f"00-{TRACE}-{PARENT}-01", f"00-{TRACE}-nonsense", "\xff" * 60):
            w.http.get("/svc-api/v1/meta", headers={**HEADERS, "traceparent": sent.encode("latin-1")})
    first, *others = [each for each in spans.get_finished_spans() if each.name == "GET meta"]
    assert f"{first.context.trace_id:032x}" == TRACE
    assert f"{parent(first):016x}" == PARENT
    assert [each.parent for each in others] == [None, None]


def test_what_fails_has_a_kind_and_no_words(spans: Spans, w: World) -> None:
    @w.analyst.on("bug")
    async def bug(turn: Any, toolbox: Any, cancel: Any) -> Any:
        raise RuntimeError("an internal secret")
        yield

    w.ask("bug", "ana")
    ended(spans, "svc.turn")
    turn = named(spans, "svc.turn")
    assert turn.status.status_code == trace.StatusCode.ERROR
    assert told(turn)["outcome"] == "failed"
    assert "internal secret" not in turn.to_json()


def test_a_query_that_is_refused_and_one_that_fails_end_their_spans(spans: Spans, w: World) -> None:
    w.post("/svc-api/v1/sql", {"query": "SELECT nothing FROM orders"})
    ended(spans, "svc.query", "POST run_sql")
    assert told(named(spans, "svc.query"))["error.type"] == "UnknownMember"
    assert named(spans, "POST run_sql").attributes["http.response.status_code"] == 400  # type: ignore[index]


def test_a_stopped_turn_says_what_stopped_it(spans: Spans, w: World) -> None:
    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield AnswerDelta("half an ")
        await Gate().passed()

    with w.streaming("slow") as stream:
        stream.until(lambda frame: "half an" in str(frame.get("content")))
        assert w.abort(stream.chat_id).status_code == 204
    ended(spans, "svc.turn")
    assert told(named(spans, "svc.turn"))["outcome"] == "aborted"
    assert told(named(spans, "svc.turn"))["stopped"] == "aborted"


def test_health_is_not_traced(spans: Spans, w: World) -> None:
    for path in ("/livez", "/readyz", "/metrics"):
        w.http.get(path)
    assert spans.get_finished_spans() == ()


def test_without_opentelemetry_nothing_is_imported_and_no_header_sent() -> None:
    program = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from svc_notebook.tracing import span\n"
        "with span('x', sent={'traceparent': '00-00-00-00'}) as told:\n"
        "    told.tell(outcome='complete'); told.called('y'); told.answered(500, failed=400)\n"
        "    assert told.headers() == {}\n"
        "import svc_notebook as svc\n"
        "assert svc.demo().chat().ask('how many flights').status == 'complete'\n"
        "assert not [name for name in sys.modules if name.startswith('opentelemetry.')]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
