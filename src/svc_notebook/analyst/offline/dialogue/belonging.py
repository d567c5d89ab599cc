"""``how many lessons did they give``: rows of another table that belong to those that were shown."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..forms import Clause, Condition, Form, Member, Missing, Role
from ..grammar.clauses import Grouped, Measured, Shown, Subject
from ..grammar.partial import Partial
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..words.leads import LEAD, lead
from .conditions import conditions_of, with_conditions
from .expressing import members_of, paths_of, relations_of, widened
from .hearing import Heard
from .thread import Earlier

__all__ = ["asks_for_any", "asks_how_often", "listed_theirs", "over_theirs", "theirs"]

_DO = re.compile(
    r"\b(?:do|does|did|have|has|had|are|is|were|was)\s+(?:they|he|she|it|those|these)\b|\b(?:they|he|she)\b"
    r"|\b\w+\s+(?:them|those|these)\W*$",
    re.IGNORECASE,
)  # "how many lessons did they give", "which airlines fly them"
_ANY = re.compile(
    LEAD + r"(?:did|do|does|have|has)\s+\w+\s+(?:ever\s+)?\w+\s+"
    r"(?:(?!of\b|any\b)\w+\s+){0,2}any\s+of\s+"
    r"(?:them|those|these)\W*$",
    re.IGNORECASE,
)
_LISTS = re.compile(
    lead("please") + r"(?:which|what|list|show|give)\b(?!\s+(?:is|are|was|were)\s+their\b)",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    LEAD + r"how (?:often|many times)\s+(?:was|were|is|are|has|have|had|did|does|do)\s+"
    r"(?:it|they|he|she|that one|those|these)\b",
    re.IGNORECASE,
)
_NEW = (Measured, Subject, Shown, Grouped)


def theirs(before: Earlier, heard: Heard, partial: Partial, metadata: Metadata) -> str:
    """The one relation that a turn names rows or numbers of, to which those that were shown do not lead; or none."""
    known, form = relations_of(before.form), before.form
    if not known or not heard.points or form.limit is not None or form.having:
        return ""
    if asks_how_often(heard) and form.columns and _few(form):
        return metadata.facts_of(known[0]) or ""
    if not _DO.search(heard.text):
        return ""
    if form.measures and any(member.relation != known[0] for member in members_of(form.measures)):
        return ""
    named = {_relation_of(clause) for clause in partial.clauses if isinstance(clause, _NEW)} - {"", *known}
    return named.pop() if len(named) == 1 and _few(form) else ""


def asks_how_often(heard: Heard) -> bool:
    """Whether it is asked how often something happened to those that were shown: ``how often was it lent``."""
    return _OFTEN.match(heard.text) is not None


def asks_for_any(heard: Heard) -> bool:
    """Whether it is asked that something happened to any of those that were shown: ``did we sell any of them``."""
    return _ANY.match(heard.text) is not None


def over_theirs(before: Earlier, relation: str, metadata: Metadata) -> Earlier | None:
    """An earlier answer as one over the rows that tell what belongs to those it is about; None where there are none, or
    more than one way leads there.
    """
    known = relations_of(before.form) or ()
    facts = _facts(known[0], relation, metadata)
    if not facts:
        return None
    form = Form(Role(facts))
    wider = widened(form, [f"{one}." for one in (*known, relation)], metadata)
    if wider is None or (relations_of(wider) or ("",))[0] != facts:
        return None
    groups = tuple(clause for clause in before.form.groups if _names(clause, known[0], metadata))
    wider = with_conditions(wider, conditions_of(before.form)).with_(groups=groups)
    return replace(before, form=wider, focus=())


def listed_theirs(over: Earlier, relation: str, heard: Heard, partial: Partial, metadata: Metadata) -> Form | None:
    """``which courses do they teach``: what those rows are called; None where a number of them is asked for."""
    if not _LISTS.match(heard.text) or any(isinstance(clause, Measured) for clause in partial.clauses):
        return None
    if partial.best is not None or partial.counting or len(partial.clauses) != 1:
        return None
    said = partial.clauses[0]
    paths = [said.path] if isinstance(said, Shown) else list(labels_of(metadata, relation))
    if not paths:
        return None
    return over.form.with_(groups=tuple(Clause(Member(path)) for path in paths), measures=())


def _relation_of(clause: object) -> str:
    relation = getattr(clause, "relation", "")
    path = getattr(clause, "path", None)
    return relation or (path.split(".", 1)[0] if path and "." in path else "")


def _few(form: Form) -> bool:
    """Whether some rows are spoken of, and not all of them."""
    return any(not _joins(condition) for condition in conditions_of(form))


def _joins(condition: Condition) -> bool:
    return isinstance(condition, Missing) and condition.negated


def _facts(shown: str, wanted: str, metadata: Metadata) -> str:
    """The one relation whose rows say which of both belong together: the wanted one, or one between them."""
    if not metadata.is_bridged((wanted, shown)):
        return wanted
    between = [
        name for name in metadata.catalog.relations
        if name not in (shown, wanted) and not metadata.is_bridged((name, shown, wanted))
    ]  # fmt: skip
    return between[0] if len(between) == 1 else ""


def _names(clause: Clause, relation: str, metadata: Metadata) -> bool:
    named = {*labels_of(metadata, relation), metadata.key_of(relation)}
    return bool(paths_of(clause.expression)) and paths_of(clause.expression) <= named
