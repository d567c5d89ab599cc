"""A turn edits an earlier form: what it says is added, taken away or put in the place of what was there."""

from __future__ import annotations

import asyncio

import pytest
import worlds
from asking import Asked, ask

from svc_notebook.analyst.base import AnswerDone, PastTurn, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.forms import Form, from_sql


def form_of(asked: Asked, world: worlds.World) -> Form:
    form = from_sql(asked.answer.memory["reading"], world.metadata.catalog)
    assert isinstance(form, Form)
    return form


def shop(*questions: str) -> Form:
    return form_of(ask(worlds.shop(), *questions), worlds.shop())


def same(*questions: str, sql: str) -> bool:
    """Whether the last of some turns asks what ``sql`` over the shop does."""
    form, wanted = shop(*questions), from_sql(sql, worlds.shop().metadata.catalog)
    assert isinstance(wanted, Form)
    return form.with_(order=form.order if form.limit else ()) == wanted.with_(
        order=wanted.order if wanted.limit else ()
    )


BY_COUNTRY = "SELECT country, MEASURE(revenue) AS revenue FROM orders"
GERMAN = "country = 'Germany'"


@pytest.mark.parametrize(
    ("turns", "sql"),
    [
        (["only Germany"], f"{BY_COUNTRY} WHERE {GERMAN} GROUP BY 1"),
        (["only Germany", "and for France?"], f"{BY_COUNTRY} WHERE country = 'France' GROUP BY 1"),
        (["only Germany", "add France"], f"{BY_COUNTRY} WHERE country IN ('Germany', 'France') GROUP BY 1"),
        (["only Germany", "remove the filter"], f"{BY_COUNTRY} GROUP BY 1"),
        (["without cancelled"], f"{BY_COUNTRY} WHERE status <> 'cancelled' GROUP BY 1"),
        (["what about profit?"], "SELECT country, MEASURE(profit) AS profit FROM orders GROUP BY 1"),
        (["no, I meant profit"], "SELECT country, MEASURE(profit) AS profit FROM orders GROUP BY 1"),
        (["add profit"], "SELECT country, MEASURE(revenue) AS revenue, MEASURE(profit) AS profit FROM orders GROUP BY 1"),
        (["add profit", "drop revenue"], "SELECT country, MEASURE(profit) AS profit FROM orders GROUP BY 1"),
        (["by channel instead"], "SELECT channel, MEASURE(revenue) AS revenue FROM orders GROUP BY 1"),
        (["and by channel"], "SELECT country, channel, MEASURE(revenue) AS revenue FROM orders GROUP BY 1, 2"),
        (["and by channel", "without the country"], "SELECT channel, MEASURE(revenue) AS revenue FROM orders GROUP BY 1"),
        (["overall"], "SELECT MEASURE(revenue) AS revenue FROM orders"),
        (["top 3"], f"{BY_COUNTRY} GROUP BY 1 ORDER BY 2 DESC LIMIT 3"),
        (["top 3", "show all"], f"{BY_COUNTRY} GROUP BY 1"),
        (["top 3", "bottom 2 of those"], f"{BY_COUNTRY} GROUP BY 1 ORDER BY 2 LIMIT 2"),
        (["in 2023"], f"{BY_COUNTRY} WHERE order_date >= '2023-01-01' AND order_date < '2024-01-01' GROUP BY 1"),
        (["in 2023", "and in 2024"], f"{BY_COUNTRY} WHERE order_date >= '2024-01-01' AND order_date < '2025-01-01' GROUP BY 1"),
        (["only Germany", "undo"], f"{BY_COUNTRY} GROUP BY 1"),
        (["only Germany", "and for France?", "undo", "undo"], f"{BY_COUNTRY} GROUP BY 1"),
        (["as a percentage", "undo", "only Germany"], f"{BY_COUNTRY} WHERE {GERMAN} GROUP BY 1"),
    ],
)  # fmt: skip
def test_a_turn_changes_what_it_says_and_keeps_the_rest(turns: list[str], sql: str) -> None:
    assert same("revenue by country", *turns, sql=sql)


def test_a_grain_takes_the_place_of_a_grain() -> None:
    assert same("revenue by month", "now by week", sql="SELECT DATE_TRUNC('week', order_date), MEASURE(revenue) FROM orders GROUP BY 1")  # fmt: skip


def test_shares_add_up_to_one() -> None:
    asked = ask(worlds.shop(), "revenue by country", "as a percentage")
    assert sum(row[1] for row in asked.rows()) == pytest.approx(1)


def test_the_order_turns() -> None:
    numbers = [row[1] for row in ask(worlds.shop(), "revenue by country", "ascending").rows()]
    assert numbers == sorted(numbers)
    numbers = [row[1] for row in ask(worlds.shop(), "revenue by country", "ascending", "the other way round").rows()]
    assert numbers == sorted(numbers, reverse=True)


def test_what_a_top_row_stands_for_is_kept_when_it_is_broken_down() -> None:
    asked = ask(worlds.shop(), "which country has the most revenue", "break it down by channel")
    first = ask(worlds.shop(), "which country has the most revenue").rows()[0]
    assert sum(row[1] for row in asked.rows()) == pytest.approx(first[1])


def test_those_are_the_ones_that_were_shown() -> None:
    shown = {row[0] for row in ask(worlds.shop(), "top 3 products by revenue").rows()}
    kept = ask(worlds.shop(), "top 3 products by revenue", "keep just the ones from Germany").rows()
    assert {row[0] for row in kept} == shown


@pytest.mark.parametrize("refused", ["florbs by zork", "thanks", "what is the meaning of life"])
def test_a_refused_turn_is_not_built_upon(refused: str) -> None:
    assert same("revenue by country", refused, "only Germany", sql=f"{BY_COUNTRY} WHERE {GERMAN} GROUP BY 1")


@pytest.mark.parametrize(
    ("wish", "why"), [("as a percentage", "add up"), ("undo", "undone"), ("remove the filter", "no filter")]
)
def test_what_has_no_place_is_refused_with_the_reason(wish: str, why: str) -> None:
    asked = ask(worlds.shop(), "average shipping days by country", wish)
    assert asked.tool == {} and why in asked.answer.text


def test_a_stopped_turn_is_not_built_upon() -> None:
    world = worlds.shop()
    first = ask(world, "revenue by country").answer.memory
    second = ask(world, "profit by channel").answer.memory
    history = (
        PastTurn("revenue by country", memory=first), PastTurn("profit by channel", status="aborted", memory=second)
    )  # fmt: skip
    toolbox = world.toolbox()

    async def last() -> AnswerDone:
        turn = Turn("only Germany", history, now=worlds.NOW)
        return [e async for e in OfflineAnalyst().answer(turn, toolbox, toolbox.cancel)][-1]  # type: ignore[return-value]  # the last event

    form = from_sql(asyncio.run(last()).memory["reading"], world.metadata.catalog)
    assert form == from_sql(f"{BY_COUNTRY} WHERE {GERMAN} GROUP BY 1", world.metadata.catalog)


def test_the_next_question_of_a_thread_that_an_earlier_version_kept_starts_anew() -> None:
    world = worlds.shop()
    kept = dict(ask(world, "revenue by country").answer.memory)
    del kept["reading"]
    draft = asyncio.run(
        OfflineAnalyst().draft(
            Turn("number of orders in Germany", (PastTurn("revenue by country", memory=kept),), now=worlds.NOW),
            world.toolbox(),
        )
    )
    assert draft is not None and "revenue" not in draft.sql
