"""``average delay for each of those``: a number of each of the groups that were shown, and of no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, Followed, earlier, few_shown, narrowed_to, passed_over
from ..forms import Form, Member, Truncated
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.leads import lead
from .asked import AskedTurn
from .forming import as_edit, form_shown, is_sayable

__all__ = ["each_of_those"]

_SAID = re.compile(
    lead("please", "also") + r"(?P<number>\S.*?\S) (?:for|of|in|on|at|by|from|per|with|to) "
    r"(?:each|every one) (?:of (?:those|these|them)(?: \w+)?|one)(?P<rest>,? (?:then|too|as well|please))?\W*$",
    re.IGNORECASE,
)

_HAD = re.compile(
    r"^(?P<head>\W*(?:(?:and|so|ok|okay|then|now|please|also)\W+)*(?:how (?:many|much|often|long)|what) (?:\S.*? )??"
    r"(?:did|do|does|has|have|had|was|were|is|are)) each(?: one| of (?:those|these|them)(?: \w+)?)?"
    r"(?P<deed>(?: (?:\w+)){0,2})\W*$",
    re.IGNORECASE,
)  # "how many flights did each have"


def each_of_those(asked: AskedTurn) -> Understood | None:
    """The number that is asked for, by what the answer before was grouped by, of its groups alone."""
    if not asked.turn.history or passed_over(asked.turn):
        return None
    said, had = _SAID.match(asked.question), _HAD.match(asked.question)
    forms = earlier(asked.turn, asked.metadata.catalog) if said is not None or had is not None else []
    before = _of_several(forms) if forms else None
    group = _group(before.form, asked.metadata) if before is not None else ""
    if before is None or not group:
        return None
    whole = f"{said['number']} by {group}" if said else f"{had['head']} each {group}{had['deed']}" if had else ""
    new = form_shown(asked.anew(replace(asked.turn, question=whole, history=())))
    form = _of_shown(new, before, asked.metadata) if new is not None else None
    if form is None or not is_sayable(form, asked.metadata):
        return None
    return as_edit(Followed(form, before, "", sure=before.sure), asked.reading, asked.metadata)


def _of_several(forms: Sequence[Earlier]) -> Earlier:
    """The answer that showed those who are spoken of: not the one of them that was picked out last."""
    before = forms[0]
    one = before.form.limit is not None and before.form.limit.count == 1
    wider = forms[1] if one and len(forms) > 1 else before
    return wider if wider.form.groups == before.form.groups else before


def _group(form: Form, metadata: Metadata) -> str:
    """What the only groups of an answer are called: by a column, or by a unit of time."""
    group = form.groups[0].expression if len(form.groups) == 1 else None
    if isinstance(group, Member) and group.path in metadata.members:
        return metadata.member(group.path).title.lower()
    return str(group.grain) if isinstance(group, Truncated) else ""


def _of_shown(new: Form, before: Earlier, metadata: Metadata) -> Form | None:
    """A number by the same groups, of those that were shown: by the conditions on them, or one by one."""
    shown = before.form
    if [clause.expression for clause in new.groups] != [clause.expression for clause in shown.groups]:
        return None
    if new.having or new.limit is not None or not new.measures:
        return None
    few = few_shown(before)
    form = narrowed_to(new, few, metadata) if few is not None else None
    return form.with_(having=few.having) if form is not None and few is not None and few.having else form
