"""Follow-ups refine the question before; what cannot be read is refused with an offer."""

from __future__ import annotations

import pytest
import worlds
from asking import ask

from svc_notebook.analyst.offline.plans.plan import Plan, from_memory, to_memory


def plan_of(*questions: str) -> Plan:
    return from_memory(ask(worlds.shop(), *questions).answer.memory["plan"])


def grouped(plan: Plan) -> list[str]:
    return [d.member.split(".")[1] + (f":{d.grain}" if d.grain else "") for d in plan.dimensions]


def test_only_adds_a_condition() -> None:
    plan = plan_of("revenue by month", "only Germany")
    assert grouped(plan) == ["order_date:month"]
    assert [(c.member, c.values) for c in plan.conditions] == [("orders.country", ("Germany",))]


def test_another_only_replaces_the_value() -> None:
    assert plan_of("revenue by month", "only Germany", "only France").conditions[0].values == ("France",)


def test_now_by_week_replaces_the_grain() -> None:
    assert grouped(plan_of("revenue by month", "now by week")) == ["order_date:week"]


def test_and_by_adds_a_grouping() -> None:
    assert grouped(plan_of("revenue by month", "and by country")) == ["order_date:month", "country"]


def test_by_something_instead_replaces_the_grouping() -> None:
    assert grouped(plan_of("revenue by country", "by brand instead")) == ["brand"]


def test_without_leaves_values_out() -> None:
    plan = plan_of("revenue by country", "without cancelled")
    assert [(c.operator, c.values) for c in plan.conditions] == [("not in", ("cancelled",))]


def test_top_orders_and_cuts() -> None:
    plan = plan_of("revenue by product", "top 3")
    assert plan.limit == 3 and plan.order[0].descending


def test_as_a_table_draws_nothing() -> None:
    assert ask(worlds.shop(), "revenue by country", "as a table").spec is None


def test_as_a_pie_draws_one() -> None:
    spec = ask(worlds.shop(), "revenue by country", "as a pie chart").spec
    assert spec is not None and spec["mark"]["type"] == "arc"


def test_what_about_replaces_the_measure() -> None:
    plan = plan_of("revenue by country", "what about profit")
    assert [m.member for m in plan.measures] == ["orders.profit"] and grouped(plan) == ["country"]


def test_a_whole_question_starts_anew() -> None:
    assert grouped(plan_of("revenue by country", "number of orders per channel")) == ["channel"]


def test_why_names_a_dimension_and_its_figures() -> None:
    asked = ask(worlds.shop(), "revenue by country", "why is Germany higher")
    assert "differs most" in asked.answer.text and "not what caused it" in asked.answer.text
    shown = {str(row[0]) for row in asked.rows()}
    assert any(value in asked.answer.text for value in shown)


def test_pieces_said_one_by_one_make_a_question() -> None:
    plan = plan_of("draw a scatter plot", "x axis is discount", "y axis is unit price")
    assert set(plan.columns) == {"orders.discount", "orders.unit_price"}


@pytest.mark.parametrize("question", ["florbs by zork", "what is the meaning of life", "asdf qwer"])
def test_what_is_not_understood_is_refused_with_an_offer(question: str) -> None:
    asked = ask(worlds.shop(), question)
    assert asked.tool == {}
    assert "I could not read this" in asked.answer.text
    assert len(asked.answer.suggestions) == 3


@pytest.mark.parametrize("world", [worlds.flights, worlds.shop, worlds.hospital])
def test_offers_and_suggestions_can_be_answered(world: object) -> None:
    made = world()  # type: ignore[operator]  # a world of the parameters
    refused = ask(made, "florbs by zork")
    for offer in refused.answer.suggestions:
        assert ask(made, offer).table is not None, offer


def test_left_out_words_are_said() -> None:
    asked = ask(worlds.shop(), "revenue by country for the xylophones")
    assert "xylophones" in asked.answer.text


def test_the_same_question_gives_the_same_bytes() -> None:
    first, second = (ask(worlds.shop(), "top 5 products by revenue in 2024", "and by country") for _ in range(2))
    assert first.events == second.events


def test_a_plan_survives_its_memory() -> None:
    plan = plan_of("share of cancelled orders by channel in 2024")
    assert from_memory(to_memory(plan)) == plan


def test_the_plan_is_said_before_the_result() -> None:
    kinds = [type(event).__name__ for event in ask(worlds.shop(), "revenue by country").events]
    assert kinds.index("Thinking") < kinds.index("Working") < kinds.index("AnswerDelta") < kinds.index("AnswerDone")
