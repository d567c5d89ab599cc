"""What a row filter is given to compare with: the model's own values, and the asker's in their place."""

from __future__ import annotations

import itertools
import math
from typing import Any

from ..context import SecurityContext
from ..model import Filter
from .attributes import MISSING, AttributeReference, AttributeText, ExpressionError, attribute_value, parse_value
from .filter_values import MAX_VALUES, Denied, usable

__all__ = ["given_values"]


def given_values(item: Filter, ctx: SecurityContext) -> list[tuple[Any, bool]]:
    """The values, each with whether it comes from the asker; lists are taken apart.

    Raises
    ------
    Denied
        If the asker lacks one, or one is null, empty or not finite.
    """
    found: list[tuple[Any, bool]] = []
    for raw in item.values:
        try:
            value = raw if isinstance(raw, (AttributeReference, AttributeText)) else parse_value(raw)
        except ExpressionError:
            raise Denied("the policy's value is not understood") from None
        if isinstance(value, AttributeText):
            found += [(text, True) for text in _texts(value, ctx)]
        elif isinstance(value, AttributeReference):
            found += [(v, True) for v in _of_asker(value, ctx)]
        else:
            found.append((value, False))
    # IN () would be everything or nothing, depending on who negates it.
    if not found:
        raise Denied("the policy gives no value")
    return found


def _of_asker(reference: AttributeReference, ctx: SecurityContext) -> list[Any]:
    """What the asker has of an attribute, if all of it is usable."""
    name, resolved = _name(reference), attribute_value(reference, ctx)
    if resolved is MISSING:
        raise Denied(f"{name} is not set")
    values = list(resolved) if isinstance(resolved, (list, tuple, set, frozenset)) else [resolved]
    if not values:
        raise Denied(f"{name} is empty")
    if not all(usable(v) for v in values):
        raise Denied(f"{name} holds a value that is null, empty or not a number")
    return values


def _texts(value: AttributeText, ctx: SecurityContext) -> list[str]:
    """A text with the asker's values in it: one for each way of choosing among several."""
    choices: list[list[str]] = []
    for part in value.parts:
        given = [part] if isinstance(part, str) else _of_asker(part, ctx)
        if not all(isinstance(v, (str, int)) and not isinstance(v, bool) for v in given):
            raise Denied("a value within a text is neither text nor a whole number")
        choices.append([str(v) for v in given])
    if math.prod(map(len, choices)) > MAX_VALUES:
        raise Denied(f"there are more than {MAX_VALUES} values")
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def _name(reference: AttributeReference) -> str:
    if reference.scope == "groups":
        return "the list of groups"
    kind = "user attribute" if reference.scope == "userAttributes" else "security context value"
    return f"{kind} '{'.'.join(reference.path)}'"
