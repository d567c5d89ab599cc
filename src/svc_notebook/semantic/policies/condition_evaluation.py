"""Conditions of policies, judged for one asker.

Truth has three values. An attribute that is missing, null or NaN is unknown, and so is every comparison with it,
its negation too; a condition holds only if it is true. Thus nothing a user lacks can widen what the user sees.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..context import SecurityContext
from .attributes import MISSING, attribute_value
from .expressions import Expression

__all__ = ["evaluate_condition"]


def evaluate_condition(expression: Expression, ctx: SecurityContext) -> bool:
    """Whether the condition is true for this asker; unknown is not true."""
    return _truth(expression, ctx) is True


def _truth(expression: Expression, ctx: SecurityContext) -> bool | None:
    op, args = expression.op, expression.args
    if op == "or":
        truths = [_truth(arg, ctx) for arg in args]
        # As SQL has it: what is unknown decides nothing, and stays unknown under NOT. So absence never grants.
        return True if True in truths else None if None in truths else False
    if op == "and":
        truths = [_truth(arg, ctx) for arg in args]
        return False if False in truths else None if None in truths else True
    if op == "not":
        truth = _truth(args[0], ctx)
        return None if truth is None else not truth
    if op in ("literal", "attribute"):
        value = _value(expression, ctx)
        return None if value is MISSING or value is None else _truthy(value)
    return _compare(op, _value(args[0], ctx), _value(args[1], ctx))


def _truthy(value: Any) -> bool:
    # Attributes arrive as text more often than not: "false" and "0" were meant as they read.
    if isinstance(value, str):
        return value.strip().lower() not in ("", "false", "0", "no")
    return bool(value)


def _value(expression: Expression, ctx: SecurityContext) -> Any:
    if expression.op == "attribute":
        return attribute_value(expression.args[0], ctx)
    if expression.op == "literal":
        return expression.args[0]
    truth = _truth(expression, ctx)
    return MISSING if truth is None else truth


def _compare(op: str, left: Any, right: Any) -> bool | None:
    if left is MISSING or right is MISSING:
        return None
    if left is None or right is None:  # `x != null` asks for presence; `x == null` may not reward absence
        return None if left is right or op not in ("==", "!=") else op == "!="
    if op == "in":
        return _contains(right, left)
    if op in ("==", "!="):
        same = _equal(left, right)
        return None if same is None else same == (op == "==")
    if isinstance(left, str) and isinstance(right, str):
        less, equal = left < right, left == right
    else:
        pair = _numbers(left, right)
        if pair is None:
            return None
        less, equal = pair[0] < pair[1], pair[0] == pair[1]
    return {"<": less, "<=": less or equal, ">": not less and not equal, ">=": not less}[op]


def _contains(many: Any, one: Any) -> bool | None:
    if isinstance(many, str) or not isinstance(many, Sequence):
        return None
    found = [_equal(item, one) for item in many if item is not None]
    return True if True in found else None if None in found else False


def _equal(left: Any, right: Any) -> bool | None:
    """Equality of like with like; text that reads as a number equals that number; a one-element list its element."""
    if isinstance(left, (list, tuple)) and len(left) == 1 and not isinstance(right, (list, tuple)):
        left = left[0]
    if isinstance(right, (list, tuple)) and len(right) == 1 and not isinstance(left, (list, tuple)):
        right = right[0]
    # Before numbers, of which a bool is one to Python.
    if isinstance(left, bool) or isinstance(right, bool):
        words = {"true": True, "false": False}
        pair = [words.get(v.strip().lower()) if isinstance(v, str) else v for v in (left, right)]
        return pair[0] is pair[1] if all(isinstance(v, bool) for v in pair) else None
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    numbers = _numbers(left, right)
    return None if numbers is None else numbers[0] == numbers[1]


def _numbers(left: Any, right: Any) -> tuple[float, float] | None:
    if isinstance(left, str) and isinstance(right, str):
        return None
    try:
        pair = tuple(float(v) for v in (left, right) if not isinstance(v, (bool, list, tuple, Mapping)))
    except (TypeError, ValueError):
        return None
    return (pair[0], pair[1]) if len(pair) == 2 and not any(map(math.isnan, pair)) else None
