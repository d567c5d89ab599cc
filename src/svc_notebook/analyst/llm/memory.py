"""What a turn of a language model leaves to those after it: the memory and choices of the offline analyst."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..offline.dialogue import Option, choices_of, kept_options
from ..offline.forms import NoForm, from_sql

if TYPE_CHECKING:
    from ...protocol.reading import Choice
    from ...semantic.catalog import Catalog

__all__ = ["remembered"]


def remembered(
    queries: Sequence[str], options: Sequence[Option], catalog: Catalog
) -> tuple[dict[str, Any], tuple[Choice, ...]]:
    """What is kept with the turn, and the readings beside the answer.

    Parameters
    ----------
    queries
        The SQL that ran, in its order; the last one is what the next turn builds upon.
    options
        Readings that were near before the model was asked. They stand beside the answer where it gives one of them,
        or where nothing was asked of the data.
    """
    memory: dict[str, Any] = {}
    form = None
    if queries:
        memory = {"reading": queries[-1], "version": catalog.version}
        try:
            form = from_sql(queries[-1], catalog)
        except NoForm:
            form = None
    if len(options) < 2 or queries and not any(option.form == form for option in options):
        return memory, ()
    ordered = sorted(options, key=lambda option: option.form != form)  # the answered one first
    return {**memory, "choices": kept_options(ordered)}, choices_of(ordered, catalog)
