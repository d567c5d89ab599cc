"""Whether a model shows everybody every row of its tables.

Only then may the engine plan by what the tables hold (``docs/soundness.md``). In doubt it does not: each of these may
keep a row from somebody, or from everybody, and a plan that goes by it can tell it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ... import patterns as re
from ..model import Cube, DataModel, View

__all__ = ["shows_every_row"]

_FROM = re.compile(r"(?i)\bfrom\b").search
_WORDS = {"name", "title", "description", "meta", "source", "format", "currency"}


def shows_every_row(model: DataModel) -> bool:
    """Whether no policy, no condition of the model's own and no private cube stands before a row."""
    return all(map(_is_open, model.cubes.values())) and all(map(_is_open_view, model.views.values()))


def _is_open(cube: Cube) -> bool:
    governed = cube.access_policy is not None or cube.sql is not None or not cube.public
    # A subquery in a member's SQL may leave out rows of any table.
    return not governed and not any(map(_FROM, _texts(cube)))


def _is_open_view(view: View) -> bool:
    return view.access_policy is None and not view.default_filters and not any(map(_FROM, _texts(view)))


def _texts(item: Any) -> Iterator[str]:
    """Every text of a part of the model that may be SQL."""
    if isinstance(item, str):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from _texts(part)
    elif is_dataclass(item):
        for field in fields(item):
            if field.name not in _WORDS:
                yield from _texts(getattr(item, field.name))
