"""``per club`` after the tallest player: of each; ``how many are there per language`` after a number of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, Unmet, earlier, passed_over
from ..forms import ROWS, Clause, Form, Member
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.leads import lead
from ..words.text import stem
from .asked import AskedTurn
from .forming import form_shown
from .of_last_answer import of_last_answer

__all__ = ["counted_of_each", "each_of_kind"]

FIRST_OF_EACH = "it is the first of all rows, and not of each; please ask for that in full"
_LEAD = lead("show", "give", "me", "it", "that")
_KIND = r"(?P<kind>[a-z]+(?: [a-z]+)?)"
_PER = re.compile(
    rf"{_LEAD}(?:per|by|(?:for|in|of|at|from|within)? ?(?:each|every)) {_KIND}(?: instead| please)?\W*$", re.IGNORECASE
)
_HOW_MANY = re.compile(
    rf"{_LEAD}how many (?:are|were|is|was) there (?:of (?:them|those|these) )?"
    rf"(?:per|by|(?:for|in|of|at|from) (?:each|every)) {_KIND}\W*$",
    re.IGNORECASE,
)


def each_of_kind(asked: AskedTurn) -> Understood | None:
    """The first rows of each kind, where the first of all were shown."""
    said, before = _of_before(asked, _PER)
    if said is None or before is None or not _are_first(before.form):
        return None
    if any(item.kind == "value" for item in asked.reading.items):
        return None  # "by Petra": those of one of them
    whole = f"{before.turn.question.rstrip(' ?.!')} of each {said['kind']}"
    fresh = "begun" not in before.turn.memory
    seen = asked.anew(replace(asked.turn, question=whole, history=())) if fresh else None
    if seen is None or seen.lost or seen.unread or seen.plan is not None and seen.plan.unread:
        return asked.nothing(unmet=Unmet(FIRST_OF_EACH))
    form = form_shown(seen)
    if form is not None and (form.limit is not None or form.columns == before.form.columns):
        return asked.nothing(unmet=Unmet(FIRST_OF_EACH))
    return seen if seen.plan is not None or seen.form is not None else asked.nothing(unmet=Unmet(FIRST_OF_EACH))


@of_last_answer(_HOW_MANY, whole=True)
def counted_of_each(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """How many rows each of the groups has that were shown."""
    form = forms[0].form
    if not form.measures or len(form.groups) != 1 or not _is_called(form.groups[0], said["kind"], asked.metadata):
        return None
    return form.with_(measures=(Clause(ROWS),), having=(), order=(), limit=None)


def _of_before(asked: AskedTurn, pattern: re.Pattern[str]) -> tuple[re.Match[str] | None, Earlier | None]:
    """What a turn says by this pattern, and what was shown before it."""
    if not asked.turn.history or passed_over(asked.turn):
        return None, None
    said = pattern.match(asked.turn.asked) or pattern.match(asked.question)
    forms = earlier(asked.turn, asked.metadata.catalog) if said is not None else []
    return said, forms[0] if forms else None


def _are_first(form: Form) -> bool:
    """Whether rows are shown in an order, and only the first of them."""
    return bool(form.columns and form.order) and form.limit is not None and not (form.groups or form.measures)


def _is_called(group: Clause, words: str, metadata: Metadata) -> bool:
    """Whether a group is by what is called so, or by what names it."""
    stems, path = tuple(map(stem, words.lower().split())), group.expression
    if not isinstance(path, Member):
        return False
    named = [phrase for phrase in metadata.phrases if phrase.stems == stems]
    home = path.path.split(".", 1)[0]
    return any(p.member == path.path or p.member is None and p.relation == home for p in named)
