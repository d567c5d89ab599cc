"""``pupils in no club``: those without one, and no number of clubs; ``average class size``: by who is in it."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import singular, stem

__all__ = ["in_none", "sizes_of"]

_LEAD = r"(?P<lead>(?:which|what|how many|list|show|show me|give me|name|number of|find) )?"
_IN_NO = said_so(
    rf"^{_LEAD}(?:all |the |our )?(?P<rows>[a-z]+) (?:(?:who|that|which) )?(?:(?:are|is|were|was|belong|play) )?",
    r"(?:in|on|at|under|of|to|with) no (?P<kind>[a-z]+)(?P<end>\W*)$",
)
_SIZE = said_so(
    r"^(?P<lead>(?:what(?:['’]?s| is) )?(?:the |our )?)(?P<mean>average|mean|median|typical) (?P<kind>[a-z]+) sizes?"
    r"(?P<rest>\W*$| (?:in|at|of|for) .*$)"
)


def in_none(question: str, metadata: Metadata) -> str:
    """The question with those who are in none as those without one, where both are rows."""
    said = _IN_NO.match(question)
    if said is None or not _are_rows(said["rows"], metadata) or not _are_rows(said["kind"], metadata):
        return question
    return f"{said['lead'] or ''}{said['rows']} without a {singular(said['kind'])}{said['end']}"


def sizes_of(question: str, metadata: Metadata) -> str:
    """The size of a group of people as how many belong to it, where no number is called so."""
    said = _SIZE.match(question)
    found = metadata.kind_names.rows.get(stem(said["kind"].lower()), ()) if said is not None else ()
    if said is None or len(found) != 1 or any("size" in metadata.parts(path) for path in metadata.members):
        return question
    people = [n for n, others in metadata.edges.items() if found[0] in others and metadata.is_of_people(n)]
    if len(people) != 1:
        return question
    mean = "median" if said["mean"].lower() == "median" else "average"
    rows = " ".join(metadata.words_of(people[0]))
    return f"{said['lead']}{mean} number of {rows} per {said['kind']}{said['rest']}"


def _are_rows(noun: str, metadata: Metadata) -> bool:
    return metadata.kind_names.are_rows(noun)
