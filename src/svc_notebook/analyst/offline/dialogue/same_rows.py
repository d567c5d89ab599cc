"""What rows an answer was about, and another question of these rows alone."""

from __future__ import annotations

from ..forms import Form
from ..schema.metadata import Metadata
from .conditions import conditions_of, with_conditions
from .editing import aggregate_of
from .expressing import paths_of, relations_of, widened
from .grouping import looked_at
from .thread import Earlier

__all__ = ["few_shown", "narrowed_to", "rows_of"]

_COUNTS = frozenset(("rows", "count"))


def rows_of(form: Form, metadata: Metadata) -> str:
    """What the rows are called that a form counts or lists; empty where it tells something else of them."""
    root = (relations_of(form) or ("",))[0]
    counts = [aggregate_of(clause.expression, metadata) in _COUNTS for clause in form.measures]
    if not root or form.having or not (form.columns or counts and all(counts)):
        return ""
    return metadata.words_of(root)[-1]


def few_shown(before: Earlier) -> Form | None:
    """The form of an answer, of the few rows that it was cut to; None where nothing tells those."""
    if before.form.limit is None:
        return before.form
    few = looked_at(before)
    return few.form if few is not None else None


def narrowed_to(form: Form, of: Form, metadata: Metadata) -> Form | None:
    """A form with the conditions on the rows of another as well; None where those cannot be reached from its own."""
    known = conditions_of(form)
    more = [condition for condition in conditions_of(of) if condition not in known]
    wider = widened(form, paths_of(tuple(more)), metadata) if more else form
    return with_conditions(wider, [*known, *more]) if wider is not None else None
