"""Questions about nothing but the groups shown last: ``which month was the busiest?``, ``show all trainers``."""

from __future__ import annotations

from .... import patterns as re
from ..forms import ROWS, Clause, Form, Member, Truncated
from ..reading.reading import Reading
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural
from ..walk.resolve import FREQUENT
from ..walk.walker import SMALL_WORDS
from ..words.leads import LEAD
from ..words.thesaurus import ADJECTIVES
from .editing import is_bad, main_number, number_words
from .grouping import looked_at
from .hearing import Heard
from .thread import Earlier

__all__ = ["counts_shown", "judged", "lists_shown", "only_conditions", "ranks_shown", "rows_of"]

_ALL = re.compile(r"^\W*(?:(?:now|please|ok|okay|and|show|list|give|see|me|us)\s+)*(?:all|every)\b", re.IGNORECASE)
_JUDGED = re.compile(
    LEAD + r"(?:which|what)\s+(?!of\b|one\b)(?P<what>\w+)\s+"
    r"(?:is|was|are|were|did|does|has been)\s+(?:the\s+)?(?P<how>best|worst)\W*$",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    LEAD + r"(?:which|what)\s+\w+(?:\s+\w+)?\s+(?:is|was|are|were)\s+(?:the\s+)?(?P<how>\w+st)\W*$",
    re.IGNORECASE,
)
_TELLING_APART = frozenset(("by", "per", "for each", "for every", "in each"))
_COUNTED = re.compile(LEAD + r"how many of (?:them|those|these)\b", re.IGNORECASE)


def judged(heard: Heard, before: Earlier, metadata: Metadata) -> str:
    """``worst month`` of ``which month was the worst?`` where much of the number that was shown is bad: by that."""
    said, number = _JUDGED.match(heard.text), main_number(before.form) if before.form.measures else None
    if said is None or number is None or not is_bad(number, metadata, before.form):
        return ""
    return f"{said['how']} {said['what']}"


def ranks_shown(heard: Heard, alone: Reading, before: Earlier) -> bool:
    """Whether a superlative names groups, and no number: it may be by the number that was shown, or of all there is."""
    draft, form = alone.draft, before.form
    if draft is None or not form.measures:
        return False
    if draft.top is None:
        return _ranks_by_quality(heard, alone, form)
    if judged(heard, before, draft.metadata):
        return True
    return _names_only_groups(alone, form) or _ranks_by_nothing(alone, form)


def _ranks_by_quality(heard: Heard, alone: Reading, form: Form) -> bool:
    """``which channel is the cheapest?`` where what they cost was shown: by that, or by another such number."""
    draft, said, number = alone.draft, _SUPERLATIVE.match(heard.text), form.measures[0].expression
    if draft is None or said is None:
        return False
    meant = set(ADJECTIVES.get(said["how"].lower(), "").split())
    shown = {group.path for clause in form.groups if isinstance(group := clause.expression, Member)}
    named = {item for item in alone.items if item.kind in ("name", "value", "grain", "period", "number")}
    of_group = [name.member for item in named for name in item.names]
    return bool(meant & set(number_words(number, draft.metadata)) and len(named) == 1 and shown & set(of_group))


def _ranks_by_nothing(alone: Reading, form: Form) -> bool:
    """``which host has the most?``: what they are ranked by is not said, nor that rows are counted. A superlative
    before the noun says what is meant (``top 3 hosts``).
    """
    draft = alone.draft
    if draft is None or draft.top is None or draft.listing or _rows_by_groups(alone):
        return False
    if draft.measures or draft.counted_entities or draft.counting or draft.calculations:
        return False
    shown = {clause.expression.relation for clause in form.groups if isinstance(clause.expression, Member)}
    if not {relation for relation, _ in draft.entities} <= shown:
        return False
    superlative = draft.items[draft.top[2]].text.lower()
    if superlative in FREQUENT or not (draft.mentions or draft.dimensions or draft.grains or draft.grouped_entities):
        return False
    behind = [
        item
        for item in draft.items[draft.top[2] + 1 :]
        if item.kind != "number" and item.text.lower() not in SMALL_WORDS
    ]
    if behind and behind[0].kind in ("name", "grain"):
        return False
    unread = {word.lower() for word in (*draft.unmet, *alone.unread, *alone.missed)}
    named = [*(m.member for m in draft.mentions), *(d.member for d in draft.dimensions)]
    return unread <= {superlative} and all(draft.metadata.is_category(member) for member in named)


def _rows_by_groups(alone: Reading) -> bool:
    """``flights by maker, biggest five``: rows that are told apart by something, which their number ranks."""
    items = alone.draft.items if alone.draft is not None else ()
    return any(
        rows.kind == "name" and is_plural(rows.text) and any(name.member is None for name in rows.names)
        and by.kind == "cue" and by.text.lower() in _TELLING_APART and group.kind in ("name", "grain")
        for rows, by, group in zip(items, items[1:], items[2:], strict=False)
    )  # fmt: skip


def lists_shown(heard: Heard, alone: Reading, before: Earlier) -> bool:
    """Whether all of the groups are asked for, of which the first ones were shown."""
    draft, form = alone.draft, before.form
    if draft is None or form.limit is None or not form.measures or not _ALL.match(heard.text):
        return False
    return draft.top is None and _names_only_groups(alone, form)


def counts_shown(heard: Heard, before: Earlier) -> bool:
    """Whether rows of the few groups that were shown are counted."""
    return _COUNTED.match(heard.text) is not None and looked_at(before) is not None


def only_conditions(alone: Reading) -> bool:
    """Whether a turn names which rows, and neither a number nor a group nor rows: in a thread that is no question."""
    draft = alone.draft
    if draft is None or not draft.conditions or draft.measures or draft.counted_entities or draft.counting:
        return False
    named = draft.mentions or draft.dimensions or draft.grains or draft.entities or draft.grouped_entities
    return not (named or draft.top or draft.listing)


def rows_of(form: Form) -> Form:
    """How many rows a form is about."""
    return form.with_(groups=(), measures=(Clause(ROWS),), columns=(), order=(), having=(), limit=None)


def _names_only_groups(alone: Reading, form: Form) -> bool:
    draft = alone.draft
    if draft is None or draft.measures or draft.counted_entities or draft.counting or draft.entities:
        return False
    if draft.conditions or draft.unmet or alone.unread or alone.missed:
        return False
    named = {mention.member for mention in draft.mentions} | {dimension.member for dimension in draft.dimensions}
    named |= {grain for grain, *_ in draft.grains}
    shown: set[str] = set()
    for clause in form.groups:
        group = clause.expression
        shown |= {group.path} if isinstance(group, Member) else {group.grain} if isinstance(group, Truncated) else set()
    return bool(named) and named <= shown
