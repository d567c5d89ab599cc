"""Any text gets an answer or a sentence within a budget, and a stop is heard while it is read."""

from __future__ import annotations

import asyncio
import threading
import time
from itertools import pairwise

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


class Watched(CancellationToken):
    """A token that is given at its ``last`` look, and keeps when each look was, by the looking thread's own time."""

    __slots__ = ("last", "looks")

    def __init__(self, last: int = 0) -> None:
        super().__init__()
        self.last = last
        self.looks: list[tuple[int, float]] = []

    def raise_if_cancelled(self) -> None:
        self.looks.append((threading.get_ident(), time.thread_time()))
        if len(self.looks) == self.last:
            self.cancel("user")
        super().raise_if_cancelled()


def take_turn(text: str, token: CancellationToken) -> None:
    async def consume() -> None:
        async for _ in OfflineAnalyst().answer(Turn(text, now=worlds.NOW), worlds.flights().toolbox(), token):
            pass

    asyncio.run(consume())


def test_a_turn_looks_for_a_stop_all_the_while_it_is_read() -> None:
    token = Watched()
    take_turn("airline " * 190, token)
    reading = [at for thread, at in token.looks if thread != threading.get_ident()]
    assert len(reading) > 500
    assert max(later - earlier for earlier, later in pairwise(reading)) < SECONDS / 2


@pytest.mark.parametrize("last", [1, 2, 3, 40, 700])
def test_a_stop_ends_the_turn_that_is_being_read(last: int) -> None:
    token = Watched(last)
    with pytest.raises(Cancelled):
        take_turn("airline " * 190, token)
    assert len(token.looks) <= last + 1


@pytest.mark.parametrize("gap", [" " * 20_000, "\t \n" * 5_000, "\u00a0" * 9_000], ids=["blanks", "lines", "no-break"])
def test_a_wide_gap_is_read_as_a_narrow_one(gap: str) -> None:
    began = time.process_time()
    wide = ask(worlds.shop(), f"number of orders{gap}by region")
    assert wide.table == ask(worlds.shop(), "number of orders by region").table
    assert wide.table is not None and time.process_time() - began < 5 * SECONDS


@pytest.mark.parametrize(
    "text", ["a" * 30_000, "and their " * 190, "sales, and with " * 60, "a-" * 900, "then them " * 100]
)
def test_a_long_text_after_an_answer_is_read_or_refused_within_the_budget(text: str) -> None:
    began = time.process_time()
    answer = ask(worlds.shop(), "number of orders by region", text).answer.text
    assert answer and time.process_time() - began < 5 * SECONDS
