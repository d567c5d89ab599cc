"""What is left out of all: *all but the unpaid ones*, *everyone but Ann*."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["all_but"]

_ALL = frozenset("all every any everything everyone everybody anything anyone anybody nothing nobody none no".split())
_FARTHEST = 4  # words from "all" to "but": "all the invoices but"
_OWN = frozenset("not only just never then also even when without with no".split())


def all_but(w: Wording, at: int) -> Found | None:
    """``all lessons but Ann's``: all except hers, where *but* begins no thought of its own."""
    if w.at(at) != "but" or w.at(at + 1) in _OWN or w.is_number(at + 1):
        return None
    said = w.words[max(0, at - _FARTHEST) : at]
    while said and said[0] not in _ALL:
        said = said[1:]
    return (w.said(at, "except"), at + 1) if said and all(map(str.isalpha, said)) else None
