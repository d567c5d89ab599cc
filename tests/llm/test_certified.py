"""Agents of the configuration: several to an account, each with its analyst and its certified queries."""

from __future__ import annotations

import pytest

import svc_notebook as svc
from svc_notebook.analyst.certified import CertifiedQuery
from svc_notebook.analyst.errors import AnalystUnavailable
from svc_notebook.analyst.registry import make_analyst

from .conftest import MODEL, ORDERS
from .provider import Provider, Text

CERTIFIED = {
    "question": "What is our revenue?",
    "sql": "SELECT MEASURE(revenue) AS revenue FROM orders WHERE status = 'paid'",
    "title": "Revenue of paid orders",
}
CONFIG = {
    "attributes": {"region": {"type": "string_array"}},
    "agents": [
        {"id": "data-analyst"},
        {"id": "finance", "name": "Finance", "certified_queries": [CERTIFIED]},
    ],
}


@pytest.mark.parametrize("question", ["What is our revenue?", "our revenue", "please give me our REVENUE!"])
def test_a_certified_query_is_served_under_the_askers_policies(question: str) -> None:
    with svc.embedded(model=MODEL, data={"orders": ORDERS}, config=CONFIG, agent="finance") as client:
        answer = client.chat(external_id="ana", user_attributes={"region": ["EMEA"]}).ask(question)
        assert answer.sql == CERTIFIED["sql"]
        assert "50" in answer.text and "certified" in answer.text
        nobody = client.chat(external_id="nobody").ask(question)
        assert "region" in nobody.text and "50" not in nobody.text


def test_other_questions_and_other_agents_are_not_touched() -> None:
    with svc.embedded(model=MODEL, data={"orders": ORDERS}, config=CONFIG, agent="finance") as client:
        other = client.chat(external_id="ana", user_attributes={"region": ["EMEA"]}).ask("how many orders by status")
        assert "certified" not in other.text and len(other.df) == 3
    with svc.embedded(model=MODEL, data={"orders": ORDERS}, config=CONFIG) as client:
        plain = client.chat(external_id="ana", user_attributes={"region": ["EMEA"]}).ask("What is our revenue?")
        assert "certified" not in plain.text


def test_a_certified_query_with_a_slip_is_named_at_once() -> None:
    with pytest.raises(AnalystUnavailable, match="`question` and `sql`"):
        make_analyst("offline", certified=[{"question": "x", "sqll": "SELECT 1"}])


def test_filler_words_and_order_do_not_matter() -> None:
    query = CertifiedQuery("Flights by carrier", "SELECT 1", also=("carriers compared",))
    assert query.matches("show me the flights by carrier, please") and query.matches("Carriers compared")
    assert not query.matches("flights by origin")


def test_a_service_that_stops_lets_the_provider_go_and_may_start_again() -> None:
    with Provider(lambda index, request: [Text("Ahoy.")]) as provider:
        client = svc.embedded(model=MODEL, data={"orders": ORDERS}, analyst=f"{provider.url}/v1#m")
        assert client.chat().ask("hello").text == "Ahoy."
        client.restart()
        assert client.chat().ask("hello again").text == "Ahoy."
        client.close()
        assert len(provider.requests) == 2
