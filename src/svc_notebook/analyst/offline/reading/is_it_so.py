"""Whether one thing is so, by a column that says it: *is the Kelpie still in service*, *was Ada a member*."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Form, Member
from ..schema.metadata import Metadata
from ..words.text import stem, tokenize
from .one_number import LONGEST
from .one_row import is_a_row, one_row

__all__ = ["is_it_so"]

_ASKED = re.compile(
    r"^\W*(?:is|was|are|isn['’]?t)\s+(?:the\s+|our\s+)?(?P<said>[\w' .-]+?)"
    r"(?:\s+(?:now|today|right now|at the moment))?[?.! ]*$",
    re.IGNORECASE,
)
_LITTLE = frozenset({"still", "yet", "already", "a", "an", "the", "currently", "really", "ever", "now"})


def is_it_so(question: str, metadata: Metadata) -> Form | None:
    """One row by its name with the yes or no that is asked for, where nothing else is said of it."""
    said = _ASKED.match(question) if len(question) <= LONGEST else None
    tokens = tokenize(said["said"]) if said is not None else []
    named = [match for match in metadata.values.find(tokens, 0) if is_a_row(match, metadata)]
    found = []
    for match in named:
        told = tuple(token.stem for token in tokens[match.end :] if token.lower not in _LITTLE)
        members = metadata.relation(match.member.split(".", 1)[0]).members.values()
        flags = [m.path for m in members if m.path in metadata.members and m.type == "boolean"]
        flags = [path for path in flags if _is_called(metadata, path, told)]
        if len(flags) == 1:
            found.append(one_row(match, Member(flags[0])))
    return found[0] if len(found) == 1 else None


def _is_called(metadata: Metadata, path: str, told: tuple[str, ...]) -> bool:
    name = tuple(stem(part) for part in metadata.parts(path))
    return bool(told) and (name == told or name[:1] == (stem("is"),) and name[1:] == told)
