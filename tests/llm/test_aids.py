"""What a model has besides metadata and SQL: earlier results, values, drafts, certified examples; and being left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from svc_notebook.analyst.base import Event, PastTurn, ToolFinished, Usage
from svc_notebook.analyst.errors import AnalystUnavailable
from svc_notebook.analyst.registry import make_analyst
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.protocol.tools import SqlInput, SqlResult
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.results.kept import KeptResults

from ..loops import run
from .conftest import MODEL, ORDERS
from .provider import Call, Part, Provider, Text
from .test_language_model import analyst_for, assert_calls_closed, collect, done, replies

pytest.importorskip("pydantic_ai")

BY_STATUS = "SELECT status, MEASURE(revenue) AS revenue FROM orders WHERE status = 'paid' GROUP BY 1"
ANA = SecurityContext(user="ana", user_attributes={"region": ["EMEA"]})


@pytest.fixture
def kept() -> Iterator[KeptResults]:
    kept = KeptResults()
    yield kept
    kept.close()


@pytest.fixture
def keeping(kept: KeptResults) -> Iterator[SemanticLayer]:
    layer = SemanticLayer(load_model(MODEL), DuckDBEngine.open(None, data={"orders": ORDERS}), kept=kept)
    yield layer
    layer.close()


def toolbox_of(layer: SemanticLayer, context: SecurityContext = ANA) -> Toolbox:
    return Toolbox(layer, context, sink=layer.remember)


def earlier(layer: SemanticLayer) -> PastTurn:
    """A turn of Ana's thread, with its result."""
    result = run(toolbox_of(layer).sql_api(SqlInput(sql_query=BY_STATUS)))
    assert isinstance(result, SqlResult)
    return PastTurn("revenue of paid orders", "See the table.", results=[{"uuid": result.uuid, "sqlQuery": BY_STATUS}])


def asked(
    layer: SemanticLayer, script: list[list[Part]], *past: PastTurn, context: SecurityContext = ANA, **options: Any
) -> tuple[list[Event], str]:
    """The events, and everything the model was sent."""
    with Provider(replies(script)) as provider:
        analyst = analyst_for(provider, "openai", **options)
        events = run(collect(analyst, toolbox_of(layer, context), "and before that", history=past))
        assert_calls_closed(events)
        return events, json.dumps(provider.requests)


def result_of(events: list[Event], tool: str) -> Any:
    (found,) = [json.loads(event.result) for event in events if isinstance(event, ToolFinished) and event.name == tool]
    return found


def calling(tool: str, text: str = "Done.", **arguments: Any) -> list[list[Part]]:
    return [[Call(tool, arguments)], [Text(text)]]


