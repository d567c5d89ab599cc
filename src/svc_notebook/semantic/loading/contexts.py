"""Filters that are no policies: the filter context of a multi-stage measure, and the default filters of a view."""

from __future__ import annotations

from collections.abc import Callable

from ..model import DefaultFilter, FilterContext
from . import schemas
from .fields import Fields
from .names import member_name
from .policies import PolicyReader
from .tree import Node

__all__ = ["read_context", "read_default_filters"]


def read_context(node: Node, measure: str, reader: PolicyReader, known: Callable[[str], bool]) -> FilterContext:
    """``filter`` of a measure; ``known`` says whether a name means a dimension or a segment it can reach."""
    problems = reader.problems
    fields = Fields(node, schemas.FILTER_CONTEXT, problems, name=measure)
    named: dict[str, tuple[str, ...] | None] = {}
    for key in ("exclude", "keep_only"):
        names: list[str] = []
        for text, source in fields.texts(key):
            name = member_name(text, reader.relation)
            names.append(name)
            if not known(name):
                problems.error(
                    f"'{key}' of the filter of measure '{measure}': '{text}' is no dimension or segment", source
                )
        named[key] = tuple(names) if key in fields else None
    if named["exclude"] is not None and named["keep_only"] is not None:
        problems.error(
            f"the filter of measure '{measure}' has both exclude and keep_only; keep one", fields.place("keep_only")
        )
    return FilterContext(
        named["exclude"],
        named["keep_only"],
        reader.filters(fields.sequence("include")),
        fields.choice("mode", ("relative", "fixed")) == "fixed",
    )


def read_default_filters(fields: Fields, reader: PolicyReader) -> tuple[DefaultFilter, ...]:
    """``default_filters`` of a view."""
    found: list[DefaultFilter] = []
    for item in fields.sequence("default_filters"):
        inner = Fields(item, schemas.DEFAULT_FILTER, reader.problems, name=reader.relation)
        condition = reader.condition(inner)
        unless: list[str] = []
        for text, source in inner.texts("unless"):
            name = member_name(text, reader.relation)
            unless.append(name)
            if reader.members.get(name) != "dimension":
                reader.problems.error(f"'unless': '{text}' is no dimension of '{reader.relation}'", source)
        if condition is not None:
            found.append(DefaultFilter(condition, tuple(unless)))
    return tuple(found)
