"""The SQL of the model's author as a piece: pieces stand where it refers to something."""

from __future__ import annotations

from collections.abc import Callable

from ...dialects.nodes import Sql, formed
from ...references import Reference, find_references

__all__ = ["placed"]


def placed(text: str, replace: Callable[[Reference], str]) -> Sql:
    """A fragment with every reference replaced by what ``replace`` gives: a piece, or the name of a relation."""
    return formed(text, ((found.start, found.end, replace(found)) for found in find_references(text)))
