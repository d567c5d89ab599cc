"""``the returning ones``: rows of which a flag says so, by the first word of its name."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Form
from ..schema.metadata import Metadata
from .expressing import relations_of

__all__ = ["flagged"]

_ONES = re.compile(r"^\W*(?:(?:the|all|those|these|for|of)\s+)*(?P<how>[^\W\d]+)\s+ones?\W*$", re.IGNORECASE)


def flagged(text: str, form: Form, metadata: Metadata) -> str:
    """The text with the whole name of the one flag that begins so: ``returning guest`` of *the returning ones*."""
    said = _ONES.match(text)
    if said is None:
        return text
    found = {
        " ".join(parts)
        for name in relations_of(form) or ()
        for member in metadata.relation(name).members.values()
        if member.type == "boolean" and member.kind == "dimension"
        and len(parts := metadata.parts(member.path)) == 2 and parts[0] == said["how"].lower()
    }  # fmt: skip
    return found.pop() if len(found) == 1 else text
