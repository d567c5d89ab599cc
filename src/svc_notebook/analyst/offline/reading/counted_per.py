"""Things said *per* something: *destinations per airline* asks how many there are of them, and not for rows of both."""

from __future__ import annotations

from ..schema.kind_names import Kind
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural
from ..turning.rules import said_so
from ..words.text import stem

__all__ = ["counted_per"]

_PER = said_so(
    r"^(?P<lead>(?:list |show (?:me )?|give me )?(?:the )?)(?P<what>[a-z]+(?: [a-z]+)?) "
    r"(?P<per>per|for each|for every|by) (?P<of>[\w ]+?)\W*$"
)


def counted_per(question: str, metadata: Metadata) -> str:
    """A question for things per something, as one for their number."""
    said = _PER.match(question)
    if said is None or not is_plural(said["what"].split()[-1].lower()):
        return question
    kinds = _called(said["what"], metadata)
    rows = {kind.relation for kind in kinds if kind.path is None}
    values = [kind.path for kind in kinds if kind.path is not None]
    # Rows that know themselves what they are counted by are counted by that anyway.
    own = any(kind.path is not None and kind.relation in rows for kind in _called(said["of"], metadata))
    shared = any(not metadata.profile(path).unique for path in values)
    counted = rows and values if said["per"].lower() == "by" else shared
    return f"{said['lead']}number of {question[said.start('what') :]}" if counted and not own else question


def _called(words: str, metadata: Metadata) -> tuple[Kind, ...]:
    return metadata.kind_names.called.get(tuple(map(stem, words.lower().split())), ())
