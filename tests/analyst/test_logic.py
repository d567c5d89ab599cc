"""And, or and not between conditions hold as people group them."""

from __future__ import annotations

import itertools

import trades
from asking import ask
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.analyst.offline.assembly.logic import combine
from svc_notebook.analyst.offline.plans.plan import Condition
from svc_notebook.analyst.offline.words.text import tokenize

NAMES = "abcd"


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(NAMES))
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    return f"( {left} {draw(st.sampled_from(['and', 'or']))} {right} )"


def read(text: str) -> list[tuple[str, Condition, int]]:
    joiner, entries = "and", []
    for place, token in enumerate(tokenize(text)):
        if token.lower in ("and", "or"):
            joiner = token.lower
        elif token.lower in NAMES:
            entries.append((joiner, Condition(token.lower, "true"), place))
            joiner = "and"
    return entries


@given(expressions())
def test_parentheses_mean_what_they_say(text: str) -> None:
    always, either = combine(read(text), tokenize(text))
    for values in itertools.product([False, True], repeat=len(NAMES)):
        world = dict(zip(NAMES, values, strict=True))
        said = eval(text, {}, world)
        holds = all(world[c.member] for c in always)
        holds = holds and (not either or any(all(world[c.member] for c in group) for group in either))
        assert holds == said


def test_a_period_holds_on_both_sides_of_an_or() -> None:
    said = ["how many sales were returned or paid with a voucher in 2023"]
    asked = ask(trades.retail(), *said)
    asked = asked if asked.tool else ask(trades.retail(), *said, "1")  # it may ask which is meant
    assert asked.tool["input"]["sqlQuery"].count("2023-01-01") == 1


def test_two_periods_without_a_common_moment_mean_either() -> None:
    asked = ask(trades.retail(), "revenue in march 2023 and march 2024")
    assert asked.rows()[0][0] is not None
