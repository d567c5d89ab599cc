"""``sick days in 2025``: when stretches of days begin, and not when they were asked for."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..words.numbers import exact_unit
from .assembly import Assembly

__all__ = ["begun_with_lengths"]

_BEGUN = frozenset({"start", "starts", "started", "from", "begin", "begins", "first"})
_ENDED = frozenset({"end", "ends", "ended", "to", "until", "till", "last"})
_LENGTHS = frozenset({"day", "hour", "week"})


def begun_with_lengths(state: Assembly) -> list[str]:
    """The time that a stretch begins at, where how long it is is spoken of and the rows have a beginning and an end."""
    meta = state.meta
    numbers = [path for path in state.mentioned_members() if path in meta.members and not meta.is_time(path)]
    lengths = [path for path in numbers if exact_unit(meta.parts(path)[-1]) in _LENGTHS]
    found = (_beginning(path.split(".", 1)[0], meta) for path in lengths)
    return [path for path in found if path is not None][:1]


def _beginning(relation: str, metadata: Metadata) -> str | None:
    times = [path for path in metadata.times([relation]) if path in metadata.members]
    first = [path for path in times if metadata.parts(path)[0] in _BEGUN]
    last = [path for path in times if metadata.parts(path)[0] in _ENDED]
    return first[0] if len(first) == len(last) == 1 else None
