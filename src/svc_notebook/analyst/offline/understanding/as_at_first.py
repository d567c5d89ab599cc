"""``by airport`` of a thread is by what it is at the start of one: flights by airport are by that of departure."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import Between, Followed, earlier
from ..dialogue.expressing import paths_of, relations_of, widened
from ..forms import Clause, Expression, Form
from ..schema.nouns import plural
from .asked import AskedTurn
from .forming import form_shown, is_sayable

__all__ = ["grouped_as_at_first", "named_as_at_first"]

_BY = re.compile(
    r"^\W*(?:(?:by|per|(?:for|at|in|from|of) (?:each|every))\s+"
    r"(?P<what>(?!how\b|what\b|which\b)[a-z][\w'’-]*(?:(?:\s+|\s*,\s*)[\w'’-]+){0,5}?)"
    r"(?:\s*,?\s*(?:please|pls))?"
    r"|(?:which|what)\s+(?P<ranked>[a-z]\w+)\s+(?:is|was|has|had|comes? out)\s+(?:the\s+)?"
    r"(?:worst|best|\w+est|most|least)(?:\s+one)?)\W*$",
    re.IGNORECASE,
)
_GOING_ON = frozenset(("lead", "and", "split", "add", "every", "those"))


def named_as_at_first(asked: AskedTurn, between: Between) -> Form | None:
    """The one of the edits that groups as a first question would, where all of them do nothing but group."""
    before, groups = between.of, _groups(asked)
    if before is None or not groups:
        return None
    old = {clause.expression for clause in before.form.groups}
    found = [form for form in between.forms if {clause.expression for clause in form.groups} - old == set(groups)]
    alike = all(form.measures == before.form.measures for form in between.forms)
    return found[0] if len(found) == 1 and alike else None


def grouped_as_at_first(asked: AskedTurn) -> Followed | None:
    """What was shown, told apart by what a turn says and nothing else."""
    forms = earlier(asked.turn, asked.metadata.catalog)
    groups = _groups(asked) if forms and "split" in asked.heard.acts else []
    form = forms[0].form if forms else None
    if form is None or not groups or not form.measures or form.limit is not None:
        return None
    wider = widened(form, paths_of(tuple(groups)), asked.metadata)
    if wider is None:
        return None
    kept = [clause.expression for clause in form.groups]
    made = wider.with_(groups=tuple(Clause(one) for one in dict.fromkeys([*kept, *groups])), order=())
    return Followed(made, forms[0], "", sure=forms[0].sure) if is_sayable(made, asked.metadata) else None


def _groups(asked: AskedTurn) -> list[Expression]:
    """By what the rows that were shown are told apart where a question begins so; none where a turn says more."""
    said, heard = _BY.match(asked.heard.rest), asked.heard
    forms = earlier(asked.turn, asked.metadata.catalog)
    root = (relations_of(forms[0].form) or ("",))[0] if forms else ""
    if said is None or not root or heard.wants or set(heard.acts) - _GOING_ON:
        return []
    rows = plural(asked.metadata.words_of(root)[-1])
    seen = asked.anew(replace(asked.turn, question=f"{rows} by {said['what'] or said['ranked']}", history=()))
    form = form_shown(seen)
    if form is None or seen.options or seen.unread or seen.plan is not None and seen.plan.unread:
        return []
    plain = not (form.where or form.having or form.limit or form.columns) and len(form.measures) == 1
    return [clause.expression for clause in form.groups] if plain and (relations_of(form) or ("",))[0] == root else []
