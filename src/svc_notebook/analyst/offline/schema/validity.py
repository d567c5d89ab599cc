"""Rows that hold from one day up to another: prices and wages that were so for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["holds_between"]

_STARTS = frozenset({"from", "start", "since", "begin", "begins"})
_ENDS = frozenset({"to", "until", "till", "end", "through", "thru", "ends"})
_HOLDING = frozenset({"valid", "effective", "applies", "applicable", "validity", "eff"})
_PRICED = frozenset("price rate wage salary pay tariff fee rent".split())
_BARE = frozenset({"from", "to", "until"})
_DATED = frozenset({"date", "dt", "on", "at", "day"})


def holds_between(metadata: Metadata, relation: str) -> tuple[str, str] | None:
    """The times from and up to which a row of a relation holds, where its columns say so; None where they do not."""
    known = metadata.catalog.relations.get(relation)
    if known is None or known.kind != "cube":
        return None
    times = [m.path for m in known.members.values() if m.type == "time" and m.kind == "dimension" and not m.masked]
    starts, ends = ([path for path in times if _is_end(metadata.parts(path), of)] for of in (_STARTS, _ENDS))
    if len(starts) != 1 or len(ends) != 1:
        return None
    said = {*metadata.parts(starts[0]), *metadata.parts(ends[0])}
    numbers = [m.path for m in known.members.values() if m.type == "number" and m.kind == "dimension"]
    priced = any(not _PRICED.isdisjoint(metadata.parts(path)) for path in numbers if path in metadata.members)
    return (starts[0], ends[0]) if said & _HOLDING or priced else None  # absences and stays are over, and hold nothing


def _is_end(parts: tuple[str, ...], of: frozenset[str]) -> bool:
    """``valid_from``, ``effective_start_date``, ``from_date``."""
    words = {*parts} - _DATED
    told = bool(words & _HOLDING) or words <= _BARE
    return told and len(words & of) == 1 and words - of <= _HOLDING
