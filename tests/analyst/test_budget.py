"""Any text gets an answer or a sentence within a budget, and a stop is heard while it is read."""

from __future__ import annotations

import asyncio
import time

import pytest
import worlds
from asking import ask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svc_notebook.analyst.base import Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.budget import Budget, ReadingTooLong
from svc_notebook.analyst.offline.plans.phrases import describe
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.cancellation import CancellationToken, Cancelled

LONGEST = 32_000  # what a chat request may carry
SECONDS = 2.0  # of this thread's own time

WORDS = (
    "flights delay airline JFK Delta distance month March 2013 average total count top 10 not without or and ( ) , . "
    "more than between 30 % by per each of in last 9 days ratio to divided compared with share median who that have "
    "no highest - / ' \" ? how many which why minutes Friday 12:30 2013-02-31 9999 1e9 $5 q4 fy13 weekend first"
).split()
pieces = st.one_of(st.sampled_from(WORDS), st.text(max_size=12), st.integers().map(str), st.text("9e.-%", max_size=60))
sentences = st.lists(pieces, max_size=60).map(" ".join)
repeated = st.tuples(st.lists(pieces, min_size=1, max_size=4).map(" ".join), st.integers(2, 9000)).map(
    lambda pair: f"{pair[0]} " * pair[1]
)
texts = st.one_of(sentences, repeated).map(lambda text: text[:LONGEST])

FOUND = ("region and " * 2800, "9" * 400, "last " + "9" * 30 + " days", "top " + "9" * 400 + " airlines",
         "airline " * 200, "9999-12-31", "flights after 9999-12-31", "1e999 flights")  # fmt: skip


def is_read(text: str) -> None:
    metadata = worlds.flights().metadata
    started = time.thread_time()
    try:
        plan = read(text, metadata, worlds.NOW, (), 2013).plan
    except ReadingTooLong:
        plan = None
    if plan is not None:
        assert write_sql(plan, metadata).sql
        assert describe(plan, metadata)
    assert time.thread_time() - started < SECONDS


@given(texts)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_text_is_read_or_refused_within_the_budget(text: str) -> None:
    is_read(text)


@pytest.mark.parametrize("text", FOUND, ids=lambda text: f"{len(text)}-{text[:12]}")
def test_texts_that_ran_away_are_answered_in_words(text: str) -> None:
    is_read(text)
    said = ask(worlds.shop(), text).answer.text
    assert said and len(said) < 2_000


def test_a_question_too_long_says_how_long_it_may_be_and_is_not_built_upon() -> None:
    long = "average delivery days by region and " * 200
    assert "too long for one question" in ask(worlds.shop(), long).answer.text
    after = ask(worlds.shop(), long, "number of orders by region")
    assert after.table is not None and after.table.num_rows > 1


def test_a_stop_is_heard_while_a_question_is_read() -> None:
    cancel = CancellationToken()
    cancel.cancel("user")
    with pytest.raises(Cancelled):
        read("number of flights by airline", worlds.flights().metadata, worlds.NOW, budget=Budget(cancel=cancel))


def test_a_stop_ends_the_turn_that_is_being_read() -> None:
    toolbox = worlds.flights().toolbox()
    turn = Turn("airline " * 190, now=worlds.NOW)

    async def stopped() -> float:
        async def consume() -> None:
            async for _ in OfflineAnalyst().answer(turn, toolbox, toolbox.cancel):
                pass

        task = asyncio.create_task(consume())
        await asyncio.sleep(0.05)
        began = time.monotonic()
        toolbox.cancel.cancel("user")
        with pytest.raises(Cancelled):
            await task
        return time.monotonic() - began

    asyncio.run(ask_once(toolbox))
    assert asyncio.run(stopped()) < 0.5


async def ask_once(toolbox: object) -> None:
    """Metadata are loaded before the clock starts."""
    async for _ in OfflineAnalyst().answer(Turn("flights", now=worlds.NOW), toolbox, CancellationToken()):  # type: ignore[arg-type]
        pass
