"""Conditions over rows, alone or in groups: what policies, filter contexts and default filters have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, Literal

from ... import patterns as re
from ...records import dataclass
from ..model import Filter, FilterGroup, Source
from ..policies.attributes import AttributeReference, AttributeText, ExpressionError, parse_value
from . import schemas
from .fields import Fields, snake_case
from .names import member_name
from .problems import Problems, did_you_mean
from .tree import Node

__all__ = ["OPERATORS", "ConditionReader"]

#: operator → how many values it takes (least, most)
OPERATORS: Mapping[str, tuple[int, int | None]] = {
    "equals": (1, None), "notEquals": (1, None),
    "contains": (1, None), "notContains": (1, None),
    "startsWith": (1, None), "notStartsWith": (1, None),
    "endsWith": (1, None), "notEndsWith": (1, None),
    "gt": (1, 1), "gte": (1, 1), "lt": (1, 1), "lte": (1, 1),
    "set": (0, 0), "notSet": (0, 0),
    "inDateRange": (1, 2), "notInDateRange": (1, 2),
    "beforeDate": (1, 1), "beforeOrOnDate": (1, 1), "afterDate": (1, 1), "afterOrOnDate": (1, 1),
}  # fmt: skip
_BY_SNAKE = {snake_case(name): name for name in OPERATORS} | {
    "in": "equals",
    "not_in": "notEquals",
    "on_the_date": "inDateRange",
}
_BARE_REFERENCE = re.compile(r"(?:userAttributes|user_attributes|securityContext|security_context)(?:\??\.\w+)+|groups")
_DATE_OPERATORS = ("inDateRange", "notInDateRange", "beforeDate", "beforeOrOnDate", "afterDate", "afterOrOnDate")
_TEXT_OPERATORS = ("contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith")


@dataclass
class ConditionReader:
    """Reads the conditions of one cube or view.

    ``members`` maps the relation's member names to their kind (``"dimension"``, ``"measure"``, ``"segment"``,
    ``"hierarchy"``); ``type_of`` gives the type of a dimension (own, or ``cube.member``), or None if there is none.
    """

    relation: str
    members: Mapping[str, str]
    type_of: Callable[[str], str | None]
    problems: Problems

    def filters(self, items: Iterable[Node]) -> tuple[Filter | FilterGroup, ...]:
        """Conditions as they were understood; findings about the others are reported."""
        return tuple(f for item in items if (f := self._filter(item)) is not None)

    def condition(self, fields: Fields) -> Filter | None:
        """One ``member operator values`` out of fields that hold other keys as well."""
        member, operator, values = self._member(fields), self._operator(fields), self._values(fields)
        if member is None or operator is None:
            return None
        self._check_values(operator, values, fields)
        self._check_types(member, operator, values, fields)
        return Filter(member, operator, values, fields.source)

    def _filter(self, node: Node) -> Filter | FilterGroup | None:
        fields = Fields(node, schemas.FILTER, self.problems, name=self.relation)
        kinds: list[Literal["and", "or"]] = [kind for kind in ("and", "or") if kind in fields]
        if kinds:
            return self._group(fields, kinds, node.source)
        return self.condition(fields)

    def _group(self, fields: Fields, kinds: list[Literal["and", "or"]], source: Source) -> FilterGroup:
        kind = kinds[0]
        if len(kinds) > 1 or any(key in fields for key in ("member", "operator", "values")):
            self.problems.error("a filter is either a group ('and' or 'or') or member, operator and values", source)
        filters = self.filters(fields.sequence(kind))
        if not fields.sequence(kind):
            self.problems.error(f"'{kind}' needs a list of filters", fields.place(kind))
        return FilterGroup(kind, filters)

    def _member(self, fields: Fields) -> str | None:
        text = fields.text("member")
        if text is None:
            if fields.get("member") is None:
                self.problems.error("a row filter needs a member", fields.source)
            return None
        name = member_name(text, self.relation)
        kind = self.members.get(name)
        if kind in ("measure", "segment", "hierarchy"):
            self.problems.error(f"'{name}' is a {kind}; rows are filtered by dimensions", fields.where("member"))
            return None
        if self.type_of(name) is None:
            self.problems.error(
                f"'{text}' is no dimension of '{self.relation}'{did_you_mean(name, self.members)}",
                fields.where("member"),
            )
            return None
        return name

    def _operator(self, fields: Fields) -> str | None:
        text = fields.text("operator")
        if text is None:
            if fields.get("operator") is None:
                self.problems.error("a row filter needs an operator, such as equals", fields.source)
            return None
        operator = _BY_SNAKE.get(snake_case(text.strip()))
        if operator is None:
            near = did_you_mean(text, OPERATORS) or f" (known: {', '.join(OPERATORS)})"
            self.problems.error(f"'{text}' is no filter operator{near}", fields.where("operator"))
        return operator

    def _values(self, fields: Fields) -> tuple[Any, ...]:
        node = fields.get("values")
        if node is None:
            return ()
        values: list[Any] = []
        if isinstance(node.value, str) and _BARE_REFERENCE.fullmatch(node.value.strip()):
            # As Cube's documentation writes it: values: userAttributes.regions, without quotes or braces.
            return (f"{{ {node.value.strip()} }}",)  # not a list: the value is the expression itself
        for item in node.items if isinstance(node.value, list) else [node]:
            if isinstance(item.value, dict):
                self.problems.error(
                    'put the value into quotes, as in values: ["{ userAttributes.region }"]', item.source
                )
            elif isinstance(item.value, list):
                self.problems.error("a value is a text, a number or a reference, not a list", item.source)
            elif item.value is None:
                self.problems.error("null compares with nothing; use the operator set or notSet", item.source)
            else:
                try:
                    parse_value(item.value)
                except ExpressionError as error:
                    self.problems.error(str(error), item.source)
                    continue
                values.append(item.value)
        return tuple(values)

    def _check_values(self, operator: str, values: tuple[Any, ...], fields: Fields) -> None:
        least, most = OPERATORS[operator]
        given = fields.get("values")
        # What is written, and not what was understood of it: a value that is wrong was told already.
        written = len(given.items) if given is not None and isinstance(given.value, list) else 0 if given is None else 1
        if written < least:
            self.problems.error(
                f"'{operator}' needs {'a value' if most == 1 else 'values'}; without one it would match nothing",
                fields.source,
            )
        elif most == 0 and written:
            self.problems.error(f"'{operator}' takes no values", fields.where("values"))
        elif most is not None and written > most:
            self.problems.error(
                f"'{operator}' takes {'one value' if most == 1 else f'at most {most} values'}, not {written}",
                fields.where("values"),
            )

    def _check_types(self, member: str, operator: str, values: tuple[Any, ...], fields: Fields) -> None:
        kind = self.type_of(member)
        if kind == "geo":
            self.problems.error(f"'{member}' is a place (geo); rows cannot be filtered by it", fields.where("member"))
        if operator in _DATE_OPERATORS and kind != "time":
            self.problems.error(f"'{operator}' needs a time dimension; '{member}' is {kind}", fields.where("operator"))
        if operator in _TEXT_OPERATORS and kind != "string":
            self.problems.error(
                f"'{operator}' needs a string dimension; '{member}' is {kind}", fields.where("operator")
            )
        if operator in ("gt", "gte", "lt", "lte") and kind == "boolean":
            self.problems.error(f"'{operator}' does not order booleans; use equals", fields.where("operator"))
        for value in values:
            meant = parse_value(value)
            if isinstance(meant, AttributeText) and kind != "string":
                self.problems.error(
                    f"'{value}' makes a text, and '{member}' is {kind}; write the reference alone",
                    fields.where("values"),
                )
            if isinstance(meant, (AttributeReference, AttributeText)):
                continue
            if not _fits(value, kind):
                self.problems.error(
                    f"'{value}' is no {_TYPE_WORDS.get(str(kind), kind)}, and '{member}' is one; it would match "
                    f"nothing",
                    fields.where("values"),
                )


_TYPE_WORDS = {
    "number": "number",
    "boolean": "boolean (true or false)",
    "time": "date or time (2024-01-31)",
    "string": "text",
}


def _fits(value: Any, kind: str | None) -> bool:
    if kind == "number":
        try:
            float(value)
        except (TypeError, ValueError):
            return False
        # float(True) is 1.0 to Python.
        return not isinstance(value, bool)
    if kind == "boolean":
        return isinstance(value, bool) or str(value).lower() in ("true", "false")
    if kind == "time":
        try:
            datetime.fromisoformat(str(value))
        except ValueError:
            return _is_year_or_month(str(value))
    return True


def _is_year_or_month(text: str) -> bool:
    try:
        date.fromisoformat(f"{text}-01" if len(text) == 7 else "")
    except ValueError:
        return False
    return True
