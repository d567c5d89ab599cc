"""A question and, apart from it, of which rows it is: *From Oban: which …*, *I want to sail on a Sunday. Which …*, *….
Only count routes with at least 50 crossings.*
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

from .... import patterns as re
from ..dialogue.same_rows import narrowed_to
from ..forms import Form
from ..lists.outputs import columns_named, said_apart
from ..plans.plan import Measure, Plan
from ..reader import is_writable
from ..slices.sides import slice_of
from ..understood import Understood
from ..words.text import stem
from .asked import AskedTurn
from .forming import form_of_plan, form_read_whole, form_shown, told_instead
from .together import relation_of

__all__ = ["in_context"]

_COLON = re.compile(r"^(?P<rows>[^:?]{2,80}):\s+(?P<asked>\S.*)$", re.DOTALL)
_BEFORE = re.compile(
    r"^(?P<rows>(?:i|we|my|our|let['’]?s|looking|look|considering|consider|take|taking|only|just|suppose|say|assume|imagine)"
    r"\b[^.?!;]*)[.!;]\s+(?P<asked>\w.*)$",
    re.IGNORECASE | re.DOTALL,
)
_BEHIND = re.compile(
    r"^(?P<asked>[^.?!]+)[.?!;]\s+(?:please\s+)?(?:(?:only|just)\s+)?"
    r"(?:count|consider|include|look at|take|use|keep|show|those|these|for)\s+(?:only\s+)?(?P<rows>[^.?!]+)[.!]*\s*$",
    re.IGNORECASE | re.DOTALL,
)
_APART = re.compile(r"\b(?:vs|versus|against|or|than|compare[ds]?|per|each|every|by)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:how|what|which|who|whose|whom|when|where|why|show|list|give|rank|name|number|total|average|share|percentage)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:i|we)\s+(?:only\s+|just\s+|usually\s+|often\s+|always\s+)*(?:(?:would|['’]d)\s+)?"
    r"(?:(?:want|need|like|love|plan|hope|wish|have|intend|am going|are going)\s+to\s+)?[a-z]+"
    r"|i['’](?:m|d|ve)(?:\s+[a-z]+){1,3}?(?=\s+(?:to|from|in|on|at|with)\b)"
    r"|(?:let['’]?s\s+)?(?:looking|look|considering|consider|take|taking|suppose|say|assume|imagine|only|just)(?:\s+at)?)\s+"
    r"(?:(?:only|just)\s+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*,?\s+(?:in (?:one|a single) (?:line|row)|at a glance|in (?:short|brief|numbers|figures)|only|please)$",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"^[a-z' ]*\b(?:week|weekend|season|holidays?|days?|month|summer|winter|spring|autumn|fall|time)\s*[,(]\s*"
    r"(?P<rows>[^()]+)\)?$",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\s+(?:on|for|in|at|of|from|with|during)\s+(?:that|this|those|these)(?:\s+(?!which\b|who\b|that\b)[a-z]+)?(?=\W*$)"
    r"|\s+(?:there|then)(?=\W*$)",
    re.IGNORECASE,
)  # what points at the rows that were said before
_LEAST = 2  # words of what is asked


class _Said(NamedTuple):
    asked: str
    rows: str
    heads: bool = False  # the rows stand before a colon


def in_context(asked: AskedTurn) -> Understood | None:
    """What is asked, of the rows that a clause or sentence of its own says; None where none does."""
    for said in _splits(asked.question):
        if said.heads and _is_of_columns(said, asked):
            continue  # "unpaid trips: client, children and fare" is a list of what is said of them
        read = asked.anew(replace(asked.turn, question=said.asked))
        form = form_read_whole(read)
        made = _of_those(asked, form, said.rows) if form is not None else None
        if made is not None and is_writable(made):
            return replace(told_instead(read, made), followed=None, taken=None)
    return None


def _is_of_columns(said: _Said, asked: AskedTurn) -> bool:
    """Whether rows stand before a colon, or nothing but columns behind it."""
    rows = bool(said.rows) and stem(said.rows.split()[-1].lower()) in asked.metadata.kind_names.rows
    if rows and not _ASKS.search(said.asked):
        return True
    columns = len(said_apart(said.asked)) > 1
    return columns and any(
        columns_named(said.asked, name, asked.metadata, heads=True) for name in asked.metadata.catalog.relations
    )


def _splits(question: str) -> Iterator[_Said]:
    for pattern in (_COLON, _BEFORE, _BEHIND):
        said = pattern.match(question)
        if said is None:
            continue
        rows = _TAIL.sub("", said["rows"].strip(" ,"))
        rows = _LEAD.sub("", rows) if pattern is _BEFORE else rows
        if len(said["asked"].split()) >= _LEAST and not (_ASKS.search(rows) or _APART.search(rows)):
            yield _Said(_THERE.sub("", said["asked"].strip()), rows, heads=pattern is _COLON)


def _of_those(asked: AskedTurn, form: Form, words: str) -> Form | None:
    """The form of those rows alone, or of those groups that words say."""
    relation = relation_of(form)
    if not relation:
        return None
    read = cache(partial(asked.whole_plan, budget=asked.means.budget.apart()))
    named = _NAMED.match(words)
    found = slice_of(words, relation, asked.metadata, read)
    if found is None and named is not None:  # a week by what people call it, and by its days
        found = slice_of(named["rows"], relation, asked.metadata, read)
        found = found if found is not None and all(c.operator == "period" for c in found.conditions) else None
    if found is not None:
        scope = asked.metadata.scope([relation, *found.scope], (relation,))
        rows = Plan(scope, measures=(), conditions=found.conditions) if scope is not None else None
        return _narrowed(asked, form, rows) if rows is not None else None
    return _with_groups(asked, form, words)


def _narrowed(asked: AskedTurn, form: Form, rows: Plan) -> Form | None:
    counted = form_of_plan(rows.with_(measures=(Measure(None, "count", entity=rows.scope[0]),)), asked.metadata)
    return narrowed_to(form, counted, asked.metadata) if counted is not None else None


def _with_groups(asked: AskedTurn, form: Form, words: str) -> Form | None:
    """``only count routes with at least 500 flights``: the groups are those, whatever else is asked of them."""
    chosen = form_shown(asked.anew(replace(asked.turn, question=f"list {words}", history=())))
    groups = {clause.expression for clause in form.groups}
    if chosen is None or not chosen.having or not groups or {c.expression for c in chosen.groups} != groups:
        return None
    return form.with_(having=(*form.having, *chosen.having)) if chosen.where == form.where else None
