"""Answers that were marked right are examples for the next question: one's own, or everyone's where that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.analyst.errors import AnalystUnavailable
from svc_notebook.analyst.registry import make_analyst
from svc_notebook.service.store.errors import StoreAway

from .conftest import MODEL, ORDERS
from .provider import Call, Part, Provider, Text

pytest.importorskip("pydantic_ai")

PAID = "SELECT MEASURE(revenue) AS revenue FROM orders WHERE status = 'paid'"
ASKED, LIKE, OTHER = "turnover of settled orders", "turnover of settled orders last year", "how many regions"
HEAD = "# Queries that were right before"


def reply(index: int, request: dict[str, Any]) -> list[Part]:
    answered = any(message["role"] == "tool" for message in request["messages"])
    return [Text("Done.")] if answered else [Call("svcSqlApi", {"sqlQuery": PAID, "queryTitle": "t"})]


class Shop:
    """A service whose analyst is a stand-in, and what that was sent."""

    def __init__(self, provider: Provider, client: Any) -> None:
        self.provider, self.client = provider, client

    def ask(self, question: str, who: str, region: str = "EMEA", verdict: Any = None) -> str:
        """The instructions that came with the question; its answer is judged by ``verdict``."""
        before = len(self.provider.requests)
        chat = self.client.chat(external_id=who, is_ephemeral=False, user_attributes={"region": [region]})
        answer = chat.ask(question)
        if verdict:
            answer.judge(verdict)
        assert answer.status == "complete"
        return str(self.provider.requests[before]["messages"])


@pytest.fixture
def opened() -> Iterator[Callable[..., Shop]]:
    with ExitStack() as stack:

        def open_shop(**options: Any) -> Shop:
            provider = stack.enter_context(Provider(reply))
            analyst = make_analyst(f"{provider.url}/v1#m", options={"api_key": "k", **options})
            config = {"attributes": {"region": "string_array"}}
            given = {"model": MODEL, "data": {"orders": ORDERS}, "config": config, "analyst": analyst}
            return Shop(provider, stack.enter_context(svc.embedded(**given)))

        yield open_shop


def test_an_answer_of_ones_own_is_an_example_once_it_is_marked_right(opened: Callable[..., Shop]) -> None:
    shop = opened()
    assert HEAD not in shop.ask(ASKED, "ana")
    assert HEAD not in shop.ask(ASKED, "ana", verdict="wrong"), "nobody had said that it was right"
    shop.ask(ASKED, "ana", verdict="right")
    sent = shop.ask(LIKE, "ana")
    assert sent.count(HEAD) == 1 and ASKED in sent.partition(HEAD)[2] and "status = " in sent.partition(HEAD)[2]
    assert HEAD not in shop.ask(OTHER, "ana"), "it is nothing like it"
    assert HEAD not in shop.ask(LIKE, "bob"), "what somebody else asked is theirs"


def test_everyone_may_teach_where_that_is_chosen_and_nobody_where_not(opened: Callable[..., Shop]) -> None:
    for whose, seen in (("everyone", True), ("off", False)):
        shop = opened(accepted=whose)
        shop.ask(ASKED, "ana", verdict="right")
        assert (HEAD in shop.ask(LIKE, "bob")) is seen
        assert (HEAD in shop.ask(LIKE, "ana")) is seen
    shop = opened(accepted="everyone", sends="names")
    shop.ask(ASKED, "ana", verdict="right")
    assert HEAD not in shop.ask(LIKE, "bob")
    with pytest.raises(AnalystUnavailable, match="accepted is 'all': write one of own, everyone, off"):
        opened(accepted="all")


def test_a_store_that_is_away_costs_the_examples_alone(
    opened: Callable[..., Shop], monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = opened()
    shop.ask(ASKED, "ana", verdict="right")

    def away(*_: Any, **__: Any) -> Any:
        raise StoreAway("The state store is away.")

    monkeypatch.setattr("svc_notebook.service.turns.accepted.accepted_turns", away)
    assert HEAD not in shop.ask(LIKE, "ana")
