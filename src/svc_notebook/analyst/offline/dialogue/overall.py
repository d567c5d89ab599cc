"""``across all stores``, ``what is the overall average``: what was told apart, taken together."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Clause, Form
from ..lexicon import load_lexicon
from ..schema.metadata import Metadata
from .editing import Unfit, aggregate_of
from .expressing import is_named, with_function

__all__ = ["taken_together"]

_LEAD = (
    r"^\W*(?:(?:and|but|so|now|ok|okay|then|what about|how about|what(?:['’]?s| is| was| are)|show|give|me|it|that|the)"
    r"\s+)*"
)
_ACROSS = re.compile(
    rf"{_LEAD}(?P<across>across|over|for)\s+(?:all|every|any)\s+(?:of\s+)?(?:the\s+)?(?P<what>\w+(?:\s+\w+)??)"
    r"(?P<together>\s+(?:together|combined|taken together|put together|as one))?\W*$",
    re.IGNORECASE,
)
_OVERALL = re.compile(
    rf"{_LEAD}(?:(?:overall|general|grand)\s+(?P<how>\w+)|(?P<what>\w+)\s+(?:overall|in general|altogether))\W*$",
    re.IGNORECASE,
)


def taken_together(text: str, form: Form, metadata: Metadata) -> Form | None:
    """The form without the groups that are to be taken together; None where words say no such.

    Raises
    ------
    Unfit
        If its numbers cannot be put together so.
    """
    if not form.groups or not form.measures:
        return None
    if (said := _OVERALL.match(text)) is not None:
        function = load_lexicon().saying("aggregate").get((said["how"] or said["what"]).lower(), "")
        return _put_together(form, function, metadata) if function else None
    said = _ACROSS.match(text)
    if said is None or not (said["together"] or said["across"].lower() in ("across", "over")):
        return None
    left = tuple(clause for clause in form.groups if not is_named(clause.expression, said["what"], metadata))
    if len(left) == len(form.groups):
        return None
    order = form.order if left else ()
    return form.with_(groups=left, order=order, having=form.having if left else (), limit=form.limit if left else None)


def _put_together(form: Form, function: str, metadata: Metadata) -> Form:
    made: list[Clause] = []
    for clause in form.measures:
        known = aggregate_of(clause.expression, metadata)
        changed = clause if known == function else with_function(clause, function, metadata)
        if changed is None:
            raise Unfit("no number that can be put together so")
        made.append(changed)
    return form.with_(groups=(), measures=tuple(made), order=(), having=(), limit=None)
