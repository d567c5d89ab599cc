"""What a chart knows of fields while it is walked: the columns, what its transforms make, what it uses and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..values import ColumnLike
from . import leaves
from .channels import reads_time, titled, typed
from .fields import FieldNames
from .makers import made_by

__all__ = ["ChartFields"]


class ChartFields:
    """The fields of one chart.

    Parameters
    ----------
    columns : sequence
        The result's columns.

    Attributes
    ----------
    used, temporal : set of str
        Keys of the columns that are drawn, and of those that are read as times.
    all_wanted : bool
        Whether every column may be needed: repeated, pivoted, shown by a tooltip.
    """

    def __init__(self, columns: Sequence[ColumnLike]) -> None:
        self.names = FieldNames(column.name for column in columns)
        self.by_key = {self.names.keys[column.name]: column for column in columns}
        self.used: set[str] = set()
        self.temporal: set[str] = set()
        self.all_wanted = False
        self._open = False  # a pivot makes fields that nobody can name beforehand

    @property
    def has_image(self) -> bool:
        """Whether a column is called so that a tooltip would load its values as pictures."""
        return any(key.strip().lower() == "image" for key in self.by_key)

    def escaped(self, name: str) -> str:
        """A field's name as Vega-Lite wants it, and remembered as used; ``KeyError`` where there is none."""
        if name in {"*", ""}:
            return name
        if not (self._open or self.names.knows(name)):
            raise KeyError(name)
        self.used.add(self.names.root(name))
        return self.names.escaped(name)

    def datum(self, path: list[str | int]) -> list[str | int]:
        """The steps behind ``datum`` in an expression, with the field's own name."""
        resolved = self.names.resolved(path)
        self.used.add(str(resolved[0]))
        return resolved

    def learn(self, step: Mapping[str, Any]) -> None:
        """A transform: what it makes can be used from here on."""
        for name in made_by(step):
            self.names.add(name)
        if "pivot" in step:
            self._open = self.all_wanted = True
        if "flatten" in step:
            self.names.nested |= {self.names.root(name) for name in step["flatten"]}
        if "timeUnit" in step and isinstance(step.get("field"), str):
            self.temporal.add(self.names.root(step["field"]))

    def channel(self, channel: str, definition: Any) -> list[str]:
        """Write what a channel lacks (see ``channels``); the keys of the fields it draws."""
        items = definition if isinstance(definition, list) else [definition]
        return [key for item in items if isinstance(item, dict) for key in self._definition(channel, item)]

    def _definition(self, channel: str, item: dict[str, Any]) -> list[str]:
        conditions = item.get("condition")
        inner = self.channel(channel, conditions) if conditions else []
        field = item.get("field")
        if not isinstance(field, str):
            self.all_wanted |= isinstance(field, Mapping)
            return inner
        key = self.names.root(field)
        column = self.by_key.get(key) if self.names.plain(field) == key and key not in self.names.made else None
        if (kind := typed(channel, item, column)) is not None:
            item["type"] = kind
        if key.strip().lower() == "image":
            item["title"] = "Image "
        elif column is not None and "title" not in item and (title := titled(channel, item, column)) is not None:
            item["title"] = leaves.worded(title)
        if reads_time(item):
            self.temporal.add(key)
        return [*inner, key]
