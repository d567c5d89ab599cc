"""``the 10 longest flights with airline and destination``: rows in an order, with more of what stands in them."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..forms import Clause, Form, Member, Role
from ..reader import is_writable
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.text import singular, stem
from .asked import AskedTurn
from .forming import form_shown, told_instead

__all__ = ["with_columns"]

_RANKED = r"(?:\d+|top|most|least|fewest|first|last|[a-z]{3,}est)"
_BESIDE = r"(?:with|including|showing|along with|together with|incl)"
_BEHIND = re.compile(
    rf"^(?P<rows>.*\b{_RANKED}\b.+?),?\s+{_BESIDE}\s+(?:(?:their|its|the)\s+)?(?P<columns>[a-z][a-z ,]+?)\W*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"^(?:(?:show|list|give me|what (?:is|are))\s+)?(?:the\s+)?(?P<columns>[a-z]+(?:(?:, | and |, and )[a-z]+)+)\s+"
    rf"(?:of|for)\s+(?P<rows>(?:the|our)\s+{_RANKED}\b.+?)\W*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,\s*and\b|,|\band\b)\s*(?:(?:their|its|the)\s+)?", re.IGNORECASE)


def with_columns(asked: AskedTurn) -> Understood | None:
    """Rows in an order with the columns that are named beside them; None where what is named is no column of theirs."""
    said = _BEHIND.match(asked.question) or _BEFORE.match(asked.question)
    if said is None:
        return None
    named = [_path(words, asked.metadata) for words in _JOINED.split(said["columns"].strip())]
    if not all(named):
        return None
    rows = asked.anew(replace(asked.turn, question=said["rows"]))
    form = form_shown(rows)
    if form is None or not form.columns or not form.order or form.limit is None or form.groups or form.measures:
        return None
    shown = _with(form, [path for path in named if path])
    return told_instead(rows, shown) if shown is not None and is_writable(shown) else None


def _path(words: str, metadata: Metadata) -> str:
    """The dimension that words are the whole name of; nothing where none or several are called so."""
    said = tuple(stem(singular(word)) for word in words.lower().split())
    known = [
        path for path, member in metadata.members.items()
        if member.kind == "dimension" and tuple(stem(singular(part)) for part in metadata.parts(path)) == said
    ]  # fmt: skip
    return known[0] if len(known) == 1 else ""


def _with(form: Form, paths: list[str]) -> Form | None:
    """The form with the columns behind its own; None where one stands in other rows."""
    if not isinstance(form.root, Role) or any(path.split(".", 1)[0] != form.root.relation for path in paths):
        return None
    known = {clause.expression for clause in form.columns}
    more = [Clause(Member(path)) for path in paths if Member(path) not in known]
    return form.with_(columns=(*form.columns, *more)) if more else None
