"""``which of those has the fewest?`` after *how many are there?*: of the list, whose count only said its length;
``which has the most flights`` after *how many airlines are there*: which airline; ``which one is the oldest`` of them.
"""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, Followed, earlier, narrowed_to, passed_over
from ..dialogue.editing import aggregate_of
from ..forms import Form, Role
from ..understood import Understood
from ..words.leads import LEAD
from ..words.text import singular
from .asked import AskedTurn
from .forming import as_edit, form_read_whole, is_sayable

__all__ = ["of_counted"]

_OF_THEM = re.compile(
    r"\b(?:of|for|in|by|from|with) (?:each of )?(?:those|them|these)\b|\b(?:they|their|those)\b", re.IGNORECASE
)


_WHICH = re.compile(
    LEAD + r"(?:which|what)(?: ones?| of (?:them|those|these)(?= (?:is|was) ))? "
    r"(?P<rest>(?:is|was) (?:the )?(?:\w{2,}est|(?:most|least) \w+)\W*$|(?:has|have|had|does|did|got|\w+ed|\w+s) "
    r"(?:the )?(?:most|fewest|least|highest|lowest|largest|smallest|best|worst|longest|shortest) \S.*)$",
    re.IGNORECASE,
)
_END = re.compile(
    r"^\W*(?:and |just |show me |only )?the (?P<end>\w{2,}est|(?:most|least) \w+)(?: ones?)?\W*$", re.IGNORECASE
)
_HOW_MANY = re.compile(
    r"\bhow many (?:different |distinct |other )?(?:(?P<what>\w+(?: \w+)?) "
    r"(?:is|are|was|were|do|does|did|have|has|had)\b|(?P<other>\w+(?: \w+)?) \w+\b)",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:which|what)(?: one)? (?:is|was) the\b", re.IGNORECASE)


def of_counted(asked: AskedTurn) -> Understood | None:
    """A turn about those that the answer before only counted: read after the answer that told them."""
    if not asked.turn.history or passed_over(asked.turn):
        return None
    if (which := _WHICH.match(asked.question)) is not None:
        return _which(asked, which["rest"])
    if (end := _END.match(asked.question)) is not None:
        return _which(asked, f"is the {end['end']}")
    if not _OF_THEM.search(asked.question) or passed_over(asked.turn):
        return None
    forms = earlier(asked.turn, asked.metadata.catalog)
    counted = forms[0].form.root if forms else None
    if not isinstance(counted, Form) or len(forms) == 1 or counted.key != forms[1].form.key:
        return None
    return asked.anew(replace(asked.turn, history=asked.turn.history[:-1]))


def _which(asked: AskedTurn, rest: str) -> Understood | None:
    """Which of the things that were counted has most of something; None where rows were, or nothing says what."""
    forms = earlier(asked.turn, asked.metadata.catalog)
    before = forms[0] if forms else None
    same = [one.turn.question for one in forms if before is not None and one.form.root == before.form.root]
    said = next((found for question in same if (found := _HOW_MANY.search(question)) is not None), None)
    if before is None or not _counts_things(before, asked):
        return None
    noun = (said["what"] or said["other"]) if said is not None else _rows_of(before, asked)
    if not noun:
        return None
    new = None
    for what in (noun, noun.split()[0]):
        seen = asked.anew(replace(asked.turn, question=f"which {singular(what)} {rest}", history=()))
        new = form_read_whole(seen) if not seen.options else None
        if new is not None and (new.groups or new.columns) and new.limit is not None:
            made = narrowed_to(new, before.form, asked.metadata)
            if made is not None and is_sayable(made, asked.metadata):
                return as_edit(Followed(made, before, "", sure=before.sure), asked.reading, asked.metadata)
    if before.form.where and new is not None and not new.where and _ONE.search(asked.question):
        return asked.nothing(lost=("which one",))  # of all there are, where only some were counted
    return None


def _rows_of(before: Earlier, asked: AskedTurn) -> str:
    """What the rows are called that an answer counted, where the question did not say *how many*."""
    root, how = before.form.root, aggregate_of(before.form.measures[0].expression, asked.metadata)
    return (
        " ".join(asked.metadata.words_of(root.relation)) if isinstance(root, Role) and how != "count_distinct" else ""
    )


def _counts_things(before: Earlier, asked: AskedTurn) -> bool:
    """Whether an answer only counted rows, or things that rows name."""
    form = before.form
    listed = isinstance(form.root, Form)  # the length of a list that was shown
    plain = not listed and len(form.measures) == 1 and not (form.groups or form.columns or form.having or form.limit)
    return plain and aggregate_of(form.measures[0].expression, asked.metadata) in ("count_distinct", "count", "rows")
