"""What dimensions, measures and the other elements have in common: names, SQL, cases, masks, formats."""

from __future__ import annotations

import re

from ...records import dataclass
from ..intervals import UNBOUNDED, IntervalError, parse_interval
from ..model import Case, CaseWhen
from . import schemas
from .fields import Fields
from .fragments import Fragments, sql_literal
from .names import is_identifier, member_name, named_entries
from .problems import Problems
from .tree import Node

__all__ = ["ElementReader"]


@dataclass
class ElementReader:
    """Reads parts of the elements of one relation; findings go to ``problems``, SQL to ``fragments``."""

    relation: str
    problems: Problems
    fragments: Fragments

    def name_of(self, fields: Fields) -> str:
        """The element's name, checked to be an identifier."""
        name = (fields.text("name") or "").strip()
        if not name:
            self.problems.error(f"a {fields.schema.kind} of '{self.relation}' has no name", fields.source)
        elif not is_identifier(name):
            self.problems.error(
                f"'{name}' cannot name a {fields.schema.kind}: use letters, digits and '_', and put the wording "
                f"into 'title'",
                fields.where("name"),
            )
        return name

    def named(self, fields: Fields, key: str, kind: str) -> list[tuple[str, Node]]:
        """The entries of a section, written as a list with names or as a mapping by name; duplicates are reported."""
        return named_entries(fields.get(key), kind, fields.called, self.problems)

    def _sql(self, fields: Fields, name: str, role: str = "sql") -> str | None:
        return self.fragments.add(self.relation, name, role, fields.text("sql"), fields.where("sql"))

    def _interval(self, fields: Fields, key: str, *, signed: bool = False, unbounded: bool = False) -> str | None:
        text = fields.text(key)
        if text is None or (unbounded and text.strip() == UNBOUNDED):
            return None if text is None else UNBOUNDED
        try:
            interval = parse_interval(text)
        except IntervalError as error:
            self.problems.error(f"'{key}' of {fields.called}: {error}", fields.where(key))
            return None
        if not signed and (interval.negative or not interval):
            self.problems.error(f"'{key}' of {fields.called} must be longer than nothing", fields.where(key))
        return " ".join(text.split())

    def _case(self, fields: Fields, name: str) -> Case | None:
        node = fields.mapping("case")
        if node is None:
            return None
        inner = Fields(node, schemas.CASE, self.problems, name=name)
        switch_text = inner.text("switch")
        switch = self.fragments.add(self.relation, name, "sql", switch_text, inner.where("switch"))
        if fields.get("sql") is not None:
            self.problems.error(f"{fields.called} has both sql and case; keep one", fields.place("sql"))
        whens = [
            when for item in inner.sequence("when") if (when := self._when(fields, item, name, switch)) is not None
        ]
        if not whens and not inner.sequence("when"):
            self.problems.error(f"'case' of {fields.called} needs 'when', a list of conditions", node.source)
        label, label_sql = self._label(fields, inner.get("else"), name)
        return Case(tuple(whens), label, label_sql)

    def _when(self, fields: Fields, item: Node, name: str, switch: str | None) -> CaseWhen | None:
        entries = item.entries
        if switch is not None:
            if not {"value", "sql"} <= set(entries):
                self.problems.error(
                    f"an entry of 'when' of {fields.called} is written as '- {{value: EUR, sql: \"{{amount_eur}}\"}}'",
                    item.source,
                )
                return None
            result = self.fragments.add(
                self.relation, name, "sql", fields.text_of(entries["sql"], "'sql' of 'when'"), entries["sql"].source
            )
            return CaseWhen(f"({switch}) = {sql_literal(entries['value'].value)}", "", result)
        if not {"sql", "label"} <= set(entries):
            self.problems.error(
                f"an entry of 'when' of {fields.called} is written as '- {{sql: \"{{CUBE}}.size = 'xl'\", label: XL}}'",
                item.source,
            )
            return None
        condition = self.fragments.add(
            self.relation, name, "condition", fields.text_of(entries["sql"], "'sql' of 'when'"), entries["sql"].source
        )
        label, label_sql = self._label(fields, item, name)
        return CaseWhen(condition, label or "", label_sql) if condition is not None else None

    def _label(self, fields: Fields, node: Node | None, name: str) -> tuple[str | None, str | None]:
        if node is None:
            return None, None
        given = (
            node.entries.get("label", node.entries.get("sql") if "label" not in node.entries else None)
            if isinstance(node.value, dict)
            else node
        )
        if given is None:
            self.problems.error(f"'else' of {fields.called} is written as '{{label: Other}}'", node.source)
            return None, None
        sql_node = (
            given.entries.get("sql")
            if isinstance(given.value, dict)
            else given
            if "label" not in node.entries and isinstance(node.value, dict)
            else None
        )
        if sql_node is not None:
            return None, self.fragments.add(
                self.relation, name, "sql", fields.text_of(sql_node, "'sql' of a label"), sql_node.source
            )
        return fields.text_of(given, f"a label of {fields.called}"), None

    def _mask(self, fields: Fields, name: str) -> str | None:
        node = fields.get("mask")
        if node is None:
            return None
        if isinstance(node.value, dict):
            sql_node = node.entries.get("sql")
            if sql_node is None or len(node.entries) != 1:
                self.problems.error(f"'mask' of {fields.called} is a value or {{sql: …}}", node.source)
                return None
            return self.fragments.add(
                self.relation, name, "mask", fields.text_of(sql_node, "'sql' of a mask"), sql_node.source
            )
        if isinstance(node.value, list):
            self.problems.error(f"'mask' of {fields.called} is a value or {{sql: …}}, not a list", node.source)
            return None
        return sql_literal(node.value)

    def _format(self, fields: Fields) -> str | None:
        node = fields.get("format")
        if node is not None and isinstance(node.value, dict):
            told = node.entries.get("value") or node.entries.get("type")  # {type: custom-numeric, value: .2f}
            return str(told.value) if told is not None else None
        return fields.text("format")

    def _currency(self, fields: Fields) -> str | None:
        text = fields.text("currency")
        if text is not None and not re.fullmatch(r"[A-Za-z]{3}", text):
            self.problems.error(
                f"'{text}' is no currency code; write three letters such as EUR", fields.where("currency")
            )
        # ISO 4217 writes them large.
        return text.upper() if text is not None else None

    def _grain(self, fields: Fields) -> dict[str, tuple[str, ...] | None]:
        legacy = {"keep_only": "group_by", "exclude": "reduce_by", "include": "add_group_by"}
        found: dict[str, tuple[str, ...] | None] = {}
        node = fields.mapping("grain")
        grain = Fields(node, schemas.GRAIN, self.problems, name=self.relation) if node is not None else None
        for new, old in legacy.items():
            holder, key = (grain, new) if grain is not None and new in grain else (fields, old)
            names = tuple(member_name(text, self.relation) for text, _ in holder.texts(key))
            found[old] = names if key in holder else None
            if grain is not None and new in grain and old in fields:
                self.problems.error(f"'{old}' says again what 'grain.{new}' says; keep one", fields.place(old))
        if found["group_by"] is not None and found["reduce_by"] is not None:
            self.problems.error(
                f"{fields.called}: group_by (keep_only) and reduce_by (exclude) exclude each other", fields.source
            )
        return found
