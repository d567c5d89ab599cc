"""``how many flights is that``, ``how many late ones were that``: the count behind the one number that was shown."""

from __future__ import annotations

from .... import patterns as re
from ..dialogue import Earlier, Followed, earlier, few_shown, passed_over
from ..dialogue.conditions import conditions_of
from ..dialogue.editing import aggregate_of
from ..dialogue.expressing import paths_of, relations_of
from ..dialogue.wishes import counted_by
from ..forms import Clause, Expression, Form, Value
from ..forms.walking import parts
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.leads import LEAD
from ..words.text import singular, stem
from .asked import AskedTurn
from .forming import as_edit, is_sayable

__all__ = ["count_behind"]

_SAID = re.compile(
    LEAD + r"how many "
    r"(?P<what>(?!(?:of|percent|different|distinct|more|fewer|less|other)\b)[a-z][\w'-]*(?: [\w'-]+){0,3}?) "
    r"(?:is|are|was|were|would) (?:that|this|those|these|it|they)(?: be)?(?: (?:then|exactly|actually|now))?\W*$",
    re.IGNORECASE,
)

_COUNTS = ("rows", "count", "count_distinct")


def count_behind(asked: AskedTurn) -> Understood | None:
    """How many rows the number counts, or is the share of; None for other turns, and where groups were shown."""
    said = _SAID.match(asked.question) if asked.turn.history and not passed_over(asked.turn) else None
    forms = earlier(asked.turn, asked.metadata.catalog) if said is not None else []
    few = few_shown(forms[0]) if forms else None
    if said is None or few is None or few.columns or few.having or len(few.measures) != 1:
        return None
    count = counted_by(few.measures[0].expression, asked.metadata)
    if (
        count is None
        or aggregate_of(count, asked.metadata) not in _COUNTS
        or not _is_single(forms[0])
        or not _is_called(said["what"], few, count, asked)
    ):
        return None
    form = few.with_(groups=(), measures=(Clause(count),), order=(), limit=None)
    if not is_sayable(form, asked.metadata):
        return None
    return as_edit(Followed(form, forms[0], "", sure=forms[0].sure), asked.reading, asked.metadata)


def _is_single(before: Earlier) -> bool:
    """Whether one number was shown."""
    return not before.form.groups or before.form.limit is not None and before.form.limit.count == 1


def _is_called(words: str, form: Form, count: Expression, asked: AskedTurn) -> bool:
    """Whether words are for what was counted: its rows, or all of it in words that the thread has said."""
    root = (relations_of(form) or ("",))[0]
    *told, rows = (singular(word) for word in words.lower().split())
    known = _words_of(form, count, asked.metadata) | _said_before(asked)
    names = {singular(word) for word in asked.metadata.words_of(root)} if root else set()
    return rows in {*names, "one"} and {stem(word) for word in told} <= known


def _words_of(form: Form, count: Expression, metadata: Metadata) -> set[str]:
    """The words of a count's name, and of what its rows are chosen by."""
    paths = [*paths_of(count), *(path for one in conditions_of(form) for path in paths_of(one))]
    texts = [one.value for one in parts((count, form.where)) if isinstance(one, Value) and isinstance(one.value, str)]
    named = [word for path in paths if path in metadata.members for word in metadata.parts(path)]
    return {stem(word) for word in [*named, *(word for text in texts for word in re.findall(r"[a-z]+", text.lower()))]}


def _said_before(asked: AskedTurn) -> set[str]:
    return {stem(word) for past in asked.turn.history for word in re.findall(r"[a-z]+", past.question.lower())}
