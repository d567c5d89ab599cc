"""A language model's turns leave what the offline analyst's do: the reading that later turns build on, and choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from svc_notebook.analyst.base import AnswerDone, PastTurn, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.cancellation import CancellationToken
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

from ..loops import run
from .provider import Call, Part, Provider, Text
from .test_language_model import analyst_for, collect, done, replies

pytest.importorskip("pydantic_ai")

SALES = {"sales": pd.DataFrame({"product": ["tea", "rum", "tea"], "packing_delay": [2, 5, 1], "delivery_delay": [3, 6, 2]})}  # fmt: skip
QUESTION = "average delay by product"
DELIVERY = "SELECT product, MEASURE(avg_delivery_delay) AS delay FROM sales GROUP BY 1"

PACKING = DELIVERY.replace("delivery", "packing")


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    engine = DuckDBEngine.open(None, data=SALES)
    opened = SemanticLayer(load_model(scaffold_model(SALES, engine=engine)), engine)
    yield opened
    opened.close()


def asked(layer: SemanticLayer, script: list[list[Part]], question: str, *past: PastTurn) -> tuple[AnswerDone, str]:
    """The answer, and what the model was told."""
    with Provider(replies(script)) as provider:
        toolbox = Toolbox(layer, SecurityContext.operator())
        events = run(collect(analyst_for(provider, "openai"), toolbox, question, history=past))
        return done(events), str(provider.requests)


def answering(sql: str, text: str) -> list[list[Part]]:
    return [[Call("svcSqlApi", {"sqlQuery": sql, "queryTitle": "Delay"})], [Text(text)]]


def test_near_readings_stand_beside_the_answer_with_the_answered_one_first(layer: SemanticLayer) -> None:
    answer, told = asked(layer, answering(DELIVERY, "Rum takes longest."), QUESTION)
    assert [choice.question for choice in answer.choices] == [
        "Average delivery delay by product", "Average packing delay by product",
    ]  # fmt: skip
    assert "Average packing delay by product" in told


def test_an_answer_that_is_none_of_them_offers_none(layer: SemanticLayer) -> None:
    answer, _ = asked(layer, answering("SELECT MEASURE(count) AS n FROM sales", "3"), QUESTION)
    assert answer.choices == () and answer.memory["reading"].startswith("SELECT MEASURE(count)")


def test_the_next_words_take_one_of_them(layer: SemanticLayer) -> None:
    first, _ = asked(layer, answering(DELIVERY, "Rum takes longest."), QUESTION)
    past = PastTurn(QUESTION, first.text, memory=first.memory)
    _, told = asked(layer, answering(DELIVERY, "As you say."), "the second", past)
    assert "avg_packing_delay" in told.rpartition("A draft to check")[2]


def test_the_offline_analyst_goes_on_from_there(layer: SemanticLayer) -> None:
    first, _ = asked(layer, answering(DELIVERY, "Rum takes longest."), QUESTION)
    toolbox = Toolbox(layer, SecurityContext.operator())
    turn = Turn("only tea", (PastTurn(QUESTION, first.text, memory=first.memory),))

    async def answer() -> Any:
        return [event async for event in OfflineAnalyst().answer(turn, toolbox, CancellationToken())][-1]

    assert "avg_delivery_delay" in run(answer()).memory["reading"] and "tea" in run(answer()).memory["reading"]


def test_a_model_may_ask_which_reading_is_meant(layer: SemanticLayer) -> None:
    """The turn ends there, with readings of the model's own; the next words take one, and the draft is that one."""
    script = [[Call("svcChoices", {"queries": [PACKING, DELIVERY]})]]
    first, told = asked(layer, script, "which product is slowest")
    assert (first.outcome, first.memory.get("reading")) == ("asked_back", None)
    assert [choice.question for choice in first.choices] == [
        "Average packing delay by product", "Average delivery delay by product",
    ]  # fmt: skip
    assert "1. Average packing delay by product\n2. Average delivery delay by product" in first.text
    assert told.count("'messages'") == 1, "no further call is paid for"
    past = PastTurn("which product is slowest", first.text, memory=first.memory)
    _, told = asked(layer, answering(DELIVERY, "As you say."), "2", past)
    assert "avg_delivery_delay" in told.rpartition("A draft to check")[2]


@pytest.mark.parametrize(
    ("queries", "said"),
    [
        ([DELIVERY], "two or three queries, not 1"),
        ([DELIVERY] * 4, "two or three queries, not 4"),
        (DELIVERY, "svcChoices takes"),
        ([DELIVERY, 7], "svcChoices takes"),
        ([DELIVERY, DELIVERY], "two of the queries are one reading"),
        ([DELIVERY, "SELECT secret FROM sales"], "query 2 is refused"),
        ([f"{DELIVERY} UNION ALL {PACKING}", DELIVERY], "query 1 cannot be put into words"),
    ],
)
def test_choices_that_are_none_are_told_to_the_model(layer: SemanticLayer, queries: Any, said: str) -> None:
    answer, told = asked(layer, [[Call("svcChoices", {"queries": queries})], [Text("Say which.")]], "slowest product")
    assert (answer.outcome, answer.text) == ("", "Say which.")
    assert said in told
