"""Policy expressions: exact where they are true, and never true by what the asker lacks."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.policies.attributes import AttributeReference, AttributeText, ExpressionError, parse_value
from svc_notebook.semantic.policies.condition_evaluation import evaluate_condition
from svc_notebook.semantic.policies.expressions import parse_condition

CTX = SecurityContext(
    groups=frozenset({"staff", "emea"}),
    user_attributes={"level": 3, "city": "Rome", "flag": "false", "tags": ["a", "b"], "one": ["x"], "none": None, "nan": math.nan, "empty": []},
    security_context={"tenant": {"plan": "pro"}, "admin": True, "text": "5"},
)  # fmt: skip

TRUE = [
    "{ userAttributes.level }",
    "userAttributes.level == 3",
    "{ userAttributes.level >= 3 && securityContext.admin }",
    "{ user_attributes.city === 'Rome' }",
    '${ userAttributes.city != "Oslo" }',
    "{ securityContext.tenant.plan == 'pro' }",
    "{ security_context.text == 5 }",
    "{ !userAttributes.flag }",
    "{ userAttributes.tags.includes('a') }",
    "{ 'staff' in groups }",
    "{ groups.includes('emea') and not groups.includes('apac') }",
    "{ userAttributes.city in ['Rome', 'Oslo'] }",
    "{ userAttributes.one == 'x' }",
    "{ userAttributes.missing || securityContext.admin }",
    "{ (userAttributes.level > 5 or userAttributes.level < 4) and true }",
    "{ userAttributes.level != null }",
    "true",
]
FALSE = [
    "{ userAttributes.level > 3 }",
    "{ userAttributes.flag }",
    "{ userAttributes.missing }",
    "{ !userAttributes.missing }",
    "{ userAttributes.missing != 'x' }",
    "{ !(userAttributes.missing == 'x') }",
    "{ userAttributes.missing == null }",
    "{ !(userAttributes.missing != null) }",
    "{ userAttributes.none != 'x' }",
    "{ userAttributes.nan != 1 }",
    "{ !userAttributes.nan }",
    "{ userAttributes.empty }",
    "{ userAttributes.city > 3 }",
    "{ !(userAttributes.city > 3) }",
    "{ userAttributes.city != 3 }",
    "{ !userAttributes.tags.includes(3) }",
    "{ !userAttributes.missing.includes('x') }",
    "{ securityContext.tenant.plan.more == 1 }",
    "{ securityContext.tenant.other != 1 }",
    "false",
]
REFUSED = [
    "", "{ }", "{ user.x }", "{ userAttributes }", "{ userAttributes.a.b }", "{ groups.x }", "{ userAttributes.a == }",
    "{ userAttributes.a; userAttributes.b }", "{ userAttributes.a = 1 }", "{ fetch('x') }", "{ userAttributes['a'] }",
    "{ userAttributes.a == 1 ", "{ (userAttributes.a }", "{ userAttributes.a b }", "{ x => 1 }", "{ 'open }", "{ a ? b : c }",
    "{ [userAttributes.a] == 1 }", "{ " + "!" * 100 + "userAttributes.a }",
    "{ " + "(" * 100 + "true" + ")" * 100 + " }",
    "{ userAttributes.a }" * 200,
]  # fmt: skip


@pytest.mark.parametrize("text", TRUE)
def test_what_holds(text: str) -> None:
    assert evaluate_condition(parse_condition(text), CTX)


@pytest.mark.parametrize("text", FALSE)
def test_what_does_not_hold(text: str) -> None:
    assert not evaluate_condition(parse_condition(text), CTX)


@pytest.mark.parametrize("text", REFUSED, ids=[text[:30] for text in REFUSED])
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_condition(text)


def test_values() -> None:
    assert parse_value("{ userAttributes.region }") == AttributeReference("userAttributes", ("region",))
    assert parse_value("{securityContext.a.b}") == AttributeReference("securityContext", ("a", "b"))
    assert parse_value("{ groups }") == AttributeReference("groups")
    assert parse_value("plain") == "plain"
    assert parse_value(3) == 3
    for text in (
        "{ x }",
        "{ userAttributes }",
        "a { userAttributes.x.y }",
        "a { userAttributes.x",
        "{ userAttributes.x } or userAttributes.y",
        "userAttributes.x",
        "{ userAttributes.a.b }",
        "{ userAttributes.x == 1 }",
    ):
        with pytest.raises(ExpressionError):
            parse_value(text)


def test_a_reference_among_text() -> None:
    value = parse_value("eu-{ userAttributes.x }-${securityContext.a.b}{json}")
    assert isinstance(value, AttributeText)
    assert [str(part) for part in value.parts] == ["eu-", "userAttributes.x", "-", "securityContext.a.b", "{json}"]


NAMES = ["a", "b", "c"]
LEAVES = st.one_of(
    st.sampled_from([f"userAttributes.{name}" for name in NAMES]),
    st.sampled_from(["1", "2", "'x'", "'y'", "true", "false"]),
)
ATOMS = st.one_of(
    st.sampled_from([f"userAttributes.{name}" for name in NAMES]),
    st.tuples(LEAVES, st.sampled_from(["==", "!=", "<", ">=", "in ['x', 1]"]), LEAVES).map(
        lambda t: f"{t[0]} {t[1]}" if t[1].startswith("in") else f"{t[0]} {t[1]} {t[2]}"
    ),
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        inner.map(lambda text: f"!({text})"),
        st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
    ),
    max_leaves=8,
)
VALUES = st.one_of(
    st.sampled_from(["x", "y", "1", 1, 2, 1.5, True, False]), st.lists(st.sampled_from(["x", 1]), max_size=2)
)
ATTRIBUTES = st.dictionaries(st.sampled_from(NAMES), VALUES)


@given(CONDITIONS, ATTRIBUTES, st.sampled_from(NAMES), st.sampled_from([None, math.nan, "absent"]))
def test_taking_an_attribute_away_never_opens_anything(
    text: str, attributes: dict[str, Any], name: str, how: Any
) -> None:
    expression = parse_condition(text)
    less = {key: value for key, value in attributes.items() if key != name}
    if how != "absent":
        less[name] = how
    if evaluate_condition(expression, SecurityContext(user_attributes=less)):
        assert evaluate_condition(expression, SecurityContext(user_attributes=attributes))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse_condition, parse_value):
        with contextlib.suppress(ExpressionError):
            read(text)