def test_an_earlier_result_is_had_by_its_uuid_without_a_query(
    keeping: SemanticLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = earlier(keeping)
    ran: list[str] = []
    execute = keeping.engine.execute
    monkeypatch.setattr(
        keeping.engine, "execute", lambda sql, *given, **named: ran.append(sql) or execute(sql, *given, **named)
    )
    events, sent = asked(keeping, calling("svcResult", "Paid: 50.", uuid=past.results[0]["uuid"]), past)
    assert result_of(events, "svcResult")["totalRows"] == 1
    assert '"data":[["paid",50.0]]' in sent.replace("\\", "")
    assert not [sql for sql in ran if "sum(" in sql.lower()]
    assert done(events).text == "Paid: 50."  # found in that result: nothing is doubted


def test_a_result_of_nobodys_thread_is_not_there(keeping: SemanticLayer) -> None:
    past = earlier(keeping)
    events, _ = asked(keeping, calling("svcResult", uuid="0" * 32), past)
    assert "no result of this conversation" in result_of(events, "svcResult")["error"]


def test_a_result_that_is_gone_says_so_and_how_to_ask_anew(keeping: SemanticLayer, kept: KeptResults) -> None:
    past = earlier(keeping)
    kept.close()
    events, _ = asked(keeping, calling("svcResult", uuid=past.results[0]["uuid"]), past)
    assert result_of(events, "svcResult")["error"] == f"that result is gone; ask anew with svcSqlApi: {BY_STATUS}"


def test_whoever_has_other_rights_by_now_does_not_have_the_result(keeping: SemanticLayer) -> None:
    """A thread goes on after its asker's rights have changed."""
    past = earlier(keeping)
    other = SecurityContext(user="ana", user_attributes={"region": ["APAC"]})
    events, sent = asked(keeping, calling("svcResult", uuid=past.results[0]["uuid"]), past, context=other)
    assert "is gone" in result_of(events, "svcResult")["error"]
    assert '"50' not in sent.replace("\\", "")


def test_values_are_those_the_asker_may_see(keeping: SemanticLayer) -> None:
    events, sent = asked(keeping, calling("svcValues", member="orders.status", search="PAI"))
    assert result_of(events, "svcValues") == {"values": ["paid"]}
    events, sent = asked(keeping, calling("svcValues", member="orders.status"))
    assert "open" in result_of(events, "svcValues")["values"]
    assert "CANARY" not in sent


@pytest.mark.parametrize("member", ["orders.internal_note", "orders.revenue", "nothing", "orders.", 7])
def test_what_is_no_dimension_of_theirs_has_no_values(keeping: SemanticLayer, member: Any) -> None:
    events, sent = asked(keeping, calling("svcValues", member=member))
    assert "error" in result_of(events, "svcValues")
    assert "CANARY" not in sent


def test_a_question_can_be_read_as_a_draft(keeping: SemanticLayer) -> None:
    events, _ = asked(keeping, calling("svcDraft", question="revenue by status"))
    found = result_of(events, "svcDraft")
    assert "MEASURE(" in found["sqlQuery"]
    assert "status" in found["sqlQuery"]
    assert 0 < found["confidence"] <= 1
    events, _ = asked(keeping, calling("svcDraft", question="blorf the quux"))
    assert "error" in result_of(events, "svcDraft")


def test_names_alone_leave_the_machine_with_these_tools_too(keeping: SemanticLayer) -> None:
    past = earlier(keeping)
    uuid = past.results[0]["uuid"]
    script: list[list[Part]] = [
        [Call("svcResult", {"uuid": uuid}, "1")], [Call("svcValues", {"member": "orders.status"}, "2")],
        [Call("svcDraft", {"question": "revenue of open orders"}, "3")], [Text("See below.")],
    ]  # fmt: skip
    _, sent = asked(keeping, script, past, sends="names")
    plain = sent.replace("\\", "")
    assert "kept on the asker's machine" in plain
    assert '"svcValues", "description"' not in plain
    assert "'open'" not in plain.replace("revenue of open orders", "")
    assert '"50' not in plain


def test_without_aids_there_are_two_tools(keeping: SemanticLayer) -> None:
    _, sent = asked(keeping, [[Text("Hello.")]], earlier(keeping), aids=False)
    assert "svcSqlApi" in sent
    for tool in ("svcResult", "svcValues", "svcDraft"):
        assert tool not in sent


def test_the_certified_queries_most_like_the_question_are_shown(keeping: SemanticLayer) -> None:
    certified = [
        {"question": "What is our net revenue by status?", "sql": BY_STATUS},
        {"question": "How many orders are there?", "sql": "SELECT MEASURE(count) FROM orders"},
        {"question": "net revenue notes by status", "sql": "SELECT internal_note FROM orders"},
    ]
    with Provider(replies([[Text("Hello.")]])) as provider:
        options = {"api_key": "sk-test-key"}
        analyst = make_analyst(f"{provider.url}/v1#m", options=options, certified=certified)
        run(collect(analyst, toolbox_of(keeping), "net revenue for each status"))
        sent = json.dumps(provider.requests)
    assert "What is our net revenue by status?" in sent
    assert "How many orders are there?" not in sent
    assert "net revenue notes" not in sent  # of a member that Ana may not see


def test_a_sure_reading_is_answered_without_the_model_only_when_told_to(keeping: SemanticLayer) -> None:
    with Provider(replies([[Text("Hello.")]])) as provider:
        sure = analyst_for(provider, "openai", hand_over=0.5)
        events = run(collect(sure, toolbox_of(keeping), "revenue by status"))
        assert provider.requests == []
        assert "sql" in next(event.input for event in events if isinstance(event, ToolFinished) and "Sql" in event.name)
        assert not any(isinstance(event, Usage) for event in events)
        run(collect(analyst_for(provider, "openai", hand_over=0.5), toolbox_of(keeping), "blorf the quux"))
        assert len(provider.requests) == 1
        run(collect(analyst_for(provider, "openai"), toolbox_of(keeping), "revenue by status"))
        assert len(provider.requests) == 2


@pytest.mark.parametrize("given", [True, "often", 1.5, -0.1])
def test_a_confidence_is_a_number_from_0_to_1(given: Any) -> None:
    with pytest.raises(AnalystUnavailable, match=r"hand_over is .*: write a number from 0 to 1"):
        make_analyst("openai:m", options={"api_key": "sk-test-key", "hand_over": given})
