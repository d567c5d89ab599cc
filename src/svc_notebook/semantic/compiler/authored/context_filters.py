"""``{SECURITY_CONTEXT.x.filter('column')}`` in a cube's SQL: the asker's value, bound and compared in its own type.

The loader leaves a call there. What the asker does not have is unknown, and so is a comparison with a
column of another type; unknown stays unknown under NOT, so that nothing is shown by it.

``{SECURITY_CONTEXT.x}`` is the value itself, bound as a text which takes the type of what it is compared with. What a
NULL would do in the author's SQL is not known, so a cube whose value is missing has no rows at all.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Protocol

from .... import patterns as re
from ...context import SecurityContext
from ...dialects import duckdb as say
from ...dialects.nodes import formed_item, joined_by, word
from ...dialects.nodes import sql as sql_of
from ...policies.attributes import CONTEXT_FILTER as MARK
from ...policies.attributes import CONTEXT_VALUE, AttributeReference, attribute_value, parse_value
from ...policies.filter_values import usable
from ..applied import AppliedFilter
from ..values import Params

__all__ = ["filters_by_context", "with_context", "without_context"]

_CALL = re.compile(MARK + r"""\(\s*'([\w.]+)'\s*,\s*([^()]+?)\s*\)""", re.IGNORECASE)
_VALUE = re.compile(CONTEXT_VALUE + r"\(\s*'([\w.]+)'\s*\)", re.IGNORECASE)
# As many as an asker's own IN list may hold.
_MOST = 1000


class Asking(Protocol):
    """Who asks, and what is bound and told for them."""

    @property
    def ctx(self) -> SecurityContext: ...
    @property
    def params(self) -> Params: ...
    @property
    def row_filters(self) -> list[AppliedFilter]: ...
    def note(self, text: str) -> None: ...


def filters_by_context(sql: str) -> bool:
    """Whether a cube's SQL hides rows by what the asker is."""
    return MARK in (text := sql.lower()) or CONTEXT_VALUE in text


def without_context(sql: str) -> str:
    """The SQL for nobody: every such filter and value is unknown."""
    calls = [(call.start(), call.end(), say.NULL_CONDITION) for call in _CALL.finditer(sql)]
    return _with(sql, [*calls, *((call.start(), call.end(), word("NULL")) for call in _VALUE.finditer(sql))])


def with_context(asking: Asking, cube: str, sql: str) -> str:
    """The SQL for the asker; the operator is past all filters, but is nobody whose value could be taken."""
    missing: list[str] = []
    places = [(call.start(), call.end(), _bound(asking, cube, call, missing)) for call in _VALUE.finditer(sql)]
    for call in _CALL.finditer(sql):
        open_ = asking.ctx.unrestricted
        shown = word("TRUE") if open_ else _written(asking, cube, call[1], call[2])
        places.append((call.start(), call.end(), shown))
    for path in missing:
        asking.note(f"the security context value '{path}' is not set or not usable: no rows")
    # Not an error: the query may read other cubes, and no rows is what a policy answers to a missing value.
    found = _with(sql, places)
    return sql_of("(SELECT * FROM {} AS svc_nothing WHERE FALSE)", found) if missing else found


def _with(sql: str, places: list[tuple[int, int, str]]) -> str:
    return formed_item(sql, sorted(places, key=lambda place: place[0]))


def _bound(asking: Asking, cube: str, call: re.Match[str], missing: list[str]) -> str:
    """The asker's value, which is bound; what is missing is noted."""
    text = None if asking.ctx.unrestricted else _text(_value(asking, call[1]))
    _tell(asking, cube, f"its SQL compares with your '{call[1]}'")
    if text is None:
        missing.append(call[1])
        return word("NULL")
    return asking.params.add(text)


def _value(asking: Asking, path: str) -> Any:
    reference = parse_value(f"{{ {path} }}")
    assert isinstance(reference, AttributeReference)
    return attribute_value(reference, asking.ctx)


def _text(value: Any) -> str | None:
    """One value as a text; None for what is missing, several, or no number."""
    # A bool is an int to Python, and "True" no word of SQL.
    if isinstance(value, bool):
        return str(value).lower()
    if not _usable(value):
        return None
    # str() of a Decimal may be 1E+3.
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _tell(asking: Asking, cube: str, words: str) -> None:
    told = AppliedFilter("rows", "a condition of the data model on your security context", "the data model")
    applied = AppliedFilter(cube, words, f"the SQL of {cube}", told)
    if applied not in asking.row_filters:
        asking.row_filters.append(applied)


def _written(asking: Asking, cube: str, path: str, column: str) -> str:
    value = _value(asking, path)
    values = list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]
    usable = [v for v in values if _usable(v)]
    words = f"{column} is {', '.join(map(repr, usable))}" if usable else f"{column} is …: '{path}' is not set"
    _tell(asking, cube, words)
    # One bad value among good ones hides all rows: a filter on the rest would not be what the claim says.
    if not values or len(usable) < len(values) or len(values) > _MOST:
        asking.note(f"the security context value '{path}' is not set or not usable: no rows")
        return say.NULL_CONDITION
    return sql_of("({})", joined_by(" OR ", [_equal(asking, word(column), v) for v in usable]))


def _usable(value: Any) -> bool:
    if not usable(value):
        return False
    # Past BIGINT no cast of the column could meet the value.
    return isinstance(value, str) or (isinstance(value, (int, float, Decimal)) and -(2**63) < value < 2**63)


def _equal(asking: Asking, column: str, value: Any) -> str:
    """``column = value`` where the column has the value's type, else unknown."""
    # Claims come as JSON, where 7 may be 7.0.
    if isinstance(value, (float, Decimal)) and value == int(value):
        value = int(value)
    bound = asking.params.add(value)
    tests = say.readings(column, value)
    form = " ".join(["WHEN {} THEN {} = {}"] * len(tests))
    return sql_of(
        f"(CASE {form} END)", *(v for test, type_ in tests for v in (test, say.safe_cast(column, type_), bound))
    )
