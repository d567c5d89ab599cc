"""``which airline was that?``, ``where did it go?`` after the longest flight: what the row is that has the extreme."""

from __future__ import annotations

from .... import patterns as re
from ..dialogue import Followed, earlier, passed_over
from ..dialogue.expressing import relations_of, time_of
from ..dialogue.rows import row_at_end
from ..forms import Form, Member
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural, plural
from ..understood import Understood
from ..words.leads import LEAD
from ..words.text import stem
from .asked import AskedTurn
from .forming import as_edit, form_of_plan, is_sayable

__all__ = ["row_of_extreme"]

_IT = r"(?:(?:that|it|this)(?:\s+one)?|they|these(?:\s+ones)?|those(?:\s+ones)?)"
_DONE = "had|has|flew|made|did|got|reached|set|held|holds|recorded|ran|drove|sold|bought|placed|paid"
_WAY = r"(?:(?:in|on|at|for|from|by|to|with|of)\s+)?"
_WHICH = re.compile(
    rf"{LEAD}{_WAY}(?:which|what)\s+(?P<what>(?!one\b|ones\b|of\b)[a-z]+(?:\s+[a-z]+)?)\s+"
    rf"(?:(?:is|was|did|are|were)\s+{_IT}(?:\s+(?:on|for|with|by|from|in|at|of|happen|have|occur|go to|go))?"
    rf"|(?:{_DONE})\s+{_IT})\W*$",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{LEAD}which\s+(?P<what>(?!one\b|of\b)[a-z]+)\W*$", re.IGNORECASE)  # "which ride?"
_TO = re.compile(
    rf"{LEAD}where\s+(?:did|does|was|is|do|were|are)\s+{_IT}\s+(?:go|going|fly|flying|travel|head|headed|heading|lead|sail|drive|"
    r"bound|end|land)(?:\s+(?:to|for|up))?\W*$",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"{LEAD}(?:from\s+where(?:\s+(?:did|was|were|do)\s+{_IT}(?:\s+\w+)?)?|where\s+(?:did|does|was|is|do|were|are)\s+{_IT}\s+"
    r"(?:(?:come|leave|start|depart|begin|go)(?:\s+from)?|from))\W*$",
    re.IGNORECASE,
)
_WHEN = re.compile(
    rf"{LEAD}when\s+(?:did|was|were)\s+{_IT}(?:\s+(?:happen|occur|go|leave|start|be))?\W*$", re.IGNORECASE
)
_WHO = re.compile(rf"{LEAD}who\s+(?:has\s+|had\s+)?(?!is\b|was\b|are\b|were\b)[a-z]+\s+{_IT}\W*$", re.IGNORECASE)
_THEY = re.compile(r"\b(?:they|these|those)\b", re.IGNORECASE)
_ENDS = ((_TO, "destination"), (_FROM, "origin"))


def row_of_extreme(asked: AskedTurn) -> Understood | None:
    """The row whose value the answer before was the highest or lowest of, with what is asked of it."""
    if not asked.turn.history or passed_over(asked.turn):
        return None
    forms = earlier(asked.turn, asked.metadata.catalog)
    paths = _asked_of(asked, forms[0].form) if forms else []
    several = _THEY.search(asked.question) is not None
    row = row_at_end(forms[0].form, paths, asked.metadata, several=several) if paths else None
    if row is None or not is_sayable(row, asked.metadata):
        return None
    return as_edit(Followed(row, forms[0], "", sure=forms[0].sure), asked.reading, asked.metadata)


def _asked_of(asked: AskedTurn, form: Form) -> list[str]:
    """The columns that are asked for by name, or by where or when something was."""
    for pattern, end in _ENDS:
        if pattern.match(asked.question):
            return _called(end, asked.metadata)
    if _WHEN.match(asked.question):
        time = time_of(form, asked.metadata)
        return [time] if time is not None else []
    if _WHO.match(asked.question):
        return _whose(form, asked.metadata)
    said = _WHICH.match(asked.question) or _BARE.match(asked.question)
    if said is None or said.re is _BARE and is_plural(said["what"]):
        return []
    own = _of_same_rows(said["what"], form, asked.metadata)
    if own:
        return own
    noun = said["what"] if is_plural(said["what"]) else plural(said["what"])
    plan = asked.read_one(f"list all {noun}", (relations_of(form) or ())[:1]).plan
    shown = form_of_plan(plan, asked.metadata) if plan is not None and not plan.unread else None
    return _named(shown) if shown is not None and not shown.where else []


def _whose(form: Form, metadata: Metadata) -> list[str]:
    """The name of the one kind of people whom the rows belong to."""
    rows = (relations_of(form) or ("",))[0]
    people = [name for name in metadata.edges.get(rows, ()) if metadata.is_of_people(name)]
    label = metadata.label_of(people[0]) if len(people) == 1 else None
    return [label] if label is not None else []


def _of_same_rows(what: str, form: Form, metadata: Metadata) -> list[str]:
    """The one column of the rows of a form that is called so, whatever other rows there are."""
    stems, home = tuple(stem(word) for word in what.lower().split()), (relations_of(form) or ("",))[0]
    called = {phrase.member for phrase in metadata.phrases if phrase.relation == home and phrase.stems == stems}
    known = [path for path in called if path is not None]
    return known if len(called) == 1 else []


def _named(form: Form) -> list[str]:
    """The columns that a list is of: no number that only counts it."""
    clauses = form.groups or form.columns
    paths = [clause.expression.path for clause in clauses if isinstance(clause.expression, Member)]
    return paths if len(paths) == len(clauses) and not form.measures else []


def _called(end: str, metadata: Metadata) -> list[str]:
    """The text that says where rows end or begin, by the shortest of its names, in one relation."""
    texts = [path for path in metadata.members if kind_of(metadata, path) == "text"]
    named = [path for path in texts if metadata.parts(path)[:1] and stem(metadata.parts(path)[0]) == stem(end)]
    homes = {path.split(".", 1)[0] for path in named}
    return [min(named, key=lambda path: (len(metadata.parts(path)), path))] if len(homes) == 1 else []
