"""All members of one cube or view: dimensions, measures, segments, hierarchies; and its joins."""

from __future__ import annotations

from typing import cast, get_args

from ..model import Hierarchy, Join, Relationship, Segment
from . import schemas
from .dimensions import DimensionReader
from .fields import Fields
from .measures import MeasureReader
from .names import member_name
from .tree import Node

__all__ = ["MemberReader"]

_RELATIONSHIPS = {
    "has_one": "one_to_one", "has_many": "one_to_many", "belongs_to": "many_to_one",
    "hasone": "one_to_one", "hasmany": "one_to_many", "belongsto": "many_to_one",
}  # fmt: skip


class MemberReader(DimensionReader, MeasureReader):
    """Reads the members of one relation; findings go to ``problems``, SQL to ``fragments``."""

    def segment(self, name: str, node: Node) -> Segment:
        fields = Fields(node, schemas.SEGMENT, self.problems, name=name)
        name = self.name_of(fields)
        sql = self._sql(fields, name, "condition")
        if sql is None:
            self.problems.error(f"segment '{name}' needs sql", fields.source)
        return Segment(
            name,
            sql or "FALSE",
            fields.flag("public", True),
            fields.text("title"),
            fields.text("description"),
            fields.meta(),
            fields.source,
        )

    def hierarchy(self, name: str, node: Node) -> Hierarchy:
        fields = Fields(node, schemas.HIERARCHY, self.problems, name=name)
        levels = tuple(member_name(text, self.relation) for text, _ in fields.texts("levels"))
        if not levels:
            self.problems.error(f"hierarchy '{name}' needs levels, a list of dimensions", fields.source)
        return Hierarchy(self.name_of(fields), levels, fields.text("title"), fields.flag("public", True))

    def join(self, name: str, node: Node) -> Join:
        fields = Fields(node, schemas.JOIN, self.problems, name=name)
        name = self.name_of(fields)
        relationship = fields.choice("relationship", get_args(Relationship), _RELATIONSHIPS)
        if relationship is None and fields.get("relationship") is None:
            self.problems.error(
                f"join '{name}' has no relationship ({', '.join(get_args(Relationship))})", fields.source
            )
        sql = self.fragments.add(self.relation, name, "join", fields.text("sql"), fields.where("sql"))
        if sql is None:
            self.problems.error(
                f"join '{name}' needs sql, such as \"{{CUBE}}.{name}_id = {{{name}}}.id\"", fields.source
            )
        return Join(name, cast("Relationship", relationship or "many_to_one"), sql or "FALSE", fields.source)
