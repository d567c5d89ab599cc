"""Row-level filters to SQL conditions: ``member operator values``, with the asker's attributes typed and bound.

Every doubt closes: an attribute that is missing, null, empty, NaN or of another type than the member makes the
condition FALSE, under negative operators too, and says so in a note. Values never become SQL text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from datetime import datetime
from typing import Any

from ...records import dataclass
from ..context import SecurityContext
from ..dialects import duckdb as say
from ..dialects.nodes import holes, joined_by, sql, word
from ..model import Filter, FilterGroup
from .filter_values import Denied, day_after, day_start, typed
from .given_values import given_values

__all__ = ["OPERATORS", "FilterOutcome", "FilterWriter"]

_MAX_LISTED = 100  # more are bound as one list
_UNTOLD = "a condition on what you do not see"
_COMPARE = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_WORDS = {
    "equals": "is", "notEquals": "is not", "contains": "contains", "notContains": "does not contain",
    "startsWith": "starts with", "notStartsWith": "does not start with", "endsWith": "ends with",
    "notEndsWith": "does not end with", "gt": "is greater than", "gte": "is at least", "lt": "is less than",
    "lte": "is at most", "set": "is set", "notSet": "is not set", "inDateRange": "is within",
    "notInDateRange": "is outside", "beforeDate": "is before", "beforeOrOnDate": "is on or before",
    "afterDate": "is after", "afterOrOnDate": "is on or after",
}  # fmt: skip
OPERATORS = frozenset(_WORDS)
_NEVER = word("FALSE")


@dataclass(slots=True)
class FilterOutcome:
    """A condition as SQL, in words, and in the words that the asker may read, with what else there is to tell."""

    sql: str
    words: str
    told: str
    notes: list[str] = field(default_factory=list)


class FilterWriter:
    """Writes filters for one asker.

    Parameters
    ----------
    column
        Gives the SQL and the kind (``string``, ``number``, ``boolean``, ``timestamp``, ``date``) of a member.
    bind
        Binds a value and gives its placeholder.
    sees
        Whether the asker may know of a member; of others nothing is told.
    """

    def __init__(
        self,
        ctx: SecurityContext,
        column: Callable[[str], tuple[str, str]],
        bind: Callable[[Any], str],
        sees: Callable[[str], bool] = lambda member: True,
    ) -> None:
        self._ctx = ctx
        self._column = column
        self._bind = bind
        self._sees = sees

    def all_of(self, filters: Sequence[Filter | FilterGroup]) -> FilterOutcome:
        """AND; no filter at all is FALSE, since a row level that names no rows grants none."""
        return self._join("and", [self.write(f) for f in filters])

    def write(self, item: Filter | FilterGroup) -> FilterOutcome:
        if isinstance(item, FilterGroup):
            return self._join(item.kind, [self.write(f) for f in item.filters])
        short = item.member.rpartition(".")[2]
        known = self._sees(item.member)
        try:
            test, values = self._condition(item)
            said = f"{short} {_WORDS[item.operator]}"
            # What a policy keeps away is not named to those it is kept from; what it leaves they can see.
            shown = [v for v, own in values if own or not _keeps_away(item.operator)]
            told = f"{said}{_listed(shown)}" if len(shown) == len(values) else f"{said} …"
            return FilterOutcome(test, f"{said}{_listed([v for v, _ in values])}", told if known else _UNTOLD)
        except Denied as denied:
            words = f"{short} {_WORDS.get(item.operator, item.operator)} …: {denied}"
            return FilterOutcome(_NEVER, words, words if known else f"{_UNTOLD}: {denied}", [f"{denied}: no rows"])

    def _join(self, kind: str, parts: list[FilterOutcome]) -> FilterOutcome:
        if not parts:
            return FilterOutcome(_NEVER, "no rows", "no rows", ["a policy names no rows: no rows"])
        # Under OR a part that denies is worth a note only if nothing else grants rows.
        open_parts = [p for p in parts if p.sql != _NEVER]
        if kind == "or":
            notes = [] if open_parts else [note for p in parts for note in p.notes]
            test = _connected(" OR ", open_parts) if open_parts else _NEVER
        else:
            notes = [note for p in parts for note in p.notes]
            test = _NEVER if len(open_parts) < len(parts) else _connected(" AND ", parts)
        told = list(dict.fromkeys(p.told for p in parts))
        return FilterOutcome(test, _joined(kind, [p.words for p in parts]), _joined(kind, told), notes)

    def _condition(self, item: Filter) -> tuple[str, list[tuple[Any, bool]]]:
        """The condition, and its values, each with whether it comes from the asker."""
        column, kind = self._column(item.member)
        operator = item.operator
        if operator not in OPERATORS:
            raise Denied(f"the operator '{operator}' is unknown")
        if operator in ("set", "notSet"):
            return sql(f"({{}} IS {'NOT ' if operator == 'set' else ''}NULL)", column), []
        values = typed(given_values(item, self._ctx), kind, operator)
        if "Date" in operator:
            return self._date_condition(column, kind, operator, [v for v, _ in values]), values
        plain = [v for v, _ in values]
        if operator in ("equals", "notEquals"):
            if len(plain) == 1:
                test = sql("({} = {})", column, self._bind(plain[0]))
            # A list of several types has no type as a parameter.
            elif len(plain) > _MAX_LISTED and len({type(v) for v in plain}) == 1:
                test = sql("({} = {})", column, say.any_of(self._bind(tuple(plain))))
            else:
                test = sql(f"({{}} IN ({holes(len(plain))}))", column, *map(self._bind, plain))
            return (test if operator == "equals" else sql("(NOT {})", test)), values
        if operator in _COMPARE:
            if len(plain) != 1:
                raise Denied(f"'{operator}' wants one value, the asker has {len(plain)}")
            return sql(f"({{}} {_COMPARE[operator]} {{}})", column, self._bind(plain[0])), values
        negative = operator.startswith("not")
        test_name = operator[3].lower() + operator[4:] if negative else operator
        tests = [say.text_test(test_name, column, self._bind(v)) for v in plain]
        joined = sql("({})", joined_by(" OR ", tests))
        return (sql("(NOT {})", joined) if negative else joined), values

    def _date_condition(self, column: str, kind: str, operator: str, values: list[Any]) -> str:
        if kind not in ("timestamp", "date"):
            raise Denied("a date is compared with something that is no date")
        wanted = 2 if operator.endswith("Range") else 1
        # One date is a range of that day.
        if operator.endswith("Range") and len(values) == 1:
            values = values * 2
        if len(values) != wanted:
            raise Denied(f"'{operator}' wants {wanted} dates, the asker has {len(values)}")
        low, after = self._bind(day_start(values[0])), day_after(values[-1])
        # The last day there is has no day after it: then its last moment is the bound.
        until, past = ("<", ">=") if after is not None else ("<=", ">")
        high = self._bind(after or datetime.max)  # noqa: DTZ901 - a row filter's times are naive UTC
        return {
            "inDateRange": sql(f"({{0}} >= {{1}} AND {{0}} {until} {{2}})", column, low, high),
            "notInDateRange": sql(f"({{0}} < {{1}} OR {{0}} {past} {{2}})", column, low, high),
            "beforeDate": sql("({} < {})", column, low),
            "beforeOrOnDate": sql(f"({{}} {until} {{}})", column, high),
            "afterDate": sql(f"({{}} {past} {{}})", column, high),
            "afterOrOnDate": sql("({} >= {})", column, low),
        }[operator]


def _connected(between: str, parts: Sequence[FilterOutcome]) -> str:
    return sql("({})", joined_by(between, [part.sql for part in parts]))


def _keeps_away(operator: str) -> bool:
    return operator.startswith("not") and operator != "notSet"


def _joined(kind: str, parts: Sequence[str]) -> str:
    # Brackets only where the other word stands within, as a person would write it.
    other = " or " if kind == "and" else " and "
    return f" {kind} ".join(f"({part})" if len(parts) > 1 and other in part else part for part in parts)


def _listed(values: Sequence[Any]) -> str:
    if not values:
        return ""
    shown = [repr(v) if isinstance(v, str) else str(v) for v in values[:10]]
    more = f" and {len(values) - 10} more" if len(values) > 10 else ""
    return (" one of " if len(values) > 1 else " ") + ", ".join(shown) + more
